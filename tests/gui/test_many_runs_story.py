# SPDX-License-Identifier: Apache-2.0
"""Ten runs in one window, and one run in two windows."""

from __future__ import annotations

import json

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.e2e.bench import Bench
from tests.e2e.runs import waits
from tests.gui.driver import Driver
from tests.gui.working import DONE, REMOVE, press_late, rest, suspended_run

NAMES = [f"run-{number}" for number in range(10)]
CALL = ["stock", "remove", "--", "tea"]


def result(bench: Bench, name: str) -> str:
    """What the model was told of the call that was asked about."""
    told = [r["tool_result"]["result"] for r in bench.records(name) if "tool_result" in r]
    return str(told[-1]["content"])


def test_ten_runs_at_once_ask_in_turn_and_keep_apart(qtbot: QtBot, bench: Bench) -> None:
    config = bench.script([REMOVE, DONE])
    window = Driver(qtbot, bench.runs)
    controller = window.window.running.controller
    panel = window.window.running.panel
    asked: list[str] = []
    controller.run_event.connect(
        lambda run, event: asked.append(run) if type(event).__name__ == "Ask" else None
    )
    for name in NAMES:
        assert controller.start(name, str(config), f"Tidy up {name}")
    window.until(lambda: len(asked) == 10, "not all of them ask")
    window.until_listed(*NAMES)
    window.until(lambda: all(window.status(name) == "waiting" for name in NAMES))
    assert window.window.windowTitle() == "10 waiting for you \u2013 Tenuto"
    assert window.window.sessions.facet_counts()["waiting"] == 10
    # One of them is shown, and its own question with it; the others come oldest first.
    own = asked[-1]
    window.click(own)
    window.until(lambda: panel.question is not None and panel._shown.run_id == own)
    assert "10 of 10" in panel.words()
    press_late(window, "approveOnce")
    for rank, name in enumerate(asked[:-1]):
        window.until(lambda name=name: panel.is_asking and panel._shown.run_id == name)
        assert window.window.detail.session_id == own, "it was taken away from what it looked at"
        decision = ("approveOnce", "approveDeny", "approveRun")[rank % 3]
        press_late(window, decision)
    for name in NAMES:
        window.until(lambda name=name: window.status(name) == "completed", f"{name} never ended")
    rest(window)
    assert not panel.is_asking
    assert window.window.windowTitle() == "Tenuto"
    denied = {name for rank, name in enumerate(asked[:-1]) if rank % 3 == 1}
    for name in NAMES:
        assert bench.records(name)[0]["meta"]["prompt"] == f"Tidy up {name}"
        assert ("did not allow" in result(bench, name)) == (name in denied), name
    assert bench.pantry.calls().count(CALL) == 10 - len(denied)
    assert window.notice() == ""


def test_ten_runs_are_closed_with_one_question(qtbot: QtBot, bench: Bench) -> None:
    # No event tells when a worker has read that it shall suspend: it has many steps until it does.
    config = bench.script([*waits(), DONE])
    window = Driver(qtbot, bench.runs)
    controller = window.window.running.controller
    for name in NAMES:
        assert controller.start(name, str(config), "Tidy up")
    window.until(lambda: sum(call[0] == "wait" for call in bench.pantry.calls()) == 10)
    window.window.close()
    window.press("closeSuspend")
    bench.pantry.hurry()
    window.until(lambda: not window.window.isVisible(), "it never closed")
    for name in NAMES:
        assert bench.records(name)[-1]["terminal"]["reason"] == "suspended", name
        first, *steps, last = bench.kinds(name)
        assert (first, last) == ("meta", "terminal"), name
        assert steps == ["assistant", "tool_result"] * (len(steps) // 2), name


def test_one_run_in_two_windows(qtbot: QtBot, bench: Bench) -> None:
    """Each shows it; the one whose worker it is answers, and no call happens twice."""
    suspended_run(bench, [REMOVE, DONE])
    first, second = Driver(qtbot, bench.runs), Driver(qtbot, bench.runs)
    for window in (first, second):
        window.until_listed("r1")
    # A second window of one process is a test's own: menus are told apart by their window.
    first.click("r1")
    second.click("r1")
    first.window.verbs.resume.trigger()
    first.until(lambda: first.window.running.panel.is_asking, "it asks nobody")
    elsewhere = second.window.running.elsewhere
    second.until(elsewhere.isVisible, "the second window does not know")
    second.until(lambda: second.status("r1") == "waiting")
    assert "is answered where it runs" in elsewhere.accessibleName()
    assert not second.window.running.panel.isVisible()
    assert not second.window.verbs.resume.isEnabled()
    assert not second.window.verbs.abort.isEnabled()
    # Whoever insists is told by whom it is used, and the run goes on undisturbed.
    second.window.resume_flow.start("r1", str(bench.folder / "agent.yaml"))
    second.until(lambda: "Another process works on this run" in second.notice())
    rest(second)
    # Suspended from the other window: its question is withdrawn where it is asked.
    elsewhere.suspend_button.click()
    first.until(lambda: not first.window.running.panel.is_asking, "it still asks")
    assert "The run no longer asks. Nothing was allowed." in first.window.running.panel.words()
    rest(first)
    for window in (first, second):
        window.until(lambda window=window: window.status("r1") == "suspended")
    second.window.notices.clear()
    second.window.verbs.resume.trigger()
    second.until(lambda: second.window.running.panel.is_asking, "it does not go on there")
    first.until(first.window.running.elsewhere.isVisible)
    age = second.window.running.panel._age
    second.until(lambda: age.elapsed() > 700)
    allow = second.window.running.panel.findChild(object, "approveOnce")
    second.until(allow.isEnabled)
    allow.click()
    for window in (first, second):
        window.until(lambda window=window: window.status("r1") == "completed")
    rest(second)
    assert bench.pantry.calls().count(CALL) == 1
    assert json.loads(bench.runs.joinpath("r1.json").read_bytes().splitlines()[-1])["terminal"]
    assert QApplication.activeModalWidget() is None
