# SPDX-License-Identifier: Apache-2.0
"""Names of files that change in one folder, from Linux's own events, and nothing more.

watchdog hands every event through three threads. In a process with a window that shares the
interpreter with them, a thousand events a second cost more than all that is done about them: our
own sidecars are most of these. Here the kernel gathers events while we rest, one read takes what
came, and each name counts once.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import select
import struct
import threading
import time
from collections.abc import Callable

_MODIFY, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x2, 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _ONLYDIR = 0x400, 0x1000000
_WANTED = _MODIFY | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _ONLYDIR
#: The queue was full, and events were dropped.
_OVERFLOW = 0x4000
#: The folder is gone, or its file system: no event follows.
_OVER = 0x8000 | 0x2000
#: ``struct inotify_event``: watch, mask, cookie, bytes of the name that follows it.
_HEAD = struct.Struct("iIII")
_READ = 256 << 10
#: Reads in a row: about what the kernel keeps for us. Whoever writes faster than we read would have
#: us read for ever; so what is too much for it is dropped, which is told.
_READS = 4
#: Seconds in which events gather; half of what the watcher waits between two reports.
_GATHER = 0.05
#: In a storm we rest so many times as long as we worked: the interpreter is not ours alone.
_REST = 3

_WHY = {
    errno.EMFILE: "the limit of inotify instances is reached",
    errno.ENOSPC: "the limit of inotify watches is reached",
}


class FolderEvents:
    """Calls ``note`` with the names that had events, and ``lost`` when some were dropped.

    Both are called from a thread of its own, which ends with the folder. Raises OSError where the
    system has no events for us, RuntimeError where it has no thread.
    """

    def __init__(
        self, folder: str, note: Callable[[list[str]], None], lost: Callable[[], None]
    ) -> None:
        self._note = note
        self._lost = lost
        self._stopped = threading.Event()
        # Whoever is refused tries again later: nothing may be left open.
        with contextlib.ExitStack() as undone:
            self._events = _opened(folder)
            undone.callback(os.close, self._events)
            self._wake = os.eventfd(0, os.EFD_CLOEXEC)
            undone.callback(os.close, self._wake)
            self._thread = threading.Thread(target=self._run, name="folder-events", daemon=True)
            self._thread.start()
            undone.pop_all()

    def is_alive(self) -> bool:
        """Whether events still come."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """End the thread and close what is open. Once."""
        self._stopped.set()
        os.eventfd_write(self._wake, 1)
        self._thread.join()
        os.close(self._events)
        os.close(self._wake)

    def _run(self) -> None:
        waiting = select.poll()
        waiting.register(self._events, select.POLLIN)
        waiting.register(self._wake, select.POLLIN)
        over = False
        while not over:
            waiting.poll()
            if self._stopped.is_set():
                return
            begun = time.thread_time()
            over = self._take()
            self._stopped.wait(max(_GATHER, _REST * (time.thread_time() - begun)))

    def _take(self) -> bool:
        """Read what came; whether it was the last."""
        names: set[bytes] = set()
        masks = 0
        for _ in range(_READS):
            if not (data := _read(self._events)):
                break
            at = 0
            while at < len(data):
                _, mask, _, size = _HEAD.unpack_from(data, at)
                at += _HEAD.size
                masks |= mask
                if size:
                    names.add(data[at : at + size])
                    at += size
        if masks & _OVERFLOW:
            self._lost()
        if names:
            self._note([os.fsdecode(name.rstrip(b"\0")) for name in names])
        return bool(masks & _OVER)


def _opened(folder: str) -> int:
    """A descriptor that gives the folder's events."""
    libc = ctypes.CDLL(None, use_errno=True)
    found: int = libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
    if found < 0:
        raise _error()
    if libc.inotify_add_watch(found, ctypes.c_char_p(os.fsencode(folder)), _WANTED) < 0:
        error = _error()
        os.close(found)
        raise error
    return found


def _error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, _WHY.get(number, f"inotify: {os.strerror(number)}"))


def _read(events: int) -> bytes:
    try:
        return os.read(events, _READ)
    except BlockingIOError:
        return b""
