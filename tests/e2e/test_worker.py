# SPDX-License-Identifier: Apache-2.0
"""The worker protocol: events, commands, questions, suspend, abort, and who goes away."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.bench import Bench
from tests.e2e.runs import pantry_runs, suspend_in_wait, wait_turn, waits

REMOVE = {"text": "Remove it.", "tools": [{"name": "stock_remove", "input": {"items": ["tea"]}}]}
LIST = {"text": "Look.", "tools": [{"name": "stock_list", "input": {}}]}
DONE = {"text": "Done."}


def start(config: Path, name: str = "r1") -> tuple[str, ...]:
    return ("run", "Tidy up", "--config", str(config), "--checkpoint", "--name", name)


def test_the_events_of_a_run(bench: Bench) -> None:
    config = bench.script([{**LIST, "thinking": "Let me see."}, DONE])
    with bench.worker(*start(config)) as worker:
        assert worker.wait() == 0
        assert worker.types() == [
            "starting", "thinking", "text", "assistant", "tool_start", "tool_end", "text",
            "assistant", "finished",
        ]  # fmt: skip
        first, last = worker.events[0], worker.events[-1]
    assert first["run_id"] == "r1"
    assert (first["resumed"], first["forced"], first["diff"]) == (False, False, [])
    assert first["model"] == "scripted-1"
    assert "stock_list" in first["tools"]
    assert first["pid"] == worker.process.pid
    assert first["cwd"] == str(bench.folder)
    assert last["reason"] == "completed"
    assert last["counters"] == {
        "llm_calls": 2, "tool_calls": 1, "remote_tool_calls": 0, "in_tokens": 200,
        "out_tokens": 20, "cache_read_tokens": 0, "cache_create_tokens": 0,
    }  # fmt: skip
    by_type = {event["type"]: event for event in worker.events}
    assert by_type["tool_start"]["display"] == "stock list"
    assert by_type["tool_start"]["rerun"] is False
    assert by_type["tool_end"]["is_error"] is False
    assert by_type["assistant"]["seq"] == 4
    assert by_type["assistant"]["iteration"] == 1


@pytest.mark.parametrize(
    ("decision", "ran"), [("once", 1), ("run", 2), ("deny", 0)], ids=["once", "run", "deny"]
)
def test_an_approval_shows_the_command_and_binds_to_it(
    bench: Bench, decision: str, ran: int
) -> None:
    config = bench.script([REMOVE, REMOVE, DONE])
    with bench.worker(*start(config)) as worker:
        asked = worker.until("ask")
        assert asked["kind"] == "approve"
        assert asked["tool"] == "stock_remove"
        assert asked["argv"] == [str(bench.pantry.path), "stock", "remove", "--", "tea"]
        assert asked["cwd"] == str(bench.folder)
        assert asked["tag"] == "ai:confirm"
        assert len(asked["digest"]) == 64
        waiting = json.loads((bench.runs / "r1.ask.json").read_bytes())
        assert waiting["pid"] == worker.process.pid
        assert waiting["ask"]["id"] == asked["id"]
        assert bench.pantry.calls() == []
        worker.send(type="answer", id=asked["id"], decision=decision)
        if decision != "run":
            second = worker.until("ask")
            assert second["id"] != asked["id"]
            # An answer to the question before is no answer to this one.
            worker.send(type="answer", id=asked["id"], decision="once")
            worker.send(type="answer", id=second["id"], decision="deny")
        assert worker.wait() == 0
    assert len(bench.pantry.calls()) == ran
    assert not (bench.runs / "r1.ask.json").exists()
    results = [r["tool_result"]["result"] for r in bench.records("r1") if "tool_result" in r]
    if decision == "deny":
        assert json.loads(results[0]["content"])["allowed"] is False
        assert "is_error" not in results[0]


def test_waiting_for_an_answer_is_no_part_of_a_duration(bench: Bench) -> None:
    config = bench.script([REMOVE, DONE])
    with bench.worker(*start(config)) as worker:
        asked = worker.until("ask")
        time.sleep(0.5)
        answered = time.monotonic()
        worker.send(type="answer", id=asked["id"], decision="once")
        ended = worker.until("tool_end")
        most = (time.monotonic() - answered) * 1000 + 1
        assert worker.wait() == 0
    assert ended["ms"] <= most
    lines = (bench.runs / "r1.times.jsonl").read_text().splitlines()
    noted = {each["seq"]: each.get("ms") for each in map(json.loads, lines)}
    assert noted[3] <= most


def test_an_answer_for_another_command_denies(bench: Bench) -> None:
    config = bench.script([REMOVE, DONE])
    with bench.worker(*start(config)) as worker:
        asked = worker.until("ask")
        worker.send(type="answer", id=asked["id"], decision="once", digest="0" * 64)
        assert worker.wait() == 0
    assert bench.pantry.calls() == []


def test_an_answer_before_its_question_is_none(bench: Bench) -> None:
    """The ids of questions can be guessed: what was not asked yet is not answered."""
    config = bench.script([wait_turn(), REMOVE, DONE])
    with bench.worker(*start(config)) as worker:
        worker.until("tool_start", name="wait")
        for id in ("ask-1", "ask-2", ""):
            worker.send(type="answer", id=id, decision="run")
        worker.keep_up()
        bench.pantry.let_go()
        asked = worker.until("ask")
        assert asked["id"] == "ask-1"
        # It waits, and for its own answer.
        worker.keep_up()
        assert worker.types()[-2:] == ["ask", "warning"]
        worker.send(type="answer", id=asked["id"], decision="deny", reason="not this one")
        assert worker.wait() == 0
    assert [call[0] for call in bench.pantry.calls()] == ["wait"]
    told = bench.records("r1")[4]["tool_result"]["result"]["content"]
    assert json.loads(told)["reason"].endswith(": not this one")


@pytest.mark.parametrize("forged", ["digest", "argv", "call_id", "id"])
def test_an_answer_that_names_something_else_allows_nothing(bench: Bench, forged: str) -> None:
    """What runs is what was frozen, whatever an answer says of it."""
    config = bench.script([REMOVE, DONE])
    with bench.worker(*start(config)) as worker:
        asked = worker.until("ask")
        said = {key: asked[key] for key in ("id", "digest", "argv", "call_id", "tool", "cwd")}
        other = {"digest": None, "argv": ["/bin/rm", "-r", "/"], "call_id": "x", "id": "ask-9"}
        worker.send(type="answer", **{**said, forged: other[forged], "decision": "once"})
        if forged == "id":
            worker.keep_up()
            worker.send(type="answer", **said, decision="deny")
        assert worker.wait() == 0
    ran = [["stock", "remove", "--", "tea"]]
    assert bench.pantry.calls() == ([] if forged in ("digest", "id") else ran)


def test_suspend_finishes_the_step(bench: Bench) -> None:
    turn = {"text": "Two.", "tools": [*wait_turn()["tools"], *LIST["tools"]]}
    config = bench.script([turn, DONE])
    with bench.worker(*start(config)) as worker:
        suspend_in_wait(bench, worker)
    assert bench.kinds("r1") == ["meta", "assistant", "tool_result", "tool_result", "terminal"]
    assert bench.records("r1")[-1]["terminal"] == {"reason": "suspended"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_one_signal_suspends(bench: Bench, number: int) -> None:
    config = bench.script([*waits(), DONE])
    with bench.worker(*start(config)) as worker:
        worker.until("tool_start")
        worker.signal(number)
        bench.pantry.hurry()
        assert worker.wait() == 0
    assert bench.records("r1")[-1]["terminal"] == {"reason": "suspended"}
    assert bench.kinds("r1")[-2] == "tool_result"


@pytest.mark.parametrize("how", ["signals", "command", "signal and command"])
def test_abort_kills_the_tool_and_journals_nothing(bench: Bench, how: str) -> None:
    config = bench.script([wait_turn(), DONE])
    with bench.worker(*start(config)) as worker:
        worker.until("tool_start")
        while not bench.pantry.calls():
            time.sleep(0.01)
        if how != "command":
            worker.signal(signal.SIGINT)
            time.sleep(0.1)
        if how == "signals":
            worker.signal(signal.SIGINT)
        else:
            worker.send(type="abort")
        assert worker.wait() == 130
        assert worker.events[-1]["type"] == "finished"
        assert worker.events[-1]["reason"] == "aborted"
    assert bench.kinds("r1") == ["meta", "assistant"]
    assert not pantry_runs(bench)


def test_abort_ends_a_call_that_never_answers(bench: Bench) -> None:
    config = bench.script([{"text": "late", "delay": 600}])
    with bench.worker(*start(config)) as worker:
        worker.until("starting")
        began = time.monotonic()
        worker.send(type="abort")
        assert worker.wait() == 130
        assert time.monotonic() - began < 10
    assert bench.kinds("r1") == ["meta"]


def test_end_of_stdin_finishes_the_step_and_suspends(bench: Bench) -> None:
    config = bench.script([wait_turn(), DONE])
    with bench.worker(*start(config)) as worker:
        worker.until("tool_start")
        # Started with the tool, they last as long.
        while not bench.pantry.calls():
            time.sleep(0.01)
        before = worker.threads()
        worker.hang_up()
        while worker.threads() == before:
            time.sleep(0.01)
        bench.pantry.let_go()
        assert worker.wait() == 0
    assert bench.kinds("r1") == ["meta", "assistant", "tool_result", "terminal"]
    assert bench.records("r1")[-1]["terminal"] == {"reason": "suspended"}


def test_end_of_stdin_takes_a_question_back_and_a_resume_asks_again(bench: Bench) -> None:
    config = bench.script([REMOVE, DONE])
    with bench.worker(*start(config)) as worker:
        asked = worker.until("ask")
        worker.hang_up()
        worker.until("withdrawn", id=asked["id"])
        assert worker.wait() == 0
    # Nothing of the batch has started: a resume asks for approval, not for an outcome.
    assert bench.kinds("r1") == ["meta", "assistant", "terminal"]
    assert bench.pantry.calls() == []
    with bench.worker("resume", "r1", "--config", str(config)) as worker:
        assert worker.until("ask")["kind"] == "approve"
        worker.send(type="answer", id="ask-1", decision="once")
        assert worker.wait() == 0
    assert bench.pantry.calls() == [["stock", "remove", "--", "tea"]]


def test_detached_it_goes_on_and_denies(bench: Bench) -> None:
    config = bench.script([wait_turn(), REMOVE, DONE])
    with bench.worker(*start(config)) as worker:
        worker.until("tool_start")
        worker.send(type="detach")
        worker.keep_up()
        worker.hang_up()
        bench.pantry.let_go()
        assert worker.wait() == 0
        assert "ask" not in worker.types()
    assert bench.records("r1")[-1]["terminal"] == {"reason": "completed"}
    denied = bench.records("r1")[4]["tool_result"]["result"]["content"]
    assert json.loads(denied) == {
        "allowed": False,
        "reason": "no interactive terminal is attached, so no operator could be asked",
    }


def test_lines_that_are_no_commands_are_warned_about_or_ignored(bench: Bench) -> None:
    config = bench.script([REMOVE, DONE])
    with bench.worker(*start(config)) as worker:
        asked = worker.until("ask")
        worker.send_raw(b"not json\n\xff\xfe\n[1]\n42\n\n" + b"[" * 5000 + b"\n")
        worker.send(type="no such command", id=asked["id"])
        worker.send(type="answer", decision="once")
        worker.send(type="answer", id=asked["id"], decision="maybe")
        worker.send(type="answer", id=asked["id"], decision="once", unknown={"key": 1})
        assert worker.wait() == 0
        warnings = [event["text"] for event in worker.events if event["type"] == "warning"]
    assert len(warnings) == 6
    assert all("was ignored" in text for text in warnings)
    assert bench.pantry.calls() == [["stock", "remove", "--", "tea"]]


def test_a_dead_reader_does_not_stop_a_run(bench: Bench) -> None:
    words = {"text": "word " * 2000, "tools": LIST["tools"]}
    config = bench.script([words, words, words, DONE])
    read_end, write_end = os.pipe()
    process = subprocess.Popen(
        bench.command(*start(config), "--events", "jsonl"),
        env=bench.environment,
        stdin=subprocess.PIPE,
        stdout=write_end,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(write_end)
    os.close(read_end)
    with process:
        assert process.wait(60) == 0
    assert bench.records("r1")[-1]["terminal"] == {"reason": "completed"}


def test_a_reader_that_hangs_does_not_stop_a_run(bench: Bench) -> None:
    """Far more events than a pipe holds, and nobody takes one."""
    turn = {"text": "x" * 200_000, "tools": LIST["tools"]}
    config = bench.script([*[turn] * 20, DONE])
    process = subprocess.Popen(
        bench.command(*start(config), "--events", "jsonl"),
        env=bench.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with process:
        assert process.wait(60) == 0
    assert bench.records("r1")[-1]["terminal"] == {"reason": "completed"}


def test_a_chat_waits_for_prompts_and_rests_suspended(bench: Bench) -> None:
    config = bench.script([{"text": "One."}, {"text": "Two."}, {"text": "Three."}])
    with bench.worker(*start(config), "--chat") as worker:
        worker.until("ready")
        worker.send(type="prompt", text="and now?")
        worker.until("ready")
        worker.send(type="suspend")
        assert worker.wait() == 0
    assert bench.kinds("r1") == ["meta", "assistant", "user", "assistant", "terminal"]
    assert bench.records("r1")[0]["meta"]["interactive"] is True
    assert bench.records("r1")[-1]["terminal"] == {"reason": "suspended"}
    refused = bench.tenuto("resume", "r1", "--config", str(config), "--json", "--no-replay")
    assert (refused.returncode, json.loads(refused.stdout)["reason"]) == (4, "mode")
    with bench.worker("resume", "r1", "--config", str(config)) as worker:
        worker.until("ready")
        worker.send(type="prompt", text="go on")
        worker.until("ready")
        worker.hang_up()
        assert worker.wait() == 0
    assert bench.kinds("r1")[5:] == ["user", "assistant", "terminal"]


def test_errors_are_events(bench: Bench) -> None:
    config = bench.script([{"error": {"kind": "overloaded", "text": "come back later"}}])
    with bench.worker(*start(config)) as worker:
        assert worker.wait() == 1
        last = worker.events[-1]
    assert (last["type"], last["reason"]) == ("finished", "error")
    assert last["message"] == "llm call: come back later"
    missing = bench.configure({"identity": "a", "system_prompt": "b", "llm": {"model": ""}})
    with bench.worker(*start(missing, "r2")) as worker:
        assert worker.wait() == 2
        assert [event["type"] for event in worker.events] == ["error"]
        assert worker.events[0]["kind"] == "config"
    assert not (bench.runs / "r2.json").exists()
