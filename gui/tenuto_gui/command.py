# SPDX-License-Identifier: Apache-2.0
"""Runs `tenuto` commands: every verb of the window that writes goes through the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QProcess

from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.report import Capped, Ran


@dataclass(frozen=True)
class Outcome:
    """How a command ended. ``result`` is what it printed with ``--json``, None if nothing usable.

    ``exit_code`` is -1 when the program could not be started or died; ``message`` is the last line
    of its stderr, ``ran`` what else is known of it.
    """

    exit_code: int
    result: Any
    message: str
    ran: Ran | None = None

    @property
    def ok(self) -> bool:
        return self.exit_code == 0

    @property
    def report(self) -> str:
        """For the details of a notice: command, exit code, kind of error, outputs; "" for none."""
        return self.ran.report() if self.ran is not None else ""


class CommandRunner(QObject):
    """Starts commands and reports their outcome; several may run at a time."""

    def __init__(self, context: AppContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._running: set[_Command] = set()

    def run(
        self, arguments: list[str], done: Callable[[Outcome], None], *, bare: bool = False
    ) -> None:
        """Run ``tenuto ARGUMENTS`` on the folder that is shown, then ``done(outcome)``.

        ``bare``: without naming that folder, where a command knows a better one.
        """
        context = self.context
        argv = [*context.launcher, *arguments] if bare else context.command(*arguments)
        command = _Command(argv, self)
        self._running.add(command)

        def finish(outcome: Outcome) -> None:
            self._running.discard(command)
            command.deleteLater()
            done(outcome)

        command.start(finish)

    @property
    def busy(self) -> bool:
        return bool(self._running)

    def wait(self, milliseconds: int = 5000) -> None:
        """Let running commands end (they are short) before the window goes."""
        for command in list(self._running):
            command.wait(milliseconds)


class _Command(QObject):
    def __init__(self, argv: list[str], parent: QObject) -> None:
        super().__init__(parent)
        self._argv = argv
        self._process = QProcess(self)
        self._err = Capped()
        self._done: Callable[[Outcome], None] | None = None

    def start(self, done: Callable[[Outcome], None]) -> None:
        self._done = done
        self._process.readyReadStandardError.connect(self._on_error_output)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)
        self._process.start(self._argv[0], self._argv[1:])
        self._process.closeWriteChannel()

    def wait(self, milliseconds: int) -> None:
        self._process.waitForFinished(milliseconds)

    def _on_error_output(self) -> None:
        self._err.feed(bytes(self._process.readAllStandardError().data()))

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._on_error_output()
        out = bytes(self._process.readAllStandardOutput().data())
        result = _parse(out)
        crashed = status == QProcess.ExitStatus.CrashExit
        exit_code = -1 if crashed else code
        kept = Capped()
        kept.feed(out)
        why = self._process.errorString() if crashed else ""
        ran = Ran(tuple(self._argv), exit_code, _kind(result), kept.text(), self._err.text(), why)
        self._finish(Outcome(exit_code, result, self._err.last_line() or why, ran))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        # A process that started and crashed also sends `finished`.
        if error == QProcess.ProcessError.FailedToStart:
            why = self._process.errorString()
            ran = Ran(tuple(self._argv), -1, "not_started", "", "", why)
            self._finish(Outcome(-1, None, why, ran))

    def _finish(self, outcome: Outcome) -> None:
        done, self._done = self._done, None
        if done is not None:
            done(outcome)


def _parse(out: bytes) -> Any:
    """One JSON value, or the list of the values of several lines."""
    try:
        return json.loads(out)
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in out.splitlines() if line.strip()] or None
    except ValueError:
        return None


def _kind(result: Any) -> str:
    """The kind of the first error that a command reported; "" for none."""
    found = (str(entry["error"]) for entry in entries(result) if entry.get("error"))
    return next(found, "")


def said(outcome: Outcome) -> str:
    """The one sentence of a command that failed."""
    answer = outcome.result if isinstance(outcome.result, dict) else {}
    found = str(answer.get("message") or outcome.message)
    if found or outcome.ok:
        return found
    text = translate("commands", "The command ended with exit code {code}.")
    return text.format(code=outcome.exit_code)


def entries(result: Any) -> list[dict[str, Any]]:
    """What a command reported, one object a session."""
    if isinstance(result, dict):
        result = [result]
    if not isinstance(result, list):
        return []
    return [entry for entry in result if isinstance(entry, dict)]
