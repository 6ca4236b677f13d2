# SPDX-License-Identifier: Apache-2.0
"""However a line is damaged, the fast reading and the careful one say the same of it."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tenuto import careful
from tenuto.errors import CorruptJournal
from tenuto.records import decode_record
from tests.support.journals import assistant, call, line, meta, result, text

THOUGHT = {"thinking": {"text": "First look.", "signature": "c2lnbmF0dXJl"}}
SEARCH = {"provider": {"kind": "server_tool_use", "raw": {"type": "server_tool_use", "id": "s"}}}
LINES = [
    item[:-1]
    for item in [
        meta(),
        assistant(2, [THOUGHT, text("Look <here>."), call("toolu_1", {"text": 1.5})]),
        assistant(2, [SEARCH, text("Done \u00e9.")], stop_reason="end_turn", cache_read_tokens=5),
        assistant(2, None),
        result(2, "toolu_1", '{"exit_code":0,"output":"2 kg\\n"}'),
        line(2, "user", {"message": {"role": "user", "content": [text("and tea?")]}}),
        line(2, "terminal", {"reason": "error", "message": "llm call: no"}),
    ]
]
VALUES = [
    b"null",
    b"1",
    b"-0",
    b"1.0",
    b"1e400",
    b"true",
    b'""',
    b'"a"',
    b'"\\ud83d"',
    b'"\xff"',
    b'"YR=="',
    b"{}",
    b"[]",
    b"[{}]",
    b'{"text":"x"}',
]
KEY = re.compile(rb'"[a-z_]+":')
SCALAR = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d+|null|true|false')

numbers = st.integers(0, 2**16)
changes = st.lists(
    st.tuples(st.sampled_from("byte cut copy key KEY value".split()), numbers, numbers, numbers),
    min_size=1,
    max_size=3,
)


def changed(data: bytes, change: tuple[str, int, int, int]) -> bytes:
    kind, a, b, c = change
    if not data:
        return data
    at, length, to = a % len(data), 1 + b % 60, c % len(data)
    keys = list(KEY.finditer(data))
    if kind == "byte":
        return data[:at] + bytes([b % 256]) + data[at + 1 :]
    if kind == "cut":
        return data[:at] + data[at + length :]
    if kind == "copy" or not keys:
        return data[:to] + data[at : at + length] + data[to:]
    where, other = keys[a % len(keys)], keys[b % len(keys)]
    value = VALUES[c % len(VALUES)]
    if kind == "value":
        old = SCALAR.match(data, where.end())
        return data if old is None else data[: old.start()] + value + data[old.end() :]
    again = other[0].upper() if kind == "KEY" else other[0]
    return data[: where.start()] + again + value + b"," + data[where.start() :]


def said(read: Any) -> Any:
    try:
        record = read()
    except CorruptJournal as error:
        return type(error), str(error)
    return record.seq, record.kind, record.payload, record.line


@given(st.sampled_from(LINES), changes)
@settings(max_examples=max(2_000, settings.default.max_examples))  # type: ignore[union-attr]
@example(LINES[0], [("key", 4, 6, 6)])
def test_both_readings_agree(data: bytes, moves: list[tuple[str, int, int, int]]) -> None:
    for move in moves:
        data = changed(data, move)
    data = data.replace(b"\n", b"")
    assert said(lambda: decode_record(data)) == said(lambda: careful.decode_record(data, 3))


def test_undamaged_lines_are_read() -> None:
    for item in LINES:
        assert decode_record(item).kind in {"meta", "assistant", "tool_result", "user", "terminal"}
