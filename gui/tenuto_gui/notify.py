# SPDX-License-Identifier: Apache-2.0
"""A word on the desktop when a run ends or asks while nobody looks at the window.

It says which session and what became of it, never what the session is about to do: questions,
commands and outputs may hold secrets, and notifications are seen by whoever passes the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from tenuto.sources.base import SessionSummary
from tenuto.text import headline
from tenuto_gui import icons
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.sessions.words import mark_of

if TYPE_CHECKING:
    from tenuto_gui.notify_program import ProgramMessages

#: Milliseconds that a message asks to stay.
_STAY_MS = 10_000
_TITLE = 80
_AT_WORK = ("running", "waiting")


def headline_of(before: SessionSummary, after: SessionSummary) -> str:
    """What became of a session in a few words; "" where that is nothing to call for."""
    if after.status == before.status or before.status not in _AT_WORK:
        return ""
    return {
        "waiting": translate("notify", "A session waits for you"),
        "completed": translate("notify", "A session is completed"),
        "suspended": translate("notify", "A session is suspended"),
        "failed": translate("notify", "A session failed"),
        "budget": translate("notify", "A session used up its token budget"),
        "max_iterations": translate("notify", "A session reached its iteration limit"),
        "interrupted": translate("notify", "A session was interrupted"),
        "unknown": translate("notify", "A session was interrupted; one command may have run"),
        "damaged": translate("notify", "A session is damaged"),
    }.get(mark_of(after), "")


class Notifier(QObject):
    """Says it through the tray where there is one, else by the desktop's own programs.

    The window calls for attention besides.
    """

    #: The message about this session was clicked.
    opened = Signal(str)
    #: (title, text) of each message, however it was shown.
    told = Signal(str, str)

    def __init__(self, context: AppContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._tray: QSystemTrayIcon | None = None
        self._programs: ProgramMessages | None = None
        self._about = ""
        #: Sessions that were at work, and whose end is still to be read.
        self._unread: dict[str, SessionSummary] = {}

    def watch(self, before: SessionSummary, after: SessionSummary) -> None:
        """A session changed: tell it if it should be told."""
        if after.status == "pending":
            # What became of it is known when its journal was read.
            if before.status in _AT_WORK:
                self._unread[after.id] = before
            return
        before = self._unread.pop(after.id, before)
        if not self._context.settings.notifications or self._window.isActiveWindow():
            return
        title = headline_of(before, after)
        if not title:
            return
        text = self._without_secrets(after.title or after.id)
        self._about = after.id
        tray = self._ready_tray()
        if tray is not None:
            tray.show()
            icon = icons.app_icon()
            tray.showMessage(title, text, icon, _STAY_MS)
        else:
            self._show_without_tray(title, text, after.id)
        QApplication.alert(self._window)
        self.told.emit(title, text)

    def _show_without_tray(self, title: str, text: str, session_id: str) -> None:
        if self._programs is None:
            from tenuto_gui.notify_program import ProgramMessages

            self._programs = ProgramMessages(self)
        self._programs.show(
            title,
            text,
            translate("notify", "Open"),
            _STAY_MS,
            lambda: self.opened.emit(session_id),
        )

    @staticmethod
    def _without_secrets(text: str) -> str:
        from tenuto.redact import Redactor

        return headline(Redactor().text(text), _TITLE)

    def _ready_tray(self) -> QSystemTrayIcon | None:
        if self._tray is None:
            known = QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()
            if not known:
                return None
            self._tray = QSystemTrayIcon(icons.app_icon(), self)
            self._tray.setToolTip("Tenuto")
            self._tray.messageClicked.connect(self._on_clicked)
            self._tray.activated.connect(self._on_clicked)
        return self._tray

    def _on_clicked(self) -> None:
        self.seen()
        self.opened.emit(self._about)

    def seen(self) -> None:
        """The window came to the front: nothing is left to tell."""
        if self._tray is not None:
            self._tray.hide()
        if self._programs is not None:
            self._programs.clear()
