# SPDX-License-Identifier: Apache-2.0
"""Runs to resume: suspended, killed in a tool; and the command lines that make and resume them."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

from tests.e2e.bench import Bench

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


def suspended(bench: Bench, *turns: dict[str, Any]) -> Path:
    """A run that was suspended in its first turn."""
    config = bench.script([turn(call("wait", seconds=0.3)), *turns, DONE])
    with bench.worker(*start(config)) as worker:
        worker.until("tool_start")
        worker.send(type="suspend")
        assert worker.wait() == 0
    return config


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
