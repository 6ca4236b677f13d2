# SPDX-License-Identifier: Apache-2.0
"""The row of buttons below a view: on two lines where one has no room for their words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from tenuto_gui.runs.pieces import Ground
from tenuto_gui.theme import Theme


class ButtonFoot(Ground):
    """Buttons at the right end, least binding first, after a word at the left."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "window", parent)
        self.top_line = ("line", 1)
        px = theme.fonts.px
        self._buttons: list[QPushButton] = []
        self._upper, self._lower = QHBoxLayout(), QHBoxLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(6), px(12), px(6))
        column.setSpacing(0)
        for row in (self._upper, self._lower):
            row.setSpacing(px(8))
            column.addLayout(row)
        self._upper.addStretch(1)
        self._column = column

    def fill(self, hint: QWidget, buttons: Sequence[QPushButton]) -> None:
        """Put in the word and the buttons, in their order."""
        self._lower.addWidget(hint, 1)
        self._buttons = list(buttons)
        for button in self._buttons:
            self._lower.addWidget(button)

    def minimumSizeHint(self) -> QSize:
        """As wide as the wider of two lines; the height is that of the lines there are."""
        half = len(self._buttons) // 2
        widest = max(self._needed(self._buttons[:half]), self._needed(self._buttons[half:]))
        return QSize(widest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _needed(self, buttons: Sequence[QPushButton]) -> int:
        margins = self._column.contentsMargins()
        widths = sum(button.sizeHint().width() + self._lower.spacing() for button in buttons)
        return widths + margins.left() + margins.right()

    def _fold(self) -> None:
        """Move the first half of the buttons up, or back."""
        folded = self._upper.count() > 1
        fold = self._needed(self._buttons) > self.width()
        if fold == folded:
            return
        for place, button in enumerate(self._buttons[: len(self._buttons) // 2]):
            (self._upper if folded else self._lower).removeWidget(button)
            if fold:
                self._upper.addWidget(button)
            else:
                self._lower.insertWidget(1 + place, button)
        self._column.setSpacing(self._lower.spacing() if fold else 0)
        self.updateGeometry()
