# SPDX-License-Identifier: Apache-2.0
"""Chats in a terminal, and the model's own questions there."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bench import Bench
from tests.e2e.terminal import terminal

TURNS = [
    {"text": "First answer."},
    {"text": "Looking.", "tools": [{"name": "stock_list", "input": {}}]},
    {"text": "Second answer."},
    {"text": "Third answer."},
]
#: Behind the progress line, which it takes the place of.
PROMPT = "\x1b[K> "


def chat(config: Path, *more: str) -> tuple[str, ...]:
    return ("run", "--chat", "Hello", "--config", str(config), "--checkpoint", "--name", "c", *more)


def said(bench: Bench, id: str = "c") -> list[str]:
    records = [r["user"]["message"] for r in bench.records(id) if "user" in r]
    return [message["content"][0]["text"]["text"] for message in records]


def answers(bench: Bench) -> str:
    return (bench.folder / "answer.txt").read_text()


def test_a_chat_from_its_start_to_its_next_day(bench: Bench) -> None:
    config = bench.script(TURNS)
    with terminal(bench, *chat(config)) as screen:
        screen.expect(PROMPT)
        assert answers(bench) == "First answer.\n"
        screen.forget()
        screen.type("  and\nthen?\n")
        screen.expect(PROMPT)
        # What goes on is no answer; what is pasted is one message.
        assert "Looking." in screen.screen
        assert answers(bench) == "First answer.\nSecond answer.\n"
        screen.type("\n")
        screen.type("\x04")
        screen.expect("suspended; `tenuto resume c` goes on")
        assert screen.wait() == 0
    assert said(bench) == ["and\nthen?"]
    assert bench.records("c")[0]["meta"]["interactive"] is True
    assert bench.records("c")[-1]["terminal"] == {"reason": "suspended"}

    with terminal(bench, "resume", "c", "--config", str(config)) as screen:
        screen.expect("run c\r\n> ")
        assert "Second answer." in screen.screen
        screen.type("more\n")
        screen.expect(PROMPT)
        screen.type("\x04")
        assert screen.wait() == 0
    assert answers(bench) == "Third answer.\n"
    assert said(bench) == ["and\nthen?", "more"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_an_answer_that_cannot_be_written_leaves_no_chat_in_the_middle(bench: Bench) -> None:
    (bench.folder / "answer.txt").symlink_to("/dev/full")
    with terminal(bench, *chat(bench.script(TURNS))) as screen:
        screen.expect("warning: the answer could not be written: No space left on device")
        screen.expect("> ")
        screen.type("\x04")
        screen.expect("suspended; `tenuto resume c` goes on")
        screen.wait()
    assert bench.kinds("c") == ["meta", "assistant", "terminal"]
    assert bench.records("c")[-1]["terminal"] == {"reason": "suspended"}


def test_an_interrupt_while_it_waits_suspends(bench: Bench) -> None:
    with terminal(bench, *chat(bench.script(TURNS))) as screen:
        screen.expect(PROMPT)
        screen.process.send_signal(signal.SIGINT)
        screen.expect("suspended; ")
        assert screen.wait() == 0
    assert bench.kinds("c") == ["meta", "assistant", "terminal"]


def test_a_chat_that_ends_by_itself_says_its_last_words(bench: Bench) -> None:
    config = bench.script(TURNS, budget={"max_tokens": 50})
    with terminal(bench, *chat(config)) as screen:
        screen.expect("token budget")
        assert screen.wait() == 1
    assert answers(bench) == "First answer.\n"


def test_as_json_only_the_document_is_on_stdout(bench: Bench) -> None:
    with terminal(bench, *chat(bench.script(TURNS), "--json")) as screen:
        screen.expect("First answer.")
        screen.expect("> ")
        screen.type("\x04")
        assert screen.wait() == 0
    assert json.loads(answers(bench))["reason"] == "suspended"


def test_without_anybody_who_types_a_message_does(bench: Bench) -> None:
    config = str(bench.script(TURNS))
    refused = bench.tenuto("run", "--chat", "Hello", "--config", config)
    assert refused.returncode == 2
    assert "--chat needs a terminal" in refused.stderr
    with terminal(bench, *chat(Path(config))) as screen:
        screen.expect(PROMPT)
        screen.type("\x04")
        assert screen.wait() == 0
    before = bench.snapshot()
    refused = bench.tenuto("resume", "c", "--config", config, "--json")
    assert (refused.returncode, json.loads(refused.stdout)["reason"]) == (4, "mode")
    assert bench.snapshot() == before
    done = bench.tenuto("resume", "c", "--config", config, "--say", "go on", "--no-replay")
    assert (done.returncode, done.stdout) == (0, "Second answer.\n")
    assert said(bench) == ["go on"]


ASKS: dict[str, dict[str, Any]] = {
    "ask_human_confirm": {"question": "Throw\x1b[2K it away?"},
    "ask_human_select": {"question": "Which?", "options": ["the red", "the blue"]},
    "ask_human_input": {"question": "Name?", "default": "tea"},
}


@pytest.mark.parametrize(
    ("tool", "typed", "result"),
    [
        ("ask_human_confirm", "y\n", {"confirmed": True}),
        ("ask_human_confirm", "\n", {"confirmed": False}),
        ("ask_human_select", "2\n", {"selected": "the blue"}),
        ("ask_human_select", "3\n", {"selected": None, "reason": "the operator did not answer"}),
        ("ask_human_input", "green tea\n", {"value": "green tea"}),
        ("ask_human_input", "\n", {"value": "tea"}),
        ("ask_human_input", "\x04", {"value": None, "reason": "the operator did not answer"}),
    ],
)
def test_the_model_asks(bench: Bench, tool: str, typed: str, result: dict[str, Any]) -> None:
    turns = [{"tools": [{"name": tool, "input": ASKS[tool]}]}, {"text": "Thanks."}]
    config = bench.script(turns, harness={"human_in_the_loop": {"enabled": True}})
    run = ("run", "Go", "--config", str(config), "--checkpoint", "--name", "c")
    with terminal(bench, *run) as screen:
        screen.expect("The agent asks:")
        screen.expect("): ")
        assert "\x1b[2K" not in screen.screen
        waiting = json.loads((bench.runs / "c.ask.json").read_bytes())["ask"]
        assert waiting["kind"] == tool.removeprefix("ask_human_")
        screen.type(typed)
        assert screen.wait() == 0
    (record,) = [r["tool_result"] for r in bench.records("c") if "tool_result" in r]
    assert json.loads(record["result"]["content"]) == result
    assert not record["result"].get("is_error")
