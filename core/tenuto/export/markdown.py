# SPDX-License-Identifier: Apache-2.0
"""A session as Markdown.

The words of a model are Markdown themselves and stay so, but for what a viewer would load or run:
HTML and images are escaped. What a tool said is code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tenuto.export.story import ASIDES, Story, notice, outcome
from tenuto.render.markdown import is_harmless
from tenuto.sources.arguments import arguments
from tenuto.sources.base import Block
from tenuto.text import one_line, visible

_fence = re.compile(r" {0,3}(`{3,}|~{3,})")
_ticks = re.compile("`+")
#: What begins HTML, but for a link in angle brackets; and an image.
_live = re.compile(r"<(?=[A-Za-z/!?])(?!https?://|mailto:)|!\[", re.IGNORECASE)
#: Without these there is no HTML, no image and no link; a backslash before them does no harm.
_ESCAPES = str.maketrans({"<": "&lt;", "[": "&#91;", "`": "&#96;", "~": "&#126;"})
_special = re.compile(r"([\\`*_\[\]<>#|~!&])")


def markdown(story: Story) -> Iterator[str]:
    """The document, in pieces."""
    yield f"# {_escaped(one_line(story.title, 200))}\n\n"
    for name, value in story.facts:
        yield f"- {name}: {_escaped(visible(value))}\n"
    if story.note:
        yield "\n" + _quoted(story.note)
    yield "\n"
    for block in story.blocks:
        yield from _block(block)
        yield "\n"


def _block(block: Block) -> Iterator[str]:
    time = f" ({block.time})" if block.time else ""
    match block.kind:
        case "prompt" | "follow_up":
            yield f"---\n\n**Prompt**{time}\n\n"
            yield _quoted(block.text)
        case "text":
            yield defanged(visible(block.text, prose=True)).strip("\n") + "\n"
        case "thinking":
            yield f"**Thinking**{time}\n\n"
            yield _quoted(block.text)
        case "tool_call":
            yield from _call(block, time)
        case "notice" if block.notice in ASIDES:
            yield f"**{ASIDES[block.notice]}**{time}\n\n"
            yield _quoted(block.text)
        case "notice":
            yield f"---\n\n*{_escaped(visible(notice(block)))}*\n"


def _call(block: Block, time: str) -> Iterator[str]:
    took = f", {block.ms} ms" if block.ms is not None else ""
    became = outcome(block)
    yield f"**Tool** {_code(visible(block.name))}{time}{took}{': ' + became if became else ''}\n\n"
    words = arguments(block.input)
    if words:
        yield _fenced(words)
    if block.result:
        yield _fenced(visible(block.result, prose=True))


def _quoted(text: str) -> str:
    """Somebody's words as a quotation, Markdown in it kept."""
    lines = defanged(visible(text, prose=True)).strip("\n").split("\n")
    return "".join(f"> {line}".rstrip() + "\n" for line in lines)


def _fenced(text: str) -> str:
    """Text as code, whatever it holds."""
    longest = max((len(run) for run in _ticks.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text.removesuffix(chr(10))}\n{fence}\n\n"


def _code(text: str) -> str:
    text = text.replace("\n", " ")
    longest = max((len(run) for run in _ticks.findall(text)), default=0)
    ticks = "`" * (longest + 1)
    return f"{ticks} {text} {ticks}" if longest else f"`{text}`"


def _escaped(text: str) -> str:
    return _special.sub(r"\\\1", text.replace("\n", " "))


def defanged(text: str) -> str:
    """Markdown whose HTML and images are words.

    Nothing is changed inside of code, as far as that can be told line by line. A parser has the
    last word: where it would still find something that is loaded or run, or code without an end,
    all of the text is escaped, code too.
    """
    lines = []
    fence = ""
    for line in text.split("\n"):
        opening = _fence.match(line)
        if opening and fence:
            if opening[1].startswith(fence) and not line[opening.end() :].strip():
                fence = ""
        elif opening:
            fence = opening[1]
        elif not fence:
            line = _defanged_line(line)  # noqa: PLW2901
        lines.append(line)
    if fence:
        lines.append(fence)
    candidate = "\n".join(lines)
    return candidate if is_harmless(candidate) else text.translate(_ESCAPES)


def _defanged_line(line: str) -> str:
    """Outside of code spans that begin and end on this line."""
    runs = list(_ticks.finditer(line))
    if not runs:
        return _live.sub(_as_word, line)
    ends: dict[int, list[int]] = {}
    for number, run in enumerate(runs):
        ends.setdefault(len(run[0]), []).append(number)
    parts = []
    position = number = 0
    while number < len(runs):
        run = runs[number]
        same = ends[len(run[0])]
        while same and same[0] <= number:
            same.pop(0)
        if not same or line[: run.start()].endswith("\\"):
            number += 1
            continue
        end = runs[same[0]].end()
        parts += [_live.sub(_as_word, line[position : run.start()]), line[run.start() : end]]
        position = end
        number = same[0] + 1
    parts.append(_live.sub(_as_word, line[position:]))
    return "".join(parts)


def _as_word(match: re.Match[str]) -> str:
    return "!\\[" if match[0] == "![" else "&lt;"
