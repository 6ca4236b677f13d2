# SPDX-License-Identifier: Apache-2.0
"""The newest rows of a runs folder, read by a process of its own while the window is loaded.

No thread could do it: it would wait for the interpreter, which loads Qt. A copy of a process that
has loaded little begins at once; it has looked at 10,000 sessions (40 ms) before there is a window.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tenuto.sources.base import GLANCE, SessionSummary
from tenuto.sources.runs import RunSource

#: Seconds until a look that does not end is given up, and made by ourselves.
PATIENCE_S = 10.0
#: Seconds that a process that was killed is waited for.
_BURIAL_S = 1.0
#: Bytes. The rows fit into the pipe, so that the other process need not wait to be read.
_ROOM = 1 << 20

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[SessionSummary]).decode


class Ahead:
    """A look that another process is at. `take` it once, in any thread."""

    def __init__(self, pid: int, fd: int) -> None:
        self._pid = pid
        self._fd = fd
        self._read = bytearray()

    def take(self) -> Sequence[SessionSummary] | None:
        """The rows as ``RunSource.newest`` has them; waits for them.

        None: that process did not bring them, so ask the source itself.
        """
        ended = self._fill(time.monotonic() + PATIENCE_S)
        os.close(self._fd)
        # Neither is ours to see where whoever started us had children's ends ignored.
        with contextlib.suppress(ChildProcessError, ProcessLookupError):
            if ended:
                os.waitpid(self._pid, 0)
            else:
                self._give_up()
        try:
            return _decode(self._read) if ended else None
        except msgspec.MsgspecError:
            return None

    def _give_up(self) -> None:
        os.kill(self._pid, signal.SIGKILL)
        # For a moment only: a process that waits for a dead disk does not end when it is killed.
        end = time.monotonic() + _BURIAL_S
        while os.waitpid(self._pid, os.WNOHANG) == (0, 0) and time.monotonic() < end:
            time.sleep(0.01)

    def _fill(self, end: float) -> bool:
        """Read what there is until ``end``, a monotonic time; whether that is all."""
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        while poll.poll(max(0.0, end - time.monotonic()) * 1000):
            data = os.read(self._fd, _ROOM)
            if not data:
                return True
            self._read += data
        return False


def look_ahead(directory: Path, count: int = GLANCE) -> Ahead | None:
    """Have the newest rows of ``directory`` read by a copy of this process.

    None where a process is not copied safely: one that has threads (their locks would be copied
    held), macOS (its own libraries have some), Windows. Call it before Qt is loaded.
    """
    if not hasattr(os, "fork") or sys.platform == "darwin" or threading.active_count() > 1:
        return None
    source = RunSource(directory)
    try:
        reading, writing = os.pipe()
    except OSError:
        return None
    try:
        pid = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return None
    if pid == 0:
        _look(source, count, writing)
    os.close(writing)
    return Ahead(pid, reading)


def _look(source: RunSource, count: int, fd: int) -> None:
    """In the copy: look, tell, and end without doing anything else that the original would."""
    code = 1
    try:
        # Whether or not the original is there to give it up: it may be killed.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
        # Whoever waits for our output to end waits for the window, not for a slow folder.
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        _enlarge(fd)
        left = memoryview(_encode(source.newest(count)))
        while left:
            left = left[os.write(fd, left) :]
        code = 0
    finally:
        os._exit(code)


def _enlarge(pipe: int) -> None:
    import fcntl

    size = getattr(fcntl, "F_SETPIPE_SZ", None)
    if size is not None:
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, size, _ROOM)
