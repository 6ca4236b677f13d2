# SPDX-License-Identifier: Apache-2.0
"""Whole runs whose model fails in the middle, on both wires: nothing half, nothing twice, go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bench import Bench
from tests.e2e.messages_server import MessagesServer, wait_for_calls
from tests.e2e.runs import PANTRY, call, resume, start, turn

KEY = "sk-a-key-that-nobody-may-see"
DONE = {"text": "Done."}


@pytest.fixture(params=["anthropic", "openai"])
def provider(request: pytest.FixtureRequest, bench: Bench) -> str:
    bench.environment["OPENAI_API_KEY"] = bench.environment["ANTHROPIC_API_KEY"] = KEY
    return str(request.param)


def configure(bench: Bench, server: MessagesServer, provider: str) -> Path:
    base = server.url if provider == "anthropic" else f"{server.url}/v1"
    llm = {"model": "stub-model", "provider": provider}
    return bench.configure({**PANTRY, "llm": llm}, base_url=base)


def look(provider: str) -> dict[str, Any]:
    """A turn with a call, which ends in each wire's own word for it."""
    stop = "tool_use" if provider == "anthropic" else "tool_calls"
    return {**turn(call("stock_list")), "thinking": "let me see", "stop": stop}


def cut(provider: str, where: str) -> dict[str, Any]:
    """What came of a turn, as far as the middle: words, or a whole call that must not run."""
    words = {**look(provider), "text": "word " * (30 if where == "text" else 1), "cut": True}
    if where == "call":
        words["tools"] = [call("stock_list"), call("stock_add", item="many words " * 30)]
    return words


def test_a_run_goes_on_from_every_failure_of_its_model(bench: Bench, provider: str) -> None:
    """It is told, nothing half is kept, and the next resume asks the same: until one succeeds."""
    statuses = (400, 401, 429, 500, 529)
    refused = [{"status": status, "text": f"not with {KEY}"} for status in statuses]
    broken = [cut(provider, where) for where in ("text", "call")]
    said = [*map(str, statuses), "stream", "stream"]
    with MessagesServer([look(provider), *refused, *broken, DONE]) as server:
        config = configure(bench, server, provider)
        line = start(config)
        for number, word in enumerate(said, 1):
            failed = bench.tenuto(*line)
            assert failed.returncode == 1, word
            assert KEY not in failed.stdout + failed.stderr
            kept = ["meta", "assistant", "tool_result", *["terminal"] * number]
            assert bench.kinds("r1") == kept, word
            ended = bench.records("r1")[-1]["terminal"]
            assert ended["reason"] == "error"
            assert ended["message"].startswith("llm call: POST ")
            assert word in ended["message"]
            assert len(server.calls) == number + 1
            line = resume(config, "--no-replay")
        done = bench.tenuto(*line)
        assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
        assert len(server.calls) == len(said) + 2
    # Asked again with what it was asked when it failed, and no tool a second time.
    asked = [conversation(server, number) for number in range(1, len(said) + 2)]
    assert asked == asked[:1] * len(asked)
    assert bench.pantry.calls() == [["stock", "list"]]
    for path in bench.runs.iterdir():
        assert KEY.encode() not in path.read_bytes()


def conversation(server: MessagesServer, number: int) -> list[Any]:
    """The messages of a request; instructions are among them on one of the wires only."""
    return [m for m in server.calls[number].body["messages"] if m["role"] != "system"]


def test_slow_words_arrive_as_they_come_and_abort_leaves_nothing(
    bench: Bench, provider: str
) -> None:
    slow = {"text": "word " * 300, "word_delay": 0.05}
    with MessagesServer([slow]) as server:
        config = configure(bench, server, provider)
        with bench.worker(*start(config)) as worker:
            wait_for_calls(server, 1)
            worker.until("text")
            worker.until("text")
            worker.send(type="abort")
            assert worker.wait() == 130
    assert bench.kinds("r1") == ["meta"]


def test_slow_words_are_one_reply(bench: Bench, provider: str) -> None:
    """A server that takes its time is no failure: one call, one record, every word."""
    slow: dict[str, Any] = {
        "text": " ".join(f"word{number}" for number in range(40)),
        "word_delay": 0.03,
    }
    with MessagesServer([slow]) as server:
        done = bench.tenuto(*start(configure(bench, server, provider)))
    assert (done.returncode, done.stdout) == (0, slow["text"] + "\n"), done.stderr
    assert len(server.calls) == 1
    assert bench.kinds("r1") == ["meta", "assistant", "terminal"]
