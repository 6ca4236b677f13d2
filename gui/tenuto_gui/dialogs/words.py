# SPDX-License-Identifier: Apache-2.0
"""A small window that asks for words: a title, a note. It waits beside the list, not before it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from tenuto_gui.plain import ink, plain_label
from tenuto_gui.style import PRIMARY
from tenuto_gui.theme import Theme


class WordsDialog(QDialog):
    """``given`` carries the words; nothing is emitted when it is closed otherwise."""

    given = Signal(str)

    def __init__(
        self,
        theme: Theme,
        title: str,
        text: str,
        *,
        hint: str,
        verb: str,
        long: bool = False,
        limit: int = 200,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("wordsDialog")
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        px = theme.fonts.px
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(16), px(16), px(12))
        column.setSpacing(px(8))
        self.field: QLineEdit | QPlainTextEdit
        if long:
            field = QPlainTextEdit(text, self)
            field.setTabChangesFocus(True)
            field.setMinimumSize(px(420), px(120))
            self.field = field
        else:
            line = QLineEdit(text, self)
            line.setMaxLength(limit)
            line.setMinimumWidth(px(420))
            line.selectAll()
            self.field = line
        self.field.setObjectName("wordsField")
        self.field.setAccessibleName(title)
        column.addWidget(self.field)
        said = plain_label(hint, self)
        said.setWordWrap(True)
        said.setFont(theme.fonts.font("small"))
        ink(said, theme.color("text2"))
        column.addWidget(said)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.done_button = QPushButton(verb, self)
        self.done_button.setObjectName("wordsDone")
        self.done_button.setProperty(PRIMARY, True)
        self.done_button.setDefault(not long)
        buttons.addButton(self.done_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self._on_done)
        buttons.rejected.connect(self.close)
        column.addWidget(buttons)

    def words(self) -> str:
        """What the field holds."""
        field = self.field
        return field.toPlainText() if isinstance(field, QPlainTextEdit) else field.text()

    def _on_done(self) -> None:
        self.given.emit(self.words())
        self.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter ends a long text, where Enter is a new line."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._on_done()
            return
        super().keyPressEvent(event)
