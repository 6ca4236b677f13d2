# SPDX-License-Identifier: Apache-2.0
"""Looks for words in all blocks of a transcript, a few milliseconds at a time.

The blocks' texts are searched, not what is on screen: a hit in a folded output counts, and stepping
to it opens the fold.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from tenuto.sources.arguments import arguments
from tenuto.sources.base import Block
from tenuto_gui.render.find import Needle
from tenuto_gui.render.text import units
from tenuto_gui.transcript import words
from tenuto_gui.transcript.contents import (
    body_text,
    fits_inline,
    input_text,
    is_open,
    needs_input,
)
from tenuto_gui.transcript.deeds import ActingCanvas
from tenuto_gui.transcript.parts import Shape

#: Seconds of searching before the window gets a turn.
_SLICE = 0.006
#: Hits of one block that are painted: a screen of them, and then some.
_PAINTED = 2_000


class Hits(NamedTuple):
    """The hits of one block as it is shown; offsets are Qt's."""

    header: list[tuple[int, int]]
    body: list[tuple[int, int]]


_NONE = Hits([], [])


def header_text(block: Block) -> str:
    """What of a block's header is searched: not what its body says again."""
    if block.kind != "tool_call":
        return ""
    name = words.call_name(block)
    return name if needs_input(block) else f"{name} {arguments(block.input)}"


def _texts(block: Block) -> Iterator[str]:
    if header := header_text(block):
        yield header
    if needs_input(block):
        yield input_text(block)
    yield body_text(block)


class Finder(QObject):
    """One search at a time over the blocks of a canvas."""

    #: The count or the current hit changed.
    changed = Signal()

    def __init__(self, canvas: ActingCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._needle = Needle("")
        #: Rows that hold hits, ascending, and the sum of all hits before each.
        self._rows: list[int] = []
        self._sums: list[int] = []
        self.total = 0
        #: Rows before this one are searched.
        self._next = 0
        #: The search began here: the first hit from here on becomes the current one.
        self._origin = 0
        #: Row and rank in it of the current hit.
        self._now: tuple[int, int] | None = None
        self._shown: dict[int, tuple[Shape, Hits]] = {}
        self._work: Iterator[int] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._search)
        canvas.blocks_changed.connect(self._on_blocks)

    # --- what is asked ---------------------------------------------------------------------------

    def set_text(self, text: str, origin: int) -> None:
        """Look for other words; ``origin``: the row from which on to show the first hit."""
        self._needle = Needle(text)
        self._origin = origin
        self._now = None
        self._shown.clear()
        self._cut(0)
        if self._needle:
            self._search()
        self.changed.emit()

    @property
    def active(self) -> bool:
        """Whether there are words to look for."""
        return bool(self._needle)

    @property
    def complete(self) -> bool:
        """Whether all blocks are searched."""
        return self._next >= len(self._canvas.blocks)

    @property
    def rank(self) -> int:
        """Which of the hits is the current one, from 1; 0 for none."""
        if self._now is None:
            return 0
        place = bisect_left(self._rows, self._now[0])
        if place >= len(self._rows) or self._rows[place] != self._now[0]:
            return 0
        return self._sums[place] + self._now[1] + 1

    def step(self, direction: int) -> None:
        """To the next (+1) or previous (-1) hit; from the last on to the first."""
        if not self.total:
            return
        rank = self.rank - 1
        if self._now is None or rank < 0:
            rank = -1 if direction > 0 else 0
        self._go((rank + direction) % self.total)

    def hits(self, row: int, shape: Shape) -> tuple[Hits, int]:
        """The hits of a block on screen, and the rank of the current one among them, or -1."""
        if not self._needle:
            return _NONE, -1
        found = self._hits(row, shape)
        if self._now is None or self._now[0] != row:
            return found, -1
        rank = self._now[1]
        if rank >= len(found.header):
            # The mark stays on the last one where Markdown hides what its source says more often.
            rank = min(rank, len(found.header) + max(len(found.body) - 1, 0))
        return found, rank

    # --- searching -------------------------------------------------------------------------------

    def _on_blocks(self, first: int) -> None:
        if self._needle:
            self._shown.clear()
            self._cut(first)
            self.changed.emit()

    def _cut(self, first: int) -> None:
        """Forget what was found from a row on, and search on from there."""
        place = bisect_left(self._rows, first)
        if place < len(self._rows):
            self.total = self._sums[place]
        del self._rows[place:], self._sums[place:]
        if not self._rows:
            self.total = 0
        self._next = min(self._next, first)
        self._work = None
        if self._needle:
            self._timer.start()
        else:
            self._timer.stop()

    def _search(self) -> None:
        if self._work is None:
            self._work = self._all()
        end = time.monotonic() + _SLICE
        for _ in self._work:
            if time.monotonic() > end:
                self.changed.emit()
                return
        self._work = None
        self._timer.stop()
        if self._now is None and self.total:
            self._go(0)
        self.changed.emit()

    def _all(self) -> Iterator[int]:
        """Search block by block; yields whenever some work was done."""
        blocks = self._canvas.blocks
        done = 0
        while self._next < len(blocks):
            row = self._next
            count = 0
            for text in _texts(blocks[row]):
                done += len(text) + 100
                if len(text) > 100_000:
                    for some in self._needle.counts(text):
                        count += some
                        yield row
                else:
                    count += self._needle.count(text)
            self._next = row + 1
            if count:
                self._rows.append(row)
                self._sums.append(self.total)
                self.total += count
                if self._now is None and row >= self._origin:
                    self._go(self._sums[-1])
            if done > 20_000:
                done = 0
                yield row

    # --- going to a hit --------------------------------------------------------------------------

    def _go(self, rank: int) -> None:
        """Show a hit: open what hides it, scroll to it."""
        place = bisect_left(self._sums, rank + 1) - 1
        row, inner = self._rows[place], rank - self._sums[place]
        self._now = (row, inner)
        canvas = self._canvas
        found = self._hits(row, canvas.shape_of(row))
        if inner >= len(found.header):
            found = self._open(row, inner - len(found.header))
        shape = canvas.shape_of(row)
        canvas.set_current(row, keyboard=False)
        body = min(inner - len(found.header), len(found.body) - 1)
        if body >= 0:
            offset = found.body[body][0]
            part = shape.part_of(offset)
            if part is not None:
                canvas.reveal(row, part.line_rect(offset))
        elif shape.links and inner >= len(found.header):
            canvas.reveal(row, shape.links[-1].rect)
        elif shape.header is not None:
            canvas.reveal(row, shape.header)
        canvas.viewport().update()
        self.changed.emit()

    def _open(self, row: int, rank: int) -> Hits:
        """Open a block as far as is needed to see its hit number ``rank`` below the header."""
        canvas = self._canvas
        block = canvas.blocks[row]
        fold = canvas.fold_of(row)
        if not is_open(block, fold):
            fold = replace(fold, open=True)
            canvas.set_fold(row, fold)
        found = self._hits(row, canvas.shape_of(row))
        if rank < len(found.body) or not canvas.shape_of(row).links:
            return found
        if fits_inline(body_text(block), block.kind):
            fold = replace(fold, full=True)
        if needs_input(block) and fits_inline(input_text(block)):
            fold = replace(fold, full_input=True)
        if fold != canvas.fold_of(row):
            canvas.set_fold(row, fold)
        return self._hits(row, canvas.shape_of(row))

    def _hits(self, row: int, shape: Shape) -> Hits:
        known = self._shown.get(row)
        if known is not None and known[0] is shape:
            return known[1]
        header = self._needle.hits(header_text(self._canvas.blocks[row]))
        body = []
        for part in shape.parts:
            text = part.text()
            table = units(text)
            for start, end in self._needle.hits(text)[:_PAINTED]:
                if table is not None:
                    start, end = table[start], table[end]  # noqa: PLW2901
                body.append((part.start + start, part.start + end))
        if len(self._shown) > 200:
            self._shown.clear()
        found = Hits(header, body)
        self._shown[row] = (shape, found)
        return found
