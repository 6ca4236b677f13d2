# SPDX-License-Identifier: Apache-2.0
"""A server on stdio: a process of ours as every tool is, its lines an MCP transport.

The package's own client starts the process itself, adds names of its own to the environment and
tells nobody the process: then abort could not end it.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from tenuto.agent.cancel import CancelToken, kill_group

#: Seconds for a server to end by itself once its stdin is closed, and after SIGTERM.
GRACE = 2.0
#: Bytes of a line: a longer one is no message.
MAX_LINE = 64 << 20
#: Lines of a server's stderr that are told when it does not start.
_LAST_WORDS = 5


@dataclass(frozen=True)
class Program:
    """How a server is started."""

    argv: tuple[str, ...]
    cwd: str
    environment: Mapping[str, str]


class Process:
    """The running server."""

    def __init__(self, program: Program, cancel: CancelToken) -> None:
        self._cancel = cancel
        self._said: deque[str] = deque(maxlen=_LAST_WORDS)
        self._process = cancel.start(
            lambda: subprocess.Popen(
                program.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=program.cwd,
                env=dict(program.environment),
                close_fds=True,
                start_new_session=True,
            )
        )
        self._ended = False
        self._reader: threading.Thread | None = None
        self._log = threading.Thread(target=self._keep_log, name="server-log", daemon=True)
        self._log.start()

    @property
    def last_words(self) -> str:
        """The end of what it said on stderr."""
        if self._exited():
            self._log.join(GRACE)
        return "\n".join(self._said)

    def listen(self, take: Callable[[bytes], None], end: Callable[[], None]) -> None:
        """Read stdout on a thread: ``take`` each line, ``end`` at its end."""

        def read() -> None:
            assert self._process.stdout is not None
            with contextlib.suppress(OSError, ValueError):
                while line := self._process.stdout.readline(MAX_LINE):
                    take(line)
            end()

        self._reader = threading.Thread(target=read, name="server-output", daemon=True)
        self._reader.start()

    def write(self, data: bytes) -> None:
        """Raises OSError when the server takes no more."""
        assert self._process.stdin is not None
        view = memoryview(data)
        while view:
            view = view[os.write(self._process.stdin.fileno(), view) :]

    def end(self) -> None:
        """Close its stdin, wait, then end what is left of its process group."""
        process = self._process
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        if not self._gone(GRACE):
            kill_group(process.pid, signal.SIGTERM)
            self._gone(GRACE)
        self.kill()

    def kill(self) -> None:
        """End it at once, with all that it started; nothing happens where that is done."""
        if self._ended:
            return
        self._ended = True
        process = self._process
        kill_group(process.pid)
        process.wait()
        self._cancel.ended(process)
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        for thread, stream in ((self._reader, process.stdout), (self._log, process.stderr)):
            if thread is not None:
                thread.join(GRACE)
            # A process that left the group may hold the other end: its reader keeps this one.
            if stream is not None and (thread is None or not thread.is_alive()):
                stream.close()

    def _gone(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not self._exited():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        return True

    def _exited(self) -> bool:
        """Whether it ended; it is not reaped before its group was killed, whose number it is."""
        if self._process.returncode is not None or not hasattr(os, "waitid"):
            return self._process.poll() is not None
        flags = os.WEXITED | os.WNOWAIT | os.WNOHANG
        return os.waitid(os.P_PID, self._process.pid, flags) is not None

    def _keep_log(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            for line in self._process.stderr:
                self._said.append(line[:1000].decode("utf-8", "replace").rstrip())


@asynccontextmanager
async def transport(process: Process) -> AsyncIterator[Any]:
    """The streams that an MCP session reads and writes; at the end the server is ended, too."""
    import anyio
    import mcp_types
    from mcp.shared.message import SessionMessage

    gone = (anyio.BrokenResourceError, anyio.ClosedResourceError)
    received, incoming = anyio.create_memory_object_stream[Any](math.inf)
    outgoing, sent = anyio.create_memory_object_stream[Any](0)
    loop = asyncio.get_running_loop()

    def parse(line: bytes) -> Any:
        try:
            message = mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError as error:
            return error
        return SessionMessage(message)

    def deliver(message: Any) -> None:
        with contextlib.suppress(*gone):
            received.send_nowait(message)

    def take(line: bytes) -> None:
        if line.strip():
            loop.call_soon_threadsafe(deliver, parse(line))

    def end() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(received.close)

    async def write() -> None:
        async for message in sent:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                await anyio.to_thread.run_sync(process.write, text.encode() + b"\n")
            except (OSError, ValueError):
                # It takes no more: whoever waits for an answer is told so.
                received.close()
                return

    async with anyio.create_task_group() as tasks:
        process.listen(take, end)
        tasks.start_soon(write)
        try:
            yield incoming, outgoing
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(process.end)
            for stream in (outgoing, incoming, received, sent):
                stream.close()
            tasks.cancel_scope.cancel()
