# SPDX-License-Identifier: Apache-2.0
"""A vocabulary for stories about the window: open it, click, choose from menus, read."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QDialog,
    QMenu,
    QRadioButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tenuto_gui.app import build
from tenuto_gui.main_window import MainWindow
from tenuto_gui.sessions.model import Role

#: A limit for hangs, in milliseconds; nothing here measures speed.
PATIENCE = 60_000


class Driver:
    """One open window and what an operator does with it."""

    def __init__(self, qtbot: QtBot, folder: Path, *arguments: str) -> None:
        self.qtbot = qtbot
        self.folder = folder
        _app, window = build(["tenuto-gui", "--state-dir", str(folder), *arguments])
        assert window.shell is not None
        self.shell = window.shell
        qtbot.addWidget(window, before_close_func=end_runs)
        qtbot.waitExposed(window)

    @property
    def window(self) -> MainWindow:
        """The present window: some settings make another one in its place."""
        return self.shell.window

    def until_renewed(self, old: MainWindow) -> None:
        """Wait for the window that takes the place of this one."""
        self.until(lambda: self.window is not old, "the window was not made anew")
        self.qtbot.addWidget(self.window, before_close_func=end_runs)

    # --- what is seen --------------------------------------------------------------------------

    def until(self, condition: Callable[[], object], what: str = "") -> None:
        """Wait for something to be so."""

        def check() -> None:
            assert condition(), what or "it never came about"

        self.qtbot.waitUntil(check, timeout=PATIENCE)

    def ids(self) -> list[str]:
        """The ids in the list, from top to bottom."""
        model = self.window.sessions
        return [str(model.index(row).data(Role.ID)) for row in range(model.rowCount())]

    def status(self, session_id: str) -> str:
        summary = self.window.sessions.summary(session_id)
        return summary.status if summary else "gone"

    def until_listed(self, *ids: str) -> None:
        self.until(lambda: set(ids) <= set(self.ids()), f"not listed: {ids}, but {self.ids()}")
        self.until(
            lambda: all(self.status(each) != "pending" for each in ids), "previews never came"
        )

    def notice(self) -> str:
        """What the notice bar says; "" while it is hidden."""
        bar = self.window.notices
        return bar.accessibleName() if bar.isVisible() else ""

    # --- what is done --------------------------------------------------------------------------

    def click(self, session_id: str, *, keep: bool = False) -> None:
        """Click a row; with ``keep`` as Ctrl+click."""
        view, row = self.window.list, self.window.sessions.row_of(session_id)
        assert row >= 0, f"{session_id} is not in the list"
        index = self.window.sessions.index(row)
        view.scrollTo(index)
        modifier = Qt.KeyboardModifier.ControlModifier if keep else Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(
            view.viewport(),
            Qt.MouseButton.LeftButton,
            modifier,
            view.visualRect(index).center(),
        )

    def menu(self, session_id: str, *, select: bool = True) -> QMenu:
        """Right-click a row; the menu that opens."""
        if select:
            self.click(session_id)
        view, row = self.window.list, self.window.sessions.row_of(session_id)
        place = view.visualRect(self.window.sessions.index(row)).center()
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, place, view.viewport().mapToGlobal(place)
        )
        QApplication.sendEvent(view.viewport(), event)
        self.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "no menu opened")
        popup = QApplication.activePopupWidget()
        assert isinstance(popup, QMenu)
        return popup

    def choose(self, session_id: str, action: str) -> None:
        """Right-click a row and click an action, by object name."""
        menu = self.menu(session_id)
        found = menu_action(menu, action)
        assert found.isEnabled(), f"{action} is greyed: {reason(found)}"
        QTest.mouseClick(
            menu,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            menu.actionGeometry(found).center(),
        )

    def button(self, name: str) -> QAbstractButton:
        """A button of any window of ours by object name; waits until it can be clicked."""
        found: list[QAbstractButton] = []

        def there() -> bool:
            found[:] = [
                button
                for top in QApplication.topLevelWidgets()
                for button in top.findChildren(QAbstractButton, name)
                if button.isVisible() and button.window() is top
            ]
            return bool(found) and found[-1].isEnabled()

        self.until(there, f"no button {name}")
        return found[-1]

    def press(self, name: str) -> None:
        button = self.button(name)
        # A box and its words are not always as wide as the widget.
        box = isinstance(button, QCheckBox | QRadioButton)
        place = QPoint(8, button.height() // 2) if box else button.rect().center()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)

    def type(self, widget: QWidget, text: str) -> None:
        QTest.keyClicks(widget, text)

    def dialog(self, name: str) -> QDialog:
        """The visible dialog of this object name; waits until it is there."""
        found: list[QDialog] = []

        def there() -> bool:
            tops = QApplication.topLevelWidgets()
            found[:] = [
                each
                for each in tops
                if isinstance(each, QDialog) and each.isVisible() and each.objectName() == name
            ]
            return bool(found)

        self.until(there, f"no dialog {name}")
        return found[-1]

    def say(self, words: str) -> None:
        """Give the words that a dialog of ours asks for."""
        dialog = self.dialog("wordsDialog")
        field = dialog.findChild(QWidget, "wordsField")
        field.selectAll()
        if words:
            QTest.keyClicks(field, words)
        else:
            QTest.keyClick(field, Qt.Key.Key_Delete)
        self.press("wordsDone")
        self.until(lambda: not any(d.isVisible() for d in _words_dialogs()), "it stayed open")


#: Opens a window on suspended sessions of these ids (fixture `opened`).
Open = Callable[..., Driver]


def _words_dialogs() -> list[QWidget]:
    return [top for top in QApplication.topLevelWidgets() if top.objectName() == "wordsDialog"]


def end_runs(window: MainWindow) -> None:
    """After a failed story: a window with live runs would not close."""
    controller = window.running.controller
    for session_id in controller.live_ids():
        controller.abort(session_id)
    controller.wait(PATIENCE)
    QApplication.processEvents()


def menu_action(menu: QMenu, name: str) -> QAction:
    """An action of a menu by object name."""
    for action in menu.actions():
        if action.objectName() == name:
            return action
    raise AssertionError(f"{name} is not in the menu: {[a.objectName() for a in menu.actions()]}")


def reason(action: QAction) -> str:
    """The tooltip's words."""
    return re.sub(r"<[^>]+>", "", action.toolTip())


def close_popups() -> None:
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()


def corner(widget: QWidget) -> QPoint:
    return widget.mapToGlobal(QPoint(0, 0))


def holding_process(path: Path) -> list[str]:
    """Words of a process that takes a run's lock as fisk-ai does, says so, and waits for input."""
    code = (
        "import fcntl, os, sys\n"
        "fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)\n"
        "fcntl.flock(fd, fcntl.LOCK_EX)\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    return [sys.executable, "-c", code, os.fspath(path)]
