# SPDX-License-Identifier: Apache-2.0
"""Reasonix sessions piece by piece: where each is, what it holds, what is no piece at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.errors import RunNotFound
from tenuto.reasonix import stream
from tenuto.reasonix.store import read_session_file
from tenuto.runs.files import FileLayer
from tenuto.sources.base import RecordReader
from tenuto.sources.raw import Row, RowsChanged
from tenuto.sources.reasonix import ReasonixSource
from tenuto.sources.reasonix_raw import records_of
from tenuto.sources.reasonix_transcript import reader_for
from tests.support import reasonix
from tests.support.reasonix import (
    ANSWER,
    ASK,
    CALL,
    REAL_A,
    REASONIX,
    RESULT,
    SESSION,
    SYSTEM,
    batch,
    lines,
    log_line,
    said,
    v4_session,
    write,
)

ODD = sorted(path.name for path in (REAL_A / "edge").glob("*.jsonl") if path.is_file())


class Table:
    """The rows as a table has them after all changes."""

    def __init__(self, path: Path) -> None:
        self.reader: RecordReader = records_of(str(path), FileLayer())
        self.rows: list[Row] = []
        self.changes: list[RowsChanged] = []

    def take(self, change: RowsChanged) -> None:
        assert change.first <= len(self.rows)
        self.changes.append(change)
        self.rows[change.first :] = change.rows

    def refresh(self, **options: Any) -> list[Row]:
        self.reader.refresh(self.take, **options)
        return self.rows

    def bytes_of(self, row: Row) -> bytes:
        return self.reader.read(row.offset, row.readable)


# --- generations A and B --------------------------------------------------------------------------


def test_each_message_is_a_row_and_says_where_it_is(tmp_path: Path) -> None:
    table = Table(write(tmp_path / "s.jsonl"))
    rows = table.refresh()
    assert [(row.kind, row.role, row.seq, row.line) for row in rows] == [
        ("message", "system", 1, 1), ("message", "user", 2, 2), ("message", "assistant", 3, 3),
        ("message", "tool", 4, 4), ("message", "assistant", 5, 5),
    ]  # fmt: skip
    assert [table.bytes_of(row) + b"\n" for row in rows] == [lines([m]) for m in SESSION]
    assert (rows[2].calls, rows[2].turn) == ((("bash", "--command=ls"),), 1)
    assert (rows[3].name, rows[3].state, rows[3].text) == ("bash", "done", "12")
    assert [row.told for row in rows] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("name", ODD)
def test_odd_files_come_to_what_the_transcript_says_of_them(name: str) -> None:
    """Real builds' odd files: as many messages, the same damage, and bytes that are the message."""
    path = REAL_A / "edge" / name
    table = Table(path)
    rows = table.refresh()
    reading, _ = read_session_file(str(path), read_on=True)
    found = [row for row in rows if row.kind == "message"]
    assert [row.seq for row in found] == list(range(1, len(reading.messages) + 1))
    for row, message in zip(found, reading.messages, strict=True):
        assert row.role == message.get("role", "")
        (again,) = stream.read_messages(_once(table.bytes_of(row))).messages
        assert again == message
    wrong = [row for row in rows if row.kind != "message"]
    assert [(row.kind, row.offset, row.size, row.line) for row in wrong] == [
        ("tail" if item.kind == "torn" else "damaged", item.offset, item.size, item.line)
        for item in reading.damage
    ]
    assert [row.offset for row in rows] == sorted(row.offset for row in rows)
    text = path.read_bytes()
    assert [row.line for row in rows] == [text.count(b"\n", 0, r.offset) + 1 for r in rows]


def _once(data: bytes) -> Any:
    parts = iter([data])
    return lambda _size: next(parts, b"")


@given(reasonix.messages(), st.integers(1, 300), st.sampled_from([b"\n", b" ", b"\n\n", b"\r\n"]))
def test_blocks_and_white_space_do_not_show(
    tmp_path_factory: pytest.TempPathFactory, found: list[Any], block: int, between: bytes
) -> None:
    path = tmp_path_factory.mktemp("s") / "s.jsonl"
    values = [lines([message]).strip() for message in found]
    path.write_bytes(between.join(values) + between)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "PLACED", block)
        table = Table(path)
        rows = table.refresh()
    assert [table.bytes_of(row) for row in rows if row.kind == "message"] == values


def test_a_session_that_is_saved_anew_hands_on_what_differs(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", SESSION[:3])
    table = Table(path)
    table.refresh()
    table.changes.clear()
    table.refresh()
    assert table.changes == []
    os.replace(write(tmp_path / "t.jsonl", SESSION), path)
    assert len(table.refresh()) == 5
    assert [(change.first, len(change.rows)) for change in table.changes] == [(3, 2)]
    os.replace(write(tmp_path / "t.jsonl", [SYSTEM, ANSWER]), path)
    assert [row.role for row in table.refresh()] == ["system", "assistant"]
    assert table.changes[-1].first == 1
    os.replace(write(tmp_path / "t.jsonl", [SYSTEM]), path)
    assert [row.role for row in table.refresh()] == ["system"]


def test_rows_come_in_pieces_and_a_stop_is_made_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "PLACED", 4096)
    monkeypatch.setattr("tenuto.sources.reasonix_raw.PIECE", 50)
    table = Table(write(tmp_path / "s.jsonl", reasonix.long_session(200, 100)))
    asked = iter([False, False, False, True])
    table.refresh(stop=lambda: next(asked, True))
    assert 0 < len(table.rows) < 403
    assert len(table.refresh()) == 403
    assert {len(change.rows) for change in table.changes[1:-1]} == {50}


def test_a_message_of_twenty_megabytes_is_read_by_slices(tmp_path: Path) -> None:
    long = {"role": "tool", "content": "é" * 10_000_000, "tool_call_id": "c1", "name": "bash"}
    table = Table(write(tmp_path / "s.jsonl", [SYSTEM, ASK, CALL, long, ANSWER]))
    rows = table.refresh()
    assert rows[3].size == rows[3].readable > 20_000_000
    assert len(rows[3].text) <= 120
    assert table.reader.read(rows[3].offset, 20) == b'{"role":"tool","cont'
    assert [row.role for row in rows] == ["system", "user", "assistant", "tool", "assistant"]


# --- generation C ---------------------------------------------------------------------------------


def logged(folder: Path, *parts: bytes) -> Path:
    path = write(folder / "s.jsonl", [SYSTEM])
    (folder / "s.events.jsonl").write_bytes(b"".join(parts))
    return path


def test_the_records_of_a_log(tmp_path: Path) -> None:
    parts = [log_line("replace", SESSION[:2]), b"\n", log_line("append", SESSION[2:4], 2)]
    path = logged(tmp_path, *parts)
    table = Table(path)
    rows = table.refresh()
    assert [(row.kind, row.record, row.line, row.count, row.text, row.told) for row in rows] == [
        ("log", "replace", 1, 2, "system, user", 1),
        ("log", "append", 3, 2, "assistant, tool", 3),
    ]
    assert table.bytes_of(rows[1]) + b"\n" == parts[2]
    more = log_line("append", [ANSWER], 4)
    log = tmp_path / "s.events.jsonl"
    with log.open("ab") as file:
        file.write(more[:30])
    assert [row.kind for row in table.refresh()] == ["log", "log", "tail"]
    assert [row.kind for row in table.refresh(live=True)] == ["log", "log"]
    with log.open("ab") as file:
        file.write(more[30:])
    assert [row.line for row in table.refresh()] == [1, 3, 4]
    log.write_bytes(more)
    assert [(row.kind, row.text) for row in table.refresh()] == [
        ("damaged", "a record that adds at message 4, there are 0")
    ]


def test_a_log_is_listed_behind_what_breaks_its_replay(tmp_path: Path) -> None:
    table = Table(
        logged(tmp_path, log_line("replace", [ASK]), b"{\n", log_line("forget", []),
               log_line("append", [{"role": 5}], 1), log_line("append", [ANSWER], 1))
    )  # fmt: skip
    rows = table.refresh()
    assert [row.kind for row in rows] == ["log", "damaged", "damaged", "damaged", "log"]
    assert "not a record" in rows[1].text
    assert "nobody knows" in rows[2].text
    assert "not a message" in rows[3].text


# --- generation v4 --------------------------------------------------------------------------------

BATCHES = [
    batch(1, said(SYSTEM), ("session/config", {"modelRef": "stub/m"})),
    batch(3, ("turn/start", {}), said(ASK), said(CALL)),
    batch(6, said(RESULT)),
]


def test_frames_are_read_decompressed_and_decoded(tmp_path: Path) -> None:
    data = b"".join(BATCHES)
    table = Table(v4_session(tmp_path / "s", data))
    rows = table.refresh()
    assert [(row.record, row.seq, row.role) for row in rows[:5]] == [
        ("batch/begin", 0, ""), ("message/complete", 1, "system"), ("session/config", 2, ""),
        ("batch/end", 0, ""), ("batch/begin", 0, ""),
    ]  # fmt: skip
    assert [row.line for row in rows] == list(range(1, len(rows) + 1))
    assert sum(row.size for row in rows) == len(data)
    assert [data[row.offset : row.offset + 4] for row in rows] == [b"RX4F"] * len(rows)
    event = json.loads(table.bytes_of(rows[1]))["event"]
    assert event == {"id": "e1", "seq": 1, "kind": "message/complete",
                     "payload": {"message": SYSTEM}}  # fmt: skip
    assert all(len(table.bytes_of(row)) == row.readable for row in rows)
    assert table.reader.read(rows[1].offset, 10) == table.bytes_of(rows[1])[:10]
    assert [row.told for row in rows if row.told] == [1, 4, 5, 6]
    assert (rows[0].count, rows[0].text) == (2, "2026-09-01T10:00:01Z")
    result = next(row for row in rows if row.role == "tool")
    assert (result.name, result.state, result.text) == ("bash", "done", "12")


def test_others_may_go_first_while_frames_are_read(tmp_path: Path) -> None:
    """Many frames are one block of the file: who reads them asks in between all the same."""
    parts = [batch(n, said(ASK)) for n in range(1, 1001)]
    table = Table(v4_session(tmp_path / "s", *parts))
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return False

    assert len(table.refresh(stop=stop)) == 3000
    assert asked > 10


def test_frames_are_followed_while_they_grow(tmp_path: Path) -> None:
    data = b"".join(BATCHES)
    table = Table(v4_session(tmp_path / "s"))
    file = tmp_path / "s" / "events.frames"
    for cut in range(0, len(data) + 41, 41):
        file.write_bytes(data[:cut])
        table.refresh()
        assert sum(row.size for row in table.rows) == min(cut, len(data))
        table.refresh(live=True)
        assert all(row.kind == "frame" for row in table.rows)
    assert table.rows == Table(tmp_path / "s").refresh()
    os.replace(v4_session(tmp_path / "t", BATCHES[0]) / "events.frames", file)
    assert len(table.refresh()) == 4


def test_what_is_no_frame_and_no_batch_is_told_in_its_place(tmp_path: Path) -> None:
    begun = batch(2, said(ASK))
    begun = begun[: begun.rindex(b"RX4F")]
    wrong = batch(9, said(ANSWER), sha256="a" * 64)
    table = Table(v4_session(tmp_path / "s", BATCHES[0], b"junk", begun, wrong, BATCHES[0][:-9]))
    rows = table.refresh()
    assert [(row.kind, row.text) for row in rows if row.kind in ("damaged", "tail")] == [
        ("damaged", "not the beginning of a frame"),
        ("damaged", "a batch without an end"),
        ("damaged", "a batch that is not what was written: its checksum differs"),
        ("tail", "torn"),
    ]
    assert table.reader.read(rows[4].offset, rows[4].readable) == b"junk"
    # Seen to be wrong only when the next batch begins: the row that was handed on is another now.
    file = tmp_path / "s" / "events.frames"
    growing = Table(v4_session(tmp_path / "s", BATCHES[0], begun))
    assert [row.text for row in growing.refresh()[-1:]] == ["batch"]
    file.write_bytes(file.read_bytes() + BATCHES[1])
    rows = growing.refresh()
    assert [(row.line, row.kind) for row in rows if row.kind != "frame"] == [(5, "damaged")]


@given(st.lists(st.binary(max_size=60) | st.sampled_from(BATCHES), max_size=6))
def test_any_bytes_are_covered_and_agree_with_the_transcript(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes]
) -> None:
    where = v4_session(tmp_path_factory.mktemp("s"), *parts)
    table = Table(where)
    rows = table.refresh()
    assert sum(row.size for row in rows) == sum(map(len, parts))
    at = 0
    for row in rows:
        assert row.offset == at
        at += row.size
        table.bytes_of(row)
    reader = reader_for(str(where), FileLayer())
    reader.refresh()
    told = {item.offset for item in reader.damage()}
    # What is found wrong with a batch as a whole may be told at its end and of its begin.
    assert told == {row.offset for row in rows if row.kind == "damaged"}
    assert (reader.torn is not None) == any(row.kind == "tail" for row in rows)


def test_the_conformance_sessions_through_the_source() -> None:
    source = ReasonixSource(REASONIX / "sessions-v4")
    for row in source.list().summaries:
        table: list[Row] = []
        source.records(row.id).refresh(lambda change, t=table: t.extend(change.rows))
        opened = source.open(row.id)
        opened.refresh()
        ended = table[: max((n for n, r in enumerate(table) if r.record == "batch/end"), default=0)]
        assert [r.told for r in ended if r.told] == opened.numbers()


def test_a_session_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(RunNotFound):
        Table(tmp_path / "none.jsonl").refresh()
    table = Table(v4_session(tmp_path / "s", *BATCHES))
    rows = list(table.refresh())
    (tmp_path / "s" / "events.frames").unlink()
    with pytest.raises(RunNotFound):
        table.refresh()
    with pytest.raises(RunNotFound):
        table.bytes_of(rows[0])
