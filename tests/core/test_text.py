# SPDX-License-Identifier: Apache-2.0
"""The sanitiser: nothing acts on a terminal, nothing hides, nothing is cut in half."""

from __future__ import annotations

import unicodedata

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from tenuto.text import cut, elide, headline, one_line, pad, visible, width

# Every code point, lone surrogates included, with the dangerous ones likely.
DANGEROUS = (
    "\x00\x07\x08\x1b\x7f\x80\x9b\x9d\xad\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a"
    "\u202e\u2060\u2066\u2069\ufe0f\ufeff\U000e0041\U000e0100\U0001d173\ud83d\udc04\u3164\u2800"
)
any_text = st.text(
    st.one_of(
        st.sampled_from(DANGEROUS),
        st.sampled_from("a <>&\t\r\n\u00e9\u0301\u65e5\U0001f404\U0001f469\u20e3"),
        st.integers(0, 0x10FFFF).map(chr),
    )
)

BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def assert_harmless(text: str, allowed: str) -> None:
    for character in text:
        if character in allowed:
            continue
        assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp"), ascii(text)
        assert unicodedata.bidirectional(character) not in BIDI_CONTROLS, ascii(text)
    text.encode()


@given(any_text)
def test_visible_text_holds_nothing_that_acts_or_hides(text: str) -> None:
    shown = visible(text)
    assert_harmless(shown, "\n\t")
    # Strict: no format character but the visible signs of Arabic, Syriac and Kaithi.
    assert not regex.search(r"[\p{Cf}--\p{Prepended_Concatenation_Mark}]", shown, regex.V1)
    assert not regex.search(r"\p{Default_Ignorable_Code_Point}", shown)
    assert visible(shown) == shown


@given(any_text)
def test_prose_holds_nothing_that_acts(text: str) -> None:
    shown = visible(text, prose=True)
    assert_harmless(shown, "\n\t")
    assert "\u200b" not in shown
    assert visible(shown, prose=True) == shown


@given(any_text, st.integers(1, 40))
@example("\U0001f469\u200d\U0001f469\u200d\U0001f467" * 30, 3)
def test_one_line_is_one_short_line(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert_harmless(line, "")
    assert not set("\n\t") & set(line)
    assert "  " not in line
    assert line == line.strip()
    assert len(regex.findall(r"\X", line)) <= limit
    assert one_line(line, limit) == line


@given(st.text(max_size=60), st.integers(1, 20))
def test_a_cut_falls_between_user_visible_characters(text: str, limit: int) -> None:
    whole = regex.findall(r"\X", text)
    assert cut(text, limit) in ("".join(whole[:limit]).rstrip(), text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\u241b[31mred\u241b[0m"),
        ("nul\x00 bell\x07 del\x7f", "nul\u2400 bell\u2407 del\u2421"),
        ("csi \x9b31m", "csi <U+009B>31m"),
        ("invoice\u202efdp.exe", "invoice<U+202E>fdp.exe"),
        ("rm\u00a0-rf", "rm<U+00A0>-rf"),
        ("a\ud83d", "a\ufffd"),
        ("tag\U000e0041", "tag<U+E0041>"),
        ("lines\nand\ttabs stay", "lines\nand\ttabs stay"),
        ("cr\rover", "cr\u240dover"),
    ],
)
def test_marks(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "honest",
    [
        "family \U0001f469\u200d\U0001f469\u200d\U0001f467",
        "heart on fire \u2764\ufe0f\u200d\U0001f525",
        "keycap 1\ufe0f\u20e3",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "10\u00a0000 \u20ac",
        "caf\u00e9 cafe\u0301 \u65e5\u672c\u8a9e \U0001f404",
    ],
)
def test_prose_keeps_honest_writing(honest: str) -> None:
    assert visible(honest, prose=True) == honest


def test_a_joiner_between_ascii_letters_is_marked_even_in_prose() -> None:
    assert visible("pass\u200dword", prose=True) == "pass<U+200D>word"


def test_an_emoji_is_never_cut_in_two() -> None:
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
    assert one_line("ab" + family * 300, 4) == "ab" + family * 2
    assert one_line("x" * 199 + "\U0001f404!", 200) == "x" * 199 + "\U0001f404"


def test_one_character_of_endless_combining_marks_stays_bounded() -> None:
    assert len(one_line("e" + "\u0301" * 100_000, 200)) <= 200 * 16


def test_lines_become_spaces() -> None:
    assert one_line("\n\n  first\r\n\tsecond\u2028third  ", 200) == "first second third"


def test_elide_says_that_it_cut() -> None:
    assert elide("short", 5) == "short"
    assert elide("longer", 5) == "long\u2026"
    assert elide("\U0001f404" * 6, 5) == "\U0001f404" * 4 + "\u2026"


@given(any_text, st.integers(2, 40))
@example("a b" * 40, 4)
@example("caf\u00e9 \u65e5\u672c\u8a9e " * 30, 9)
@example("\u0928\u092e\u0938\u094d\u0924\u0947" * 30, 5)
def test_a_headline_is_an_elided_line(text: str, limit: int) -> None:
    line = one_line(text, limit * 4)
    assert headline(line, limit) == elide(line, limit)
    shown = headline(text, limit)
    assert_harmless(shown, "")
    assert len(regex.findall(r"\X", shown)) <= limit


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_the_quick_way_to_cut_is_the_right_one(text: str) -> None:
    for limit in range(1, min(len(text), 8)):
        whole = regex.findall(r"\X", text[: limit * 16])
        assert cut(text, limit) == "".join(whole[:limit]).rstrip() or text.isascii()


def test_columns() -> None:
    assert width("abc") == 3
    assert width("\u65e5\u672c") == 4
    assert width("e\u0301") == 1
    assert pad("\u65e5", 4) == "\u65e5  "
    assert pad("too long", 3) == "too long"
