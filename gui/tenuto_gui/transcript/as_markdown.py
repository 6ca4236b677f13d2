# SPDX-License-Identifier: Apache-2.0
"""What is selected, as Markdown: whole blocks as they were written, others cut at their ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tenuto.sources.base import Block
from tenuto_gui.render.html_markdown import (
    cell_of,
    fenced,
    markdown_of,
    table_of,
    visible_count,
)
from tenuto_gui.render.text import for_clipboard
from tenuto_gui.transcript.parts import Part, Shape
from tenuto_gui.transcript.selection import (
    CELL,
    END,
    Selection,
    block_text,
    call_line,
    part_text,
    rows_of,
)


def block_markdown(block: Block) -> str:
    """The whole block as Markdown: a reply as it was written, all else so that it reads as such."""
    match block.kind:
        case "text":
            return block.text.rstrip("\n")
        case "prompt" | "follow_up" | "thinking":
            return _quoted(block.text.rstrip("\n"))
        case "tool_call":
            return _call(block, (block.result or "").rstrip("\n"))
        case _:
            return f"*{block_text(block)}*"


def copied_markdown(
    selection: Selection, blocks: Sequence[Block], shape_of: Callable[[int], Shape]
) -> str:
    """The selected part of each block, blocks parted by an empty line."""
    parts = []
    for row in rows_of(selection, blocks):
        offsets = selection.in_block(row)
        if offsets is None:
            continue
        if offsets == (0, END):
            parts.append(block_markdown(blocks[row]))
        else:
            parts.append(
                _stretch(blocks[row], shape_of(row), *offsets, selection.takes_header(row))
            )
    return for_clipboard("\n\n".join(part for part in parts if part))


def _stretch(block: Block, shape: Shape, first: int, last: int, entered: bool) -> str:
    """The offsets ``first`` to ``last`` of a block; ``entered``: its header is selected as well."""
    hidden = any(not link.closes and link.section != "records" for link in shape.links)
    whole = first == 0 and last >= shape.length and not hidden
    if not shape.parts or (whole and block.kind != "tool_call"):
        return block_markdown(block)
    found = list(shape.selected(first, last))
    match block.kind:
        case "text":
            return "\n\n".join(text for each in found if (text := _part(*each)))
        case "prompt" | "follow_up" | "thinking":
            return _quoted("\n".join(part_text(*each) for each in found).strip("\n"))
        case "tool_call":
            text = "\n".join(part_text(*each).rstrip("\n") for each in found)
            return _call(block, text) if entered else fenced(text) if text.strip() else ""
        case _:
            return f"*{' '.join(part_text(*each) for each in found).strip()}*"


def _part(part: Part, first: int, last: int) -> str:
    piece = part.piece
    if piece.table is not None:
        return _table(part, first, last)
    if piece.kind == "code":
        text = part_text(part, first, last).strip("\n")
        return fenced(text, piece.language) if text.strip() else ""
    if piece.kind != "prose":
        return part_text(part, first, last)
    text = part.text()
    begin, end = (part.place(part.start + offset) for offset in (first, last))
    return markdown_of(piece.text, visible_count(text[:begin]), visible_count(text[:end]))


def _table(part: Part, first: int, last: int) -> str:
    """The rows that are touched, below the table's head; of one cell only its words."""
    table = part.piece.table
    assert table is not None
    begin, end = (part.place(part.start + offset) for offset in (first, last))
    columns = len(table.head)
    htmls = [cell for row in (table.head, *table.rows) for cell in row]
    touched: dict[int, str] = {}
    for number, (start, text) in enumerate(_cells(part.document.toRawText())):
        low, high = max(begin - start, 0), min(end - start, len(text))
        if low >= high or number >= len(htmls):
            continue
        if (low, high) == (0, len(text)):
            touched[number] = cell_of(htmls[number])
        else:
            counts = visible_count(text[:low]), visible_count(text[:high])
            stretch = markdown_of(htmls[number], *counts)
            touched[number] = " ".join(stretch.split()).replace("|", "\\|")
    if not touched:
        return ""
    if len(touched) == 1:
        return next(iter(touched.values())).replace("\\|", "|")
    rows = [
        [touched.get(row * columns + column, "") for column in range(columns)]
        for row in range(min(touched) // columns, max(touched) // columns + 1)
    ]
    # Without a head it is no table: one whose head is not selected has it all the same.
    head = rows.pop(0) if min(touched) < columns else [cell_of(cell) for cell in table.head]
    return table_of(head, rows, table.align)


def _cells(raw: str) -> Iterator[tuple[int, str]]:
    """Where each cell of a table begins in its raw text, and its words."""
    place = raw.find(CELL)
    while 0 <= place < len(raw):
        end = raw.find(CELL, place + 1)
        end = len(raw) if end < 0 else end
        yield place + 1, raw[place + 1 : end]
        place = end


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _call(block: Block, text: str) -> str:
    return fenced("\n".join(part for part in (f"$ {call_line(block)}", text) if part))
