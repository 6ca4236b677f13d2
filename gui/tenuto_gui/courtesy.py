# SPDX-License-Identifier: Apache-2.0
"""Background work steps aside while the GUI thread has something to do.

Python runs one thread at a time and knows no priorities: a window that shares the interpreter with
threads that read journals waits for all of them, again and again, as each call of Qt lets go of it.
So a job asks between its steps, of about a millisecond, whether the GUI thread is at work, and
rests until it is not. A shorter switch interval is no answer: measured, it makes all of them slower
alike. Nor is Qt's own word: glib's loop says that it is awake only after what it woke up for.
"""

from __future__ import annotations

import threading

from PySide6.QtCore import QCoreApplication, QObject, QTimer

#: Seconds that a step waits for the GUI thread at most: with a window that is never idle the work
#: goes on slowly, rather than not at all.
_MOST_S = 0.025


class Courtesy(QObject):
    """Whether the GUI thread is at work. One for the application: see `courtesy`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._idle = threading.Event()
        self._idle.set()
        # Due when nothing else is: what was begun has been painted by then.
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(0)
        self._rest.timeout.connect(self._idle.set)

    def begin(self) -> None:
        """In the GUI thread, ahead of work that takes milliseconds. It ends by itself, painted."""
        self._idle.clear()
        self._rest.start()

    def step_aside(self) -> None:
        """In another thread, between two steps: let the GUI thread go first."""
        self._idle.wait(_MOST_S)


def courtesy() -> Courtesy:
    """That of this application. Called in the GUI thread, once there is an application."""
    app = QCoreApplication.instance()
    found = app.findChild(Courtesy) if app is not None else None
    return found if found is not None else Courtesy(app)
