# SPDX-License-Identifier: Apache-2.0
"""Runs with real workers for stories about the window: what the model says, one to be resumed,
and pressing what a panel offers once clicks count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tenuto_gui.runs.approval import DEAD_TIME_MS
from tests.e2e.bench import Bench
from tests.e2e.runs import suspend_in_wait, wait_turn
from tests.gui.driver import Driver

LIST = {"text": "I look at the shelves.", "tools": [{"name": "stock_list", "input": {}}]}
ADD = {"text": "In with it.", "tools": [{"name": "stock_add", "input": {"item": "tea"}}]}
REMOVE = {"text": "Out with it.", "tools": [{"name": "stock_remove", "input": {"items": ["tea"]}}]}
DONE = {"text": "The pantry is tidy."}


def suspended_run(bench: Bench, turns: list[dict[str, Any]], **llm: Any) -> Path:
    """A run ``r1`` that was suspended in its first tool call, and its configuration."""
    config = bench.script([wait_turn(), *turns], **llm)
    words = ("run", "Tidy up", "--config", str(config), "--checkpoint", "--name", "r1")
    with bench.worker(*words) as worker:
        suspend_in_wait(bench, worker)
    return config


def rest(window: Driver) -> None:
    """Wait until no worker of the window is left."""
    window.until(lambda: not window.window.running.controller.live_ids(), "the worker never ended")


def press_late(window: Driver, name: str) -> None:
    """Press a button of the panel once clicks count."""
    age = window.window.running.panel._age
    window.until(lambda: age.isValid() and age.elapsed() > DEAD_TIME_MS, "the panel never opened")
    window.press(name)
