# SPDX-License-Identifier: Apache-2.0
"""From "New run…" to a worker that has begun: what to choose from, what it comes to, the start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tenuto.sources.base import SessionSummary
from tenuto.sources.desk import new_id
from tenuto_gui.command import CommandRunner, Outcome
from tenuto_gui.config_check import checked
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import error_words
from tenuto_gui.dialogs.new_run import Draft, NewRunDialog
from tenuto_gui.i18n import translate
from tenuto_gui.jobs import Jobs
from tenuto_gui.notice import Notice, NoticeBar
from tenuto_gui.runs import protocol
from tenuto_gui.runs.worker import RunController, RunOutcome

_KEY = "run"
#: Earlier prompts that are offered.
_RECENT = 8


@dataclass
class _Start:
    """A dialog, and the run it started last ("" for none)."""

    dialog: NewRunDialog
    id: str = ""


class NewRuns(QObject):
    """One per window; several dialogs may be open at once."""

    #: A new run has begun, and its journal is there: its id.
    begun = Signal(str)

    def __init__(
        self,
        context: AppContext,
        controller: RunController,
        commands: CommandRunner,
        jobs: Jobs,
        notices: NoticeBar,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._context = context
        self._controller = controller
        self._commands = commands
        self._jobs = jobs
        self._notices = notices
        self._window = window
        self._starts: list[_Start] = []
        #: All sessions there are; set by whoever lists them.
        self.sessions: Callable[[], list[SessionSummary]] = list
        controller.run_event.connect(self._on_event)
        controller.finished.connect(self._on_finished)

    # --- opening ---------------------------------------------------------------------------------

    def ask(self) -> None:
        """Ask what a new run is to do."""
        self._open(Draft())

    def again(self, summary: SessionSummary) -> None:
        """The same prompt once more, as a new run."""
        self._read_draft(summary, self._open)

    def _read_draft(self, summary: SessionSummary, done: Callable[[Draft], None]) -> None:
        """What a session began with: all of its prompt, and the configuration."""
        source, directory = self._context.source, self._context.runs_dir

        def look() -> Draft:
            from tenuto.agent.choice import configuration_for

            transcript = source.open(summary.id)
            try:
                # The prompt is in the first record.
                transcript.refresh(stop=lambda: bool(transcript.blocks))
                prompts = (each.text for each in transcript.blocks if each.kind == "prompt")
                prompt = next(prompts, "")
            finally:
                transcript.close()
            config = configuration_for(directory, summary.id) or ""
            return Draft(config, prompt, chat=summary.interactive)

        def failed(error: BaseException) -> None:
            title = translate("NewRun", "Its prompt cannot be read")
            self._notices.show_notice(Notice("failed", title, error_words(error), key=_KEY))

        self._jobs.run(look, done, failed)

    def _recent(self) -> list[SessionSummary]:
        """The newest runs, each prompt once."""
        runs = [each for each in self.sessions() if each.source == "fisk-ai" and each.prompt]
        found: dict[str, SessionSummary] = {}
        for summary in sorted(runs, key=lambda each: each.activity_key):
            found.setdefault(summary.prompt, summary)
            if len(found) == _RECENT:
                break
        return list(found.values())

    def _take(self, start: _Start, session_id: str) -> None:
        summary = next((each for each in self.sessions() if each.id == session_id), None)

        def read(draft: Draft) -> None:
            if start in self._starts:
                start.dialog.take(draft)

        if summary is not None:
            self._read_draft(summary, read)

    def _open(self, draft: Draft) -> None:
        dialog = NewRunDialog(self._context.theme, self._window)
        start = _Start(dialog)
        self._starts.append(start)
        dialog.destroyed.connect(lambda: self._forget(start))
        dialog.check_wanted.connect(lambda config: self._check(start, config))
        dialog.start_wanted.connect(lambda wanted: self._start(start, wanted))
        dialog.abandoned.connect(lambda: self._abandon(start))
        dialog.recent_wanted.connect(lambda session_id: self._take(start, session_id))
        dialog.set_recent([(each.id, each.prompt) for each in self._recent()])
        directory = self._context.runs_dir

        def look() -> list[str]:
            from tenuto.agent.choice import known_in

            return known_in(directory)

        def found(known: list[str]) -> None:
            if start in self._starts:
                dialog.fill(draft, known)
                dialog.show()

        self._jobs.run(look, found, lambda _error: found([]))

    def _forget(self, start: _Start) -> None:
        self._starts.remove(start)

    def _check(self, start: _Start, config: str) -> None:
        def done(outcome: Outcome) -> None:
            if start in self._starts:
                start.dialog.set_checked(config, checked(outcome))

        self._commands.run(["config", "check", config, "--json"], done, bare=True)

    # --- starting --------------------------------------------------------------------------------

    def _start(self, start: _Start, draft: Draft) -> None:
        id = draft.name or new_id()
        if not self._controller.start(id, draft.config, draft.prompt, chat=draft.chat):
            start.dialog.failed(translate("NewRun", "A run of that name is at work here."))
            return
        start.id = id
        start.dialog.set_starting()

    def _abandon(self, start: _Start) -> None:
        id, start.id = start.id, ""
        self._controller.abort(id)

    def _of(self, run_id: str) -> _Start | None:
        return next((start for start in self._starts if start.id == run_id), None)

    def _on_event(self, run_id: str, event: object) -> None:
        if not isinstance(event, protocol.Starting) or (start := self._of(run_id)) is None:
            return
        start.id = ""
        start.dialog.begun()
        self.begun.emit(run_id)

    def _on_finished(self, run_id: str, outcome: RunOutcome) -> None:
        if (start := self._of(run_id)) is not None:
            start.id = ""
            start.dialog.failed(outcome.message)
