# SPDX-License-Identifier: Apache-2.0
"""Stories about small windows, and about folders that go, come back, or are very full."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from benchmarks.corpora import journal
from tenuto.runs import ask as ask_file
from tenuto.runs.file import FileRunStore
from tenuto.settings import Settings, save
from tests.gui.driver import Driver, Open
from tests.support.store import end, make_run


def resize(window: Driver, width: int, height: int) -> None:
    """A size as look.md counts it."""
    scale = max(1.0, window.window.context.theme.fonts.line_height("body") / 18)
    window.window.resize(round(width * scale), round(height * scale))


def test_a_short_window_saves_lines(opened: Open) -> None:
    window = opened("one")
    main = window.window
    tall = main.detail.header.height()
    resize(window, 1200, 560)
    window.until(lambda: main.detail.header.height() < tall * 0.75)
    assert main.status.isAncestorOf(main.running.strip)
    resize(window, 1200, 800)
    window.until(lambda: main.detail.header.height() == tall)
    assert main.detail.isAncestorOf(main.running.strip)


def test_a_small_window_leaves_no_trace_in_a_large_one(opened: Open) -> None:
    window = opened("one")
    main = window.window
    resize(window, 1440, 900)
    widths = main.side.width(), main.list_pane.width()
    for width in (940, 800, 700, 800, 1440):
        resize(window, width, 900)
        if main.list_pane.isVisible() and main.detail.isVisible():
            assert main.detail.width() >= min(480, main.inner.width() - 1 - widths[1])
        if width == 940:
            window.until(lambda: main.list_pane.width() == widths[1])
    assert (main.side.width(), main.list_pane.width()) == widths
    resize(window, 800, 900)
    assert main.list_pane.width() < widths[1], "the session has the room"
    main.close()
    again = opened()
    resize(again, 1440, 900)
    assert again.window.list_pane.width() == widths[1]


@pytest.mark.parametrize("text_size", [100, 150, 200])
def test_what_stands_beside_the_tabs_is_on_their_line(opened: Open, text_size: int) -> None:
    save(Settings(text_size=text_size))
    detail = opened("one").window.detail
    tabs = detail.tabs.tabBar()
    words = tabs.mapTo(detail, tabs.tabRect(0).center()).y()
    shown = [each for each in detail.bar.findChildren(QToolButton) if each.isVisible()]
    assert len(shown) > 2
    for each in shown:
        # The bar below the chosen tab takes 2 pixels from the room of the words.
        assert words - 2 <= each.mapTo(detail, each.rect().center()).y() <= words


def test_tabs_and_buttons_are_whole_beside_a_list(opened: Open) -> None:
    window = opened("one")
    main = window.window
    window.click("one")
    for width in (1440, 1000, 790):
        resize(window, width, 800)
        tabs = main.detail.tabs.tabBar()
        main.detail.show_transcript()
        assert tabs.width() >= tabs.tabRect(tabs.count() - 1).right(), width
        main.detail.show_configuration()
        view = main.detail.configuration
        for button in (view.compare_button, view.choose_button, view.resume_button):
            assert button.width() >= button.sizeHint().width(), (width, button.text())


def test_a_run_that_waits_is_named_on_both_pages(opened: Open, folder: Path) -> None:
    store = FileRunStore(folder)
    make_run(store, "asks")
    with store.open("asks"):
        ask_file.write(folder, "asks", {"type": "ask", "id": "q", "kind": "confirm", "text": "Go?"})
        window = opened("rest", "other")
        main = window.window
        window.until(lambda: window.status("asks") == "waiting")
        assert not main.waiting.isVisible(), "there is room for the list"
        resize(window, 700, 700)
        window.until(main.waiting.isVisible)
        window.click("rest")
        QTest.keyClick(main.list, Qt.Key.Key_Return)
        window.until(lambda: not main.list_pane.isVisible())
        assert main.waiting.isVisible()
        assert "waits for you" in main.waiting.accessibleName()
        main.waiting.click()
        window.until(lambda: main.detail.session_id == "asks")
        assert not main.waiting.isVisible(), "it is what is shown"
        main.verbs.back.trigger()
        assert main.waiting.isVisible()
    window.until(lambda: not main.waiting.isVisible())


def test_pages_hand_the_keyboard_over(opened: Open, folder: Path) -> None:
    """Focus that falls where it may lands on the bar that leads to another session."""
    window = opened("one", "asks")
    main = window.window
    with FileRunStore(folder).open("asks"):
        ask_file.write(folder, "asks", {"id": "q", "kind": "confirm", "text": "Go on?"})
        window.until(lambda: window.status("asks") == "waiting")
        resize(window, 700, 700)
        window.click("one")
        main.list.setFocus(Qt.FocusReason.MouseFocusReason)
        window.until(main.waiting.isVisible)
        main.open_session("one")
        window.until(main.detail.transcript.isVisible)
        assert main.focusWidget() is main.detail.transcript
        before = main.waiting.grab().toImage()
        main.waiting.setFocus(Qt.FocusReason.TabFocusReason)
        assert main.waiting.grab().toImage() == before, "no key was pressed: no ring"
        main.detail.transcript.setFocus(Qt.FocusReason.OtherFocusReason)
        main.verbs.back.trigger()
        assert main.focusWidget() is main.list


def test_the_trash_in_a_narrow_window(opened: Open) -> None:
    window = opened("one")
    main = window.window
    resize(window, 700, 700)
    window.until(lambda: not main.side.isVisible())
    main.list_pane.header.folded.click()
    from PySide6.QtWidgets import QApplication

    from tests.gui.driver import menu_action

    menu = QApplication.activePopupWidget()
    menu_action(menu, "filterMenuTrash").trigger()
    menu.close()
    window.until(main.trash_view.isVisible)
    main.verbs.back.trigger()
    assert main.list.isVisible()


def test_a_folder_that_goes_and_comes_back(opened: Open, folder: Path) -> None:
    window = opened("one", "two")
    away = folder.with_name("away")
    folder.rename(away)
    window.until(lambda: window.window.pages.currentIndex() == 1)
    assert window.ids() == []
    away.rename(folder)
    window.until_listed("one", "two")
    shutil.rmtree(folder)
    window.until(lambda: window.ids() == [])
    folder.mkdir(mode=0o700)
    make_run(FileRunStore(folder), "three")
    window.until_listed("three")
    with FileRunStore(folder).open("three") as journal:
        journal.append(end())
    window.until(lambda: window.status("three") == "suspended")


@pytest.mark.slow
def test_ten_thousand_sessions(qtbot: QtBot, tmp_path: Path) -> None:
    """Generous limits: they tell a working list from a stuck one, not fast from slow machines."""
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    told = b"".join(journal("run-number", 3, 50))
    for number in range(10_000):
        name = f"run-{number:05d}"
        (folder / f"{name}.json").write_bytes(told.replace(b"run-number", name.encode()))
    start = time.monotonic()
    window = Driver(qtbot, folder)
    window.until(lambda: len(window.ids()) == 10_000)
    assert time.monotonic() - start < 20
    window.until_listed("run-00000", "run-09999")
    window.window.toolbar.filter_edit.setText("run-0999")
    assert len(window.ids()) == 10
    window.window.sessions.set_sort("name")
    window.window.toolbar.filter_edit.clear()
    make_run(FileRunStore(folder), "newest")
    window.until_listed("newest")
    QTest.keyClick(window.window.list, Qt.Key.Key_End)
    assert window.window.list.currentIndex().row() == 10_000
