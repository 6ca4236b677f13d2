# SPDX-License-Identifier: Apache-2.0
"""Where the parts of a marker stand: beside each other, below each other where it is narrow."""

from __future__ import annotations

from tenuto.sources.base import Block
from tenuto_gui.fonts import Fonts
from tenuto_gui.transcript import words
from tenuto_gui.transcript.metrics import Metrics

#: Mark or icon, colour token, words (``words.marker``).
MarkerPart = tuple[str, str, str]


def left(m: Metrics) -> int:
    """Where the first mark of a line begins."""
    return m.rail + m.pad


def right(m: Metrics) -> int:
    """Where a marker's thin line ends: with the times, where there are any."""
    return m.time_right or m.width - m.pad


def between(m: Metrics) -> int:
    """From the words of one part to the mark of the next: a short line with air around it."""
    return 2 * m.pad + m.pad // 2


def lines(block: Block, m: Metrics, fonts: Fonts) -> list[list[MarkerPart]]:
    """The parts of a marker, in lines: one that does not fit begins a new line."""
    room = right(m) - left(m)
    found: list[list[MarkerPart]] = [[]]
    used = 0
    for part in words.marker(block):
        width = m.icon + m.pad // 2 + round(fonts.metrics("body").horizontalAdvance(part[2])) + 1
        if found[-1] and used + between(m) + width > room:
            found.append([])
            used = 0
        used += width + (between(m) if found[-1] else 0)
        found[-1].append(part)
    return found
