# SPDX-License-Identifier: Apache-2.0
"""A run in a terminal: questions on the tty, the answer alone on stdout."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.e2e.bench import Bench
from tests.e2e.terminal import terminal

REMOVE = {"text": "Remove it.", "tools": [{"name": "stock_remove", "input": {"items": ["tea"]}}]}
DONE = {"text": "Done."}


def start(config: Path) -> tuple[str, ...]:
    return ("run", "Tidy up", "--config", str(config), "--checkpoint", "--name", "r1")


@pytest.mark.parametrize(("typed", "ran"), [("o\n", True), ("\n", False), ("yes\n", False)])
def test_a_question_shows_every_word_and_only_a_clear_yes_counts(
    bench: Bench, typed: str, ran: bool
) -> None:
    config = bench.script([REMOVE, DONE])
    with terminal(bench, *start(config)) as screen:
        screen.expect("(default): ")
        before, question, _ = screen.screen.partition("stock_remove wants to run (ai:confirm)")
        assert question
        assert "Remove it." in before, "the model's reason comes before the question"
        assert "    remove\r\n    --\r\n    tea\r\n" in screen.screen
        screen.type(typed)
        assert screen.wait() == 0
    assert (bench.pantry.calls() == [["stock", "remove", "--", "tea"]]) is ran
    assert (bench.folder / "answer.txt").read_text() == "Done.\n"


def test_keys_typed_ahead_are_no_answer(bench: Bench) -> None:
    config = bench.script([{**REMOVE, "delay": 1.0}, DONE])
    with terminal(bench, *start(config)) as screen:
        screen.type_ahead("o\n")
        screen.expect("(default): ")
        screen.type("d\n")
        assert screen.wait() == 0
    assert bench.pantry.calls() == []


def test_what_hides_in_a_command_is_shown(bench: Bench) -> None:
    item = "tea\x1b[2K\u202eflour\n  --force"
    turn = {"tools": [{"name": "stock_remove", "input": {"items": [item]}}]}
    config = bench.script([turn, DONE])
    with terminal(bench, *start(config)) as screen:
        screen.expect("(default): ")
        assert "\x1b[2K" not in screen.screen
        assert "\u202e" not in screen.screen
        assert "<U+202E>" in screen.screen
        # A line break inside a word starts no new word.
        assert "\r\n  --force" not in screen.screen
        screen.type("d\n")
        assert screen.wait() == 0


def test_interrupting_a_question_suspends(bench: Bench) -> None:
    config = bench.script([REMOVE, DONE])
    with terminal(bench, *start(config)) as screen:
        screen.expect("(default): ")
        screen.process.send_signal(signal.SIGINT)
        screen.expect("taken back")
        assert screen.wait() == 0
    assert bench.kinds("r1") == ["meta", "assistant", "terminal"]
    assert bench.records("r1")[-1]["terminal"] == {"reason": "suspended"}
    with terminal(bench, "resume", "r1", "--config", str(config)) as screen:
        screen.expect("(default): ")
        screen.type("o\n")
        assert screen.wait() == 0
    assert bench.pantry.calls() == [["stock", "remove", "--", "tea"]]


@pytest.mark.parametrize(("typed", "code"), [("r\n", 0), ("s\n", 0), ("\n", 4)])
def test_the_outcome_is_asked_in_the_terminal(bench: Bench, typed: str, code: int) -> None:
    turn = {"tools": [{"name": "import", "input": {"file": "list.csv"}}]}
    config = bench.script([turn, DONE])
    assert bench.tenuto(*start(config)).returncode == 0
    journal = bench.runs / "r1.json"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:2]))
    bench.pantry.log.unlink()
    with terminal(bench, "resume", "r1", "--config", str(config), "--no-replay") as screen:
        screen.expect("sto[p] (default): ")
        assert "is unknown" in screen.screen
        waiting = json.loads((bench.runs / "r1.ask.json").read_bytes())
        assert waiting["ask"]["kind"] == "outcome"
        screen.type(typed)
        assert screen.wait() == code
    assert bench.pantry.calls() == ([["import", "--", "list.csv"]] if typed == "r\n" else [])
    assert not (bench.runs / "r1.ask.json").exists()


def status(bench: Bench) -> str:
    (row,) = json.loads(bench.tenuto("session", "ls", "--json").stdout)
    return row["status"]


def test_a_terminal_that_is_closed_under_a_tool_suspends_behind_it(bench: Bench) -> None:
    """And not in it: the tool has a session of its own, and would go on unseen."""
    wait = {"text": "Wait.", "tools": [{"name": "wait", "input": {"seconds": 1.5}}]}
    with terminal(bench, *start(bench.script([wait, DONE]))) as screen:
        screen.expect("> wait")
        screen.hang_up()
        screen.process.wait(60)
    assert bench.pantry.calls() == [["wait", "--seconds=1.5"]]
    assert status(bench) == "suspended"
    records = (bench.runs / "r1.json").read_bytes().splitlines()
    assert b"tool_result" in records[-2]


def test_a_terminal_that_is_closed_over_a_question_answers_nothing(bench: Bench) -> None:
    with terminal(bench, *start(bench.script([REMOVE, DONE]))) as screen:
        screen.expect("(default): ")
        screen.hang_up()
        screen.process.wait(60)
    assert bench.pantry.calls() == []
    assert status(bench) == "suspended"
    # Neither a yes nor a no: the question is asked again.
    assert b"tool_result" not in (bench.runs / "r1.json").read_bytes()
