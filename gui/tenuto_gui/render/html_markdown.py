# SPDX-License-Identifier: Apache-2.0
"""A stretch of rendered Markdown as Markdown again: what is selected, cut at its ends. Qt-free.

The HTML is that of ``tenuto.render.markdown`` (its few tags, well formed). A stretch is named by
how many characters that are not white space come before each of its ends: a count on which the HTML
and what Qt made of it agree, whatever either does to white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape

_piece = re.compile(r"<(/?)([a-z][a-z0-9]{0,10})((?: [^<>]{0,4000})?)>|([^<]+|<)")
_href = re.compile(r'href="([^"]*)"')
_start = re.compile(r'start="(\d{1,9})"')
_blanks = re.compile(r"\s+")
#: What Markdown would read as more than itself, wherever it stands.
_special = re.compile(
    r"\\(?=[!-/:-@\[-`{-~\n]|$)|[`\[]|(?<!\w)_|_(?!\w)|\*(?!\s)|(?<!\s)\*|~~|<(?=[A-Za-z/!?])"
    r"|&(?=#?[A-Za-z0-9]{1,31};)"
)
#: And what it would at the beginning of a line: points, rules, headings, quotations, numbers.
_leading = re.compile(
    r"(?m)^( {0,3})(?:([-+*](?=\s|$)|[-=|:][-=|: \t]*$|#{1,6}(?=\s|$)|>)|(\d{1,9})(?=[.)](?:\s|$)))"
)
#: What ends an address that stands bare: white space, with a mark of the sentence before it or not.
_end_of_address = re.compile(r"[.,;:!?]?(?:\s|$)")
#: What may stand in angle brackets as an address (CommonMark, "Autolinks").
_bracketed = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>\x00-\x1f\x7f]*")
_ticks = re.compile("`+")

_RULES = {"left": ":---", "center": ":---:", "right": "---:"}
_MARKS = {"strong": "**", "em": "*", "s": "~~"}
_BLOCKS = frozenset("p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr table".split())


@dataclass
class _Node:
    tag: str
    attributes: str = ""
    children: list[_Node | str] = field(default_factory=list)


def visible_count(text: str) -> int:
    """How many characters of a text are not white space."""
    return len(_blanks.sub("", text))


def markdown_of(html: str, first: int = 0, last: int | None = None) -> str:
    """Markdown for the characters ``first`` to ``last`` of some HTML (white space not counted)."""
    tree = _cut(_parse(html), first, last)
    return _blocks(tree.children, tight=False).strip("\n")


def cell_of(html: str) -> str:
    """Markdown for one cell of a table."""
    return _cell(_parse(html))


def fenced(text: str, language: str = "") -> str:
    """Text letter for letter, in a fence that nothing in it ends."""
    longest = max((len(run) for run in _ticks.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


# --- reading -------------------------------------------------------------------------------------


def _parse(html: str) -> _Node:
    root = _Node("")
    stack = [root]
    broken = False
    for match in _piece.finditer(html):
        closing, tag, attributes, text = match.groups()
        if text is not None:
            if broken:
                # The line end behind a break belongs to it: two would end the paragraph.
                text = text.removeprefix("\n")
            stack[-1].children.append(unescape(text))
        elif closing:
            if len(stack) > 1:
                stack.pop()
        else:
            node = _Node(tag, attributes)
            stack[-1].children.append(node)
            if tag not in ("br", "hr"):
                stack.append(node)
        broken = tag == "br"
    return root


class _Window:
    """Counts the characters that go by, and keeps those between two counts."""

    def __init__(self, first: int, last: int | None) -> None:
        self.first, self.last, self.seen = first, last, 0

    def open(self) -> bool:
        return self.seen >= self.first and (self.last is None or self.seen < self.last)

    def keep(self, text: str) -> str:
        count = visible_count(text)
        before, self.seen = self.seen, self.seen + count
        if before >= self.first and (self.last is None or self.seen <= self.last):
            # Blanks at the very ends are of no use to anybody.
            return text if count or self.open() or before > self.first else ""
        kept: list[str] = []
        for character in text:
            inside = self.first <= before and (self.last is None or before < self.last)
            if inside and (kept or not character.isspace() or before > self.first):
                kept.append(character)
            before += not character.isspace()
        return "".join(kept)


def _cut(root: _Node, first: int, last: int | None) -> _Node:
    if not first and last is None:
        return root
    found = _kept(root, _Window(first, last))
    return found if found is not None else _Node("")


def _kept(node: _Node, window: _Window) -> _Node | None:
    """The node with what of it is inside; None where nothing is."""
    if node.tag in ("br", "hr"):
        return node if window.open() and window.seen > window.first else None
    children: list[_Node | str] = []
    number = 0
    start = None
    for child in node.children:
        if isinstance(child, str):
            if text := window.keep(child):
                children.append(text)
            continue
        kept = _kept(child, window)
        if kept is not None:
            if start is None:
                start = number
            children.append(kept)
        number += child.tag == "li"
    if not any(isinstance(child, _Node) or child.strip() for child in children):
        return None
    attributes = node.attributes
    if node.tag == "ol" and start:
        # What is left of a numbered list keeps its numbers.
        begun = _start.search(attributes)
        attributes = f' start="{(int(begun[1]) if begun else 1) + start}"'
    return _Node(node.tag, attributes, children)


# --- writing -------------------------------------------------------------------------------------


def _blocks(children: list[_Node | str], *, tight: bool) -> str:
    """Blocks below each other, an empty line between two; loose words are a paragraph."""
    written: list[str] = []
    run: list[_Node | str] = []

    def paragraph() -> None:
        text = _leading.sub(_as_words, _inline(run).strip())
        if text:
            written.append(text)
        run.clear()

    for child in children:
        if isinstance(child, str) or child.tag not in _BLOCKS:
            run.append(child)
            continue
        paragraph()
        if text := _block(child):
            written.append(text)
    paragraph()
    return ("\n" if tight else "\n\n").join(written)


def _as_words(match: re.Match[str]) -> str:
    # A backslash before a digit is a backslash: a number is escaped behind it.
    return f"{match[1]}\\{match[2]}" if match[2] else f"{match[1]}{match[3]}\\"


def _block(node: _Node) -> str:
    tag = node.tag
    if tag == "p":
        return _blocks(node.children, tight=False)
    if tag[0] == "h" and tag[1:].isdigit():
        text = _inline(node.children).replace("\n", " ").strip()
        return f"{'#' * int(tag[1:])} {text}"
    if tag == "hr":
        return "---"
    if tag == "pre":
        return _pre(node)
    if tag == "blockquote":
        return _prefixed(_blocks(node.children, tight=False), "> ", "> ")
    if tag in ("ul", "ol"):
        return _list(node)
    if tag == "table":
        return _nested_table(node)
    return _blocks(node.children, tight=False)


def _nested_table(node: _Node) -> str:
    """A table inside of a list or a quotation; of one that is cut, the rows that are left."""
    rows = list(_all(node, "tr"))
    cells = [[_cell(cell) for cell in row.children if isinstance(cell, _Node)] for row in rows]
    return table_of(cells[0], cells[1:]) if cells else ""


def _all(node: _Node, tag: str) -> Iterator[_Node]:
    for child in node.children:
        if isinstance(child, _Node):
            if child.tag == tag:
                yield child
            else:
                yield from _all(child, tag)


def table_of(head: Sequence[str], rows: Sequence[Sequence[str]], align: Sequence[str] = ()) -> str:
    """A table of cells that are Markdown; ``align``: left, center, right or "" by column."""
    sides = [*align, *[""] * len(head)][: len(head)]
    lines = [head, [_RULES.get(side, "---") for side in sides], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _pre(node: _Node) -> str:
    code = next((each for each in node.children if isinstance(each, _Node)), node)
    language = re.search(r'class="language-([^"]*)"', code.attributes)
    text = _plain(node).removesuffix("\n")
    return fenced(text, unescape(language[1]) if language else "")


def _list(node: _Node) -> str:
    begun = _start.search(node.attributes)
    number = int(begun[1]) if begun else 1
    written = []
    for child in node.children:
        if not isinstance(child, _Node):
            continue
        mark = "- " if node.tag == "ul" else f"{number}. "
        number += 1
        loose = any(isinstance(each, _Node) and each.tag == "p" for each in child.children)
        inner = _blocks(child.children, tight=not loose)
        written.append(_prefixed(inner, mark, " " * len(mark)))
    return "\n".join(written)


def _prefixed(text: str, first: str, other: str) -> str:
    lines = text.split("\n")
    return "\n".join((first if not n else other) + line for n, line in enumerate(lines)).rstrip()


def _plain(node: _Node) -> str:
    return "".join(each if isinstance(each, str) else _plain(each) for each in node.children)


def _inline(children: list[_Node | str], outermost: bool = True) -> str:
    """``outermost``: what begins and ends here has no mark beside it."""
    written = []
    for place, child in enumerate(children):
        before = children[place - 1] if place else outermost
        after = children[place + 1] if place + 1 < len(children) else outermost
        written.append(_word(child, _ends_after(before) and _ends_before(after)))
    return "".join(written)


def _ends_after(before: _Node | str | bool) -> bool:
    """Whether an address begins behind it, whoever reads it."""
    if isinstance(before, _Node):
        return before.tag == "br"
    return before if isinstance(before, bool) else before[-1:].isspace()


def _ends_before(after: _Node | str | bool) -> bool:
    """Whether an address ends before it, whoever reads it."""
    if isinstance(after, str):
        return _end_of_address.match(after) is not None
    return after if isinstance(after, bool) else after.tag in _BLOCKS


def _address(target: str, alone: bool) -> str | None:
    """An address that shows itself; bare where nothing is ``alone`` beside it. None: impossible."""
    if alone and not _special.search(target):
        return target
    return f"<{target}>" if _bracketed.fullmatch(target) else None


def _word(child: _Node | str, alone: bool = False) -> str:
    if isinstance(child, str):
        return _special.sub(lambda match: "\\" + match[0], child)
    match child.tag:
        case "br":
            return "\\\n"
        case "code":
            return _code(_plain(child))
        case "a":
            found = _href.search(child.attributes)
            target = unescape(found[1]) if found else ""
            if _plain(child) == target and (address := _address(target, alone)):
                return address
            place = f"<{target}>" if "(" in target or ")" in target else target
            return f"[{_inline(child.children)}]({place})"
    text = _inline(child.children, outermost=False)
    mark = _MARKS.get(child.tag, "")
    # Marks with a blank inside are no marks.
    inner = text.strip()
    if not inner or not mark:
        return text
    begin = text[: len(text) - len(text.lstrip())]
    return f"{begin}{mark}{inner}{mark}{text[len(begin) + len(inner) :]}"


def _cell(node: _Node) -> str:
    text = re.sub(r"\\?\n+", " ", _inline(node.children).replace("\\\n\n", "\n")).strip()
    return text.replace("|", "\\|")


def _code(text: str) -> str:
    text = text.replace("\n", " ")
    longest = max((len(run) for run in _ticks.findall(text)), default=0)
    mark = "`" * (longest + 1)
    pad = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{mark}{pad}{text}{pad}{mark}" if text else ""
