# SPDX-License-Identifier: Apache-2.0
"""Stories about the settings: each is in force at once and kept at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto.settings import Settings, load, save
from tenuto_gui.style import TenutoStyle
from tests.gui.driver import Driver, Open
from tests.support import reasonix
from tests.support.store import make_run, suspended_runs


@pytest.fixture
def opened(qtbot: QtBot, folder: Path) -> Open:
    def open_window(*ids: str) -> Driver:
        suspended_runs(FileRunStore(folder), *(each for each in ids if "/" not in each))
        window = Driver(qtbot, folder)
        window.until_listed(*ids)
        window.window.verbs.settings.trigger()
        return window

    return open_window


def choose(window: Driver, name: str, value: object) -> None:
    box = window.dialog("settingsDialog").findChild(QComboBox, f"setting-{name}")
    place = box.findData(value)
    box.setCurrentIndex(place)
    box.activated.emit(place)


def test_colours_and_switches(opened: Open) -> None:
    window = opened("one")
    choose(window, "theme", "dark")
    assert window.window.context.theme.scheme == "dark"
    assert load().settings.theme == "dark"
    window.press("setting-notifications")
    window.press("setting-redact_exports")
    window.press("setting-reduced_motion")
    assert load().settings == Settings(
        theme="dark", notifications=False, redact_exports=False, reduced_motion=True
    )
    window.press("setting-system_style")
    assert not isinstance(QApplication.style(), TenutoStyle)
    window.press("setting-system_style")
    assert isinstance(QApplication.style(), TenutoStyle)
    window.window.verbs.settings.trigger()
    assert (
        len([w for w in QApplication.topLevelWidgets() if w.objectName() == "settingsDialog"]) == 1
    )


def test_it_shows_what_was_changed_by_a_key(opened: Open) -> None:
    window = opened("one")
    box = window.dialog("settingsDialog").findChild(QComboBox, "setting-theme")
    window.window.verbs.theme.trigger()
    assert box.currentData() == load().settings.theme == "dark"
    window.window.verbs.theme.trigger()
    assert box.currentData() == load().settings.theme == "system"


def test_another_language(opened: Open) -> None:
    window = opened("one", "two")
    window.click("one")
    window.window.toolbar.filter_edit.setText("count")
    old = window.window
    choose(window, "language", "zh_CN")
    window.until_renewed(old)
    new = window.window
    assert new.verbs.resume.text() == "\u7ee7\u7eed"
    window.until(lambda: sorted(window.ids()) == ["one", "two"])
    window.until(lambda: new.detail.session_id == "one")
    assert new.toolbar.filter_edit.text() == "count", "the operator is where he was"
    assert "2 / 2 \u4e2a\u4f1a\u8bdd" in new.status.counts.text()
    assert window.dialog("settingsDialog").windowTitle() == "\u8bbe\u7f6e"
    assert not old.isVisible()
    choose(window, "language", "en")
    window.until_renewed(new)
    assert window.window.verbs.resume.text() == "Resume"
    assert load().settings == Settings(language="en")


def test_larger_text(opened: Open) -> None:
    window = opened("one")
    old, before = window.window, window.window.context.theme.fonts.line_height("body")
    choose(window, "text_size", 200)
    window.until_renewed(old)
    fonts = window.window.context.theme.fonts
    assert fonts.line_height("body") > before * 1.7
    window.until_listed("one")
    assert window.window.list.rowHeight(0) >= 60
    window.window.close()
    QApplication.processEvents()
    assert QApplication.font().pointSizeF() == pytest.approx(fonts.point_size() / 2, rel=0.01)


def test_another_runs_folder(opened: Open, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir(mode=0o700)
    make_run(FileRunStore(other), "there")
    window = opened("one")
    field = window.dialog("settingsDialog").findChild(QLineEdit, "setting-runs_dir")
    window.type(field, "relative/path")
    QTest.keyClick(field, Qt.Key.Key_Return)
    problem = window.dialog("settingsDialog").problem
    assert problem.isVisible()
    assert load().settings.runs_dir == ""
    field.setText(str(other))
    field.editingFinished.emit()
    window.until(lambda: window.ids() == ["there"])
    assert load().settings.runs_dir == str(other)
    assert not problem.isVisible()


def test_another_folder_of_reasonix_sessions(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, chosen = tmp_path / "named", tmp_path / "chosen"
    for folder, day in ((named, "01"), (chosen, "02")):
        (folder / "sessions").mkdir(parents=True)
        reasonix.write(folder / "sessions" / f"202606{day}-101010.000000001-m.jsonl")
    monkeypatch.setenv("REASONIX_STATE_HOME", str(named))
    first, second = (f"sessions/202606{day}-101010.000000001-m" for day in ("01", "02"))
    window = opened("one", first)
    field = window.dialog("settingsDialog").findChild(QLineEdit, "setting-reasonix_dir")
    assert field.placeholderText() == str(named), "what is meant by no words"
    field.setText(str(chosen))
    field.editingFinished.emit()
    window.until(lambda: set(window.ids()) == {"one", second}, "it is in force at once")
    assert load().settings == Settings(reasonix_dir=str(chosen))
    window.click(second)
    window.until(lambda: window.window.detail.session_id == second)
    field.clear()
    field.editingFinished.emit()
    window.until(lambda: set(window.ids()) == {"one", first})


def test_a_folder_that_is_not_there_is_kept_and_said(opened: Open, tmp_path: Path) -> None:
    window = opened("one")
    dialog = window.dialog("settingsDialog")
    field = dialog.findChild(QLineEdit, "setting-reasonix_dir")
    field.setText(str(tmp_path / "later"))
    field.editingFinished.emit()
    assert str(tmp_path / "later") in dialog.problem.text()
    assert load().settings.reasonix_dir == str(tmp_path / "later")
    field.clear()
    field.editingFinished.emit()
    assert not dialog.problem.isVisible()


@pytest.mark.parametrize("name", ["runs_dir", "reasonix_dir"])
def test_a_folder_can_be_chosen_instead_of_typed(opened: Open, tmp_path: Path, name: str) -> None:
    window = opened("one")
    window.press(f"choose-{name}")
    words = {"runs_dir": "chooseRunsFolder", "reasonix_dir": "chooseReasonixFolder"}
    dialog = window.dialog(words[name])
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(tmp_path))
    dialog.close()
    assert getattr(load().settings, name) == str(tmp_path)


def test_a_settings_file_that_cannot_be_replaced(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened("one")

    def refuse(*_words: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tenuto.settings.os.replace", refuse)
    choose(window, "theme", "dark")
    assert window.window.context.theme.scheme == "dark"
    problem = window.dialog("settingsDialog").problem
    assert problem.isVisible()
    assert "No space left" in problem.text()


def test_settings_are_in_force_from_the_start(qtbot: QtBot, folder: Path) -> None:
    save(Settings(language="zh_CN", text_size=150, theme="dark"))
    window = Driver(qtbot, folder)
    assert window.window.verbs.quit.text() == "\u9000\u51fa"
    assert window.window.context.theme.scheme == "dark"
    assert window.window.context.theme.fonts.scale > 1.3
