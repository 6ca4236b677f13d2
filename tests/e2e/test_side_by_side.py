# SPDX-License-Identifier: Apache-2.0
"""Fifty runs at the same time in one folder: none of them notices another."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tenuto.runs.file import FileRunStore
from tests.e2e.bench import TIMEOUT, Bench
from tests.e2e.runs import DONE, call, turn
from tests.support.paths import REPOSITORY

PROCESSES, EACH = 5, 10
KINDS = [
    "meta", "assistant", "tool_result", "tool_result", "assistant", "tool_result", "assistant",
    "terminal",
]  # fmt: skip
#: One line with one write: lines of many at once stay whole.
ACT = '#!/bin/sh\necho "$1" >>"$(dirname "$0")/acted"\necho "done $1"\n'


@pytest.mark.slow
def test_fifty_runs_in_one_folder(bench: Bench) -> None:
    act = bench.folder / "act"
    act.write_text(ACT)
    act.chmod(0o755)
    config = bench.script([turn(call("a"), call("b")), turn(call("c")), DONE], tools="")
    commands = [{"name": name, "command": [str(act), name]} for name in "abc"]
    own = {"script": "script.json", "commands": commands}
    config.with_name("agent.tenuto.yaml").write_text(json.dumps(own))
    ids = [f"run-{number}" for number in range(PROCESSES * EACH)]
    helper = Path(__file__).with_name("side_by_side.py")
    with contextlib.ExitStack() as stack:
        processes = []
        for first in range(PROCESSES):
            line = [sys.executable, "-P", str(helper), str(config), str(bench.runs)]
            process = stack.enter_context(
                subprocess.Popen(
                    [*line, *ids[first::PROCESSES]],
                    env=bench.environment,
                    cwd=REPOSITORY,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            stack.callback(process.kill)
            processes.append(process)
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.close()
        for process in processes:
            assert process.wait(TIMEOUT) == 0

    store = FileRunStore(bench.runs)
    for id in ids:
        assert bench.kinds(id) == KINDS
        state = store.snapshot(id).state
        assert (state.run_id, state.prompt) == (id, f"Go, {id}")
        assert state.terminal_in_force is not None
        assert state.terminal_in_force.reason == "completed"
        assert (state.counters.llm_calls, state.counters.tool_calls) == (3, 3)
        results = [r["tool_result"]["result"] for r in bench.records(id) if "tool_result" in r]
        said = [json.loads(result["content"])["output"] for result in results]
        assert said == ["done a\n", "done b\n", "done c\n"]
    acted = Counter((bench.folder / "acted").read_text().split())
    assert acted == dict.fromkeys("abc", len(ids))
