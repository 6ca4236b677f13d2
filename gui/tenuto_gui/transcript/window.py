# SPDX-License-Identifier: Apache-2.0
"""A window of its own for an output too long for the transcript."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextCursor, QTextOption
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from tenuto.text import one_line
from tenuto_gui import format as figures
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.plain import plain_label
from tenuto_gui.render.text import line_count, shown
from tenuto_gui.transcript import words

#: Characters put into the editor at a time, so that the window answers meanwhile.
_STEP = 200_000
#: An editor needs some 16 bytes a character (engineering.md, part 2 a): more is not shown.
_MAX_CHARS = 8_000_000


class OutputWindow(QWidget):
    """Read-only plain text, filled piece by piece."""

    def __init__(
        self, context: AppContext, heading: str, source: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("outputWindow")
        self.setWindowTitle(one_line(heading, 120))
        self.resize(context.theme.fonts.px(900), context.theme.fonts.px(640))
        self._context = context
        self._rest = source[:_MAX_CHARS]
        self.editor = QPlainTextEdit(self)
        self.editor.setReadOnly(True)
        self.editor.setUndoRedoEnabled(False)
        self.editor.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.editor.setAccessibleName(translate("Transcript", "Output"))
        self._about = plain_label("", self)
        self._about.setContentsMargins(8, 4, 8, 4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._about)
        layout.addWidget(self.editor)
        self._say(source)
        self._on_theme()
        context.theme.changed.connect(self._on_theme)
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._fill)
        self._fill()
        if self._rest:
            self._timer.start()

    def _say(self, source: str) -> None:
        text = words.lines(line_count(source))
        if len(source) > _MAX_CHARS:
            cut = translate("Transcript", "the first {shown} of {all} characters are shown")
            text += f"; {cut}".format(
                shown=figures.exact(_MAX_CHARS), all=figures.exact(len(source))
            )
        self._about.setText(text)

    def _on_theme(self) -> None:
        self.editor.setFont(self._context.theme.fonts.font("mono_small"))
        self._about.setFont(self._context.theme.fonts.font("small"))

    def _fill(self) -> None:
        piece, self._rest = self._rest[:_STEP], self._rest[_STEP:]
        if self._rest:
            # Cut at a line's end, so that breaking long lines sees whole ones.
            end = piece.rfind("\n") + 1
            if end:
                self._rest = piece[end:] + self._rest
                piece = piece[:end]
        cursor = QTextCursor(self.editor.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        text = shown(piece)
        cursor.insertText(text + "\n" if self._rest and piece.endswith("\n") else text)
        if not self._rest:
            self._timer_stop()

    def _timer_stop(self) -> None:
        timer = getattr(self, "_timer", None)
        if timer is not None:
            timer.stop()

    @property
    def about(self) -> QLabel:
        """The line above the text."""
        return self._about
