# SPDX-License-Identifier: Apache-2.0
"""What a force means for a run: compared by the command line, its calls counted in the background.

Nothing runs before the operator confirmed it in the panel.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from tenuto.sources.base import SessionSummary
from tenuto.sources.desk import Forced
from tenuto_gui.command import CommandRunner, Outcome, said
from tenuto_gui.config_check import checked
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import error_words
from tenuto_gui.diff.model import comparison
from tenuto_gui.diff.words import verdict
from tenuto_gui.i18n import stopped, translate
from tenuto_gui.jobs import Jobs
from tenuto_gui.runs.budget import used_up
from tenuto_gui.runs.deed import ForcePanel
from tenuto_gui.runs.force_facts import Fact, Used, facts, used_tools


@dataclass
class _Gathered:
    """What was found out so far for one look at one run."""

    summary: SessionSummary
    config: str
    diff: Outcome | None = None
    today: frozenset[str] | None = None
    is_checked: bool = False
    used: Used | None = None
    forced: tuple[Forced, ...] = ()


class ForceReview(QObject):
    """Fills the panel; `confirmed` is the operator's word."""

    #: session id, configuration
    confirmed = Signal(str, str)

    def __init__(
        self,
        context: AppContext,
        commands: CommandRunner,
        jobs: Jobs,
        panel: ForcePanel,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._commands = commands
        self._jobs = jobs
        self.panel = panel
        self._now: _Gathered | None = None
        panel.confirmed.connect(self.confirmed)

    def review(self, summary: SessionSummary, config: str) -> None:
        """Open the panel, and find out what is to be said in it."""
        now = self._now = _Gathered(summary, config)
        self.panel.ask(summary.id, config)
        word = self._context.source.word(summary.id)
        words = ["session", "diff", word, "--config", config, "--json"]
        self._commands.run(words, lambda outcome: self._on_diff(now, outcome))
        words = ["config", "check", config, "--json"]
        self._commands.run(words, lambda outcome: self._on_check(now, outcome), bare=True)
        source, directory = self._context.source, self._context.runs_dir

        def look() -> tuple[Used, tuple[Forced, ...]]:
            from tenuto.sources.desk import load_notes

            transcript = source.open(summary.id)
            try:
                transcript.refresh(stop=lambda: self._jobs.stopped)
                used = used_tools(transcript.blocks)
            finally:
                transcript.close()
            return used, load_notes(directory, summary.id).forced

        def found(result: tuple[Used, tuple[Forced, ...]]) -> None:
            now.used, now.forced = result
            self._show(now)

        def failed(error: BaseException) -> None:
            if now is self._now:
                self._fail(error_words(error))

        self._jobs.run(look, found, failed)

    def _on_diff(self, now: _Gathered, outcome: Outcome) -> None:
        now.diff = outcome
        self._show(now)

    def _on_check(self, now: _Gathered, outcome: Outcome) -> None:
        found = checked(outcome)
        now.today = frozenset(tool.name for tool in found.tools) if found.ok else None
        now.is_checked = True
        self._show(now)

    def _show(self, now: _Gathered) -> None:
        if now is not self._now or now.diff is None:
            return
        found = comparison(now.diff.result)
        if found is None:
            self._fail(said(now.diff))
            return
        if now.used is None or not now.is_checked:
            return
        if found.resumable:
            reason = translate("force", "Nothing needs to be forced: it resumes as it is")
            self.panel.set_facts([Fact("check", "done", reason)], reason)
            return
        if not found.forceable:
            words = verdict(found)
            reason = stopped(words.title, words.text)
            self.panel.set_facts([Fact(words.icon, words.token, reason)], reason)
            return
        budgets = used_up(now.summary, now.diff.result)
        self.panel.set_facts(facts(found, now.used, now.today, now.forced, budgets))

    def _fail(self, why: str) -> None:
        self._now = None
        reason = translate("force", "What it means cannot be told: {why}").format(why=why)
        self.panel.set_facts([Fact("warn", "fail", reason)], reason)
