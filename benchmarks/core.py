# SPDX-License-Identifier: Apache-2.0
"""What the core promises about speed: listing, previews, folding, appending."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from benchmarks import corpora
from benchmarks.harness import Result, Timing, against_floor, turns
from benchmarks.suite import Bench, Suite
from tenuto.collector import collector_off
from tenuto.fold import fold
from tenuto.records import as_record
from tenuto.runs.file import FileRunStore
from tenuto.runs.reader import scan
from tenuto.sources.runs import RunSource

SUITE = Suite()
benchmark = SUITE.add


# --- listing -------------------------------------------------------------------------------------


def _warm(folder: Path, count: int) -> Path:
    """A folder of runs whose sidecars are all there and true."""
    corpora.many_runs(folder, count)
    source = RunSource(folder)
    source.list()
    source.build_pending()
    return folder


def _read_small_files(folder: Path) -> None:
    """The floor of a listing: scan the folder, stat every journal, read every sidecar."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".preview.json"):
                descriptor = os.open(entry.path, os.O_RDONLY)
                os.read(descriptor, 65536)
                os.close(descriptor)
            elif entry.name.endswith(".json"):
                entry.stat()


@benchmark
def listing_cold(bench: Bench) -> list[Result]:
    """From nothing known of a folder, no sidecar in it, to the first list of it."""
    folder = corpora.many_runs(bench.folder / "runs", bench.count(10_000))
    cold: list[Timing] = turns(lambda: RunSource(folder).list(), repeat=bench.repeat)
    assert not any(folder.glob("*.preview.json")), "a list built previews: it was not cold"
    details = {"median_seconds": cold[0].median}
    return [Result("list 10,000 cold", cold[0].best, "s", 1, "<=", details)]


@benchmark
def listing(bench: Bench) -> list[Result]:
    folder = _warm(bench.folder / "runs", bench.count(10_000))
    source = RunSource(folder)
    return [
        against_floor(
            "list 10,000 warm",
            source.list,
            functools.partial(_read_small_files, folder),
            at_most=2.5,
            repeat=bench.repeat,
        ),
        Result("journals opened by second scan", _journals_opened(source.list), "files", 0, "<="),
    ]


_opened: list[str] | None = None


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _opened is not None and event == "open" and isinstance(arguments[0], str | bytes):
        _opened.append(os.path.basename(os.fsdecode(arguments[0])))


def _journals_opened(work: Callable[[], object]) -> int:
    """How many journals ``work`` opens: the interpreter reports every open, ours or not."""
    global _opened
    sys.addaudithook(_audit)
    _opened = []
    work()
    names, _opened = _opened, None
    return sum(bool(re.fullmatch(r"[A-Za-z0-9_-]+\.json", name)) for name in names)


def _command(folder: Path, environment: dict[str, str]) -> None:
    words = [sys.executable, "-m", "tenuto", "session", "ls", "--state-dir", str(folder)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=environment)


@benchmark
def command(bench: Bench) -> list[Result]:
    """The whole of ``tenuto session ls``, from the start of the interpreter to its end.

    Modules are compiled once before, as those of an installed program are, wherever this process
    was told to write bytecode or not.
    """
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(bench.folder / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    results = []
    for count, limit in ((10_000, 0.35), (1_000, 0.15)):
        folder = _warm(bench.folder / f"runs{count}", bench.count(count))
        _command(folder, environment)
        bare, whole = turns(
            functools.partial(subprocess.run, [sys.executable, "-c", ""], check=True),
            functools.partial(_command, folder, environment),
            repeat=max(bench.repeat, bench.samples(5)),
        )
        details = {"median_seconds": whole.median, "bare_interpreter_seconds": bare.best}
        name = f"tenuto session ls, {count:,} warm"
        results.append(Result(name, whole.best, "s", limit, "<=", details))
    return results


# --- previews and folding ------------------------------------------------------------------------


@benchmark
def previews(bench: Bench) -> list[Result]:
    folder = corpora.large_runs(bench.folder / "runs", bench.count(100))
    size = sum(path.stat().st_size for path in folder.glob("*.json"))

    def forget() -> None:
        for sidecar in folder.glob("*.preview.json"):
            sidecar.unlink()

    busy: list[float] = []

    def build() -> None:
        start = time.process_time()
        source = RunSource(folder)
        source.list()
        source.build_pending()
        busy.append(time.process_time() - start)

    (timing,) = turns(build, repeat=bench.repeat, before=forget)
    megabytes = size / 1e6
    details = {
        "megabytes": megabytes,
        "process_seconds": min(busy),
        "seconds": timing.best,
        "by_the_clock": megabytes / timing.best,
    }
    # Per core: the time that all threads worked, whatever else the machine did meanwhile.
    return [Result("build previews", megabytes / min(busy), "MB/s a core", 50, ">=", details)]


def _fold_file(path: Path) -> None:
    with path.open("rb") as file:
        fold(scan(file).records)


def _parse_and_keep(path: Path) -> None:
    # The fold keeps the collector off while it reads, so the floor does as well.
    with collector_off(), path.open("rb") as file:
        _kept = [orjson.loads(line) for line in file]


def _parse_and_drop(path: Path) -> None:
    with collector_off(), path.open("rb") as file:
        for line in file:
            orjson.loads(line)


@benchmark
def folding(bench: Bench) -> list[Result]:
    """The floor parses every line with orjson and keeps what it parsed, as the fold does.

    The fold checks every line whole, and decodes the long texts in it when they are asked for:
    ``texts_seconds`` is the fold together with all of them.
    """
    path = corpora.huge_run(bench.folder, bench.count(27_000))
    keep, drop, subject, texts = turns(
        functools.partial(_parse_and_keep, path),
        functools.partial(_parse_and_drop, path),
        functools.partial(_fold_file, path),
        functools.partial(_fold_with_texts, path),
        repeat=bench.repeat,
    )
    details = {
        "seconds": subject.best,
        "texts_seconds": texts.best,
        "orjson_kept_seconds": keep.best,
        "orjson_dropped_seconds": drop.best,
    }
    return [
        Result("fold 100 MB", subject.best / keep.best, "x orjson", 1.3, "<=", details),
        _memory(path),
    ]


def _fold_with_texts(path: Path) -> None:
    with path.open("rb") as file:
        list(fold(scan(file).records).messages)


def _memory(path: Path) -> Result:
    words = [sys.executable, "-m", "benchmarks.memory", str(path)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    measured = json.loads(done.stdout)
    size = path.stat().st_size
    details = {"megabytes": measured["peak"] / 1e6, "before_megabytes": measured["before"] / 1e6}
    details["grown"] = (measured["peak"] - measured["before"]) / size
    # All of the process, the interpreter too: that is what a machine has to have.
    peak = measured["peak"] / size
    return Result("fold 100 MB, peak memory", peak, "x file", 6, "<=", details)


# --- appending -----------------------------------------------------------------------------------


@contextmanager
def _bare_file(path: Path) -> Iterator[Callable[[bytes], None]]:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def write(data: bytes) -> None:
        os.write(descriptor, data)
        os.fsync(descriptor)

    try:
        yield write
    finally:
        os.close(descriptor)


@benchmark
def appending(bench: Bench) -> list[Result]:
    """Records of about 500 bytes, one at a time, each on the disk before the next."""
    lines = list(corpora.journal("append", bench.count(150), 400))
    meta, records = json.loads(lines[0]), [as_record(json.loads(line)) for line in lines[1:-2]]
    store = FileRunStore(bench.folder / "runs")
    (bench.folder / "runs").mkdir(mode=0o700)
    with store.create("append", meta["meta"]) as journal, _bare_file(bench.folder / "bare") as bare:

        def append() -> None:
            for record in records:
                journal.append(record)

        def write() -> None:
            for line in lines[1:-2]:
                bare(line)

        floor, subject = turns(write, append, repeat=max(bench.repeat, bench.samples(25)))
    return [_throughput(floor, subject, len(records))]


def _throughput(floor: Timing, subject: Timing, count: int) -> Result:
    details = {
        "ms_each": subject.median / count * 1e3,
        "bare_ms_each": floor.median / count * 1e3,
        "share_of_best": floor.best / subject.best,
    }
    # The median: the time of an fsync varies with the disk, in both alike.
    return Result("append", 100 * floor.median / subject.median, "% of bare", 80, ">=", details)
