# SPDX-License-Identifier: Apache-2.0
"""A fault of the window's own is told in the window, once, with all that is needed to find it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto_gui.faults import Faults
from tenuto_gui.jobs import Jobs
from tests.gui.driver import Driver
from tests.support.store import make_run


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Driver:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    make_run(FileRunStore(folder), "one")
    driver = Driver(qtbot, folder)
    driver.until_listed("one")
    return driver


@pytest.fixture
def heard() -> list[BaseException]:
    """What the hook that was there before is told."""
    return []


@pytest.fixture
def faults(window: Driver, heard: list[BaseException]) -> Iterator[Faults]:
    hooks = sys.excepthook, threading.excepthook
    made = Faults(window.shell, lambda _kind, error, _trace: heard.append(error))
    yield made
    made.close()
    assert (sys.excepthook, threading.excepthook) == hooks


def fail(words: str) -> None:
    raise LookupError(words)


def test_a_fault_in_a_slot_is_told(
    window: Driver, faults: Faults, heard: list[BaseException]
) -> None:
    window.window.verbs.refresh.triggered.connect(lambda: fail("no such thing"))
    window.window.verbs.refresh.trigger()
    window.until(lambda: "Something in this window failed" in window.notice())
    told = window.window.notices.details.text.toPlainText()
    assert "LookupError: no such thing" in told
    assert "test_faults.py" in told
    assert [str(error) for error in heard] == ["no such thing"], "stderr has it as ever"
    window.window.notices.clear()
    window.window.verbs.refresh.trigger()
    window.until(lambda: len(heard) == 2)
    QApplication.processEvents()
    assert window.notice() == "", "once for each place"


def test_a_fault_in_a_thread_is_told(window: Driver, faults: Faults) -> None:
    thread = threading.Thread(target=fail, args=("in a thread",))
    thread.start()
    thread.join()
    window.until(lambda: "Something in this window failed" in window.notice())
    assert "in a thread" in window.window.notices.details.text.toPlainText()


def test_a_job_that_fails_and_is_not_waited_for_is_told(window: Driver, faults: Faults) -> None:
    jobs = Jobs()
    try:
        jobs.run(lambda: fail("in a job"), lambda _result: None)
        window.until(lambda: "Something in this window failed" in window.notice())
        assert "in a job" in window.window.notices.details.text.toPlainText()
    finally:
        jobs.stop()


def test_an_interrupt_is_no_fault(
    window: Driver, faults: Faults, heard: list[BaseException]
) -> None:
    faults.take(KeyboardInterrupt, KeyboardInterrupt(), None)
    QApplication.processEvents()
    assert window.notice() == ""
    assert len(heard) == 1
