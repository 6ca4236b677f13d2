# SPDX-License-Identifier: Apache-2.0
"""Runs `tenuto` commands: every verb of the window that writes goes through the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QObject

from tenuto.sentences import others_words
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import told_words, words
from tenuto_gui.i18n import translate

if TYPE_CHECKING:
    from tenuto_gui.command_process import CommandProcess
    from tenuto_gui.report import Ran


class Outcome(msgspec.Struct, frozen=True):
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
        self._running: set[CommandProcess] = set()

    def run(
        self, arguments: list[str], done: Callable[[Outcome], None], *, bare: bool = False
    ) -> None:
        """Run ``tenuto ARGUMENTS`` on the folder that is shown, then ``done(outcome)``.

        ``bare``: without naming that folder, where a command knows a better one.
        """
        from tenuto_gui.command_process import CommandProcess

        context = self.context
        argv = [*context.launcher, *arguments] if bare else context.command(*arguments)
        command = CommandProcess(argv, self)
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
        """Let running commands end (they are short) before the window goes.

        So may what they lead to: an answer can start the next one.
        """
        waited: set[CommandProcess] = set()
        while left := self._running - waited:
            for command in left:
                command.wait(milliseconds)
            waited |= left


def said(outcome: Outcome) -> str:
    """The one sentence of a command that failed."""
    answer = outcome.result if isinstance(outcome.result, dict) else {}
    found = told_words(answer)
    if not found and outcome.message:
        # The last line of its stderr, or what Qt said of it.
        found = words(others_words(outcome.message))
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
