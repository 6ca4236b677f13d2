# SPDX-License-Identifier: Apache-2.0
"""How a running agent is told to stop: after this step (suspend) or now (abort).

The main thread runs the loop; a signal or a command from the window arrives on another thread and
talks to the loop only through this token. Abort is a crash on purpose: the flag is set before any
tool dies, so the loop can never journal the result of a tool that abort killed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable


class AbortError(Exception):
    """The operator aborted: nothing more is journaled, the run reads interrupted."""


class CancelToken:
    """Thread-safe. Suspend may be asked for any number of times; abort is final."""

    def __init__(self) -> None:
        # Held while a tool process is started and noted, so that abort cannot slip between.
        self._starting = threading.Lock()
        self._changed = threading.Condition()
        self._groups: set[int] = set()
        self._watchers: list[Callable[[], None]] = []
        self._suspended = False
        self._aborted = False

    @property
    def suspended(self) -> bool:
        return self._suspended

    @property
    def aborted(self) -> bool:
        return self._aborted

    def check(self) -> None:
        """Raise :class:`AbortError` once abort was asked for."""
        if self._aborted:
            raise AbortError

    def suspend(self) -> None:
        self._suspended = True
        self._notify()

    def abort(self) -> None:
        """Kill the running tool's process group; the loop raises at its next step."""
        self._aborted = True
        with self._starting:
            for group in self._groups:
                kill_group(group)
        self._notify()

    def watch(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` (on the caller's thread of suspend or abort); returns the undo."""
        self._watchers.append(callback)
        return lambda: self._watchers.remove(callback)

    def sleep(self, seconds: float, *, until_suspend: bool = False) -> None:
        """Wait ``seconds``, less when aborted (raises) or, if asked, when suspended."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._aborted or (until_suspend and self._suspended), max(0.0, seconds)
            )
        self.check()

    def start(self, spawn: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
        """Start a process that leads its own group; abort kills it. Raises AbortError, OSError."""
        with self._starting:
            self.check()
            process = spawn()
            self._groups.add(process.pid)
        return process

    def ended(self, process: subprocess.Popen[bytes]) -> None:
        """The process was reaped: its group number may be someone else's from now on."""
        with self._starting:
            self._groups.discard(process.pid)

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()
        for callback in list(self._watchers):
            callback()


def kill_group(group: int, number: int | None = None) -> None:
    """Signal a whole process group (SIGKILL unless said otherwise); gone is fine."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError):
            os.kill(group, number or signal.SIGTERM)
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number or signal.SIGKILL)
