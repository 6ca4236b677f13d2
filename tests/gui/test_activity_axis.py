# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of the Activity view: time to pixels, gaps folded."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tenuto.sources.activity import Gap
from tenuto_gui.activity.axis import TimeAxis, columns, nice_ceiling

moments = st.floats(0, 1e6, allow_nan=False)


@st.composite
def axes(draw: st.DrawFn) -> TimeAxis:
    cuts = sorted(draw(st.lists(moments, min_size=2, max_size=14, unique=True)))
    start, *inner, end = cuts
    pairs = zip(inner[::2], inner[1::2], strict=False)
    gaps = [Gap(a, b, "idle") for a, b in pairs]
    return TimeAxis(start, end, gaps, draw(st.floats(10, 5000)), draw(st.floats(1, 80)))


@given(axes(), moments, moments)
def test_later_is_never_further_left(axis: TimeAxis, one: float, other: float) -> None:
    first, second = sorted((one, other))
    assert -1e-6 <= axis.x(first) <= axis.x(second) + 1e-6 <= axis.width + 2e-6


@given(axes())
def test_the_ends_are_at_the_edges(axis: TimeAxis) -> None:
    assert axis.x(axis.start) == pytest.approx(0, abs=1e-6)
    assert axis.x(axis.end) == pytest.approx(axis.width)


@given(axes())
def test_folds_have_one_width_and_do_not_overlap(axis: TimeAxis) -> None:
    widths = [fold.right - fold.left for fold in axis.folds]
    assert all(width == pytest.approx(widths[0], abs=1e-6) for width in widths)
    assert sum(widths) <= axis.width / 2 + 1e-6
    for fold, following in itertools.pairwise(axis.folds):
        assert fold.right <= following.left + 1e-6
    for fold in axis.folds:
        assert axis.x(fold.gap.start) == pytest.approx(fold.left, abs=1e-3)


@given(axes(), st.floats(0, 1), st.floats(0, 1))
def test_work_is_drawn_to_scale(axis: TimeAxis, one: float, other: float) -> None:
    end = axis.folds[0].gap.start if axis.folds else axis.end
    span = end - axis.start
    assume(span > 1e-3)
    a, b = sorted((axis.start + one * span, axis.start + other * span))
    assert axis.x(b) - axis.x(a) == pytest.approx((b - a) * axis.scale, abs=1e-3)


@given(axes(), st.floats(20, 200), st.sampled_from([0.0, 3600.0, 19_800.0]))
def test_ticks_leave_room_and_are_whole_steps(axis: TimeAxis, room: float, zone: float) -> None:
    ticks = axis.ticks(room, zone)
    for (x, _), (following, _) in itertools.pairwise(ticks):
        assert following - x >= room - 1e-6
    for x, moment in ticks:
        assert (moment + zone) % 1 == pytest.approx(0, abs=1e-6)
        assert axis.x(moment) == pytest.approx(x)
        assert axis.start - 1e-6 <= moment <= axis.end + 1e-6


@given(axes(), st.floats(20, 200), st.floats(0, 5000), st.floats(0, 5000))
def test_ticks_do_not_depend_on_what_is_in_sight(
    axis: TimeAxis, room: float, one: float, other: float
) -> None:
    left, right = sorted((one, other))
    everywhere = axis.ticks(room)
    assert axis.ticks(room, 0.0, left, right) == [t for t in everywhere if left <= t[0] <= right]


def test_a_night_is_as_wide_as_an_hour() -> None:
    gaps = [Gap(10, 3610, "wait"), Gap(3620, 50_000, "suspended")]
    axis = TimeAxis(0, 50_010, gaps, 600, 54)
    assert [fold.right - fold.left for fold in axis.folds] == [54, 54]
    assert axis.scale == pytest.approx((600 - 108) / 30)
    assert axis.x(10) == pytest.approx(axis.folds[0].left)


def test_a_moment_alone_needs_no_time() -> None:
    axis = TimeAxis(5, 5, [], 100, 54)
    assert axis.x(5) == 0
    assert axis.ticks(50) == []


@given(st.integers(0, 100_000), st.floats(1, 2000))
def test_columns_fill_the_room_or_scroll(count: int, room: float) -> None:
    each, whole = columns(count, room, 22, 44)
    assert 22 <= each <= 44
    assert whole >= max(room, each * count) - 1e-6
    if each * count < room:
        assert each == 44 or count == 0


@given(st.integers(0, 10**12))
def test_the_scale_has_a_few_round_lines(value: int) -> None:
    top, step = nice_ceiling(value)
    assert top >= value
    assert top % step == 0
    assert 1 <= top // step <= 6
    assert value == 0 or top <= max(value * 2.5, 5)
