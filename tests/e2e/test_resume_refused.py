# SPDX-License-Identifier: Apache-2.0
"""What a resume refuses, and that a refusal changes nothing; messages and budgets."""

from __future__ import annotations

import fcntl
import json

import pytest

from tests.e2e.bench import Bench
from tests.e2e.messages_server import MessagesServer
from tests.e2e.runs import (
    DONE,
    PANTRY,
    call,
    resume,
    start,
    suspended,
    turn,
    wait_turn,
)

# --- refusals -----------------------------------------------------------------------------------


def test_two_resumes_at_once(bench: Bench) -> None:
    config = suspended(bench, wait_turn())
    with bench.worker(*resume(config)) as worker:
        worker.until("tool_start")
        before = bench.snapshot()
        # The first one stays where it is: the answer did not wait for it.
        second = bench.tenuto(*resume(config, "--json", "--no-replay"))
        assert second.returncode == 5
        assert json.loads(second.stdout)["error"] == "locked"
        assert bench.snapshot() == before
        bench.pantry.let_go()
        assert worker.wait() == 0


def test_a_run_that_another_program_holds(bench: Bench) -> None:
    config = suspended(bench)
    with (bench.runs / "r1.lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with bench.worker(*resume(config)) as worker:
            assert worker.wait() == 5
            assert worker.events[-1]["kind"] == "locked"
    assert bench.tenuto(*resume(config, "--no-replay")).returncode == 0


def test_a_damaged_run_is_refused_with_advice(bench: Bench) -> None:
    config = suspended(bench)
    journal = bench.runs / "r1.json"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], lines[1][:40] + b"\n", *lines[2:]]))
    before = bench.snapshot()
    done = bench.tenuto(*resume(config, "--no-replay"))
    assert done.returncode == 6
    assert "session doctor r1" in done.stderr
    assert bench.snapshot() == before


def test_no_such_run(bench: Bench) -> None:
    config = bench.script([DONE])
    assert bench.tenuto("resume", "nope", "--config", str(config)).returncode == 3
    assert list(bench.runs.iterdir()) == []


@pytest.mark.parametrize(
    ("backend", "exit_code"), [("jetstream", 2), ("file", 0)], ids=["jetstream", "file"]
)
def test_a_backend_that_is_not_there_is_named(bench: Bench, backend: str, exit_code: int) -> None:
    config = bench.script([DONE])
    plain = json.loads(config.read_text())
    options = {"stream": "RUNS"} if backend == "jetstream" else {}
    sessions = {"backend": backend, "options": options}
    bench.configure({**plain, "harness": {"sessions": sessions}}, script="script.json")
    done = bench.tenuto(*start(config))
    assert done.returncode == exit_code, done.stderr
    assert (backend in done.stderr) is (exit_code == 2)
    assert (bench.runs / "r1.json").exists() is (exit_code == 0)


def test_a_resume_with_another_backend_changes_nothing(bench: Bench) -> None:
    config = suspended(bench)
    plain = json.loads(config.read_text())
    sessions = {"backend": "jetstream", "options": {"stream": "RUNS"}}
    config.write_text(json.dumps({**plain, "harness": {"sessions": sessions}}))
    before = bench.snapshot()
    done = bench.tenuto(*resume(config, "--no-replay"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "jetstream" in done.stderr
    assert bench.snapshot() == before
    config.write_text(json.dumps({**plain, "harness": {"sessions": {"backend": "file"}}}))
    assert bench.tenuto(*resume(config, "--no-replay")).returncode == 0


def test_a_missing_key_is_said_before_anything_is_written(bench: Bench) -> None:
    config = bench.configure(PANTRY)
    del bench.environment["ANTHROPIC_API_KEY"]
    done = bench.tenuto(*start(config))
    assert done.returncode != 0
    assert "ANTHROPIC_API_KEY" in done.stderr
    assert list(bench.runs.iterdir()) == []
    bench.take("suspended")
    before = bench.snapshot()
    same = bench.configure({**PANTRY, "system_prompt": "You keep the pantry <tidy> & current.\n"})
    done = bench.tenuto("resume", "suspended", "--config", str(same), "--no-replay")
    assert "ANTHROPIC_API_KEY" in done.stderr
    assert bench.snapshot() == before


def test_a_forced_resume_is_remembered_outside_the_journal(bench: Bench) -> None:
    config = suspended(bench)
    saved = bench.records("r1")[0]
    changed = json.loads(config.read_text()) | {"system_prompt": "Another one.\nYes, this."}
    changed |= {"exclude": {"tools": ["^import$"]}}
    config.write_text(json.dumps(changed))
    with bench.worker(*resume(config, "--force")) as worker:
        began = worker.until("starting")
        assert began["forced"] is True
        rows = [row for row in began["diff"] if row["changed"]]
        assert [row["field"] for row in rows] == ["system_hash", "tools_hash"]
        assert rows[0]["details"][0]["text"] == "Another one."
        assert worker.wait() == 0
    assert bench.records("r1")[0] == saved
    notes = json.loads((bench.runs / "r1.notes.json").read_bytes())
    assert notes["config"] == str(config)
    (forced,) = notes["forced"]
    assert forced["config"] == str(config)
    prompt, tools = forced["diff"]
    # What changed, to the line and the tool; but no word of a prompt is kept.
    lines = [{"change": "added", "part": 1, "line": number} for number in (1, 2)]
    assert (prompt["field"], prompt["saved"]) == (
        "system_hash", saved["meta"]["fingerprint"]["system_hash"],
    )  # fmt: skip
    assert prompt["details"] == [*lines, {"change": "removed", "count": 1}]
    assert tools["details"] == [{"change": "removed", "name": "import"}]
    assert b"Another one" not in (bench.runs / "r1.notes.json").read_bytes()


# --- messages and budgets -----------------------------------------------------------------------


@pytest.mark.parametrize("stop", ["max_tokens", "refusal"])
def test_a_conversation_that_ends_with_the_model_needs_a_message(bench: Bench, stop: str) -> None:
    config = bench.script([{"text": "I", "stop": stop}, DONE])
    first = bench.tenuto(*start(config))
    assert (first.returncode, first.stdout) == (1, "I\n")
    before = bench.snapshot()
    done = bench.tenuto(*resume(config, "--json", "--no-replay"))
    assert (done.returncode, json.loads(done.stdout)["reason"]) == (4, "message_required")
    assert "--say" in done.stderr
    assert bench.snapshot() == before
    done = bench.tenuto(*resume(config, "--say", "go on, please", "--no-replay"))
    assert (done.returncode, done.stdout) == (0, "Done.\n")
    assert bench.kinds("r1")[3:] == ["user", "assistant", "terminal"]
    typed = bench.records("r1")[3]["user"]["message"]
    assert typed == {"role": "user", "content": [{"text": {"text": "go on, please"}}]}


def test_a_message_joins_after_the_pending_batch(bench: Bench) -> None:
    bench.take("killed-in-tool")
    config = bench.configure({**PANTRY, "system_prompt": "You keep the pantry <tidy> & current.\n"})
    with MessagesServer([DONE]) as server:
        bench.use(server)
        done = bench.tenuto(
            "resume", "killed-in-tool", "--config", str(config), "--say", "hurry", "--no-replay"
        )
    assert done.returncode == 0, done.stderr
    last = server.calls[0].messages[-1]["content"]
    assert [block["type"] for block in last] == ["tool_result"] * 3 + ["text"]
    assert bench.kinds("killed-in-tool")[5:] == [
        "tool_result", "tool_result", "user", "assistant", "terminal",
    ]  # fmt: skip


def test_a_message_that_could_not_be_added_is_told(bench: Bench) -> None:
    """A batch whose call waits for approval takes none: it is the operator's to say it again."""
    config = bench.script([turn(call("stock_remove", items=["tea"])), DONE])
    for line in (start(config), resume(config, "--say", "hurry")):
        with bench.worker(*line) as worker:
            worker.until("ask")
            worker.hang_up()
            assert worker.wait() == 0
            told = [e for e in worker.events if e.get("kind") == "unsaid"]
    assert "was not added" in told[0]["text"]
    assert bench.kinds("r1") == ["meta", "assistant", "terminal", "terminal"]
    with bench.worker(*resume(config, "--say", "hurry")) as worker:
        worker.send(type="answer", id=worker.until("ask")["id"], decision="once")
        assert worker.wait() == 0
        assert not any(e.get("kind") == "unsaid" for e in worker.events)
    assert bench.kinds("r1")[4:] == ["tool_result", "user", "assistant", "terminal"]


def test_a_used_up_iteration_budget_is_warned_about(bench: Bench) -> None:
    config = bench.script([turn(call("stock_list"))] * 3, budget={"max_iterations": 2})
    first = bench.tenuto(*start(config))
    assert first.returncode == 1
    assert bench.records("r1")[-1]["terminal"]["reason"] == "max_iterations"
    with bench.worker(*resume(config)) as worker:
        assert "llm.budget.max_iterations" in worker.until("warning", kind="budget")["text"]
        assert worker.wait() == 1
        assert worker.events[-1]["counters"]["llm_calls"] == 2
    assert bench.kinds("r1")[-2:] == ["terminal", "terminal"]


def test_a_used_up_token_budget_is_warned_about(bench: Bench) -> None:
    config = bench.script([turn(call("stock_list"))] * 3, budget={"max_tokens": 150})
    assert bench.tenuto(*start(config)).returncode == 1
    with bench.worker(*resume(config)) as worker:
        assert "llm.budget.max_tokens" in worker.until("warning", kind="budget")["text"]
        assert worker.wait() == 1
    assert bench.records("r1")[-1]["terminal"]["reason"] == "budget"
