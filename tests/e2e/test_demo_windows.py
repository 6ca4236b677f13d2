# SPDX-License-Identifier: Apache-2.0
"""The demo as it is made on Windows, where a script is no program: no file there is one.

The same samples and the same tools for the model; only what runs them is spelled out.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tenuto.agent.config import load_config, resolve
from tenuto.demo.make import Demo, make_demo
from tests.e2e.bench import Bench
from tests.e2e.test_demo import hurry


@pytest.fixture
def demo(bench: Bench) -> Demo:
    made = make_demo(bench.folder / "de mo", system="win32")
    bench.runs = made.runs
    hurry(made)
    return made


def test_no_script_is_taken_for_a_program(demo: Demo, bench: Bench) -> None:
    assert not (demo.folder / "bin" / "depot").exists()
    here = resolve(load_config(demo.config))
    there = resolve(load_config(make_demo(bench.folder / "posix", system="linux").config))
    assert {tool.program for tool in here.tools} == {os.path.abspath(sys.executable)}
    assert here.definitions == there.definitions
    assert [tool.tags for tool in here.tools] == [tool.tags for tool in there.tools]
    assert [tool.read_only for tool in here.tools] == [tool.read_only for tool in there.tools]


def test_a_call_is_the_program_s_and_comes_to_the_same(demo: Demo, bench: Bench) -> None:
    there = make_demo(bench.folder / "posix", system="linux")
    for id in ("orders-report", "billing-move", "restic-verify", "shopping-ar"):
        told = [outputs(folder.runs / f"{id}.json") for folder in (demo, there)]
        assert told[0] == told[1]
        assert told[0]


def outputs(journal: Path) -> list[tuple[int, str]]:
    """Exit code and output of each result that is a command's."""
    found = []
    for line in journal.read_bytes().splitlines():
        record = json.loads(line)
        if "tool_result" in record:
            result = json.loads(record["tool_result"]["result"]["content"])
            if "exit_code" in result:
                found.append((result["exit_code"], result["output"]))
    return found


@pytest.mark.parametrize(("id", "asked"), [("orders-report", 0), ("prune-streams", 1)])
def test_it_goes_on_to_the_end(bench: Bench, demo: Demo, id: str, asked: int) -> None:
    questions = []
    with bench.worker("resume", id) as worker:
        while (event := worker.next(lambda e: e["type"] in ("ask", "finished")))["type"] == "ask":
            questions.append(event["argv"])
            worker.send(type="answer", id=event["id"], decision="once")
        assert worker.wait() == 0
    assert len(questions) == asked
    script = str(demo.folder / "bin" / "depot.py")
    for argv in questions:
        assert argv == [sys.executable, "-IS", script, "stream", "rm", "--", "EVENTS_OLD"]
    [*_, last] = outputs(demo.runs / f"{id}.json")
    assert last[0] == 0


def test_the_changed_configuration_is_still_refused(bench: Bench, demo: Demo) -> None:
    assert bench.tenuto("resume", "rename-metrics").returncode == 4
    assert bench.tenuto("resume", "rename-metrics", "--force", "--no-replay").returncode == 0
