# SPDX-License-Identifier: Apache-2.0
"""A selection that runs across blocks, and the text that copying it gives.

A place is a block's rank and an offset into its shown text. What is copied comes from the source
text of the blocks, not from what was made visible or broken for display.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tenuto.sources.arguments import arguments
from tenuto.sources.base import Block
from tenuto_gui.render.text import for_clipboard, source_offset
from tenuto_gui.transcript import words
from tenuto_gui.transcript.shape import Shape, body_text

#: An offset beyond every text: the end of the block.
END = 1 << 31


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


def block_text(block: Block) -> str:
    """The whole block in words."""
    match block.kind:
        case "tool_call":
            head = f"{words.call_name(block)} {arguments(block.input)}".rstrip()
            tail = words.outcome(block, False, None)
            if tail:
                head = f"{head} ({tail})"
            return "\n".join(part for part in (head, (block.result or "").rstrip("\n")) if part)
        case "notice" if block.notice == "damaged":
            return f"{words.damage_title(block)}: {words.damage_text(block)}"
        case "notice":
            line = ", ".join(text for _, _, text in words.marker(block))
            detail = words.marker_detail(block)
            return f"{line}\n{detail}" if detail else line
        case _:
            return block.text.rstrip("\n")


def part_of(block: Block, shape: Shape, first: int, last: int) -> str:
    """The source text behind the shown offsets ``first`` to ``last`` of a block's body."""
    if shape.document is None:
        return block_text(block)
    source = shape.source[: shape.source_length]
    begin = source_offset(source, first)
    if last >= shape.document.characterCount() - 1:
        # To the end of what is shown; the end of the whole text when the selection goes on.
        end = len(source)
        if last >= END:
            return body_text(block)[begin:].rstrip("\n")
        return source[begin:end]
    return source[begin : source_offset(source, last)]


def copied_text(selection: Selection, blocks: list[Block], shape_of: Callable[[int], Shape]) -> str:
    """The selected text, blocks parted by an empty line, safe to paste into a terminal."""
    span = selection.range
    if span is None:
        return ""
    parts: list[str] = []
    for row in range(span[0].row, min(span[1].row, len(blocks) - 1) + 1):
        offsets = selection.in_block(row)
        if offsets is None:
            continue
        if offsets == (0, END):
            parts.append(block_text(blocks[row]))
        else:
            parts.append(part_of(blocks[row], shape_of(row), *offsets))
    return for_clipboard("\n\n".join(parts))
