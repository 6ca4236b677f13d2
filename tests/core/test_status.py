# SPDX-License-Identifier: Apache-2.0
"""Status is state plus evidence (design.md): each row of its table, and what overrules what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tenuto.runs.ask import Ask
from tenuto.runs.files import FileLayer
from tenuto.runs.holders import Holder
from tenuto.runs.preview import Preview
from tenuto.runs.preview_build import build
from tenuto.runs.status import question, status_of
from tests.support import journals as j
from tests.support.paths import FISK_REAL

LAYER = FileLayer()


@pytest.fixture
def of(tmp_path: Path):
    """Status and evidence (as JSON) of a journal of these lines."""

    def status(*lines: bytes, holder=None, ask=None, can_tell=True) -> tuple[str, dict[str, Any]]:
        (tmp_path / "run.json").write_bytes(b"".join(lines))
        with LAYER.open_dir(str(tmp_path)) as folder:
            preview: Preview = build(LAYER, folder, "run")[0]
        found, evidence = status_of(preview, holder, ask, can_tell=can_tell)
        return found, msgspec.to_builtins(evidence)

    return status


TURN = j.assistant(2, [j.call("c1"), j.call("c2"), j.call("c3")], stop_reason="tool_use")
QUESTION = {"type": "ask", "id": "a1", "kind": "confirm", "text": "Remove the stream?"}


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        ("suspended", "suspended"),
        ("completed", "completed"),
        ("error", "failed"),
        ("budget", "budget"),
        ("max_iterations", "max_iterations"),
        ("invented_later", "failed"),
    ],
)
def test_a_terminal_record_in_force(of, tmp_path: Path, reason: str, status: str) -> None:
    end = j.line(3, "terminal", {"reason": reason, "message": "because"})
    found, evidence = of(j.meta(), TURN, end)
    assert found == status
    assert evidence.pop("time").startswith("20")
    # The batch had not begun: nothing of it is unknown.
    assert evidence == {"kind": "terminal", "seq": 3, "text": "because"}


def test_a_terminal_record_that_was_overtaken_is_not_in_force(of) -> None:
    assert of(j.meta(), TURN, j.terminal(3), j.result(4, "c1"))[0] == "interrupted"


def test_interrupted_between_turns(of) -> None:
    answered = [j.result(3, "c1"), j.result(4, "c2"), j.result(5, "c3")]
    assert of(j.meta(), TURN, *answered) == ("interrupted", {"kind": "between_turns"})
    assert of(j.meta()) == ("interrupted", {"kind": "between_turns"})


@pytest.mark.parametrize(
    ("answered", "unknown"), [([], "c1"), (["c1"], "c2"), (["c1", "c2"], "c3")]
)
def test_only_the_first_call_without_a_result_is_unknown(of, answered, unknown: str) -> None:
    results = [j.result(3 + place, id) for place, id in enumerate(answered)]
    status, evidence = of(j.meta(), TURN, *results)
    assert status == "interrupted"
    assert evidence == {
        "kind": "outcome_unknown",
        "calls": [{"id": unknown, "name": "stock_list", "display": "stock_list"}],
    }


def test_of_a_reply_cut_at_the_limit_no_call_can_have_happened(of) -> None:
    cut = j.assistant(2, [j.call("c1")], stop_reason="max_tokens")
    assert of(j.meta(), cut) == ("interrupted", {"kind": "between_turns"})


def test_a_held_lock_is_running_whatever_the_journal_says(of) -> None:
    holder = Holder(4711, 1_767_605_400.25)
    running = ("running", {"kind": "lock", "pid": 4711, "time": "2026-01-05T09:30:00.25Z"})
    assert of(j.meta(), TURN, j.terminal(3), holder=holder) == running
    # It is being created, or repaired, or its last line is just being written.
    assert of(b"", holder=holder) == running
    assert of(j.meta(), b'{"seq":2,', holder=holder) == running
    assert of(j.meta(), holder=Holder(4711, None)) == ("running", {"kind": "lock", "pid": 4711})


def test_a_question_is_believed_only_while_its_process_holds_the_lock(of) -> None:
    ask = Ask(4711, "2026-01-05T09:31:00Z", QUESTION)
    waiting = {
        "kind": "ask",
        "pid": 4711,
        "time": "2026-01-05T09:31:00Z",
        "text": "Remove the stream?",
    }
    assert of(j.meta(), TURN, holder=Holder(4711, None), ask=ask) == ("waiting", waiting)
    assert of(j.meta(), TURN, holder=Holder(4712, None), ask=ask)[0] == "running"
    assert of(j.meta(), TURN, ask=ask)[0] == "interrupted"


def test_where_nobody_tells_of_locks(of) -> None:
    unknown = ("interrupted", {"kind": "lock_unknown"})
    assert of(j.meta(), TURN, can_tell=False) == unknown
    # What ended, ended.
    assert of(j.meta(), TURN, j.terminal(3), can_tell=False)[0] == "suspended"


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", "empty"),
        (b'{"seq":1,"prot', "empty"),
        (j.meta(version=4), "newer"),
        (j.meta() + b"garbage\n" + j.terminal(3), "damaged"),
        (TURN, "damaged"),
    ],
)
def test_what_the_reader_says(of, content: bytes, status: str) -> None:
    found, evidence = of(content)
    assert found == status
    assert evidence["kind"] == "problem"
    assert evidence["text"]


def test_a_torn_tail_is_no_status_of_its_own(of) -> None:
    assert of(j.meta(), TURN, j.terminal(3), b'{"seq":4')[0] == "suspended"


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ({"kind": "approve", "tool": "rm", "argv": ["rm", "a b", "-f"]}, "rm 'a b' -f"),
        ({"kind": "outcome", "tool": "rm", "argv": []}, "rm"),
        ({"kind": "input", "text": "How many?"}, "How many?"),
        ({"kind": "select", "text": 5, "argv": [1], "tool": None}, ""),
    ],
)
def test_questions_in_words(ask: dict[str, Any], text: str) -> None:
    assert question(ask) == text


def test_real_runs(of) -> None:
    found = {path.stem: of(path.read_bytes())[0] for path in sorted((FISK_REAL / "runs").iterdir())}
    assert found == {
        "budget": "budget",
        "chat-waiting": "interrupted",
        "completed": "completed",
        "cut-reply": "failed",
        "denied": "completed",
        "failed-400": "failed",
        "killed-in-tool": "interrupted",
        "missing-required": "completed",
        "paused-turn": "completed",
        "positional-gap": "completed",
        "suspended": "suspended",
        "unicode": "completed",
    }
