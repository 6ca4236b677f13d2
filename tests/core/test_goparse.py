# SPDX-License-Identifier: Apache-2.0
"""Reading as Go's encoding/json reads (reliability.md, 4.4, and the package's own rules)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto import goparse
from tenuto.goparse import GoError, Pointer, Slice, Struct

INNER = Struct({"a": "string", "b": "int64"})
SPEC = Struct(
    {
        "seq": "uint64",
        "count": "int64",
        "name": "string",
        "on": "bool",
        "sign": "base64",
        "when": "time",
        "raw": "raw",
        "inner": INNER,
        "maybe": Pointer(INNER),
        "items": Slice(INNER),
    }
)

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def parse(text: str | bytes) -> dict[str, Any] | None:
    return goparse.parse(text.encode() if isinstance(text, str) else text, SPEC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", {}),
        (" \t\r\n{ } ", {}),
        ("null", None),
        ('{"seq":0}', {"seq": 0}),
        ('{"seq":18446744073709551615}', {"seq": 2**64 - 1}),
        ('{"count":-9223372036854775808}', {"count": -(2**63)}),
        ('{"count":-0}', {"count": 0}),
        ('{"SEQ":3}', {"seq": 3}),
        ('{"\u017feq":3}', {"seq": 3}),
        ('{"seq":3,"Seq":9}', {"seq": 9}),
        ('{"Seq":9,"seq":3}', {"seq": 3}),
        ('{"seq":3,"seq":null}', {"seq": 3}),
        ('{"s\\u0065q":4}', {"seq": 4}),
        ('{"name":null,"on":null,"when":null,"inner":null}', {}),
        ('{"name":"a","name":null}', {"name": "a"}),
        ('{"inner":{"a":"x"},"inner":{"b":2}}', {"inner": {"a": "x", "b": 2}}),
        ('{"maybe":{"a":"x"},"maybe":{"b":2}}', {"maybe": {"a": "x", "b": 2}}),
        ('{"maybe":{"a":"x"},"maybe":null}', {}),
        ('{"items":[{"a":"x"},null],"items":[{"b":2}]}', {"items": [{"a": "x", "b": 2}]}),
        ('{"items":[],"on":true}', {"items": [], "on": True}),
        ('{"items":[{}],"items":null}', {}),
        ('{"sign":"c2ln"}', {"sign": b"sig"}),
        ('{"sign":"c2\\nln"}', {"sign": b"sig"}),
        ('{"sign":"YQ==","sign":null}', {}),
        ('{"raw":null}', {"raw": b"null"}),
        ('{"raw": [1.50, "\\u00e8"] }', {"raw": b'[1.50, "\\u00e8"]'}),
        ('{"raw":1e400,"zz":' + "9" * 5000 + "}", {"raw": b"1e400"}),
        ('{"name":"\\ud83d"}', {"name": "\ufffd"}),
        ('{"name":"\\ud83d\\ude00"}', {"name": "\U0001f600"}),
        ('{"name":"\\ud83d\\ud83d\\ude00"}', {"name": "\ufffd\U0001f600"}),
        ('{"name":"\\ude00\\u0041"}', {"name": "\ufffdA"}),
        ('{"name":"\u2028\x7f"}', {"name": "\u2028\x7f"}),
        (b'{"name":"\xe2\x82A\xff"}', {"name": "\ufffd\ufffdA\ufffd"}),
        (b'{"name":"\xed\xa0\x80"}', {"name": "\ufffd\ufffd\ufffd"}),
        (b'{"raw":"\xff"}', {"raw": b'"\xff"'}),
        (b'{"\xff":1}', {}),
    ],
)
def test_what_go_takes(text: str | bytes, expected: dict[str, Any] | None) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "[]",
        "42",
        '"x"',
        "nul",
        "nullx",
        "{",
        '{"a"}',
        '{"a":}',
        '{"a":1,}',
        "{a:1}",
        "{1:1}",
        '{"a":1}{}',
        '{"a":1} x',
        '{"a":1]',
        '{"a":[1,]}',
        '{"a":[1 2]}',
        '{"a":{}{}}',
        "\ufeff{}",
        '{"a":01}',
        '{"a":1.}',
        '{"a":.5}',
        '{"a":+1}',
        '{"a":1e}',
        '{"a":-}',
        '{"a":NaN}',
        '{"a":Infinity}',
        '{"a":-Infinity}',
        '{"a":True}',
        '{"a":"\x01"}',
        '{"a":"\n"}',
        '{"a":"\\x41"}',
        '{"a":"\\u12g4"}',
        '{"a":"\\u+123"}',
        '{"a":"',
        '{"seq":3.0}',
        '{"seq":3e0}',
        '{"seq":"3"}',
        '{"seq":-3}',
        '{"seq":-0}',
        '{"seq":true}',
        '{"seq":18446744073709551616}',
        '{"seq":' + "9" * 5000 + "}",
        '{"seq":\u0663}',
        '{"count":9223372036854775808}',
        '{"name":1}',
        '{"name":["x"]}',
        '{"name":{}}',
        '{"on":1}',
        '{"on":"true"}',
        '{"inner":[]}',
        '{"inner":"x"}',
        '{"maybe":1}',
        '{"items":{}}',
        '{"items":[1]}',
        '{"items":[{"a":1}]}',
        '{"sign":"c2l"}',
        '{"sign":"c2ln!"}',
        '{"sign":"YQ==YQ=="}',
        '{"sign":7}',
        '{"when":7}',
        '{"raw":}',
    ],
)
def test_what_go_refuses(text: str) -> None:
    with pytest.raises(GoError):
        parse(text)


@pytest.mark.parametrize(
    ("text", "offset"),
    [('{"name":"\u00e9","a":NaN}', 17), (b'{"name":"\xff"x}', 11), ('{"a":[1,,2]}', 8)],
)
def test_an_error_names_its_byte(text: str | bytes, offset: int) -> None:
    with pytest.raises(GoError) as caught:
        parse(text)
    assert caught.value.offset == offset


@pytest.mark.parametrize("opener", ["[", '{"a":'])
@pytest.mark.parametrize("key", ["raw", "unknown"])
def test_nesting_goes_to_ten_thousand(opener: str, key: str) -> None:
    closer = "]" if opener == "[" else "}"
    # The object around the value is the first level.
    deepest = f'{{"{key}":' + opener * 9_999 + "1" + closer * 9_999 + "}"
    assert parse(deepest) is not None
    too_deep = f'{{"{key}":' + opener * 10_000 + "1" + closer * 10_000 + "}"
    with pytest.raises(GoError, match="depth"):
        parse(too_deep)
    # Far beyond every stack.
    with pytest.raises(GoError, match="depth"):
        parse(f'{{"{key}":' + opener * 3_000_000)


@pytest.mark.parametrize(
    "tail",
    [
        "",
        "]",
        '{"b":1}',
        ',"x"]',
        ",]",
        '"',
        '{"b"1}',
        '{"b":1,}',
        "1x",
        "tru",
        "nope",
        '{"b":"\x01"}',
    ],
)
def test_deep_text_is_checked_as_strictly_as_any(tail: str) -> None:
    deep = '{"raw":' + "[" * 2_000 + tail + "]" * 2_000 + "}"
    shallow = '{"raw":' + "[" * 2 + tail + "]" * 2 + "}"
    outcomes = []
    for text in (deep, shallow):
        try:
            parse(text)
            outcomes.append(True)
        except GoError:
            outcomes.append(False)
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("2026-01-05T09:30:00Z", True),
        ("2026-01-05T09:30:00.123456789Z", True),
        ("2026-01-05T09:30:00.1234567890123+02:00", True),
        ("2024-02-29T23:59:59-23:59", True),
        ("0000-02-29T00:00:00Z", True),
        ("9999-12-31T23:59:59Z", True),
        ("2023-02-29T00:00:00Z", False),
        ("1900-02-29T00:00:00Z", False),
        ("2026-13-01T00:00:00Z", False),
        ("2026-00-01T00:00:00Z", False),
        ("2026-01-32T00:00:00Z", False),
        ("2026-01-05T24:00:00Z", False),
        ("2026-01-05T09:60:00Z", False),
        ("2026-01-05T09:30:60Z", False),
        ("2026-01-05T9:30:00Z", False),
        ("2026-01-05T09:30:00,5Z", False),
        ("2026-01-05T09:30:00.Z", False),
        ("2026-01-05T09:30:00", False),
        ("2026-01-05 09:30:00Z", False),
        ("2026-01-05t09:30:00z", False),
        ("2026-01-05T09:30:00+24:00", False),
        ("2026-01-05T09:30:00+01:60", False),
        ("10000-01-01T00:00:00Z", False),
        ("\u0662026-01-05T09:30:00Z", False),
        ("", False),
    ],
)
def test_times_are_strict_rfc_3339(text: str, valid: bool) -> None:
    assert goparse.valid_time(text) is valid
    if valid:
        assert parse(json.dumps({"when": text})) == {"when": text}
    else:
        with pytest.raises(GoError):
            parse(json.dumps({"when": text}))


@given(st.dictionaries(st.text(), values), st.booleans())
def test_raw_values_come_back_byte_for_byte(value: dict[str, Any], ascii_only: bool) -> None:
    parts = [
        (json.dumps(key, ensure_ascii=ascii_only), json.dumps(item, ensure_ascii=ascii_only))
        for key, item in value.items()
    ]
    text = ("{" + " , ".join(f"{key} :\t{item}" for key, item in parts) + "}").encode()
    found = goparse.members(text)
    assert found is not None
    assert [raw for _, raw in found] == [item.encode() for _, item in parts]
    assert [key for key, _ in found] == list(value)
    assert goparse.elements(text) is None


@given(st.lists(values))
def test_elements_come_back_byte_for_byte(value: list[Any]) -> None:
    parts = [json.dumps(item).encode() for item in value]
    text = b" [" + b" , ".join(parts) + b"] "
    assert goparse.elements(text) == parts
    assert goparse.members(text) is None


@given(st.binary(max_size=40))
def test_bytes_never_do_anything_but_parse_or_refuse(data: bytes) -> None:
    for text in (data, b'{"name":"' + data + b'"}', b'{"raw":' + data + b"}"):
        try:
            found = goparse.parse(text, SPEC)
        except GoError as error:
            found = {}
            place = error.offset
        else:
            place = 0
        assert found is None or isinstance(found, dict)
        assert 0 <= place <= len(text)
