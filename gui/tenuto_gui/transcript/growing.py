# SPDX-License-Identifier: Apache-2.0
"""Markdown while it is being written: what stands is parsed once, its end again and again. Qt-free.

A reply comes by the hundred words a second and is shown thirty times in it, so a step may cost what
is new and no more.
"""

from __future__ import annotations

from collections import deque

from tenuto_gui.render.text import MAX_BLOCK_CHARS, MAX_BLOCK_LINES
from tenuto_gui.transcript.pieces import Piece
from tenuto_gui.transcript.prose import markdown_pieces


class LivePieces:
    """The end of a text that streams in, as pieces; an end is what is watched.

    Knows one text at a time. Another one, and one that did not grow from it, is read from its
    beginning.
    """

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        #: What is settled of the text, and the paragraphs at the end of that: lines, characters.
        self._read = ""
        self._settled: deque[tuple[int, int, list[Piece]]] = deque()
        self._lines = self._chars = 0

    def pieces(self, source: str) -> list[Piece]:
        """Whole paragraphs, as many from the end on as a block shows, and the unfinished one."""
        if not source.startswith(self._read):
            self._forget()
        *settled, last = paragraphs(source[len(self._read) :])
        if settled:
            self._settle(settled, source[: len(source) - len(last)])
        found = [piece for _, _, pieces in self._settled for piece in pieces]
        return found + markdown_pieces(_end(last))

    def _settle(self, paragraphs: list[str], read: str) -> None:
        self._read = read
        # What would be dropped again at once is not even parsed.
        first = len(paragraphs)
        lines = chars = 0
        while first and lines <= MAX_BLOCK_LINES and chars <= MAX_BLOCK_CHARS:
            first -= 1
            lines += paragraphs[first].count("\n") + 1
            chars += len(paragraphs[first])
        for paragraph in paragraphs[first:]:
            entry = (paragraph.count("\n") + 1, len(paragraph), markdown_pieces(_end(paragraph)))
            self._settled.append(entry)
            self._lines += entry[0]
            self._chars += entry[1]
        while len(self._settled) > 1 and (
            self._lines > MAX_BLOCK_LINES or self._chars > MAX_BLOCK_CHARS
        ):
            lines, chars, _ = self._settled.popleft()
            self._lines -= lines
            self._chars -= chars


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


def _end(paragraph: str) -> str:
    """A paragraph that is no longer than a block: its last lines; code stays code."""
    lines = paragraph.split("\n")
    if len(lines) <= MAX_BLOCK_LINES and len(paragraph) <= MAX_BLOCK_CHARS:
        return paragraph
    tail = "\n".join(lines[-MAX_BLOCK_LINES:])[-MAX_BLOCK_CHARS:]
    if lines[0].lstrip().startswith(("```", "~~~")) and len(lines[0]) < MAX_BLOCK_CHARS:
        return f"{lines[0]}\n{tail}"
    return tail
