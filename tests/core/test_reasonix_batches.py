# SPDX-License-Identifier: Apache-2.0
"""The checksums of v4 batches, and payloads that are kept apart from the log."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.reasonix.frames import FrameReader, encode_frame
from tenuto.reasonix.v4 import V4Reader, read_v4
from tenuto.runs.files import FileLayer
from tenuto.sources.reasonix import ReasonixSource
from tests.support.reasonix import (
    ANSWER,
    ASK,
    REASONIX,
    SYSTEM,
    batch,
    kept_apart,
    messages,
    said,
    v4_session,
)

#: One batch in the bytes of the format, its digest worked out by hand with sha256sum.
BEGIN = (
    b'{"schemaVersion":4,"codec":"reasonix.session.linear/v4","recordType":"batch/begin",'
    b'"commitId":"c","firstSeq":1,"eventCount":1,"createdAt":"2026-09-01T10:00:00Z"}'
)
EVENT = (
    b'{"schemaVersion":4,"codec":"reasonix.session.linear/v4","recordType":"batch/event",'
    b'"createdAt":"0001-01-01T00:00:00Z","event":{"id":"e","seq":1,"kind":"turn/start",'
    b'"payload":"e30="}}'
)


def end(digest: str) -> bytes:
    return (
        b'{"schemaVersion":4,"codec":"reasonix.session.linear/v4","recordType":"batch/end",'
        b'"commitId":"c","firstSeq":1,"eventCount":1,"sha256":"' + digest.encode() + b'"}'
    )


def session(path: Path, *records: bytes) -> V4Reader:
    return read_v4(v4_session(path, *map(encode_frame, records)))


KNOWN = "7fe45eb64fc3257e2674decc6dac8308363e89a27f99b0902cbb0ffe0b96e646"


def test_the_digest_is_of_begin_and_events_each_with_a_nul(tmp_path: Path) -> None:
    assert session(tmp_path / "a", BEGIN, EVENT, end(KNOWN)).damage == []
    other = session(tmp_path / "b", BEGIN, EVENT, end(KNOWN[::-1]))
    assert [found.reason for found in other.damage] == [
        "a batch that is not what was written: its checksum differs"
    ]
    assert [event.kind for event in other.events] == ["turn/start"]


@pytest.mark.parametrize("none", ["0" * 64, None])
def test_a_batch_without_a_digest_is_as_good_as_any(tmp_path: Path, none: str | None) -> None:
    last = json.loads(end(""))
    del last["sha256"]
    if none is not None:
        last["sha256"] = none
    assert session(tmp_path / "a", BEGIN, EVENT, json.dumps(last).encode()).damage == []


def test_a_wrong_checksum_is_told_and_hides_nothing(tmp_path: Path) -> None:
    bad = batch(2, said(ASK), sha256="f" * 64)
    first, last = batch(1, said(SYSTEM)), batch(3, said(ANSWER))
    v4_session(tmp_path / "sessions-v4" / ("a" * 32), first, bad, last)
    source = ReasonixSource(tmp_path)
    source.list()
    source.build_pending()
    (row,) = source.list().summaries
    assert (row.integrity, row.turns, row.prompt) == ("damaged", 1, ASK["content"])
    assert "its checksum differs" in row.problem
    shown = source.open(row.id)
    shown.refresh()
    assert [(block.kind, block.notice) for block in shown.blocks] == [
        ("notice", "system"), ("notice", "damaged"), ("prompt", ""), ("text", ""),
    ]  # fmt: skip


@given(messages(), st.data())
def test_no_changed_bit_of_a_batch_is_silent(
    tmp_path_factory: pytest.TempPathFactory, found: list[dict], data: st.DataObject
) -> None:
    """A bit that flips in what a frame holds, its compression and its lengths put right again."""
    if not found:
        return
    contents: list[bytes] = []
    whole = batch(1, *map(said, found))
    reader = FrameReader()
    at = 0

    def read(size: int) -> bytes:
        nonlocal at
        part, at = whole[at : at + size], at + size
        return part

    reader.feed(read, lambda content, _offset, _size: contents.append(content))
    number = data.draw(st.integers(0, len(contents) - 2))
    changed = bytearray(contents[number])
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    contents[number] = bytes(changed)
    made = session(tmp_path_factory.mktemp("s"), *contents)
    assert made.damage or made.torn_tail


def test_the_real_ones_say_nothing_of_theirs() -> None:
    for real in (REASONIX / "sessions-v4").iterdir():
        assert read_v4(real).damage == []


# --- kept apart -----------------------------------------------------------------------------------


def long_one(tmp_path: Path) -> tuple[Path, bytes]:
    long = {"role": "assistant", "content": "x" * 100_000}
    data = json.dumps({"message": long}).encode()
    where = tmp_path / "sessions-v4" / ("a" * 32)
    v4_session(where, batch(1, said(ASK), ("message/complete", data)))
    return where, data


def test_a_message_that_is_kept_apart_is_read(tmp_path: Path) -> None:
    where, data = long_one(tmp_path)
    kept_apart(where, data)
    found = read_v4(where)
    assert [len(item.message["content"]) for item in found.messages] == [18, 100_000]
    assert found.damage == []


@pytest.mark.parametrize("what", ["missing", "changed", "folder", "link"])
def test_what_is_kept_apart_is_not_believed(tmp_path: Path, what: str) -> None:
    where, data = long_one(tmp_path)
    if what != "missing":
        path = kept_apart(where, data)
        path.unlink()
        if what == "changed":
            path.write_bytes(data[:-1] + b" ")
        elif what == "folder":
            path.mkdir()
        else:
            (tmp_path / "elsewhere").write_bytes(data)
            path.symlink_to(tmp_path / "elsewhere")
    found = read_v4(where)
    assert found.messages[0].message == ASK
    assert [item.message for item in found.messages[1:]] == []
    assert found.damage
    assert all("content" in item.reason or "not a message" in item.reason for item in found.damage)


def test_a_reference_leads_nowhere_else(tmp_path: Path) -> None:
    from tenuto.reasonix.content import read_content

    for digest in ("../../../etc/passwd", "a" * 63, "A" * 64, "", None, 5):
        with pytest.raises(ValueError, match="a reference to nothing"):
            read_content(FileLayer(), str(tmp_path), {"digest": digest, "bytes": 1})
    for size in (-1, 1 << 40, None, True):
        with pytest.raises(ValueError, match="bytes, at most"):
            read_content(FileLayer(), str(tmp_path), {"digest": "a" * 64, "bytes": size})


def test_a_frame_alone_is_what_its_header_says() -> None:
    frame = encode_frame(b'{"a":1}')
    assert FrameReader().content(frame) == b'{"a":1}'
    huge = struct.pack(">4sII", b"RX4F", len(frame) - 12, 1 << 30) + frame[12:]
    for other in (b"", frame[:-1], frame + b"x", b"RX5F" + frame[4:], huge):
        with pytest.raises(ValueError, match="not a frame"):
            FrameReader().content(other)
