# SPDX-License-Identifier: Apache-2.0
"""Finding words in a transcript: what is compared, and where a hit is in what is shown. Qt-free.

Both sides are folded (compatibility forms, case), white space is a space, and the marks of Markdown
and colours of a terminal count for nothing: what looks like the words is a hit.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from tenuto_gui.render.bidi import MARK

_sgr = re.compile("\x1b\\[[0-9;:]{0,64}m")
_BLANKS = {ord(blank): " " for blank in "\t\n\r\u2028\u2029\xa0\u202f\u3000"}
#: The mark of ``render.bidi`` is no part of what is read.
_UNSEEN: dict[int, str | None] = {**_BLANKS, ord(MARK): None}
_WITHOUT_MARKS = {**_UNSEEN, **{ord(mark): None for mark in "*`~"}}

#: So much of a text is folded at a time.
CHUNK = 1 << 18


class Needle:
    """What is looked for."""

    def __init__(self, text: str) -> None:
        text = " ".join(text.split())
        self._table: dict[int, str | None] = dict(_WITHOUT_MARKS)
        self.folded = self.fold(text)
        if not self.folded:
            # Somebody looks for the marks themselves.
            self._table = dict(_UNSEEN)
            self.folded = self.fold(text)

    def __bool__(self) -> bool:
        return bool(self.folded)

    def fold(self, text: str) -> str:
        """A text as it is compared."""
        if "\x1b" in text:
            text = _sgr.sub("", text)
        folded = text.lower() if text.isascii() else _folded(text)
        return folded.translate(self._table)

    def count(self, text: str) -> int:
        """How many hits a text holds; the work is cut into pieces by ``counts``."""
        return sum(self.counts(text))

    def counts(self, text: str) -> Iterator[int]:
        """The hits of a text, one piece of it after the other."""
        needle = self.folded
        if len(text) <= CHUNK:
            yield self.fold(text).count(needle)
            return
        # A hit across the seam begins in the one piece and is found with the next one's beginning.
        over = 4 * len(needle) + 64
        for start in range(0, len(text), CHUNK):
            end = min(start + CHUNK, len(text))
            own = len(self.fold(text[start:end]))
            folded = self.fold(text[start : end + over])
            found = 0
            at = folded.find(needle)
            while 0 <= at < own:
                found += 1
                at = folded.find(needle, at + len(needle))
            yield found

    def hits(self, text: str) -> list[tuple[int, int]]:
        """Where the hits are in a text that is shown: (start, end), offsets of ``text``."""
        starts: Sequence[int]
        ends: Sequence[int]
        if text.isascii():
            folded, starts, ends = text.lower(), range(len(text)), range(1, len(text) + 1)
        else:
            folded, starts, ends = _with_places(text)
        table = self._table
        kept = [n for n, c in enumerate(folded) if table.get(ord(c), "") is not None]
        folded = folded.translate(table)
        found = []
        at = folded.find(self.folded)
        while at >= 0:
            end = at + len(self.folded)
            found.append((starts[kept[at]], ends[kept[end - 1]]))
            at = folded.find(self.folded, end)
        return found


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _with_places(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """A text folded, and for each of its characters where it begins and ends in the text."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    place = 0
    for cluster in _clusters(text):
        folded = _folded(cluster)
        pieces.append(folded)
        starts += [place] * len(folded)
        place += len(cluster)
        ends += [place] * len(folded)
    return "".join(pieces), starts, ends


def _clusters(text: str) -> list[str]:
    """Characters together with the marks that compose with them."""
    clusters: list[str] = []
    for character in text:
        joins = unicodedata.combining(character) or "\u1160" <= character <= "\u11ff"
        if joins and clusters:
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters
