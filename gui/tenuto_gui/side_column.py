# SPDX-License-Identifier: Apache-2.0
"""The left side: filters, and the trash at the foot of them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from tenuto_gui import format as fmt
from tenuto_gui import icons
from tenuto_gui.plain import outline_chosen, shows_focus
from tenuto_gui.sessions.filters import FilterColumn
from tenuto_gui.theme import Theme

_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class TrashRow(QAbstractButton):
    """``Trash 3``: a row like those of the filters."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trashRow")
        self.setText(self.tr("Trash"))
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self.count = 0
        self.set_count(0)
        theme.changed.connect(self.updateGeometry)

    def set_count(self, count: int) -> None:
        """Sessions in the trash."""
        self.count = count
        self.setAccessibleName(f"{self.text()}, {fmt.exact(count)}")
        self.update()

    def sizeHint(self) -> QSize:
        fonts = self._theme.fonts
        row = max(fonts.px(26), fonts.line_height("body") + fonts.px(6))
        return QSize(fonts.px(100), row + fonts.px(10))

    def nextCheckState(self) -> None:
        """The window says whether the trash is shown."""

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, fonts, px = self._theme, self._theme.fonts, self._theme.fonts.px
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("side"))
        painter.fillRect(0, 0, self.width(), 1, theme.color("line"))
        row = QRectF(self.rect()).adjusted(px(8), px(5), -px(8), -px(5))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.isChecked() or self.underMouse():
            painter.setBrush(theme.color("sel_off" if self.isChecked() else "hover"))
            painter.drawRoundedRect(row, 5, 5)
        if self.isChecked():
            outline_chosen(painter, theme, row, 5)
        if shows_focus(self):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.drawRoundedRect(row.adjusted(1, 1, -1, -1), 5, 5)
        size = px(16)
        x = row.left() + px(8)
        picture = icons.pixmap(theme, "trash", "text", size, self.devicePixelRatioF())
        painter.drawPixmap(round(x), round(row.center().y() - size / 2), picture)
        x += size + px(8)
        painter.setPen(theme.color("text"))
        painter.setFont(fonts.font("medium" if self.isChecked() else "body"))
        painter.drawText(QRectF(x, row.top(), row.right() - x, row.height()), _LEFT, self.text())
        painter.setPen(theme.color("text" if self.isChecked() else "text2"))
        painter.setFont(fonts.font("small"))
        painter.drawText(row.adjusted(0, 0, -px(8), 0), _RIGHT, fmt.exact(self.count))
        painter.end()


class SideColumn(QWidget):
    """Filters above, trash below. `trash_clicked` asks for the trash."""

    trash_clicked = Signal()

    def __init__(self, filters: FilterColumn, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.filters = filters
        self.trash = TrashRow(theme, self)
        self.trash.clicked.connect(self.trash_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(filters, 1)
        column.addWidget(self.trash)
