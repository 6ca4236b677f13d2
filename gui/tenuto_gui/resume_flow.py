# SPDX-License-Identifier: Apache-2.0
"""From "Resume" to a running worker: which configuration, and what to say when it is refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from tenuto.sources.base import SessionSummary
from tenuto_gui import terminal
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.jobs import Jobs
from tenuto_gui.notice import Button, Notice, NoticeBar
from tenuto_gui.runs.worker import RunController

_KEY = "resume"


class ResumeFlow(QObject):
    """One per window. Asks for nothing it can find out."""

    #: The operator should see what differs: id, configuration.
    show_configuration = Signal(str, str)

    def __init__(
        self,
        context: AppContext,
        controller: RunController,
        jobs: Jobs,
        notices: NoticeBar,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._context = context
        self._controller = controller
        self._jobs = jobs
        self._notices = notices
        self._window = window
        #: What each session was last resumed with, for the buttons of a refusal.
        self._tried: dict[str, str] = {}
        controller.refused.connect(self._on_refused)

    def resume(self, summary: SessionSummary) -> None:
        """Go on under the configuration that is known, that matches, or that is chosen."""
        self._find(summary, lambda config: self.start(summary.id, config))

    def review_force(self, summary: SessionSummary) -> None:
        """Show what would be forced; nothing runs before the operator confirms it there."""
        self._find(summary, lambda config: self.review(summary.id, config))

    def open_terminal(self, summary: SessionSummary) -> None:
        """Resume it in the operator's own terminal instead of this window."""
        self._find(summary, lambda config: self._start_terminal(summary.id, config))

    def _start_terminal(self, session_id: str, config: str) -> None:
        from PySide6.QtCore import QProcess

        from tenuto.runs import notes

        directory = self._context.runs_dir
        argv = self._context.command("resume", session_id, "--config", config)
        line = terminal.command(self._context.settings.terminal, argv)
        cwd = notes.load(directory, session_id).cwd or ""
        started = bool(line) and QProcess.startDetached(
            line[0], line[1:], cwd if os.path.isdir(cwd) else os.path.expanduser("~")
        )
        # Older bindings answer with the process id beside it.
        if not (started[0] if isinstance(started, tuple) else started):
            self._notices.show_notice(
                Notice(
                    "failed",
                    self.tr("No terminal could be opened"),
                    self.tr("Name yours in the settings. Nothing has been changed."),
                    key=_KEY,
                )
            )

    def start(self, session_id: str, config: str, *, force: bool = False) -> None:
        """Resume with this configuration."""
        self._notices.retract(_KEY)
        self._tried[session_id] = config
        self._controller.resume(session_id, config, force)

    def command_line(self, summary: SessionSummary) -> str:
        """What resumes this session in a terminal."""
        import shlex

        from tenuto.agent.choice import last_used
        from tenuto.paths import runs_dir

        directory = self._context.runs_dir
        words = ["tenuto", "resume", summary.id]
        config = last_used(directory, summary.id)
        words += ["--config", config] if config else ["--config", "FILE"]
        if directory != runs_dir():
            words += ["--state-dir", str(directory)]
        return shlex.join(words)

    # --- which configuration -------------------------------------------------------------------

    def _find(self, summary: SessionSummary, go_on: Callable[[str], None]) -> None:
        """The configuration of a run, found or asked for, for ``go_on``."""
        directory = self._context.runs_dir

        def look() -> str | None:
            from tenuto.agent.choice import configuration_for

            return configuration_for(directory, summary.id)

        def found(config: str | None) -> None:
            if config is None:
                self._ask(go_on)
            else:
                go_on(config)

        self._jobs.run(look, found, lambda _error: self._ask(go_on))

    def _ask(self, go_on: Callable[[str], None]) -> None:
        dialog = QFileDialog(self._window, self.tr("Choose the agent configuration of this run"))
        dialog.setObjectName("chooseConfiguration")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(
            [self.tr("Agent configurations (*.yaml *.yml)"), self.tr("All files (*)")]
        )
        dialog.setLabelText(QFileDialog.DialogLabel.Accept, self.tr("Choose"))
        dialog.fileSelected.connect(go_on)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def review(self, session_id: str, config: str) -> None:
        """Ask before a force, with the difference in view. The button is never the default one."""
        self.show_configuration.emit(session_id, config)
        self._notices.show_notice(
            Notice(
                "changed",
                self.tr("Continue under a configuration that may have changed?"),
                self.tr("The rows below say what differs. The provider must stay the same."),
                (
                    Button(
                        self.tr("Continue with today\u2019s configuration"),
                        lambda: self.start(session_id, config, force=True),
                        name="confirmForce",
                    ),
                    Button(self.tr("Leave it"), self._notices.clear),
                ),
                _KEY,
            )
        )

    # --- refusals ------------------------------------------------------------------------------

    def _on_refused(self, session_id: str, refusal: Any) -> None:
        reason = str(field(refusal, "reason") or "")
        message = str(field(refusal, "message") or "")
        config = self._tried.get(session_id, "")
        title, kind = (
            _refusal_words(reason),
            "unknown" if reason == "outcome_unknown" else "changed",
        )
        buttons: list[Button] = []
        if reason in ("provider", "configuration"):
            buttons.append(
                Button(
                    self.tr("Show what changed"),
                    lambda: self.show_configuration.emit(session_id, config),
                    primary=True,
                    name="showChanged",
                )
            )
        if reason == "configuration":
            buttons.append(
                Button(
                    self.tr("Resume with force\u2026"),
                    lambda: self.review(session_id, config),
                    name="noticeForce",
                )
            )
        if reason == "provider":
            buttons.append(
                Button(
                    self.tr("Choose configuration\u2026"),
                    lambda: self._ask(lambda chosen: self.start(session_id, chosen)),
                    name="noticeChoose",
                )
            )
        text = f"{message} " if message else ""
        notice = Notice(
            "unknown" if kind == "unknown" else "changed",
            title,
            text + self.tr("Nothing has been changed."),
            tuple(buttons),
            _KEY,
        )
        self._notices.show_notice(notice)


def field(value: Any, name: str) -> Any:
    """A field of an event, whether it came as an object or as parsed JSON."""
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def _refusal_words(reason: str) -> str:
    known = {
        "completed": translate("refusals", "This run is completed"),
        "provider": translate("refusals", "This run cannot resume with this configuration"),
        "configuration": translate("refusals", "The configuration changed since the run was saved"),
        "mode": translate("refusals", "This run cannot resume in this way"),
        "message_required": translate("refusals", "This run waits for a message of yours"),
        "outcome_unknown": translate("refusals", "One command may already have run"),
    }
    return known.get(reason) or translate("refusals", "The run was not resumed")
