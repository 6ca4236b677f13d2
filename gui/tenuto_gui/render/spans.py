# SPDX-License-Identifier: Apache-2.0
"""Stretches of a text that are drawn in a theme token's colour. Qt-free."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Span(NamedTuple):
    """``start`` to ``end`` of a text; offsets are Python's."""

    start: int
    end: int
    #: Token of the letters, "" for the usual one.
    ink: str = ""
    #: Token behind the letters, "" for none.
    ground: str = ""
    strong: bool = False
    #: The ground fills the line to its end.
    line: bool = False
    #: An address that can be opened.
    link: bool = False


def with_links(spans: Sequence[Span], links: Sequence[tuple[int, int]]) -> list[Span]:
    """Spans with these stretches as links, cut where one begins or ends; both are ascending."""
    if not links:
        return list(spans)
    ends = {place for span in spans for place in span[:2]} | {n for link in links for n in link}
    points = sorted(ends)
    found: list[Span] = []
    spanned = linked = 0
    for start, end in pairwise(points):
        while spanned < len(spans) and spans[spanned].end <= start:
            spanned += 1
        while linked < len(links) and links[linked][1] <= start:
            linked += 1
        is_link = linked < len(links) and links[linked][0] <= start
        if spanned < len(spans) and spans[spanned].start <= start:
            found.append(spans[spanned]._replace(start=start, end=end, link=is_link))
        elif is_link:
            found.append(Span(start, end, link=True))
    return found


def moved(spans: Iterable[Span], breaks: Sequence[int]) -> list[Span]:
    """The same spans after a line end was put in at each of ``breaks`` (ascending offsets)."""
    if not breaks:
        return list(spans)
    return [
        span._replace(
            start=span.start + bisect_right(breaks, span.start),
            end=span.end + bisect_right(breaks, span.end - 1),
        )
        for span in spans
    ]


def within(spans: Iterable[Span], length: int) -> list[Span]:
    """The spans of the first ``length`` characters."""
    kept = []
    for span in spans:
        if span.start >= length:
            break
        kept.append(span if span.end <= length else span._replace(end=length))
    return kept
