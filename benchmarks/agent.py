# SPDX-License-Identifier: Apache-2.0
"""What the agent loop promises about speed: its overhead per turn, and a resume's first call."""

from __future__ import annotations

import functools
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from benchmarks import corpora
from benchmarks.harness import Result, turns
from benchmarks.suite import Bench, Suite
from tenuto.agent.budget import Budget
from tenuto.agent.cancel import CancelToken
from tenuto.agent.config import load_config, resolve
from tenuto.agent.events import JsonlEvents
from tenuto.agent.loop import AgentLoop, new_conversation
from tenuto.agent.providers.scripted import Script, ScriptedProvider, ScriptTool, ScriptTurn
from tenuto.agent.recorder import CountingRecorder
from tenuto.fingerprint import Fingerprint
from tenuto.messages import ToolResult, ToolUse
from tenuto.records import VERSION, Meta
from tenuto.runs.file import FileRunStore
from tenuto.state import fingerprint_json

SUITE = Suite()

# --- overhead per turn ---------------------------------------------------------------------------


_SAVED = Fingerprint("scripted", "scripted-1", "0" * 64, "1" * 64, "off", 10**9, 10**6)


class _NoOp:
    """A tool that does nothing, at once."""

    started = 0.0

    def run(self, call: ToolUse, *, rerun: bool = False, approved: bool = False) -> ToolResult:
        return ToolResult(call.id, "done")


class _Runs:
    """Runs of ``count`` turns, one after another, each in a journal of its own."""

    def __init__(self, folder: Path, count: int) -> None:
        tool = ScriptTool("look", msgspec.Raw(b'{"shelf":"flour"}'))
        going_on = ScriptTurn(text="Let me look at the next shelf.", tools=(tool,))
        self._script = Script((*itertools.repeat(going_on, count), ScriptTurn(text="Done.")))
        self.store = FileRunStore(folder)
        self._numbers = itertools.count()

    def one(self) -> Path:
        """Drive a run to its end; its journal."""
        id = f"run-{next(self._numbers)}"
        meta = Meta(VERSION, id, "2026-01-05T09:30:00Z", _SAVED, "Count the flour.")
        events = JsonlEvents(os.open(os.devnull, os.O_WRONLY))
        with self.store.create(id, meta) as journal:
            AgentLoop(
                provider=ScriptedProvider(self._script),
                tools=_NoOp(),
                definitions=(),
                system=("Be brief.",),
                recorder=CountingRecorder(journal),
                events=events,
                cancel=CancelToken(),
                budget=Budget(10**12, 10**6),
            ).run(new_conversation("Count the flour."))
        events.close()
        return Path(self.store.path(id))


def _write_and_sync(lines: list[bytes], path: Path) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for line in lines:
        os.write(descriptor, line)
        os.fsync(descriptor)
    os.close(descriptor)


@SUITE.add
def overhead(bench: Bench) -> list[Result]:
    """The floor writes the same lines, two a turn, and syncs after each."""
    count = bench.count(100)
    runs = _Runs(bench.folder / "runs", count)
    lines = runs.one().read_bytes().splitlines(keepends=True)
    floor, subject = turns(
        functools.partial(_write_and_sync, lines, bench.folder / "bare"),
        runs.one,
        repeat=max(bench.repeat, bench.samples(15)),
    )
    details = {"ms_a_turn": subject.median / count * 1e3, "bare_ms": floor.median / count * 1e3}
    # The median: the time of an fsync varies with the disk, in both alike.
    ratio = subject.median / floor.median
    return [Result("loop overhead per turn", ratio, "x two fsyncs", 3, "<=", details)]


# --- resume --------------------------------------------------------------------------------------

_CONFIG = """\
identity: pantry
system_prompt: You keep the pantry.
llm:
  model: scripted-1
  provider: scripted
  budget: {max_tokens: 1000000000, max_iterations: 1000000}
"""


def _measured(home: Path, *words: str | Path) -> float:
    command = [sys.executable, "-m", "benchmarks.resuming", *map(str, words)]
    # What a worker remembers of configurations and models is not the operator's.
    own = {f"XDG_{name}_HOME": str(home) for name in ("DATA", "CONFIG", "CACHE", "STATE")}
    environment = os.environ | own
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    seconds: float = json.loads(done.stdout)["seconds"]
    return seconds


@SUITE.add
def resuming(bench: Bench) -> list[Result]:
    """Both in processes of their own, in turns, from the moment everything is imported."""
    config = bench.folder / "agent.yaml"
    config.write_text(_CONFIG)
    config.with_name("agent.tenuto.yaml").write_text("script: turns.json\n")
    config.with_name("turns.json").write_text('{"turns":[{"text":"Done."}]}')
    saved = resolve(load_config(config)).fingerprint
    journal = corpora.suspended_run(
        bench.folder / "runs", fingerprint_json(saved), bench.count(27_000)
    )
    folds, resumes = [], []
    for _turn in range(bench.repeat):
        folds.append(_measured(bench.folder, "fold", journal))
        resumes.append(_measured(bench.folder, "resume", journal, config))
    details = {"seconds": min(resumes), "fold_seconds": min(folds)}
    ratio = min(resumes) / min(folds)
    return [Result("resume 100 MB to its first call", ratio, "x fold", 1.5, "<=", details)]
