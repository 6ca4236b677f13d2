# SPDX-License-Identifier: Apache-2.0
"""Choosing one session of the list, by typing."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from tenuto.sources.base import SessionSummary
from tenuto_gui.sessions.list_view import SessionList
from tenuto_gui.sessions.model import SessionModel
from tenuto_gui.style import PRIMARY
from tenuto_gui.theme import Theme
from tenuto_gui.toolbar import FilterEdit


class ChooseSession(QDialog):
    """The list once more, with a field above it. ``chosen`` carries the id."""

    chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        title: str,
        summaries: list[SessionSummary],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("chooseSession")
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        px = theme.fonts.px
        self.sessions = SessionModel(self)
        self.sessions.set_sessions(summaries)
        self.edit = FilterEdit(theme, self)
        self.edit.setObjectName("chooseFilter")
        self.edit.textChanged.connect(self._on_text)
        self.edit.left.connect(self._to_list)
        frame = QFrame(self)
        frame.setFrameShape(QFrame.Shape.StyledPanel)
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(1, 1, 1, 1)
        self.list = SessionList(self.sessions, theme, frame)
        self.list.setObjectName("chooseList")
        self.list.setSelectionMode(SessionList.SelectionMode.SingleSelection)
        self.list.opened.connect(self._on_opened)
        self.list.typed.connect(self._on_typed)
        self.list.current_changed.connect(self._on_current)
        inside.addWidget(self.list)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.done_button = QPushButton(self.tr("Compare"), self)
        self.done_button.setObjectName("chooseDone")
        self.done_button.setProperty(PRIMARY, True)
        self.done_button.setDefault(True)
        self.done_button.setEnabled(False)
        buttons.addButton(self.done_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self._on_done)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(16), px(16), px(12))
        column.setSpacing(px(8))
        column.addWidget(self.edit)
        column.addWidget(frame, 1)
        column.addWidget(buttons)
        self.resize(px(520), px(520))
        self.edit.setFocus()

    def _on_text(self, text: str) -> None:
        self.sessions.set_filter(text=text)
        words = self.tr("Nothing found for \u201c{text}\u201d").format(text=text.strip())
        self.list.empty_title = "" if self.sessions.passing_count else words
        if self.sessions.passing_count == 1:
            # There is nothing to choose from: the button means this one.
            self.list.select_first()

    def _to_list(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.list.currentIndex().isValid():
            self.list.select_first()

    def _on_typed(self, text: str) -> None:
        if text.isprintable() and not text.isspace():
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            self.edit.insert(text)

    def _on_current(self, session_id: str) -> None:
        self.done_button.setEnabled(bool(session_id))

    def _on_opened(self, session_id: str) -> None:
        self.chosen.emit(session_id)
        self.close()

    def _on_done(self) -> None:
        if session_id := self.list.current_id():
            self._on_opened(session_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return
        super().keyPressEvent(event)
