# SPDX-License-Identifier: Apache-2.0
"""A fork goes on by itself: from its record, with its parent's configuration, in another place."""

from __future__ import annotations

import json

from tests.e2e.bench import Bench

STORY = [
    {
        "text": "Tea.",
        "tools": [{"name": "stock_add", "input": {"item": "tea"}}],
        "stop": "tool_use",
    },
    {
        "text": "Salt.",
        "tools": [{"name": "stock_add", "input": {"item": "salt"}}],
        "stop": "tool_use",
    },
    {"text": "All in place.", "stop": "end_turn"},
]


def test_a_fork_of_a_completed_run_resumes_from_its_record(bench: Bench) -> None:
    config = bench.script(STORY)
    words = ("run", "Tidy up", "--config", str(config), "--checkpoint", "--name", "r1")
    assert bench.tenuto(*words).returncode == 0
    before = bench.records("r1")
    done = bench.tenuto("session", "fork", "r1", "--at", "2", "--name", "r2", "--json")
    assert json.loads(done.stdout)["parent"] == {"id": "r1", "seq": 3}
    # The model answers as to the first turn and its result, then as the story goes.
    done = bench.tenuto("resume", "r2", "--config", str(config), "--no-replay")
    assert (done.returncode, done.stdout) == (0, "All in place.\n"), done.stderr
    assert bench.records("r1") == before
    assert bench.pantry.calls() == [
        ["stock", "add", "--", item] for item in ("tea", "salt", "salt")
    ]
    mine = bench.records("r2")
    assert mine[1:3] == before[1:3]
    assert [next(iter(set(r) - {"seq", "protocol"})) for r in mine] == [
        *["meta", "assistant", "tool_result", "terminal"],
        *["assistant", "tool_result", "assistant", "terminal"],
    ]
