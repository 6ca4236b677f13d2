# SPDX-License-Identifier: Apache-2.0
"""The heading of a group in the list: its words, and how it is painted.

A heading is as high as a session's row: rows have one height.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from tenuto_gui import format as fmt
from tenuto_gui import icons
from tenuto_gui.i18n import enumerated, translate
from tenuto_gui.sessions.groups import Head, project_name
from tenuto_gui.sessions.row import LOOSE
from tenuto_gui.sessions.words import source_word, word
from tenuto_gui.theme import Theme

_SF = QStyle.StateFlag
_MARK_LEFT, _TEXT_LEFT, _TEXT_RIGHT = 12, 44, 14
#: States that a folded group must not hide.
_NAMED = ("waiting", "running")
_LINE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
_LEFT = int(_LINE | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)
_RIGHT = int(_LINE | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine)


def head_title(head: Head) -> str:
    """What a group is called: a project by the last part of its folder."""
    if not head.key.startswith(LOOSE):
        return project_name(source_word(head.key))
    source = head.key.removeprefix(LOOSE)
    if source == "fisk-ai":
        return translate("groups", "Runs")
    return translate("groups", "{source}, no project").format(source=source_word(source))


def head_path(head: Head) -> str:
    """The folder of a project, where the title is only a part of it."""
    own = head.key.startswith(LOOSE) or project_name(head.key) == head.key
    return "" if own else fmt.home_path(head.key)


def head_spoken(head: Head) -> str:
    """A heading for a screen reader."""
    count = translate("groups", "%n session(s)", None, len(head.rows))
    folded = translate("groups", "folded") if head.folded else translate("groups", "unfolded")
    return enumerated((head_title(head), count, *_states(head), folded))


def head_tip(head: Head) -> str:
    """All of what a heading may have cut."""
    count = translate("groups", "%n session(s)", None, len(head.rows))
    facts = f" {fmt.DOT} ".join((count, *_states(head)))
    return "\n".join(line for line in (head_title(head), head_path(head), facts) if line)


def _states(head: Head) -> list[str]:
    """``Waiting for you 2``: how many are in the states that matter from afar."""
    return [f"{word(state)} {head.states[state]}" for state in _NAMED if head.states[state]]


def paint_heading(
    painter: QPainter, option: QStyleOptionViewItem, head: Head, theme: Theme
) -> None:
    """Arrow, title and count; below them the folder, and what waits or runs."""
    fonts, px, rect = theme.fonts, theme.fonts.px, option.rect
    painter.save()
    hovered = option.state & _SF.State_MouseOver
    painter.fillRect(rect, theme.color("hover" if hovered else "window"))
    path = head_path(head)
    body, small = fonts.line_height("body"), fonts.line_height("small")
    two = path or any(head.states[state] for state in _NAMED)
    gap = px(2)
    top = rect.top() + (rect.height() - body - (small + gap if two else 0)) // 2
    left, right = rect.left() + px(_TEXT_LEFT), rect.right() + 1 - px(_TEXT_RIGHT)

    size = px(16)
    arrow = "chevron-right" if head.folded else "chevron-down"
    ratio = painter.device().devicePixelRatioF()
    picture = icons.pixmap(theme, arrow, "text2", size, ratio)
    painter.drawPixmap(rect.left() + px(_MARK_LEFT + 2), top + (body - size) // 2, picture)

    first = QRectF(left, top, right - left, body)
    count = fmt.exact(len(head.rows))
    painter.setFont(fonts.font("small"))
    painter.setPen(theme.color("text2"))
    painter.drawText(first, _RIGHT, count)
    first.setRight(first.right() - fonts.metrics("small").horizontalAdvance(count) - px(8))
    painter.setFont(fonts.font("demi"))
    painter.setPen(theme.color("text"))
    title = fonts.metrics("demi").elidedText(
        head_title(head), Qt.TextElideMode.ElideRight, first.width()
    )
    painter.drawText(first, _LEFT, title)
    if two:
        second = QRectF(left, top + body + gap, right - left, small)
        second.setRight(_paint_states(painter, second, head, theme))
        metrics = fonts.metrics("mono_small")
        painter.setFont(fonts.font("mono_small"))
        painter.setPen(theme.color("text2"))
        cut = metrics.elidedText(path, Qt.TextElideMode.ElideMiddle, second.width())
        painter.drawText(second, _LEFT, cut)
    _finish(painter, option, theme.color("line"), theme.color("focus"))
    painter.restore()


def _paint_states(painter: QPainter, rect: QRectF, head: Head, theme: Theme) -> float:
    """Marks with their counts at the right end; where the room left of them ends."""
    fonts, px = theme.fonts, theme.fonts.px
    size = min(px(14), int(rect.height()))
    ratio = painter.device().devicePixelRatioF()
    x = rect.right()
    painter.setFont(fonts.font("small"))
    painter.setPen(theme.color("text2"))
    for state in reversed(_NAMED):
        if not head.states[state]:
            continue
        count = fmt.exact(head.states[state])
        painter.drawText(QRectF(rect.left(), rect.top(), x - rect.left(), rect.height()),
                         _RIGHT, count)  # fmt: skip
        x -= fonts.metrics("small").horizontalAdvance(count) + px(4) + size
        mark = icons.mark(theme, state, size, ratio)
        painter.drawPixmap(round(x), round(rect.center().y() - size / 2), mark)
        x -= px(10)
    return x


def _finish(painter: QPainter, option: QStyleOptionViewItem, line: QColor, focus: QColor) -> None:
    rect = option.rect
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, line)
    if option.state & _SF.State_HasFocus and option.state & _SF.State_KeyboardFocusChange:
        painter.setPen(QPen(focus, 2))
        painter.drawRect(QRectF(rect).adjusted(1, 1, -1, -2))
