# SPDX-License-Identifier: Apache-2.0
"""The Configuration tab: what a run was saved with beside an agent configuration of today.

The comparison is made by the command line (``tenuto session diff``) in a process of its own, and
only while the tab is looked at; the window never waits for it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tenuto.sources.base import SessionSummary
from tenuto.text import visible
from tenuto_gui import format as figures
from tenuto_gui.command import CommandRunner, Outcome, said
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import words
from tenuto_gui.diff.bar import VerdictBar
from tenuto_gui.diff.foot import ButtonFoot
from tenuto_gui.diff.model import Comparison, comparison, problems
from tenuto_gui.diff.run_with import RunWith
from tenuto_gui.diff.table import DiffTable
from tenuto_gui.diff.words import Said, between, problem, verdict, why_not
from tenuto_gui.i18n import enumerated, translate
from tenuto_gui.jobs import Jobs
from tenuto_gui.plain import plain_tip
from tenuto_gui.runs.pieces import RoleLabel, button
from tenuto_gui.style import PRIMARY

_MOST_PROBLEMS = 20


class ConfigurationView(QWidget):
    """One session's saved configuration against a chosen file."""

    resume_requested = Signal(str)
    force_requested = Signal(str)
    #: The operator wants to compare with another session, and `set_other` is to be told which.
    compare_requested = Signal()
    #: A comparison ended, well or not.
    compared = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("configurationView")
        self._context = context
        self._summary: SessionSummary | None = None
        self.config = ""
        #: Another session in place of a configuration: its id, and what it is called.
        self.other = ""
        self._other_name = ""
        self.comparison: Comparison | None = None
        #: What the comparison on show is of: id, file's facts, configuration.
        self._made_for: tuple[object, ...] = ()
        self._running_for: tuple[object, ...] = ()
        self._looked_for_config = False
        self._commands = CommandRunner(context, self)
        self._jobs = Jobs(self, workers=1)
        self._build()
        self._say_state()

    def _build(self) -> None:
        theme = self._context.theme
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._bar = VerdictBar(theme, self)
        self._bar.use_asked.connect(self.set_config)
        column.addWidget(self._bar)
        self.table = DiffTable(theme, self)
        column.addWidget(self.table, 1)
        self.run_with = RunWith(self._context, self)
        self.run_with.shown.connect(self.compared)
        self.run_with.failed.connect(self._say_unreadable)
        column.addWidget(self.run_with, 1)
        foot = self._foot = ButtonFoot(theme, self)
        self._hint = RoleLabel(theme, "body", "text2", foot)
        self._hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.compare_button = button(
            theme, translate("Configuration", "Compare with\u2026"), "compareWith"
        )
        self.compare_button.clicked.connect(self.compare_requested)
        self.choose_button = button(
            theme, translate("Configuration", "Choose configuration\u2026"), "chooseConfig"
        )
        self.force_button = button(
            theme, translate("Configuration", "Resume with force\u2026"), "resumeWithForce"
        )
        self.resume_button = button(theme, translate("Configuration", "Resume"), "resumeFromDiff")
        self.choose_button.clicked.connect(self.choose)
        self.force_button.clicked.connect(lambda: self.force_requested.emit(self.config))
        self.resume_button.clicked.connect(lambda: self.resume_requested.emit(self.config))
        foot.fill(
            self._hint,
            [self.compare_button, self.choose_button, self.force_button, self.resume_button],
        )
        column.addWidget(foot)

    # --- what is compared ------------------------------------------------------------------------

    def set_session(self, summary: SessionSummary | None) -> None:
        """Compare another session, or the same one after it grew."""
        same = (
            summary is not None
            and self._summary is not None
            and (summary.id, summary.path) == (self._summary.id, self._summary.path)
        )
        self._summary = summary
        if not same:
            self.config = self.other = ""
            self.comparison = None
            self._made_for = ()
            self._looked_for_config = False
            self.run_with.show_session(None)
            self.table.clear()
            self._say_state()
        self._look()

    def set_config(self, config: str) -> None:
        """Compare with this agent configuration."""
        if config != self.config or self.other:
            self.comparison = None
            self.table.clear()
        self.config = config
        self.other = ""
        self._looked_for_config = True
        # The file may have been edited since.
        self._made_for = ()
        self._say_state()
        self._look()

    def set_other(self, session_id: str, name: str) -> None:
        """Compare with what another session was saved with."""
        self.other, self._other_name = session_id, name
        self.comparison = None
        self._made_for = ()
        self.table.clear()
        self._say_state()
        self._look()

    def refresh(self) -> None:
        """Compare again: the configuration may have been edited."""
        self._made_for = ()
        self._look()

    def choose(self) -> None:
        """Let the operator choose a configuration; nothing waits for that."""
        dialog = QFileDialog(self, translate("Configuration", "Choose an agent configuration"))
        dialog.setObjectName("chooseConfiguration")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(
            [
                translate("Configuration", "Agent configurations (*.yaml *.yml)"),
                translate("Configuration", "All files (*)"),
            ]
        )
        dialog.setLabelText(QFileDialog.DialogLabel.Accept, translate("Configuration", "Choose"))
        if self.config:
            dialog.setDirectory(str(Path(self.config).parent))
        dialog.fileSelected.connect(self.set_config)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def shutdown(self) -> None:
        """Let what runs end: a comparison writes nothing and is short."""
        self._jobs.stop()
        self.run_with.shutdown()
        self._commands.wait(5000)

    def _wanted(self) -> tuple[object, ...]:
        summary = self._summary
        if summary is None or not (self.config or self.other):
            return ()
        with_what = (self.config, self.other)
        return (summary.id, summary.path, summary.size, summary.mtime_ns, *with_what)

    def _look(self) -> None:
        """Start what is missing, if anybody looks."""
        summary = self._summary
        if summary is None or not self.isVisible():
            return
        if self._nothing_saved():
            self._say_state()
            self.run_with.show_session(summary)
            return
        if not self.config and not self.other:
            self._find_config(summary)
            return
        wanted = self._wanted()
        if wanted in (self._made_for, self._running_for):
            return
        self._running_for = wanted
        self._say_state()
        with_what = ["--with", self.other] if self.other else ["--config", self.config]
        words = ["session", "diff", self._context.source.word(summary.id), *with_what, "--json"]
        self._commands.run(words, lambda outcome: self._on_compared(wanted, outcome))

    def _nothing_saved(self) -> str:
        """Why no session of this kind can be compared; "" where some can."""
        if self._summary is None:
            return ""
        able = self._context.source.capabilities(self._summary).diff
        return words(able.said or "") if able.code == "not_supported" else ""

    def _find_config(self, summary: SessionSummary) -> None:
        """The configuration it last ran with, or a known one whose fingerprint matches."""
        if self._looked_for_config:
            return
        self._looked_for_config = True

        def look() -> str | None:
            from tenuto.agent.choice import configuration_of

            return configuration_of(summary)

        def found(config: str | None) -> None:
            if config and not self.config and not self.other and self._summary is summary:
                self.set_config(config)

        # A folder of configurations that cannot be read leaves the choice to the operator.
        self._jobs.run(look, found, lambda _error: None)

    def _on_compared(self, wanted: tuple[object, ...], outcome: Outcome) -> None:
        if self._running_for == wanted:
            self._running_for = ()
        if wanted != self._wanted():
            self._look()
            return
        self._made_for = wanted
        self.comparison = comparison(outcome.result)
        if self.comparison is None:
            self.table.clear()
            self._say_failure(outcome)
        else:
            self._show_comparison(self.comparison)
        self.compared.emit()

    # --- what is said ----------------------------------------------------------------------------

    def _show_comparison(self, found: Comparison) -> None:
        summary = self._summary
        created = figures.parse_time(summary.created) if summary is not None else None
        when = figures.clock(created, datetime.now(UTC)) if created is not None else ""
        when = enumerated(part for part in (when, translate("Configuration", "record 1")) if part)
        count = translate("Configuration", "{n} of {all} rows differ").format(
            n=found.changes, all=len(found.rows)
        )
        if found.equal:
            count = translate("Configuration", "No row differs")
        if self.other:
            self.table.set_rows(found.rows, when, self._other_name, count, other=True)
            self._say(between(found))
            if self.config:
                self._bar.offer(self.config, back=True)
        else:
            self.table.set_rows(found.rows, when, figures.home_path(self.config), count)
            self._say(verdict(found))
            self._find_matching(found)
        self._set_buttons(found)

    def _find_matching(self, found: Comparison) -> None:
        """Where this configuration is not the one: offer a known one that is."""
        summary, compared = self._summary, self.config
        if found.equal or summary is None or summary.source != "fisk-ai":
            return

        def look() -> str | None:
            from tenuto.agent.choice import matching

            return matching(self._context.runs_dir, summary.id)

        def offer(config: str | None) -> None:
            still = self._summary is not None and self._summary.id == summary.id
            still = still and (self.config, self.comparison, self.other) == (compared, found, "")
            if config and config != compared and still:
                self._bar.offer(config)
                self._set_buttons(found)

        # Journals and configurations that cannot be read offer nothing.
        self._jobs.run(look, offer, lambda _error: None)

    def _say_state(self) -> None:
        """Before there is a comparison."""
        nothing = bool(self._nothing_saved())
        self.table.setVisible(not nothing)
        self._foot.setVisible(not nothing)
        if self._summary is None:
            self._say(None)
        elif self._nothing_saved():
            self._say(
                Said(
                    "info",
                    "text2",
                    "band",
                    translate("Configuration", "Saved without a configuration"),
                    translate(
                        "Configuration",
                        "There is nothing to compare: any configuration may go on with it.",
                    ),
                )
            )
        elif not self.config and not self.other:
            self._say(
                Said(
                    "info",
                    "text2",
                    "band",
                    translate("Configuration", "No configuration is chosen"),
                    translate(
                        "Configuration",
                        "Tenuto knows none that this run was saved with. Choose an agent.yaml to"
                        " see what differs.",
                    ),
                )
            )
        elif self.comparison is None:
            self._say(
                Said(
                    "clock",
                    "text2",
                    "band",
                    translate("Configuration", "Comparing\u2026"),
                    visible(self._other_name if self.other else figures.home_path(self.config)),
                )
            )
        self._set_buttons(self.comparison)

    def _say_failure(self, outcome: Outcome) -> None:
        title = translate("Configuration", "This configuration cannot be used")
        if self.other:
            title = translate("Configuration", "The comparison failed")
        result = outcome.result if isinstance(outcome.result, dict) else {}
        found = problems(result)
        if found:
            text = "\n".join(problem(each) for each in found[:_MOST_PROBLEMS])
            if len(found) > _MOST_PROBLEMS:
                text += "\n" + translate("Configuration", "and {n} more").format(
                    n=len(found) - _MOST_PROBLEMS
                )
        else:
            text = visible(said(outcome), prose=True)
            if result.get("error") != "config":
                title = translate("Configuration", "The comparison failed")
        self._say(Said("warn", "fail", "fail_tint", title, text), outcome.report)
        self._set_buttons(None)

    def _say_unreadable(self, message: str) -> None:
        title = translate("Configuration", "The session cannot be read")
        self._say(Said("warn", "fail", "fail_tint", title, message))

    def _say(self, said: Said | None, details: str = "") -> None:
        self._bar.say(said, details)

    def _set_buttons(self, found: Comparison | None) -> None:
        resumable = found is not None and found.resumable and not self.other
        forceable = found is not None and found.forceable and not found.resumable
        forceable = forceable and not self.other
        self.compare_button.setEnabled(self._summary is not None)
        self.choose_button.setEnabled(self._summary is not None)
        self.resume_button.setEnabled(resumable)
        self.force_button.setEnabled(forceable)
        for each, works, force in (
            (self.resume_button, resumable, False),
            (self.force_button, forceable, True),
        ):
            reason = "" if works else why_not(None if self.other else found, force=force)
            each.setToolTip(plain_tip(reason))
        # One filled button at most: the one that works and binds least. A force is never it.
        self._fill(self.resume_button, resumable)
        choose = not resumable and not forceable and not self._bar.offered
        self._fill(self.choose_button, choose)
        self._hint.setText("")

    def _fill(self, which: QPushButton, filled: bool) -> None:
        which.setProperty(PRIMARY, filled and which.isEnabled())
        which.update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        # The file may be edited while nobody looks: compare anew when it is looked at again.
        self._made_for = ()
