# SPDX-License-Identifier: Apache-2.0
"""One `tenuto` command at work, and what it printed. Loaded with the first command."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QProcess

from tenuto_gui.command import Outcome, entries
from tenuto_gui.report import Capped, Ran


class CommandProcess(QObject):
    """One process. It reports once, however it ends."""

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
