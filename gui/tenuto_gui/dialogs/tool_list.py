# SPDX-License-Identifier: Apache-2.0
"""The tools that a run will have, one a line, those that ask first marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from tenuto_gui import icons
from tenuto_gui.config_check import Tool
from tenuto_gui.i18n import enumerated, translate
from tenuto_gui.plain import plain_tip
from tenuto_gui.theme import Theme

_TOOL = Qt.ItemDataRole.UserRole
_CENTRE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
#: Names get this share of the width.
_NAMES = 0.34


class _Row(QStyledItemDelegate):
    """Name in mono, what it is, and whether it asks."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        fonts = self._theme.fonts
        return QSize(fonts.px(240), fonts.line_height("body") + fonts.px(8))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        tool: Tool = index.data(_TOOL)
        theme, fonts, px = self._theme, self._theme.fonts, self._theme.fonts.px
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("sel"))
        left, right = rect.left() + px(10), rect.right() - px(10)
        names = left + round(rect.width() * _NAMES)
        if tool.asks:
            right = self._mark(painter, rect, right)
        painter.setFont(fonts.font("mono_small_demi"))
        painter.setPen(theme.color("text"))
        room = QRect(left, rect.top(), names - left - px(8), rect.height())
        metrics = fonts.metrics("mono_small_demi")
        name = metrics.elidedText(tool.name, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _CENTRE, name)
        painter.setFont(fonts.font("small"))
        painter.setPen(theme.color("text2"))
        room = QRect(names, rect.top(), right - names - px(8), rect.height())
        metrics = fonts.metrics("small")
        text = metrics.elidedText(tool.description, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _CENTRE, text)
        painter.restore()

    def _mark(self, painter: QPainter, rect: QRect, right: int) -> int:
        """Draw that it asks at the right; where that begins."""
        theme, fonts, px = self._theme, self._theme.fonts, self._theme.fonts.px
        words = translate("NewRun", "asks first")
        width = round(fonts.metrics("small_demi").horizontalAdvance(words)) + 1
        size = px(16)
        left = right - width - size - px(4)
        ratio = painter.device().devicePixelRatio()
        mark = icons.pixmap(theme, "question", "wait", size, ratio)
        painter.drawPixmap(left, rect.top() + (rect.height() - size) // 2, mark)
        painter.setFont(fonts.font("small_demi"))
        painter.setPen(theme.color("wait"))
        place = QRect(left + size + px(4), rect.top(), width, rect.height())
        painter.drawText(place, _CENTRE, words)
        return left


class ToolList(QListWidget):
    """Nothing in it can be changed; keys and screen readers go through it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("newRunTools")
        self.setAccessibleName(translate("NewRun", "Tools of the run"))
        self.setItemDelegate(_Row(theme, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.viewport().update)

    def set_tools(self, tools: Sequence[Tool]) -> None:
        """Those that ask first stand first."""
        self.clear()
        for tool in sorted(tools, key=lambda tool: not tool.asks):
            asks = translate("NewRun", "asks first")
            spoken = [tool.name, asks if tool.asks else "", tool.description]
            item = QListWidgetItem(enumerated(part for part in spoken if part))
            item.setData(_TOOL, tool)
            item.setToolTip(plain_tip(f"{tool.name}\n{tool.description}".strip()))
            self.addItem(item)
