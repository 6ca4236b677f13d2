# SPDX-License-Identifier: Apache-2.0
"""Lines that scroll where they have no room, rather than lie over each other."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from tenuto_gui.scroll_style import overlay
from tenuto_gui.theme import Theme

_LEAST_LINES = 3


class Scrolled(QScrollArea):
    """As large as its content wants to be, and at least a heading and two lines high."""

    def __init__(self, theme: Theme, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        overlay(self.verticalScrollBar())
        self.setWidget(content)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Qt lets the content grow or shrink inside; here what is asked for does with it.
        if event.type() == QEvent.Type.LayoutRequest and watched is self.widget():
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        content = self.widget()
        if content is None:
            return super().sizeHint()
        hint = content.sizeHint()
        if content.hasHeightForWidth():
            # Lines that wrap: what they need is known for the width they have.
            hint.setHeight(content.heightForWidth(self.viewport().width()))
        return hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        fonts = self._theme.fonts
        least = _LEAST_LINES * (fonts.line_height("body") + fonts.px(4)) + fonts.px(16)
        return QSize(0, min(self.sizeHint().height(), least))
