# SPDX-License-Identifier: Apache-2.0
"""Ctrl+C in the terminal that the window was started from."""

from __future__ import annotations

import signal
import socket

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication


class Interrupts(QObject):
    """Ctrl+C in the terminal closes the window as its close button does.

    Python runs a signal's handler between its own instructions, and Qt's loop has none; a byte on
    a socket wakes it. What comes before the loop begins is done when it begins.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_wake)
        self._asked = False
        self._old = signal.signal(signal.SIGINT, self._on_signal)
        self._old_fd = signal.set_wakeup_fd(self._write.fileno())

    def _on_signal(self, _number: int, _frame: object) -> None:
        self._asked = True

    def _on_wake(self) -> None:
        self._read.recv(64)
        if self._asked:
            self._asked = False
            self._app.closeAllWindows()

    def close(self) -> None:
        """Hand the signal back."""
        signal.set_wakeup_fd(self._old_fd)
        signal.signal(signal.SIGINT, self._old)
        self._notifier.setEnabled(False)
        self._read.close()
        self._write.close()
