# SPDX-License-Identifier: Apache-2.0
"""From time to pixels, with long gaps folded. Qt-free.

Work is drawn to scale; a folded gap has the same width however long it was. So a run of seconds
with a night in it shows its seconds.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from tenuto.sources.activity import Gap

#: Seconds between two marks of the axis, the finest that leaves room for the words is taken.
_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400)


@dataclass(frozen=True)
class Fold:
    """A folded gap: where its band is, in pixels, and what it stands for."""

    left: float
    right: float
    gap: Gap


@dataclass(frozen=True)
class _Stretch:
    """A time that is drawn to scale, and where it is."""

    start: float
    end: float
    left: float
    right: float


class TimeAxis:
    """Maps ``start`` .. ``end`` (seconds) onto 0 .. ``width`` (pixels), gaps folded."""

    def __init__(
        self, start: float, end: float, gaps: Sequence[Gap], width: float, fold: float
    ) -> None:
        """``fold``: pixels of a folded gap; fewer where they would take more than half of all."""
        gaps = [gap for gap in gaps if gap.end > start and gap.start < end]
        self.start, self.end, self.width = start, max(end, start), width
        fold = min(fold, width / 2 / len(gaps)) if gaps else fold
        folded = sum(min(gap.end, end) - max(gap.start, start) for gap in gaps)
        seconds = self.end - start - folded
        room = max(width - fold * len(gaps), 0.0)
        #: Pixels a second; the stretches get equal room where no second passed in any.
        self.scale = room / seconds if seconds > 0 else 0.0
        even = room / (len(gaps) + 1) if seconds <= 0 else 0.0
        self.folds: list[Fold] = []
        self._stretches: list[_Stretch] = []
        x, at = 0.0, start
        for gap in gaps:
            right = x + max(gap.start - at, 0.0) * self.scale + even
            self._stretches.append(_Stretch(at, max(gap.start, at), x, right))
            self.folds.append(Fold(right, right + fold, gap))
            x, at = right + fold, max(gap.end, at)
        self._stretches.append(_Stretch(at, max(self.end, at), x, width))
        self._rights = [stretch.right for stretch in self._stretches]
        self._starts = [stretch.start for stretch in self._stretches]

    def x(self, time: float) -> float:
        """Where a moment is. Within a fold by share of the gap, so that nothing overlaps."""
        place = max(bisect_right(self._starts, time) - 1, 0)
        stretch = self._stretches[place]
        if time <= stretch.end or place == len(self._stretches) - 1:
            if stretch.end <= stretch.start:
                return stretch.left
            share = (time - stretch.start) / (stretch.end - stretch.start)
            return stretch.left + min(max(share, 0.0), 1.0) * (stretch.right - stretch.left)
        fold = self.folds[place]
        share = (time - fold.gap.start) / (fold.gap.end - fold.gap.start)
        return fold.left + min(max(share, 0.0), 1.0) * (fold.right - fold.left)

    def step(self, room: float) -> float:
        """Seconds between two marks that are at least ``room`` pixels apart; 0 for no marks."""
        if self.scale <= 0:
            return 0.0
        longest = _STEPS[-1]
        days = ceil(room / self.scale / longest) * longest
        return float(next((step for step in _STEPS if step * self.scale >= room), days))

    def ticks(
        self,
        room: float,
        zone: float = 0.0,
        left: float = 0.0,
        right: float = float("inf"),
    ) -> list[tuple[float, float]]:
        """Marks at whole steps, as (x, seconds), at least ``room`` pixels apart.

        Of those between ``left`` and ``right``; which ones they are does not depend on that.
        ``zone``: seconds that the clock on the wall is ahead of UTC, so that whole hours are whole.
        """
        step = self.step(room)
        found: list[tuple[float, float]] = []
        if not step:
            return found
        first = max(bisect_left(self._rights, left) - 1, 0)
        for place in range(first, len(self._stretches)):
            stretch = self._stretches[place]
            if stretch.left > right:
                break
            low = max(stretch.start, stretch.start + (left - stretch.left) / self.scale)
            high = min(stretch.end, stretch.start + (right - stretch.left) / self.scale)
            moment = ceil((low + zone) / step) * step - zone
            while moment <= high:
                x = self.x(moment)
                if left <= x <= right and not self._crowded(place, x - room, step, zone):
                    found.append((x, moment))
                moment += step
        return found

    def _crowded(self, place: int, beyond: float, step: float, zone: float) -> bool:
        """Whether an earlier stretch may have a mark to the right of ``beyond``."""
        while place and self._stretches[place].left > beyond:
            place -= 1
            stretch = self._stretches[place]
            last = floor((stretch.end + zone) / step) * step - zone
            if last >= stretch.start and self.x(last) > beyond:
                return True
        return False


def columns(count: int, room: float, least: float, most: float) -> tuple[float, float]:
    """The width of one of ``count`` equal columns, and of all: they scroll rather than vanish."""
    if count <= 0:
        return most, room
    each = min(max(room / count, least), most)
    return each, max(each * count, room)


def nice_ceiling(value: float) -> tuple[int, int]:
    """A round number at or above ``value``, and the step of the lines below it (3 to 6 of them)."""
    if value <= 0:
        return 1, 1
    power = 1
    while power * 10 <= value:
        power *= 10
    for factor, parts in ((1, 5), (1.5, 3), (2, 4), (3, 3), (4, 4), (5, 5), (6, 3), (8, 4)):
        top = factor * power
        if top >= value and top == int(top) and int(top) % parts == 0:
            return int(top), int(top) // parts
    return 10 * power, 2 * power
