# SPDX-License-Identifier: Apache-2.0
"""Runs `tenuto` commands: every verb of the window that writes goes through the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QProcess

from tenuto_gui.context import AppContext


@dataclass(frozen=True)
class Outcome:
    """How a command ended. ``result`` is what it printed with ``--json``, None if nothing usable.

    ``exit_code`` is -1 when the program could not be started or died.
    """

    exit_code: int
    result: Any
    message: str

    @property
    def ok(self) -> bool:
        return self.exit_code == 0


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
        self._done: Callable[[Outcome], None] | None = None

    def start(self, done: Callable[[Outcome], None]) -> None:
        self._done = done
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)
        self._process.start(self._argv[0], self._argv[1:])
        self._process.closeWriteChannel()

    def wait(self, milliseconds: int) -> None:
        self._process.waitForFinished(milliseconds)

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        out = bytes(self._process.readAllStandardOutput().data())
        err = bytes(self._process.readAllStandardError().data()).decode(errors="replace")
        crashed = status == QProcess.ExitStatus.CrashExit
        self._finish(Outcome(-1 if crashed else code, _parse(out), _last_line(err)))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        # A process that started and crashed also sends `finished`.
        if error == QProcess.ProcessError.FailedToStart:
            self._finish(Outcome(-1, None, self._process.errorString()))

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


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def said(outcome: Outcome) -> str:
    """The one sentence of a command that failed."""
    answer = outcome.result if isinstance(outcome.result, dict) else {}
    return str(answer.get("message") or outcome.message)


def entries(result: Any) -> list[dict[str, Any]]:
    """What a command reported, one object a session."""
    if isinstance(result, dict):
        result = [result]
    if not isinstance(result, list):
        return []
    return [entry for entry in result if isinstance(entry, dict)]
