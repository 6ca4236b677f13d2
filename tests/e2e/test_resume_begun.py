# SPDX-License-Identifier: Apache-2.0
"""A crash in the first call that a resume runs behind a terminal record: the journal cannot tell.

The run stopped with its batch untouched (at its token budget, or while a question waited), so its
last record says that nothing of it started. That stops being true when a resume starts the batch.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.e2e.bench import Bench

#: Says that it ran, then takes the worker down with it while ``kill`` is there.
ACT = """
import os, pathlib, signal
here = pathlib.Path(__file__).parent
with open(here / "acted", "a") as log:
    log.write("once\\n")
if (here / "kill").exists():
    os.kill(os.getppid(), signal.SIGKILL)
"""
TURNS = [
    {"text": "Acting.", "tools": [{"name": "act"}], "usage": {"input": 90, "output": 30}},
    {"text": "Done."},
]


@pytest.fixture
def config(bench: Bench) -> Path:
    """A run named r1 that stopped at its budget before its only call."""
    (bench.folder / "act.py").write_text(ACT)
    path = bench.script(TURNS, tools="", budget={"max_tokens": 100})
    own = {
        "script": "script.json",
        "commands": [
            {
                "name": "act",
                "description": "acts",
                "command": [sys.executable, str(bench.folder / "act.py")],
            }
        ],
    }
    (bench.folder / "agent.tenuto.yaml").write_text(json.dumps(own))
    done = bench.tenuto("run", "Act", "--config", str(path), "--checkpoint", "--name", "r1")
    assert done.returncode == 1, done.stderr
    assert not (bench.folder / "acted").exists()
    return path


def acted(bench: Bench) -> int:
    return (bench.folder / "acted").read_text().count("once")


def status(bench: Bench) -> tuple[str, str]:
    (row,) = json.loads(bench.tenuto("session", "ls", "--json").stdout)
    return row["status"], row["evidence"]["kind"]


def crash(bench: Bench, config: Path) -> None:
    (bench.folder / "kill").touch()
    done = bench.tenuto("resume", "r1", "--config", str(config))
    assert done.returncode == -9
    assert acted(bench) == 1
    (bench.folder / "kill").unlink()


def test_the_call_is_not_repeated_unasked(bench: Bench, config: Path) -> None:
    assert status(bench) == ("budget", "terminal")
    crash(bench, config)
    assert status(bench) == ("interrupted", "outcome_unknown")
    before = (bench.runs / "r1.json").read_bytes()
    done = bench.tenuto("resume", "r1", "--config", str(config))
    assert done.returncode == 4
    assert "may have run" in done.stderr
    assert (acted(bench), (bench.runs / "r1.json").read_bytes()) == (1, before)


@pytest.mark.parametrize(("answer", "times"), [("--skip", 1), ("--rerun", 2)])
def test_an_answer_settles_it(bench: Bench, config: Path, answer: str, times: int) -> None:
    crash(bench, config)
    done = bench.tenuto("resume", "r1", "--config", str(config), answer)
    assert done.returncode == 0, done.stderr
    assert acted(bench) == times
    assert status(bench) == ("completed", "terminal")


def test_a_preview_made_anew_says_the_same(bench: Bench, config: Path) -> None:
    crash(bench, config)
    for sidecar in bench.runs.glob("*.preview.json"):
        sidecar.unlink()
    assert status(bench) == ("interrupted", "outcome_unknown")
    shown = json.loads(bench.tenuto("session", "show", "r1", "--json").stdout)
    assert shown["status"] == "interrupted"
    assert [call["name"] for call in shown["evidence"]["calls"]] == ["act"]
