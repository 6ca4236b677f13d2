# SPDX-License-Identifier: Apache-2.0
"""Forms of text: colours of a terminal, diffs, JSON, code, links, what is found. No window."""

from __future__ import annotations

import json
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto_gui.render import ansi, code, diff, json_text, links
from tenuto_gui.render.find import CHUNK, Needle
from tenuto_gui.render.spans import Span
from tenuto_gui.render.text import from_units, shown, styled, units


def stretches(text: str, spans: list[Span]) -> list[tuple[str, str, str, bool]]:
    return [(text[s.start : s.end], s.ink, s.ground, s.strong) for s in spans]


# --- colours of a terminal ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("\x1b[31mred\x1b[0m plain", [("red", "fail", "", False)]),
        ("\x1b[1;32mok\x1b[22m soft", [("ok", "done", "", True), (" soft", "done", "", False)]),
        ("\x1b[92mbright", [("bright", "done", "", True)]),
        ("\x1b[33m\x1b[44mboth\x1b[49m\x1b[39m", [("both", "wait", "sel_off", False)]),
        ("\x1b[38;5;9mnine\x1b[38;2;1;2;3mnone", [("nine", "fail", "", True)] * 1),
        ("\x1b[37mwhite", []),
        ("\x1b[mreset", []),
        ("\x1b[38", []),
    ],
)
def test_colours_become_tokens(source: str, found: list[tuple[str, str, str, bool]]) -> None:
    text, spans = ansi.parse(source)
    kept = [each for each in stretches(text, spans) if each[1] or each[2]]
    assert kept[: len(found)] == found


@given(st.text(alphabet="ab \n\x1b[0123456789;m\u202e\U0001f600", max_size=80))
def test_coloured_text_reads_as_without_colours(source: str) -> None:
    text, spans = ansi.parse(source)
    result, moved = styled(text, spans)
    assert result == shown(source)
    assert all(0 <= s.start <= s.end <= len(result) for s in moved)
    assert all(a.end <= b.start for a, b in pairwise(moved))


# --- diffs ----------------------------------------------------------------------------------------

DIFF = """diff --git a/x b/x
--- a/x
+++ b/x
@@ -1,3 +1,3 @@ def x():
 same
--- gone
+++ came
 same
after
"""


def test_lines_of_a_diff_are_told_by_their_hunk() -> None:
    assert diff.is_diff(DIFF)
    spans = diff.spans(DIFF)
    lines = {DIFF[s.start : s.end]: s.ink for s in spans if s.ground in ("add_bg", "del_bg")}
    assert lines == {"--- gone": "del", "+++ came": "add"}
    assert all(s.line for s in spans if s.ground)


@pytest.mark.parametrize("text", ["", "--- a\n+++ b\n", "- a\n+ b", "@@ -1 +1 @@", "-1\n+2\n" * 9])
def test_what_is_no_diff_is_not_taken_for_one(text: str) -> None:
    assert not diff.is_diff(text)


# --- JSON -----------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


@given(st.lists(VALUES, max_size=4))
def test_laid_out_json_says_the_same(value: object) -> None:
    source = json.dumps(value)
    assert json_text.is_json(source)
    text, spans = json_text.pretty(source)
    if "\\" not in source:
        assert json.loads(text) == value
    assert all(a.end <= b.start for a, b in pairwise(spans))


def test_json_keeps_numbers_and_shows_line_ends() -> None:
    text, spans = json_text.pretty('{"a":[1e400,2.50,{}],"b":"x\\ny \\u003c \\"q\\" \\\\n"}')
    assert text.split("\n") == [
        "{", '  "a": [', "    1e400,", "    2.50,", "    {}", "  ],",
        '  "b": "x', '    y < \\"q\\" \\\\n"', "}",
    ]  # fmt: skip
    inks = {text[s.start : s.end]: s.ink for s in spans}
    assert inks['"a"'] == "run"
    assert inks["1e400"] == "s_num"


@pytest.mark.parametrize(
    "text", ["", "1", '"x"', "{", "[" * 5_000 + "]" * 5_000, "[1" * 60_000, "{x:1}", "null"]
)
def test_what_is_no_json_is_left_as_it_is(text: str) -> None:
    assert not json_text.is_json(text)


# --- code -----------------------------------------------------------------------------------------


def test_code_is_coloured_by_its_named_language() -> None:
    text = "def f(x):\n    return 'a'  # why\n"
    inks = {text[s.start : s.end]: s.ink for s in code.spans(text, "python")}
    assert inks["def"] == "s_key"
    assert inks["f"] == "run"
    assert inks["# why"] == "text2"
    text = "# why\nnats consumer edit --max-pending=2000 -- ORDERS"
    inks = {text[s.start : s.end].strip(): s.ink for s in code.spans(text, "sh")}
    assert (inks["nats"], inks["--max-pending"], inks["2000"]) == ("run", "s_key", "s_num")


def test_a_diff_in_a_reply_is_told_by_its_signs() -> None:
    text = "@@ a\n- old\n+ new\n  same\n"
    found = [(text[s.start : s.end], s.ink, s.ground) for s in code.spans(text, "diff")]
    assert found == [
        ("@@ a", "text2", "band"),
        ("- old", "del", "del_bg"),
        ("+ new", "add", "add_bg"),
    ]
    whole = "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n"
    inks = [whole[s.start : s.end] for s in code.spans(whole, "patch") if s.ink in ("add", "del")]
    assert inks == ["-x", "+y"]


@pytest.mark.parametrize(
    ("text", "language"),
    [("x = 1", ""), ("x = 1", "no-such"), ("x" * 60_000, "python"), ("1 " * 3_000, "python")],
)
def test_other_code_stays_in_one_colour(text: str, language: str) -> None:
    assert code.spans(text, language) == []


# --- links ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "may"),
    [
        ("https://example.com/a?b#c", True),
        ("HTTP://example.com", True),
        ("mailto:a@example.com", True),
        ("file:///etc/passwd", False),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("https://", False),
        ("mailto:", False),
        ("//example.com", False),
        ("https://a\u202eb/", False),
        ("https://[::1", False),
        ("", False),
    ],
)
def test_which_links_may_be_opened(target: str, may: bool) -> None:
    assert links.may_open(target) is may


def test_a_host_is_shown_as_the_network_knows_it() -> None:
    target = "https://p\u0430ypal.com/in?x=\u202e"
    assert links.host(target) == "xn--pypal-4ve.com"
    assert links.real_target(target) == "https://xn--pypal-4ve.com/in?x=<U+202E>"
    assert len(links.real_target("https://a.b/" + "x" * 5_000)) <= 600


# --- finding --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("needle", "text", "hits"),
    [
        ("bold word", "a **bold** word, BOLD\nWord", ["bold** word", "BOLD\nWord"]),
        ("stra\u00dfe", "STRASSE", ["STRASSE"]),
        ("caf\u00e9", "cafe\u0301!", ["cafe\u0301"]),
        ("fi", "a\ufb01b", ["\ufb01"]),
        ("**", "a ** b", ["**"]),
        ("x", "\U0001f600x", ["x"]),
        ("a_b", "`a_b`", ["a_b"]),
        ("", "anything", []),
    ],
)
def test_what_is_found(needle: str, text: str, hits: list[str]) -> None:
    found = Needle(needle)
    places = found.hits(text) if found else []
    assert [text[start:end] for start, end in places] == hits


@given(
    st.text(alphabet="abAB \n*`\u00df\ufb01\u0301\U0001f600", max_size=60),
    st.text(alphabet="abAB\u00df", min_size=1, max_size=3),
)
def test_as_many_hits_are_shown_as_counted(text: str, needle: str) -> None:
    text = unicodedata.normalize("NFC", text)
    found = Needle(needle)
    hits = found.hits(text)
    assert len(hits) == found.count(text)
    assert all(0 <= start < end <= len(text) for start, end in hits)


def test_a_long_text_is_searched_piece_by_piece() -> None:
    word = "needle"
    text = ("x" * 999 + "\n") * (CHUNK // 1000)
    text = text[: CHUNK - 3] + word + text + word
    found = Needle("NEEDLE")
    assert found.count(text) == 2
    assert len(list(found.counts(text))) == 2


# --- Qt's offsets ---------------------------------------------------------------------------------


@given(st.text(alphabet="a\u4e00\U0001f600", max_size=20))
def test_offsets_of_qt_go_there_and_back(text: str) -> None:
    table = units(text) or list(range(len(text) + 1))
    assert table[-1] == len(text.encode("utf-16-le")) // 2
    assert [from_units(text, offset) for offset in table] == list(range(len(text) + 1))
