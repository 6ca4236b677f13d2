# SPDX-License-Identifier: Apache-2.0
"""Signals and abort: SIGINT or SIGTERM once suspends, twice aborts; SIGHUP suspends.

Python runs signal handlers on the main thread between two bytecodes, where an exception could cut
an append in half. So the handlers do nothing: a thread reads what the interpreter's C handler
writes into a socket, and acts through the cancel token.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

from tenuto.agent.cancel import CancelToken

#: How long the loop gets to notice an abort by itself before the process ends under it: a socket
#: that says nothing keeps the main thread waiting.
ABORT_GRACE = 1.0
EXIT_ABORTED = 130

_STOPPING = (signal.SIGINT, signal.SIGTERM)
#: The terminal was closed. Its tools are in sessions of their own: to end here and now would leave
#: one running that a later resume knows nothing of.
_HANGUP: int | None = getattr(signal, "SIGHUP", None)


class Stopping:
    """Suspend and abort, from signals and from commands. A context manager on the main thread.

    ``last_words`` is called, on another thread, before the process is ended under a loop that does
    not react.
    """

    def __init__(
        self,
        cancel: CancelToken,
        *,
        on_suspend: Callable[[], None],
        last_words: Callable[[], None],
    ) -> None:
        self._cancel = cancel
        self._on_suspend = on_suspend
        self._last_words = last_words
        self._finished = threading.Event()
        self._aborting = threading.Lock()
        self._old: dict[int, Any] = {}

    def __enter__(self) -> Self:
        self._reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self._old_wakeup = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        for number in _STOPPING:
            self._old[number] = signal.signal(number, _nothing)
        # Ignored, it stays so: nohup lets the run go on.
        if _HANGUP is not None and signal.getsignal(_HANGUP) == signal.SIG_DFL:
            self._old[_HANGUP] = signal.signal(_HANGUP, _nothing)
        self._thread = threading.Thread(target=self._listen, name="signals", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._finished.set()
        for number, handler in self._old.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._old_wakeup)
        self._writer.close()
        self._thread.join()
        self._reader.close()

    def suspend(self) -> None:
        """After this step."""
        if not self._cancel.suspended:
            self._cancel.suspend()
            self._on_suspend()

    def abort(self) -> None:
        """Now. Returns when the loop has ended by itself, else ends the process."""
        if not self._aborting.acquire(blocking=False):
            return
        self._cancel.abort()
        if not self._finished.wait(ABORT_GRACE):
            self._last_words()
            with contextlib.suppress(OSError, ValueError):
                sys.stderr.flush()
            os._exit(EXIT_ABORTED)

    def _listen(self) -> None:
        seen = 0
        while numbers := self._reader.recv(64):
            for number in numbers:
                if number == _HANGUP:
                    self.suspend()
                if number not in _STOPPING:
                    continue
                seen += 1
                if seen == 1:
                    self.suspend()
                else:
                    # Not on this thread: it has to end when the loop does.
                    threading.Thread(target=self.abort, name="abort", daemon=True).start()


def _nothing(number: int, frame: FrameType | None) -> None:
    """Installed so that the signal neither ends nor interrupts anything."""


def forbid_inspection() -> None:
    """Hide this process's memory and first environment from its own tools (Linux).

    Taking a key out of ``os.environ`` does not take it out of ``/proc/PID/environ``, which a child
    of the same user could read (reliability.md, 0.14).
    """
    if sys.platform != "linux":
        return
    import ctypes

    pr_set_dumpable = 4
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(pr_set_dumpable, 0, 0, 0, 0)
