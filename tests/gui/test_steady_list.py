# SPDX-License-Identifier: Apache-2.0
"""What is read in a long list stays in its place while other processes write."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tests.gui.driver import Driver
from tests.support.store import make_run

RUNS = 60


@pytest.fixture
def folder(home: Path) -> Path:
    """Sixty runs, run-00 the newest."""
    folder = home / "runs"
    store = FileRunStore(folder)
    now = time.time_ns()
    for number in range(RUNS):
        name = f"run-{number:02d}"
        make_run(store, name)
        written = now - (number + 1) * 60 * 10**9
        os.utime(folder / f"{name}.json", ns=(written, written))
    return folder


@pytest.fixture
def window(qtbot: QtBot, folder: Path) -> Driver:
    window = Driver(qtbot, folder)
    window.until_listed(*(f"run-{number:02d}" for number in range(RUNS)))
    return window


def scroll_to(window: Driver, pixels: int) -> None:
    bar = window.window.list.verticalScrollBar()
    window.until(lambda: bar.maximum() > pixels)
    bar.setValue(pixels)


def seen(window: Driver, session_id: str) -> int:
    """Where the top of a row is on the screen."""
    view, model = window.window.list, window.window.sessions
    return view.visualRect(model.index(model.row_of(session_id))).top()


def test_what_is_read_stays_while_runs_come_move_and_go(window: Driver, folder: Path) -> None:
    window.window.resize(1200, 700)
    scroll_to(window, 1000)
    before = seen(window, "run-30")
    # One from below moves to the top.
    os.utime(folder / "run-50.json")
    window.until(lambda: window.ids()[0] == "run-50")
    assert seen(window, "run-30") == before
    # One comes, at the top.
    make_run(FileRunStore(folder), "run-new")
    window.until(lambda: window.ids()[0] == "run-new")
    assert seen(window, "run-30") == before
    # One above goes, another one below.
    for name in ("run-03", "run-55"):
        FileRunStore(folder).delete(name)
        window.until(lambda name=name: name not in window.ids())
        assert seen(window, "run-30") == before
    # One from above falls behind, by time.
    first = (folder / "run-59.json").stat().st_mtime_ns - 10**9
    os.utime(folder / "run-04.json", ns=(first, first))
    window.until(lambda: window.ids()[-1] == "run-04")
    assert seen(window, "run-30") == before


def test_what_is_read_stays_while_many_runs_grow_at_once(window: Driver, folder: Path) -> None:
    window.window.resize(1200, 700)
    scroll_to(window, 1000)
    top = window.window.list.indexAt(QPoint(5, 5)).row()
    before = seen(window, f"run-{top + 5:02d}")
    # More than are moved one by one, the uppermost one on screen among them.
    grown = [*range(3), top, *range(42, RUNS)]
    for number in grown:
        os.utime(folder / f"run-{number:02d}.json")
    newest = {f"run-{number:02d}" for number in grown}
    window.until(lambda: set(window.ids()[: len(grown)]) == newest)
    assert seen(window, f"run-{top + 5:02d}") == before


def test_at_the_end_of_the_list_too(window: Driver, folder: Path) -> None:
    bar = window.window.list.verticalScrollBar()
    scroll_to(window, 1000)
    bar.setValue(bar.maximum())
    before = seen(window, "run-59")
    make_run(FileRunStore(folder), "run-new")
    window.until(lambda: window.ids()[0] == "run-new")
    assert seen(window, "run-59") == before


def test_at_the_top_what_is_new_comes_into_sight(window: Driver, folder: Path) -> None:
    os.utime(folder / "run-50.json")
    window.until(lambda: window.ids()[0] == "run-50")
    assert seen(window, "run-50") == 0
