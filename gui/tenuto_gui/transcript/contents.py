# SPDX-License-Identifier: Apache-2.0
"""What a block shows below its header, as pieces: texts, prose, code, tables, links. Qt-free.

How much of a source is shown is decided here, and in which form; how it looks is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tenuto.sources.arguments import arguments
from tenuto.sources.base import Block
from tenuto_gui.render import ansi, bare_links, diff, json_text
from tenuto_gui.render.spans import Span, within
from tenuto_gui.render.text import (
    MAX_BLOCK_CHARS,
    MAX_BLOCK_LINES,
    Excerpt,
    excerpt,
    line_count,
    shown,
    styled,
)
from tenuto_gui.transcript import words
from tenuto_gui.transcript.pieces import Piece, Role, Section
from tenuto_gui.transcript.prose import markdown_pieces, shown_rows

#: A tool's output of this many lines is shown whole, a longer one by its first few (look.md).
WHOLE_LINES = 12
FIRST_LINES = 4
#: A few lines can be long: this is what a folded output shows of them at most.
FIRST_CHARS = 4_000
#: Prose is opened in place up to this many lines; it is what the transcript is read for.
MAX_PROSE_LINES = 1_000
#: An input this short, of simple arguments, is in the header whole and needs no lines of its own.
_HEADER_INPUT = 90


@dataclass(frozen=True, slots=True)
class Fold:
    """What the operator did to a block: opened or closed it, asked for all lines."""

    open: bool | None = None
    full: bool = False
    #: All lines of the input, too.
    full_input: bool = False


DEFAULT_FOLD = Fold()


def block_key(block: Block) -> tuple[str, int, int, str]:
    """What stays the same when a block is replaced by a newer self."""
    return (block.kind, block.seq, block.index, block.call_id)


def is_aside(block: Block) -> bool:
    """Whether a block stands back: thinking, and what the program itself said to the model."""
    return block.kind == "thinking" or block.notice in ("system", "host", "summary")


def is_open(block: Block, fold: Fold) -> bool:
    """Whether the body is shown: asides are folded until asked for, output is not."""
    if fold.open is not None:
        return fold.open
    return not is_aside(block)


def has_body(block: Block) -> bool:
    """Whether there is anything below the header."""
    if block.kind == "tool_call":
        return bool((block.result or "").strip("\n")) or needs_input(block)
    if block.kind in ("prompt", "follow_up"):
        return True
    return bool(body_text(block).strip())


def body_text(block: Block) -> str:
    """The whole source of a block's body."""
    match block.kind:
        case "tool_call":
            return block.result or ""
        case "notice":
            if block.notice == "damaged":
                return words.damage_text(block)
            return words.marker_detail(block)
        case _:
            return block.text


def input_text(block: Block) -> str:
    """A call's input as it was written."""
    return block.input.decode("utf-8", "replace")


def needs_input(block: Block) -> bool:
    """Whether a call's input says more than its header can: long, nested, of several lines."""
    raw = block.input
    if block.kind != "tool_call" or len(raw) <= 2:
        return False
    if len(raw) > 1_000 or b"\\n" in raw or b"{" in raw[1:] or b"[" in raw[1:]:
        return True
    return len(arguments(raw)) > _HEADER_INPUT


def fits_inline(source: str, kind: str = "") -> bool:
    """Whether all of a text may be opened in place; else it gets a window of its own."""
    most = MAX_PROSE_LINES if kind == "text" else MAX_BLOCK_LINES
    return line_count(source) <= most and len(source) <= MAX_BLOCK_CHARS


def pieces_of(block: Block, fold: Fold) -> list[Piece]:
    """What is shown below the header of an opened block."""
    match block.kind:
        case "text":
            return _prose(block.text, fold)
        case "tool_call":
            pieces = _input(block, fold) if needs_input(block) else []
            if (block.result or "").strip("\n"):
                pieces += _output(block.result or "", fold.full, "output")
            return pieces
        case "prompt" | "follow_up" if not block.text.strip():
            # A chat can begin without one: the band says so instead of being empty.
            return [Piece("text", words.no_prompt(), "body", source=block.text)]
        case "prompt" | "follow_up":
            return _plain(block.text, "medium")
        case "notice" if block.notice == "damaged" and block.line:
            return _damage(block)
        case _:
            return _plain(body_text(block), "body")


# --- plain texts, output -------------------------------------------------------------------------


def _plain(source: str, role: Role) -> list[Piece]:
    part = excerpt(source, MAX_BLOCK_LINES, MAX_BLOCK_CHARS)
    source = source[: part.length]
    piece = Piece("text", shown(source), role, source=source)
    piece.links = bare_links.find(piece.text, cut=not part.whole)
    _put_link(piece, part, False)
    return [piece]


def _damage(block: Block) -> list[Piece]:
    """What is wrong, and the way to the bytes themselves."""
    pieces = _plain(body_text(block), "body")
    pieces[-1].section, pieces[-1].more = "records", words.show_in_records()
    return pieces


def _input(block: Block, fold: Fold) -> list[Piece]:
    return _output(input_text(block), fold.full_input, "input")


def _output(source: str, full: bool, section: Section) -> list[Piece]:
    """A tool's words: JSON laid out, a diff and colours as such, all else letter for letter."""
    spans: Sequence[Span] = ()
    text = source
    if json_text.is_json(source):
        if line_count(source.strip()) > 1:
            spans = json_text.spans(source)
        else:
            text, spans = json_text.pretty(source)
    part = _output_excerpt(text, full)
    kept = text[: part.length]
    if text is source:
        if "\x1b[" in kept:
            plain, spans = ansi.parse(kept)
        else:
            plain = kept
            if not spans and diff.is_diff(kept):
                spans = diff.spans(kept)
    else:
        plain = kept
    if spans:
        shown_text, spans = styled(plain, within(spans, len(plain)))
    else:
        shown_text = shown(plain, columns=True)
    piece = Piece("text", shown_text, "mono_small", spans, section=section)
    piece.links = bare_links.find(shown_text, cut=not part.whole)
    piece.source = kept if text is source else None
    _put_link(piece, part, full and part.lines > WHOLE_LINES)
    return [piece]


def _output_excerpt(text: str, full: bool) -> Excerpt:
    lines = line_count(text)
    if lines <= WHOLE_LINES:
        return excerpt(text, WHOLE_LINES, MAX_BLOCK_CHARS if full else FIRST_CHARS)
    if not full:
        return excerpt(text, FIRST_LINES, FIRST_CHARS)
    return excerpt(text, MAX_BLOCK_LINES, MAX_BLOCK_CHARS)


def _put_link(piece: Piece, part: Excerpt, opened: bool) -> None:
    """The link below a text that is not shown whole, or was opened."""
    if not part.whole:
        piece.more = words.show_all(part.lines, part.lines <= WHOLE_LINES)
    elif opened:
        piece.more, piece.closes = words.show_less(), True


# --- Markdown ------------------------------------------------------------------------------------


def _prose(source: str, fold: Fold) -> list[Piece]:
    lines = MAX_PROSE_LINES if fold.full else MAX_BLOCK_LINES
    part = excerpt(source, lines, MAX_BLOCK_CHARS)
    pieces = markdown_pieces(source[: part.length], fold.full)
    if not pieces:
        return pieces
    tables = [piece.table for piece in pieces if piece.table is not None]
    if part.whole and any(len(table.rows) > shown_rows(table, fold.full) for table in tables):
        # Not all rows of a table are shown.
        part = part._replace(whole=False)
    large = any(len(table.rows) > shown_rows(table, False) for table in tables)
    _put_link(pieces[-1], part, fold.full and (part.lines > MAX_BLOCK_LINES or large))
    return pieces
