# SPDX-License-Identifier: Apache-2.0
"""A small process that forks in place of the tests' own, which is large.

A fork copies the page tables of its parent: with Qt and the SDKs loaded that takes twenty times as
long as here, and stories that kill a writer at every call fork thousands of times. What a child
does is pickled: it shares files with the tests, and no lock, descriptor or patch.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import os
import pickle
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support import leaks

ROOT = Path(__file__).parents[2]
_CODE = "import sys; from tests.support.small_process import serve; serve(int(sys.argv[1]))"


@dataclass(frozen=True)
class _Task:
    action: Callable[..., object]
    args: tuple[Any, ...]
    environment: dict[str, str]
    folder: str


class Child:
    """A forked process that runs one action."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.pid: int = pickle.load(stream)

    def wait(self) -> int:
        """Its exit code (0: it came to its end, 1: it raised), or the signal's number, negative."""
        return pickle.load(self._stream)


class _Small:
    """Our end of the small process. One child at a time."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            path = os.pathsep.join([str(ROOT / "core"), str(ROOT)])
            self.process = subprocess.Popen(
                [sys.executable, "-c", _CODE, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env=os.environ | {"PYTHONPATH": path, "HOME": "/nowhere"},
            )
        self._socket = ours
        self._stream = ours.makefile("rwb")
        leaks.KEPT.add(self.process.pid)
        atexit.register(self.close)

    def start(self, action: Callable[..., object], args: tuple[Any, ...]) -> Child:
        pickle.dump(_Task(action, args, dict(os.environ), os.getcwd()), self._stream)
        self._stream.flush()
        return Child(self._stream)

    def close(self) -> None:
        self._stream.close()
        self._socket.close()
        self.process.wait()


_small: list[_Small] = []


def start(action: Callable[..., object], *args: object) -> Child:
    """Run ``action`` in a process forked from the small one; wait for it before the next one."""
    if not _small:
        _small.append(_Small())
    return _small[0].start(action, args)


def in_small_child(action: Callable[..., object], *args: object) -> int:
    """Run ``action`` in a process forked from the small one; its exit code (`Child.wait`)."""
    return start(action, *args).wait()


def serve(descriptor: int) -> None:
    """Be the small process until the tests hang up."""
    # What locking imports when it is first needed, in every child otherwise.
    importlib.import_module("portalocker")
    with socket.socket(fileno=descriptor) as connection, connection.makefile("rwb") as stream:
        while True:
            try:
                task = pickle.load(stream)
            except EOFError:
                return
            pid = os.fork()
            if pid == 0:
                connection.detach()
                os.close(descriptor)
                _run(task)
            pickle.dump(pid, stream)
            stream.flush()
            _pid, status = os.waitpid(pid, 0)
            pickle.dump(os.waitstatus_to_exitcode(status), stream)
            stream.flush()


def _run(task: _Task) -> None:
    code = 1
    with contextlib.suppress(BaseException):
        os.environ.clear()
        os.environ.update(task.environment)
        os.chdir(task.folder)
        task.action(*task.args)
        code = 0
    os._exit(code)
