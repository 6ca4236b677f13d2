# SPDX-License-Identifier: Apache-2.0
"""Columns of output keep their order where right-to-left words are among them. Qt-free.

A line of output is read from the left, as in a terminal. But by the bidirectional algorithm a
number behind an Arabic word belongs to that word's run, and is drawn on its other side: columns
change places, and "12 of 40" becomes "40 of 12". A mark that cannot be seen (U+200E) before such a
number, and before a word that begins another column, ends the run. The text itself never holds that
mark where it is put: ``tenuto.text.visible`` has made all of its own ones visible.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

#: LEFT-TO-RIGHT MARK.
MARK = "\u200e"

_rtl = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
#: What parts two columns.
_gap = re.compile(r"  |\t|[|\u2500-\u257f]")


def places(text: str) -> list[int]:
    """Offsets of ``text``, ascending, before each of which a mark belongs.

    Whether one belongs before a character is told by that character and by those before it, so that
    the beginning of a text has the marks that it has in the whole.
    """
    if text.isascii():
        return []
    found: list[int] = []
    end = 0
    # Not one pattern for a whole line: that would be tried from each of its characters.
    while (first := _rtl.search(text, end)) is not None:
        start = text.rfind("\n", end, first.start()) + 1 or end
        end = text.find("\n", first.start())
        end = len(text) if end < 0 else end
        _scan(text[start:end], start, found)
    return found


def _scan(line: str, start: int, found: list[int]) -> None:
    behind = -1
    for place, character in enumerate(line):
        kind = unicodedata.bidirectional(character)
        if kind == "L":
            behind = -1
        elif kind in ("R", "AL"):
            if behind >= 0 and _gap.search(line, behind + 1, place):
                found.append(start + place)
            behind = place
        elif kind in ("EN", "AN") and behind >= 0:
            found.append(start + place)
            behind = -1


def marked(text: str, at: list[int]) -> str:
    """A text with a mark before each of these offsets."""
    if not at:
        return text
    ends = [0, *at, len(text)]
    return MARK.join(text[a:b] for a, b in pairwise(ends))


def unmarked(text: str) -> str:
    """A shown text without the marks that were put in."""
    return text.replace(MARK, "")
