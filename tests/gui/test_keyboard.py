# SPDX-License-Identifier: Apache-2.0
"""The window with keys alone: Tab goes as the eye does, every part can be reached and left."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto.settings import Settings, save
from tenuto_gui.notice import Button, Notice
from tests.gui.driver import Driver
from tests.support.store import end, make_run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "runs"
    place.mkdir(mode=0o700)
    store = FileRunStore(place)
    for each in ("one", "two"):
        make_run(store, each)
        with store.open(each) as journal:
            journal.append(end())
    return place


@pytest.fixture
def window(qtbot: QtBot, folder: Path) -> Driver:
    driver = Driver(qtbot, folder)
    driver.until_listed("one", "two")
    driver.window.activateWindow()
    driver.window.list.setFocus(Qt.FocusReason.OtherFocusReason)
    return driver


def name(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QToolButton) else ""
    return widget.objectName() or widget.accessibleName() or text


def cycle(window: Driver, key: Qt.Key = Qt.Key.Key_Tab) -> list[str]:
    """What Tab comes to, from the list until it is at the list again."""
    start = window.window.focusWidget()
    seen = [name(start)]
    while True:
        QTest.keyClick(window.window.focusWidget(), key)
        if window.window.focusWidget() is start:
            return seen
        seen.append(name(window.window.focusWidget()))
        assert len(seen) < 60, f"it never comes back: {seen}"


def test_tab_goes_as_the_eye_does(window: Driver) -> None:
    order = cycle(window)
    wanted = ["sessionList", "qt_tabwidget_tabbar", "transcriptView", "filterEdit",
              "sessionFilters", "trashRow"]  # fmt: skip
    assert [each for each in order if each in wanted] == wanted
    assert order[-1] == "Order and groups", "the head of the list comes before the list"
    assert not [each for each in order if not each], "each has a name for those who hear it"


def test_backtab_goes_the_same_way_back(window: Driver) -> None:
    there = cycle(window)
    back = cycle(window, Qt.Key.Key_Backtab)
    assert back == [there[0], *reversed(there[1:])]


@pytest.mark.parametrize("place", range(4))
def test_no_tab_holds_the_keyboard(window: Driver, place: int) -> None:
    window.window.detail.tabs.setCurrentIndex(place)
    assert "sessionFilters" in cycle(window)


def test_a_notice_comes_between_the_tabs_and_what_they_show(window: Driver) -> None:
    pressed: list[str] = []
    buttons = (
        Button("Help", lambda: pressed.append("help"), name="first"),
        Button("Other", lambda: pressed.append("other"), name="second"),
    )
    for _again in range(2):  # its buttons are made anew
        window.window.notices.show_notice(Notice("failed", "It failed", "", buttons, details="x"))
    button = window.button("second")
    order = cycle(window)
    mine = ["first", "second", "noticeDetails", "Close this notice"]
    assert [each for each in order if each in mine] == mine
    assert order.index("qt_tabwidget_tabbar") < order.index("first")
    assert order.index("Close this notice") < order.index("transcriptView")
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert pressed == ["other"]


def test_from_the_list_to_a_transcript_and_through_its_views(window: Driver) -> None:
    main = window.window
    QTest.keyClick(main.list, Qt.Key.Key_Down)
    chosen = main.list.current_id()
    QTest.keyClick(main.list, Qt.Key.Key_Return)
    assert main.focusWidget() is main.detail.transcript
    views = {
        Qt.Key.Key_2: main.detail.configuration,
        Qt.Key.Key_4: main.detail.records,
        Qt.Key.Key_1: main.detail.transcript,
    }
    for key, view in views.items():
        QTest.keyClick(main.focusWidget(), key, Qt.KeyboardModifier.ControlModifier)
        assert main.detail.tabs.currentWidget() is view
    QTest.keyClick(main.focusWidget(), Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert main.focusWidget() is main.toolbar.filter_edit
    QTest.keyClick(main.focusWidget(), Qt.Key.Key_Down)
    assert main.focusWidget() is main.list
    assert main.list.current_id() == chosen


def test_delete_and_undo(window: Driver) -> None:
    QTest.keyClick(window.window.list, Qt.Key.Key_Delete)
    window.until(lambda: len(window.ids()) == 1)
    window.until(window.window.verbs.undo_delete.isEnabled)
    assert window.window.focusWidget() is window.window.list
    QTest.keyClick(window.window.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    window.until_listed("one", "two")


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_each_menu_has_a_letter_of_its_own(qtbot: QtBot, folder: Path, language: str) -> None:
    save(Settings(language=language))
    window = Driver(qtbot, folder)
    titles = [action.text() for action in window.window.menuBar().actions()]
    letters = [title[title.index("&") + 1].lower() for title in titles]
    assert len(set(letters)) == len(letters) == 5, titles
    assert all(letter.isascii() for letter in letters), "keys that keyboards have"


def test_a_menu_opens_by_its_letter_and_closes_by_escape(window: Driver) -> None:
    main = window.window
    QTest.keyClick(main, Qt.Key.Key_S, Qt.KeyboardModifier.AltModifier)
    window.until(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert menu.objectName() == "menuSession"
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    window.until(lambda: QApplication.activePopupWidget() is None)
