# SPDX-License-Identifier: Apache-2.0
"""The window on 10,000 sessions: start, filter, order, growth, a stream, other writers, rest.

Everything of it runs in processes of its own (`benchmarks.gui_child`), without a screen and with a
home of its own. What disturbs a turn makes it slower, so the best of several counts. After it come
the works of the transcript view (`benchmarks.transcript`, which is a suite by itself, too).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks import records, transcript
from benchmarks.corpora import many_runs
from benchmarks.harness import Result
from benchmarks.suite import Bench, Suite

SUITE = Suite()
_SESSIONS = 10_000
_SCREEN = {"name": "desk", "x": 0, "y": 0, "width": 1920, "height": 1200,
           "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}  # fmt: skip
_GROWING = 500
#: Seconds of growth, of rest, and until what was done at the start is over; fewer where the corpora
#: are smaller.
_GROWTH_S = 8.0
_REST_S = 20.0
_SETTLE_S = 2.0
#: Changes of a living folder that are timed.
_CHANGES = 30
#: A fast model's tokens a second.
_TOKENS = 500


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    # What is installed has its byte code; a tree that was just edited is compiled by the first.
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    home.mkdir(mode=0o700, exist_ok=True)
    # A screen on which the window is as large as the empty one it is compared with.
    screen = home / "screen.json"
    screen.write_text(json.dumps({"screens": [_SCREEN]}))
    platform = f"offscreen:configfile={screen}"
    return {**kept, "HOME": str(home), "QT_QPA_PLATFORM": platform, "LANG": "C.UTF-8"}


def _child(bench: Bench, *words: object) -> Any:
    """What a child measured. The time of its start is its last argument."""
    return _run(bench, "benchmarks.gui_child", *words, repr(time.monotonic()))


def _live(bench: Bench, *words: object) -> Any:
    """What a child measured of a folder that is written to."""
    return _run(bench, "benchmarks.gui_live", *words)


def _run(bench: Bench, module: str, *words: object) -> Any:
    line = [sys.executable, "-m", module, *map(str, words)]
    done = subprocess.run(
        line,
        env=_environment(bench.folder / "home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return json.loads(done.stdout)


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
    settle = bench.seconds(_SETTLE_S)
    found: dict[str, list[float]] = {}
    for _ in range(bench.repeat):
        for name, value in _child(bench, "list", folder, settle).items():
            found.setdefault(name, []).append(float(value))
    best = {name: min(values) * 1000 for name, values in found.items()}

    def slowest(name: str, begins: str, limit: float) -> Result:
        some = {name: value for name, value in best.items() if name.startswith(begins)}
        return Result(name, max(some.values()), "ms", limit, "<=", some)

    return [
        slowest("filter keystroke, slowest", "key ", 16.0),
        slowest("sort, slowest", "sort ", 30.0),
        slowest("filter keystroke in 200 groups, slowest", "group key ", 16.0),
        slowest("sort in 200 groups, slowest", "group sort ", 30.0),
    ]


def _stall(name: str, turns: list[dict[str, float]], floors: list[dict[str, float]]) -> Result:
    """The middle of the turns' longest stalls, and what an empty window had in the same run."""
    worst = sorted(turn["worst_ms"] for turn in turns)
    floor = sorted(turn["worst_ms"] for turn in floors)
    middle = sorted(turns, key=lambda turn: turn["worst_ms"])[len(turns) // 2]
    details = {
        "best_ms": worst[0],
        "worst_ms": worst[-1],
        "floor_ms": statistics.median(floor),
        "floor_worst_ms": floor[-1],
        **{key: value for key, value in middle.items() if key != "worst_ms"},
    }
    return Result(name, statistics.median(worst), "ms", 50.0, "<=", details)


@SUITE.add
def window_growth(bench: Bench) -> list[Result]:
    """500 journals that grow at once: for how long the window does nothing else."""
    folder = many_runs(bench.folder / "runs", bench.count(_GROWING), size=2048)
    settle, seconds = bench.seconds(_SETTLE_S), bench.seconds(_GROWTH_S)
    turns, floors = [], []
    for _ in range(min(bench.repeat, 5)):
        floors.append(_child(bench, "growth-floor", folder, seconds))
        turns.append(_child(bench, "growth", folder, settle, seconds))
    return [_stall("stall while 500 grow", turns, floors)]


@SUITE.add
def window_stream(bench: Bench) -> list[Result]:
    """A worker streams 500 tokens a second into the transcript."""
    folder = many_runs(bench.folder / "runs", 20, size=2048)
    settle, seconds = bench.seconds(_SETTLE_S), bench.seconds(_GROWTH_S)
    turns, floors = [], []
    for _ in range(min(bench.repeat, 5)):
        floors.append(_live(bench, "stream-floor", folder, seconds, _TOKENS))
        turns.append(_live(bench, "stream", folder, settle, seconds, _TOKENS))
    return [_stall("stall while a worker streams", turns, floors)]


@SUITE.add
def window_live(bench: Bench) -> list[Result]:
    """Another process writes: until a run is at the top with its new turn, and its words are read.

    From the write to the paint, with all that is between.
    """
    folder = _folder(bench, bench.count(_SESSIONS))
    words = folder, bench.seconds(_SETTLE_S), bench.samples(_CHANGES)
    moved: list[float] = _live(bench, "moves", *words)
    arrived: list[float] = _live(bench, "record", *words)
    return [
        _share("run moves and updates", moved, 300.0),
        _share("new record on screen", arrived, 150.0),
    ]


def _share(name: str, seconds: list[float], limit_ms: float) -> Result:
    ordered = sorted(each * 1000 for each in seconds)
    p95 = ordered[min(int(len(ordered) * 0.95), len(ordered) - 1)]
    details = {"p50_ms": statistics.median(ordered), "max_ms": ordered[-1], "n": len(ordered)}
    return Result(name, p95, "ms p95", limit_ms, "<=", details)


@SUITE.add
def window_rest(bench: Bench) -> list[Result]:
    """The processor while nothing happens."""
    folder = _folder(bench, bench.count(_SESSIONS))
    words = folder, bench.seconds(_SETTLE_S), bench.seconds(_REST_S)
    percent = float(_child(bench, "rest", *words))
    return [Result("idle", percent, "% of a core", 1.0, "<=")]


SUITE.works.update(transcript.SUITE.works)
SUITE.works.update(records.SUITE.works)
