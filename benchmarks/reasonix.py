# SPDX-License-Identifier: Apache-2.0
"""What the Reasonix side promises about speed: listing from sidecars, load and normalise."""

from __future__ import annotations

import functools
import os
from pathlib import Path

import orjson

from benchmarks import reasonix_corpora
from benchmarks.harness import Result, against_floor, turns
from benchmarks.suite import Bench, Suite
from tenuto.reasonix import list_sessions, load_session, normalize_session, save_session
from tenuto.sources.reasonix import ReasonixSource

SUITE = Suite()


def _read_small_files(folder: Path) -> None:
    """The floor of a listing: scan the folder, stat every session, read every sidecar."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".meta"):
                descriptor = os.open(entry.path, os.O_RDONLY)
                os.read(descriptor, 65536)
                os.close(descriptor)
            elif entry.name.endswith(".jsonl"):
                entry.stat()


@SUITE.add
def listing(bench: Bench) -> list[Result]:
    folder = reasonix_corpora.many_sessions(bench.folder / "sessions", bench.count(5_000))
    source = ReasonixSource(folder, cache=bench.folder / "cache")
    source.list()
    source.build_pending()
    floor = functools.partial(_read_small_files, folder)
    listed = functools.partial(list_sessions, folder)
    return [
        against_floor("list 5,000 sessions", listed, floor, at_most=2, repeat=bench.repeat),
        # A row says more than a list: what only the session itself tells, kept in the cache.
        against_floor("rows of 5,000", source.list, floor, at_most=2.5, repeat=bench.repeat),
    ]


def _parse_and_keep(path: Path) -> None:
    with path.open("rb") as file:
        _kept = [orjson.loads(line) for line in file]


def _load(path: Path) -> None:
    # Loading normalises; the second pass is what a caller pays who asks again.
    normalize_session(load_session(path))


@SUITE.add
def loading(bench: Bench) -> list[Result]:
    path = reasonix_corpora.large_session(bench.folder, bench.count(9_000))
    size = path.stat().st_size / 1e6
    parse, load = turns(
        functools.partial(_parse_and_keep, path),
        functools.partial(_load, path),
        repeat=bench.repeat,
    )
    details = {"seconds": load.best, "orjson_seconds": parse.best, "megabytes": size}
    return [
        Result("load a session of 50 MB", load.best / parse.best, "x orjson", 1.5, "<=", details)
    ]


@SUITE.add
def saving(bench: Bench) -> list[Result]:
    """The whole file, durable: how an open session is saved every time."""
    path = reasonix_corpora.large_session(bench.folder, bench.count(9_000))
    messages = load_session(path)
    target = bench.folder / "saved.jsonl"
    (timing,) = turns(functools.partial(save_session, target, messages), repeat=bench.repeat)
    size = path.stat().st_size / 1e6
    details = {"seconds": timing.best, "megabytes": size}
    return [Result("save a session", size / timing.best, "MB/s", 30, ">=", details)]
