# SPDX-License-Identifier: Apache-2.0
"""Workers as the window sees them: processes that speak, ask, fall silent, or die."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from tenuto_gui.context import AppContext
from tenuto_gui.runs import protocol
from tenuto_gui.runs.worker import RunController, RunOutcome
from tests.gui.parts import context

FAKE = Path(__file__).parent / "fake_worker.py"
STARTING = {"emit": {"type": "starting", "run_id": "r", "pid": 7, "max_tokens": 2000}}
ASK = {
    "emit": {
        "type": "ask",
        "id": "ask-1",
        "kind": "approve",
        "tool": "stock_remove",
        "argv": ["pantry", "stock", "remove"],
        "digest": "d1",
    }
}


class Stage:
    """A controller, a part to play, and what came of it."""

    def __init__(self, qtbot: QtBot, made: AppContext, folder: Path, grace_ms: int) -> None:
        self.qtbot = qtbot
        self.part = folder / "part"
        self.controller = RunController(made, grace_ms=grace_ms)
        self.events: list[Any] = []
        self.outcomes: list[RunOutcome] = []
        self.refusals: list[protocol.Refused] = []
        self.controller.run_event.connect(lambda _id, event: self.events.append(event))
        self.controller.finished.connect(lambda _id, outcome: self.outcomes.append(outcome))
        self.controller.refused.connect(lambda _id, event: self.refusals.append(event))

    def play(self, *steps: dict[str, Any], force: bool = False) -> None:
        self.part.write_text("".join(json.dumps(step) + "\n" for step in steps))
        assert self.controller.resume("r", str(self.part), force)

    def until(self, kind: type) -> Any:
        self.qtbot.waitUntil(lambda: any(isinstance(e, kind) for e in self.events), timeout=20_000)
        return next(e for e in self.events if isinstance(e, kind))

    def end(self) -> RunOutcome:
        self.qtbot.waitUntil(lambda: bool(self.outcomes), timeout=20_000)
        assert not self.controller.is_live("r")
        return self.outcomes[0]

    def told(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in Path(f"{self.part}.log").read_text().splitlines()]


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path) -> Iterator[Stage]:
    with context(tmp_path, (sys.executable, str(FAKE))) as made:
        yield Stage(qtbot, made, tmp_path, grace_ms=300)


def test_a_run_goes_from_start_to_end(stage: Stage) -> None:
    stage.play(
        STARTING,
        {"emit": {"type": "text", "delta": "Hel"}},
        {"emit": {"type": "text", "delta": "lo"}},
        {"emit": {"type": "assistant", "seq": 4, "iteration": 2, "usage": {"in_tokens": 30}}},
        {"emit": {"type": "finished", "reason": "completed", "message": "", "counters": {}}},
        force=True,
    )
    outcome = stage.end()
    assert outcome.exit_code == 0
    assert isinstance(outcome.event, protocol.Finished)
    assert "".join(e.delta for e in stage.events if isinstance(e, protocol.TextDelta)) == "Hello"
    folder = str(stage.part.parent)
    assert stage.told()[0]["argv"] == [
        *("resume", "r", "--config", str(stage.part), "--force", "--events", "jsonl"),
        *("--state-dir", folder),
    ]


def test_what_is_known_of_a_live_run(stage: Stage) -> None:
    stage.play(
        STARTING,
        {"emit": {"type": "assistant", "seq": 4, "iteration": 2, "usage": {"in_tokens": 30}}},
        {"emit": {"type": "tool_start", "id": "c1", "name": "wait"}},
        {"read": "suspend"},
    )
    stage.until(protocol.ToolStart)
    run = stage.controller.run("r")
    assert run is not None
    assert (run.iteration, run.tokens, run.tool, run.phase) == (2, 30, "wait", "running")
    assert run.starting is not None
    assert run.starting.max_tokens == 2000
    assert not stage.controller.resume("r", str(stage.part)), "one worker for a run"
    stage.controller.suspend("r")
    assert run.phase == "suspending"
    assert stage.end().exit_code == 0


def test_an_answer_carries_the_digest_that_was_shown(stage: Stage) -> None:
    stage.play(STARTING, ASK, {"read": "answer"})
    stage.until(protocol.Ask)
    assert not stage.controller.answer("r", "another", "once")
    assert stage.controller.answer("r", "ask-1", "deny", reason="not today")
    assert not stage.controller.answer("r", "ask-1", "once"), "answered once"
    stage.end()
    assert stage.told()[1] == {
        "type": "answer",
        "id": "ask-1",
        "decision": "deny",
        "reason": "not today",
        "digest": "d1",
    }


def test_a_question_goes_with_its_worker(stage: Stage) -> None:
    stage.play(STARTING, ASK, {"sleep": 0.05}, {"kill": True})
    outcome = stage.end()
    assert outcome.exit_code is None
    assert outcome.message == "The worker was killed."
    assert stage.until(protocol.Withdrawn).id == "ask-1"


def test_a_refusal_is_told_as_one(stage: Stage) -> None:
    refusal = {"type": "refused", "reason": "configuration", "message": "model", "diff": [{"a": 1}]}
    stage.play({"emit": refusal}, {"exit": 4})
    outcome = stage.end()
    assert [r.reason for r in stage.refusals] == ["configuration"]
    assert (outcome.exit_code, outcome.message) == (4, "model")


def test_nonsense_is_a_warning_and_news_of_later_versions_is_none(stage: Stage) -> None:
    stage.play(
        {"raw": "Traceback (most recent call last)\n\n[1]\n\xff{}\n"},
        {"emit": {"type": "hologram", "x": 1}},
        {"emit": {"type": "text", "delta": 5}},
        {"raw": '{"type":"text","delta":"end without a newline"}'},
    )
    stage.end()
    kinds = [type(e).__name__ for e in stage.events]
    assert kinds == ["Warning_"] * 4 + ["TextDelta"]


def test_a_crash_keeps_its_last_words(stage: Stage) -> None:
    stage.play(STARTING, {"err": "x" * 200_000}, {"err": "KeyError: 'model'"}, {"exit": 1})
    outcome = stage.end()
    assert outcome.exit_code == 1
    assert outcome.message == "The worker ended with exit code 1. KeyError: 'model'"
    assert len(outcome.log) < 140_000


def test_a_worker_that_cannot_be_started(qtbot: QtBot, tmp_path: Path) -> None:
    with context(tmp_path, (str(tmp_path / "none"),)) as made:
        stage = Stage(qtbot, made, tmp_path, 300)
        stage.play()
        outcome = stage.end()
    assert outcome.exit_code is None
    assert outcome.message.startswith("The worker cannot be started")


def test_abort_kills_what_does_not_end_by_itself(stage: Stage) -> None:
    stage.play(STARTING, {"sleep": 60})
    stage.until(protocol.Starting)
    stage.controller.abort("r")
    outcome = stage.end()
    assert outcome.aborted
    assert outcome.exit_code is None


def test_abort_is_asked_before_it_is_forced(stage: Stage) -> None:
    stage.play(STARTING, {"read": "abort"}, {"exit": 130})
    stage.until(protocol.Starting)
    stage.controller.abort("r")
    outcome = stage.end()
    assert (outcome.exit_code, outcome.aborted) == (130, True)


def test_the_end_of_the_window_is_the_end_of_the_workers_input(stage: Stage) -> None:
    stage.play(STARTING, {"read": "anything"}, {"exit": 0})
    stage.until(protocol.Starting)
    with stage.qtbot.waitSignal(stage.controller.idle, timeout=20_000):
        stage.controller.close_inputs()
    assert stage.end().exit_code == 0
    assert stage.told()[-1] == {"type": "end"}


def test_a_flood_of_events_does_not_hold_up_the_window(stage: Stage) -> None:
    line = json.dumps({"type": "text", "delta": "word " * 20}) + "\n"
    stage.play(STARTING, {"raw": line * 20_000}, {"exit": 0})
    stage.end()
    assert sum(isinstance(e, protocol.TextDelta) for e in stage.events) == 20_000


# --- lines ----------------------------------------------------------------------------------------


@given(st.lists(st.binary(max_size=30)), st.lists(st.integers(0, 400), max_size=8))
def test_lines_are_what_splitting_the_whole_gives(lines: list[bytes], cuts: list[int]) -> None:
    lines = [line.replace(b"\n", b"") for line in lines]
    stream = b"\n".join(lines)
    splitter = protocol.LineSplitter()
    found: list[bytes | None] = []
    last = 0
    for cut in [*sorted(cuts), len(stream)]:
        found += splitter.feed(stream[last:cut])
        last = max(last, cut)
    assert [*found, splitter.end()] == (lines or [b""])


@given(st.lists(st.integers(0, 40), min_size=1, max_size=12), st.integers(1, 50))
def test_a_line_without_an_end_is_dropped_and_told(sizes: list[int], step: int) -> None:
    limit = 16
    stream = b"".join(b"x" * size + b"\n" for size in sizes)
    splitter = protocol.LineSplitter(limit)
    found: list[bytes | None] = []
    for start in range(0, len(stream), step):
        found += splitter.feed(stream[start : start + step])
    assert found == [b"x" * size if size <= limit else None for size in sizes]
