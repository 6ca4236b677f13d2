# SPDX-License-Identifier: Apache-2.0
"""The chosen line of a journal: indented JSON, or broken bytes with the cut marked."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextBlock,
    QTextBlockFormat,
    QTextBlockUserData,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from tenuto_gui import format as figures
from tenuto_gui import icons
from tenuto_gui.courtesy import courtesy
from tenuto_gui.i18n import translate
from tenuto_gui.records import words
from tenuto_gui.records.page import Page, PageLine
from tenuto_gui.scroll_style import overlay
from tenuto_gui.theme import Theme

_tokens = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*"(?=: ))|(?P<str>"(?:[^"\\]|\\.)*("|\\?$))'
    r"|(?P<num>-?\d[\d.eE+-]*)|(?P<word>\b(?:true|false|null)\b)"
)
#: Lines that are laid out at once, and seconds until others have their turn.
_STEP_LINES = 8
_STEP_S = 0.006
#: In the middle of a string that is longer than a line.
_INSIDE = 1
_OUTSIDE = 0
_rest_of_string = re.compile(r'(?:[^"\\]|\\.)*("|\\?$)')
_INKS = {"key": "run", "str": "s_str", "num": "s_num", "word": "s_key"}


class _About(QTextBlockUserData):
    """What kind of line a text block is."""

    def __init__(self, line: PageLine, icon: str = "", token: str = "") -> None:
        super().__init__()
        self.line = line
        self.icon = icon
        self.token = token


class _Inks(QSyntaxHighlighter):
    """Colours of JSON; strings that go over several lines are followed."""

    def __init__(self, theme: Theme, document: QTextDocument) -> None:
        super().__init__(document)
        self._theme = theme

    def highlightBlock(self, text: str) -> None:
        about = self.currentBlockUserData()
        self.setCurrentBlockState(_OUTSIDE)
        if not isinstance(about, _About) or about.line.kind != "json":
            return
        at = 0
        if self.previousBlockState() == _INSIDE:
            match = _rest_of_string.match(text)
            at = match.end() if match else 0
            self.setFormat(0, at, self._theme.color("s_str"))
            if not text[:at].endswith('"'):
                self.setCurrentBlockState(_INSIDE)
        for match in _tokens.finditer(text, at):
            kind = match.lastgroup or "str"
            kind = next(name for name in _INKS if match[name] is not None)
            start, end = match.span()
            self.setFormat(start, end - start, self._theme.color(_INKS[kind]))
            if kind == "str" and (end - start == 1 or not match[0].endswith('"')):
                self.setCurrentBlockState(_INSIDE)


class _Gutter(QWidget):
    """Where a piece begins, in bytes of its line, and the sign of a note."""

    def __init__(self, pane: RecordText) -> None:
        super().__init__(pane)
        self._pane = pane

    def paintEvent(self, event: QPaintEvent) -> None:
        self._pane.paint_gutter(self, event)


class RecordText(QPlainTextEdit):
    """Plain text with a gutter; read-only, selectable by pointer and keys."""

    #: All of the page stands there.
    filled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._page: Page | None = None
        #: Lines of it that stand there, and all.
        self._laid = self._count = 0
        self._courtesy = courtesy()
        self._filling = QTimer(self)
        self._filling.setSingleShot(True)
        self._filling.setInterval(0)
        self._filling.timeout.connect(self._fill)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName(translate("Records", "The chosen record"))
        overlay(self.verticalScrollBar())
        self._inks = _Inks(theme, self.document())
        self._gutter = _Gutter(self)
        self.updateRequest.connect(self._on_update)
        theme.changed.connect(self._on_theme)
        self._on_theme()

    @property
    def complete(self) -> bool:
        """Whether all of the page stands there; a long one takes a while."""
        return self._laid == self._count

    def show_page(self, page: Page | None) -> None:
        """Show a line, or nothing. What is in sight at once, the rest in steps."""
        self._page = page
        self._laid = 0
        self._count = len(page.lines) if page is not None else 0
        self._filling.stop()
        self.clear()
        self._fill()
        # Written ahead of the cursor, which is where the reader begins.
        self.setTextCursor(QTextCursor(self.document()))
        self._place_gutter()

    def _fill(self) -> None:
        """Lay out lines for a few milliseconds; what is left has its turn after what waits."""
        end = time.perf_counter() + _STEP_S
        self._courtesy.begin()
        while self._page is not None and not self.complete:
            lines = self._page.lines[self._laid : self._laid + _STEP_LINES]
            self._append(lines)
            self._laid += len(lines)
            if time.perf_counter() >= end and not self.complete:
                self._filling.start()
                return
        self._gutter.update()
        if self._page is not None:
            self.filled.emit()

    def _append(self, lines: Sequence[PageLine]) -> None:
        texts = [self._worded(line) for line in lines]
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        plain = QTextCharFormat()
        if self._laid:
            # Not as the line above it is: that may be a broken one.
            cursor.insertBlock(QTextBlockFormat(), plain)
        block = cursor.block()
        cursor.insertText("\n".join(text for text, _ in texts), plain)
        for line, (_, about) in zip(lines, texts, strict=True):
            block.setUserData(about)
            if line.kind != "json":
                self._paint_block(cursor, block, line, about)
            self._inks.rehighlightBlock(block)
            block = block.next()

    def _worded(self, line: PageLine) -> tuple[str, _About]:
        if line.kind != "note" or self._page is None or line.piece is None:
            return line.text, _About(line)
        text, good = words.note(self._page.row, line.piece, line.column)
        return text, _About(line, "check" if good else "warn", "done" if good else "damg")

    def _paint_block(
        self, cursor: QTextCursor, block: QTextBlock, line: PageLine, about: _About
    ) -> None:
        cursor.setPosition(block.position())
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        ink = QTextCharFormat()
        if line.kind == "bad":
            ground = QTextBlockFormat()
            ground.setBackground(self._theme.color("damg_tint"))
            cursor.mergeBlockFormat(ground)
            ink.setForeground(self._theme.color("text"))
        else:
            ink.setForeground(self._theme.color(about.token))
        cursor.mergeCharFormat(ink)

    # --- gutter ----------------------------------------------------------------------------------

    def _gutter_width(self) -> int:
        return self._theme.fonts.px(56)

    def _place_gutter(self) -> None:
        width = self._gutter_width()
        self.setViewportMargins(width, 0, self._theme.fonts.px(8), 0)
        inner = self.contentsRect()
        self._gutter.setGeometry(QRect(inner.left(), inner.top(), width, inner.height()))
        self._gutter.update()

    def _on_update(self, _rect: QRect, _dy: int) -> None:
        self._gutter.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_gutter()

    def paint_gutter(self, gutter: QWidget, event: QPaintEvent) -> None:
        """Columns and signs beside the lines in sight."""
        theme, px = self._theme, self._theme.fonts.px
        painter = QPainter(gutter)
        painter.fillRect(event.rect(), theme.color("well"))
        painter.setFont(theme.fonts.font("small"))
        block = self.firstVisibleBlock()
        line = theme.fonts.line_height("mono_small")
        offset = self.contentOffset()
        while block.isValid():
            area = self.blockBoundingGeometry(block).translated(offset)
            if area.top() > gutter.height():
                break
            about = block.userData()
            if isinstance(about, _About):
                top = round(area.top())
                if about.icon:
                    size = px(14)
                    ratio = self.devicePixelRatioF()
                    pixmap = icons.pixmap(theme, about.icon, about.token, size, ratio)
                    x = gutter.width() - size - px(6)
                    painter.drawPixmap(x, top + (line - size) // 2, pixmap)
                elif about.line.column:
                    painter.setPen(theme.color("damg" if about.line.kind == "bad" else "text2"))
                    place = QRect(0, top, gutter.width() - px(10), line)
                    painter.drawText(
                        place,
                        int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter),
                        figures.exact(about.line.column),
                    )
            block = block.next()
        painter.end()

    def _on_theme(self) -> None:
        theme = self._theme
        self.setFont(theme.fonts.font("mono_small"))
        self.setPalette(theme.text_palette(self.palette(), "well"))
        # Formats hold colours: they are made anew.
        QTimer.singleShot(0, self, self._repeat)

    def _repeat(self) -> None:
        if self._page is not None:
            self.show_page(self._page)

    def sizeHint(self) -> QSize:
        px = self._theme.fonts.px
        return QSize(px(400), px(200))
