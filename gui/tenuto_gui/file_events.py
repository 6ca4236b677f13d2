# SPDX-License-Identifier: Apache-2.0
"""What a system asks a running app to open (macOS), and who the app is to the system (Windows).

macOS passes a double-clicked file as an event, to a start as well: it may come before there is a
window. Everywhere else files come as arguments (`app.request_of`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

#: Under this name Windows groups the windows and finds the pinned shortcut (packaging/windows).
APP_USER_MODEL_ID = "Tenuto.Tenuto"


def system_asks(system: str = sys.platform) -> bool:
    """Whether this system sends such events.

    Elsewhere a filter on the application would see every event of every widget for nothing.
    """
    return system == "darwin"


class FileEvents(QObject):
    """Keeps what is asked for until somebody takes it. One per application."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._take: Callable[[str], None] | None = None
        self._waiting: list[str] = []
        app.installEventFilter(self)

    def deliver_to(self, take: Callable[[str], None]) -> None:
        """Hand over what came so far, in its order, and what comes from now on."""
        self._take = take
        waiting, self._waiting = self._waiting, []
        for path in waiting:
            take(path)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.FileOpen or not isinstance(event, QFileOpenEvent):
            return False
        # An address that is no file is empty here.
        if path := event.file():
            if self._take is None:
                self._waiting.append(path)
            else:
                self._take(path)
        return True


def name_the_app(windll: Any = None, system: str = sys.platform) -> None:
    """Tell Windows that this process is Tenuto, not the Python that runs it. Before any window."""
    if system != "win32":
        return
    if windll is None:
        import ctypes

        windll = getattr(ctypes, "windll")  # noqa: B009 - there is none on other systems
    windll.shell32.SetCurrentProcessExplicitAppUserModelID(APP_USER_MODEL_ID)
