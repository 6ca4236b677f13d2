# SPDX-License-Identifier: Apache-2.0
"""The end of a window with runs at work: asked for, left alone, killed; and the next window."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import SIGNAL
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from tenuto.runs.companions import lock_name
from tenuto.runs.holders import holder
from tests.e2e.bench import TIMEOUT, Bench
from tests.e2e.runs import wait_turn, waits
from tests.gui.driver import Driver
from tests.gui.working import DONE, LIST, REMOVE, press_late, suspended_run

ROOT = Path(__file__).parents[2]


@contextmanager
def other_window(bench: Bench, config: Path) -> Iterator[subprocess.Popen[str]]:
    """A window of another process that works on ``r1``, at the moment in a tool."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.gui.window_process", str(bench.runs), str(config), "r1"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        yield process
    finally:
        process.kill()
        process.communicate(timeout=TIMEOUT)


def end_of(bench: Bench) -> str:
    """Why the last record says that the run rests."""
    return str(bench.records("r1")[-1].get("terminal", {}).get("reason"))


def held(bench: Bench) -> int:
    found = holder(bench.runs / lock_name("r1"))
    return found.pid if found is not None else 0


def wait_for_end(window: Driver, bench: Bench) -> None:
    window.until(lambda: not held(bench), "the worker never let go of the run")


def running(qtbot: QtBot, bench: Bench, *turns: dict[str, object]) -> Driver:
    """A window with a run that has a slow tool at work."""
    suspended_run(bench, [*turns])
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResume")
    window.until(lambda: window.status("r1") == "running", "it never ran")
    return window


def test_cancel_leaves_everything_as_it_is(qtbot: QtBot, bench: Bench) -> None:
    window = running(qtbot, bench, wait_turn(), LIST, DONE)
    window.window.close()
    box = window.window.findChild(QMessageBox, "questionDialog")
    assert box is not None
    assert box.defaultButton().objectName() == "questionNo"
    window.window.close()
    assert len(window.window.findChildren(QMessageBox, "questionDialog")) == 1, "asked twice"
    window.press("questionNo")
    assert window.window.isVisible()
    bench.pantry.let_go()
    window.until(lambda: window.status("r1") == "completed", "it did not go on")
    window.until(lambda: not window.window.running.controller.live_ids())
    assert window.window.isVisible()


def test_the_question_ends_with_the_runs(qtbot: QtBot, bench: Bench) -> None:
    window = running(qtbot, bench, wait_turn(), DONE)
    window.window.close()
    bench.pantry.let_go()
    window.until(lambda: not window.window.isVisible(), "it waits for an answer about nothing")
    assert end_of(bench) == "completed"


def test_a_run_that_is_left_goes_on_without_a_window(qtbot: QtBot, bench: Bench) -> None:
    config = suspended_run(bench, [wait_turn(), REMOVE, LIST, DONE])
    with other_window(bench, config) as process:
        assert process.stdin is not None
        process.stdin.write("leave\n")
        process.stdin.flush()
        assert process.wait(TIMEOUT) == 0
        assert held(bench), "the run ended with its window"
        bench.pantry.let_go()
        window = Driver(qtbot, bench.runs)
        window.until_listed("r1")
        wait_for_end(window, bench)
    assert end_of(bench) == "completed"
    # Nobody was there to be asked.
    assert ["stock", "remove", "--", "tea"] not in bench.pantry.calls()
    window.until(lambda: window.status("r1") == "completed")


def test_a_question_that_nobody_answers_any_more(qtbot: QtBot, bench: Bench) -> None:
    """The window is killed while it asks: nothing was allowed, and the next window asks again."""
    config = suspended_run(bench, [REMOVE, DONE])
    with other_window(bench, config) as process:
        window = Driver(qtbot, bench.runs)
        window.until_listed("r1")
        window.until(lambda: window.status("r1") == "waiting")
        process.send_signal(signal.SIGKILL)
        process.wait(TIMEOUT)
        wait_for_end(window, bench)
    assert end_of(bench) == "suspended"
    assert ["stock", "remove", "--", "tea"] not in bench.pantry.calls()
    assert not (bench.runs / "r1.ask.json").exists()
    window.until(lambda: window.status("r1") == "suspended")
    window.choose("r1", "actionResume")
    window.until(lambda: window.window.running.panel.is_asking, "it does not ask again")
    press_late(window, "approveOnce")
    window.until(lambda: window.status("r1") == "completed", "it cannot go on")
    window.until(lambda: not window.window.running.controller.live_ids())
    assert bench.pantry.calls().count(["stock", "remove", "--", "tea"]) == 1


def test_the_run_of_a_killed_window_suspends(qtbot: QtBot, bench: Bench) -> None:
    config = suspended_run(bench, [*waits(), DONE])
    with other_window(bench, config) as process:
        worker = held(bench)
        assert worker not in (0, process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait(TIMEOUT)
        bench.pantry.hurry()
        window = Driver(qtbot, bench.runs)
        window.until_listed("r1")
        wait_for_end(window, bench)
    assert end_of(bench) == "suspended"
    window.until(lambda: window.status("r1") == "suspended")
    window.choose("r1", "actionResume")
    window.until(lambda: window.status("r1") == "completed", "it cannot go on")
    window.until(lambda: not window.window.running.controller.live_ids())


def test_a_run_started_elsewhere_is_followed_and_can_be_suspended(
    qtbot: QtBot, bench: Bench
) -> None:
    config = suspended_run(bench, [*waits(), DONE])
    with bench.worker("resume", "r1", "--config", str(config), started=True) as worker:
        worker.until("tool_start")
        window = Driver(qtbot, bench.runs)
        window.until_listed("r1")
        window.click("r1")
        strip = window.window.running.elsewhere
        window.until(strip.isVisible, "nothing says where it runs")
        assert f"process {worker.process.pid}" in strip.accessibleName()
        assert "followed from its journal" in strip.accessibleName()
        assert not window.window.running.strip.isVisible()
        act = window.window.verbs
        assert act.suspend.isEnabled()
        assert not act.abort.isEnabled()
        window.press("elsewhereSuspend")
        assert strip.was_told
        # Told twice it would abort.
        act.suspend.trigger()
        bench.pantry.hurry()
        assert worker.wait() == 0
        window.until(lambda: window.status("r1") == "suspended")
        assert end_of(bench) == "suspended"
        window.until(lambda: not strip.isVisible())
    assert window.notice() == ""


def test_a_run_of_this_window_is_at_no_moment_one_from_elsewhere(
    qtbot: QtBot, bench: Bench
) -> None:
    suspended_run(bench, [REMOVE, DONE])
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResume")
    window.until(window.window.running.panel.isVisible, "no question")
    window.until(lambda: window.status("r1") == "waiting")
    then = window.window.sessions.summary("r1")
    window.window.verbs.suspend.trigger()
    window.until(lambda: window.status("r1") == "suspended", "it never came to rest")
    window.until(lambda: not window.window.running.controller.live_ids())
    # The list may be behind, and show the row of a moment ago once more.
    window.window.running.set_session(then)
    assert not window.window.running.elsewhere.isVisible()


def test_a_question_of_another_process_is_shown_as_answered_there(
    qtbot: QtBot, bench: Bench
) -> None:
    config = suspended_run(bench, [REMOVE, DONE])
    with bench.worker("resume", "r1", "--config", str(config)) as worker:
        ask = worker.until("ask")
        window = Driver(qtbot, bench.runs)
        window.until_listed("r1")
        window.click("r1")
        strip = window.window.running.elsewhere
        window.until(lambda: window.status("r1") == "waiting" and strip.isVisible())
        assert "is answered where it runs" in strip.accessibleName()
        assert "stock remove -- tea" in strip.accessibleName()
        assert not window.window.running.panel.isVisible(), "it cannot be answered from here"
        worker.send(type="answer", id=ask["id"], decision="deny")
        assert worker.wait() == 0
        window.until(lambda: window.status("r1") == "completed")


def test_a_run_of_another_program_is_not_signalled(qtbot: QtBot, bench: Bench) -> None:
    suspended_run(bench, [DONE])
    from tests.gui.driver import holding_process

    words = holding_process(bench.runs / lock_name("r1"))
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        window = Driver(qtbot, bench.runs)
        window.until_listed("r1")
        window.click("r1")
        strip = window.window.running.elsewhere
        window.until(strip.isVisible)
        assert not strip.suspend_button.isEnabled()
        assert "Another program works on it" in strip.suspend_button.toolTip()
        assert not window.window.verbs.suspend.isEnabled()
        os.kill(process.pid, 0)
        process.communicate(timeout=TIMEOUT)
        assert process.returncode == 0


def test_a_log_out_suspends_and_asks_nothing(qtbot: QtBot, bench: Bench) -> None:
    window = running(qtbot, bench, wait_turn(2), wait_turn(2), LIST, DONE)
    asked = SIGNAL("commitDataRequest(QSessionManager&)")
    assert QApplication.instance().receivers(asked) == 1, "nobody hears of a log-out"
    window.window.close()
    window.button("closeLeave")
    window.shell.end_session()
    window.until(lambda: not window.window.findChildren(QMessageBox, "questionDialog"))
    assert "The session ends." in window.notice()
    wait_for_end(window, bench)
    assert end_of(bench) == "suspended"
    # Somebody else kept the session from ending: the window is as before, and asks again.
    assert window.window.isVisible()
    window.until(lambda: not window.window.running.controller.live_ids())
    window.until(lambda: window.status("r1") == "suspended")
    window.choose("r1", "actionResume")
    window.until(lambda: window.status("r1") == "running", "it never ran")
    window.window.close()
    window.press("closeSuspend")
    window.until(lambda: not window.window.isVisible(), "it never closed")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_window_told_to_end_asks_nothing(bench: Bench, number: signal.Signals) -> None:
    config = suspended_run(bench, [*waits(), DONE])
    with other_window(bench, config) as process:
        worker = held(bench)
        assert worker not in (0, process.pid)
        process.send_signal(number)
        assert process.wait(TIMEOUT) == 0, "it was killed, or waits for an answer"
        with open(f"/proc/{worker}/cmdline", "rb") as words:
            assert words.read(), "its worker went with it"
        bench.pantry.hurry()
        deadline = time.monotonic() + TIMEOUT
        while held(bench) and time.monotonic() < deadline:
            time.sleep(0.05)
    assert not held(bench)
    assert end_of(bench) == "suspended"


def test_a_session_that_ends_for_all_its_processes(bench: Bench) -> None:
    """A worker is told twice, by its pipe and by the system: that is no abort."""
    config = suspended_run(bench, [*waits(), DONE])
    with other_window(bench, config) as process:
        worker = held(bench)
        process.send_signal(signal.SIGTERM)
        os.kill(worker, signal.SIGTERM)
        assert process.wait(TIMEOUT) == 0
        bench.pantry.hurry()
        deadline = time.monotonic() + TIMEOUT
        while held(bench) and time.monotonic() < deadline:
            time.sleep(0.05)
    assert end_of(bench) == "suspended"
