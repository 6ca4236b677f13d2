# SPDX-License-Identifier: Apache-2.0
"""Suspend, crash, resume, refuse: nothing twice, nothing lost, nothing changed by a refusal."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bench import Bench
from tests.e2e.messages_server import MessagesServer

DONE = {"text": "Done."}
PANTRY = {
    "identity": "pantry",
    "system_prompt": "You keep the pantry.",
    "llm": {"model": "stub-model"},
    "application_path": "pantry",
}


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "input": arguments}


def turn(*calls: dict[str, Any], text: str = "Working.") -> dict[str, Any]:
    return {"text": text, "tools": list(calls), "stop": "tool_use"}


def start(config: Path, *more: str) -> tuple[str, ...]:
    return ("run", "Tidy up", "--config", str(config), "--checkpoint", "--name", "r1", *more)


def resume(config: Path, *more: str) -> tuple[str, ...]:
    return ("resume", "r1", "--config", str(config), *more)


def results(bench: Bench) -> list[dict[str, Any]]:
    return [r["tool_result"]["result"] for r in bench.records("r1") if "tool_result" in r]


# --- exactly once -------------------------------------------------------------------------------

STORY = [
    turn(call("stock_add", item="tea"), call("wait", seconds=0.3)),
    turn(call("stock_add", item="salt"), call("wait", seconds=0.3), call("stock_list")),
    turn(call("wait", seconds=0.3), call("stock_add", item="oil")),
    {"text": "All in place.", "stop": "end_turn"},
]


@pytest.mark.slow
@pytest.mark.parametrize("boundary", range(3))
def test_a_clean_suspend_at_any_boundary_is_exactly_once(bench: Bench, boundary: int) -> None:
    config = bench.configure(PANTRY)
    with MessagesServer(STORY) as server:
        bench.use(server)
        with bench.worker(*start(config)) as worker:
            for _ in range(boundary + 1):
                worker.until("tool_start", name="wait")
            worker.send(type="suspend")
            assert worker.wait() == 0
            assert worker.events[-1]["reason"] == "suspended"
        assert len(server.calls) == boundary + 1
        done = bench.tenuto(*resume(config, "--no-replay"))
        assert (done.returncode, done.stdout) == (0, "All in place.\n"), done.stderr
        assert len(server.calls) == len(STORY)
    # What the tools saw is what an undisturbed run shows them, in its order.
    assert bench.pantry.calls() == [
        ["stock", "add", "--", "tea"],
        ["wait", "--seconds=0.3"],
        ["stock", "add", "--", "salt"],
        ["wait", "--seconds=0.3"],
        ["stock", "list"],
        ["wait", "--seconds=0.3"],
        ["stock", "add", "--", "oil"],
    ]


@pytest.mark.slow
def test_a_crash_repeats_at_most_one_call(bench: Bench) -> None:
    """SIGKILL at many moments of one run: the calls that tools and model saw, counted."""
    config = bench.configure(PANTRY)
    moments = [
        ("assistant", 0.0), ("tool_start", 0.0), ("tool_end", 0.0), ("tool_start", 0.15),
        ("assistant", 0.02), ("tool_start", 0.35),
    ]  # fmt: skip
    kills = len(moments)
    with MessagesServer(STORY) as server:
        bench.use(server)
        line: tuple[str, ...] = start(config)
        for kind, seconds in moments:
            with bench.worker(*line) as worker:
                worker.until(kind)
                time.sleep(seconds)
                worker.signal(signal.SIGKILL)
                worker.wait()
            line = resume(config, "--rerun")
        done = bench.tenuto(*resume(config, "--rerun", "--no-replay"))
        assert done.returncode == 0, done.stderr
        assert bench.kinds("r1").count("assistant") == len(STORY)
        # A call of the model's is repeated only when its reply was not journaled yet.
        assert len(server.calls) <= len(STORY) + kills
    calls = bench.pantry.calls()
    assert 7 <= len(calls) <= 7 + kills
    # Nothing is missing, and a call is repeated only right after itself.
    undoubled = [c for i, c in enumerate(calls) if i == 0 or calls[i - 1] != c]
    assert undoubled == [
        ["stock", "add", "--", "tea"],
        ["wait", "--seconds=0.3"],
        ["stock", "add", "--", "salt"],
        ["wait", "--seconds=0.3"],
        ["stock", "list"],
        ["wait", "--seconds=0.3"],
        ["stock", "add", "--", "oil"],
    ]


# --- outcome unknown ----------------------------------------------------------------------------


def killed_in_tool(bench: Bench, **own: Any) -> Path:
    """A run whose worker and slow tool died while the tool ran; another call waits behind it."""
    (bench.folder / "script.json").write_text(
        json.dumps({"turns": [turn(call("slow"), call("stock_add", item="tea")), DONE]})
    )
    config = bench.configure(
        {**PANTRY, "llm": {"model": "scripted-1", "provider": "scripted"}},
        script="script.json",
        commands=[{"name": "slow", "command": ["pantry", "wait", "--seconds=0.6"]}],
        **own,
    )
    with bench.worker(*start(config)) as worker:
        worker.until("tool_start")
        while not bench.pantry.calls():
            time.sleep(0.01)
        worker.signal(signal.SIGKILL)
        worker.wait()
    assert bench.kinds("r1") == ["meta", "assistant"]
    # The orphan ends by itself.
    time.sleep(0.7)
    bench.pantry.log.unlink()
    return config


def test_unattended_an_unknown_outcome_is_refused_and_nothing_changes(bench: Bench) -> None:
    config = killed_in_tool(bench)
    before = bench.snapshot()
    done = bench.tenuto(*resume(config, "--json", "--no-replay"))
    assert done.returncode == 4
    assert json.loads(done.stdout)["reason"] == "outcome_unknown"
    assert "--rerun" in done.stderr
    assert "--skip" in done.stderr
    assert bench.snapshot() == before
    assert bench.pantry.calls() == []


def test_rerun_runs_the_call_again(bench: Bench) -> None:
    config = killed_in_tool(bench)
    done = bench.tenuto(*resume(config, "--rerun", "--no-replay"))
    assert (done.returncode, done.stdout) == (0, "Done.\n")
    assert bench.pantry.calls() == [["wait", "--seconds=0.6"], ["stock", "add", "--", "tea"]]


def test_skip_tells_the_model_and_runs_the_later_calls(bench: Bench) -> None:
    config = killed_in_tool(bench)
    done = bench.tenuto(*resume(config, "--skip", "--no-replay"))
    assert done.returncode == 0
    assert bench.pantry.calls() == [["stock", "add", "--", "tea"]]
    assert results(bench)[0]["is_error"] is True
    assert "outcome of this call is unknown" in results(bench)[0]["content"]


@pytest.mark.parametrize("own", [{"read_only": ["slow"]}], ids=["by name"])
def test_a_read_only_call_simply_runs(bench: Bench, own: dict[str, Any]) -> None:
    config = killed_in_tool(bench, **own)
    with bench.worker(*resume(config)) as worker:
        assert worker.until("tool_start")["rerun"] is True
        assert worker.wait() == 0
        assert "ask" not in worker.types()


@pytest.mark.parametrize("decision", ["run", "skip", "stop"])
def test_the_window_is_asked_what_to_do(bench: Bench, decision: str) -> None:
    config = killed_in_tool(bench)
    before = bench.snapshot()
    with bench.worker(*resume(config)) as worker:
        asked = worker.until("ask")
        assert (asked["kind"], asked["tool"], asked["call_id"]) == ("outcome", "slow", "call_0_0")
        assert asked["argv"] == [str(bench.pantry.path), "wait", "--seconds=0.6"]
        assert asked["since"].endswith("Z")
        assert json.loads((bench.runs / "r1.ask.json").read_bytes())["pid"] == worker.process.pid
        # While it is asked, nobody else may go on with the run.
        other = bench.tenuto(*resume(config, "--rerun", "--no-replay"))
        assert other.returncode == 5
        worker.send(type="answer", id=asked["id"], decision=decision)
        code = worker.wait()
        kinds = worker.types()
    if decision == "stop":
        assert code == 4
        assert worker.events[-1]["type"] == "refused"
        assert worker.events[-1]["reason"] == "outcome_unknown"
        assert "starting" not in kinds
        assert bench.snapshot() == before
        return
    assert code == 0
    calls = [["wait", "--seconds=0.6"]] if decision == "run" else []
    assert bench.pantry.calls() == [*calls, ["stock", "add", "--", "tea"]]


def test_hanging_up_on_the_question_leaves_the_run_as_it_was(bench: Bench) -> None:
    config = killed_in_tool(bench)
    before = bench.snapshot()
    with bench.worker(*resume(config)) as worker:
        worker.until("ask")
        worker.hang_up()
        assert worker.wait() == 4
        assert "withdrawn" in worker.types()
    assert bench.snapshot() == before


@pytest.mark.parametrize("how", ["command", "signals"])
def test_aborting_the_question_leaves_the_run_as_it_was(bench: Bench, how: str) -> None:
    config = killed_in_tool(bench)
    before = bench.snapshot()
    with bench.worker(*resume(config)) as worker:
        worker.until("ask")
        if how == "command":
            worker.send(type="abort")
        else:
            worker.signal(signal.SIGINT)
            worker.signal(signal.SIGTERM)
        # Two signals in a row may both arrive before the first is acted on.
        assert worker.wait() in ((130,) if how == "command" else (4, 130))
        assert b"Traceback" not in worker.log
    assert bench.snapshot() == before


def test_a_torn_tail_stays_when_the_operator_stops(bench: Bench) -> None:
    config = killed_in_tool(bench)
    journal = bench.runs / "r1.json"
    with journal.open("ab") as file:
        file.write(b'{"seq":3,"protocol":"io.chor')
    before = bench.snapshot()
    assert bench.tenuto(*resume(config, "--no-replay")).returncode == 4
    assert bench.snapshot() == before
    assert bench.tenuto(*resume(config, "--rerun", "--no-replay")).returncode == 0
    assert (bench.runs / "r1.torn").read_bytes().endswith(b'{"seq":3,"protocol":"io.chor')
    assert bench.kinds("r1")[-1] == "terminal"


# --- refusals -----------------------------------------------------------------------------------


def suspended(bench: Bench, *turns: dict[str, Any]) -> Path:
    """A run that was suspended in its first turn."""
    config = bench.script([turn(call("wait", seconds=0.3)), *turns, DONE])
    with bench.worker(*start(config)) as worker:
        worker.until("tool_start")
        worker.send(type="suspend")
        assert worker.wait() == 0
    return config


def test_two_resumes_at_once(bench: Bench) -> None:
    config = suspended(bench, turn(call("wait", seconds=2)))
    with bench.worker(*resume(config)) as worker:
        worker.until("tool_start")
        before = bench.snapshot()
        began = time.monotonic()
        second = bench.tenuto(*resume(config, "--json", "--no-replay"))
        assert time.monotonic() - began < 2
        assert second.returncode == 5
        assert json.loads(second.stdout)["error"] == "locked"
        assert bench.snapshot() == before
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
    changed = json.loads(config.read_text()) | {"system_prompt": "Another one."}
    config.write_text(json.dumps(changed))
    with bench.worker(*resume(config, "--force")) as worker:
        began = worker.until("starting")
        assert began["forced"] is True
        rows = [row["field"] for row in began["diff"] if row["changed"]]
        assert rows == ["system_hash"]
        assert worker.wait() == 0
    assert bench.records("r1")[0] == saved
    notes = json.loads((bench.runs / "r1.notes.json").read_bytes())
    assert notes["config"] == str(config)
    assert [row["field"] for row in notes["forced"][0]["diff"]] == ["system_hash"]


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


# --- what is around a run -----------------------------------------------------------------------


def test_without_checkpoint_nothing_is_kept(bench: Bench) -> None:
    config = bench.script([turn(call("stock_list")), DONE])
    done = bench.tenuto("run", "Look", "--config", str(config))
    assert (done.returncode, done.stdout) == (0, "Done.\n")
    assert list(bench.runs.iterdir()) == []
    assert bench.pantry.calls() == [["stock", "list"]]


def test_the_conversation_so_far_is_printed_first(bench: Bench) -> None:
    config = suspended(bench)
    done = bench.tenuto(*resume(config))
    assert done.stdout == "Done.\n"
    assert "> Tidy up" in done.stderr
    assert "Working." in done.stderr


def test_the_reminder_is_sent_and_never_stored(bench: Bench) -> None:
    bench.take("suspended")
    config = bench.configure({**PANTRY, "system_prompt": "You keep the pantry <tidy> & current.\n"})
    with MessagesServer([DONE]) as server:
        bench.use(server)
        assert bench.tenuto("resume", "suspended", "--config", str(config)).returncode == 0
    system = server.calls[0].body["system"]
    assert len(system) == 2
    assert "resumed" in system[1]["text"]
    assert "cache_control" in system[0]
    assert "cache_control" not in system[1]
    assert system[1]["text"] not in (bench.runs / "suspended.json").read_text()


def test_tools_see_a_list_of_variables_and_no_key(bench: Bench) -> None:
    bench.environment |= {"MY_SECRET_TOKEN": "s3cret", "PASSED_ON": "yes", "LC_TIME": "C"}
    config = bench.configure(PANTRY, env={"PASSED_ON": None, "ANTHROPIC_AUTH_TOKEN": None})
    with MessagesServer([turn(call("stock_list")), DONE]) as server:
        bench.use(server)
        with bench.worker(*start(config)) as worker:
            assert worker.wait() == 0
            said = json.dumps(worker.events) + worker.log.decode()
    seen = bench.pantry.records()[0]["env"]
    assert seen["LLMFORMAT"] == "1"
    assert seen["PASSED_ON"] == "yes"
    assert "MY_SECRET_TOKEN" not in seen
    assert not any("ANTHROPIC" in name for name in seen)
    # The key reached the server, and is nowhere else.
    key = bench.environment["ANTHROPIC_API_KEY"]
    assert key in json.dumps(server.calls[0].headers)
    assert key not in said
    for folder in (bench.folder, Path(os.environ["XDG_DATA_HOME"])):
        for path in folder.rglob("*"):
            if path.is_file():
                assert key.encode() not in path.read_bytes(), path


def test_another_working_directory_is_a_warning(bench: Bench, tmp_path: Path) -> None:
    config = suspended(bench, turn(call("stock_list")))
    plain = json.loads(config.with_name("agent.tenuto.yaml").read_text())
    config.with_name("agent.tenuto.yaml").write_text(
        json.dumps({**plain, "working_directory": str(tmp_path)})
    )
    with bench.worker(*resume(config)) as worker:
        assert worker.until("starting")["cwd"] == str(tmp_path)
        assert str(bench.folder) in worker.until("warning", kind="cwd")["text"]
        assert worker.wait() == 0
    assert bench.pantry.records()[-1]["cwd"] == str(tmp_path)


def test_the_configuration_of_the_last_time_is_found(bench: Bench) -> None:
    suspended(bench)
    done = bench.tenuto("resume", "r1", "--no-replay")
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr


def test_times_are_kept_beside_the_journal(bench: Bench) -> None:
    suspended(bench)
    lines = (bench.runs / "r1.times.jsonl").read_bytes().splitlines()
    times = {entry["seq"]: entry for entry in map(json.loads, lines)}
    assert set(times) >= {2, 3, 4}
    assert times[3]["ms"] >= 300


def test_the_result_as_json(bench: Bench) -> None:
    config = bench.script([turn(call("stock_list")), DONE])
    done = bench.tenuto(*start(config), "--json")
    assert done.returncode == 0
    said = json.loads(done.stdout)
    assert (said["run_id"], said["reason"], said["answer"]) == ("r1", "completed", "Done.")
    assert said["counters"]["llm_calls"] == 2
    assert "run r1" in done.stderr


def test_a_name_that_is_taken_starts_nothing(bench: Bench) -> None:
    config = bench.script([DONE])
    assert bench.tenuto(*start(config)).returncode == 0
    before = bench.snapshot()
    done = bench.tenuto(*start(config), "--json")
    assert (done.returncode, json.loads(done.stdout)["error"]) == (4, "exists")
    assert bench.snapshot() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "", "--config", "x"),
        ("run", "hello", "--config", "x", "--name", "n"),
        ("run", "hello", "--config", "x", "--chat"),
        ("run", "hello"),
        ("resume", "r1", "--rerun", "--skip", "--config", "x"),
    ],
)
def test_wrong_use(bench: Bench, arguments: tuple[str, ...]) -> None:
    done = bench.tenuto(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("tenuto: ")
    assert list(bench.runs.iterdir()) == []


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("{", "not a script"),
        ('{"turns": []}', "no turns"),
        ('{"turns": [{"text": "a"}, {}]}', "turn 1 has none of text, tools, error"),
        ('{"turns": [{"text": "a", "stop": "later"}]}', "stop"),
        ('{"turns": [{"txt": "a"}]}', "txt"),
    ],
)
def test_a_script_that_cannot_be_played(bench: Bench, script: str, problem: str) -> None:
    config = bench.script([DONE])
    (bench.folder / "script.json").write_text(script)
    done = bench.tenuto(*start(config))
    assert done.returncode == 2
    assert problem in done.stderr
    assert list(bench.runs.iterdir()) == []


# --- the chat that waited for an approval -------------------------------------------------------


def test_the_real_chat_goes_on_in_a_window_only(bench: Bench) -> None:
    journal = bench.take("chat-waiting")
    before = journal.read_bytes()
    prompt = "You keep the pantry <tidy> & current. Say what you changed.\n"
    config = bench.configure({**PANTRY, "system_prompt": prompt})
    with MessagesServer([{"text": "The flour is gone."}, {"text": "Nothing else."}]) as server:
        bench.use(server)
        refused = bench.tenuto("resume", "chat1", "--config", str(config), "--json")
        assert (refused.returncode, json.loads(refused.stdout)["reason"]) == (4, "mode")
        assert list(bench.runs.iterdir()) == [journal]
        with bench.worker("resume", "chat1", "--config", str(config)) as worker:
            asked = worker.until("ask")
            assert (asked["kind"], asked["argv"][1:]) == (
                "outcome",
                ["stock", "remove", "--", "flour"],
            )
            worker.send(type="answer", id=asked["id"], decision="run")
            worker.until("ready")
            # One question for one call: it was shown, and the operator said run.
            assert worker.types().count("ask") == 1
            worker.send(type="prompt", text="anything else?")
            worker.until("ready")
            worker.hang_up()
            assert worker.wait() == 0
        assert len(server.calls) == 2
    appended = bench.kinds("chat1")[10:]
    assert appended == ["tool_result", "assistant", "user", "assistant", "terminal"]
    assert journal.read_bytes().startswith(before)
    assert bench.pantry.calls() == [["stock", "remove", "--", "flour"]]
