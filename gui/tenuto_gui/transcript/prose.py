# SPDX-License-Identifier: Apache-2.0
"""Markdown as pieces of a block: prose, code, tables; and while it is being written. Qt-free."""

from __future__ import annotations

import re
from collections import OrderedDict
from html import unescape

from tenuto.render import markdown
from tenuto_gui.render.text import (
    MAX_BLOCK_CHARS,
    MAX_BLOCK_LINES,
    MAX_LINE,
    excerpt,
    shown,
    without_colours,
)
from tenuto_gui.transcript.pieces import Piece

#: Rows of a table that is not opened.
FIRST_ROWS = 30
#: Cells that one table shows at most; the rest is in the window of its text.
MAX_CELLS = 1_200
#: A line that would be a table's row of more cells is nothing that is read as one.
_MOST_COLUMNS = 100

#: A line of which no character means anything to Markdown.
_simple_line = re.compile(r"[^\W\d_][^*_`\[\]<>\\&~\n|]{0,2000}")
#: The tags of ``tenuto.render.markdown``; all else that looks like one is escaped there.
_tag = re.compile("</?[a-z][a-z0-9]{0,10}(?: [^<>]{0,4000})?>")
_token = re.compile("<[^<>]{1,4000}>|&[^;<&]{1,10};|[^<&]+|[<&]")
_blank = re.compile(r"(\s+)")


def markdown_pieces(source: str, full: bool = False) -> list[Piece]:
    """A text of Markdown as pieces: prose between code blocks and tables."""
    wide = any(line.count("|") > _MOST_COLUMNS for line in source.split("\n"))
    if wide or _simple_line.fullmatch(source.rstrip("\n")):
        return [Piece("text", shown(source), source=source)]
    pieces: list[Piece] = []
    for part in markdown.parts(without_colours(source)):
        match part:
            case markdown.Prose(html):
                pieces.append(Piece("prose", _with_ends(html)))
            case markdown.Code(language, text):
                pieces.append(Piece("code", shown(text), "mono_small", source=text))
                pieces[-1].language = language
            case markdown.Table():
                pieces.append(Piece("table", table=_cut(part, full), full=full))
            case markdown.Plain(text):
                pieces.append(Piece("text", shown(text), source=text))
    return pieces


def _with_ends(html: str) -> str:
    """HTML without a word that has no end (``render.text.broken``); words run through tags."""
    if max(map(len, _tag.sub("", html).split()), default=0) <= MAX_LINE:
        return html
    written: list[str] = []
    run = 0
    for match in _token.finditer(html):
        token = match[0]
        if token[0] == "<":
            written.append(token)
        elif token[0] == "&":
            run += 1
            written.append(token)
        else:
            for word in _blank.split(token):
                rest = word
                while run + len(rest) > MAX_LINE:
                    written.append(rest[: MAX_LINE - run] + "<br>")
                    rest, run = rest[MAX_LINE - run :], 0
                written.append(rest)
                run = 0 if rest.isspace() else run + len(rest)
        if run >= MAX_LINE:
            written.append("<br>")
            run = 0
    return "".join(written)


def plain_words(source: str) -> str:
    """A reply without the marks of Markdown: the words as they are shown."""
    found: list[str] = []
    if _simple_line.fullmatch(source.rstrip("\n")):
        return source.rstrip("\n")
    for part in markdown.parts(source):
        match part:
            case markdown.Prose(html):
                found.append(_without_tags(html))
            case markdown.Table(_, head, rows):
                cells = ("\t".join(map(_without_tags, row)) for row in (head, *rows))
                found.append("\n".join(cells))
            case _:
                found.append(part.text)
    return "\n\n".join(found)


def _without_tags(html: str) -> str:
    return unescape(_tag.sub("", html.replace("<li>", "- ").replace("</p>", "</p>\n"))).strip("\n")


def shown_rows(table: markdown.Table, full: bool) -> int:
    most = max(MAX_CELLS // max(len(table.head), 1), 1)
    return most if full else min(FIRST_ROWS, most)


def _cut(table: markdown.Table, full: bool) -> markdown.Table:
    rows = table.rows[: shown_rows(table, full) + 1]
    head, *body = (tuple(map(_with_ends, row)) for row in (table.head, *rows))
    return markdown.Table(table.align, head, tuple(body))


def table_rows(table: markdown.Table, full: bool) -> tuple[tuple[str, ...], ...]:
    """The rows of a table that are shown."""
    return table.rows[: shown_rows(table, full)]


# --- text that is being written -------------------------------------------------------------------


class LivePieces:
    """Pieces of a growing text: what is written is parsed once, only its end again and again."""

    def __init__(self) -> None:
        self._settled: OrderedDict[str, list[Piece]] = OrderedDict()

    def pieces(self, source: str) -> list[Piece]:
        """The end of a text that streams in; an end is what is watched."""
        if not excerpt(source, MAX_BLOCK_LINES, MAX_BLOCK_CHARS).whole:
            source = source[-MAX_BLOCK_CHARS:].split("\n", 1)[-1]
            source = "\n".join(source.split("\n")[-MAX_BLOCK_LINES:])
        *settled, last = paragraphs(source)
        pieces: list[Piece] = []
        for paragraph in settled:
            known = self._settled.get(paragraph)
            if known is None:
                known = self._settled[paragraph] = markdown_pieces(paragraph)
            self._settled.move_to_end(paragraph)
            pieces += known
        while len(self._settled) > 2 * MAX_BLOCK_LINES:
            self._settled.popitem(last=False)
        return pieces + markdown_pieces(last)


def paragraphs(source: str) -> list[str]:
    """A text cut at empty lines outside of code; the last one may still grow."""
    found: list[str] = []
    begin = place = 0
    fence = ""
    for line in source.split("\n"):
        end = place + len(line) + 1
        word = line.strip()
        if word.startswith(("```", "~~~")):
            fence = "" if fence and word.startswith(fence) else fence or word[:3]
        if not word and not fence and end <= len(source):
            if source[begin:place].strip():
                found.append(source[begin:place])
            begin = end
        place = end
    return [*found, source[begin:]]
