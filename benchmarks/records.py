# SPDX-License-Identifier: Apache-2.0
"""The raw records: for how long the window does nothing else while a line of 64 MiB is shown."""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks import corpora
from benchmarks.harness import Result
from benchmarks.suite import Bench, Suite
from benchmarks.transcript import staged

SUITE = Suite()
#: Bytes of the line.
_LINE = 64 << 20
_PATIENCE = 60.0


@SUITE.add
def records_show_all(bench: Bench) -> list[Result]:
    """As much of it as is ever shown, from the click to the last line; the longest step of it.

    By the thread's own time, with the clock's beside it.
    """
    from tenuto_gui.records.view import RecordsView

    folder = bench.folder
    path = folder / "long.json"
    meta = next(corpora.journal("long", 1, 100))
    words = 'It said "so", and <so> on.\n' * (bench.count(_LINE) // 33)
    message = {"role": "assistant", "content": [{"text": {"text": words}}]}
    with path.open("wb") as file:
        path.chmod(0o600)
        file.write(meta)
        file.write(corpora.line(2, "assistant", {"iteration": 1, "message": message}))
    with staged(bench) as stage:
        view = RecordsView(stage.context)
        view.resize(868, 700)
        view.show()
        view.set_session(stage.summary("long"))
        _steps(stage.app.processEvents, lambda: view.table.model().rowCount() > 1)
        view.table.choose(1)
        _steps(stage.app.processEvents, view.chosen.all_button.isVisible)
        first = len(view.chosen.text.toPlainText())
        begun = time.perf_counter()
        view.show_all()
        cpu, wall = _steps(
            stage.app.processEvents,
            lambda: (
                view.page is not None
                and len(view.page.lines) > 1
                and view.chosen.text.complete
                and len(view.chosen.text.toPlainText()) > first
            ),
        )
        seconds = time.perf_counter() - begun
        view.shutdown()
        view.close()
    details = {"clock_ms": wall * 1e3, "seconds_in_all": seconds}
    return [Result("records_show_all", cpu * 1e3, "ms longest step", 50, "<=", details)]


def _steps(step: Callable[[], object], done: Callable[[], bool]) -> tuple[float, float]:
    """Take steps until it is done; the longest of them, by the thread and by the clock."""
    cpu = wall = 0.0
    end = time.perf_counter() + _PATIENCE
    while not done():
        started = time.thread_time(), time.perf_counter()
        step()
        cpu = max(cpu, time.thread_time() - started[0])
        wall = max(wall, time.perf_counter() - started[1])
        time.sleep(0.0005)
        if time.perf_counter() > end:
            raise SystemExit("the line was never shown")
    return cpu, wall
