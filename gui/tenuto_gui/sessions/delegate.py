# SPDX-License-Identifier: Apache-2.0
"""A session's row: mark, title and age; state, evidence, model and tokens (look.md, "List row")."""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from tenuto_gui import format as fmt
from tenuto_gui import icons
from tenuto_gui.fonts import Role as FontRole
from tenuto_gui.i18n import translate
from tenuto_gui.plain import outline_chosen, plain_tip
from tenuto_gui.sessions.heading import head_tip, paint_heading
from tenuto_gui.sessions.model import Role
from tenuto_gui.sessions.row import Row, age_of, time_of
from tenuto_gui.sessions.words import CHIPS, source_word, turns
from tenuto_gui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_SF = QStyle.StateFlag

MARK_LEFT = 12
TEXT_LEFT = 44
TEXT_RIGHT = 14
_GAP = 8
#: A fork in a tree is this much further right; deeper ones than these stand no further.
_STEP, _DEEPEST = 18, 5
#: Between the evidence and what stands at the right end.
_SPACE = 12

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
_RIGHT = (
    Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
)
_PLAIN = int(_LEFT | Qt.TextFlag.TextSingleLine)
_PLAIN_RIGHT = int(_RIGHT | Qt.TextFlag.TextSingleLine)


def is_rtl(text: str) -> bool:
    """Whether the first strong character is a right-to-left one."""
    if text.isascii():
        return False
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction == "L":
            return False
        if direction in ("R", "AL"):
            return True
    return False


class SessionDelegate(QStyledItemDelegate):
    """Paints rows from the theme's tokens. All rows are equally high."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        #: The heading above says of which project a session is: its row does not.
        self.by_project = False

    def row_height(self) -> int:
        fonts = self._theme.fonts
        lines = fonts.line_height("body") + fonts.line_height("small")
        return max(fonts.px(48), lines + fonts.px(14))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self._theme.fonts.px(300), self.row_height())

    # --- painting ------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if (head := index.data(Role.HEAD)) is not None:
            paint_heading(painter, option, head, self._theme)
            return
        row: Row = index.data(Role.ROW)
        theme, fonts = self._theme, self._theme.fonts
        rect = option.rect
        px = fonts.px
        painter.save()
        ink = self._ground(painter, option)
        body, small = fonts.line_height("body"), fonts.line_height("small")
        gap = px(2)
        top = rect.top() + (rect.height() - body - small - gap) // 2
        shift = px(_STEP) * min(row.depth, _DEEPEST)
        left, right = rect.left() + px(TEXT_LEFT) + shift, rect.right() + 1 - px(TEXT_RIGHT)

        size = round(fonts.line_height("body") * 1.1 / 18 * 20)
        ratio = painter.device().devicePixelRatioF()
        mark = icons.mark(theme, row.cells[1], size, ratio)
        mark_left = rect.left() + px(MARK_LEFT) + shift
        painter.drawPixmap(mark_left, rect.top() + (rect.height() - size) // 2, mark)
        if shift:
            self._branch(painter, rect, mark_left, size)
        self._first_line(painter, QRectF(left, top, right - left, body), row, ink)
        self._second_line(painter, QRectF(left, top + body + gap, right - left, small), row, ink)

        divider = QRect(left, rect.bottom(), rect.right() + 1 - left, 1)
        painter.fillRect(divider, theme.color("line"))
        if option.state & _SF.State_HasFocus and option.state & _SF.State_KeyboardFocusChange:
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.drawRect(QRectF(rect).adjusted(1, 1, -1, -2))
        painter.restore()

    def _branch(self, painter: QPainter, rect: QRect, mark_left: int, size: int) -> None:
        """From the row above to the mark of a fork."""
        px = self._theme.fonts.px
        x = mark_left - px(_STEP) + size // 2
        middle = rect.top() + rect.height() // 2
        ink = self._theme.color("rail")
        painter.fillRect(x, rect.top(), 1, middle - rect.top(), ink)
        painter.fillRect(x, middle, mark_left - px(3) - x, 1, ink)

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem) -> QColor | None:
        """Fill the row. Returns the one colour all text must take, or None for the usual ones."""
        theme = self._theme
        if option.state & _SF.State_Selected:
            view = option.widget
            focus = view.hasFocus() and view.isActiveWindow()
            painter.fillRect(option.rect, theme.color("sel" if focus else "sel_off"))
            if not focus:
                outline_chosen(painter, theme, QRectF(option.rect))
            return theme.color("sel_text") if theme.high_contrast and focus else None
        if option.state & _SF.State_MouseOver:
            painter.fillRect(option.rect, theme.color("hover"))
        return None

    def _first_line(self, painter: QPainter, rect: QRectF, row: Row, ink: QColor | None) -> None:
        fonts, theme = self._theme.fonts, self._theme
        title, mark = row.cells[0], row.cells[1]
        age = age_of(row)
        metrics = fonts.metrics("small")
        width = metrics.horizontalAdvance(age)
        painter.setFont(fonts.font("small"))
        painter.setPen(ink or theme.color("text2"))
        painter.drawText(rect, _PLAIN_RIGHT, age)

        if row.summary.pinned:
            size = fonts.px(14)
            width += size + fonts.px(4)
            place = QPointF(rect.right() - width, rect.top() + (rect.height() - size) / 2)
            ratio = painter.device().devicePixelRatioF()
            painter.drawPixmap(place.toPoint(), icons.pixmap(theme, "pin", "text2", size, ratio))
        if row.summary.badge:
            width += self._badge(painter, rect, width, row.summary.badge, ink)
        role: FontRole = "mono" if not title else "bold" if mark in CHIPS else "medium"
        text = title or row.id
        room = rect.adjusted(0, 0, -width - _GAP, 0)
        painter.setFont(fonts.font(role))
        painter.setPen(ink or theme.color("text"))
        cut = fonts.metrics(role).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        if is_rtl(text):
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
            painter.drawText(room, _PLAIN, cut)
            painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        else:
            painter.drawText(room, _PLAIN, cut)

    def _badge(
        self, painter: QPainter, rect: QRectF, used: float, text: str, ink: QColor | None
    ) -> float:
        """A mark of a few letters in a frame, left of what is at the right end; its width."""
        fonts, theme = self._theme.fonts, self._theme
        px = fonts.px
        width = fonts.metrics("small").horizontalAdvance(text) + 2 * px(4)
        height = min(fonts.line_height("small"), rect.height())
        top = rect.center().y() - height / 2
        frame = QRectF(rect.right() - used - px(6) - width, top, width, height)
        painter.setFont(fonts.font("small"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ink or theme.color("edge"), 1))
        painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(ink or theme.color("text2"))
        painter.drawText(frame, int(Qt.AlignmentFlag.AlignCenter), text)
        return width + px(6)

    def _second_line(self, painter: QPainter, rect: QRectF, row: Row, ink: QColor | None) -> None:
        fonts, theme = self._theme.fonts, self._theme
        _title, mark, state, plain, mono, model, tokens = row.cells
        chip = mark in CHIPS
        small, demi = fonts.metrics("small"), fonts.metrics("small_demi")
        second = ink or theme.color("text2")

        word_width = demi.horizontalAdvance(state) + (2 * fonts.px(5) if chip else 0)
        evidence_role: FontRole = "mono_small" if mono and not plain else "small"
        evidence = plain or mono
        if self.by_project and mark == "ready":
            evidence = turns(row.summary.turns)
        lead = "" if chip else f" {fmt.DOT} "
        lead_width = fonts.px(7) if chip else small.horizontalAdvance(lead)
        wanted = fonts.metrics(evidence_role).horizontalAdvance(evidence) if evidence else 0.0

        right = _right_end(
            small, model, tokens, rect.width() - word_width, wanted + lead_width if evidence else 0
        )
        right_width = small.horizontalAdvance(right) + _SPACE if right else 0.0

        self._word(painter, rect, state, mark, chip, word_width, ink)
        if right:
            painter.setFont(fonts.font("small"))
            painter.setPen(second)
            painter.drawText(rect, _PLAIN_RIGHT, right)
        room = rect.width() - word_width - lead_width - right_width
        if not evidence or room < demi.horizontalAdvance("mm"):
            return
        x = rect.left() + word_width
        if lead:
            painter.setFont(fonts.font("small"))
            painter.setPen(second)
            painter.drawText(QRectF(x, rect.top(), lead_width, rect.height()), _PLAIN, lead)
        self._evidence(
            painter,
            QRectF(x + lead_width, rect.top(), room, rect.height()),
            evidence,
            fonts.font(evidence_role),
            fonts.metrics(evidence_role),
            second,
        )

    def _word(
        self,
        painter: QPainter,
        rect: QRectF,
        state: str,
        mark: str,
        chip: bool,
        width: float,
        ink: QColor | None,
    ) -> None:
        fonts, theme = self._theme.fonts, self._theme
        outline, fill, glyph = icons.MARKS[mark]
        painter.setFont(fonts.font("small_demi"))
        if chip and fill and glyph:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(fill))
            ground = QRectF(rect.left(), rect.top() - 1, width, rect.height() + 2)
            painter.drawRoundedRect(ground, 3, 3)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(theme.color(glyph))
            painter.drawText(rect.translated(fonts.px(5), 0), _PLAIN, state)
            return
        painter.setPen(ink or theme.color(outline))
        cut = fonts.metrics("small_demi").elidedText(
            state, Qt.TextElideMode.ElideRight, rect.width()
        )
        painter.drawText(rect, _PLAIN, cut)

    @staticmethod
    def _evidence(
        painter: QPainter,
        rect: QRectF,
        text: str,
        font: QFont,
        metrics: QFontMetricsF,
        colour: QColor,
    ) -> None:
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(
            rect, _PLAIN, metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        )

    # --- tooltip -------------------------------------------------------------------------------

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """All of what the row may have cut, and the full time."""
        if event.type() != QEvent.Type.ToolTip or not index.isValid():
            return False
        if (head := index.data(Role.HEAD)) is not None:
            QToolTip.showText(event.globalPos(), plain_tip(head_tip(head)), view)
            return True
        row: Row = index.data(Role.ROW)
        title, _mark, state, plain, mono, _short_model, _tokens = row.cells
        lines = [title or row.id]
        if title:
            lines.append(row.id)
        lines.append(f"{state} {fmt.DOT} {plain or mono}" if plain or mono else state)
        facts = [row.summary.model, fmt.exact(row.summary.tokens) if row.summary.tokens else ""]
        lines.append(f" {fmt.DOT} ".join(fact for fact in facts if fact))
        lines.append(fmt.moment(time_of(row)))
        lines.append(
            f"{source_word(row.summary.source)} {row.summary.badge}" if row.summary.badge else ""
        )
        lines.append(fmt.home_path(row.summary.group))
        if origin := row.summary.origin:
            lines.append(translate("status", "Forked from {id}").format(id=origin))
        lines.append(row.summary.note or "")
        QToolTip.showText(event.globalPos(), plain_tip("\n".join(x for x in lines if x)), view)
        return True


def _right_end(small: QFontMetricsF, model: str, tokens: str, room: float, evidence: float) -> str:
    """Model and tokens as far as there is room: the model goes first, then the tokens."""
    both = [f"{model} {fmt.DOT} {tokens}"] if model and tokens else []
    for choice in (*both, tokens or model):
        if room - small.horizontalAdvance(choice) - _SPACE >= evidence:
            return choice
    return ""
