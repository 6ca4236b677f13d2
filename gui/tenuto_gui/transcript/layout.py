# SPDX-License-Identifier: Apache-2.0
"""Heights of the transcript's blocks: where each one begins, and which one is at a given y.

Qt-free. Heights are whole device-independent pixels. A Fenwick tree keeps the prefix sums, so a
height that is corrected when a block is first painted costs O(log n), as do ``top`` and ``find``;
a list view would ask every block again (engineering.md, part 2 a).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Anchor(NamedTuple):
    """A place that stays put while heights above it change: a block and pixels below its top."""

    row: int
    offset: int


class Heights:
    """A sequence of heights with fast prefix sums. No height is negative."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights: list[int] = []
        #: 1-based Fenwick tree: node i holds the sum of the ``i & -i`` heights that end at i.
        self._tree: list[int] = [0]
        self._rebuild(list(heights))

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    @property
    def total(self) -> int:
        """The sum of all heights."""
        return self.top(len(self._heights))

    def top(self, index: int) -> int:
        """The sum of the heights before ``index`` (0 <= index <= len)."""
        if not 0 <= index <= len(self._heights):
            raise IndexError(index)
        tree = self._tree
        total = 0
        while index:
            total += tree[index]
            index &= index - 1
        return total

    def find(self, y: int) -> Anchor:
        """The block that covers ``y``: ``top(i) <= y < top(i) + height``.

        Blocks without height cover nothing. Above the first block answers the first one, below the
        last block the last one, its full height as offset; an empty sequence answers (0, 0).
        """
        count = len(self._heights)
        if not count:
            return Anchor(0, 0)
        if y < 0:
            return Anchor(0, 0)
        tree = self._tree
        position = 0
        rest = y
        step = 1 << (count.bit_length() - 1)
        while step:
            following = position + step
            if following <= count and tree[following] <= rest:
                position = following
                rest -= tree[following]
            step >>= 1
        if position >= count:
            return Anchor(count - 1, self._heights[-1])
        return Anchor(position, rest)

    def set(self, index: int, height: int) -> int:
        """Set one height; answers by how much it grew."""
        if not 0 <= index < len(self._heights):
            raise IndexError(index)
        delta = height - self._heights[index]
        if delta:
            self._heights[index] = height
            tree = self._tree
            node = index + 1
            while node < len(tree):
                tree[node] += delta
                node += node & -node
        return delta

    def append(self, height: int) -> None:
        """Add one height at the end."""
        tree = self._tree
        node = len(tree)
        # The node covers the heights (node - lowbit, node]; its lower part is already summed.
        tree.append(height + self.top(node - 1) - self.top(node & (node - 1)))
        self._heights.append(height)

    def splice(self, first: int, removed: int, heights: Sequence[int]) -> None:
        """Put ``heights`` in the place of ``removed`` heights from ``first`` on."""
        if not 0 <= first <= first + removed <= len(self._heights):
            raise IndexError((first, removed))
        if first + removed == len(self._heights) and len(heights) + removed < 64:
            del self._heights[first:]
            del self._tree[first + 1 :]
            for height in heights:
                self.append(height)
            return
        if removed == len(heights):
            for index, height in enumerate(heights, first):
                self.set(index, height)
            return
        self._rebuild([*self._heights[:first], *heights, *self._heights[first + removed :]])

    def y_of(self, anchor: Anchor) -> int:
        """The y of an anchor; its offset is held inside the block as it is now."""
        if not self._heights:
            return 0
        index = min(max(anchor.row, 0), len(self._heights) - 1)
        return self.top(index) + min(max(anchor.offset, 0), self._heights[index])

    def _rebuild(self, heights: list[int]) -> None:
        tree = [0, *heights]
        for node in range(1, len(tree)):
            parent = node + (node & -node)
            if parent < len(tree):
                tree[parent] += tree[node]
        self._heights = heights
        self._tree = tree


def shift(anchor: Anchor, first: int, removed: int, added: int) -> Anchor:
    """Where an anchor is after ``removed`` blocks from ``first`` on became ``added`` ones.

    An anchor before the change stays; one behind it moves along; one inside it stays at the same
    rank as far as there are blocks, so that a block replaced by its newer self keeps its place.
    """
    if anchor.row < first:
        return anchor
    if anchor.row >= first + removed:
        return Anchor(anchor.row + added - removed, anchor.offset)
    rank = anchor.row - first
    if rank < added:
        return anchor
    return Anchor(max(first + added - 1, 0), 0)
