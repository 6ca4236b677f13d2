# SPDX-License-Identifier: Apache-2.0
"""From "Resume" to a running worker: which configuration, whose words, what stands in the way."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from tenuto.sources.base import SessionSummary
from tenuto_gui import format as figures
from tenuto_gui import terminal
from tenuto_gui.command import CommandRunner, Outcome
from tenuto_gui.context import AppContext
from tenuto_gui.detail import Detail
from tenuto_gui.force_review import ForceReview
from tenuto_gui.i18n import enumerated, translate
from tenuto_gui.jobs import Jobs
from tenuto_gui.named import joined, name_in
from tenuto_gui.notice import Button, Notice, NoticeBar
from tenuto_gui.refusals import KEY, WaysOut, failure_notice, nothing_changed, refusal_notice
from tenuto_gui.runs import protocol
from tenuto_gui.runs.budget import ended_at_limit, used_up
from tenuto_gui.runs.deed import ForcePanel, SayPanel
from tenuto_gui.runs.worker import RunController, RunOutcome


@dataclass(frozen=True)
class _Attempt:
    """With what a session was last resumed; ``say``: words of the operator."""

    config: str = ""
    force: bool = False
    say: str = ""


class ResumeFlow(QObject):
    """One per window. Asks for nothing it can find out."""

    #: The operator should see what differs: id, configuration.
    show_configuration = Signal(str, str)
    #: A fork of a session is wanted: id.
    fork_wanted = Signal(str)

    def __init__(
        self,
        context: AppContext,
        controller: RunController,
        jobs: Jobs,
        commands: CommandRunner,
        notices: NoticeBar,
        detail: Detail,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._context = context
        self._controller = controller
        self._jobs = jobs
        self._commands = commands
        self._notices = notices
        self._detail = detail
        self._window = window
        self._tried: dict[str, _Attempt] = {}
        #: Looks up a session; set by whoever lists them.
        self.summary_of: Callable[[str], SessionSummary | None] = lambda _id: None
        #: Says something of a session where the operator is looking.
        self.say: Callable[[str, Notice], None] = lambda _id, notice: notices.show_notice(notice)
        self.force_panel = ForcePanel(context, detail)
        self.say_panel = SayPanel(context, detail)
        self._review = ForceReview(context, commands, jobs, self.force_panel, self)
        self._review.confirmed.connect(self._on_force)
        self.say_panel.said.connect(self._on_said)
        self.force_panel.left.connect(lambda: self._notices.retract(KEY))
        for place, panel in enumerate((self.force_panel, self.say_panel)):
            # Below the tabs, as every panel.
            detail.column.insertWidget(detail.column.indexOf(detail.tabs) + 1 + place, panel)
        controller.started.connect(self._on_started)
        controller.run_event.connect(self._on_event)
        controller.refused.connect(self._on_refused)

    def set_session(self, summary: SessionSummary | None) -> None:
        """Follow the session that is shown."""
        self.force_panel.set_session(summary)
        self.say_panel.set_session(summary)

    # --- what is asked for -----------------------------------------------------------------------

    def resume(self, summary: SessionSummary) -> None:
        """Go on under the configuration that is known, that matches, or that is chosen."""
        self._find(summary, lambda config: self.resume_with(summary, config))

    def resume_with(self, summary: SessionSummary, config: str, say: str = "") -> None:
        """Go on under this configuration, unless there is nothing left to spend."""
        attempt = _Attempt(config, say=say)
        if not ended_at_limit(summary):
            self._start(summary.id, attempt)
            return

        def done(outcome: Outcome) -> None:
            if used_up(summary, outcome.result):
                self._say_budget(summary, attempt, outcome)
            else:
                self._start(summary.id, attempt)

        word = self._context.source.word(summary.id)
        words = ["session", "diff", word, "--config", config, "--json"]
        self._commands.run(words, done)

    def ask_words(self, summary: SessionSummary) -> None:
        """Let the operator type what the run goes on with."""
        self._tried.pop(summary.id, None)
        self.say_to(summary.id)

    def say_to(self, session_id: str) -> None:
        """As `ask_words`, also for a session that is not listed yet."""
        why = translate("say", "It is added when what is still open is done.")
        self._detail.show_transcript()
        self.say_panel.ask(session_id, why)

    def review_force(self, summary: SessionSummary) -> None:
        """Show what would be forced; nothing runs before the operator confirms it there."""
        self._find(summary, lambda config: self.review(summary.id, config))

    def review(self, session_id: str, config: str) -> None:
        """The difference in view, what it means below it. No button of it is a default one."""
        summary = self.summary_of(session_id)
        if summary is None:
            return
        self.say_panel.close_for(session_id)
        self._compare(session_id, config)
        self._review.review(summary, config)

    def _compare(self, session_id: str, config: str) -> None:
        """The difference in view; its verdict says again what the notice said, and ways on."""
        self._notices.retract(KEY)
        self.show_configuration.emit(session_id, config)

    def start(self, session_id: str, config: str, *, force: bool = False, say: str = "") -> None:
        """Resume with this configuration."""
        self._start(session_id, _Attempt(config, force, say))

    def _start(self, session_id: str, attempt: _Attempt) -> None:
        self._notices.retract(KEY)
        self._tried[session_id] = attempt
        self._controller.resume(session_id, attempt.config, attempt.force, attempt.say)

    def _on_force(self, session_id: str, config: str) -> None:
        self._detail.show_transcript()
        say = self._tried.get(session_id, _Attempt()).say
        self._start(session_id, _Attempt(config, True, say))

    def _on_said(self, session_id: str, text: str) -> None:
        before = self._tried.get(session_id)
        if before is not None:
            # A resume that was refused for want of words.
            self._start(session_id, _Attempt(before.config, before.force, text))
        elif (summary := self.summary_of(session_id)) is not None:
            self._find(summary, lambda config: self.resume_with(summary, config, text))

    # --- in a terminal ---------------------------------------------------------------------------

    def open_terminal(self, summary: SessionSummary) -> None:
        """Go on in the operator's own terminal: with Tenuto, else with the program it is from."""
        word = self._context.source.word(summary.id)
        able = self._context.source.capabilities(summary)
        if not able.resume.allowed and able.hand_over.allowed:
            self._start_terminal(summary, "reasonix", "open", word)
            return
        self._find(
            summary,
            lambda config: self._start_terminal(summary, "resume", word, "--config", config),
        )

    def _start_terminal(self, summary: SessionSummary, *words: str) -> None:
        from PySide6.QtCore import QProcess

        from tenuto.agent.choice import working_directory_of

        argv = self._context.command(*words)
        ended = self.tr("Enter closes this window. It ended with exit code")
        line = terminal.command(self._context.settings.terminal, argv, ended)
        cwd = working_directory_of(summary)
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
                    key=KEY,
                )
            )

    def command_line(self, summary: SessionSummary) -> str:
        """What resumes this session in a terminal."""
        import shlex

        from tenuto.agent.choice import last_used_of, runs_dir_with

        directory = self._context.runs_dir
        words = ["tenuto", "resume", self._context.source.word(summary.id)]
        config = last_used_of(summary)
        words += ["--config", config] if config else ["--config", "FILE"]
        # A configuration may name another folder, and so may one that is still to be chosen.
        if not config or directory != runs_dir_with(config, self._context.settings):
            words += ["--state-dir", str(directory)]
        return shlex.join(words)

    # --- which configuration ---------------------------------------------------------------------

    def _find(self, summary: SessionSummary, go_on: Callable[[str], None]) -> None:
        """The configuration of a run, found or asked for, for ``go_on``."""
        directory = self._context.runs_dir

        def look() -> tuple[str | None, str | None]:
            from tenuto.agent.choice import configuration_of, last_used_in

            config = configuration_of(summary)
            return config, None if config else last_used_in(directory)

        def found(configs: tuple[str | None, str | None]) -> None:
            config, of_folder = configs
            if config is not None:
                go_on(config)
            elif of_folder is not None:
                self._offer(summary, of_folder, go_on)
            else:
                self._ask(go_on)

        self._jobs.run(look, found, lambda _error: self._ask(go_on))

    def _offer(self, summary: SessionSummary, config: str, go_on: Callable[[str], None]) -> None:
        """None matches: the one last used in this folder is at hand, but may not be the one."""
        text = translate("resume", "The one last used in this folder is {path}.")
        self._notices.show_notice(
            Notice(
                "changed",
                translate("resume", "No known configuration is the one of this run"),
                name_in(text, "path", figures.home_path(config)),
                (
                    Button(
                        translate("resume", "Compare with that one"),
                        lambda: self._compare(summary.id, config),
                        primary=True,
                        name="compareFolder",
                    ),
                    Button(
                        translate("refusals", "Choose configuration\u2026"),
                        lambda: self._ask(go_on),
                        name="noticeChoose",
                    ),
                ),
                KEY,
            )
        )

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

    # --- what stands in the way ------------------------------------------------------------------

    def _say_budget(self, summary: SessionSummary, attempt: _Attempt, outcome: Outcome) -> None:
        """Nothing was spent: which key to raise, and in which file."""
        found = used_up(summary, outcome.result)
        keys = enumerated(each.key for each in found)
        raise_it = name_in(
            translate("budget", "Raise {key} in {path}, then resume with force."),
            "path",
            figures.home_path(attempt.config),
            key=keys,
        )
        buttons = [
            Button(
                translate("refusals", "Open the configuration"),
                lambda: self._open(attempt.config),
                primary=True,
                name="noticeOpenConfig",
            ),
            Button(
                translate("budget", "Resume all the same"),
                lambda: self._start(summary.id, attempt),
                name="noticeSpend",
            ),
        ]
        text = joined([found[0].effect, raise_it])
        self._notices.show_notice(Notice("limit", found[0].title, text, tuple(buttons), KEY))

    def _ways(self, session_id: str) -> WaysOut:
        attempt = self._tried.get(session_id, _Attempt())
        return WaysOut(
            show_changed=lambda: self._compare(session_id, attempt.config),
            force=lambda: self.review(session_id, attempt.config),
            choose=lambda: self._ask(
                lambda config: self.start(session_id, config, say=attempt.say)
            ),
            fork=lambda: self.fork_wanted.emit(session_id),
            again=lambda: self._start(session_id, attempt),
            records=lambda: self._detail.show_view("recordsView"),
            open_config=lambda: self._open(attempt.config),
        )

    @staticmethod
    def _open(config: str) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(config))

    def explain(self, session_id: str, outcome: RunOutcome) -> Notice | None:
        """What to say of a worker that failed."""
        ways = self._ways(session_id)
        if session_id not in self._tried:
            # It began, and what was tried is history: another resume begins from what is known.
            ways = replace(ways, again=lambda: self._again(session_id))
        return failure_notice(outcome, ways)

    def _again(self, session_id: str) -> None:
        if (summary := self.summary_of(session_id)) is not None:
            self.resume(summary)

    def _on_started(self, session_id: str) -> None:
        self.force_panel.close_for(session_id)

    def _on_event(self, session_id: str, event: object) -> None:
        if isinstance(event, protocol.Starting):
            # It goes on: what was tried and typed is history.
            self._tried.pop(session_id, None)
            self.say_panel.forget(session_id)

    def _on_refused(self, session_id: str, refused: protocol.Refused) -> None:
        if refused.reason == "message_required":
            why = translate("say", "The conversation ends with the model\u2019s own words.")
            self._detail.show_transcript()
            self.say_panel.ask(session_id, nothing_changed(why))
            return
        self.say(session_id, refusal_notice(refused, self._ways(session_id)))
