# SPDX-License-Identifier: Apache-2.0
"""What tests of the window get besides: an empty clipboard, no window or Qt thread left behind.

Widgets given to ``qtbot.addWidget`` are closed by pytest-qt before these checks run.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QThreadPool
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto_gui.context import AppContext
from tenuto_gui.records.view import RecordsView
from tests.e2e.bench import Bench
from tests.gui.driver import Driver, Open
from tests.support.store import suspended_runs

#: Milliseconds that Qt's threads have to end after a test.
GRACE_MS = 3000


def _deliver_deletions() -> None:
    for _round in range(3):  # what dies may ask for the deletion of what it held
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()


def _left_windows(before: set[int]) -> list[str]:
    """Name windows that are still shown, and main windows and dialogs that still exist."""
    names = []
    for widget in QApplication.topLevelWidgets():
        if id(widget) in before or not shiboken6.isValid(widget):
            continue
        if widget.isVisible() or isinstance(widget, (QMainWindow, QDialog)):
            names.append(f"left window: {type(widget).__name__} {widget.objectName()!r}")
    return names


def _stop_threads(threads: list[QThread]) -> list[str]:
    running = [t for t in threads if shiboken6.isValid(t) and t.isRunning()]
    problems = [f"left QThread: {t.objectName() or t!r}" for t in running if not t.wait(GRACE_MS)]
    if not QThreadPool.globalInstance().waitForDone(GRACE_MS):
        problems.append("left jobs in the global QThreadPool")
    return problems


@pytest.fixture
def bench(home: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A folder of runs and the pantry; the window's workers inherit what the window has."""
    made = Bench(home / "bench")
    monkeypatch.setenv("PATH", made.environment["PATH"])
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder of runs."""
    place = tmp_path / "runs"
    place.mkdir(mode=0o700)
    return place


@pytest.fixture
def opened(qtbot: QtBot, folder: Path) -> Open:
    """Opens a window on suspended sessions of these ids, which are made."""

    def open_window(*ids: str) -> Driver:
        suspended_runs(FileRunStore(folder), *ids)
        window = Driver(qtbot, folder)
        window.until_listed(*ids)
        return window

    return open_window


@pytest.fixture
def records_view(made: AppContext, qtbot: QtBot) -> Iterator[RecordsView]:
    """The raw records of the sessions of ``made``, which is the module's; its model is watched."""
    each = RecordsView(made)
    tester = QAbstractItemModelTester(
        each.model, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    qtbot.addWidget(each)
    each.resize(868, 700)
    each.show()
    yield each
    each.shutdown()
    tester.deleteLater()


@pytest.fixture(autouse=True)
def _clean_window_system(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    QApplication.clipboard().clear()
    before = {id(widget) for widget in QApplication.topLevelWidgets()}
    started: list[QThread] = []
    start = QThread.start

    def remember(
        thread: QThread, priority: QThread.Priority = QThread.Priority.InheritPriority
    ) -> None:
        started.append(thread)
        start(thread, priority)

    monkeypatch.setattr(QThread, "start", remember)
    yield
    _deliver_deletions()
    problems = _stop_threads(started)
    windows = _left_windows(before)
    if windows:  # a cycle in Python may keep a closed window until the collector runs
        gc.collect()
        _deliver_deletions()
        windows = _left_windows(before)
    for widget in QApplication.topLevelWidgets():
        if id(widget) not in before and isinstance(widget, QWidget) and widget.isVisible():
            widget.close()
    if problems or windows:
        pytest.fail("\n".join([*problems, *windows]), pytrace=False)
