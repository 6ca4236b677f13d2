# SPDX-License-Identifier: Apache-2.0
"""Whole runs on the chat completions wire: tools, a cut reply, keys; for errors, test_failing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.e2e.bench import Bench
from tests.e2e.messages_server import MessagesServer

KEY = "sk-a-key-that-nobody-may-see"
LOOK = {
    "thinking": "let me see",
    "text": "Looking.",
    "tools": [{"name": "stock_list", "input": '{"match": "rice"}'}],
}
DONE = {"text": "Done."}


def configure(bench: Bench, server: MessagesServer, **more: Any) -> Path:
    bench.environment["OPENAI_API_KEY"] = KEY
    config = {
        "identity": "pantry",
        "system_prompt": "You keep the pantry.",
        "application_path": "pantry",
        "llm": {"model": "m", "provider": "openai", **more},
    }
    return bench.configure(config, base_url=f"{server.url}/v1")


def run(config: Path) -> tuple[str, ...]:
    return ("run", "Go", "--config", str(config), "--checkpoint", "--name", "r")


def nowhere(bench: Bench) -> None:
    """The key is in no file of the run, and no tool saw it."""
    for path in bench.runs.iterdir():
        assert KEY.encode() not in path.read_bytes()
    if bench.pantry.log.exists():
        assert KEY not in bench.pantry.log.read_text()


def test_a_run_with_a_tool(bench: Bench) -> None:
    with MessagesServer([LOOK, DONE]) as server:
        done = bench.tenuto(*run(configure(bench, server)))
    assert (done.returncode, done.stdout) == (0, "Done.\n")
    assert bench.kinds("r") == ["meta", "assistant", "tool_result", "assistant", "terminal"]
    meta, reply, *_ = bench.records("r")
    assert meta["meta"]["fingerprint"]["provider"] == "openai"
    assert reply["assistant"]["message"]["content"] == [
        {"thinking": {"text": "let me see"}},
        {"text": {"text": "Looking."}},
        {"tool_use": {"id": "call_0_0", "name": "stock_list", "input": {"match": "rice"}}},
    ]
    assert (reply["assistant"]["stop_reason"], reply["assistant"]["in_tokens"]) == ("tool_use", 95)
    assert [call.body["messages"][-1]["role"] for call in server.calls] == ["user", "tool"]
    # Every tool is sent as it is: no marks of another provider's, none of them deferred.
    sent = server.calls[0].body["tools"]
    assert all(set(tool["function"]) <= {"name", "description", "parameters"} for tool in sent)
    assert "(optional)" not in json.dumps(sent)
    nowhere(bench)


def test_a_reply_at_the_limit_is_an_error_and_runs_nothing(bench: Bench) -> None:
    with MessagesServer([{**LOOK, "stop": "length"}, DONE]) as server:
        config = configure(bench, server, budget={"max_output_tokens": 9})
        assert bench.tenuto(*run(config)).returncode == 1
        assert server.calls[0].body["max_tokens"] == 9
        assert bench.records("r")[-1]["terminal"]["reason"] == "error"
        assert bench.tenuto("resume", "r", "--config", str(config)).returncode == 0
    assert bench.pantry.calls() == []


def test_without_a_key_nothing_is_written(bench: Bench) -> None:
    config = bench.configure(
        {"identity": "a", "system_prompt": "x", "llm": {"model": "m", "provider": "openai"}},
        base_url="https://api.example.com/v1",
    )
    bench.environment.pop("OPENAI_API_KEY", None)
    refused = bench.tenuto(*run(config))
    assert refused.returncode == 1
    assert "OPENAI_API_KEY" in refused.stderr
    assert list(bench.runs.iterdir()) == []


def test_a_key_from_the_keyring(bench: Bench) -> None:
    ring = bench.folder / "ring"
    ring.mkdir()
    (ring / "ring_for_tests.py").write_text(
        "import keyring.backend\n"
        "class Ring(keyring.backend.KeyringBackend):\n"
        "    priority = 5\n"
        "    def get_password(self, service, username):\n"
        f"        return {KEY!r} if (service, username) == ('tenuto', 'OPENAI_API_KEY') else None\n"
        "    def set_password(self, service, username, password):\n"
        "        raise NotImplementedError\n"
    )
    with MessagesServer([DONE]) as server:
        config = configure(bench, server)
        del bench.environment["OPENAI_API_KEY"]
        bench.environment["PYTHONPATH"] = str(ring)
        bench.environment["PYTHON_KEYRING_BACKEND"] = "ring_for_tests.Ring"
        assert bench.started(*run(config)).returncode == 0
    assert server.calls[0].headers["authorization"] == f"Bearer {KEY}"
    nowhere(bench)
