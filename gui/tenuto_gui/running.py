# SPDX-License-Identifier: Apache-2.0
"""What live runs add to the window: questions, progress, and a word when they end badly."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from tenuto.sources.base import SessionSummary
from tenuto_gui.context import AppContext
from tenuto_gui.detail import Detail
from tenuto_gui.notice import Button, Notice, NoticeBar
from tenuto_gui.runs.approval import ApprovalPanel
from tenuto_gui.runs.chat import ChatInput
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
        self, context: AppContext, detail: Detail, notices: NoticeBar, window: QWidget
    ) -> None:
        super().__init__(window)
        self._notices = notices
        self.controller = RunController(context, self)
        self.panel = ApprovalPanel(context, detail)
        self.chat = ChatInput(context, detail)
        self.strip = RunStrip(context, detail)
        self.panel.facts_of = detail.transcript.call_facts
        self.panel.session_wanted.connect(self.session_wanted)
        self.panel.attach(self.controller)
        self.chat.attach(self.controller)
        self.strip.attach(self.controller)
        detail.column.addWidget(self.panel)
        detail.column.addWidget(self.chat)
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

    def _on_started(self, session_id: str) -> None:
        self._notices.retract(_KEY)
        self.changed.emit(session_id)

    def _on_finished(self, session_id: str, outcome: RunOutcome) -> None:
        self.changed.emit(session_id)
        # A refusal has its own notice, and how a run ended is in its row and its last block.
        if isinstance(outcome.event, Finished | Refused) or outcome.aborted:
            return
        if outcome.exit_code == 0 and not outcome.message:
            return
        report = "\n".join(part for part in (session_id, outcome.message, outcome.log) if part)
        self._notices.show_notice(
            Notice(
                "failed",
                self.tr("The run could not go on"),
                outcome.message,
                (
                    Button(
                        self.tr("Copy report"),
                        lambda: QGuiApplication.clipboard().setText(report),
                        name="copyReport",
                    ),
                ),
                _KEY,
            )
        )
