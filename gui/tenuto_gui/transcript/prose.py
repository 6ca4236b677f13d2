# SPDX-License-Identifier: Apache-2.0
"""Markdown as pieces of a block: prose, code, tables. Qt-free."""

from __future__ import annotations

import re
from html import unescape

from tenuto.render import markdown
from tenuto_gui.render import bare_links
from tenuto_gui.render.text import (
    MAX_LINE,
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
        return [_plain(source)]
    pieces: list[Piece] = []
    for part in markdown.parts(without_colours(source)):
        match part:
            case markdown.Prose(html):
                pieces.append(Piece("prose", _with_ends(bare_links.linked(html))))
            case markdown.Code(language, text):
                code = shown(text, columns=True)
                pieces.append(Piece("code", code, "mono_small", source=text))
                pieces[-1].language = language
            case markdown.Table():
                pieces.append(Piece("table", table=_cut(part, full), full=full))
            case markdown.Plain(text):
                pieces.append(_plain(text))
    return pieces


def _plain(source: str) -> Piece:
    piece = Piece("text", shown(source), source=source)
    piece.links = bare_links.find(piece.text)
    return piece


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
    rows = (table.head, *rows)
    head, *body = (tuple(_with_ends(bare_links.linked(cell)) for cell in row) for row in rows)
    return markdown.Table(table.align, head, tuple(body))


def table_rows(table: markdown.Table, full: bool) -> tuple[tuple[str, ...], ...]:
    """The rows of a table that are shown."""
    return table.rows[: shown_rows(table, full)]
