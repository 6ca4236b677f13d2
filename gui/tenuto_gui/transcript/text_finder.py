# SPDX-License-Identifier: Apache-2.0
"""Looks for words in a long plain text that an editor shows, a few milliseconds at a time."""

from __future__ import annotations

import time
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from tenuto_gui.render.find import Needle
from tenuto_gui.render.text import units
from tenuto_gui.theme import Theme

#: Seconds of searching before the window gets a turn, and characters between two looks at the time.
_SLICE = 0.006
_STEP = 16_000
#: Hits that are painted: a screen of them, and then some.
_PAINTED = 2_000


class TextFinder(QObject):
    """One search at a time. ``texts`` is what the editor shows, in pieces, while it is filled."""

    #: The count or the current hit changed.
    changed = Signal()

    def __init__(self, editor: QPlainTextEdit, texts: Sequence[str], theme: Theme) -> None:
        super().__init__(editor)
        self._editor = editor
        self._texts = texts
        self._theme = theme
        #: No more pieces will come.
        self.filled = False
        self._needle = Needle("")
        #: Where hits begin and end, in Qt's units, ascending.
        self._starts = array("L")
        self._ends = array("L")
        self._now = -1
        self._origin = 0
        self._work: Iterator[None] | None = None
        self._done = False
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._search)
        editor.verticalScrollBar().valueChanged.connect(self.paint)
        theme.changed.connect(self.paint)

    # --- what is asked ---------------------------------------------------------------------------

    def set_text(self, text: str) -> None:
        """Look for other words, from the place that is read on."""
        self._needle = Needle(text)
        self._starts, self._ends = array("L"), array("L")
        self._now, self._done = -1, False
        self._origin = self._editor.firstVisibleBlock().position()
        self._work = self._all() if self._needle else None
        if self._work is not None:
            self._timer.start()
            self._search()
        else:
            self._timer.stop()
        self.paint()
        self.changed.emit()

    @property
    def total(self) -> int:
        """How many hits were found so far."""
        return len(self._starts)

    @property
    def rank(self) -> int:
        """Which of them is the current one, from 1; 0 for none."""
        return self._now + 1

    @property
    def complete(self) -> bool:
        """Whether all of the text was searched."""
        return self._done

    def step(self, direction: int) -> None:
        """To the next (+1) or the previous (-1) hit; from the last on to the first."""
        if self.total:
            begin = -1 if direction > 0 else 0
            self._go(((begin if self._now < 0 else self._now) + direction) % self.total)

    # --- searching -------------------------------------------------------------------------------

    def _search(self) -> None:
        if self._work is None:
            return
        end = time.monotonic() + _SLICE
        for _ in self._work:
            if time.monotonic() > end:
                break
        else:
            self._work, self._done = None, True
            self._timer.stop()
            if self._now < 0 and self.total:
                self._go(0)
        self.paint()
        self.changed.emit()

    def _all(self) -> Iterator[None]:
        #: Where the step begins in Qt's units; what of it belongs to a hit that began before it.
        base = rank = taken = 0
        while rank < len(self._texts) or not self.filled:
            if rank >= len(self._texts) - (not self.filled):
                # The last piece waits for its neighbour: a hit may run on into it.
                yield
                continue
            text = self._texts[rank]
            following = self._texts[rank + 1] if rank + 1 < len(self._texts) else ""
            rank += 1
            for start in range(0, len(text), _STEP):
                own = text[start : start + _STEP]
                ahead = text[start + _STEP : start + 2 * _STEP] + following[:_STEP]
                taken = self._look(own, ahead, taken, base)
                base += _width(own)
                yield

    def _look(self, own: str, following: str, taken: int, base: int) -> int:
        """The hits that begin in ``own``; how far the last of them reaches into what follows."""
        over = 4 * len(self._needle.folded) + 64
        part = own + following[:over]
        table = units(part)
        end = 0
        for first, last in self._needle.hits(part[taken:]):
            first, last = first + taken, last + taken  # noqa: PLW2901
            if first >= len(own):
                break
            end = last
            begin = base + (first if table is None else table[first])
            self._starts.append(begin)
            self._ends.append(base + (last if table is None else table[last]))
            if self._now < 0 and begin >= self._origin:
                self._go(len(self._starts) - 1)
        return max(end, taken) - len(own) if max(end, taken) > len(own) else 0

    # --- going to a hit, painting ----------------------------------------------------------------

    def _go(self, rank: int) -> None:
        self._now = rank
        cursor = self._editor.textCursor()
        cursor.setPosition(self._starts[rank])
        self._editor.setTextCursor(cursor)
        place = self._editor.cursorRect()
        room = self._editor.viewport().height()
        if place.bottom() > room - 2 * place.height() or place.top() < place.height():
            self._editor.centerCursor()
        self.paint()
        self.changed.emit()

    def paint(self) -> None:
        """Lay the hits over the words that are on screen."""
        if not self.total:
            if self._editor.extraSelections():
                self._editor.setExtraSelections([])
            return
        editor = self._editor
        first = editor.firstVisibleBlock().position()
        below = editor.cursorForPosition(editor.viewport().rect().bottomRight())
        rank = bisect_left(self._ends, first)
        found = []
        while rank < self.total and self._starts[rank] <= below.position() + 1:
            found.append(self._selection(rank))
            rank += 1
            if len(found) >= _PAINTED:
                break
        editor.setExtraSelections(found)

    def _selection(self, rank: int) -> QTextEdit.ExtraSelection:
        now = rank == self._now
        form = QTextCharFormat()
        form.setBackground(self._theme.color("hit_now" if now else "hit"))
        form.setForeground(self._theme.color("on_hit_now" if now else "text"))
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(self._starts[rank])
        cursor.setPosition(self._ends[rank], QTextCursor.MoveMode.KeepAnchor)
        selection = QTextEdit.ExtraSelection()
        selection.format = form
        selection.cursor = cursor
        return selection


def _width(text: str) -> int:
    """Qt's length of a text."""
    table = units(text)
    return len(text) if table is None else table[-1]
