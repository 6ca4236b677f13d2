# SPDX-License-Identifier: Apache-2.0
"""The line above a text in which an operator looks for words: field, count, steps."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from tenuto_gui import format as figures
from tenuto_gui import icons
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.plain import ink, plain_label, plain_tip


class FindField(QLineEdit):
    """Enter goes on, Shift+Enter goes back, Esc is done."""

    stepped = Signal(int)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(-1 if shift else 1)
        elif event.key() == Qt.Key.Key_Down:
            self.stepped.emit(1)
        elif event.key() == Qt.Key.Key_Up:
            self.stepped.emit(-1)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class FindBar(QWidget):
    """Shown while something is looked for."""

    #: Other words, a step (+1 or -1), the end of it.
    text_changed = Signal(str)
    stepped = Signal(int)
    closed = Signal()

    def __init__(
        self, context: AppContext, parent: QWidget, *, asks: str = "", nothing: str = ""
    ) -> None:
        """``asks``: what the field is for; ``nothing``: what is said where no hit is."""
        super().__init__(parent)
        self.setObjectName("findBar")
        asks = asks or translate("Transcript", "Find in transcript")
        self._nothing = nothing or translate("Transcript", "Not in this transcript")
        self._theme = context.theme
        px = context.theme.fonts.px
        row = QHBoxLayout(self)
        row.setContentsMargins(px(16), px(5), px(8), px(6))
        row.setSpacing(px(4))
        self.field = FindField(self)
        self.field.setObjectName("findField")
        self.field.setPlaceholderText(asks)
        self.field.setAccessibleName(asks)
        self.field.setMaximumWidth(px(420))
        self._glass = self.field.addAction(
            icons.icon(self._theme, "search", "text2"), QLineEdit.ActionPosition.LeadingPosition
        )
        self.count: QLabel = plain_label("", self)
        self.count.setObjectName("findCount")
        self.previous = self._button("findPrevious", "chevron-up")
        self.previous.setToolTip(plain_tip(translate("Transcript", "Previous (Shift+Enter)")))
        self.previous.setAccessibleName(translate("Transcript", "Previous hit"))
        self.next = self._button("findNext", "chevron-down")
        self.next.setToolTip(plain_tip(translate("Transcript", "Next (Enter)")))
        self.next.setAccessibleName(translate("Transcript", "Next hit"))
        self.close_button = self._button("findClose", "cross")
        self.close_button.setToolTip(plain_tip(translate("Transcript", "Close (Esc)")))
        self.close_button.setAccessibleName(translate("Transcript", "Close"))
        row.addWidget(self.field, 1)
        row.addWidget(self.previous)
        row.addWidget(self.next)
        row.addSpacing(px(6))
        row.addWidget(self.count)
        row.addStretch(1)
        row.addWidget(self.close_button)
        self.field.textChanged.connect(self.text_changed)
        self.field.stepped.connect(self.stepped)
        self.field.left.connect(self.closed)
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        self.close_button.clicked.connect(self.closed)
        context.theme.changed.connect(self._on_theme)
        self._on_theme()
        self.hide()

    def _button(self, name: str, icon: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setProperty("icon_name", icon)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _on_theme(self) -> None:
        fonts = self._theme.fonts
        size = fonts.px(16)
        for button in self.findChildren(QToolButton):
            name = button.property("icon_name")
            if name:
                button.setIcon(icons.icon(self._theme, str(name), "text", size))
                button.setIconSize(QSize(size, size))
        self._glass.setIcon(icons.icon(self._theme, "search", "text2", size))
        self.count.setFont(fonts.font("small"))
        ink(self.count, self._theme.color("text2"))
        self.field.setFixedHeight(max(fonts.px(28), self.field.fontMetrics().height() + 10))
        self.update()

    def say(self, rank: int, total: int, complete: bool) -> None:
        """Show "3 of 41", with an ellipsis while the search goes on."""
        if not self.field.text().strip():
            text = ""
        elif total:
            text = translate("Transcript", "{rank} of {total}").format(
                rank=figures.exact(rank), total=figures.exact(total)
            )
            text += "" if complete else "\u2026"
        elif complete:
            text = self._nothing
        else:
            text = translate("Transcript", "Searching\u2026")
        self.count.setText(text)
        for button in (self.previous, self.next):
            button.setEnabled(total > 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("window"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()
