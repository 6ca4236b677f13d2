# SPDX-License-Identifier: Apache-2.0
"""Colours that a tool wrote for a terminal, as theme tokens (look.md, "Colour"). Qt-free.

Only colour and weight (SGR) mean anything here; every other escape sequence stays visible.
"""

from __future__ import annotations

import re

from tenuto_gui.render.spans import Span

_sequence = re.compile("\x1b\\[([0-9;:]{0,64})m")
#: Sequences that are looked at; an output with more of them is shown without its last colours.
_MAX_SEQUENCES = 20_000

_INKS = ("text2", "fail", "done", "wait", "susp", "damg", "run", "text")
_GROUNDS = (
    "band", "del_bg", "add_bg", "wait_tint", "sel_off", "damg_tint", "sel", "band",
)  # fmt: skip


class _State:
    """What the sequences so far ask for."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.ink = self.ground = ""
        self.bold = self.bright = False

    def take(self, parameters: str) -> None:
        numbers = [int(word) if word else 0 for word in re.split("[;:]", parameters[:64])]
        place = 0
        while place < len(numbers):
            number = numbers[place]
            place += 1
            if number in (38, 48):
                place = self._extended(numbers, place, number)
            else:
                self._simple(number)

    def _simple(self, number: int) -> None:
        if number == 0:
            self.reset()
        elif number == 1:
            self.bold = True
        elif number == 22:
            self.bold = False
        elif 30 <= number <= 37:
            self.ink, self.bright = _INKS[number - 30], False
        elif number == 39:
            self.ink, self.bright = "", False
        elif 40 <= number <= 47:
            self.ground = _GROUNDS[number - 40]
        elif number == 49:
            self.ground = ""
        elif 90 <= number <= 97:
            self.ink, self.bright = _INKS[number - 90], True
        elif 100 <= number <= 107:
            self.ground = _GROUNDS[number - 100]

    def _extended(self, numbers: list[int], place: int, which: int) -> int:
        """``38;5;N`` by its nearest of the sixteen, ``38;2;R;G;B`` not at all: no other colours."""
        if place >= len(numbers):
            return place
        if numbers[place] == 2:
            return place + 4
        if place + 1 < len(numbers) and numbers[place + 1] < 16:
            index = numbers[place + 1]
            base = (30 if index < 8 else 82) + (10 if which == 48 else 0)
            self._simple(base + index)
        return place + 2

    def span(self, start: int, end: int) -> Span | None:
        if end <= start or not (self.ink or self.ground or self.bold):
            return None
        ink = "" if self.ink == "text" else self.ink
        return Span(start, end, ink, self.ground, self.bold or self.bright)


def parse(text: str) -> tuple[str, list[Span]]:
    """The text without its colour sequences, and what they colour in it."""
    if "\x1b[" not in text:
        return text, []
    state = _State()
    pieces: list[str] = []
    spans: list[Span] = []
    length = last = 0
    for count, match in enumerate(_sequence.finditer(text)):
        piece = text[last : match.start()]
        pieces.append(piece)
        if piece and (span := state.span(length, length + len(piece))) is not None:
            spans.append(span)
        length += len(piece)
        last = match.end()
        if count < _MAX_SEQUENCES:
            state.take(match[1])
        else:
            state.reset()
    rest = text[last:]
    pieces.append(rest)
    if (span := state.span(length, length + len(rest))) is not None:
        spans.append(span)
    return "".join(pieces), spans
