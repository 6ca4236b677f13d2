# SPDX-License-Identifier: Apache-2.0
"""The main job by right-click: resume to the end, be refused and force, answer, suspend, close."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tenuto_gui.runs import approval
from tests.e2e.bench import Bench
from tests.e2e.runs import waits
from tests.gui.driver import Driver, menu_action
from tests.gui.working import DONE, LIST, REMOVE, press_late, suspended_run


def test_resume_to_the_end(qtbot: QtBot, bench: Bench) -> None:
    suspended_run(bench, [LIST, DONE])
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    assert window.status("r1") == "suspended"
    window.choose("r1", "actionResume")
    window.until(lambda: window.status("r1") == "completed", "it never completed")
    window.until(lambda: "The pantry is tidy." in window.window.detail.transcript.plain_text())
    window.until(lambda: not window.window.running.controller.live_ids())
    assert window.notice() == ""
    assert bench.kinds("r1")[-1] == "terminal"


def test_a_changed_configuration_is_refused_shown_and_forced(qtbot: QtBot, bench: Bench) -> None:
    config = suspended_run(bench, [LIST, DONE], budget={"max_tokens": 200_000})
    changed = json.loads(config.read_text())
    changed["system_prompt"] = "You keep another pantry."
    changed["llm"]["budget"]["max_tokens"] = 400_000
    config.write_text(json.dumps(changed))
    before = (bench.runs / "r1.json").read_bytes()
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResume")
    window.until(lambda: "The configuration differs" in window.notice(), "no refusal")
    assert "System prompt, Token budget 200,000 \u2192 400,000. Nothing" in window.notice()
    window.until(lambda: not window.window.running.controller.live_ids())
    assert (bench.runs / "r1.json").read_bytes() == before
    window.press("showChanged")
    tabs = window.window.detail.tabs
    assert tabs.currentWidget() is window.window.detail.configuration
    view = window.window.detail.configuration
    window.until(lambda: view.comparison is not None, "nothing was compared")
    assert view.comparison is not None
    assert window.notice() == "", "what the comparison says is said twice"
    window.choose("r1", "actionResumeForce")
    confirm = window.button("confirmForce")
    assert confirm.text() == "Continue with today\u2019s configuration"
    assert not confirm.isDefault()
    assert not confirm.autoDefault()
    assert (bench.runs / "r1.json").read_bytes() == before, "asked before it was confirmed"
    window.until(lambda: window.window.resume_flow.force_panel.is_ripe)
    window.press("confirmForce")
    window.until(lambda: window.status("r1") == "completed", "it never completed")
    window.until(lambda: not window.window.running.controller.live_ids())


def test_suspend_from_the_menu(qtbot: QtBot, bench: Bench) -> None:
    suspended_run(bench, [*waits(), DONE])
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResume")
    window.until(lambda: window.status("r1") == "running", "it never ran")
    menu = window.menu("r1")
    assert not menu_action(menu, "actionDelete").isEnabled()
    assert menu_action(menu, "actionSuspend").isEnabled()
    assert menu_action(menu, "actionAbort").isEnabled()
    menu.close()
    window.choose("r1", "actionSuspend")
    bench.pantry.hurry()
    window.until(lambda: window.status("r1") == "suspended", "it never came to rest")
    window.until(lambda: not window.window.running.controller.live_ids())


def test_a_question_is_asked_in_the_window(
    qtbot: QtBot, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    suspended_run(bench, [REMOVE, DONE])
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResume")
    window.until(lambda: window.status("r1") == "waiting", "it never asked")
    window.until(window.window.running.panel.isVisible, "the question is nowhere")
    assert QApplication.activeModalWidget() is None
    panel = window.window.running.panel
    with monkeypatch.context() as patch:
        # However long the machine took to get here.
        patch.setattr(approval, "DEAD_TIME_MS", 3_600_000)
        window.press("approveOnce")
    assert panel.isVisible(), "a click that was on its way when the panel opened was an answer"
    press_late(window, "approveOnce")
    window.until(lambda: window.status("r1") == "completed", "it never completed")
    window.until(lambda: not window.window.running.controller.live_ids())
    assert ["stock", "remove", "--", "tea"] in bench.pantry.calls()


def test_a_run_without_a_known_configuration_asks_for_one(qtbot: QtBot, bench: Bench) -> None:
    config = suspended_run(bench, [LIST, DONE])
    (bench.runs / "r1.notes.json").unlink()
    for name in ("known_configs.json", "folder_configs.json"):
        for known in Path.home().rglob(name):
            known.unlink()
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResume")
    window.until(lambda: window.window.findChildren(QFileDialog), "no question")
    dialog = window.window.findChildren(QFileDialog)[0]
    assert dialog.isVisible()
    dialog.fileSelected.emit(str(config))
    dialog.reject()
    window.until(lambda: window.status("r1") == "completed", "it never completed")
    window.until(lambda: not window.window.running.controller.live_ids())


def test_closing_lets_a_run_come_to_rest(qtbot: QtBot, bench: Bench) -> None:
    suspended_run(bench, [*waits(), DONE])
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResume")
    window.until(lambda: window.status("r1") == "running", "it never ran")
    window.window.close()
    assert window.window.isVisible(), "it left while a run was at work"
    window.press("closeSuspend")
    bench.pantry.hurry()
    window.until(lambda: not window.window.isVisible(), "it never closed")
    assert bench.records("r1")[-1]["terminal"]["reason"] == "suspended"
