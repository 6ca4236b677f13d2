# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of one part of the program, by name."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import Result


@dataclass(frozen=True)
class Bench:
    """What a benchmark gets: a folder of its own, and how hard to try."""

    folder: Path
    repeat: int
    #: Multiplies the size of every corpus; targets hold for 1.
    scale: float

    def count(self, number: int) -> int:
        return max(1, int(number * self.scale))

    def samples(self, number: int) -> int:
        """How often to do what is done often: less on smaller corpora, but never only once."""
        return max(2, int(number * min(self.scale, 1.0)))

    def seconds(self, number: float) -> float:
        """For how long to do it: a moment at least."""
        return max(0.2, number * min(self.scale, 1.0))


Benchmark = Callable[[Bench], list[Result]]


def in_memory(folder: Path) -> bool:
    """Whether a folder is in memory, where an fsync costs nothing. Known of Linux only."""
    mounts = Path("/proc/self/mountinfo")
    if not mounts.exists():
        return False
    device = folder.stat().st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    for row in mounts.read_text(errors="replace").splitlines():
        if row.split()[2] == number:
            return row.partition(" - ")[2].split()[0] in ("tmpfs", "ramfs")
    return False


class Suite:
    """Benchmarks in the order in which they were added."""

    def __init__(self) -> None:
        self.works: dict[str, Benchmark] = {}

    def add(self, work: Benchmark) -> Benchmark:
        """Register ``work`` under its own name; a decorator."""
        self.works[work.__name__] = work
        return work

    def run(self, bench: Bench, names: list[str]) -> Iterator[Result]:
        """Run benchmarks one by one, each in an empty folder that is removed after it."""
        for name in names:
            folder = bench.folder / name
            folder.mkdir(mode=0o700)
            yield from self.works[name](Bench(folder, bench.repeat, bench.scale))
            shutil.rmtree(folder)
