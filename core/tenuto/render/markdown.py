# SPDX-License-Identifier: Apache-2.0
"""Markdown of models, operators and tools as harmless HTML, in parts, for windows and exports.

The text is somebody else's (reliability.md, part 2). HTML in it is text; the tags that come out are
those of :data:`TAGS` and no others; a link leads to http, https or mailto, or is shown as text with
its target; nothing is ever loaded: an image is its description and its path. Every input takes time
and space in proportion to its length, and none of it is dropped.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Literal

import msgspec
from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from tenuto.text import visible

#: Longer texts are no Markdown that anybody wrote to be read: they are shown as they are.
MAX_TEXT = 100_000
#: So much of one paragraph, heading or cell is looked at for emphasis and links.
MAX_INLINE = 8_000
#: Quotations and lists inside of each other (a list counts twice).
MAX_DEPTH = 20
#: Longer targets are no links.
MAX_TARGET = 2_000
#: Targets may be named again and again by short references: so many characters of them in all.
MAX_TARGETS = 100_000
#: Cells of one table; a larger one is shown as it was written.
MAX_CELLS = 20_000

#: All tags that are ever made, and their attributes.
TAGS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys("p h1 h2 h3 h4 h5 h6 ul li blockquote pre em strong s br hr".split(), ()),
    **dict.fromkeys("table thead tbody tr".split(), ()),
    "ol": ("start",),
    "code": ("class",),
    "a": ("href",),
    "th": ("align",),
    "td": ("align",),
}

Align = Literal["", "left", "center", "right"]


class Prose(msgspec.Struct, frozen=True, tag=True):
    """Paragraphs, headings, lists, quotations: HTML. Code inside of a list is a ``pre`` in it."""

    html: str


class Code(msgspec.Struct, frozen=True, tag=True):
    """A code block: its text without the last newline, and the language as written, lower case."""

    #: Only letters, digits and ``_ + # . -``; "" where none, or no such word, was named.
    language: str
    text: str


class Table(msgspec.Struct, frozen=True, tag=True):
    """A table: each cell as HTML without a block. Every row has as many cells as the head."""

    align: tuple[Align, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Plain(msgspec.Struct, frozen=True, tag=True):
    """Text that is shown as it was written, since it is too much of something."""

    text: str


Part = Prose | Code | Table | Plain


def parts(text: str) -> list[Part]:
    """A text as what is drawn below each other. Code and tables at the top level stand alone.

    Characters that hide or act are visible marks in what is returned (``tenuto.text.visible``).
    """
    text = visible(text, prose=True)
    if len(text) > MAX_TEXT:
        return [Plain(text)]
    if not text.strip():
        return []
    return _Writer(text).parts(_parser().parse(text))


def html(text: str) -> str:
    """A text as one piece of HTML, made of the tags of :data:`TAGS`."""
    return "".join(_part_html(part) for part in parts(text))


def _part_html(part: Part) -> str:
    match part:
        case Prose(html):
            return html
        case Code(language, text):
            return _code_html(language, text) + "\n"
        case Table():
            return "".join(_table_html(part))
        case Plain(text):
            return f"<pre>{escape(text)}</pre>\n"


def _code_html(language: str, text: str) -> str:
    mark = f' class="language-{escape(language)}"' if language else ""
    return f"<pre><code{mark}>{escape(text)}\n</code></pre>"


def _table_html(table: Table) -> Iterator[str]:
    yield "<table>\n<thead>\n"
    yield _row_html("th", table.head, table.align)
    yield "</thead>\n<tbody>\n"
    for row in table.rows:
        yield _row_html("td", row, table.align)
    yield "</tbody>\n</table>\n"


def _row_html(tag: str, cells: Sequence[str], align: Sequence[Align]) -> str:
    written = (
        f'<{tag} align="{side}">{cell}</{tag}>' if side else f"<{tag}>{cell}</{tag}>"
        for cell, side in zip(cells, align, strict=True)
    )
    return f"<tr>{''.join(written)}</tr>\n"


def is_harmless(text: str) -> bool:
    """Whether any viewer of Markdown would show only words for ``text``, and go on behind it.

    False for HTML, images, links that run or open something, code that is never closed, and for
    what is too long to look at.
    """
    if len(text) > MAX_TEXT:
        return False
    tokens = _parser(html=True).parse(text + "\n\nbehind it")
    for token in tokens:
        if token.type == "html_block":
            return False
        for child in token.children or []:
            if child.type in ("html_inline", "image"):
                return False
            target = str(child.attrs.get("href", ""))
            if child.type == "link_open" and _scheme.match(target) and not _link.match(target):
                return False
        if token.type == "inline" and len(token.content) > MAX_INLINE:
            return False
    last = tokens[-2] if len(tokens) > 2 else None
    return last is not None and last.level == 1 and last.content == "behind it"


# --- parsing -------------------------------------------------------------------------------------


class _Blocks(ParserBlock):
    """What is nested too deeply becomes a paragraph; the library would drop it."""

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803
        if state.level < MAX_DEPTH:
            super().tokenize(state, startLine, endLine)
            return
        line = startLine
        while line < endLine and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
            line += 1
        content = state.getLines(startLine, line, state.blkIndent, False).strip()
        state.line = line
        if content:
            state.push("paragraph_open", "p", 1)
            state.push("inline", "", 0).content = content
            state.push("paragraph_close", "p", -1)


@functools.cache
def _parser(*, html: bool = False) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": html, "maxNesting": MAX_DEPTH + 1})
    parser.enable(["table", "strikethrough"])
    blocks = _Blocks()
    blocks.ruler = parser.block.ruler
    parser.block = blocks
    parser.core.ruler.at("inline", _inline)
    # Every target is taken for one here; what becomes a link is decided when it is written.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    return parser


def _inline(state: StateCore) -> None:
    """Look at the content of paragraphs, but for one so long that it is no paragraph."""
    for token in state.tokens:
        if token.type != "inline":
            continue
        children: list[Token] = []
        if len(token.content) > MAX_INLINE:
            for number, line in enumerate(token.content.split("\n")):
                if number:
                    children.append(Token("hardbreak", "br", 0))
                children.append(Token("text", "", 0, content=line))
        else:
            state.md.inline.parse(token.content, state.md, state.env, children)
        token.children = children


# --- writing -------------------------------------------------------------------------------------

_link = re.compile(r"(?:https?://[^\s/?#]|mailto:[^\s])[^\s\"'<>\x00-\x20]*", re.IGNORECASE)
_scheme = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:|(?:[\\/]|%5C){2}")
_language = re.compile(r"[0-9A-Za-z_+#.-]{1,40}")
_number = re.compile(r"[-+~$\u20ac\u00a3]?[0-9][0-9., _\u202f]*(?: ?[A-Za-z%\u00b5]{1,4})?")
_alignment = re.compile(r"text-align:(left|center|right)")
_simple = {"paragraph": "p", "blockquote": "blockquote", "bullet_list": "ul", "list_item": "li"}
_marks = {"em": "em", "strong": "strong", "s": "s"}


class _Writer:
    """Turns the tokens of one text into parts; knows how much of its targets were written."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._targets_left = MAX_TARGETS

    def parts(self, tokens: list[Token]) -> list[Part]:
        found: list[Part] = []
        prose: list[str] = []

        def end_prose() -> None:
            if prose:
                found.append(Prose("".join(prose)))
                prose.clear()

        position = 0
        while position < len(tokens):
            token = tokens[position]
            if token.level == 0 and token.type in ("fence", "code_block"):
                end_prose()
                found.append(Code(_language_of(token), token.content.removesuffix("\n")))
            elif token.type == "table_open":
                end = _closing(tokens, position, "table_close")
                table = self._table(tokens[position:end], token)
                if token.level == 0:
                    end_prose()
                    found.append(table)
                else:
                    prose.append(_part_html(table))
                position = end
            else:
                prose.append(self._block(token))
            position += 1
        end_prose()
        return found

    def _block(self, token: Token) -> str:
        kind = token.type
        if kind == "inline":
            return self._line(token.children or [])
        if kind in ("fence", "code_block"):
            return _code_html(_language_of(token), token.content.removesuffix("\n")) + "\n"
        if kind == "hr":
            return "<hr>\n"
        if kind == "paragraph_open" and token.hidden:
            return ""
        if kind == "paragraph_close" and token.hidden:
            return "\n"
        name, _, side = kind.rpartition("_")
        tag = token.tag if name == "heading" else _simple.get(name, "ol")
        if side == "close":
            return f"</{tag}>\n"
        start = token.attrs.get("start") if tag == "ol" else None
        newline = "" if name in ("paragraph", "heading", "list_item") else "\n"
        return (f'<{tag} start="{int(start)}">' if start is not None else f"<{tag}>") + newline

    # --- inside of a line ------------------------------------------------------------------------

    def _line(self, tokens: list[Token]) -> str:
        written: list[str] = []
        endings: list[str] = []
        for token in tokens:
            kind = token.type
            name, _, side = kind.rpartition("_")
            if kind == "text":
                written.append(escape(token.content))
            elif kind == "code_inline":
                written.append(f"<code>{escape(token.content)}</code>")
            elif kind == "softbreak":
                written.append("\n")
            elif kind == "hardbreak":
                written.append("<br>\n")
            elif kind == "image":
                written.append(self._image(token))
            elif kind == "link_open":
                start, end = self._target(str(token.attrs.get("href", "")))
                written.append(start)
                endings.append(end)
            elif kind == "link_close":
                written.append(endings.pop())
            elif name in _marks:
                written.append(f"</{_marks[name]}>" if side == "close" else f"<{_marks[name]}>")
            else:
                written.append(escape(token.content))
        return "".join(written)

    def _target(self, target: str) -> tuple[str, str]:
        """What is written before and behind the words of a link."""
        if not self._afford(target):
            return "", ""
        if len(target) <= MAX_TARGET and _link.fullmatch(target):
            return f'<a href="{escape(target)}">', "</a>"
        return "", f" ({escape(_shortened(target))})" if target else ""

    def _image(self, token: Token) -> str:
        path = str(token.attrs.get("src", ""))
        words = _words(token.children or []).strip()
        if not self._afford(path) or not path:
            return escape(words)
        return escape(f"{words} ({_shortened(path)})" if words else _shortened(path))

    def _afford(self, target: str) -> bool:
        self._targets_left -= len(target)
        return self._targets_left >= 0

    # --- tables ----------------------------------------------------------------------------------

    def _table(self, tokens: list[Token], opening: Token) -> Table | Plain:
        head: list[str] = []
        align: list[Align] = []
        rows: list[list[str]] = []
        words: list[list[str]] = []
        row: list[str] = head
        plain: list[str] = []
        cells = sum(token.type == "inline" for token in tokens)
        if cells > MAX_CELLS:
            first, last = opening.map or [0, 0]
            return Plain("\n".join(self._lines[first:last]))
        for token in tokens:
            if token.type == "tr_open" and head:
                row, plain = [], []
                rows.append(row)
                words.append(plain)
            elif token.type == "th_open":
                style = _alignment.search(str(token.attrs.get("style", "")))
                align.append(_side(style[1] if style else ""))
            elif token.type == "inline":
                row.append(self._line(token.children or []))
                plain.append(_words(token.children or []).strip())
        return Table(
            tuple(side or _numbers(column, words) for column, side in enumerate(align)),
            tuple(head),
            tuple(map(tuple, rows)),
        )


def _side(word: str) -> Align:
    return word if word in ("left", "center", "right") else ""  # type: ignore[return-value]


def _numbers(column: int, rows: list[list[str]]) -> Align:
    """A column of numbers stands right, where the writer did not say."""
    cells = [row[column] for row in rows if row[column]]
    return "right" if cells and all(len(c) < 40 and _number.fullmatch(c) for c in cells) else ""


def _words(tokens: list[Token]) -> str:
    """The characters of a line without its marks."""
    found: list[str] = []
    for token in tokens:
        if token.type == "image":
            found.append(_words(token.children or []))
        elif token.type in ("softbreak", "hardbreak"):
            found.append(" ")
        else:
            found.append(token.content)
    return "".join(found)


def _shortened(target: str) -> str:
    return target if len(target) <= 300 else target[:299] + "\u2026"


def _language_of(token: Token) -> str:
    word = token.info.split()[0].lower() if token.info.split() else ""
    return word if _language.fullmatch(word) else ""


def _closing(tokens: list[Token], position: int, kind: str) -> int:
    while tokens[position].type != kind:
        position += 1
    return position
