# SPDX-License-Identifier: Apache-2.0
"""Measuring against a floor in the same run.

Seconds say more of the machine than of the code, so a benchmark measures its subject and a *floor*
(the least that any program would have to do) in turns, and judges their ratio. The fastest of
several turns counts: everything that disturbs a turn makes it slower.
"""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

Work = Callable[[], object]


@dataclass(frozen=True)
class Timing:
    """Seconds of each turn."""

    samples: tuple[float, ...]

    @property
    def best(self) -> float:
        return min(self.samples)

    @property
    def median(self) -> float:
        return statistics.median(self.samples)


@dataclass(frozen=True)
class Result:
    """One measured sentence. ``value`` is in ``unit``; it meets the target or it does not."""

    name: str
    value: float
    unit: str
    target: float
    #: ``"<="`` or ``">="``: on which side of the target a good value lies.
    side: str
    details: dict[str, float] = field(default_factory=dict)

    @property
    def met(self) -> bool:
        return self.value <= self.target if self.side == "<=" else self.value >= self.target


def turns(*works: Work, repeat: int, before: Work | None = None) -> list[Timing]:
    """Time each of ``works`` ``repeat`` times, in turns, so that a slow moment hits all alike.

    ``before`` runs untimed ahead of each. Garbage of one turn is not collected in the next.
    """
    samples: list[list[float]] = [[] for _work in works]
    for _turn in range(repeat):
        for work, seconds in zip(works, samples, strict=True):
            if before is not None:
                before()
            gc.collect()
            start = time.perf_counter()
            work()
            seconds.append(time.perf_counter() - start)
    return [Timing(tuple(seconds)) for seconds in samples]


def against_floor(name: str, subject: Work, floor: Work, *, at_most: float, repeat: int) -> Result:
    """How many times the floor's time the subject takes."""
    floor_time, subject_time = turns(floor, subject, repeat=repeat)
    return Result(
        name,
        subject_time.best / floor_time.best,
        "x floor",
        at_most,
        "<=",
        {
            "seconds": subject_time.best,
            "median_seconds": subject_time.median,
            "floor_seconds": floor_time.best,
        },
    )


def as_json(results: list[Result]) -> str:
    return json.dumps([asdict(result) | {"met": result.met} for result in results], indent=2)


def line(result: Result) -> str:
    details = "  ".join(f"{name} {value:.4g}" for name, value in result.details.items())
    verdict = "ok  " if result.met else "MISS"
    figure = f"{result.value:.4g} {result.unit} ({result.side} {result.target:g})"
    return f"{verdict} {result.name:<34} {figure:<32} {details}"
