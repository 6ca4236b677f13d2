# SPDX-License-Identifier: Apache-2.0
"""A transcript as text for a terminal: plain, sanitised, whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tenuto.sources.arguments import arguments
from tenuto.sources.base import Block
from tenuto.sources.forcing import forced_words
from tenuto.text import single_line, visible

#: What a tool coloured its output with: it says nothing without a terminal that obeys.
_COLOURS = re.compile("\x1b\\[[0-9;:]*m")
_ENDINGS = {
    "completed": "completed",
    "suspended": "suspended",
    "error": "failed",
    "budget": "stopped at the token budget",
    "max_iterations": "stopped at the iteration budget",
    "interrupted": "interrupted",
    "forced": "resumed",
    "torn": "cut off here",
    "damaged": "damaged",
    "newer": "newer version",
    "empty": "empty",
    "provider": "block of the provider",
}
_UNANSWERED = {
    "running": "running",
    "unknown": "no result: it may have run",
    "not_started": "not started",
}


def render(blocks: Iterable[Block]) -> Iterator[str]:
    """Each block as lines, an empty line between blocks."""
    for block in blocks:
        yield from _block(block)
        yield ""


def _block(block: Block) -> Iterator[str]:
    match block.kind:
        case "prompt" | "follow_up":
            yield from _prefixed("> ", block.text)
        case "text":
            yield from _lines(block.text)
        case "thinking":
            yield "(thinking)"
            yield from _prefixed("  ", block.text)
        case "tool_call":
            yield from _call(block)
        case "notice":
            yield _notice(block)


def _call(block: Block) -> Iterator[str]:
    yield f"* {single_line(block.name)} {arguments(block.input)}".rstrip()
    if block.result is None:
        yield f"  ({_UNANSWERED.get(block.state, block.state)})"
        return
    yield from _prefixed("  ", _COLOURS.sub("", block.result.removesuffix("\n")))
    if block.state == "denied":
        yield "  (denied)"
    elif block.exit_code:
        yield f"  (exit {block.exit_code})"
    elif block.state == "failed":
        yield "  (failed)"
    if block.truncated:
        yield "  (the tool's output was cut)"


def _notice(block: Block) -> str:
    words = [_ENDINGS.get(block.notice) or single_line(block.notice)]
    if block.seq:
        words.append(f"(record {block.seq})")
    if block.line:
        words.append(f"(line {block.line}, byte {block.offset})")
    if block.text:
        words.append(": " + visible(block.text).replace("\n", " "))
    if block.resumed:
        words.append(f"- resumed {block.resumed_time}".rstrip())
    if block.forced is not None:
        words.append(f"- {forced_words(block.forced)}")
    return "-- " + " ".join(words).replace(" : ", ": ") + " --"


def _lines(text: str) -> list[str]:
    return visible(text, prose=True).split("\n")


def _prefixed(prefix: str, text: str) -> Iterator[str]:
    for line in _lines(text):
        yield (prefix + line).rstrip()
