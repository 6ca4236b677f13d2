# SPDX-License-Identifier: Apache-2.0
"""Generations v4 and C: frames, batches and logs, whole, torn, damaged, growing, hostile."""

import json
import os
import struct

import pytest
import zstandard

from tenuto.errors import DamagedSession, NewerGeneration, NotAFile, SessionNotFound
from tenuto.reasonix import Controller, frames, load_session
from tenuto.reasonix.eventlog import EventLog, log_path, read_logged
from tenuto.reasonix.frames import encode_frame
from tenuto.reasonix.sidecar import load_meta
from tenuto.reasonix.trash import trash_session
from tenuto.reasonix.v4 import V4Reader, read_catalog, read_v4
from tenuto.runs.files import FileLayer
from tests.support.reasonix import (
    ANSWER,
    ASK,
    CALL,
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
from tests.support.store import snapshot

HOST = {"role": "user", "origin": "host", "content": "context"}
BATCHES = [
    batch(1, said(SYSTEM), ("session/config", {"modelRef": "stub/m"})),
    batch(3, ("turn/start", {"status": "in_progress"})),
    batch(4, said(HOST), said(ASK)),
    batch(6, said(CALL), ("tool/start", {"id": "c1"})),
    batch(8, said(RESULT), ("tool/result", {"id": "c1"})),
    batch(10, said(ANSWER), ("turn/end", {"status": "completed"})),
]
#: The messages of each.
TOLD = [[SYSTEM], [], [HOST, ASK], [CALL], [RESULT], [ANSWER]]
WHOLE = [SYSTEM, HOST, ASK, CALL, RESULT, ANSWER]


def read(path):
    found = read_v4(path)
    return [item.message for item in found.messages], found


def test_a_session_whole(tmp_path):
    messages, found = read(v4_session(tmp_path / "s", *BATCHES))
    assert messages == WHOLE
    assert (found.status, found.torn_tail, found.damage) == ("completed", False, [])
    assert (found.model, found.preview) == ("stub/m", ("count the go files", 1))
    assert (found.created, found.updated) == ("2026-09-01T10:00:01Z", "2026-09-01T10:00:10Z")
    assert [event.kind for event in found.events] == [
        "session/config", "turn/start", "tool/start", "tool/result", "turn/end",
    ]  # fmt: skip
    assert [item.seq for item in found.messages] == [1, 4, 5, 6, 8, 10]
    assert found.messages[1].time == "2026-09-01T10:00:04Z"


def test_cut_anywhere_what_is_complete_counts(tmp_path):
    data = b"".join(BATCHES)
    ends = [len(b"".join(BATCHES[:n])) for n in range(len(BATCHES) + 1)]
    counts = [0, 1, 1, 3, 4, 5, 6]
    for cut in sorted({*ends, *(end - 1 for end in ends[1:]), *range(0, len(data), 7)}):
        messages, found = read(v4_session(tmp_path / "s", data[:cut]))
        complete = sum(end <= cut for end in ends) - 1
        assert messages == WHOLE[: counts[complete]]
        assert found.torn_tail == (cut not in ends)
        assert found.damage == []
    messages, found = read(v4_session(tmp_path / "s", data, b"\0" * 100))
    assert (messages, found.torn_tail, found.damage) == (WHOLE, True, [])
    assert found.torn_size == 100


def test_a_session_is_followed_while_it_grows(tmp_path):
    data = b"".join(BATCHES)
    reader = V4Reader(v4_session(tmp_path / "s"))
    for end in range(0, len(data) + 37, 37):
        (tmp_path / "s" / "events.frames").write_bytes(data[:end])
        reader.refresh()
        assert [item.message for item in reader.messages] == WHOLE[: len(reader.messages)]
    assert len(reader.messages) == len(WHOLE)
    assert not reader.refresh()
    assert reader.pending() == []
    # Another file under the same name.
    os.replace(v4_session(tmp_path / "t", BATCHES[0]) / "events.frames",
               tmp_path / "s" / "events.frames")  # fmt: skip
    assert reader.refresh()
    assert [item.message for item in reader.messages] == [SYSTEM]


def test_an_open_turn_and_an_open_call(tmp_path):
    _, found = read(v4_session(tmp_path / "s", *BATCHES[:4]))
    assert found.status == "interrupted"
    assert [call["id"] for call in found.pending()] == ["c1"]


@pytest.mark.parametrize(
    "junk",
    [
        b"junk",
        b"RX4F" + b"\xff" * 8,
        struct.pack(">4sII", b"RX4F", 4, 10) + b"zstd",
        struct.pack(">4sII", b"RX4F", 5, 10) + zstandard.compress(b"x" * 10)[:5],
        encode_frame(b"not json"),
        encode_frame(b'{"recordType":"unheard/of"}'),
        encode_frame(b'{"recordType":"batch/end"}'),
        encode_frame(b'{"recordType":"batch/event","event":{"seq":1}}'),
        batch(3, said(ASK), count=2),
        batch(3, ("message/complete", {"message": {"role": 5}})),
        batch(3, ("message/complete", [])) + b"junk",
    ],
    ids=range(11),
)
def test_damage_is_told_and_passed_over(tmp_path, junk):
    messages, found = read(v4_session(tmp_path / "s", BATCHES[0], junk, *BATCHES[1:]))
    assert [m for m in messages if m != {"role": ""}] == WHOLE
    assert len(found.damage) >= 1
    assert all(item.offset >= len(BATCHES[0]) for item in found.damage)
    assert not found.torn_tail


def test_no_changed_bit_of_a_head_hides_what_follows_it(tmp_path):
    """One in a length says that the frame goes on behind the end of the file."""
    whole = b"".join(BATCHES)
    places = [at for at in range(len(whole)) if whole[at : at + 4] == b"RX4F"]
    batches = [sum(map(len, BATCHES[: n + 1])) for n in range(len(BATCHES))]
    for place in places[:-1]:
        hit = next(n for n, end in enumerate(batches) if place < end)
        kept = [m for n, told in enumerate(TOLD) if n != hit for m in told]
        for bit in range(12 * 8):
            changed = bytearray(whole)
            changed[place + bit // 8] ^= 1 << bit % 8
            messages, found = read(v4_session(tmp_path / "s", bytes(changed)))
            assert [m for m in messages if m not in TOLD[hit]] == kept, (place, bit)
            assert found.damage or messages == WHOLE or hit == len(BATCHES) - 1
            assert not found.torn_tail or hit == len(BATCHES) - 1


def test_what_was_written_behind_a_torn_frame_is_there_at_once(tmp_path):
    torn = encode_frame(os.urandom(5_000))[:3_000]
    folder = v4_session(tmp_path / "s", BATCHES[0], torn)
    reader = V4Reader(folder)
    reader.refresh()
    assert (reader.torn_tail, reader.damage) == (True, [])
    v4_session(folder, BATCHES[0], torn, *BATCHES[1:])
    reader.refresh()
    assert [item.message for item in reader.messages] == WHOLE
    assert [(item.offset, item.size) for item in reader.damage] == [(len(BATCHES[0]), 3_000)]
    assert not reader.torn_tail


def test_a_batch_that_was_never_ended_does_not_count(tmp_path):
    begun = batch(3, said(ASK))
    cut = begun[: begun.rindex(b"RX4F")]
    messages, found = read(v4_session(tmp_path / "s", BATCHES[0], cut, *BATCHES[1:]))
    assert messages == WHOLE
    assert [item.reason for item in found.damage] == ["a batch without an end"]


def test_no_frame_is_decompressed_that_is_too_large(tmp_path, monkeypatch):
    def explode(*_args):
        raise AssertionError("decompressed")

    monkeypatch.setattr(frames, "_decompressor", lambda: explode)
    for raw, packed in ((2**28 + 1, 8), (8, 2**31)):
        bomb = struct.pack(">4sII", b"RX4F", packed, raw) + b"x" * 8
        (tmp_path / "events.frames").write_bytes(bomb)
        (item,) = V4Reader(tmp_path).damage or _read_damage(tmp_path)
        assert "at most 268435456" in item.reason


def _read_damage(path):
    reader = V4Reader(path)
    reader.refresh()
    return reader.damage


def test_a_frame_that_lies_about_its_size(tmp_path):
    packed = zstandard.compress(b"x" * 1_000_000)
    for said_size in (10, 2_000_000):
        lie = struct.pack(">4sII", b"RX4F", len(packed), said_size) + packed
        _, found = read(v4_session(tmp_path / "s", lie))
        assert "says" in found.damage[0].reason
    # A content size that only the header of zstd knows is not trusted either.
    blind = zstandard.ZstdCompressor(write_content_size=False).compress(b"x" * 1_000_000)
    lie = struct.pack(">4sII", b"RX4F", len(blind), 10) + blind
    _, found = read(v4_session(tmp_path / "s", lie))
    assert len(found.damage) == 1


def test_messages_stand_in_the_order_of_their_numbers(tmp_path):
    messages, _ = read(v4_session(tmp_path / "s", batch(5, said(ANSWER)), batch(1, said(ASK))))
    assert messages == [ASK, ANSWER]


def test_what_is_no_session(tmp_path):
    with pytest.raises(SessionNotFound):
        read_v4(tmp_path / "none")
    (tmp_path / "events.frames").mkdir()
    with pytest.raises(NotAFile):
        read_v4(tmp_path)


def test_a_ready_made_preview_is_trusted_if_it_is_of_this_file(tmp_path):
    id = "3db33388d64bb551fa646e8762e8ffae"
    v4_session(tmp_path / id, *BATCHES)
    status = (tmp_path / id / "events.frames").stat()
    cache = tmp_path / ".query-cache" / id
    cache.mkdir(parents=True)
    value = {"turns": 4, "preview": "p", "modelRef": "m", "logSize": status.st_size}
    layer = FileLayer()
    for offset, trusted in ((0, True), (1, False)):
        value["logModTimeNs"] = status.st_mtime_ns + offset
        (cache / "catalog-metadata.json").write_text(json.dumps(value))
        with layer.open_dir(str(tmp_path)) as folder:
            found = read_catalog(layer, folder, id)
            assert (found is not None) == trusted
            assert read_catalog(layer, folder, "0" * 32) is None
    (cache / "catalog-metadata.json").write_text("{")
    with layer.open_dir(str(tmp_path)) as folder:
        assert read_catalog(layer, folder, id) is None


def test_the_real_ones_can_be_cut_too(tmp_path):
    for real in (REASONIX / "sessions-v4").iterdir():
        data = (real / "events.frames").read_bytes()
        whole, _ = read(real)
        for cut in range(0, len(data), 251):
            messages, _ = read(v4_session(tmp_path / "s", data[:cut]))
            assert messages == whole[: len(messages)]


# --- generation C --------------------------------------------------------------------------------


def log(path, *parts):
    path.write_bytes(b"".join(parts))
    return path


LOG = [log_line("replace", SESSION[:2]), log_line("append", SESSION[2:4], 2, revision=3)]


def test_a_log_is_replayed_and_followed(tmp_path):
    path = log(tmp_path / "s.events.jsonl", *LOG)
    found = EventLog(path)
    assert found.refresh()
    assert found.messages == SESSION[:4]
    assert not found.refresh()
    last = log_line("append", [ANSWER], 4)
    for end in range(1, len(last) + 1, 9):
        log(path, *LOG, last[:end])
        found.refresh()
        assert found.messages == SESSION[:4]
        assert [item.kind for item in found.damage] == ["torn"]
    log(path, *LOG, last)
    found.refresh()
    assert (found.messages, found.damage) == (SESSION, [])
    log(path, log_line("replace", [ASK]))
    found.refresh()
    assert found.messages == [ASK]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (log_line("append", [ANSWER], 3), "adds at message 3, there are 4"),
        (log_line("forget", []), "nobody knows"),
        (b"{}\n", "not a record"),
        (b"not json\n", "not a record"),
        (log_line("append", [{"role": 5}], 4), "not a message"),
        (log_line("append", ["text"], 4), "not a message"),
    ],
)
def test_a_log_counts_as_far_as_it_adds_up(tmp_path, line, words):
    path = log(tmp_path / "s.events.jsonl", *LOG, line, log_line("append", [ANSWER], 4))
    write(tmp_path / "s.jsonl", [ASK])
    found = read_logged(str(tmp_path / "s.jsonl"))
    assert log_path(str(tmp_path / "s.jsonl")) == str(path)
    assert (found.from_log, found.problem) == (True, "")
    assert found.reading.messages == SESSION[:4]
    (item,) = found.reading.damage
    assert words in item.reason
    assert (item.line, item.offset, item.index) == (3, len(b"".join(LOG)), 4)


def test_a_log_that_is_too_large_leaves_the_checkpoint(tmp_path, monkeypatch):
    write(tmp_path / "s.jsonl", SESSION)
    path = log(tmp_path / "s.events.jsonl", *LOG, log_line("append", [ANSWER], 4))
    for limit in ("MOST_BYTES", "MOST_RECORDS", "MOST_MESSAGES"):
        with monkeypatch.context() as patch:
            patch.setattr(f"tenuto.reasonix.eventlog.{limit}", 2)
            found = read_logged(str(tmp_path / "s.jsonl"))
        assert not found.from_log
        assert "exceeds safe replay limits" in found.problem
        assert found.reading.messages == SESSION
    path.unlink()
    found = read_logged(str(tmp_path / "s.jsonl"))
    assert (found.from_log, found.reading.messages) == (False, SESSION)
    (tmp_path / "s.jsonl").unlink()
    with pytest.raises(SessionNotFound):
        read_logged(str(tmp_path / "s.jsonl"))


def test_a_log_that_makes_no_sense_leaves_the_checkpoint(tmp_path):
    write(tmp_path / "s.jsonl", SESSION)
    log(tmp_path / "s.events.jsonl", b"{}\n")
    found = read_logged(str(tmp_path / "s.jsonl"))
    assert not found.from_log
    assert found.reading.messages == SESSION
    assert lines(SESSION) == (tmp_path / "s.jsonl").read_bytes()


def test_a_logged_session_is_loaded_from_its_log_and_never_written(tmp_path):
    path = write(tmp_path / "s.jsonl", [ASK])
    log(tmp_path / "s.events.jsonl", *LOG, b'{"type":"app')
    assert load_session(path) == SESSION[:4]
    before = snapshot(tmp_path)
    with Controller(tmp_path / "new", "m") as controller:
        resumed = controller.resume(load_session(path), path)
        assert isinstance(resumed.read_only, NewerGeneration)
        controller.append(ANSWER)
        with pytest.raises(NewerGeneration):
            controller.snapshot()
        with pytest.raises(NewerGeneration):
            trash_session(path)
        assert load_session(controller.branch()) == SESSION
    assert snapshot(tmp_path / "s.jsonl", tmp_path).items() >= before.items()
    log(tmp_path / "s.events.jsonl", *LOG, log_line("append", [ANSWER], 9))
    with pytest.raises(DamagedSession, match="adds at message 9"):
        load_session(path)


def test_a_session_of_any_generation_goes_on_as_generation_a(tmp_path):
    found = read_v4(v4_session(tmp_path / ("a" * 32), *BATCHES[:4]))
    with Controller(tmp_path / "sessions", "stub/m") as controller:
        path = controller.adopt([item.message for item in found.messages], "a" * 32, "mine")
        controller.append(ANSWER)
        controller.snapshot()
    session = load_session(path)
    assert session[:4] == [SYSTEM, HOST, ASK, CALL]
    assert session[4]["content"].startswith("[no result: ")
    assert session[5:] == [ANSWER]
    assert load_meta(path).parent_id == "a" * 32
