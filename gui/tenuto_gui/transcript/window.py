# SPDX-License-Identifier: Apache-2.0
"""A window of its own for an output too long for the transcript: read, find, copy, save."""

from __future__ import annotations

import os
from bisect import bisect_right

from PySide6.QtCore import QFileDevice, QIODevice, QPoint, QSaveFile, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tenuto.sentences import others_words
from tenuto.text import one_line, visible
from tenuto_gui import format as figures
from tenuto_gui import icons
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import words as core_words
from tenuto_gui.i18n import translate
from tenuto_gui.jobs import Jobs
from tenuto_gui.plain import ink, plain_label, plain_tip
from tenuto_gui.render.text import for_clipboard, from_units, line_count, shown, source_offset
from tenuto_gui.transcript import words
from tenuto_gui.transcript.find_bar import FindBar
from tenuto_gui.transcript.text_finder import TextFinder

#: Characters and lines put into the editor at a time, so that the window answers meanwhile.
_STEP, _STEP_LINES = 200_000, 10_000
#: An editor needs some 16 bytes a character (engineering.md, part 2 a), and ten times as much for
#: a line: more is not shown.
_MAX_CHARS, _MAX_LINES = 8_000_000, 500_000


class OutputEditor(QPlainTextEdit):
    """Read-only. What is copied from it is not its own text, but what was written."""

    copy_wanted = Signal()
    menu_wanted = Signal(QPoint)
    resized = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("outputText")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAnywhere)
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self.document().setDefaultTextOption(option)
        self.setAccessibleName(translate("Transcript", "Output"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


class OutputWindow(QWidget):
    """Plain text, filled piece by piece. The source is kept: it is what is copied and saved."""

    def __init__(
        self, context: AppContext, heading: str, source: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("outputWindow")
        self.setWindowTitle(one_line(heading, 120))
        px = context.theme.fonts.px
        self.resize(px(900), px(640))
        self._context = context
        self._source = source
        self._shown = min(len(source), _MAX_CHARS)
        #: As it is shown, in pieces; where each begins, in Qt's units and in the source.
        self._texts: list[str] = []
        self._begins: list[tuple[int, int]] = []
        #: Characters of the source that are in the editor, and lines.
        self._filled = self._lines = 0
        self._jobs = Jobs(self, workers=1)
        self.editor = OutputEditor(self)
        self.finder = TextFinder(self.editor, self._texts, context.theme)
        self.find_bar = FindBar(
            context,
            self,
            asks=translate("Transcript", "Find in output"),
            nothing=translate("Transcript", "Not in this output"),
        )
        self.about: QLabel = plain_label("", self)
        self.about.setObjectName("outputAbout")
        tr = translate
        self._buttons = (
            self._button("outputFind", tr("Transcript", "Find"), "search", "Ctrl+F"),
            self._button("outputCopy", tr("Transcript", "Copy all"), "copy", ""),
            self._button("outputSave", tr("Transcript", "Save\u2026"), "export", "Ctrl+S"),
        )
        self._lay_out()
        self._connect()
        self.about.setText(self._counts())
        self._on_theme()
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._fill)
        self._fill()
        self.editor.moveCursor(QTextCursor.MoveOperation.Start)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _button(self, name: str, text: str, icon: str, keys: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setText(text)
        button.setProperty("icon_name", icon)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        shown_keys = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
        button.setToolTip(plain_tip(f"{text} ({shown_keys})" if keys else text))
        return button

    def _lay_out(self) -> None:
        px = self._context.theme.fonts.px
        head = QHBoxLayout()
        head.setContentsMargins(px(12), px(4), px(8), px(4))
        head.setSpacing(px(4))
        head.addWidget(self.about, 1)
        for button in self._buttons:
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.find_bar)
        # A line that parts what is above from the text, which begins where the words above do.
        column.addSpacing(1)
        self.editor.document().setDocumentMargin(px(12))
        column.addWidget(self.editor, 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        # The find bar has one of its own.
        line = self._context.theme.color("base" if self.find_bar.isVisible() else "line")
        painter.fillRect(0, self.editor.y() - 1, self.width(), 1, line)
        painter.end()

    def _connect(self) -> None:
        for button, deed in zip(
            self._buttons, (self.open_find, self.copy_all, self.save), strict=True
        ):
            button.clicked.connect(deed)
        for keys, act in (
            (QKeySequence.StandardKey.Find, self.open_find),
            (QKeySequence.StandardKey.FindNext, lambda: self.finder.step(1)),
            (QKeySequence.StandardKey.FindPrevious, lambda: self.finder.step(-1)),
            (QKeySequence.StandardKey.Save, self.save),
            (QKeySequence.StandardKey.Close, self.close),
            ("Esc", self._leave),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(act)
        self.find_bar.text_changed.connect(self.finder.set_text)
        self.find_bar.stepped.connect(self.finder.step)
        self.find_bar.closed.connect(self._leave)
        self.finder.changed.connect(self._on_found)
        self.editor.copy_wanted.connect(self.copy)
        self.editor.menu_wanted.connect(self._open_menu)
        self.editor.resized.connect(self.finder.paint)
        self._context.theme.changed.connect(self._on_theme)

    def _counts(self) -> str:
        text = words.lines(line_count(self._source))
        if self._shown < len(self._source):
            cut = translate("Transcript", "the first {shown} of {all} characters are shown")
            text += f"; {cut}".format(
                shown=figures.exact(self._shown), all=figures.exact(len(self._source))
            )
        return text

    def _on_theme(self) -> None:
        theme = self._context.theme
        size = theme.fonts.px(16)
        self.editor.setFont(theme.fonts.font("mono_small"))
        self.about.setFont(theme.fonts.font("small"))
        ink(self.about, theme.color("text2"))
        for button in self._buttons:
            button.setIcon(icons.icon(theme, str(button.property("icon_name")), "text", size))
            button.setIconSize(QSize(size, size))

    # --- filling ---------------------------------------------------------------------------------

    def _fill(self) -> None:
        begin = self._filled
        end = min(begin + _STEP, self._shown)
        if end < self._shown:
            # Cut at a line's end, so that breaking long lines sees whole ones.
            end = self._source.rfind("\n", begin, end) + 1 or end
        piece = self._source[begin:end]
        *lines, rest = piece.split("\n", _STEP_LINES)
        if len(lines) == _STEP_LINES:
            end -= len(rest)
            piece = self._source[begin:end]
        self._lines += len(lines)
        if self._lines >= _MAX_LINES and end < self._shown:
            self._shown = end
            self.about.setText(self._counts())
        last = end >= self._shown
        # Line ends at its end stay, but for those at the very end.
        text = shown(piece, columns=True) if last else shown(piece + "x", columns=True)[:-1]
        cursor = QTextCursor(self.editor.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        self._begins.append((cursor.position(), begin))
        self._texts.append(text)
        cursor.insertText(text)
        self._filled = end
        if last:
            self._timer.stop()
            self.finder.filled = True
        elif not self._timer.isActive():
            self._timer.start()

    # --- finding ---------------------------------------------------------------------------------

    def open_find(self) -> None:
        """Show the field to look for words in."""
        self.find_bar.show()
        self.find_bar.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_bar.field.selectAll()
        self.finder.set_text(self.find_bar.field.text())

    def _on_found(self) -> None:
        finder = self.finder
        self.find_bar.say(finder.rank, finder.total, finder.complete)

    def _leave(self) -> None:
        """Look for nothing any more; where nothing was looked for, leave the window."""
        if self.find_bar.isHidden():
            self.close()
            return
        self.find_bar.hide()
        self.finder.set_text("")
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- copying ---------------------------------------------------------------------------------

    def copy(self) -> None:
        """Copy what is selected, as it was written."""
        cursor = self.editor.textCursor()
        if cursor.hasSelection():
            begin = self._source_place(cursor.selectionStart())
            QGuiApplication.clipboard().setText(
                for_clipboard(self._source[begin : self._source_place(cursor.selectionEnd())])
            )

    def copy_all(self) -> None:
        """Copy the whole output, shown or not."""
        QGuiApplication.clipboard().setText(for_clipboard(self._source))
        self.about.setText(f"{self._counts()}  \u00b7  {translate('Transcript', 'Copied')}")

    def _source_place(self, place: int) -> int:
        """The offset of the source for one of the editor's."""
        rank = max(bisect_right(self._begins, (place, len(self._source))) - 1, 0)
        start, begin = self._begins[rank]
        end = self._begins[rank + 1][1] if rank + 1 < len(self._begins) else self._filled
        inner = from_units(self._texts[rank], place - start)
        return begin + source_offset(self._source[begin:end], inner, columns=True)

    def make_menu(self) -> QMenu:
        """What can be done with the text."""
        menu = QMenu(self)
        icon = icons.icon(self._context.theme, "copy")
        copy = menu.addAction(translate("Transcript", "Copy"), self.copy)
        copy.setIcon(icon)
        copy.setEnabled(self.editor.textCursor().hasSelection())
        menu.addAction(translate("Transcript", "Copy all"), self.copy_all)
        menu.addAction(translate("Transcript", "Select all"), self.editor.selectAll)
        return menu

    def _open_menu(self, place: QPoint) -> None:
        menu = self.make_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    # --- saving ----------------------------------------------------------------------------------

    def save(self) -> None:
        """Ask where to, then write the whole output there."""
        dialog = QFileDialog(self, translate("Transcript", "Save output"))
        dialog.setObjectName("outputFile")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDirectory(os.path.expanduser("~"))
        dialog.setNameFilters([translate("Transcript", "Text (*.txt)")])
        dialog.setDefaultSuffix("txt")
        dialog.selectFile("output.txt")
        dialog.fileSelected.connect(self.write)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def write(self, path: str) -> None:
        """Write the output, for its owner alone. The dialog has asked before it gave an old one."""
        data = self._source.encode("utf-8", "replace")
        self._jobs.run(
            lambda: _write(path, data),
            lambda problem: self._saved(path, problem),
        )

    def _saved(self, path: str, problem: str) -> None:
        if not problem:
            text = translate("Transcript", "Saved to {path}")
            self._said(text.format(path=visible(figures.home_path(path))))
            return
        self._said(
            translate("Transcript", "Not saved: {why}").format(
                why=visible(core_words(others_words(problem)))
            )
        )
        ink(self.about, self._context.theme.color("fail"))

    def _said(self, text: str) -> None:
        ink(self.about, self._context.theme.color("text2"))
        self.about.setText(f"{self._counts()}  \u00b7  {text}")
        self.about.setToolTip(plain_tip(text))

    def closeEvent(self, event: QCloseEvent) -> None:
        self._jobs.stop()
        super().closeEvent(event)


def _write(path: str, data: bytes) -> str:
    """Write a file whole or not at all, for its owner alone; what was wrong, "" for nothing."""
    file = QSaveFile(path)
    owner = QFileDevice.Permission.ReadOwner | QFileDevice.Permission.WriteOwner
    if file.open(QIODevice.OpenModeFlag.WriteOnly) and file.setPermissions(owner):
        file.write(data)
        if file.commit():
            return ""
    return file.errorString()
