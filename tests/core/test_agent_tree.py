# SPDX-License-Identifier: Apache-2.0
"""YAML and JSON files as bounded trees with positions."""

from __future__ import annotations

import contextlib
import json
import time
from types import ModuleType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tenuto.agent import jsonfile, yaml
from tenuto.agent.tree import Node, Problem, Reader, Scalar, parse_duration, parse_integer

texts = st.text(st.characters(exclude_categories=("Cs",)))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=15,
)


def plain(node: Node) -> Any:
    reader = Reader()
    value = reader.value(node, "", None)
    assert reader.problems == []
    return value


@given(values)
@example({"<": "<<", "a": ["\u2028", "\ud7ff\ue000", ""]})
def test_json_reads_as_json(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        assert plain(jsonfile.compose(text)) == json.loads(text)


@given(texts)
def test_any_text_survives_a_quoted_yaml_scalar(text: str) -> None:
    # JSON's escapes are a part of YAML's.
    node = yaml.compose(f"a: {json.dumps(text)}\n")
    assert plain(node) == {"a": text}


@given(st.text(st.sampled_from("a: -#\u2028\u2029\x85\u00a0\U0001f600'\"\\"), min_size=1))
def test_a_literal_block_keeps_its_lines(text: str) -> None:
    node = yaml.compose(f"a: |2\n  {text}\n  end\n")
    assert plain(node) == {"a": f"{text}\nend\n"}


@given(st.text(st.sampled_from("ab:-?[]{},&*!|>'\"%@#\n \t~<1.\\"), max_size=40) | texts)
@example("&a [*a]")
@example("- &a a\n- *a : 1")
@example('"\\UFFFFFFFF"')
@example("%YAML 9.9\n---\n")
@example("!<tag:yaml.org,2002:map> x")
def test_any_file_is_read_or_refused_in_words(text: str) -> None:
    for compose in (yaml.compose, jsonfile.compose):
        with contextlib.suppress(Problem):
            Reader().value(compose(text), "", None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: &x [*x]", "inside itself"),
        ("a: *x", "no anchor"),
        ("a: b\n--- \nc: d", "second document"),
        ("a: !!python/object:os.system x", "no meaning"),
        ("a: !mine x", "no meaning"),
        ("a: !!map x", "no meaning"),
        ("? [a]\n: b", "plain text"),
        ("[" * 200 + "]" * 200, "too deeply"),
        ("- " * 200 + "a", "too deeply"),
        ("{a: " * 200 + "1" + "}" * 200, "too deeply"),
        ("a: b: c", "mapping values"),
        ("a:\n\t- b", "\\t"),
        ("a: \x7f", "U+007F"),
        ("a: \ufffe", "U+FFFE"),
    ],
)
def test_yaml_that_is_refused(text: str, words: str) -> None:
    with pytest.raises(Problem, match=words.replace("\\", r"\\").replace("+", r"\+")):
        yaml.compose(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 200 + "]" * 200, "too deeply"),
        ('{"a": 1} x', "follows"),
        ('{"a" 1}', "':'"),
        ("{a: 1}", "double quotes"),
        ("[1 2]", "','"),
        ("[01]", "','"),
        ("[1,]", "expected here"),
        ('"\\x"', "escape"),
        ('"\n"', "control character"),
        ("NaN", "expected here"),
        ("", "expected here"),
    ],
)
def test_json_that_is_refused(text: str, words: str) -> None:
    with pytest.raises(Problem, match=words):
        jsonfile.compose(text)


@pytest.mark.parametrize("form", [yaml, jsonfile])
def test_too_many_values_are_refused(form: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert form.MAX_NODES == 200_000
    # The real limit takes seconds to reach.
    monkeypatch.setattr(form, "MAX_NODES", 1_000)
    form.compose(json.dumps([1] * 999))
    with pytest.raises(Problem, match="too many"):
        form.compose(json.dumps([1] * 1_000))


def test_a_billion_laughs_cost_next_to_nothing() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    node = yaml.compose("\n".join(lines))
    began = time.monotonic()
    with pytest.raises(Problem, match="expand to too much"):
        Reader().value(node, "", None)
    assert time.monotonic() - began < 5


def test_billions_of_merges_cost_next_to_nothing() -> None:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}" for n in range(1, 12)]
    with pytest.raises(Problem, match="expand to too much"):
        Reader().value(yaml.compose("\n".join(lines)), "", None)


def test_aliases_and_merge_keys() -> None:
    node = yaml.compose(
        "base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 4}\n"
        "one: {<<: *b, x: 5}\nall: {<<: [*b, *m]}\nsame: *b\nname: &n text\nkey: {*n : 1}\n"
    )
    value = plain(node)
    assert value["one"] == {"x": 5, "y": 2}
    assert value["all"] == {"x": 1, "y": 2, "z": 4}
    assert value["same"] == {"x": 1, "y": 2}
    assert value["key"] == {"text": 1}
    reader = Reader()
    reader.value(yaml.compose("a: {<<: 1}"), "", None)
    assert "merge key" in str(reader.problems[0].said)
    assert plain(yaml.compose('a: {"<<": 1}')) == {"a": {"<<": 1}}


def test_positions_are_counted_in_characters_from_one() -> None:
    node = yaml.compose("\u00e9\U0001f600: [a,  b]")
    reader = Reader()
    members = reader.members(node, "")
    ((key, value),) = members.values()
    assert (key.mark.line, key.mark.column) == (1, 1)
    assert [(item.mark.line, item.mark.column) for item in value.items] == [(1, 6), (1, 10)]
    node = jsonfile.compose('{"a":\n  ["\U0001f600", true]}')
    ((_, value),) = reader.members(node, "").values()
    assert [(item.mark.line, item.mark.column) for item in value.items] == [(2, 4), (2, 9)]


def test_core_schema_where_values_are_free() -> None:
    node = yaml.compose(
        "[1, 010, 0x1f, 0o17, -1.5, 1e3, .5, true, False, no, null, ~, '1', 1_0, "
        "2026-01-01, " + "9" * 5000 + "]"
    )
    value = plain(node)
    assert value[:14] == [
        1, 10, 31, 15, -1.5, 1000.0, 0.5, True, False, "no", None, None, "1", "1_0",
    ]  # fmt: skip
    assert value[14:] == ["2026-01-01", float("inf")]


def test_text_stays_text_where_it_is_not_free() -> None:
    node = yaml.compose("{a: 1_0, b: no, c: ~, d: {free: 1, e: 2}}")
    value = Reader().value(node, "", ("free",))
    assert value == {"a": "1_0", "b": "no", "c": None, "d": {"free": 1, "e": "2"}}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0.0),
        ("+0", 0.0),
        ("90s", 90.0),
        ("1m30s", 90.0),
        ("1h15m30.918s", 4530.918),
        ("1.5h", 5400.0),
        (".5s", 0.5),
        ("5.s", 5.0),
        ("-2m", -120.0),
        ("+5s", 5.0),
        ("100ms", 0.1),
        ("3us", 3e-6),
        ("3\u00b5s", 3e-6),
        ("3\u03bcs", 3e-6),
        ("7ns", 7e-9),
    ],
)
def test_go_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text", ["", "-", "5", "s", ".s", "5 s", "1d", "5s ", "1h-5m", "1e3s", "\u0661s", "9999999h"]
)
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match="duration"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("1_000", 1000), ("-5", -5), ("+5", 5), ("0x1F", 31), ("0o17", 15), ("017", 15),
     ("0b101", 5)],
)  # fmt: skip
def test_whole_numbers(text: str, number: int) -> None:
    assert parse_integer(text) == number


@pytest.mark.parametrize(
    "text", ["", "-", "1.0", "1e3", "09", "0x", "abc", "1 0", "\u0661", "9" * 99]
)
def test_what_is_no_whole_number(text: str) -> None:
    with pytest.raises(ValueError, match="whole number"):
        parse_integer(text)


def test_an_empty_file_is_null() -> None:
    for text in ("", "# nothing\n", "---\n...\n"):
        node = yaml.compose(text)
        assert isinstance(node, Scalar)
        assert node.is_null


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a:\tb\n", {"a": "b"}),
        ("a: b\t\n", {"a": "b"}),
        ("a: b\t \t# c\nd: e\n", {"a": "b", "d": "e"}),
        ("a: b\t# c", {"a": "b"}),
        ("a: b\tc  d\t", {"a": "b\tc  d"}),
        ("a: b \t\n  c\n", {"a": "b c"}),
        ("a: b#c\td#\n", {"a": "b#c\td#"}),
        ("a\t: b\n", {"a": "b"}),
        ("a:\t\"b\"\t\nc: 'd'\t# e\n", {"a": "b", "c": "d"}),
        ("a:\t[b,\tc\t]\t\nd: {e:\tf}\n", {"a": ["b", "c"], "d": {"e": "f"}}),
        ("a:\t\n  b: c\n", {"a": {"b": "c"}}),
        ("a: |\n  b\tc\t\nd: e", {"a": "b\tc\t\n", "d": "e"}),
    ],
)
def test_a_tab_is_white_space(text: str, value: Any) -> None:
    assert plain(yaml.compose(text)) == value


@pytest.mark.parametrize("text", ["\ta: b\n", "a:\n\tb: c\n", "a:\n-\tb\n", "a: b\n\tc: d\n"])
def test_a_tab_does_not_indent(text: str) -> None:
    with pytest.raises(Problem, match="not valid YAML"):
        yaml.compose(text)
