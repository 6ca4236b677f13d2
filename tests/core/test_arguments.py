# SPDX-License-Identifier: Apache-2.0
"""A call's input in words, as a header shows it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.sources.arguments import arguments


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"{}", ""),
        (b"", ""),
        (b"null", ""),
        (b'{"item":"tea","count":4}', "--item=tea --count=4"),
        (b'{"force":true,"keep":false,"note":null}', "--force --keep=false --note=null"),
        (b'{"items":["flour","old bread"]}', '--items=flour --items="old bread"'),
        (b'{"label":{"shelf":"top","bin":3}}', "--label=shelf=top --label=bin=3"),
        # Numbers keep their token, whatever its size.
        (b'{"n":1e+21,"m":12345678901234567890}', "--n=1e+21 --m=12345678901234567890"),
        # Not simple: as it is.
        (b'{"deep":{"list":[{"a":1}]}}', '{"deep":{"list":[{"a":1}]}}'),
        (b"[1,2]", "[1,2]"),
        (b"no json", "no json"),
    ],
)
def test_simple_arguments_go_as_on_a_command_line(raw: bytes, words: str) -> None:
    assert arguments(raw) == words


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=30), max_size=4))
def test_nothing_that_acts_or_hides_gets_through(values: dict[str, str]) -> None:
    text = arguments(json.dumps(values).encode("utf-8", "surrogatepass"))
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in text)
    assert not set(text) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u2028")


def test_a_long_input_is_cut() -> None:
    assert len(arguments(json.dumps({"a": "x" * 100_000}).encode())) <= 2_000
