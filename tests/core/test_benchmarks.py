# SPDX-License-Identifier: Apache-2.0
"""The benchmarks run, on small corpora: what is not run rots. Their targets are not judged here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import corpora
from benchmarks.__main__ import SUITES
from benchmarks.harness import Result, turns
from benchmarks.suite import in_memory
from tenuto.fold import fold
from tenuto.runs.reader import scan
from tests.support.paths import REPOSITORY
from tests.support.store import mounted

#: What must be measured, and be more than nothing, by suite and what its benchmarks' names begin
#: with: those of the window share out the seconds that they take.
NAMES = {
    ("core", ""): (
        "list 10,000 cold", "list 10,000 warm", "build previews", "fold 100 MB", "append",
    ),
    ("agent", ""): ("loop overhead per turn", "resume 100 MB to its first call"),
    ("reasonix", ""): ("list 5,000 sessions", "load a session of 50 MB", "save a session"),
    **{("gui", work.split("_")[0]): () for work in SUITES["gui"].works},
    ("gui", "window"): ("cold start", "sort, slowest", "stall while 500 grow"),
    ("gui", "transcript"): ("transcript_jump", "transcript_stream", "journal_whole"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("suite", "begin"), NAMES)
def test_every_benchmark_runs_and_reports(suite: str, begin: str, tmp_path: Path) -> None:
    words = ["-m", "benchmarks", suite, "--scale", "0.003", "--repeat", "1", "--json"]
    for work in SUITES[suite].works:
        if work.startswith(begin):
            words += ["--only", work]
    done = subprocess.run(
        [sys.executable, *words, "--dir", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    rows = json.loads(done.stdout)
    assert rows
    assert done.returncode == (0 if all(row["met"] for row in rows) else 1), done.stderr
    figures = {row["name"]: row for row in rows}
    assert figures.get("journals opened by second scan", {"value": 0})["value"] == 0
    for name in NAMES[suite, begin]:
        assert figures[name]["value"] > 0
    assert list(tmp_path.iterdir()) == []


def test_a_corpus_is_a_healthy_journal_and_always_the_same(tmp_path: Path) -> None:
    size = corpora.write_journal(tmp_path / "one.json", 20, 900)
    assert (tmp_path / "one.json").stat().st_size == size
    with (tmp_path / "one.json").open("rb") as file:
        found = scan(file)
    assert found.error is None
    state = fold(found.records)
    assert state.counters.tool_calls == 20
    assert state.terminal is not None
    again = b"".join(corpora.journal("one", 20, 900))
    assert again == (tmp_path / "one.json").read_bytes()


def test_a_folder_in_memory_is_told_from_one_on_a_disk(tmp_path: Path) -> None:
    with mounted(tmp_path / "memory", "-t", "tmpfs", "tmpfs") as folder:
        assert in_memory(folder)
        words = ["-m", "benchmarks", "core", "--only", "appending", "--scale", "0.003"]
        done = subprocess.run(
            [sys.executable, *words, "--repeat", "1", "--dir", str(folder)],
            capture_output=True,
            text=True,
            cwd=REPOSITORY,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        )
        assert done.stderr == f"{folder} is in memory: appends and saves there say nothing\n"
    assert not in_memory(Path("/proc"))


def test_works_take_turns() -> None:
    order: list[str] = []
    timings = turns(
        lambda: order.append("floor"),
        lambda: order.append("subject"),
        repeat=2,
        before=lambda: order.append("before"),
    )
    assert order == ["before", "floor", "before", "subject"] * 2
    assert [len(timing.samples) for timing in timings] == [2, 2]


@pytest.mark.parametrize(
    ("value", "side", "met"),
    [(1.3, "<=", True), (1.31, "<=", False), (80, ">=", True), (79, ">=", False)],
)
def test_a_target_is_met_on_its_side(value: float, side: str, met: bool) -> None:
    target = 1.3 if side == "<=" else 80
    assert Result("name", value, "x", target, side).met is met
