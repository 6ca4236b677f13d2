# SPDX-License-Identifier: Apache-2.0
"""Running one command as a tool: frozen first, then executed exactly as frozen.

No shell, stdin closed, a session and process group of its own, the given environment and nothing
else, stdout and stderr interleaved in one pipe (agent-config.md, "From a tool input to a command
line"; reliability.md part 2, "Child environment" and "Confirmation = execution").
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tenuto import gojson
from tenuto.agent.cancel import CancelToken, kill_group
from tenuto.errors import ToolInputError

#: A result longer than both together is cut in the middle (agent-config.md).
HEAD_BYTES = TAIL_BYTES = 32 * 1024
CUT_LINE = b"\n...[output truncated]...\n"
#: After SIGTERM, before SIGKILL.
KILL_GRACE = 2.0
#: How long a pipe may stay open once the command itself has ended: a daemon it left behind holds
#: it, and must not hold the run.
LINGER = 2.0
#: Seconds between looks at a process whose output is still open.
POLL = 0.05
#: What Python decodes one byte to that is no UTF-8.
_NOT_UTF8 = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True)
class FrozenCall:
    """Everything that decides what a command does. What is shown is this, what runs is this."""

    #: Absolute path of the program.
    program: str
    #: Its arguments, the program not included.
    arguments: tuple[str, ...]
    cwd: str
    environment: Mapping[str, str]
    #: Seconds, or None for as long as it takes.
    timeout: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "environment", MappingProxyType(dict(self.environment)))

    @property
    def argv(self) -> list[str]:
        return [self.program, *self.arguments]

    def digest(self) -> str:
        """Hex SHA-256 over the canonical JSON of the call; approval is bound to it."""
        return hashlib.sha256(
            gojson.canonical(
                {
                    "argv": self.argv,
                    "cwd": self.cwd,
                    "environment": dict(self.environment),
                    "stdin": None,
                    "timeout": self.timeout,
                }
            )
        ).hexdigest()


def freeze(
    program: str,
    arguments: list[str],
    *,
    cwd: str,
    environment: Mapping[str, str],
    timeout: float | None = None,
) -> FrozenCall:
    """Check and freeze a call. Raises ToolInputError for what no system can run."""
    for argument in arguments:
        if "\0" in argument:
            raise ToolInputError("an argument contains a NUL character", tool=program)
    return FrozenCall(
        program, tuple(gojson.replace_surrogates(a) for a in arguments), cwd, environment, timeout
    )


@dataclass(frozen=True)
class CommandOutcome:
    """What came of it. ``failure`` is a sentence when it did not run to an end of its own."""

    exit_code: int
    output: bytes
    truncated: bool
    failure: str | None = None


class _Capture(threading.Thread):
    """Reads a pipe to its end, keeping the first and the last 32 KiB of whatever comes.

    A thread, since a pipe can be waited for together with a process on every system only so. It
    owns the descriptor: a daemon that inherited the pipe may keep it open long after the call.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__(name="tool-output", daemon=True)
        self._descriptor = descriptor
        self._guard = threading.Lock()
        self._head = bytearray()
        self._tail = bytearray()
        self._size = 0

    def run(self) -> None:
        with os.fdopen(self._descriptor, "rb", buffering=0) as pipe:
            while data := pipe.read(65536):
                self._feed(data)

    def _feed(self, data: bytes) -> None:
        with self._guard:
            self._size += len(data)
            room = HEAD_BYTES - len(self._head)
            if room > 0:
                self._head += data[:room]
                data = data[room:]
            self._tail += data
            if len(self._tail) > 4 * TAIL_BYTES:
                del self._tail[:-TAIL_BYTES]

    def output(self) -> tuple[bytes, bool]:
        """What came so far, and whether its middle was left out."""
        with self._guard:
            if self._size <= HEAD_BYTES + TAIL_BYTES:
                return bytes(self._head + self._tail), False
            return bytes(self._head) + CUT_LINE + bytes(self._tail[-TAIL_BYTES:]), True


def execute(call: FrozenCall, cancel: CancelToken) -> CommandOutcome:
    """Run ``call`` to its end. Raises AbortError; everything else becomes an outcome."""
    read_end, write_end = os.pipe()
    try:
        process = cancel.start(
            lambda: subprocess.Popen(
                call.argv,
                stdin=subprocess.DEVNULL,
                stdout=write_end,
                stderr=write_end,
                cwd=call.cwd,
                env=dict(call.environment),
                close_fds=True,
                # A session of its own: also out of reach of the operator's terminal.
                start_new_session=True,
            )
        )
    except BaseException as error:
        os.close(read_end)
        if not isinstance(error, OSError | ValueError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        return CommandOutcome(-1, b"", False, f"cannot start {call.program}: {reason}")
    finally:
        os.close(write_end)
    capture = _Capture(read_end)
    capture.start()
    try:
        failure = _wait(process, capture, call.timeout)
    finally:
        if process.poll() is None:
            kill_group(process.pid)
            process.wait()
        cancel.ended(process)
    cancel.check()
    output, truncated = capture.output()
    return CommandOutcome(_exit_code(process.returncode), output, truncated, failure)


def _wait(process: subprocess.Popen[bytes], capture: _Capture, timeout: float | None) -> str | None:
    """Wait for the end of the output and of the process; a sentence when the time was up."""
    deadline = None if timeout is None else time.monotonic() + timeout
    ended_at: float | None = None
    while True:
        # The output ends with the process, as a rule: then there is nothing to poll for.
        capture.join(POLL)
        now = time.monotonic()
        if process.poll() is not None:
            if not capture.is_alive():
                return None
            ended_at = ended_at or now
            if now - ended_at > LINGER:
                return None
            continue
        if not capture.is_alive():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(POLL)
            if process.returncode is not None:
                return None
        if deadline is not None and now >= deadline:
            _end(process, capture)
            return f"timed out after {timeout:g} seconds"


def _end(process: subprocess.Popen[bytes], capture: _Capture) -> None:
    """End the whole group: it is asked to, and then killed, whoever of it outlived the command.

    The command is not reaped before that, where the system can tell of its end without: so the
    group keeps its number.
    """
    kill_group(process.pid, signal.SIGTERM)
    deadline = time.monotonic() + KILL_GRACE
    while (capture.is_alive() or not ended(process)) and time.monotonic() < deadline:
        time.sleep(POLL)
    kill_group(process.pid)
    process.wait()
    # Who left the group may still hold the pipe.
    capture.join(LINGER)


def ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether it ended; left unreaped where the system can say so."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, flags) is not None


def _exit_code(returncode: int) -> int:
    # Go reports -1 for a process that a signal ended.
    return -1 if returncode < 0 else returncode


def result_json(arguments: tuple[str, ...], outcome: CommandOutcome) -> str:
    """The content of a command's result: Go's bytes of command, exit_code, output, truncated."""
    parts = [
        b'{"command":' + gojson.encode_string(" ".join(arguments)),
        b'"exit_code":%d' % outcome.exit_code,
        b'"output":' + _go_string(outcome.output),
    ]
    if outcome.truncated:
        parts.append(b'"truncated":true')
    return (b",".join(parts) + b"}").decode()


def _go_string(data: bytes) -> bytes:
    """A JSON string of bytes that may be no UTF-8: Go escapes each byte that is not."""
    pieces = _NOT_UTF8.split(data.decode("utf-8", "surrogateescape"))
    return b'"' + b"\\ufffd".join(gojson.encode_string(piece)[1:-1] for piece in pieces) + b'"'
