# SPDX-License-Identifier: Apache-2.0
"""What is in the trash, as rows: title and age, then id, project or folder, and size."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from tenuto.text import headline
from tenuto_gui import format as fmt
from tenuto_gui.fonts import Role
from tenuto_gui.i18n import enumerated, translate
from tenuto_gui.plain import outline_chosen
from tenuto_gui.sessions.delegate import is_rtl
from tenuto_gui.sessions.words import source_word
from tenuto_gui.theme import Theme

if TYPE_CHECKING:
    from tenuto.sources.trashed import TrashItem

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_SF = QStyle.StateFlag
_LEFT = int(
    Qt.AlignmentFlag.AlignLeft
    | Qt.AlignmentFlag.AlignVCenter
    | Qt.AlignmentFlag.AlignAbsolute
    | Qt.TextFlag.TextSingleLine
)
_RIGHT = int(
    Qt.AlignmentFlag.AlignRight
    | Qt.AlignmentFlag.AlignVCenter
    | Qt.AlignmentFlag.AlignAbsolute
    | Qt.TextFlag.TextSingleLine
)
#: Characters of a title that a row can have room for.
_TITLE = 200


class TrashRole(IntEnum):
    """Data of a row beyond Qt's own roles."""

    TOKEN = int(Qt.ItemDataRole.UserRole) + 1
    ID = TOKEN + 1
    ITEM = TOKEN + 2
    #: Whether each row says which source it is of.
    MIXED = TOKEN + 3


class TrashModel(QAbstractListModel):
    """Newest deletion first, as the trash itself lists them."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.items: list[TrashItem] = []
        #: They are of several sources, so each says of which.
        self.mixed = False

    def set_items(self, items: list[TrashItem]) -> None:
        """What there is now; the same as before changes nothing."""
        if items == self.items:
            return
        self.beginResetModel()
        self.items = items
        self.mixed = len({item.source for item in items}) > 1
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        item = self.items[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return title_of(item) or item.id
        if role == TrashRole.TOKEN:
            return item.token
        if role == TrashRole.ID:
            return item.id
        if role == TrashRole.ITEM:
            return item
        if role == TrashRole.MIXED:
            return self.mixed
        if role == Qt.ItemDataRole.AccessibleTextRole:
            parts = (title_of(item), item.id, item.project, age_of(item), _state_of(item))
            return enumerated(part for part in parts if part)
        return None


def title_of(item: TrashItem) -> str:
    """The title as it may be shown; "" where there is none."""
    return headline(item.title, _TITLE) if item.title else ""


def age_of(item: TrashItem) -> str:
    """When it was deleted, in today's words."""
    then = fmt.parse_time(item.time)
    return fmt.age(then, datetime.now(UTC)) if then is not None else ""


def _name_of(item: TrashItem) -> str:
    """The id, without the folder that stands behind it."""
    return item.id.rpartition("/")[2]


def _state_of(item: TrashItem) -> str:
    return "" if item.complete else translate("trash", "broken off")


def _facts(item: TrashItem, mixed: bool) -> list[tuple[str, Role]]:
    """The second line: what is an id or a path stands in mono."""
    place = item.project or item.origin
    facts: list[tuple[str, Role]] = [
        (_name_of(item), "mono_small"),
        (fmt.home_path(place) if place else "", "mono_small"),
        (source_word(item.source) if mixed else "", "small"),
        (fmt.size(item.size), "small"),
        (_state_of(item), "small"),
    ]
    return [fact for fact in facts if fact[0]]


class TrashDelegate(QStyledItemDelegate):
    """Two lines, as in the list of sessions."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        fonts = self._theme.fonts
        lines = fonts.line_height("body") + fonts.line_height("small")
        return QSize(fonts.px(300), max(fonts.px(48), lines + fonts.px(14)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item: TrashItem = index.data(TrashRole.ITEM)
        theme, fonts, px = self._theme, self._theme.fonts, self._theme.fonts.px
        rect = option.rect
        painter.save()
        ink = None
        if option.state & _SF.State_Selected:
            view = option.widget
            focus = view.hasFocus() and view.isActiveWindow()
            painter.fillRect(rect, theme.color("sel" if focus else "sel_off"))
            if not focus:
                outline_chosen(painter, theme, QRectF(rect))
            ink = theme.color("sel_text") if theme.high_contrast and focus else None
        elif option.state & _SF.State_MouseOver:
            painter.fillRect(rect, theme.color("hover"))
        body, small = fonts.line_height("body"), fonts.line_height("small")
        top = rect.top() + (rect.height() - body - small - px(2)) // 2
        left, right = rect.left() + px(16), rect.right() + 1 - px(16)
        first = QRectF(left, top, right - left, body)
        second = QRectF(left, top + body + px(2), right - left, small)

        age = age_of(item)
        painter.setFont(fonts.font("small"))
        painter.setPen(ink or theme.color("text2"))
        painter.drawText(first, _RIGHT, age)
        title = title_of(item)
        role: Role = "medium" if title else "mono"
        room = first.adjusted(0, 0, -fonts.metrics("small").horizontalAdvance(age) - px(8), 0)
        text = fonts.metrics(role).elidedText(
            title or item.id, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.setFont(fonts.font(role))
        painter.setPen(ink or theme.color("text"))
        if is_rtl(title):
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        painter.drawText(room, _LEFT, text)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

        painter.setPen(ink or theme.color("text2"))
        self._second_line(painter, second, _facts(item, index.data(TrashRole.MIXED)))

        painter.fillRect(
            QRect(left, rect.bottom(), rect.right() + 1 - left, 1), theme.color("line")
        )
        if option.state & _SF.State_HasFocus and option.state & _SF.State_KeyboardFocusChange:
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.drawRect(QRectF(rect).adjusted(1, 1, -1, -2))
        painter.restore()

    def _second_line(self, painter: QPainter, rect: QRectF, facts: list[tuple[str, Role]]) -> None:
        """All facts while there is room; id and folder are cut in the middle, the others never."""
        fonts = self._theme.fonts
        dot = f"  {fmt.DOT}  "
        gap = fonts.metrics("small").horizontalAdvance(dot)
        widths = [fonts.metrics(role).horizontalAdvance(text) for text, role in facts]
        lack = sum(widths) + gap * (len(facts) - 1) - rect.width()
        for number in (1, 0):
            if lack > 0 and number < len(facts) and facts[number][1] == "mono_small":
                given = min(lack, widths[number] * 2 / 3)
                widths[number] -= given
                lack -= given
        x = rect.left()
        for number, (text, role) in enumerate(facts):
            place = QRectF(x, rect.top(), rect.right() - x, rect.height())
            if number:
                painter.setFont(fonts.font("small"))
                painter.drawText(place, _LEFT, dot)
                place.setLeft(x + gap)
            width = min(widths[number] + 1, place.width())
            painter.setFont(fonts.font(role))
            cut = fonts.metrics(role).elidedText(text, Qt.TextElideMode.ElideMiddle, width)
            painter.drawText(place, _LEFT, cut)
            x = place.left() + widths[number]
