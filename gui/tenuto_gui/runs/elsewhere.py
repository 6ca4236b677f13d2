# SPDX-License-Identifier: Apache-2.0
"""A run that another window or a terminal works on: followed from its journal, answered there."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tenuto.sources.base import SessionSummary
from tenuto.sources.desk import is_worker
from tenuto.text import one_line, visible
from tenuto_gui import format as figures
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.plain import plain_tip
from tenuto_gui.runs.pieces import Ground, MarkLabel, RoleLabel, button

#: A question on one line.
_QUESTION_CHARS = 400


def worker_elsewhere(summary: SessionSummary) -> int:
    """The process of ours that holds a run, as its row has it; 0 for none, or another program."""
    evidence = summary.evidence
    if summary.source != "fisk-ai" or summary.status not in ("running", "waiting"):
        return 0
    if evidence is None or evidence.pid is None or not is_worker(evidence.pid):
        return 0
    return evidence.pid


class ElsewhereStrip(Ground):
    """There while a session is shown that runs, and that no worker of this window works on."""

    suspend_requested = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context.theme, "window", parent)
        self.setObjectName("elsewhereStrip")
        self.top_line = ("line", 1)
        theme = context.theme
        px = theme.fonts.px
        self._shown: tuple[str, int] = ("", 0)
        #: The process that was told to suspend: told twice it would abort.
        self._told: tuple[str, int] = ("", -1)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(6), px(12), px(6))
        column.setSpacing(px(4))
        row = QHBoxLayout()
        row.setSpacing(px(10))
        self._mark = MarkLabel(theme, self)
        self._word = RoleLabel(theme, "demi", "run", self)
        self._facts = RoleLabel(theme, "body", "text2", self)
        self._facts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.suspend_button = button(
            theme, translate("Runs", "Suspend"), "elsewhereSuspend", "pause"
        )
        self.suspend_button.clicked.connect(self.suspend_requested)
        # The word begins where titles, notices and panels begin.
        state = QHBoxLayout()
        state.setSpacing(px(8))
        state.addWidget(self._mark)
        state.addWidget(self._word)
        row.addLayout(state)
        row.addWidget(self._facts, 1)
        row.addWidget(self.suspend_button)
        column.addLayout(row)
        self._asks = QWidget(self)
        line = QHBoxLayout(self._asks)
        line.setContentsMargins(px(28), 0, 0, px(4))
        line.setSpacing(px(6))
        label = RoleLabel(theme, "body", "text2", self._asks)
        label.setText(translate("Runs", "It asks:"))
        self._question = RoleLabel(theme, "mono_small", "text", self._asks)
        self._question.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        line.addWidget(label)
        line.addWidget(self._question, 1)
        column.addWidget(self._asks)
        self.setMinimumHeight(px(40))
        self.hide()

    def set_session(self, summary: SessionSummary | None, *, ours: bool) -> None:
        """Follow the session that is shown; ``ours``: a worker of this window works on it."""
        if summary is None or ours or summary.status not in ("running", "waiting"):
            self._shown = ("", 0)
            self.hide()
            return
        evidence = summary.evidence
        pid = evidence.pid if evidence is not None and evidence.pid is not None else 0
        self._shown = (summary.id, pid)
        waiting = summary.status == "waiting"
        self._mark.set_mark(summary.status)
        word = (
            translate("Runs", "Waits, and is answered where it runs")
            if waiting
            else translate("Runs", "Runs elsewhere")
        )
        self._word.setText(word)
        self._word.set_token("wait" if waiting else "run")
        self._facts.setText(_facts(pid, (evidence.time if evidence else None) or "", waiting))
        question = (evidence.text if evidence is not None else None) or ""
        self._question.setText(one_line(question, _QUESTION_CHARS))
        self._question.setToolTip(plain_tip(visible(question, prose=True)))
        self._asks.setVisible(waiting and bool(question))
        self._refresh_button(bool(worker_elsewhere(summary)))
        self.setAccessibleName(f"{word}. {self._facts.text()} {self._question.text()}".strip())
        self.show()

    def set_told(self, told: bool) -> None:
        """The worker of the session that is shown was told to suspend, or could not be."""
        self._told = self._shown if told else ("", -1)
        self._refresh_button(True)

    @property
    def was_told(self) -> bool:
        """Whether the process that works on the session was told already."""
        return self._shown == self._told

    def _refresh_button(self, can: bool) -> None:
        self.suspend_button.setEnabled(can and not self.was_told)
        self.suspend_button.setText(
            translate("Runs", "Suspending\u2026") if self.was_told else translate("Runs", "Suspend")
        )
        reason = translate("Runs", "Finish this step, then rest")
        if not can:
            reason = translate("Runs", "Another program works on it: stop it where it runs")
        self.suspend_button.setToolTip(plain_tip(reason))


def _facts(pid: int, since: str, waiting: bool) -> str:
    """Who and since when, and where what is shown comes from."""
    parts = []
    then = figures.parse_time(since)
    when = figures.clock(then, datetime.now(UTC)) if then is not None else ""
    if when:
        words = translate("Runs", "since {time}")
        parts.append(words.format(time=when))
    if pid:
        parts.append(translate("Runs", "process {pid}").format(pid=pid))
    if not waiting:
        parts.append(translate("Runs", "followed from its journal"))
    return f" {figures.DOT} ".join(parts)
