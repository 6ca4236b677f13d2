# SPDX-License-Identifier: Apache-2.0
"""What a worker is told on stdin: one JSON object a line (design.md, "The worker").

Unknown types and keys are ignored; a line that is no JSON object is a warning; the end of stdin
means that whoever started this worker is gone.
"""

from __future__ import annotations

import json
import os
import threading
from typing import Any, Protocol

from tenuto.agent.events import Events

#: A longer line is no command of anybody's.
MAX_LINE = 4 << 20


class CommandHandler(Protocol):
    """Called on the reader's thread."""

    def answer(self, id: str, answer: dict[str, Any]) -> None: ...

    def suspend(self) -> None: ...

    def abort(self) -> None: ...

    def detach(self) -> None: ...

    def prompt(self, text: str) -> None: ...

    def end_of_input(self) -> None: ...


class CommandReader(threading.Thread):
    """Reads a descriptor to its end and calls the handler for each command."""

    def __init__(self, descriptor: int, handler: CommandHandler, events: Events) -> None:
        super().__init__(name="commands", daemon=True)
        self._descriptor = descriptor
        self._handler = handler
        self._events = events

    def run(self) -> None:
        rest = b""
        skipping = False
        while data := self._read():
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if skipping:
                    skipping = False
                elif line.strip():
                    self._handle(line)
            if len(rest) > MAX_LINE:
                if not skipping:
                    self._warn("a line of more than 4 MiB")
                skipping, rest = True, b""
        if rest.strip() and not skipping:
            self._handle(rest)
        self._handler.end_of_input()

    def _read(self) -> bytes:
        try:
            return os.read(self._descriptor, 65536)
        except OSError:
            return b""

    def _handle(self, line: bytes) -> None:
        try:
            command = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            self._warn("a line that is no JSON")
            return
        if not isinstance(command, dict):
            self._warn("a line that is no JSON object")
            return
        match command.get("type"):
            case "answer":
                if isinstance(id := command.get("id"), str):
                    self._handler.answer(id, command)
            case "suspend":
                self._handler.suspend()
            case "abort":
                self._handler.abort()
            case "detach":
                self._handler.detach()
            case "prompt":
                if isinstance(text := command.get("text"), str) and text.strip():
                    self._handler.prompt(text)

    def _warn(self, what: str) -> None:
        self._events.emit("warning", kind="command", text=f"{what} on standard input was ignored")
