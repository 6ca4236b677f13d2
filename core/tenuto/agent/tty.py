# SPDX-License-Identifier: Apache-2.0
"""Lines typed on a terminal, waited for so that a signal can end the wait."""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import sys
import time
from collections.abc import Iterator

from tenuto.agent.cancel import CancelToken

#: The terminal that controls this process, which no tool shares.
TTY = "/dev/tty"
#: Seconds in which the rest of what was pasted arrives.
_PASTE = 0.05


class StoppedError(Exception):
    """The run is to suspend: nobody waits for the line any more."""


def attended() -> bool:
    """Whether somebody sits at a terminal that can be asked."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    try:
        os.close(os.open(TTY, os.O_RDWR | os.O_CLOEXEC | os.O_NOCTTY))
    except OSError:
        return False
    return True


@contextlib.contextmanager
def opened(path: str = TTY) -> Iterator[int]:
    """The terminal, until the end of the block."""
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOCTTY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def show(descriptor: int, text: str) -> None:
    """Write all of ``text``."""
    data = text.encode("utf-8", "replace")
    while data:
        data = data[os.write(descriptor, data) :]


def drop_typed_ahead(descriptor: int, seconds: float) -> None:
    """Wait, then forget what was typed before anybody could have read the question."""
    import termios

    time.sleep(seconds)
    with contextlib.suppress(termios.error):
        termios.tcflush(descriptor, termios.TCIFLUSH)


def read_line(descriptor: int, cancel: CancelToken, *, pasted: bool = False) -> str | None:
    """The next line with its end, or None where the operator ended the input (Ctrl-D).

    :param pasted: lines that arrive together are taken as one.
    :raises StoppedError: suspend was asked for meanwhile.
    :raises AbortError: abort was.
    """
    ours, theirs = socket.socketpair()

    def wake() -> None:
        with contextlib.suppress(OSError):
            theirs.send(b"x")

    unwatch = cancel.watch(wake)
    line = b""
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            selector.register(ours, selectors.EVENT_READ)
            while True:
                cancel.check()
                if cancel.suspended:
                    raise StoppedError
                whole = line.endswith(b"\n")
                if whole and not pasted:
                    break
                keys = selector.select(_PASTE if whole else None)
                if not keys:
                    break
                for key, _ in keys:
                    if key.fd == descriptor:
                        data = os.read(descriptor, 4096)
                        if not data:
                            return line.decode("utf-8", "replace") if line else None
                        line += data
                    else:
                        ours.recv(16)
    finally:
        unwatch()
        ours.close()
        theirs.close()
    return line.decode("utf-8", "replace")
