# SPDX-License-Identifier: Apache-2.0
"""What Qt is given of somebody else's text, and the way back from what is shown to what is meant.

Qt-free. Three dangers, each met before Qt sees the text: characters that act or hide
(`tenuto.text.visible`); lines without an end, for which a text layout takes time quadratic in their
length (engineering.md, 0.4: one million characters, 33 s); and sheer size. The source stays as it
is: copying maps a place in the shown text back to the source.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from tenuto.text import visible
from tenuto_gui.render import bidi
from tenuto_gui.render.spans import Span, moved, within

#: Longer words are broken here, for display only.
MAX_LINE = 1_000
#: Longer lines are, whatever they are made of.
_MAX_WHOLE = 10_000
#: A block shows at most this much of its text in the transcript; the rest has its own window.
MAX_BLOCK_LINES = 200
MAX_BLOCK_CHARS = 60_000

_word = re.compile(r"[^ \t]+")
#: Colour and weight (SGR) only; every other escape sequence stays visible.
_sgr = re.compile("\x1b\\[[0-9;:]{0,64}m")
_begun_sgr = re.compile("\x1b(?:\\[[0-9;:]{0,64})?$")
_unwanted_in_copy = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_surrogates = re.compile("[\ud800-\udfff]")


class Excerpt(NamedTuple):
    """The beginning of a source text, as far as it is shown in a block."""

    #: How many characters of the source are covered.
    length: int
    #: Lines of the whole source (display breaks not counted).
    lines: int
    #: Whether all of the source is covered.
    whole: bool


def line_count(text: str) -> int:
    """Lines of a text; a line end at its end begins no new one."""
    if not text:
        return 0
    return text.count("\n") + (not text.endswith("\n"))


def excerpt(text: str, max_lines: int, max_chars: int = MAX_BLOCK_CHARS) -> Excerpt:
    """As many whole lines as both limits allow; a first line beyond the limit is cut inside."""
    lines = line_count(text)
    if lines <= max_lines and len(text) <= max_chars:
        return Excerpt(len(text), lines, True)
    end = -1
    for _ in range(max_lines):
        following = text.find("\n", end + 1)
        if following < 0:
            following = len(text)
        if following > max_chars:
            break
        end = following
        if end >= len(text):
            break
    if end < 0:
        end = min(max_chars, len(text))
    return Excerpt(end, lines, end >= len(text.rstrip("\n")))


def shown(text: str, *, prose: bool = True, columns: bool = False) -> str:
    """A text as it is given to Qt: no trailing line ends, nothing hidden, no endless line.

    ``columns``: it is output, read from the left, in which numbers keep their place.
    """
    if "\x1b" in text:
        text = _sgr.sub("", text)
    text = broken(visible(text.rstrip("\n"), prose=prose))[0]
    return bidi.marked(text, bidi.places(text)) if columns else text


def broken(text: str) -> tuple[str, list[int]]:
    """A text with line ends put into endless lines, and the offsets (of ``text``) of those."""
    if len(text) <= MAX_LINE:
        return text, []
    breaks: list[int] = []
    start = 0
    for line in text.split("\n"):
        if len(line) > MAX_LINE:
            breaks += (start + place for place in _breaks(line))
        start += len(line) + 1
    if not breaks:
        return text, []
    ends = [0, *breaks, len(text)]
    return "\n".join(text[a:b] for a, b in pairwise(ends)), breaks


def _breaks(line: str) -> Iterator[int]:
    last = 0
    for word in _word.finditer(line):
        place = word.start()
        if word.end() - last > _MAX_WHOLE and place > last:
            yield place
            last = place
        # Qt tries every letter of a word without an end against all others.
        while word.end() - place > MAX_LINE:
            place += MAX_LINE
            yield place
            last = place


def styled(text: str, spans: Iterable[Span]) -> tuple[str, list[Span]]:
    """As ``shown`` of output, for a text without escape sequences that has spans: both as shown."""
    text = text.rstrip("\n")
    kept = within(spans, len(text))
    if not (text.isascii() and text.isprintable()):
        # Piece by piece, so that each span ends where its piece does.
        pieces: list[str] = []
        start = length = place = 0
        moved_spans = []
        for span in kept:
            before, inside = text[place : span.start], text[max(span.start, place) : span.end]
            for piece in (before, inside):
                pieces.append(visible(piece, prose=True))
                start, length = length, length + len(pieces[-1])
            place = max(span.end, place)
            moved_spans.append(span._replace(start=start, end=length))
        pieces.append(visible(text[place:], prose=True))
        text, kept = "".join(pieces), moved_spans
    text, breaks = broken(text)
    kept = moved(kept, breaks)
    marks = bidi.places(text)
    return bidi.marked(text, marks), moved(kept, marks)


def units(text: str) -> list[int] | None:
    """Qt's offset (UTF-16) of each character and of the end; None where they are Python's own."""
    if text.isascii() or max(text, default="") < "\U00010000":
        return None
    return [0, *accumulate(1 + (character > "\uffff") for character in text)]


def without_colours(text: str) -> str:
    """A text without the colour sequences of a terminal; other sequences are shown."""
    return _sgr.sub("", text) if "\x1b" in text else text


def from_units(text: str, offset: int) -> int:
    """Python's offset for an offset of Qt; one inside of a character is that character's."""
    table = units(text)
    return min(offset, len(text)) if table is None else max(bisect_right(table, offset) - 1, 0)


def source_offset(text: str, offset: int, *, prose: bool = True, columns: bool = False) -> int:
    """The place in the source whose shown form begins at ``offset`` of ``shown(text, ...)``.

    Found by halving: a prefix of the source shows as a prefix of what is shown (within the few
    characters of an escape sequence or an emoji, which are never cut in two on purpose).
    """
    if columns and not text.isascii():
        # A mark is nothing of the source: it goes with the character behind it.
        offset -= shown(text, prose=prose, columns=True).count(bidi.MARK, 0, offset)
    if offset <= 0:
        return 0
    low, high = 0, len(text)
    if text.isascii() and text.isprintable() and len(text) <= MAX_LINE:
        return min(offset, high)
    while low < high:
        middle = (low + high) // 2
        # The sentinel keeps line ends at the end of the prefix, which ``shown`` would strip.
        prefix = _begun_sgr.sub("", text[:middle])
        if len(shown(prefix + "x", prose=prose)) - 1 < offset:
            low = middle + 1
        else:
            high = middle
    # A line end of two characters is one: never begin between them.
    return low + (text[low - 1 : low + 1] == "\r\n")


def for_clipboard(text: str) -> str:
    """A text without what acts on a terminal it is pasted into; lone surrogates become U+FFFD."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _surrogates.sub("\ufffd", _unwanted_in_copy.sub("", _sgr.sub("", text)))
