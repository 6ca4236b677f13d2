# SPDX-License-Identifier: Apache-2.0
"""Where an operator types to a chat whose worker waits (look.md, "Chat input")."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QWidget

from tenuto.sources.base import SessionSummary
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.runs.pieces import Ground, button
from tenuto_gui.runs.worker import RunController
from tenuto_gui.theme import Theme

_MOST_LINES = 6


class PromptField(QPlainTextEdit):
    """One to six lines; Enter sends, Shift+Enter begins a line."""

    sent = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("chatInput")
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setPlaceholderText(translate("Runs", "Follow up\u2026"))
        self.setAccessibleName(translate("Runs", "Follow up"))
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(theme.fonts.px(4))
        self.textChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        # The document's height is in lines for a plain text edit.
        lines = min(max(int(self.document().size().height()), 1), _MOST_LINES)
        line = self.fontMetrics().lineSpacing()
        return QSize(self._theme.fonts.px(320), lines * line + 2 * self._theme.fonts.px(4))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not enter or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            super().keyPressEvent(event)
            return
        text = self.toPlainText().strip()
        if text:
            self.sent.emit(text)


class ChatInput(Ground):
    """There while a worker of this window keeps a chat open for the session that is shown."""

    #: run id, what was typed
    prompted = Signal(str, str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context.theme, "window", parent)
        self._summary: SessionSummary | None = None
        self._controller: RunController | None = None
        self.top_line = ("line", 1)
        px = context.theme.fonts.px
        row = QHBoxLayout(self)
        row.setContentsMargins(px(18), px(10), px(14), px(10))
        self.field = PromptField(context.theme, self)
        self.field.sent.connect(self._on_sent)
        row.addWidget(self.field)
        # For whoever has no hand at the keyboard: pasted or dictated words are sent by it.
        self.send_button = button(context.theme, translate("Runs", "Send"), "chatSend", "prompt")
        self.send_button.clicked.connect(self._on_send)
        row.addSpacing(px(8))
        row.addWidget(self.send_button, 0, Qt.AlignmentFlag.AlignBottom)
        self.field.textChanged.connect(self._refresh_send)
        self.hide()

    def attach(self, controller: RunController) -> None:
        """Follow this controller's workers and send them what is typed."""
        self._controller = controller
        controller.run_event.connect(self._on_event)
        controller.finished.connect(self._on_event)
        self.prompted.connect(controller.prompt)

    def set_session(self, summary: SessionSummary | None) -> None:
        """Follow the session that is shown; what was typed for another one is left behind."""
        if summary is None or self._summary is None or summary.id != self._summary.id:
            self.field.clear()
        self._summary = summary
        self._refresh()

    @Slot(str, object)
    def _on_event(self, run_id: str, _event: object) -> None:
        if self._summary is not None and self._summary.id == run_id:
            self._refresh()

    def _on_send(self) -> None:
        if text := self.field.toPlainText().strip():
            self._on_sent(text)

    def _refresh_send(self) -> None:
        typed = bool(self.field.toPlainText().strip())
        self.send_button.setEnabled(self.field.isEnabled() and typed)
        self.send_button.setToolTip("" if typed else translate("say", "Type a message first"))

    def _on_sent(self, text: str) -> None:
        if self._summary is not None:
            self.prompted.emit(self._summary.id, text)
            self.field.clear()
            self._refresh()

    def _refresh(self) -> None:
        summary = self._summary
        run = None
        if summary is not None and self._controller is not None:
            run = self._controller.run(summary.id)
        shown = summary is not None and summary.interactive and run is not None
        self.setVisible(shown)
        ready = run is not None and run.ready
        self.field.setEnabled(ready)
        reason = "" if ready else translate("Runs", "The model works; wait for its words")
        self.field.setToolTip(reason)
        self.field.setAccessibleDescription(reason)
        self._refresh_send()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        enabled = self.field.isEnabled()
        focused = self.field.hasFocus()
        token = "focus" if focused else "edge" if enabled else "line"
        painter.setPen(QPen(self._theme.color(token), 2 if focused else 1))
        painter.setBrush(self._theme.color("base" if enabled else "window"))
        frame = QRectF(self.field.geometry()).adjusted(-4.5, -2.5, 4.5, 2.5)
        painter.drawRoundedRect(frame, 5, 5)
        painter.end()
