# SPDX-License-Identifier: Apache-2.0
"""The words of a question that do not fit into one line of a header."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from tenuto_gui.i18n import translate
from tenuto_gui.render.text import shown
from tenuto_gui.theme import Theme

_MOST_LINES = 8
_MAX_CHARS = 20_000


class QuestionText(QPlainTextEdit):
    """Read-only; there only while there is something to read."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("questionText")
        self.setAccessibleName(translate("Runs", "The question"))
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.document().setDocumentMargin(theme.fonts.px(10))
        theme.changed.connect(self._on_theme)
        self._on_theme()
        self.hide()

    def _on_theme(self) -> None:
        self.setFont(self._theme.fonts.font("body"))

    def set_text(self, text: str) -> None:
        """Show other words; none hide it."""
        cut = text[:_MAX_CHARS] + ("\u2026" if len(text) > _MAX_CHARS else "")
        self.setPlainText(shown(cut))
        self.setVisible(bool(text))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        # The document's height is in lines for a plain text edit.
        lines = min(max(int(self.document().size().height()), 1), _MOST_LINES)
        margin = 2 * int(self.document().documentMargin())
        return QSize(self._theme.fonts.px(320), lines * self.fontMetrics().lineSpacing() + margin)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.fonts.px(160), self.fontMetrics().lineSpacing() * 2)
