# SPDX-License-Identifier: Apache-2.0
"""A line of an icon, words and a name in mono, whole in any width."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tenuto_gui.runs.pieces import MarkLabel, RoleLabel
from tenuto_gui.theme import Theme

#: A width in which everything is one line.
_WIDE = 16_000


class ReasonLine(QWidget):
    """The words wrap; the name goes below them where it has no room beside them."""

    def __init__(
        self, theme: Theme, icon: str, text: str, mono: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._mark = MarkLabel(theme, self)
        self._mark.set_icon(icon, "text2")
        self._words = RoleLabel(theme, "body", "text", self)
        self._words.setWordWrap(True)
        self._words.setText(text)
        self._name: RoleLabel | None = None
        if mono:
            self._name = RoleLabel(theme, "mono_small", "text", self)
            self._name.setText(mono)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        words, name = self._places(width)
        return max(words.bottom(), name.bottom()) + 1

    def sizeHint(self) -> QSize:
        width = self.width()
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._theme.fonts.line_height("body"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        words, name = self._places(self.width())
        icon = self._mark.sizeHint()
        line = self._words.heightForWidth(_WIDE)
        self._mark.setGeometry(QRect(0, (line - icon.height()) // 2, icon.width(), icon.height()))
        self._words.setGeometry(words)
        if self._name is not None:
            self._name.setGeometry(name)

    def _places(self, width: int) -> tuple[QRect, QRect]:
        """Where the words and the name go in a width: two rectangles, the second maybe empty."""
        fonts = self._theme.fonts
        left = self._mark.sizeHint().width() + fonts.px(6)
        room = max(1, width - left)
        line = self._words.heightForWidth(_WIDE)
        asked = -int(-fonts.metrics("body").horizontalAdvance(self._words.text()) // 1) + 1
        if self._name is None:
            return QRect(left, 0, room, self._words.heightForWidth(room)), QRect()
        beside = left + asked + fonts.px(6)
        hint = self._name.sizeHint()
        if beside + hint.width() <= width:
            return QRect(left, 0, asked, line), QRect(beside, 0, hint.width(), line)
        words = QRect(left, 0, room, self._words.heightForWidth(room))
        return words, QRect(left, words.bottom() + 1, room, hint.height())
