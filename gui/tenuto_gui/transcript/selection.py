# SPDX-License-Identifier: Apache-2.0
"""A selection that runs across blocks, and the text that copying it gives.

A place is a block's rank and an offset into its shown text. What is copied comes from the source
text of the blocks, not from what was made visible or broken for display; of Markdown it is the
words as they are shown (as Markdown: ``as_markdown``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tenuto.sources.arguments import arguments
from tenuto.sources.base import Block
from tenuto_gui.i18n import enumerated
from tenuto_gui.render.bidi import unmarked
from tenuto_gui.render.text import for_clipboard, source_offset
from tenuto_gui.transcript import words
from tenuto_gui.transcript.contents import body_text
from tenuto_gui.transcript.parts import Part, Shape
from tenuto_gui.transcript.prose import plain_words

#: An offset beyond every text: the end of the block.
END = 1 << 31

#: What Qt puts before each cell, and after the last one.
CELL = "\ufdd0"
_TABLE_END = "\ufdd1"
#: Of more blocks than this, replies are copied as they were written: reading Markdown takes time.
_RENDERED = 2_000


class Place(NamedTuple):
    """Where a selection begins or ends."""

    row: int
    offset: int


class Selection:
    """From ``anchor`` (where it began) to ``cursor`` (where it is drawn to); may be empty."""

    def __init__(self) -> None:
        self.anchor: Place | None = None
        self.cursor: Place | None = None

    def start(self, place: Place) -> None:
        """Begin anew."""
        self.anchor = self.cursor = place

    def extend(self, place: Place) -> None:
        """Draw the end; begins there when nothing was begun."""
        if self.anchor is None:
            self.anchor = place
        self.cursor = place

    def clear(self) -> None:
        """Select nothing."""
        self.anchor = self.cursor = None

    @property
    def range(self) -> tuple[Place, Place] | None:
        """Both ends in reading order, None when nothing is selected."""
        if self.anchor is None or self.cursor is None or self.anchor == self.cursor:
            return None
        return min(self.anchor, self.cursor), max(self.anchor, self.cursor)

    def in_block(self, row: int) -> tuple[int, int] | None:
        """The selected offsets of one block, ``END`` where it is selected to its end."""
        span = self.range
        if span is None or not span[0].row <= row <= span[1].row:
            return None
        first = span[0].offset if row == span[0].row else 0
        last = span[1].offset if row == span[1].row else END
        return (first, last) if first < last else None

    def takes_header(self, row: int) -> bool:
        """Whether the selection goes over this block's header: from above, or over all of it."""
        span = self.range
        entered = span is not None and row > span[0].row
        return self.in_block(row) is not None and (entered or self.in_block(row) == (0, END))


def block_text(block: Block) -> str:
    """The whole block in words."""
    match block.kind:
        case "tool_call":
            head = call_line(block)
            return "\n".join(part for part in (head, (block.result or "").rstrip("\n")) if part)
        case "notice" if block.notice == "damaged":
            return f"{words.damage_title(block)}: {words.damage_text(block)}"
        case "notice":
            line = enumerated(text for _, _, text in words.marker(block))
            detail = words.marker_detail(block)
            return f"{line}\n{detail}" if detail else line
        case _:
            return block.text.rstrip("\n")


def call_line(block: Block) -> str:
    """A call as its header says it: name, arguments, what became of it."""
    head = f"{words.call_name(block)} {arguments(block.input)}".rstrip()
    tail = words.outcome(block, False, None)
    return f"{head} ({tail})" if tail else head


def part_text(part: Part, first: int, last: int) -> str:
    """The words behind the offsets ``first`` to ``last`` of a part (Qt's, in its document)."""
    begin, end = part.place(part.start + first), part.place(part.start + last)
    source = part.piece.source
    if part.piece.table is not None:
        return _cells(part.document.toRawText(), begin, end, len(part.piece.table.head))
    if source is None:
        return unmarked(part.text()[begin:end]).replace(" \n", "\n")
    columns = part.piece.columns
    whole = part.start + last >= part.end
    finish = len(source) if whole else source_offset(source, end, columns=columns)
    return source[source_offset(source, begin, columns=columns) : finish]


def _cells(raw: str, begin: int, end: int, columns: int) -> str:
    """A stretch of a table's raw text: a tab between cells, a line for each row."""
    number = raw.count(CELL, 0, begin)
    written: list[str] = []
    for character in raw[begin:end]:
        if character == CELL:
            written.append("\t" if number % columns else "\n")
            number += 1
        elif character != _TABLE_END:
            written.append(" " if character in "\u2028\u2029" else character)
    return "".join(written).strip("\n")


def body_part(block: Block, shape: Shape, first: int, last: int) -> str:
    """The words behind the offsets ``first`` to ``last`` of a block's body."""
    if not shape.parts:
        return block_text(block)
    found = [part_text(part, begin, end) for part, begin, end in shape.selected(first, last)]
    text = "\n".join(each.rstrip("\n") for each in found[:-1])
    text = f"{text}\n{found[-1]}" if text else "".join(found)
    last_part = shape.parts[-1]
    if last >= END and last_part.piece.more and last_part.piece.source is not None:
        # The selection goes on below: all of the text belongs to it, shown or not.
        return text + body_text(block)[len(last_part.piece.source) :].rstrip("\n")
    return text.rstrip("\n") if last >= END else text


def copied_text(
    selection: Selection, blocks: Sequence[Block], shape_of: Callable[[int], Shape]
) -> str:
    """The selected text, blocks parted by an empty line, safe to paste into a terminal."""
    parts: list[str] = []
    rows = rows_of(selection, blocks)
    for row in rows:
        offsets = selection.in_block(row)
        if offsets == (0, END):
            few = len(rows) <= _RENDERED and blocks[row].kind == "text"
            parts.append(plain_words(blocks[row].text) if few else block_text(blocks[row]))
        elif offsets is not None:
            shape = shape_of(row)
            text = body_part(blocks[row], shape, *offsets)
            if blocks[row].kind == "tool_call" and shape.parts and selection.takes_header(row):
                text = f"{call_line(blocks[row])}\n{text}"
            parts.append(text)
    return for_clipboard("\n\n".join(parts))


def rows_of(selection: Selection, blocks: Sequence[Block]) -> range:
    """The blocks that a selection touches."""
    span = selection.range
    if span is None:
        return range(0)
    return range(span[0].row, min(span[1].row, len(blocks) - 1) + 1)
