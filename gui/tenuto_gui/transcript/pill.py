# SPDX-License-Identifier: Apache-2.0
"""The pill at the bottom right that catches up with a run (look.md, "Follow pill")."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from tenuto_gui import format as figures
from tenuto_gui import icons
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate


class FollowPill(QAbstractButton):
    """Says how many blocks are new below; a click goes there."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.setObjectName("followPill")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        # Keys have End for this; the transcript keeps the focus.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def show_count(self, count: int, visible: bool) -> None:
        """Show or hide; ``count`` is what came since follow mode let go."""
        if count:
            text = translate("Transcript", "{count} new").format(count=figures.exact(count))
        else:
            text = translate("Transcript", "Follow")
        self.setText(text)
        self.setAccessibleName(text)
        self.resize(self.sizeHint())
        self.setVisible(visible)

    def sizeHint(self) -> QSize:
        fonts = self._context.theme.fonts
        width = round(fonts.metrics("medium").horizontalAdvance(self.text()))
        height = max(fonts.px(26), fonts.line_height("medium") + fonts.px(8))
        return QSize(width + fonts.px(16) + fonts.px(30), height)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._context.theme
        fonts = theme.fonts
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        radius = self.height() / 2
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        size = fonts.px(16)
        icon = icons.pixmap(theme, "to-end", "on_accent", size, self.devicePixelRatioF())
        painter.drawPixmap(fonts.px(10), (self.height() - size) // 2, icon)
        painter.setFont(fonts.font("medium"))
        painter.setPen(theme.color("on_accent"))
        place = self.rect().adjusted(fonts.px(10) + size + fonts.px(4), 0, 0, 0)
        painter.drawText(
            place, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text()
        )
        painter.end()
