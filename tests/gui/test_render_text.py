# SPDX-License-Identifier: Apache-2.0
"""What Qt is given of somebody else's text, and the way back to the source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto_gui.render.text import (
    MAX_LINE,
    excerpt,
    for_clipboard,
    line_count,
    shown,
    source_offset,
)

ODD = st.text(
    alphabet=st.one_of(
        st.sampled_from("ab \n\r\t\x00\x07\x1b[3;1m\x9b\u202e\u2066\u200d\ufe0f\ud83d\ufeff"),
        st.characters(),
    ),
    max_size=120,
)


@given(ODD)
def test_nothing_acts_or_hides(text: str) -> None:
    result = shown(text)
    assert not any(ord(c) < 0x20 and c not in "\n\t" for c in result)
    assert not any(0x7F <= ord(c) <= 0x9F for c in result)
    assert not set(result) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u2028\ufeff")
    result.encode("utf-8")


@given(st.lists(st.integers(0, 4 * MAX_LINE), max_size=6))
def test_no_line_is_endless_and_none_is_lost(lengths: list[int]) -> None:
    text = "\n".join("x" * length for length in lengths)
    result = shown(text)
    assert all(len(line) <= MAX_LINE for line in result.split("\n"))
    assert result.count("x") == sum(lengths)


def test_a_line_of_words_is_left_to_the_window_to_wrap() -> None:
    line = "word " * 1_000
    assert shown(line) == line
    assert max(map(len, shown(line * 10).split("\n"))) <= 10_000
    assert shown(line * 10).replace("\n", "") == line * 10


@given(ODD)
def test_the_way_back_is_in_order_and_whole(text: str) -> None:
    result = shown(text)
    places = [source_offset(text, offset) for offset in range(len(result) + 1)]
    assert places == sorted(places)
    assert places[0] == 0
    assert text[places[-1] :].strip("\r\n\u2028\u2029") in ("", text[places[-1] :])


@pytest.mark.parametrize(
    ("text", "offset", "rest"),
    [
        ("plain", 2, "ain"),
        ("a\x1b[31mred", 1, "red"),
        ("a\u202eb", 9, "b"),
        ("x" * 1500 + "y", 1501, "y"),
        ("one\r\ntwo", 4, "two"),
    ],
)
def test_a_place_goes_back_to_its_character(text: str, offset: int, rest: str) -> None:
    assert text[source_offset(text, offset) :].removeprefix("\x1b[31m") == rest


@given(st.lists(st.text(alphabet="ab", max_size=12), max_size=30), st.integers(1, 10))
def test_an_excerpt_is_the_beginning_in_whole_lines(lines: list[str], most: int) -> None:
    text = "\n".join(lines)
    part = excerpt(text, most, 40)
    begun = text[: part.length]
    assert part.lines == line_count(text)
    assert part.length <= 40
    assert line_count(begun) <= most
    if part.whole:
        assert text[part.length :].strip("\n") == ""
    else:
        assert part.lines > most or len(text) > 40
        assert part.length == 40 or text[part.length] == "\n"


@given(ODD)
def test_what_is_copied_does_nothing_in_a_terminal(text: str) -> None:
    copied = for_clipboard(text)
    assert not any((ord(c) < 0x20 and c not in "\n\t") or 0x7F <= ord(c) <= 0x9F for c in copied)
    copied.encode("utf-8")


def test_a_million_characters_in_a_line_are_quick_enough_to_lay_out() -> None:
    result = shown("x" * 1_000_000)
    assert max(map(len, result.split("\n"))) == MAX_LINE
