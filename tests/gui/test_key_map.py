# SPDX-License-Identifier: Apache-2.0
"""The panel of keys: it shows those of the menus and those of the views."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto_gui.key_map import shares, view_keys
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


@pytest.mark.parametrize(
    ("heights", "columns", "wanted"),
    [
        ([5, 5, 5], 3, [1, 1, 1]),
        ([9, 1, 1, 1], 2, [1, 3]),
        ([1, 1, 1, 9], 2, [3, 1]),
        ([4, 4], 5, [1, 1]),
        ([7], 3, [1]),
        ([3, 3, 3, 3], 1, [4]),
    ],
)
def test_columns_are_as_even_as_their_order_lets_them(
    heights: list[int], columns: int, wanted: list[int]
) -> None:
    assert shares(heights, columns) == wanted


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1000, 700), (700, 600)])
def test_the_panel_is_within_the_window_and_nothing_in_it_is_cut(
    window: Driver, width: int, height: int
) -> None:
    main = window.window
    main.resize(width, height)
    main.toggle_keys()
    panel = main.key_map
    window.until(panel.isVisible)
    window.until(lambda: main.rect().contains(panel.geometry()))
    for label in panel.findChildren(QLabel):
        assert label.width() >= label.sizeHint().width(), label.text()
    main.resize(width - 200, height)
    window.until(lambda: main.rect().contains(panel.geometry()), "it follows the window")
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert not panel.isVisible()


def test_all_keys_are_seen_at_once_in_a_large_window(window: Driver) -> None:
    window.window.resize(1440, 900)
    window.window.toggle_keys()
    bar = window.window.key_map.findChild(QScrollArea).verticalScrollBar()
    window.until(lambda: window.window.key_map.isVisible() and bar.maximum() == 0)


def test_titles_have_no_letters_of_menus(qtbot: QtBot, window: Driver) -> None:
    old = window.window
    window.window.context.preferences.change(language="zh_CN")
    window.until_renewed(old)
    titles = [text for text in labels(window) if "(" in text or "&" in text]
    assert titles == []
    assert "\u4f1a\u8bdd" in labels(window)


def test_no_verb_takes_a_key_of_a_view(window: Driver) -> None:
    of_verbs = {key.toString() for action in window.window.verbs for key in action.shortcuts()}
    of_views = {QKeySequence(keys).toString() for _, rows in view_keys() for keys, _ in rows}
    assert of_verbs & of_views == set()
