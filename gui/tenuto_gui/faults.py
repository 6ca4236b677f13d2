# SPDX-License-Identifier: Apache-2.0
"""Faults of the window itself, told in it: started from a desktop, nobody reads its stderr.

Qt goes on after an exception in a slot; the operator is told, once for each place it comes from.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal

if TYPE_CHECKING:
    from tenuto_gui.shell import Shell

Hook = Callable[[type[BaseException], BaseException, TracebackType | None], object]


class Faults(QObject):
    """Stands behind ``sys.excepthook`` and that of threads until it is closed."""

    _told = Signal(object)

    def __init__(self, shell: Shell, before: Hook | None = None) -> None:
        """``before``: what is told first, as ever; by default the hook in force."""
        super().__init__(shell)
        self._shell = shell
        self._sys, self._threads = sys.excepthook, threading.excepthook
        self._before: Hook = before or self._sys
        self._seen: set[tuple[str, int]] = set()
        # Whichever thread it comes from, and never from within what just failed.
        self._told.connect(self._show, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self.take
        threading.excepthook = self._take_thread

    def take(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """An exception that nobody caught. From any thread."""
        self._before(kind, error, trace)
        # It goes with the window; the hooks are given back a moment later.
        if isinstance(error, Exception) and shiboken6.isValid(self):
            self._told.emit(error)

    def _take_thread(self, told: threading.ExceptHookArgs) -> None:
        if told.exc_value is not None:
            self.take(told.exc_type, told.exc_value, told.exc_traceback)

    def _show(self, error: Exception) -> None:
        place = _place(error)
        if place in self._seen:
            # One in a paint event comes with every paint, and a notice is painted.
            return
        self._seen.add(place)
        from tenuto_gui.notice import Notice
        from tenuto_gui.report import of_error

        title = self.tr("Something in this window failed")
        text = self.tr("Runs and sessions are not touched by it. What you see may be out of date.")
        notice = Notice("failed", title, text, key="fault", details=of_error(error))
        self._shell.window.notices.show_notice(notice)

    def close(self) -> None:
        """Leave the hooks as they were."""
        sys.excepthook, threading.excepthook = self._sys, self._threads


def _place(error: BaseException) -> tuple[str, int]:
    """Where it was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__, 0
    return trace.tb_frame.f_code.co_filename, trace.tb_lineno
