# SPDX-License-Identifier: Apache-2.0
"""Who goes first: the GUI thread, or a job that reads for it; and how often the list is told."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto.sources.base import Changed, Listing
from tenuto.sources.runs import RunSource
from tenuto_gui import courtesy as module
from tenuto_gui.courtesy import Courtesy, courtesy
from tenuto_gui.jobs import Jobs
from tenuto_gui.sessions.feed import SessionFeed
from tests.support.store import make_run


def test_there_is_one_for_the_application(qtbot: QtBot) -> None:
    assert courtesy() is courtesy()
    app = QCoreApplication.instance()
    assert app is not None
    assert len(app.findChildren(Courtesy)) == 1


def test_a_step_waits_until_the_window_has_done_what_it_began(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_S", 60.0)
    own = Courtesy()
    own.begin()
    job = threading.Thread(target=own.step_aside)
    job.start()
    # The GUI thread is here, and not in its loop: it is at work.
    job.join(0.1)
    assert job.is_alive()
    qtbot.waitUntil(lambda: not job.is_alive(), timeout=60_000)
    # Nothing was begun: nobody waits.
    own.step_aside()


def test_a_window_that_is_never_idle_does_not_stop_the_work(qtbot: QtBot) -> None:
    own = Courtesy()
    own.begin()
    job = threading.Thread(target=own.step_aside)
    job.start()
    job.join(60)
    assert not job.is_alive()


def test_a_job_that_is_to_end_does_not_wait(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_S", 3600.0)
    jobs = Jobs(workers=1)
    jobs.stop()
    courtesy().begin()
    assert jobs.step_aside()
    qtbot.wait(1)


def test_the_list_is_told_of_a_storm_a_few_times_a_second_and_of_all_of_it(
    qtbot: QtBot, tmp_path: Path
) -> None:
    store = FileRunStore(tmp_path)
    names = [f"run-{number}" for number in range(30)]
    for name in names:
        make_run(store, name)
    source = RunSource(tmp_path)
    feed = SessionFeed(source)
    told: list[float] = []
    rows: dict[str, int] = {}

    def listed(listing: Listing) -> None:
        rows.update((row.id, row.size) for row in listing.summaries)

    def changed(found: Changed) -> None:
        told.append(time.monotonic())
        rows.update((row.id, row.size) for row in found.updated)
        for name in found.gone:
            del rows[name]

    feed.listed.connect(listed)
    feed.changed.connect(changed)
    feed.start()
    qtbot.waitUntil(lambda: len(rows) == len(names), timeout=60_000)
    told.clear()
    begun = time.monotonic()
    for _ in range(8):
        for name in names[1:]:
            with (tmp_path / f"{name}.json").open("ab") as file:
                file.write(b"\n")
        qtbot.wait(40)
    (tmp_path / "run-0.json").unlink()

    def now() -> dict[str, int]:
        return {name: (tmp_path / f"{name}.json").stat().st_size for name in names[1:]}

    qtbot.waitUntil(lambda: rows == now(), timeout=60_000)
    # 60 ms apart, less what a coarse timer may be early.
    assert len(told) <= 2 + (time.monotonic() - begun) / 0.054
    feed.stop()
