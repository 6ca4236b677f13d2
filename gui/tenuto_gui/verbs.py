# SPDX-License-Identifier: Apache-2.0
"""What the actions do with the selected sessions, and which of them can be done."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from tenuto.sources.base import SessionSummary
from tenuto_gui import menus, terminal
from tenuto_gui.dialogs.question import ask
from tenuto_gui.i18n import translate
from tenuto_gui.reasons import Situation, reasons
from tenuto_gui.runs.elsewhere import worker_elsewhere

if TYPE_CHECKING:
    from tenuto_gui.main_window import MainWindow

#: Capabilities look at files. Of a larger selection only so many are asked beforehand; the command
#: itself refuses what cannot be done.
_ASKED = 100
#: The tabs that a key brings to the front, by action.
_TABS = {
    "transcript": "transcriptView",
    "configuration": "configurationView",
    "activity": "activityView",
    "records": "recordsView",
}


class Verbs(QObject):
    """Connects `Actions` to the parts of the window. One per window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._list = window.list
        self._sessions = window.sessions
        self._controller = window.running.controller
        self._no_terminal: str | None = None
        self._held = False
        self._connect_session()
        self._connect_window()
        self._list.customContextMenuRequested.connect(self._on_context_menu)
        self._list.selectionModel().selectionChanged.connect(self.refresh)
        self._sessions.modelReset.connect(self.refresh)
        window.deletion.changed.connect(self.refresh)
        window.running.panel.asking_changed.connect(self.refresh)
        window.context.preferences.changed.connect(self._forget_terminal)
        self.refresh()

    def _connect_session(self) -> None:
        window, act = self._window, self._window.verbs
        one: dict[str, Callable[[SessionSummary], object]] = {
            "resume": window.resume_flow.resume,
            "resume_force": window.resume_flow.review_force,
            "resume_say": window.resume_flow.ask_words,
            "terminal": window.resume_flow.open_terminal,
            "suspend": window.running.suspend,
            "abort": lambda summary: window.running.abort(summary.id),
            "run_again": window.new_runs.again,
            "log": window.running.show_log,
            "fork": window.forking.fork_at_end,
            "rename": window.annotation.rename,
            "note": window.annotation.note,
            "export": window.exporting.export,
            "copy_command": self._copy_command,
            "reveal": self._reveal,
            "pin": lambda summary: window.annotation.set_pinned(summary, not summary.pinned),
        }
        for verb, deed in one.items():
            act[verb].triggered.connect(self._with_one(deed))
        act.open.triggered.connect(window.open_transcript)
        act.copy_id.triggered.connect(self._copy_ids)
        act.copy_path.triggered.connect(self._copy_paths)
        act.delete.triggered.connect(self._on_delete)
        act.delete_shown.triggered.connect(self._on_delete_shown)
        act.undo_delete.triggered.connect(window.deletion.undo)
        for verb, view in _TABS.items():
            act[verb].triggered.connect(self._to_tab(view))
            act[verb].setVisible(window.detail.has_view(view))

    def _connect_window(self) -> None:
        window, act = self._window, self._window.verbs
        act.new_run.triggered.connect(window.new_runs.ask)
        act.import_file.triggered.connect(window.exporting.ask_import)
        act.trash.triggered.connect(window.arrangement.toggle_trash)
        act.filter.triggered.connect(window.focus_filter)
        act.show_all.triggered.connect(window.show_all)
        act.folder.triggered.connect(window.folder.choose)
        act.refresh.triggered.connect(window.folder.look_again)
        act.theme.triggered.connect(window.toggle_theme)
        act.menu_bar.triggered.connect(window.show_menu_bar)
        act.settings.triggered.connect(window.open_settings)
        act.keys.triggered.connect(window.toggle_keys)
        act.about.triggered.connect(self._on_about)
        act.back.triggered.connect(window.arrangement.go_back)
        act.quit.triggered.connect(window.close)
        act.find.triggered.connect(self._on_find)
        act.question.triggered.connect(self._on_question)

    def _on_question(self) -> None:
        self._window.arrangement.show_detail()
        self._window.running.panel.take_focus()

    def _on_about(self) -> None:
        from tenuto_gui.dialogs.about import show_about

        show_about(self._window.context, self._window)

    # --- which -----------------------------------------------------------------------------------

    def selected(self) -> list[SessionSummary]:
        """Summaries of the selected rows, from top to bottom."""
        found = (self._sessions.summary(session_id) for session_id in self._list.selected_ids())
        return [summary for summary in found if summary is not None]

    def _one(self) -> SessionSummary | None:
        chosen = self.selected()
        return chosen[0] if len(chosen) == 1 else None

    def _with_one(self, deed: Callable[[SessionSummary], object]) -> Callable[[], None]:
        def do() -> None:
            if (summary := self._one()) is not None:
                deed(summary)

        return do

    def _to_tab(self, view: str) -> Callable[[], None]:
        def show() -> None:
            self._window.arrangement.show_detail()
            self._window.detail.show_view(view)

        return show

    def _on_find(self) -> None:
        self._window.arrangement.show_detail()
        self._window.detail.show_transcript()
        self._window.detail.transcript.open_find()

    @contextmanager
    def refreshed_once(self) -> Iterator[None]:
        """However many changes ask for it meanwhile: one `refresh`, at the end."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
            self.refresh()

    def refresh(self) -> None:
        """Enable what can be done with the selection, and give the reason for the rest."""
        if self._held:
            return
        window = self._window
        chosen = self.selected()
        one = chosen[0] if len(chosen) == 1 else None
        source = window.context.source
        window.verbs.set_reasons(
            reasons(
                Situation(
                    [source.capabilities(summary) for summary in chosen[:_ASKED]],
                    live=one is not None and self._controller.is_live(one.id),
                    running=one is not None and one.status in ("running", "waiting"),
                    worker_elsewhere=one is not None and worker_elsewhere(one) > 0,
                    can_undo=window.deletion.can_undo,
                    filtered=self._sessions.passing_count if self._sessions.is_filtered else 0,
                    no_terminal=self._why_no_terminal(),
                    in_trash=window.arrangement.in_trash,
                    asking=window.running.panel.is_asking,
                    logged=one is not None and window.running.logs.path(one.id).exists(),
                )
            )
        )
        window.verbs.pin.setChecked(one is not None and one.pinned is True)

    def _why_no_terminal(self) -> str:
        """Looked for once: it means asking for a dozen programs."""
        if self._no_terminal is None:
            setting = self._window.context.settings.terminal
            found = terminal.command(setting, ["true"])
            self._no_terminal = (
                ""
                if found
                else translate("reasons", "No terminal was found: name yours in the settings")
            )
        return self._no_terminal

    def _forget_terminal(self, names: set[str]) -> None:
        if "terminal" in names:
            self._no_terminal = None

    def _on_context_menu(self, place: QPoint) -> None:
        if self._list.heading_at(place) is not None:
            header = self._window.list_pane.header
            header.open_orders(self._list.viewport().mapToGlobal(place))
            return
        chosen = self.selected()
        if not chosen:
            return
        self.refresh()
        menu = menus.VerbMenu(parent=self._window)
        menu.setObjectName("sessionMenu")
        verbs = menus.SESSION if len(chosen) == 1 else menus.SESSIONS
        menus.fill(menu, self._window.verbs, verbs)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._list.viewport().mapToGlobal(place))

    # --- deeds -----------------------------------------------------------------------------------

    def _copy_ids(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(s.id for s in self.selected()))

    def _copy_paths(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(s.path for s in self.selected()))

    def _copy_command(self, summary: SessionSummary) -> None:
        QGuiApplication.clipboard().setText(self._window.resume_flow.command_line(summary))

    @staticmethod
    def _reveal(summary: SessionSummary) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(os.path.dirname(summary.path)))

    def _on_delete(self) -> None:
        if chosen := self.selected():
            self._window.deletion.delete(chosen)

    def _on_delete_shown(self) -> None:
        """Everything that passes the filter, after one question that says how much that is."""
        shown = self._sessions.passing()
        held = [summary for summary in shown if summary.status in ("running", "waiting")]
        chosen = [summary for summary in shown if summary.status not in ("running", "waiting")]
        if not chosen or not self._sessions.is_filtered:
            return
        text = translate("bulk", "They go to the trash; one undo brings them back.")
        if held:
            text += " " + translate("bulk", "%n session(s) at work will stay.", None, len(held))
        ask(
            self._window,
            translate("bulk", "Delete %n session(s)?", None, len(chosen)),
            text,
            translate("bulk", "Delete"),
            lambda: self._window.deletion.delete(chosen),
        )
