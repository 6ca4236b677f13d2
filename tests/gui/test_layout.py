# SPDX-License-Identifier: Apache-2.0
"""The transcript's heights against a naive model."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tenuto_gui.transcript.layout import Anchor, Heights, shift

HEIGHTS = st.lists(st.integers(0, 500), max_size=80)


def naive_find(heights: list[int], y: int) -> tuple[int, int]:
    top = 0
    for index, height in enumerate(heights):
        if top <= y < top + height:
            return index, y - top
        top += height
    return len(heights) - 1, heights[-1]


@given(HEIGHTS, st.data())
def test_tops_and_find_equal_the_naive_model(heights: list[int], data: st.DataObject) -> None:
    tree = Heights(heights)
    for _ in range(data.draw(st.integers(0, 12))):
        action = data.draw(st.sampled_from(["set", "append", "splice"]))
        if action == "set" and heights:
            index = data.draw(st.integers(0, len(heights) - 1))
            height = data.draw(st.integers(0, 500))
            grown = tree.set(index, height)
            assert grown == height - heights[index]
            heights[index] = height
        elif action == "append":
            height = data.draw(st.integers(0, 500))
            tree.append(height)
            heights.append(height)
        else:
            first = data.draw(st.integers(0, len(heights)))
            removed = data.draw(st.integers(0, len(heights) - first))
            new = data.draw(st.lists(st.integers(0, 500), max_size=90))
            tree.splice(first, removed, new)
            heights[first : first + removed] = new
        assert len(tree) == len(heights)
        assert tree.total == sum(heights)
    assert [tree.top(i) for i in range(len(heights) + 1)] == [
        sum(heights[:i]) for i in range(len(heights) + 1)
    ]
    assert [tree[i] for i in range(len(heights))] == heights
    if heights:
        for y in range(0, sum(heights) + 3, max(1, sum(heights) // 40)):
            assert tuple(tree.find(y)) == naive_find(heights, y)
        assert tree.find(-5) == Anchor(0, 0)


@given(st.lists(st.integers(1, 300), min_size=1, max_size=60), st.data())
def test_an_anchor_keeps_its_block_on_screen_when_heights_above_change(
    heights: list[int], data: st.DataObject
) -> None:
    tree = Heights(heights)
    y = data.draw(st.integers(0, tree.total - 1))
    anchor = tree.find(y)
    assert tree.y_of(anchor) == y
    for index in range(anchor.row):
        tree.set(index, data.draw(st.integers(0, 900)))
    assert tree.find(tree.y_of(anchor)) == anchor


def test_an_empty_sequence_has_no_place() -> None:
    tree = Heights()
    assert tree.total == 0
    assert tree.find(10) == Anchor(0, 0)
    assert tree.y_of(Anchor(3, 7)) == 0


@given(
    st.integers(0, 20),
    st.integers(0, 20),
    st.integers(0, 20),
    st.integers(0, 20),
    st.integers(0, 20),
)
def test_shift_follows_the_block(
    index: int, first: int, removed: int, added: int, tail: int
) -> None:
    before = [f"old{i}" for i in range(first + removed + tail)]
    if index >= len(before):
        return
    after = before[:first] + [f"new{i}" for i in range(added)] + before[first + removed :]
    moved = shift(Anchor(index, 5), first, removed, added)
    if before[index] in after:
        assert after[moved.row] == before[index]
        assert moved.offset == 5
    elif after:
        assert 0 <= moved.row < len(after)
