# SPDX-License-Identifier: Apache-2.0
"""What the actions do with the selected sessions, and which of them can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from tenuto.sources.base import SessionSummary

if TYPE_CHECKING:
    from tenuto_gui.main_window import MainWindow

#: Capabilities look at files. Of a larger selection only so many are asked beforehand; the command
#: itself refuses what cannot be done.
_ASKED = 100


class Verbs(QObject):
    """Connects `Actions` to the parts of the window. One per window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._list = window.list
        self._sessions = window.sessions
        self._controller = window.running.controller
        act = window.verbs
        act.resume.triggered.connect(self._on_resume)
        act.resume_force.triggered.connect(self._on_resume_force)
        act.suspend.triggered.connect(self._on_suspend)
        act.abort.triggered.connect(self._on_abort)
        act.copy_id.triggered.connect(self._on_copy_id)
        act.copy_command.triggered.connect(self._on_copy_command)
        act.delete.triggered.connect(self._on_delete)
        act.undo_delete.triggered.connect(window.deletion.undo)
        self._list.customContextMenuRequested.connect(self._on_context_menu)
        self._list.selectionModel().selectionChanged.connect(self.refresh)
        self._sessions.modelReset.connect(self.refresh)
        window.deletion.changed.connect(self.refresh)
        self.refresh()

    def selected(self) -> list[SessionSummary]:
        """Summaries of the selected rows, from top to bottom."""
        found = (self._sessions.summary(session_id) for session_id in self._list.selected_ids())
        return [summary for summary in found if summary is not None]

    def _one(self) -> SessionSummary | None:
        chosen = self.selected()
        return chosen[0] if len(chosen) == 1 else None

    def refresh(self) -> None:
        """Enable what can be done with the selection, and give the reason for the rest."""
        chosen = self.selected()
        one = chosen[0] if len(chosen) == 1 else None
        source = self._window.context.source
        self._window.verbs.update(
            [source.capabilities(summary) for summary in chosen[:_ASKED]],
            live=one is not None and self._controller.is_live(one.id),
            running=one is not None and one.status in ("running", "waiting"),
            can_undo=self._window.deletion.can_undo,
        )

    def _on_context_menu(self, place: QPoint) -> None:
        if not self.selected():
            return
        self.refresh()
        menu = QMenu(self._window)
        menu.setObjectName("sessionMenu")
        self._window.verbs.fill_menu(menu)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._list.viewport().mapToGlobal(place))

    def _on_resume(self) -> None:
        if (summary := self._one()) is not None:
            self._window.resume_flow.resume(summary)

    def _on_resume_force(self) -> None:
        if (summary := self._one()) is not None:
            self._window.resume_flow.review_force(summary)

    def _on_suspend(self) -> None:
        if (summary := self._one()) is not None:
            self._controller.suspend(summary.id)

    def _on_abort(self) -> None:
        if (summary := self._one()) is not None:
            self._controller.abort(summary.id)

    def _on_copy_id(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(s.id for s in self.selected()))

    def _on_copy_command(self) -> None:
        if (summary := self._one()) is not None:
            QGuiApplication.clipboard().setText(self._window.resume_flow.command_line(summary))

    def _on_delete(self) -> None:
        if chosen := self.selected():
            self._window.deletion.delete(chosen)
