# SPDX-License-Identifier: Apache-2.0
"""What Reasonix sessions did when: by the times of v4 and of event logs, else by turn."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.errors import RunNotFound
from tenuto.sources.activity import Activity
from tenuto.sources.reasonix import ReasonixSource
from tenuto.sources.reasonix_activity import ReasonixActivity
from tests.support import reasonix
from tests.support.reasonix import (
    ANSWER,
    ASK,
    CALL,
    REASONIX,
    RESULT,
    SESSION,
    SYSTEM,
    batch,
    log_line,
    said,
    v4_session,
    write,
)

HOST = {"role": "user", "origin": "host", "content": "context"}
FAILED = RESULT | {
    "content": "error: command exited: exit status 2\nno such file",
    "tool_execution": {"exitCode": 2, "durationMs": 3000},
}


def at(minute: int, second: int = 0) -> str:
    return f"2026-09-01T10:{minute:02d}:{second:02d}Z"


def spans(found: Activity) -> list[tuple[str, float, float]]:
    assert found.begun is not None
    return [(s.kind, s.start - found.begun, s.end - found.begun) for s in found.spans]


V4 = [
    batch(1, said(SYSTEM), time=at(0)),
    batch(2, ("turn/start", {}), said(HOST), said(ASK), time=at(0)),
    batch(5, said(CALL), ("tool/start", {"id": "c1"}), time=at(0, 8)),
    batch(7, said(RESULT), ("tool/result", {"id": "c1", "durationMs": 4000}), time=at(0, 13)),
    batch(9, said(CALL), time=at(0, 20)),
    batch(10, said(FAILED), time=at(0, 24)),
    batch(11, said(ANSWER), ("turn/end", {}), time=at(0, 30)),
    batch(13, ("turn/start", {}), said(ASK), time=at(20)),
    batch(15, said(ANSWER), ("turn/end", {}), time=at(20, 10)),
]


def test_a_v4_session_over_time(tmp_path: Path) -> None:
    found = ReasonixActivity(v4_session(tmp_path / "s", *V4)).refresh()
    assert found.timed
    assert found.stored
    assert not found.counted
    assert spans(found) == [
        ("model", 0, 8), ("tool", 9, 13), ("model", 13, 20), ("tool", 21, 24),
        ("model", 24, 30), ("model", 1200, 1210),
    ]  # fmt: skip
    # Nobody knows that the operator was asked, and between two turns nobody waits for one.
    assert [(gap.kind, gap.end - gap.start) for gap in found.gaps] == [("idle", 1170)]
    assert (found.waited, found.suspended, found.tokens) == (0, 0, 0)
    assert (found.calls, found.errors, found.unseen) == (2, 1, [])
    (failure,) = found.failures
    assert failure.call is not None
    assert (failure.call.exit_code, failure.call.ms) == (2, 3000)
    assert [(tool.name, tool.calls, tool.total_ms) for tool in found.tools] == [("bash", 2, 7000)]
    assert [turn.place.turn for turn in found.turns] == [1, 2, 3, 4]


def test_every_place_is_a_block_of_the_transcript(tmp_path: Path) -> None:
    id = "a" * 32
    v4_session(tmp_path / "sessions-v4" / id, *V4)
    source = ReasonixSource(tmp_path)
    opened = source.open(f"sessions-v4/{id}")
    opened.refresh()
    blocks = {(block.seq, block.index): block for block in opened.blocks}
    # How long a call took stands in the transcript, too, wherever it is noted.
    assert [b.ms for b in opened.blocks if b.kind == "tool_call"] == [4000, 3000]
    found = source.activity(f"sessions-v4/{id}").refresh()
    for turn in found.turns:
        assert blocks[turn.place.seq, turn.place.index].turn == turn.place.turn
        for call in turn.calls:
            assert blocks[call.place.seq, call.place.index].call_id == call.id


def test_a_log_by_the_times_of_its_records(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [SYSTEM])
    log = tmp_path / "s.events.jsonl"
    log.write_bytes(
        log_line("replace", [SYSTEM], created_at=at(0))
        + log_line("append", [ASK], 1, created_at=at(1))
        + log_line("append", [CALL], 2, created_at=at(1, 5))
        + log_line("append", [RESULT], 3, created_at=at(1, 7))
    )
    reader = ReasonixActivity(path)
    assert spans(reader.refresh()) == [("model", 0, 5), ("tool", 5, 7)]
    with log.open("ab") as file:
        file.write(log_line("append", [ANSWER], 4, created_at=at(1, 9)))
    assert spans(reader.refresh())[2:] == [("model", 7, 9)]
    # A log that was folded says of its messages only when it was folded.
    log.write_bytes(
        log_line("replace", SESSION, created_at=at(5))
        + log_line("append", [ASK], 5, created_at=at(6))
        + log_line("append", [ANSWER], 6, created_at=at(6, 4))
    )
    found = reader.refresh()
    assert spans(found) == [("model", 0, 4)]
    assert found.unseen == [(1, 2)]


def test_messages_that_say_when_they_were_made(tmp_path: Path) -> None:
    ask = ASK | {"createdAt": 1_790_000_000_000}
    answer = ANSWER | {"createdAt": 1_790_000_003_000}
    found = ReasonixActivity(write(tmp_path / "s.jsonl", [SYSTEM, ask, answer])).refresh()
    assert spans(found) == [("model", 0, 3)]


def test_without_times_it_is_told_by_turn(tmp_path: Path) -> None:
    found = ReasonixActivity(write(tmp_path / "s.jsonl")).refresh()
    assert not found.timed
    assert (len(found.turns), found.calls, found.errors) == (2, 1, 0)
    assert [call.name for call in found.turns[0].calls] == ["bash"]


def test_a_session_that_is_at_work(tmp_path: Path) -> None:
    path = v4_session(tmp_path / "s", *V4[:3])
    reader = ReasonixActivity(path)
    found = reader.refresh("running")
    assert found.spans[-1].live
    assert found.spans[-1].call is not None
    assert found.spans[-1].call.state == "running"
    # Open, and its last turn ended: it waits for nobody knows what.
    v4_session(tmp_path / "s", *V4[:7])
    assert not any(span.live for span in reader.refresh("running").spans)
    os.unlink(path / "events.frames")
    with pytest.raises(RunNotFound):
        reader.refresh()


@pytest.mark.parametrize("real", sorted((REASONIX / "sessions-v4").iterdir()))
def test_the_real_ones(real: Path) -> None:
    found = ReasonixActivity(real).refresh()
    assert found.timed
    assert found.calls == sum(len(turn.calls) for turn in found.turns) > 0
    ends = [span.end for span in found.spans]
    assert ends == sorted(ends)
    assert all(span.start <= span.end for span in found.spans)


@given(
    reasonix.messages(),
    st.lists(st.sampled_from(["", "never", at(0), at(1), at(59, 59), "0001-01-01T00:00:00Z"])),
)
def test_no_session_is_too_odd(
    tmp_path_factory: pytest.TempPathFactory, found: list[Any], times: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("s")
    batches = [
        batch(seq, said(message), time=times[seq % len(times)] if times else "x")
        for seq, message in enumerate(found, 1)
    ]
    for path in (v4_session(folder / "s", *batches), write(folder / "s.jsonl", found)):
        for live in ("", "running"):
            made = ReasonixActivity(path).refresh(live)  # type: ignore[arg-type]
            assert all(span.start <= span.end for span in made.spans)
            calls = sum(len(m.get("tool_calls", [])) for m in found if m["role"] == "assistant")
            assert made.calls >= calls
