# SPDX-License-Identifier: Apache-2.0
"""What live runs add to the window: questions, progress, and a word when they end badly."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tenuto.clock import rfc3339_now
from tenuto.paths import data_dir
from tenuto.sources.base import SessionSummary
from tenuto.sources.desk import Asked, ask_to_suspend
from tenuto.text import visible
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import error_words
from tenuto_gui.detail import Detail
from tenuto_gui.dialogs.question import ask
from tenuto_gui.i18n import in_turn, translate
from tenuto_gui.jobs import Jobs
from tenuto_gui.notice import Notice, NoticeBar
from tenuto_gui.refusals import GONE, named
from tenuto_gui.report import report
from tenuto_gui.runs.approval import ApprovalPanel
from tenuto_gui.runs.chat import ChatInput
from tenuto_gui.runs.elsewhere import ElsewhereStrip
from tenuto_gui.runs.log import WorkerLogs, entry
from tenuto_gui.runs.protocol import Finished, Refused
from tenuto_gui.runs.strip import RunStrip
from tenuto_gui.runs.worker import RunController, RunOutcome

_KEY = "run"


class Running(QObject):
    """Puts panel and strip into the detail side and keeps them on the session shown there."""

    #: A worker of ours started or ended: the session's id.
    changed = Signal(str)
    #: A question is asked by another session, and the operator wants to see it: its id.
    session_wanted = Signal(str)

    def __init__(
        self,
        context: AppContext,
        detail: Detail,
        notices: NoticeBar,
        jobs: Jobs,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._context = context
        self._notices = notices
        self._jobs = jobs
        self._window = window
        self._summary: SessionSummary | None = None
        #: Processes of workers of this window: a row may name one that has just ended.
        self._own: set[int] = set()
        #: What to say of a run that could not go on, where somebody knows more than its message.
        self.explain: Callable[[str, RunOutcome], Notice | None] = lambda _run, _outcome: None
        #: What a session is called; set by whoever lists them.
        self.title_of: Callable[[str], str] = lambda run: run
        #: What the runs at work were called when they began: their rows may go before they do.
        self._names: dict[str, str] = {}
        self.controller = RunController(context, self)
        self.panel = ApprovalPanel(context, detail)
        self.chat = ChatInput(context, detail)
        self.strip = RunStrip(context, detail)
        self.elsewhere = ElsewhereStrip(context, detail)
        self.panel.facts_of = detail.transcript.call_facts
        self.panel.session_wanted.connect(self.session_wanted)
        self.panel.attach(self.controller)
        self.chat.attach(self.controller)
        self.strip.attach(self.controller)
        self.strip.abort_requested.connect(self.abort)
        self.elsewhere.suspend_requested.connect(self._on_suspend_elsewhere)
        detail.column.addWidget(self.panel)
        detail.column.addWidget(self.chat)
        detail.column.addWidget(self.elsewhere)
        detail.column.addWidget(self.strip)
        self.controller.run_event.connect(detail.transcript.on_run_event)
        self.controller.finished.connect(detail.transcript.on_run_finished)
        self.controller.started.connect(self._on_started)
        self.controller.finished.connect(self._on_finished)

    def set_session(self, summary: SessionSummary | None) -> None:
        """Follow the session that is shown."""
        self.panel.set_run(summary.id if summary else "")
        self.chat.set_session(summary)
        self.strip.set_session(summary)
        self._summary = summary
        self._show_elsewhere()

    def _show_elsewhere(self) -> None:
        summary = self._summary
        evidence = summary.evidence if summary is not None else None
        ours = summary is not None and self.controller.is_live(summary.id)
        ours = ours or (evidence is not None and evidence.pid in self._own)
        self.elsewhere.set_session(summary, ours=ours)

    # --- stopping --------------------------------------------------------------------------------

    def suspend(self, summary: SessionSummary) -> None:
        """Let a run finish its step and rest, whoever started it."""
        if self.controller.is_live(summary.id):
            self.controller.suspend(summary.id)
            self.strip.set_session(self._summary)
        elif not (self.elsewhere.was_told and self._is_shown(summary)):
            self._suspend_elsewhere(summary)

    def _is_shown(self, summary: SessionSummary) -> bool:
        return self._summary is not None and self._summary.id == summary.id

    def _on_suspend_elsewhere(self) -> None:
        if self._summary is not None:
            self.suspend(self._summary)

    def _suspend_elsewhere(self, summary: SessionSummary) -> None:
        directory = self._context.runs_dir
        if self._is_shown(summary):
            self.elsewhere.set_told(True)

        def done(asked: Asked) -> None:
            if asked == "asked":
                return
            if self._is_shown(summary):
                self.elsewhere.set_told(False)
            if asked != "gone":
                text = {
                    "foreign": translate("Runs", "It is worked on by another program."),
                    "cannot": translate("Runs", "The system does not let it be told."),
                }[asked]
                text += " " + translate("Runs", "Stop it where it runs.")
                title = translate("Runs", "The run was not suspended")
                self._notices.show_notice(Notice("failed", title, text, key=_KEY))
            self.changed.emit(summary.id)

        self._jobs.run(lambda: ask_to_suspend(directory, summary.id), done)

    def abort(self, session_id: str) -> None:
        """Ask once, then stop it at once."""
        run = self.controller.run(session_id)
        if run is None or run.phase == "aborting":
            return
        text = translate(
            "Runs",
            "Nothing of this step is written, and the run reads interrupted. Suspend lets it finish"
            " the step instead.",
        )
        if run.tool:
            tool = translate("Runs", "{tool} is at work: it is killed, with all that it started.")
            text = in_turn(tool.format(tool=visible(run.tool)), text)
        ask(
            self._window,
            translate("Runs", "Abort this run?"),
            text,
            translate("Runs", "Abort"),
            lambda: self._abort(session_id),
        )

    def _abort(self, session_id: str) -> None:
        self.controller.abort(session_id)
        self.strip.set_session(self._summary)

    # --- the log ---------------------------------------------------------------------------------

    @property
    def logs(self) -> WorkerLogs:
        """What workers of this folder's runs said."""
        return WorkerLogs(data_dir() / "logs", self._context.runs_dir)

    def show_log(self, summary: SessionSummary) -> None:
        """In a window of its own."""
        from tenuto_gui.transcript.window import OutputWindow

        def found(text: str) -> None:
            title = translate("Runs", "Worker log of {name}")
            heading = title.format(name=summary.title or summary.id)
            OutputWindow(self._context, heading, text, self._window).show()

        def failed(error: BaseException) -> None:
            title = translate("Runs", "The log cannot be read")
            self._notices.show_notice(Notice("failed", title, error_words(error), key=_KEY))

        logs = self.logs
        self._jobs.run(lambda: logs.read(summary.id), found, failed)

    def _keep_log(self, session_id: str, outcome: RunOutcome) -> None:
        if outcome.is_smooth:
            return
        logs = self.logs
        text = entry(
            when=rfc3339_now(),
            pid=outcome.pid,
            exit_code=outcome.exit_code,
            message=outcome.message,
            warnings=outcome.warnings,
            log=outcome.log,
        )

        def written(_result: object) -> None:
            self.changed.emit(session_id)

        # A disk that is full keeps no log; the notice of what happened has it all.
        self._jobs.run(lambda: logs.add(session_id, text), written, lambda _error: None)

    # --- what workers report ---------------------------------------------------------------------

    def _on_started(self, session_id: str) -> None:
        self._notices.retract(_KEY)
        if (run := self.controller.run(session_id)) is not None:
            self._own.add(run.pid)
        self._names[session_id] = self.title_of(session_id)
        self._show_elsewhere()
        self.changed.emit(session_id)

    def _on_finished(self, session_id: str, outcome: RunOutcome) -> None:
        self.changed.emit(session_id)
        self._show_elsewhere()
        self._keep_log(session_id, outcome)
        if (notice := self._notice_of(session_id, outcome)) is not None:
            self.say(session_id, notice)
        self._names.pop(session_id, None)

    def say(self, session_id: str, notice: Notice) -> None:
        """Say something of a session; by its name where another one is shown."""
        name = self.title_of(session_id)
        if name == session_id:
            name = self._names.get(session_id, name)
        if notice.key == GONE:
            notice = named(notice, name)
        elif self._summary is None or self._summary.id != session_id:
            notice = named(notice, name, lambda: self.session_wanted.emit(session_id))
        self._notices.show_notice(notice)

    def _notice_of(self, session_id: str, outcome: RunOutcome) -> Notice | None:
        # A refusal has its own notice, and how a run ended is in its row and its last block: but
        # for an end on the model's side, where there is something to do.
        last = outcome.event
        if outcome.aborted or isinstance(last, Refused):
            return None
        if isinstance(last, Finished) and not last.cause:
            return None
        if (outcome.exit_code == 0 and not outcome.message) or outcome.never_began:
            return None
        if (notice := self.explain(session_id, outcome)) is not None:
            return notice
        code = "none" if outcome.exit_code is None else outcome.exit_code
        head = "\n".join(("run: " + session_id, f"exit code: {code}", outcome.message))
        return Notice(
            "failed",
            self.tr("The run could not go on"),
            outcome.message,
            key=_KEY,
            details=report(head, [("stderr", outcome.log)]),
        )
