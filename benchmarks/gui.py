# SPDX-License-Identifier: Apache-2.0
"""The window on 10,000 sessions: start, filter, order, growth all over the folder, rest.

Everything of it runs in processes of its own (`benchmarks.gui_child`), without a screen and with a
home of its own. What disturbs a turn makes it slower, so the best of several counts. After it come
the works of the transcript view (`benchmarks.transcript`, which is a suite by itself, too).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks import transcript
from benchmarks.corpora import many_runs
from benchmarks.harness import Result
from benchmarks.suite import Bench, Suite

SUITE = Suite()
_SESSIONS = 10_000
_SCREEN = {"name": "desk", "x": 0, "y": 0, "width": 1920, "height": 1200,
           "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}  # fmt: skip
_GROWING = 500
#: Seconds of growth, and of rest; fewer where the corpora are smaller.
_GROWTH_S = 8.0
_REST_S = 20.0


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    home.mkdir(mode=0o700, exist_ok=True)
    # A screen on which the window is as large as the empty one it is compared with.
    screen = home / "screen.json"
    screen.write_text(json.dumps({"screens": [_SCREEN]}))
    platform = f"offscreen:configfile={screen}"
    return {**kept, "HOME": str(home), "QT_QPA_PLATFORM": platform, "LANG": "C.UTF-8"}


def _child(bench: Bench, *words: object) -> Any:
    """What a child measured. The time of its start is its last argument."""
    line = [sys.executable, "-m", "benchmarks.gui_child", *map(str, words)]
    line.append(repr(time.monotonic()))
    done = subprocess.run(
        line,
        env=_environment(bench.folder / "home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return json.loads(done.stdout)


def _seconds(bench: Bench, number: float) -> float:
    return max(1.0, number * min(bench.scale, 1.0))


def _folder(bench: Bench, count: int) -> Path:
    """A folder of runs whose previews are there, as after the first look at it."""
    folder = many_runs(bench.folder / "runs", count, size=2048)
    line = [sys.executable, "-m", "tenuto", "session", "ls", "--state-dir", str(folder)]
    environment = _environment(bench.folder / "home")
    subprocess.run(line, env=environment, stdout=subprocess.DEVNULL, check=True)
    return folder


@SUITE.add
def window_start(bench: Bench) -> list[Result]:
    """From the start of the process to painted rows, beside an empty window of PySide6."""
    folder = _folder(bench, bench.count(_SESSIONS))
    floor, subject = [], []
    for _ in range(bench.repeat):
        floor.append(float(_child(bench, "empty")))
        subject.append(float(_child(bench, "start", folder)))
    details = {"seconds": min(subject), "floor_seconds": min(floor)}
    return [Result("cold start", min(subject) / min(floor), "x floor", 3.0, "<=", details)]


@SUITE.add
def window_list(bench: Bench) -> list[Result]:
    """A letter in the filter, and another order, each to the painted list."""
    folder = _folder(bench, bench.count(_SESSIONS))
    found: dict[str, list[float]] = {}
    for _ in range(bench.repeat):
        for name, value in _child(bench, "list", folder).items():
            found.setdefault(name, []).append(float(value))
    best = {name: min(values) * 1000 for name, values in found.items()}
    keys = {name: value for name, value in best.items() if name.startswith("key ")}
    sorts = {name: value for name, value in best.items() if name.startswith("sort ")}
    return [
        Result("filter keystroke, slowest", max(keys.values()), "ms", 16.0, "<=", keys),
        Result("sort, slowest", max(sorts.values()), "ms", 30.0, "<=", sorts),
    ]


@SUITE.add
def window_growth(bench: Bench) -> list[Result]:
    """500 journals that grow at once: for how long the window does nothing else."""
    folder = many_runs(bench.folder / "runs", bench.count(_GROWING), size=2048)
    turns = [
        _child(bench, "growth", folder, _seconds(bench, _GROWTH_S))
        for _ in range(min(bench.repeat, 3))
    ]
    best = min(turns, key=lambda turn: float(turn["worst_ms"]))
    details = {name: float(value) for name, value in best.items()}
    return [Result("stall while 500 grow", float(best["worst_ms"]), "ms", 50.0, "<=", details)]


@SUITE.add
def window_rest(bench: Bench) -> list[Result]:
    """The processor while nothing happens."""
    folder = _folder(bench, bench.count(_SESSIONS))
    percent = float(_child(bench, "rest", folder, _seconds(bench, _REST_S)))
    return [Result("idle", percent, "% of a core", 1.0, "<=")]


SUITE.works.update(transcript.SUITE.works)
