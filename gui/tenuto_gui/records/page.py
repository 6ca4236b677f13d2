# SPDX-License-Identifier: Apache-2.0
"""What is shown of one chosen line of a journal. Qt-free; made in a background thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from tenuto.sources.pretty import Found, Piece, pieces, pretty, wrapped
from tenuto.sources.raw import Row

#: Bytes that are shown at once, and when all is asked for; lines that a text widget bears.
FIRST, MOST = 64 << 10, 4 << 20
MOST_LINES = 20_000

LineKind = Literal["json", "bad", "note"]
Reader = Callable[[int, int], bytes]


@dataclass(frozen=True)
class PageLine:
    """One line of text; a note is worded by the window, from the piece it is about."""

    kind: LineKind
    text: str = ""
    #: 1-based byte of the journal's line where this text begins, 0 where that is not said.
    column: int = 0
    piece: Piece | None = None


@dataclass(frozen=True)
class Page:
    """The lines, and whether they are all there is."""

    row: Row
    lines: tuple[PageLine, ...]
    whole: bool


def page(
    row: Row,
    read: Reader,
    findings: Sequence[Found],
    limit: int = FIRST,
    step: Callable[[], object] | None = None,
) -> Page:
    """Read a line and lay it out. ``read(offset, size)`` answers bytes.

    ``step`` is called every few milliseconds: the window goes first.
    """
    if row.kind not in ("damaged", "tail"):
        data = read(row.offset, min(row.readable, limit))
        lines = [PageLine("json", text) for text in pretty(data, most=MOST_LINES, step=step)]
    else:
        lines = _broken(row, read, findings, limit, step)
    whole = row.readable <= limit and len(lines) <= MOST_LINES
    return Page(row, tuple(lines[:MOST_LINES]), whole)


def _broken(
    row: Row,
    read: Reader,
    findings: Sequence[Found],
    limit: int,
    step: Callable[[], object] | None,
) -> list[PageLine]:
    made: list[PageLine] = []
    left = limit
    for piece in pieces(row.offset, row.readable, findings):
        if left <= 0:
            break
        data = read(piece.offset, min(piece.size, left))
        left -= piece.size
        column = piece.offset - row.offset + 1
        good = piece.kind == "record"
        note = PageLine("note", column=column + piece.size - 1, piece=piece)
        if good:
            made.append(note)
        # A frame that can be unpacked holds JSON, whatever is wrong with its place.
        told = good or row.content > 0
        texts = pretty(data, most=MOST_LINES, step=step) if told else wrapped(data)
        for number, text in enumerate(texts):
            made.append(PageLine("json" if told else "bad", text, column if not number else 0))
        if not good:
            made.append(note)
    return made
