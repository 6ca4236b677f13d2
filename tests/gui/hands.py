# SPDX-License-Identifier: Apache-2.0
"""Two operators: one has nothing but a mouse, one nothing but a keyboard.

Neither calls anything of the window: the mouse sends clicks to what is seen where it is seen, the
keyboard sends keys to the window in front and goes on from wherever the focus is.
"""

from __future__ import annotations

from typing import Protocol

import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget

from tests.gui.driver import Driver, menu_action

#: More steps of Tab than any window has places for the focus.
_MOST_TABS = 300


class Hands(Protocol):
    """What an operator does, whatever with."""

    def select(self, session_id: str) -> None:
        """Make a session the one that is shown."""

    def verb(self, session_id: str, action: str) -> None:
        """Do something with a session; it is selected first."""

    def global_verb(self, action: str) -> None:
        """Do something that no session is needed for."""

    def press(self, button: str) -> None:
        """Press a button that can be seen, by object name."""

    def answer(self, button: str) -> None:
        """Press an answer of the panel, once it takes one."""

    def write(self, field: QWidget, text: str) -> None:
        """Bring words into a field."""


def _ripe(window: Driver) -> None:
    """Until the panel takes answers: the dead time is over and the command was seen."""
    panel = window.window.running.panel
    window.until(lambda: panel.is_asking and panel._age.elapsed() > 700, "nothing is asked")


class Mouse:
    """Clicks only. Words come from the clipboard, by the menu of the field."""

    def __init__(self, window: Driver) -> None:
        self._window = window

    def select(self, session_id: str) -> None:
        self._window.click(session_id)

    def verb(self, session_id: str, action: str) -> None:
        self._window.choose(session_id, action)

    def global_verb(self, action: str) -> None:
        bar = self._window.window.menuBar()
        for menu in bar.findChildren(QMenu):
            if action in [each.objectName() for each in menu.actions()]:
                place = bar.actionGeometry(menu.menuAction()).center()
                QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place)
                self._window.until(menu.isVisible, "the menu does not open")
                self._click_in(menu, menu_action(menu, action))
                return
        raise AssertionError(f"{action} is in no menu")

    def press(self, button: str) -> None:
        self._window.press(button)

    def answer(self, button: str) -> None:
        _ripe(self._window)
        self._window.press(button)

    def write(self, field: QWidget, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        target = getattr(field, "viewport", lambda: field)()
        place = target.rect().center()
        QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=place)
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(target, QContextMenuEvent(reason, place, target.mapToGlobal(place)))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu), "the field has no menu"
        self._click_in(menu, menu_action(menu, "edit-paste"))

    @staticmethod
    def _click_in(menu: QMenu, action: QAction) -> None:
        assert action.isEnabled(), action.toolTip()
        place: QPoint = menu.actionGeometry(action).center()
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)


class Keys:
    """Keys only, sent to the window in front."""

    def __init__(self, window: Driver) -> None:
        self._window = window

    def _front(self) -> QWidget:
        """The widget with the focus, of the window in front."""
        tops = [top for top in QApplication.topLevelWidgets() if shiboken6.isValid(top)]
        dialogs = [top for top in tops if isinstance(top, QDialog) and top.isVisible()]
        front = dialogs[-1] if dialogs else self._window.window
        if QApplication.activeWindow() is not front:
            # What a desktop does by itself: a dialog that opens comes to the front, and when it
            # closes the window behind it.
            front.activateWindow()
            self._window.until(lambda: QApplication.activeWindow() is front)
        return QApplication.focusWidget() or front

    def key(self, key: Qt.Key) -> None:
        """One key, to whoever has the focus."""
        QTest.keyClick(self._front(), key)

    def keys(self, keys: QKeySequence) -> None:
        """A shortcut, as the map of keys names it."""
        QTest.keySequence(self._front(), keys)

    def select(self, session_id: str) -> None:
        """By the filter: its field, the id, down into the list, and the filter away again."""
        window = self._window.window
        self.keys(QKeySequence("Ctrl+K"))
        self._window.until(window.toolbar.filter_edit.hasFocus, "no way to the filter")
        QTest.keyClicks(self._front(), session_id)
        self.key(Qt.Key.Key_Down)
        self._window.until(window.list.hasFocus, "no way to the list")
        self.key(Qt.Key.Key_Home)
        while window.list.current_id() != session_id:
            row = window.list.currentIndex().row()
            self.key(Qt.Key.Key_Down)
            assert window.list.currentIndex().row() == row + 1, f"{session_id} is not there"
        self.keys(QKeySequence("Ctrl+Shift+A"))
        assert window.list.current_id() == session_id

    def verb(self, session_id: str, action: str) -> None:
        self.select(session_id)
        self.global_verb(action)

    def global_verb(self, action: str) -> None:
        found = self._window.window.findChild(QAction, action)
        assert found is not None
        assert found.isEnabled(), found.toolTip()
        assert not found.shortcut().isEmpty(), f"{action} has no key"
        self.keys(found.shortcut())

    def press(self, button: str) -> None:
        target = self._window.button(button)
        self._walk_to(target)
        self.key(Qt.Key.Key_Space)

    def answer(self, button: str) -> None:
        _ripe(self._window)
        self.keys(QKeySequence("F6"))
        target = self._window.button(button)
        assert self._window.window.running.panel.isAncestorOf(self._front()), "F6 leads elsewhere"
        self._walk_to(target)
        self.key(Qt.Key.Key_Return)
        assert self._window.window.running.panel.is_asking, "Enter was an answer"
        self.key(Qt.Key.Key_Space)

    def write(self, field: QWidget, text: str) -> None:
        self._walk_to(field)
        QTest.keyClicks(self._front(), text)

    def _walk_to(self, target: QWidget) -> None:
        """By Tab, as far as it takes."""
        way = []
        for _step in range(_MOST_TABS):
            if target.hasFocus():
                return
            self.key(Qt.Key.Key_Tab)
            now = QApplication.focusWidget()
            way.append(now.objectName() or type(now).__name__ if now is not None else "nowhere")
        raise AssertionError(f"Tab does not reach {target.objectName()}: {way[:60]}")
