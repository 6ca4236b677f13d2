# SPDX-License-Identifier: Apache-2.0
"""What stands before a resume: a force in so many words, a budget used up, words still wanted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tenuto.runs import notes
from tenuto_gui.runs import deed
from tests.e2e.bench import Bench
from tests.e2e.runs import suspend_in_wait, wait_turn
from tests.gui.driver import Driver, menu_action, reason
from tests.gui.working import ADD, DONE, LIST, press_late, rest, suspended_run


def change(config: Path, **keys: Any) -> None:
    """Change keys of a configuration; a dict is merged."""
    found = json.loads(config.read_text())
    for key, value in keys.items():
        merged = isinstance(value, dict) and isinstance(found.get(key), dict)
        found[key] = {**found[key], **value} if merged else value
    config.write_text(json.dumps(found))


def panel_words(window: Driver) -> str:
    """What can be read in the panel, or scrolled to."""
    panel = window.window.resume_flow.force_panel
    if panel.isVisible():
        assert panel.list.height() > 2 * panel.fontMetrics().height(), "no room for the words"
    return "\n".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def confirm(window: Driver) -> None:
    panel = window.window.resume_flow.force_panel
    window.until(lambda: panel.isVisible() and panel.confirm.isEnabled(), "it cannot be confirmed")
    with pytest.MonkeyPatch.context() as patch:
        # However long the machine took to get here.
        patch.setattr(deed, "DEAD_TIME_MS", 3_600_000)
        window.press("confirmForce")
    assert panel.isVisible(), "a click that was on its way did it"
    window.until(lambda: panel.is_ripe)
    window.press("confirmForce")


def test_a_force_names_the_calls_whose_tools_are_gone(qtbot: QtBot, bench: Bench) -> None:
    config = suspended_run(bench, [LIST, LIST, ADD, wait_turn(), DONE])
    with bench.worker("resume", "r1", "--config", str(config)) as worker:
        suspend_in_wait(bench, worker)
    change(config, exclude={"tools": ["^stock_list$"]}, system_prompt="Another.")
    before = (bench.runs / "r1.json").read_bytes()
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResumeForce")
    panel = window.window.resume_flow.force_panel
    window.until(lambda: panel.isVisible() and panel.confirm.isEnabled(), "no panel")
    assert window.window.detail.tabs.currentWidget() is window.window.detail.configuration
    window.until(lambda: panel.list.height() >= panel.list.widget().height(), "it is cut")
    said = panel_words(window)
    assert "2 of 7 rows differ: System prompt, Tool set" in said
    assert "stock_list" in said
    assert "is gone; this run called it 2 times" in said
    assert "As they were: 2 other tools that it called" in said
    assert "reads the whole conversation anew" in said
    assert not panel.confirm.isDefault()
    assert not panel.confirm.autoDefault()
    QTest.keyClick(panel, Qt.Key.Key_Return)
    assert (bench.runs / "r1.json").read_bytes() == before, "it ran before it was confirmed"
    confirm(window)
    window.until(lambda: window.status("r1") == "completed", "it never completed")
    rest(window)
    assert not panel.isVisible()
    forced = notes.load(bench.runs, "r1").forced
    assert [row["field"] for row in forced[0].diff] == ["system_hash", "tools_hash"]


def test_a_budget_that_was_raised_keeps_the_cache(qtbot: QtBot, bench: Bench) -> None:
    config = suspended_run(bench, [LIST, DONE])
    change(config, llm={"budget": {"max_tokens": 400_000}})
    notes.add_forced(
        bench.runs, "r1", notes.Forced("2026-01-05T10:00:00Z", str(config), [{"field": "model"}])
    )
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResumeForce")
    panel = window.window.resume_flow.force_panel
    window.until(lambda: panel.isVisible() and panel.confirm.isEnabled(), "no panel")
    window.until(lambda: "rows differ" in panel_words(window))
    said = panel_words(window)
    assert "1 of 7 rows differ: Token budget" in said
    assert "What the model\u2019s side has cached stays of use" in said
    assert "Forced before, 5 Jan" in said
    assert "agent.yaml: Model" in said

    before = (bench.runs / "r1.json").read_bytes()
    window.press("leaveForce")
    assert not panel.isVisible()
    assert (bench.runs / "r1.json").read_bytes() == before


def test_nothing_is_forced_that_resumes_or_cannot(qtbot: QtBot, bench: Bench) -> None:
    config = suspended_run(bench, [DONE])
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    panel = window.window.resume_flow.force_panel
    window.choose("r1", "actionResumeForce")
    window.until(lambda: "Nothing needs to be forced" in panel_words(window))
    assert not panel.confirm.isEnabled()
    change(config, llm={"provider": "anthropic"})
    window.choose("r1", "actionResumeForce")
    window.until(lambda: "force does not help" in panel_words(window))
    assert not panel.confirm.isEnabled()


def test_a_budget_used_up_is_said_before_it_is_spent(qtbot: QtBot, bench: Bench) -> None:
    turns = [{**LIST, "usage": {"input": 900, "output": 200}}, DONE]
    config = bench.script(turns, budget={"max_tokens": 1000})
    words = ("run", "Tidy up", "--config", str(config), "--checkpoint", "--name", "r1")
    assert bench.tenuto(*words).returncode == 1
    before = (bench.runs / "r1.json").read_bytes()
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    assert window.status("r1") == "budget"
    window.choose("r1", "actionResume")
    window.until(lambda: "llm.budget.max_tokens" in window.notice(), "no key is named")
    assert "One more call of the model would end the run again." in window.notice()
    assert not window.window.running.controller.live_ids()
    assert (bench.runs / "r1.json").read_bytes() == before, "it spent something"
    change(config, llm={"budget": {"max_tokens": 50_000}})
    window.choose("r1", "actionResumeForce")
    confirm(window)
    window.until(lambda: window.status("r1") == "completed", "it never completed")
    rest(window)


def test_a_run_resumes_with_a_message(qtbot: QtBot, bench: Bench) -> None:
    suspended_run(bench, [LIST, DONE])
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResumeSay")
    panel = window.window.resume_flow.say_panel
    window.until(panel.isVisible, "nowhere to type")
    assert not panel.send.isEnabled()
    QTest.keyClicks(panel.field, "--force is no option of mine")
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    window.until(lambda: window.status("r1") == "completed", "it never completed")
    rest(window)
    assert not panel.isVisible()
    users = [r["user"] for r in bench.records("r1") if "user" in r]
    assert "--force is no option of mine" in json.dumps(users)


def test_a_run_that_rests_on_the_models_words_wants_some(qtbot: QtBot, bench: Bench) -> None:
    config = bench.script([{"text": "I would rather not.", "stop": "refusal"}, DONE])
    words = ("run", "Tidy up", "--config", str(config), "--checkpoint", "--name", "r1")
    bench.tenuto(*words)
    path = bench.runs / "r1.json"
    # Without its end, as a crash right after the reply leaves it.
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    before = path.read_bytes()
    window.choose("r1", "actionResume")
    panel = window.window.resume_flow.say_panel
    window.until(panel.isVisible, "nobody asks for words")
    rest(window)
    assert "The conversation ends with the model" in panel.sub.text()
    assert path.read_bytes() == before
    QTest.keyClicks(panel.field, "do it all the same")
    # What is typed stays while another session is looked at, and when the panel is left.
    window.press("leaveSay")
    assert not panel.isVisible()
    window.choose("r1", "actionResume")
    window.until(panel.isVisible)
    assert panel.field.toPlainText() == "do it all the same"
    rest(window)
    window.press("sayResume")
    window.until(lambda: window.status("r1") == "completed", "it never completed")
    rest(window)
    assert panel.field.toPlainText() == ""


def test_a_completed_run_says_what_can_be_done(qtbot: QtBot, bench: Bench) -> None:
    config = bench.script([DONE, {"text": "And the cellar, too."}])
    words = ("run", "Tidy up", "--config", str(config), "--checkpoint", "--name", "r1")
    assert bench.tenuto(*words).returncode == 0
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    menu = window.menu("r1")
    assert "fork it to go on with another prompt" in reason(menu_action(menu, "actionResume"))
    menu.close()
    window.window.resume_flow.start("r1", str(config))
    window.until(lambda: "This run is completed" in window.notice(), "no refusal")
    rest(window)
    window.press("noticeFork")
    window.press("wordsDone")
    window.press("forkSay")
    panel = window.window.resume_flow.say_panel
    window.until(panel.isVisible, "nowhere to type")
    forked = panel.session_id
    QTest.keyClicks(panel.field, "now the cellar")
    window.press("sayResume")
    window.until(lambda: window.status(forked) == "completed", "the fork never completed")
    rest(window)


def test_a_run_in_use_says_by_whom(qtbot: QtBot, bench: Bench) -> None:
    config = suspended_run(bench, [wait_turn(), DONE])
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.click("r1")
    with bench.worker("resume", "r1", "--config", str(config)) as worker:
        worker.until("tool_start")
        window.window.resume_flow.start("r1", str(config))
        window.until(lambda: "Another process works on this run" in window.notice())
        assert str(worker.process.pid) in window.notice()
        rest(window)
        worker.send(type="suspend")
        worker.keep_up()
        bench.pantry.hurry()
        assert worker.wait() == 0
    window.press("noticeAgain")
    window.until(lambda: window.status("r1") == "completed", "it does not go on")
    rest(window)
    assert window.notice() == ""


def test_the_command_that_may_have_run_is_asked_about_again(qtbot: QtBot, bench: Bench) -> None:
    config = bench.script([ADD, DONE])
    words = ("run", "Tidy up", "--config", str(config), "--checkpoint", "--name", "r1")
    assert bench.tenuto(*words).returncode == 0
    path = bench.runs / "r1.json"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResume")
    window.until(window.window.running.panel.isVisible, "no question")
    press_late(window, "outcome_stop")
    rest(window)
    window.press("noticeAgain")
    window.until(window.window.running.panel.isVisible, "it is not asked again")
    press_late(window, "outcome_skip")
    window.until(lambda: window.status("r1") == "completed", "it never completed")
    rest(window)
