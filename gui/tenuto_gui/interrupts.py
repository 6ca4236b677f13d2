# SPDX-License-Identifier: Apache-2.0
"""Signals to the window: Ctrl+C in its terminal asks, the end of the session does not."""

from __future__ import annotations

import signal
import socket

from PySide6.QtCore import QObject, QSocketNotifier, Signal
from PySide6.QtWidgets import QApplication

#: What a system sends when everything has to end: nobody is there to answer a question.
_ENDS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Interrupts(QObject):
    """Ctrl+C in the terminal closes the window as its close button does; `ending` is for good.

    Python runs a signal's handler between its own instructions, and Qt's loop has none; a byte on
    a socket wakes it. What comes before the loop begins is done when it begins.
    """

    #: The window is to end now, without a question.
    ending = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_wake)
        self._asked = self._ended = False
        self._old = {signal.SIGINT: signal.signal(signal.SIGINT, self._on_signal)}
        for number in _ENDS:
            # Ignored, it stays so: nohup is meant to be.
            if signal.getsignal(number) == signal.SIG_DFL:
                self._old[number] = signal.signal(number, self._on_end)
        self._old_fd = signal.set_wakeup_fd(self._write.fileno())

    def _on_signal(self, _number: int, _frame: object) -> None:
        self._asked = True

    def _on_end(self, _number: int, _frame: object) -> None:
        self._ended = True

    def _on_wake(self) -> None:
        self._read.recv(64)
        if self._ended:
            self._ended = False
            self.ending.emit()
        if self._asked:
            self._asked = False
            self._app.closeAllWindows()

    def close(self) -> None:
        """Hand the signals back."""
        signal.set_wakeup_fd(self._old_fd)
        for number, handler in self._old.items():
            signal.signal(number, handler)
        self._notifier.setEnabled(False)
        self._read.close()
        self._write.close()
