# SPDX-License-Identifier: Apache-2.0
"""Short jobs in background threads, their results in the GUI thread.

Results go through a queue and one pending wake-up: a queued signal per result would cost a second
per 50,000 of them, and a plain function connected to a signal would run in the sender's thread.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from tenuto_gui.courtesy import courtesy


class Jobs(QObject):
    """A bounded pool. Lives in the GUI thread; `post` may be called from any thread."""

    _wake = Signal()

    def __init__(self, parent: QObject | None = None, *, workers: int = 2) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="tenuto-job")
        self._inbox: deque[Callable[[], None]] = deque()
        self._lock = Lock()
        self._waking = False
        self._courtesy = courtesy()
        #: Set by `stop`; long jobs look at it between steps.
        self.stopped = False
        # Queued also from the GUI thread: a job that ends at once reports there, and must not call
        # back into whoever is still starting it.
        self._wake.connect(self._drain, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        work: Callable[[], Any],
        done: Callable[[Any], None],
        failed: Callable[[BaseException], None] | None = None,
    ) -> None:
        """Do ``work`` in a thread, then ``done(result)`` or ``failed(error)`` in the GUI thread."""
        if self.stopped:
            return

        def finish(future: Future[Any]) -> None:
            if future.cancelled():
                return
            error = future.exception()
            if error is None:
                result = future.result()
                self.post(lambda: done(result))
            elif failed is not None:
                self.post(lambda: failed(error))
            else:
                # As one in a slot: the window tells of it.
                self.post(lambda: sys.excepthook(type(error), error, error.__traceback__))

        self._pool.submit(work).add_done_callback(finish)

    def step_aside(self) -> bool:
        """Between two steps of a job, in its thread: let the GUI thread go first.

        Returns whether the job is to end.
        """
        if not self.stopped:
            self._courtesy.step_aside()
        return self.stopped

    def post(self, action: Callable[[], None]) -> None:
        """Have ``action`` called in the GUI thread, in the order of the posts."""
        with self._lock:
            self._inbox.append(action)
            if self._waking or self.stopped:
                return
            self._waking = True
        self._wake.emit()

    @Slot()
    def _drain(self) -> None:
        with self._lock:
            self._waking = False
            actions = list(self._inbox)
            self._inbox.clear()
        self._courtesy.begin()
        for action in actions:
            if not self.stopped:
                action()

    def stop(self) -> None:
        """Wait for what runs, drop what waits. Nothing is called back after this."""
        self.stopped = True
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._inbox.clear()
