# SPDX-License-Identifier: Apache-2.0
"""Bytes as Go's encoding/json writes them."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto import gojson

DATA = Path(__file__).parent.parent / "data" / "conformance"
VECTORS: list[dict[str, Any]] = json.loads((DATA / "fingerprint.json").read_text("utf-8"))

texts = st.text(st.characters(exclude_categories=()))
floats = st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | floats | st.integers(-(2**80), 2**80) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize("index", range(len(VECTORS)))
def test_system_parts_equal_what_go_computed(index: int) -> None:
    vector = VECTORS[index]
    assert gojson.canonical(vector["system"]) == vector["system_canonical"].encode()


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (1.5, "1.5"),
        (-2.5, "-2.5"),
        (0.1, "0.1"),
        (0.00012, "0.00012"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (9.99e-7, "9.99e-7"),
        (-2.5e-10, "-2.5e-10"),
        (1e20, "100000000000000000000"),
        (123456789012345678.0, "123456789012345680"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
    ],
)
def test_numbers_as_go_prints_them(number: float, expected: str) -> None:
    assert gojson.float_repr(number) == expected


@given(floats)
def test_a_number_reads_back_as_itself_with_the_fewest_digits(number: float) -> None:
    text = gojson.float_repr(number)
    assert struct.pack("d", float(text)) == struct.pack("d", number)
    assert ("e" in text) == (number != 0 and not 1e-6 <= abs(number) < 1e21)
    digits = text.lstrip("-").split("e")[0].replace(".", "").strip("0")
    assert len(digits) <= 17
    assert not text.endswith(".0")


@pytest.mark.parametrize("bad", [float("inf"), float("-inf"), float("nan"), 10**400])
def test_what_is_no_float64_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="number"):
        gojson.canonical(bad)


@given(texts)
def test_a_string_reads_back_but_for_lone_surrogates(text: str) -> None:
    encoded = gojson.encode_string(text)
    assert json.loads(encoded) == gojson.replace_surrogates(text)
    for forbidden in ("<", ">", "&", "\u2028", "\u2029", "\n"):
        assert forbidden.encode() not in encoded


def test_escapes_are_those_go_chooses() -> None:
    assert gojson.encode_string('"\\/\b\f\n\r\t\x00\x1f\x7f') == (
        b'"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f"'
    )
    assert gojson.encode_string("<b>&\u2028\u2029\u00e9\U0001f404") == (
        b'"\\u003cb\\u003e\\u0026\\u2028\\u2029' + "\u00e9\U0001f404".encode() + b'"'
    )
    assert gojson.encode_string("a\ud83db") == '"a\ufffdb"'.encode()


@given(values)
def test_canonical_is_stable_and_keeps_the_value(value: Any) -> None:
    once = gojson.canonical(value)
    assert gojson.canonical(gojson.parse(once)) == once
    assert gojson.compact(once) == once


def test_keys_are_sorted_by_their_bytes_at_every_level() -> None:
    value = {"b": {"\U0001f404": 1, "\uffff": 2, "a": 3}, "B": 0, "": None}
    assert gojson.canonical(value) == (
        '{"":null,"B":0,"b":{"a":3,"\uffff":2,"\U0001f404":1}}'.encode()
    )


def test_values_that_are_not_json_are_refused() -> None:
    with pytest.raises(TypeError, match="set"):
        gojson.canonical({"a": {1, 2}})
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="nested"):
        gojson.canonical(deep)


spaces = st.text(" \t\r\n", max_size=3)


@st.composite
def spaced_json(draw: st.DrawFn) -> tuple[str, str]:
    """A JSON text with white space strewn in, and the same text without."""

    def write(value: Any) -> list[str]:
        if isinstance(value, dict):
            tokens = ["{"]
            for index, (key, item) in enumerate(value.items()):
                tokens += ([","] if index else []) + [json.dumps(key), ":", *write(item)]
            return [*tokens, "}"]
        if isinstance(value, list):
            tokens = ["["]
            for index, item in enumerate(value):
                tokens += ([","] if index else []) + write(item)
            return [*tokens, "]"]
        return [draw(st.sampled_from([json.dumps(value), "1e+21", "1.50", '"\\u00e8\\/"']))]

    tokens = write(draw(values))
    return draw(spaces) + "".join(t + draw(spaces) for t in tokens), "".join(tokens)


@given(spaced_json())
def test_compact_changes_no_token(pair: tuple[str, str]) -> None:
    spaced, bare = pair
    out = gojson.compact(spaced.encode()).decode()
    assert out == (bare.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
    assert json.loads(out) == json.loads(spaced)


def test_compact_keeps_numbers_escapes_order_and_broken_utf8() -> None:
    raw = b'{ "b" : 1E+21 ,\r\n"a":\t"\\u00e8 <\xff>  \\" " , "c":-0.0}'
    assert gojson.compact(raw) == (b'{"b":1E+21,"a":"\\u00e8 \\u003c\xff\\u003e  \\" ","c":-0.0}')
    assert gojson.compact('"\u2028\u2029"'.encode()) == b'"\\u2028\\u2029"'


def test_compact_never_lets_a_line_break_through() -> None:
    with pytest.raises(ValueError, match="line break"):
        gojson.compact(b'"a\nb"')


@pytest.mark.parametrize("bad", [b"", b"NaN", b"[Infinity]", b"{", b"1 2", b"[" * 100_000])
def test_parse_refuses_what_is_not_json(bad: bytes) -> None:
    with pytest.raises(ValueError):
        gojson.parse(bad)


def test_parse_reads_integers_of_any_length_as_float64() -> None:
    assert gojson.parse(b"[123456789012345678]") == [1.2345678901234568e17]
    assert gojson.parse(b"9" * 300) == 1e300
