# SPDX-License-Identifier: Apache-2.0
"""A timer that should beat every two milliseconds, and for how long it did not: stalls."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import Qt, QTimer


class Heart:
    """Beats in the GUI thread from `start` to `stop`."""

    def __init__(self) -> None:
        self._beats: list[tuple[float, float]] = []
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(2)
        self._timer.timeout.connect(self._beat)

    def _beat(self) -> None:
        self._beats.append((time.perf_counter(), time.thread_time()))

    def beat_for(self, seconds: float, leave: Callable[[], object]) -> None:
        """Beat for so long, then ``leave``. The caller runs the loop."""

        def stop() -> None:
            self._timer.stop()
            leave()

        QTimer.singleShot(round(seconds * 1000), stop)
        self._timer.start()

    def figures(self) -> dict[str, float]:
        """The longest gap between two beats, and how much of it the GUI thread worked itself.

        In the rest of it the system, or the interpreter, was with others.
        """
        gaps = sorted(
            (later[0] - earlier[0], later[1] - earlier[1])
            for earlier, later in pairwise(self._beats)
        )
        return {
            "worst_ms": gaps[-1][0] * 1000,
            "worst_cpu_ms": gaps[-1][1] * 1000,
            "most_cpu_ms": max(cpu for _, cpu in gaps) * 1000,
            "p99_ms": gaps[int(len(gaps) * 0.99)][0] * 1000,
        }
