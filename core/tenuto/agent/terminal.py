# SPDX-License-Identifier: Apache-2.0
"""A run in a terminal: the answer on stdout, everything else on stderr, questions on the tty."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import socket
import sys
import time
from collections.abc import Iterator
from typing import Any, TextIO

from tenuto.agent.approvals import (
    Approval,
    ApprovalQuestion,
    AskFile,
    Denied,
    Outcome,
    OutcomeQuestion,
    WithdrawnError,
    no_ask_file,
)
from tenuto.agent.cancel import CancelToken
from tenuto.text import visible

_TTY = "/dev/tty"


class TerminalEvents:
    """Renders events as lines for people; text of turns that go on is no answer yet."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr
        self._progress = self._out.isatty()
        self._shown = False
        self._text: list[str] = []
        self._run_id: str | None = None

    def emit(self, event: str, /, **fields: Any) -> None:
        match event:
            case "starting":
                self._run_id = fields["run_id"]
                if self._run_id is not None:
                    self._line(f"run {self._run_id}")
            case "thinking":
                self._show_progress("thinking")
            case "text":
                self._text.append(fields["delta"])
                self._show_progress("writing")
            case "assistant":
                self._clear_progress()
            case "tool_start":
                self._flush_text()
                again = " (again)" if fields["rerun"] else ""
                self._line(f"> {fields['name']}: {fields['display']}{again}")
            case "tool_end":
                failed = ", failed" if fields["is_error"] else ""
                self._line(f"  {fields['ms'] / 1000:.1f} s{failed}")
            case "warning":
                self._line(f"warning: {fields['text']}")
            case "finished":
                self._finish(fields["reason"], fields.get("message") or "")

    def close(self) -> None:
        self._clear_progress()

    def _finish(self, reason: str, message: str) -> None:
        # What the model said last is the answer, and that goes to stdout.
        self._text.clear()
        if reason == "completed":
            return
        said = reason.replace("_", " ") + (f": {message}" if message else "")
        if reason == "suspended" and self._run_id is not None:
            said += f"; `tenuto resume {self._run_id}` goes on"
        self._line(said)

    def _flush_text(self) -> None:
        text = "".join(self._text).strip()
        self._text.clear()
        if text:
            self._line(text, prose=True)

    def _line(self, text: str, *, prose: bool = False) -> None:
        self._clear_progress()
        with contextlib.suppress(OSError, ValueError):
            print(visible(text, prose=prose), file=self._out, flush=True)

    def _show_progress(self, what: str) -> None:
        if self._progress and not self._shown:
            with contextlib.suppress(OSError, ValueError):
                print(f"... {what}", end="", file=self._out, flush=True)
            self._shown = True

    def _clear_progress(self) -> None:
        if self._shown:
            with contextlib.suppress(OSError, ValueError):
                print("\r\x1b[K", end="", file=self._out, flush=True)
            self._shown = False


def attended() -> bool:
    """Whether somebody sits at a terminal that can be asked."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    try:
        os.close(os.open(_TTY, os.O_RDWR | os.O_CLOEXEC | os.O_NOCTTY))
    except OSError:
        return False
    return True


class TerminalApprovals:
    """Asks on the controlling terminal, which no tool shares. Anything but a yes is a no."""

    #: Typed-ahead keys are no answer.
    DEAD_TIME = 0.3

    def __init__(self, cancel: CancelToken, *, path: str = _TTY) -> None:
        self._cancel = cancel
        self._path = path
        self.ask_file: AskFile = no_ask_file

    def approve(self, question: ApprovalQuestion) -> Approval:
        lines = [
            f"{question.tool} wants to run ({question.tag}), in {question.cwd}:",
            *_words(question.argv),
        ]
        answer = self._ask(
            question.fields(), lines, "Allow? [o]nce, for this [r]un, [d]eny (default): "
        )
        if answer in ("o", "once"):
            return "once"
        return "run" if answer in ("r", "run") else Denied()

    def outcome(self, question: OutcomeQuestion) -> Outcome:
        since = f" since {question.since}" if question.since else ""
        lines = [
            f"The outcome of this call of {question.tool} is unknown{since}: it may have run.",
            *_words(question.argv),
        ]
        answer = self._ask(
            question.fields(), lines, "[r]un it again, [s]kip it, sto[p] (default): "
        )
        return "run" if answer in ("r", "run") else "skip" if answer in ("s", "skip") else "stop"

    def _ask(self, fields: dict[str, Any], lines: list[str], prompt: str) -> str:
        self._cancel.check()
        text = "".join(f"{visible(line)}\n" for line in lines) + prompt
        with self.ask_file({"id": "terminal", **fields}), _terminal(self._path) as descriptor:
            os.write(descriptor, text.encode("utf-8", "replace"))
            self._drop_typed_ahead(descriptor)
            return self._read_line(descriptor).strip().lower()

    def _drop_typed_ahead(self, descriptor: int) -> None:
        import termios

        time.sleep(self.DEAD_TIME)
        with contextlib.suppress(termios.error):
            termios.tcflush(descriptor, termios.TCIFLUSH)

    def _read_line(self, descriptor: int) -> str:
        ours, theirs = socket.socketpair()

        def wake() -> None:
            with contextlib.suppress(OSError):
                theirs.send(b"x")

        unwatch = self._cancel.watch(wake)
        line = b""
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(descriptor, selectors.EVENT_READ)
                selector.register(ours, selectors.EVENT_READ)
                while not line.endswith(b"\n"):
                    self._cancel.check()
                    if self._cancel.suspended:
                        os.write(descriptor, b"(taken back)\n")
                        raise WithdrawnError
                    for key, _ in selector.select():
                        if key.fd == descriptor:
                            data = os.read(descriptor, 1024)
                            if not data:
                                return ""
                            line += data
                        else:
                            ours.recv(16)
        finally:
            unwatch()
            ours.close()
            theirs.close()
        return line.decode("utf-8", "replace")


def _words(argv: tuple[str, ...]) -> list[str]:
    """The command word by word, one on a line, so that nothing can pass for a space or a quote."""
    return [f"    {_word(word)}" for word in argv]


def _word(word: str) -> str:
    shown = visible(word).replace("\n", "\u240a").replace("\t", "\u2409")
    # Where a word begins and ends must be seen where white space is at its edge, or all of it.
    return shown if shown and not re.search(r"^\s|\s$", shown) else f"'{shown}'"


@contextlib.contextmanager
def _terminal(path: str) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOCTTY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
