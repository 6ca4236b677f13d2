# SPDX-License-Identifier: Apache-2.0
"""New runs from the window: chosen, started, watched to the end; and what stands in their way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tenuto_gui.dialogs.new_run import MAX_PROMPT_BYTES, NewRunDialog
from tests.e2e.bench import Bench
from tests.e2e.runs import waits
from tests.gui.driver import Driver
from tests.gui.working import DONE, LIST, rest, suspended_run


def opened(window: Driver) -> NewRunDialog:
    """The dialog, as its action opens it."""
    act = window.window.verbs.new_run
    assert act.isEnabled()
    act.trigger()
    return shown(window)


def shown(window: Driver) -> NewRunDialog:
    dialogs: list[NewRunDialog] = []

    def there() -> bool:
        dialogs[:] = [d for d in window.window.findChildren(NewRunDialog) if d.isVisible()]
        return bool(dialogs)

    window.until(there, "no dialog")
    return dialogs[0]


def known(bench: Bench, turns: list[dict[str, Any]], **more: Any) -> Path:
    """A configuration that Tenuto has met."""
    config = bench.script(turns, **more)
    assert bench.tenuto("config", "check", str(config)).returncode == 0
    return config


def words(dialog: NewRunDialog) -> str:
    return dialog.said.text() if dialog.said.isVisible() else ""


def test_a_new_run_to_its_end(qtbot: QtBot, bench: Bench) -> None:
    config = known(bench, [LIST, DONE])
    window = Driver(qtbot, bench.runs)
    dialog = opened(window)
    assert dialog.draft().config == str(config), "the known configuration is not at hand"
    start = dialog.start_button
    assert not start.isEnabled()
    window.until(lambda: dialog.tools.count() > 0, "no tools")
    first = dialog.tools.item(0).text()
    assert first.startswith("stock_remove, asks first"), "what asks is not seen first"
    assert "Say what the agent is to do" in start.toolTip()
    QTest.keyClicks(dialog.prompt, "-- Tidy up, please")
    QTest.keyClick(dialog.prompt, Qt.Key.Key_Return)
    QTest.keyClicks(dialog.prompt, "all of it")
    dialog.name.setText("not a name")
    assert not start.isEnabled()
    dialog.name.setText("tidy-1")
    window.press("newRunStart")
    window.until(lambda: "tidy-1" in window.ids(), "it is not listed")
    window.until(lambda: window.window.detail.session_id == "tidy-1", "it is not shown")
    window.until(lambda: window.status("tidy-1") == "completed", "it never completed")
    rest(window)
    assert not window.window.findChildren(NewRunDialog)
    assert bench.records("tidy-1")[0]["meta"]["prompt"] == "-- Tidy up, please\nall of it"
    assert window.notice() == ""


def test_a_name_that_is_taken_loses_nothing_typed(qtbot: QtBot, bench: Bench) -> None:
    suspended_run(bench, [DONE])
    bench.pantry.hurry()
    before = bench.snapshot()["r1.json"]
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    dialog = opened(window)
    dialog.prompt.setPlainText("Tidy up")
    dialog.name.setText("r1")
    window.press("newRunStart")
    window.until(lambda: "The run was not started." in words(dialog), "no word of it")
    assert "r1" in words(dialog)
    assert dialog.prompt.toPlainText() == "Tidy up"
    assert bench.snapshot()["r1.json"] == before
    assert window.notice() == "", "said twice"
    dialog.name.setText("r2")
    window.press("newRunStart")
    window.until(lambda: window.status("r2") == "completed", "the second try did not go through")
    rest(window)


def test_a_configuration_that_cannot_be_used_says_why(qtbot: QtBot, bench: Bench) -> None:
    config = known(bench, [DONE])
    broken = bench.folder / "broken.yaml"
    broken.write_text("identity: pantry\nsystem_promt: x\n")
    window = Driver(qtbot, bench.runs)
    dialog = opened(window)
    dialog.prompt.setPlainText("Tidy up")
    dialog.set_config(str(broken))
    window.until(lambda: "system_promt" in words(dialog), "no problem is named")
    assert "Line 2" in words(dialog)
    assert not dialog.start_button.isEnabled()
    dialog.set_config(str(config))
    window.until(dialog.start_button.isEnabled)
    assert words(dialog) == ""
    dialog.prompt.setPlainText("x" * (MAX_PROMPT_BYTES + 1))
    assert not dialog.start_button.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    window.until(lambda: not window.window.findChildren(NewRunDialog))
    assert list(bench.runs.iterdir()) == []


def test_run_again_with_the_same_prompt(qtbot: QtBot, bench: Bench) -> None:
    long = "Tidy up. " + "And then look once more. " * 40
    config = known(bench, [DONE])
    done = bench.tenuto("run", long, "--config", str(config), "--checkpoint", "--name", "r1")
    assert done.returncode == 0
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionRunAgain")
    dialog = shown(window)
    window.until(lambda: dialog.draft().config == str(config))
    assert dialog.draft().prompt == long.strip()
    dialog.name.setText("r2")
    window.press("newRunStart")
    window.until(lambda: window.status("r2") == "completed", "it never completed")
    rest(window)


def test_a_chat_begins_and_waits_for_what_comes_next(qtbot: QtBot, bench: Bench) -> None:
    known(bench, [DONE, {"text": "You are welcome."}])
    window = Driver(qtbot, bench.runs)
    dialog = opened(window)
    dialog.prompt.setPlainText("Tidy up")
    dialog.chat.setChecked(True)
    dialog.name.setText("talk")
    window.press("newRunStart")
    chat = window.window.running.chat
    window.until(lambda: chat.isVisible() and chat.field.isEnabled(), "nowhere to type")
    QTest.keyClicks(chat.field, "thank you")
    QTest.keyClick(chat.field, Qt.Key.Key_Return)
    view = window.window.detail.transcript
    window.until(lambda: "You are welcome." in view.plain_text(), "no answer")
    window.window.close()
    window.press("closeSuspend")
    window.until(lambda: not window.window.isVisible(), "it never closed")
    assert bench.records("talk")[-1]["terminal"]["reason"] == "suspended"


def test_two_runs_at_once_each_with_its_own_state(qtbot: QtBot, bench: Bench) -> None:
    config = known(bench, [*waits(), DONE])
    window = Driver(qtbot, bench.runs)
    controller = window.window.running.controller
    for name in ("one", "two"):
        assert controller.start(name, str(config), f"Tidy up {name}")
    window.until_listed("one", "two")
    window.until(lambda: window.status("one") == window.status("two") == "running")
    strip = window.window.running.strip
    window.click("one")
    window.until(strip.isVisible)
    window.window.verbs.suspend.trigger()
    assert not strip.suspend_button.isEnabled()
    window.click("two")
    window.until(lambda: strip.isVisible() and strip.suspend_button.isEnabled())
    bench.pantry.hurry()
    window.until(lambda: window.status("one") == "suspended", "it never came to rest")
    window.until(lambda: window.status("two") == "completed", "it stopped with the other one")
    rest(window)


def test_the_folder_remembers_its_configuration(qtbot: QtBot, bench: Bench) -> None:
    """A run that no known configuration made is compared with the one used here last."""
    config = suspended_run(bench, [DONE])
    notes = bench.runs / "r1.notes.json"
    notes.write_text(json.dumps({"config": str(bench.folder / "gone.yaml")}))
    changed = json.loads(config.read_text())
    changed["system_prompt"] = "You keep another pantry."
    config.write_text(json.dumps(changed))
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResume")
    window.until(lambda: "No known configuration" in window.notice(), "nothing is offered")
    window.press("compareFolder")
    view = window.window.detail.configuration
    window.until(lambda: view.comparison is not None, "nothing was compared")
    assert view.config == str(config)


def test_a_new_run_begins_with_an_earlier_prompt(qtbot: QtBot, bench: Bench) -> None:
    """By its first words in a menu; all of it comes, and the fields behind it with it."""
    long = "Tidy up. " + "And then look once more. " * 40
    config = known(bench, [DONE])
    for name, prompt in (("r1", long), ("r2", "Count the shelves"), ("r3", "Count the shelves")):
        words = ("run", prompt, "--config", str(config), "--checkpoint", "--name", name)
        assert bench.tenuto(*words).returncode == 0
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1", "r2", "r3")
    dialog = opened(window)
    menu = dialog.recent_menu
    assert [action.text()[:8] for action in menu.actions()] == ["Count th", "Tidy up."]
    assert len(menu.actions()[1].text()) <= 60
    window.press("newRunRecent")
    window.until(menu.isVisible, "it does not open")
    place = menu.actionGeometry(menu.actions()[1]).center()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
    window.until(lambda: dialog.draft().prompt == long.strip(), "not all of it came")
    assert dialog.draft().config == str(config)
    window.until(dialog.start_button.isEnabled)
    dialog.close()


def test_nothing_earlier_is_offered_where_there_is_none(qtbot: QtBot, bench: Bench) -> None:
    known(bench, [DONE])
    window = Driver(qtbot, bench.runs)
    dialog = opened(window)
    assert not dialog.recent.isVisible()
    dialog.close()
