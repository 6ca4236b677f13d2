# SPDX-License-Identifier: Apache-2.0
"""The panel of keys: it shows those of the menus and those of the views."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto_gui.key_map import view_keys
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


def labels(window: Driver) -> list[str]:
    return [label.text() for label in window.window.key_map.findChildren(QLabel)]


def test_the_keys_of_the_views_are_shown(window: Driver) -> None:
    shown = labels(window)
    for keys, text in (
        ("F8", "Next error"),
        ("Shift+F8", "Previous error"),
        ("F3", "Find next"),
        ("Shift+F3", "Find previous"),
        ("Ctrl+A", "Select all"),
        ("PgUp", "A page up"),
        ("PgDown", "A page down"),
    ):
        native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
        assert native
        assert shown[shown.index(text) + 1] == native


def test_the_keys_of_the_verbs_are_shown(window: Driver) -> None:
    shown = labels(window)
    act = window.window.verbs
    for action in (act.suspend, act.fork, act.terminal, act.copy_command, act.reveal):
        native = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        assert native
        assert shown[shown.index(action.text().rstrip("\u2026")) + 1] == native


def test_no_verb_takes_a_key_of_a_view(window: Driver) -> None:
    of_verbs = {key.toString() for action in window.window.verbs for key in action.shortcuts()}
    of_views = {QKeySequence(keys).toString() for _, rows in view_keys() for keys, _ in rows}
    assert of_verbs & of_views == set()
