# SPDX-License-Identifier: Apache-2.0
"""Runs to resume: suspended, killed in a tool; and the command lines that make and resume them."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.e2e.bench import Bench, Worker
from tests.e2e.pantry import HELD

DONE = {"text": "Done."}
PANTRY = {
    "identity": "pantry",
    "system_prompt": "You keep the pantry.",
    "llm": {"model": "stub-model"},
    "application_path": "pantry",
}

#: What the tool of `killed_in_tool` is called with.
SLOW = ["wait", f"--seconds={HELD}"]


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


def wait_turn(seconds: float = HELD) -> dict[str, Any]:
    """A turn whose only call waits; without a number until the pantry lets it go."""
    return turn(call("wait", seconds=seconds))


def waits() -> list[dict[str, Any]]:
    """Many short steps once the pantry hurries: whoever is told to suspend in the first of them,
    by a signal that nobody confirms, has long been told before the last."""
    return [wait_turn()] * 20


def suspend_in_wait(bench: Bench, worker: Worker) -> None:
    """Suspend a run in its next wait, and see it rest.

    The wait ends once the worker knows: one that ends by itself may end before that.
    """
    worker.until("tool_start", name="wait")
    worker.send(type="suspend")
    worker.keep_up()
    bench.pantry.let_go()
    assert worker.wait() == 0
    assert worker.events[-1]["reason"] == "suspended"


def suspended(bench: Bench, *turns: dict[str, Any]) -> Path:
    """A run that was suspended in its first turn."""
    config = bench.script([wait_turn(), *turns, DONE])
    with bench.worker(*start(config)) as worker:
        suspend_in_wait(bench, worker)
    return config


def pantry_runs(bench: Bench) -> list[int]:
    """The processes of the pantry program."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                line = Path("/proc", name, "cmdline").read_bytes()
            except OSError:
                continue
            if str(bench.pantry.path).encode() in line.split(b"\0"):
                found.append(int(name))
    return found


def killed_in_tool(bench: Bench, *, tags: Sequence[str] = (), **own: Any) -> Path:
    """A run whose worker died while its slow tool ran; another call waits behind it.

    The tool was an orphan and is gone. A call of it does not wait any more. ``tags``: the tool's.
    """
    (bench.folder / "script.json").write_text(
        json.dumps({"turns": [turn(call("slow"), call("stock_add", item="tea")), DONE]})
    )
    config = bench.configure(
        {**PANTRY, "llm": {"model": "scripted-1", "provider": "scripted"}},
        script="script.json",
        commands=[{"name": "slow", "command": ["pantry", *SLOW], "tags": list(tags)}],
        **own,
    )
    with bench.worker(*start(config)) as worker:
        worker.until("tool_start")
        while not bench.pantry.calls():
            time.sleep(0.01)
        worker.signal(signal.SIGKILL)
        worker.wait()
    assert bench.kinds("r1") == ["meta", "assistant"]
    assert pantry_runs(bench), "it died with its worker"
    bench.pantry.hurry()
    while pantry_runs(bench):
        time.sleep(0.01)
    bench.pantry.log.unlink()
    return config
