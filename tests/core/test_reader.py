# SPDX-License-Identifier: Apache-2.0
"""Reading whole journals as the Go reader does: reliability.md, T14 to T26 and table 4.4."""

from __future__ import annotations

import gc
import io
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.errors import CorruptJournal, EmptyJournal, NewerVersion, NoMeta
from tenuto.fold import fold, state_json
from tenuto.records import Record
from tenuto.runs.reader import Tail, collector_off, iter_lines, scan
from tests.support import journals
from tests.support.journals import assistant, call, line, meta, result, terminal, text

FIRST, SECOND, THIRD = journals.three_records()
WHOLE = FIRST + SECOND + THIRD
PLAIN = state_json(fold(scan(WHOLE).records))


def with_field(data: bytes, raw: bytes) -> bytes:
    """A line with one more field, whose value is ``raw``."""
    assert data.endswith(b"}\n")
    return data[:-2] + b',"zz":' + raw + b"}\n"


def replaced(data: bytes, old: bytes, new: bytes) -> bytes:
    assert data.count(old) == 1
    return data.replace(old, new)


def spelled(data: bytes, seq: bytes) -> bytes:
    """A line with its number written as ``seq``; nothing at all for no number."""
    number = data[: data.index(b",") + 1]
    return data.replace(number, b'{"seq":' + seq + b"," if seq else b"{", 1)


DEEP = b"[" * 9_996 + b"]" * 9_996

ACCEPTED = {
    "as it is": WHOLE,
    "CRLF": WHOLE.replace(b"\n", b"\r\n"),
    "blank lines": FIRST + b"\n \t\n\r\n" + SECOND + b"\n" + THIRD + b"\n\n",
    "blank to Go: vertical tab, NBSP": FIRST + b"\x0b\n\xc2\xa0\xe3\x80\x80\n" + SECOND + THIRD,
    "space around": b"  " + FIRST + b"\t" + SECOND + THIRD[:-1] + b"  \n",
    "unknown field": FIRST + with_field(SECOND, b'{"a":[1,{}]}') + with_field(THIRD, b'"x"'),
    "unknown field in a payload": FIRST + SECOND + THIRD.replace(b'"result":', b'"zz":1,"result":'),
    "5,000 digits, ignored": FIRST + with_field(SECOND, b"9" * 5_000) + THIRD,
    "1e400, ignored": FIRST + with_field(SECOND, b"1e400") + THIRD,
    "nesting to 9,998, ignored": FIRST + with_field(SECOND, DEEP) + THIRD,
    "key in other case": FIRST + SECOND.replace(b'"seq"', b'"SEQ"') + THIRD,
    "payload key in other case": FIRST + SECOND.replace(b'"message":', b'"Message":') + THIRD,
    "number twice, the last counts": FIRST + SECOND + THIRD.replace(b'"seq":3', b'"seq":1,"seq":3'),
    "gap": FIRST + SECOND + spelled(THIRD, b"7"),
    "2^64-1 last": FIRST + SECOND + spelled(THIRD, str(2**64 - 1).encode()),
    "no final newline": WHOLE[:-1],
    "null for what may be absent": FIRST
    + replaced(SECOND, b'"in_tokens":10', b'"in_tokens":10,"stop_reason":null')
    + THIRD,
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted_as_go_accepts_it(name: str) -> None:
    found = scan(ACCEPTED[name])
    assert found.error is None
    assert found.damage == []
    assert len(found.records) == 3
    assert state_json(fold(found.records)) == PLAIN


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        (b"caf\xff\xe9", "caf\ufffd\ufffd"),
        (b"\\ud83d", "\ufffd"),
        (b"\\ude00x\\ud83d", "\ufffdx\ufffd"),
        ("a\u2028b\u0085c\x0b".encode().replace(b"\x0b", b"\\u000b"), "a\u2028b\u0085c\x0b"),
        (b"a\rb".replace(b"\r", b"\\r"), "a\rb"),
        (b"\\u0000", "\x00"),
    ],
)
def test_odd_text_is_kept_or_replaced_as_go_does(raw: bytes, read: str) -> None:
    found = scan(FIRST + replaced(SECOND, b"Look.", raw) + THIRD.replace(b"done", raw))
    assert found.error is None
    state = state_json(fold(found.records))
    assert state["messages"][1]["content"][0] == {"text": {"text": read}}
    assert state["messages"][2]["content"][0]["tool_result"]["content"] == read
    # The bytes on disk are not touched by any of it.
    assert found.records[1].line == replaced(SECOND, b"Look.", raw)[:-1]


INTERIOR = {
    "control character": replaced(SECOND, b"Look.", b"Lo\x01k."),
    "NaN": with_field(SECOND, b"NaN"),
    "-Infinity": with_field(SECOND, b"-Infinity"),
    "two objects": SECOND[:-1] + b"{}\n",
    "NULs": b"\0" * 300 + b"\n",
    "seq 2.0": spelled(SECOND, b"2.0"),
    "seq 2e0": spelled(SECOND, b"2e0"),
    "seq as text": spelled(SECOND, b'"2"'),
    "seq below zero": spelled(SECOND, b"-2"),
    "seq true": spelled(SECOND, b"true"),
    "seq 2^64": spelled(SECOND, str(2**64).encode()),
    "too deep": with_field(SECOND, b"[" * 10_000 + b"]" * 10_000),
    "an array": b"[]\n",
    "a number": b"42\n",
    "text as a number": replaced(SECOND, b'"Look."', b"7"),
    "tokens as 10.0": replaced(SECOND, b'"in_tokens":10', b'"in_tokens":10.0'),
    "bad base64": assistant(2, [{"thinking": {"text": "", "signature": "c2l"}}, call("toolu_1")]),
    "torn": SECOND[:40] + b"\n",
}


@pytest.mark.parametrize("name", INTERIOR)
def test_what_does_not_parse_is_damage_inside_and_a_torn_tail_at_the_end(name: str) -> None:
    bad = INTERIOR[name]
    inside = scan(FIRST + bad + THIRD)
    assert isinstance(inside.error, CorruptJournal)
    assert inside.error.kind == "corrupt"
    assert inside.error.fields["line"] == 2
    assert inside.error.fields["offset"] == len(FIRST)
    assert f"line 2 (byte {len(FIRST)})" in str(inside.error)
    assert [record.seq for record in inside.records] == [1]
    assert inside.good_end == len(FIRST)

    for data in (FIRST + bad, FIRST + bad[:-1]):
        last = scan(data)
        assert last.error is None
        assert [record.seq for record in last.records] == [1]
        assert last.good_end == len(FIRST)
        kind = "nul" if name == "NULs" else "torn"
        assert last.tail == Tail(kind, len(FIRST), len(data) - len(FIRST))

    # Behind a blank line it is no tail any more.
    for blank in (b"\n", b" ", b"\r\n"):
        assert isinstance(scan(FIRST + bad + blank).error, CorruptJournal)


ALWAYS_DAMAGE = {
    "seq 0": spelled(SECOND, b"0"),
    "no seq": spelled(SECOND, b""),
    "null": b"null\n",
    "same record twice": FIRST,
    "no payload": b'{"seq":2,"protocol":"io.choria.fisk-ai.v1.session.assistant"}\n',
    "payload null": line(2, "assistant", None),
    "payload of another kind": SECOND.replace(b'session.assistant"', b'session.user"'),
    "unknown protocol": line(2, "heartbeat", {}),
    "no protocol": b'{"seq":2,"assistant":{}}\n',
    "second meta": meta().replace(b'"seq":1', b'"seq":2'),
    "result first": result(2, "toolu_1"),
    "result after a follow-up": b"",
}
ALWAYS_DAMAGE["result after a follow-up"] = (
    SECOND
    + line(3, "user", {"message": {"role": "user", "content": [text("more")]}})
    + result(4, "toolu_1")
)


@pytest.mark.parametrize("name", ALWAYS_DAMAGE)
@pytest.mark.parametrize("last", [True, False])
def test_a_record_that_may_not_stand_there_is_damage_anywhere(name: str, last: bool) -> None:
    found = scan(
        FIRST + ALWAYS_DAMAGE[name] + (b"" if last else line(9, "terminal", {"reason": "x"}))
    )
    assert isinstance(found.error, CorruptJournal)
    assert found.tail is None
    assert found.error.fields["offset"] >= len(FIRST)
    assert found.error.fields["reason"] in str(found.error)


def test_errors_name_the_number() -> None:
    repeated = scan(WHOLE + THIRD)
    assert "seq 3 not increasing after 3" in str(repeated.error)
    assert "line 4" in str(repeated.error)
    twice = scan(WHOLE + spelled(SECOND, b'3,"seq":9') + spelled(SECOND, b"9"))
    assert "seq 9 not increasing after 9" in str(twice.error)
    unknown = scan(FIRST + line(2, "heartbeat", {}) + THIRD)
    assert "heartbeat" in str(unknown.error)


def test_a_byte_order_mark_is_damage_in_line_one() -> None:
    found = scan(b"\xef\xbb\xbf" + WHOLE)
    assert isinstance(found.error, CorruptJournal)
    assert found.error.fields["line"] == 1
    assert found.records == []


@pytest.mark.parametrize("newline", [b"", b"\n"])
@pytest.mark.parametrize("last", [b"\0" * 1_728, b"[]", b"42", b"garbage", SECOND[:30]])
def test_garbage_at_the_end_is_dropped_and_named(last: bytes, newline: bytes) -> None:
    found = scan(WHOLE + last + newline)
    assert found.error is None
    assert state_json(fold(found.records)) == PLAIN
    kind = "torn" if last.strip(b"\0") else "nul"
    assert found.tail == Tail(kind, len(WHOLE), len(last + newline))
    assert found.good_end == len(WHOLE)


def test_last_number_beyond_uint64_drops_the_line() -> None:
    found = scan(FIRST + SECOND + spelled(THIRD, str(2**64).encode()))
    assert found.error is None
    assert [record.seq for record in found.records] == [1, 2]
    assert found.tail == Tail("torn", len(FIRST + SECOND), found.size - len(FIRST + SECOND))


def test_no_final_newline_is_an_unterminated_record() -> None:
    found = scan(WHOLE[:-1])
    assert found.tail == Tail("unterminated", len(FIRST + SECOND), len(THIRD) - 1)
    assert found.good_end == found.size == len(WHOLE) - 1


def test_blank_lines_at_the_end_are_no_tail() -> None:
    found = scan(WHOLE + b"\n\n")
    assert found.tail is None
    assert found.good_end == found.size
    spaces = scan(WHOLE + b"   ")
    assert spaces.tail == Tail("torn", len(WHOLE), 3)
    assert spaces.good_end == len(WHOLE)


@pytest.mark.parametrize("data", [b"", b"\n", b"garbage", b"\0\0\n", FIRST[:20]])
def test_nothing_readable_is_empty(data: bytes) -> None:
    found = scan(data)
    assert found.error is None
    assert found.records == []
    with pytest.raises(EmptyJournal):
        fold(found.records)


@pytest.mark.parametrize(
    "first", [SECOND, line(1, "heartbeat", {}), line(1, "meta", None), b"null\n"]
)
def test_the_first_record_must_be_meta(first: bytes) -> None:
    found = scan(first + THIRD)
    assert isinstance(found.error, NoMeta)
    assert found.error.fields["line"] == 1
    assert found.records == []
    # Go parses every line before it looks at any: damage further on is what it reports.
    assert isinstance(scan(first + b"garbage\n" + THIRD).error, CorruptJournal)
    assert isinstance(scan(first + b"garbage\n").error, NoMeta)


@pytest.mark.parametrize("version", [4, 17, 0, -1])
def test_another_version_is_refused_by_both_numbers(version: int) -> None:
    found = scan(
        replaced(FIRST, b'"version":3', b'"version":%d' % version) + SECOND + b"x\n" + THIRD
    )
    assert isinstance(found.error, NewerVersion)
    assert found.error.fields["found"] == version
    assert f"version {version}" in str(found.error)
    assert "1 to 3" in str(found.error)
    assert [record.kind for record in found.records] == ["meta"]


def test_a_newer_meta_of_another_shape_is_newer_not_damaged() -> None:
    shaped = (
        b'{"seq":1,"protocol":"x.meta","meta":{"version":4,"fingerprint":"sha256:0","prompt":[]}}\n'
    )
    for data in (shaped, shaped[:-1], shaped + SECOND):
        found = scan(data)
        assert isinstance(found.error, NewerVersion)
        assert found.error.fields["found"] == 4


# --- where things are -----------------------------------------------------------------------------


def test_offsets_and_lines_point_at_the_records() -> None:
    data = FIRST + b"\n" + SECOND + b" \n" + THIRD
    found = scan(data)
    assert found.line_numbers == [1, 3, 5]
    for record, offset in zip(found.records, found.offsets, strict=True):
        assert record.line is not None
        assert data[offset:].startswith(record.line + b"\n")
    assert found.size == found.good_end == len(data)


def test_reading_goes_on_from_an_offset() -> None:
    data = WHOLE + terminal(4)
    start = len(FIRST + SECOND)
    found = scan(data, start=start, version=3, after_seq=2)
    assert [record.seq for record in found.records] == [3, 4]
    assert found.offsets == [start, len(WHOLE)]
    assert found.error is None
    stale = scan(data, start=start, version=3, after_seq=3)
    assert isinstance(stale.error, CorruptJournal)
    assert stale.error.fields["offset"] == start
    assert "line" not in stale.error.fields
    assert scan(data, start=len(data), version=3, after_seq=4).records == []


def test_every_kind_of_source_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(WHOLE + b"torn")
    expected = scan(WHOLE + b"torn")
    with path.open("rb") as buffered, path.open("rb", buffering=0) as bare:
        for source in (bytearray(WHOLE + b"torn"), io.BytesIO(WHOLE + b"torn"), buffered, bare):
            found = scan(source)
            assert (found.records, found.tail) == (expected.records, expected.tail)
        # The file is the caller's, and stays usable.
        for file in (buffered, bare):
            assert len(scan(file, start=len(FIRST), version=3, after_seq=1).records) == 2
            file.seek(0)
            assert file.read(5) == WHOLE[:5]


def test_reading_on_gives_both_sides_of_the_damage() -> None:
    data = FIRST + b"\0\0\n" + SECOND + THIRD + THIRD + b"{oops\n" + terminal(4) + b'{"seq":5,'
    found = scan(data, read_on=True)
    assert [record.seq for record in found.records] == [1, 2, 3, 4]
    assert [damage.line for damage in found.damage] == [2, 5, 6]
    assert [data[d.offset : d.offset + d.size] for d in found.damage] == [
        b"\0\0\n",
        THIRD,
        b"{oops\n",
    ]
    doubled = found.damage[1].record
    assert isinstance(doubled, Record)
    assert doubled.seq == 3
    assert found.error is not None
    assert found.error.fields["line"] == 2
    assert found.tail == Tail("torn", len(data) - 9, 9)


def test_reading_on_without_a_meta_still_shows_the_records() -> None:
    for first in (b"oops\n", b""):
        found = scan(first + SECOND + THIRD, read_on=True)
        assert [record.seq for record in found.records] == [2, 3]
        assert found.error is not None
        assert len(found.damage) == 1
    newer = scan(
        replaced(FIRST, b'"version":3', b'"version":4') + SECOND + b"?\n" + THIRD, read_on=True
    )
    assert isinstance(newer.error, NewerVersion)
    assert [record.seq for record in newer.records] == [1, 2, 3]
    assert [damage.line for damage in newer.damage] == [1, 3]


def test_records_can_be_handed_over_instead_of_kept() -> None:
    taken: list[Record] = []
    found = scan(WHOLE + b"torn", take=taken.append)
    assert found.records == []
    assert taken == scan(WHOLE).records
    assert found.good_end == len(WHOLE)
    assert found.tail == Tail("torn", len(WHOLE), 4)


# --- large and long -------------------------------------------------------------------------------


def test_a_line_beyond_the_limit_is_an_error_and_never_a_torn_tail() -> None:
    long = assistant(2, [text("x" * 5_000), call("toolu_1")])
    for data in (FIRST + long + THIRD, FIRST + long, FIRST + long[:-1]):
        found = scan(data, max_line=4_096)
        assert isinstance(found.error, CorruptJournal)
        assert "4096 bytes" in str(found.error)
        assert found.tail is None
        assert found.damage[0].size == len(long) - (0 if data.endswith(b"\n") else 1)
    past = scan(FIRST + long + THIRD.replace(b'"seq":3', b'"seq":4'), max_line=4_096, read_on=True)
    assert [record.seq for record in past.records] == [1, 4]
    exact = len(long) - 1
    assert scan(FIRST + long + THIRD, max_line=exact).error is None
    assert scan(FIRST + long + THIRD, max_line=exact - 1).error is not None


@pytest.mark.slow
def test_a_line_of_64_mib() -> None:
    words = "lager \u00e9 \U0001f404 \\n " * (64 * 1024 * 1024 // 16)
    record = FIRST + SECOND + replaced(THIRD, b"done", words.encode())
    found = scan(record)
    assert found.error is None
    state = fold(found.records)
    assert state.pending is None
    assert state.message(2).content is not None
    assert len(str(state.message(2).content)) > 50_000_000


def test_handing_over_takes_no_more_memory_than_a_line(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    lines = [result(seq, "toolu_1", "x" * 20_000) for seq in range(3, 303)]
    path.write_bytes(FIRST + SECOND + b"".join(lines))
    sizes: list[int] = []
    tracemalloc.start()
    try:
        with path.open("rb") as file:
            found = scan(file, take=lambda record: sizes.append(record.seq))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.error is None
    assert len(sizes) == 302
    assert peak < path.stat().st_size / 5


def test_lines_are_split_at_line_feeds_only() -> None:
    data = "a\rb\u2028c\u0085d\x0be\n\nlast".encode()
    lines = list(iter_lines(data))
    assert [item.data for item in lines] == [data.split(b"\n")[0], b"", b"last"]
    assert [(item.offset, item.number, item.ended) for item in lines] == [
        (0, 1, True),
        (data.index(b"\n") + 1, 2, True),
        (len(data) - 4, 3, False),
    ]
    cut = list(iter_lines(b"abcdefgh\nxy\n", max_line=4))
    assert [(item.data, item.too_long, item.size) for item in cut] == [
        (b"abcd", True, 9),
        (b"xy", False, 3),
    ]


@given(st.lists(st.binary(max_size=30)), st.integers(1, 12))
def test_lines_give_every_byte_back(parts: list[bytes], limit: int) -> None:
    data = b"\n".join(parts)
    whole = list(iter_lines(data))
    assert b"".join(item.data + b"\n" * item.ended for item in whole) == data
    offset = 0
    for item, cut in zip(whole, iter_lines(data, max_line=limit), strict=True):
        assert (item.offset, item.size) == (cut.offset, cut.size) == (offset, item.size)
        assert cut.data == item.data[: len(cut.data)]
        assert cut.too_long == (len(item.data) > limit)
        offset += item.size


def test_the_collector_is_left_as_it_was() -> None:
    assert gc.isenabled()
    with collector_off():
        assert not gc.isenabled()
        scan(WHOLE)
        assert not gc.isenabled()
    assert gc.isenabled()
    scan(WHOLE)
    assert gc.isenabled()


def test_a_raw_value_of_any_kind_can_be_shown(tmp_path: Path) -> None:
    odd = b'{"a":1e400,"b":%s,"c":"\\ud83d","d":%s}' % (b"9" * 5_000, b"[" * 3_000 + b"]" * 3_000)
    found = scan(FIRST + replaced(SECOND, b'"input":{}', b'"input":' + odd) + THIRD)
    assert found.error is None
    shown = state_json(fold(found.records))
    assert json.dumps(shown, allow_nan=False).encode()
