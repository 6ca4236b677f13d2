# SPDX-License-Identifier: Apache-2.0
"""`tenuto` as a process of its own that has its modules already: forked, where others would start.

Nearly all that a short command takes is the start of the interpreter and of the SDKs, and the tests
run hundreds of them. So one process imports it all, once, and forks: what comes out has an
environment, streams, a folder, a session and signals of its own, as one that was started; only the
imports are behind it, its command line in /proc is not its own, and it takes no module apart at its
end. What imports take or leave out, what the interpreter reads when it starts, and how a process is
found by its command line is tested on started ones (`Bench.started`).
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import os
import pickle
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from tenuto.cli.main import VERBS, entry
from tests.support import leaks

ROOT = Path(__file__).parents[2]
_CODE = "import sys; from tests.support.warm import serve; serve(int(sys.argv[1]))"
#: What a key in the environment says of the SDK that will be asked for.
_SDKS = {"ANTHROPIC_BASE_URL": "anthropic", "OPENAI_API_KEY": "openai"}
_MODULES = ("tenuto.cli.light", "tenuto.cli.common", "tenuto.agent.worker")
#: Bytes of a task at most: the words of the command and the environment.
_LARGEST = 150_000
_NUMBER = struct.Struct("i")


@dataclass(frozen=True)
class _Task:
    entry: Callable[[], object]
    words: tuple[str, ...]
    environment: dict[str, str]
    folder: str


# --- the tests' end -------------------------------------------------------------------------------


class Process:
    """A `tenuto` process; what `subprocess.Popen` has of the same name does the same."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        *,
        cwd: Path | None = None,
        stdin: bool = False,
        entry: Callable[[], object] = entry,
    ) -> None:
        """``words``: behind ``tenuto``. ``stdin``: a pipe, else the null device.

        ``entry``: a function of a module that runs them in the place of the command's own.
        """
        self.args = ("tenuto", *words)
        self.returncode: int | None = None
        from_us, to_it = os.pipe() if stdin else (os.open(os.devnull, os.O_RDONLY), None)
        out, its_out = os.pipe()
        err, its_err = os.pipe()
        self._status, its_status = socket.socketpair()
        theirs = [from_us, its_out, its_err]
        task = _Task(entry, tuple(words), dict(environment), str(cwd or Path.cwd()))
        with its_status:
            _server().send(task, [*theirs, its_status.fileno()])
        for descriptor in theirs:
            os.close(descriptor)
        self.stdin: BinaryIO | None = None if to_it is None else os.fdopen(to_it, "wb", 0)
        self.stdout: BinaryIO = os.fdopen(out, "rb")
        self.stderr: BinaryIO = os.fdopen(err, "rb")
        self.pid = self._number()
        leaks.STARTED.add(self.pid)

    def _number(self) -> int:
        data = self._status.recv(_NUMBER.size, socket.MSG_WAITALL)
        return int(_NUMBER.unpack(data)[0])

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            self._end()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self._end()
        assert self.returncode is not None
        return self.returncode

    def _end(self) -> None:
        self.returncode = os.waitstatus_to_exitcode(self._number())
        self._status.close()
        leaks.STARTED.discard(self.pid)

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def run(
    words: Sequence[str],
    environment: Mapping[str, str],
    timeout: float,
    *,
    cwd: Path | None = None,
    entry: Callable[[], object] = entry,
) -> subprocess.CompletedProcess[str]:
    """Run ``tenuto`` with nothing on its stdin, until it and all that has its streams have ended.

    :raises subprocess.TimeoutExpired: it was killed after ``timeout`` seconds.
    """
    process = Process(words, environment, cwd=cwd, entry=entry)
    said: dict[BinaryIO, list[bytes]] = {process.stdout: [], process.stderr: []}
    end = time.monotonic() + timeout
    waiting = set(said)
    try:
        while waiting:
            ready = select.select(waiting, [], [], max(0.0, end - time.monotonic()))[0]
            if not ready:
                raise subprocess.TimeoutExpired(process.args, timeout)
            for stream in ready:
                data = os.read(stream.fileno(), 65536)
                said[stream].append(data)
                if not data:
                    waiting.remove(stream)
        code = process.wait(max(0.1, end - time.monotonic()))
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        for stream in said:
            stream.close()
    out, err = (b"".join(parts).decode() for parts in said.values())
    return subprocess.CompletedProcess(process.args, code, out, err)


class _Server:
    """Our end of the process that forks."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            path = os.pathsep.join([str(ROOT / "core"), str(ROOT)])
            self._process = subprocess.Popen(
                [sys.executable, "-c", _CODE, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=os.environ | {"PYTHONPATH": path, "HOME": "/nowhere"},
                start_new_session=True,
            )
        self._socket = ours
        leaks.KEPT.add(self._process.pid)
        atexit.register(self.close)

    def send(self, task: _Task, descriptors: list[int]) -> None:
        data = pickle.dumps(task)
        assert len(data) < _LARGEST
        socket.send_fds(self._socket, [data], descriptors)

    def close(self) -> None:
        self._socket.close()
        self._process.wait()


_servers: list[_Server] = []


def _server() -> _Server:
    if not _servers:
        _servers.append(_Server())
    return _servers[0]


# --- the process that forks -----------------------------------------------------------------------


def serve(descriptor: int) -> None:
    """Fork for each task until the tests hang up."""
    for module in _MODULES:
        importlib.import_module(module)
    for verbs in VERBS.values():
        for module, _help in verbs.values():
            importlib.import_module(f"tenuto.cli.{module}")
    gc.freeze()
    connection = socket.socket(fileno=descriptor)
    while True:
        data, descriptors, _flags, _from = socket.recv_fds(connection, _LARGEST, 4)
        if not data:
            return
        task: _Task = pickle.loads(data)
        _load_sdks(task.environment)
        if os.fork() == 0:
            _watch(descriptors.pop())
            connection.detach()
            _become(task, descriptors)
            _run(task.entry)
            return
        for each in descriptors:
            os.close(each)
        _bury()


def _load_sdks(environment: dict[str, str]) -> None:
    from tenuto.agent.providers.sdk import load_sdk

    for variable, name in _SDKS.items():
        if variable in environment:
            load_sdk(name)


def _watch(status: int) -> None:
    """Fork once more, return in that, and tell how it ends: only its parent learns it."""
    pid = os.fork()
    if pid == 0:
        return
    # The ends of its pipes are open in this process, too: nobody would see them closed.
    os.dup2(status, 0)
    os.closerange(1, 1 << 16)
    os.write(0, _NUMBER.pack(pid))
    os.write(0, _NUMBER.pack(os.waitpid(pid, 0)[1]))
    os._exit(0)


def _bury() -> None:
    """Take away the watchers that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def _become(task: _Task, streams: list[int]) -> None:
    """Be as if this process had been started for the task."""
    os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, 1 << 16)
    os.chdir(task.folder)
    os.environ.clear()
    os.environ.update(task.environment)
    time.tzset()
    sys.argv = ["-c", *task.words]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        new = io.TextIOWrapper(
            io.BufferedReader(io.FileIO(number, "r", closefd=False))
            if number == 0
            else io.BufferedWriter(io.FileIO(number, "w", closefd=False)),
            encoding=old.encoding,
            errors=old.errors,
            line_buffering=old.line_buffering,
        )
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)


def _run(entry: Callable[[], object]) -> None:
    """Run the command to the end of the process, as the interpreter does but for its modules.

    Taking apart what is shared with the process that forked would copy all of its memory.
    """
    try:
        entry()
    except SystemExit as error:
        if not isinstance(error.code, int):
            raise
        # As `multiprocessing` ends what it forks.
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(error.code)
