# SPDX-License-Identifier: Apache-2.0
"""The window: toolbar, filters, list, detail, status line, and how they follow each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
)

from tenuto.sources.base import SessionSummary
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import error_words
from tenuto_gui.frame import WindowFrame
from tenuto_gui.notice import Notice

if TYPE_CHECKING:
    from tenuto_gui.annotation import Annotation
    from tenuto_gui.closing import Closing
    from tenuto_gui.deletion import Deletion
    from tenuto_gui.detail import Detail
    from tenuto_gui.exporting import Exporting
    from tenuto_gui.following import Following
    from tenuto_gui.forking import Forking
    from tenuto_gui.key_map import KeyMap
    from tenuto_gui.new_runs import NewRuns
    from tenuto_gui.notify import Notifier
    from tenuto_gui.resume_flow import ResumeFlow
    from tenuto_gui.running import Running
    from tenuto_gui.shell import Shell
    from tenuto_gui.trash import TrashControl
    from tenuto_gui.trash_view import TrashView
    from tenuto_gui.verbs import Verbs

#: Ages are redrawn this often; their words change no sooner.
_AGES_MS = 10_000
#: Notices that are not about the session that is shown: a deletion selects the next row, and its
#: undo must not go with that.
_LASTING = frozenset({"delete", "fork", "gone", "instance", "settings", "trash"})


class MainWindow(WindowFrame):
    """Shows one folder. `start` begins to read it, after the window is on screen."""

    #: It is about to go, and everything of it has ended.
    closed = Signal()

    # What `furnish` puts in.
    detail: Detail
    running: Running
    closing: Closing
    deletion: Deletion
    trash: TrashControl
    trash_view: TrashView
    annotation: Annotation
    exporting: Exporting
    forking: Forking
    notifier: Notifier
    resume_flow: ResumeFlow
    new_runs: NewRuns
    doing: Verbs
    key_map: KeyMap
    following: Following

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self.shell: Shell | None = None
        self._closing = False

    # --- building ------------------------------------------------------------------------------

    def furnish(self) -> None:
        """Put in all that is not needed to show the list. Once; the frame works before."""
        if self.furnished:
            return
        from tenuto_gui.closing import Closing
        from tenuto_gui.deletion import Deletion
        from tenuto_gui.detail import Detail
        from tenuto_gui.following import Following
        from tenuto_gui.key_map import KeyMap
        from tenuto_gui.notify import Notifier
        from tenuto_gui.running import Running
        from tenuto_gui.trash import TrashControl
        from tenuto_gui.trash_view import TrashView
        from tenuto_gui.verbs import Verbs

        context = self.context
        self.detail = Detail(context, self.notices, self)
        self.detail.setMinimumWidth(self.room.minimumWidth())
        self.detail.bar.offer_export(self.verbs.export)
        sizes = self.inner.sizes()
        self.inner.replaceWidget(self.inner.indexOf(self.room), self.detail)
        self.inner.setStretchFactor(1, 1)
        self.detail.show()
        self.inner.setSizes(sizes)
        self.room.deleteLater()
        self.running = Running(context, self.detail, self.notices, self.jobs, self)
        self.closing = Closing(self)
        self.deletion = Deletion(self.commands, self.notices, self)
        self.trash = TrashControl(context, self.commands, self.jobs, self.notices, self)
        self.trash_view = TrashView(self.trash, context.theme, self)
        self.pages.addWidget(self.trash_view)
        self.notifier = Notifier(context, self)
        self._make_flows()
        self.verbs.draw_all()
        self.furnished = True
        self.doing = Verbs(self)
        self.key_map = KeyMap(self.verbs, context.theme, self)
        self.following = Following(self)
        self._connect()
        self.arrangement.settle()
        if self._early is not None:
            self.following.catch_up(self._early)
            self._early = None
        if current := self.list.current_id():
            self._on_current(current)

    def _make_flows(self) -> None:
        from tenuto_gui.annotation import Annotation
        from tenuto_gui.exporting import Exporting
        from tenuto_gui.forking import Forking
        from tenuto_gui.new_runs import NewRuns
        from tenuto_gui.resume_flow import ResumeFlow

        context, controller = self.context, self.running.controller
        self.annotation = Annotation(context, self.commands, self.notices, self)
        self.exporting = Exporting(context, self.commands, self.notices, self)
        self.forking = Forking(context, self.commands, self.jobs, self.notices, self)
        self.resume_flow = ResumeFlow(
            context, controller, self.jobs, self.commands, self.notices, self.detail, self
        )
        self.new_runs = NewRuns(context, controller, self.commands, self.jobs, self.notices, self)

    def _connect(self) -> None:
        self.toolbar.filter_edit.textChanged.connect(self._on_filter_text)
        self.toolbar.filter_edit.left.connect(self._focus_list)
        self.filters.filters_changed.connect(self._on_filters)
        self.filters.clicked.connect(self.arrangement.leave_trash)
        self.list_pane.show_all.connect(self.show_all)
        self.list_pane.header.trash_asked.connect(self.arrangement.toggle_trash)
        self.list.current_changed.connect(self._on_current)
        self.list.opened.connect(self.open_transcript)
        self.list.typed.connect(self._on_typed)
        self.list.delete_pressed.connect(self._on_delete_pressed)
        self.side.trash_clicked.connect(self.arrangement.toggle_trash)
        self.waiting.asked_for.connect(self.open_session)
        self.status.skipped_asked.connect(self._on_skipped_asked)
        self.trash_view.left.connect(self.arrangement.go_back)
        self.detail.transcript.can_fork = True
        self.detail.transcript.fork_wanted.connect(self._on_fork)
        self.running.changed.connect(self._on_run_changed)
        self.running.session_wanted.connect(self.open_session)
        self.running.panel.title_of = self._title_of
        self.running.title_of = self._title_of
        self.new_runs.sessions = self.sessions.all
        self.running.explain = self.resume_flow.explain
        self.resume_flow.say = self.running.say
        self.resume_flow.summary_of = self.sessions.summary
        self.resume_flow.fork_wanted.connect(self._on_fork_wanted)
        self.forking.say_wanted.connect(self.resume_flow.say_to)
        self.resume_flow.show_configuration.connect(self._on_show_configuration)
        self.detail.configuration.compare_requested.connect(self._on_compare)
        self.detail.configuration.resume_requested.connect(self._on_configured)
        self.detail.configuration.force_requested.connect(self._on_configured_force)
        self.context.preferences.changed.connect(self._on_preferences)
        self.context.theme.changed.connect(self.arrangement.fit)
        self._ages = QTimer(self)
        self._ages.setInterval(_AGES_MS)
        self._ages.timeout.connect(self.sessions.touch_ages)
        self._ages.timeout.connect(self.detail.header.update)
        self._ages.start()

    # --- the folder ----------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to read and follow the folder."""
        if not self._closing:
            self.folder.start()
            if self.furnished:
                self.trash.refresh()

    def open_session(self, session_id: str) -> None:
        """Show a session now, or as soon as it is listed."""
        self.following.open(session_id)

    # --- filter, current session ---------------------------------------------------------------

    def _on_filter_text(self, text: str) -> None:
        with self.doing.refreshed_once():
            self.sessions.set_filter(text=text)
            self.arrangement.leave_trash()

    def _on_filters(self, facet: str, source: str, group: str, model: str) -> None:
        with self.doing.refreshed_once():
            self.sessions.set_filter(facet=facet, source=source, group=group, model=model)

    def show_all(self) -> None:
        """Lift every filter."""
        self.toolbar.filter_edit.clear()
        self.filters.clear_filters()

    def focus_filter(self) -> None:
        """Let letters go to the filter."""
        self.toolbar.filter_edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.toolbar.filter_edit.selectAll()

    def _focus_list(self) -> None:
        self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self.list.currentIndex().isValid():
            self.list.select_first()

    def _on_skipped_asked(self, reasons: str) -> None:
        """What lies in the folder and is in no row."""
        title = self.tr("Not everything in this folder is a session")
        text = self.tr("What is not shown is left alone.")
        self.notices.show_notice(Notice("info", title, text, key="skipped", details=reasons))
        self.notices.details.fold.setChecked(True)

    def _on_current(self, session_id: str) -> None:
        self.show_summary(self.sessions.summary(session_id) if session_id else None)

    def show_summary(self, summary: SessionSummary | None) -> None:
        """Show a session beside the list, or the newer summary of the one that is shown."""
        other = (summary.id if summary else "") != self.detail.session_id
        notice = self.notices.notice
        if other and notice is not None and notice.key not in _LASTING:
            self.notices.clear()
        self.detail.set_session(summary)
        self.running.set_session(summary)
        self.resume_flow.set_session(summary)

    def open_transcript(self) -> None:
        """The transcript of the current session, ready for keys."""
        self.detail.show_transcript()
        self.arrangement.show_detail()
        self.detail.transcript.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --- configuration, runs, theme ------------------------------------------------------------

    def _on_configured(self, config: str) -> None:
        if (summary := self.sessions.summary(self.detail.session_id)) is not None:
            self.resume_flow.resume_with(summary, config)

    def _on_configured_force(self, config: str) -> None:
        self.resume_flow.review(self.detail.session_id, config)

    def _on_compare(self) -> None:
        """Choose the other session from those of the folder."""
        from tenuto_gui.dialogs.choose_session import ChooseSession

        own = self.detail.session_id
        others = self._comparable(own)
        title = self.tr("Compare the configuration with that of another session")
        dialog = ChooseSession(self.context.theme, title, others, self)

        def chosen(session_id: str) -> None:
            summary = self.sessions.summary(session_id)
            name = (summary.title if summary else "") or session_id
            if self.detail.session_id == own:
                self.detail.configuration.set_other(session_id, name)

        dialog.chosen.connect(chosen)
        # Modal: with another session chosen meanwhile it would be about that one.
        dialog.open()

    def _comparable(self, own: str) -> list[SessionSummary]:
        """Sessions of the kinds that hold a configuration, but for this one."""
        others = [summary for summary in self.sessions.all() if summary.id != own]
        able = self.context.source.capabilities
        one_of_each = {summary.source: summary for summary in others}
        none = {kind for kind, one in one_of_each.items() if able(one).diff.code == "not_supported"}
        return [summary for summary in others if summary.source not in none]

    def _on_show_configuration(self, session_id: str, config: str) -> None:
        self.open_session(session_id)
        if config:
            self.detail.configuration.set_config(config)
        self.detail.show_configuration()

    def _title_of(self, session_id: str) -> str:
        """What a session is called; its id where it is not listed."""
        summary = self.sessions.summary(session_id)
        return summary.title or session_id if summary is not None else session_id

    def _on_fork(self, seq: int) -> None:
        summary = self.detail.transcript.summary
        if summary is not None:
            self.forking.fork(summary, seq)

    def _on_fork_wanted(self, session_id: str) -> None:
        if (summary := self.sessions.summary(session_id)) is not None:
            self.forking.fork_at_end(summary)

    def _on_run_changed(self, session_id: str) -> None:
        self.folder.look_at({session_id})
        self.doing.refresh()

    def toggle_theme(self) -> None:
        """The other colours; where those are the system's own, the system is followed again."""
        choice = self.context.theme.toggle()
        try:
            self.context.preferences.change(theme=choice)
        except OSError as error:
            from tenuto_gui.report import of_error

            self.notices.show_notice(
                Notice(
                    "failed",
                    self.tr("The settings could not be saved"),
                    error_words(error),
                    key="settings",
                    details=of_error(error),
                )
            )

    def toggle_keys(self) -> None:
        """Show what the keys do, or stop showing it."""
        self.key_map.toggle()

    def show_menu_bar(self, shown: bool) -> None:
        """Show the menu bar, or leave its room to the rest; its keys work all the same."""
        self.menuBar().setVisible(shown)

    def keep_state(self) -> None:
        """Keep sizes and place of the window for the next one."""
        self._state.save(*self.arrangement.widths)

    def open_settings(self) -> None:
        """Show the settings beside the window."""
        from tenuto_gui.dialogs.settings import SettingsDialog

        known = self.findChild(SettingsDialog)
        if known is None:
            known = SettingsDialog(self.context, self)
        known.show()
        known.raise_()
        known.activateWindow()

    def _on_preferences(self, names: set[str]) -> None:
        from tenuto.paths import runs_dir

        if "runs_dir" in names:
            self.folder.switch(runs_dir(settings=self.context.settings))
        elif "reasonix_dir" in names:
            self.folder.switch(self.context.runs_dir)
        self.doing.refresh()

    # --- events --------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous() and self.outer.sizes()[0] != 0:
            self.arrangement.first_sizes()
            self.arrangement.take_widths(*self._state.restore())
            self.verbs.menu_bar.setChecked(not self.menuBar().isHidden())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrangement.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        active = event.type() == QEvent.Type.ActivationChange and self.isActiveWindow()
        if active and self.furnished:
            self.folder.look_again()
            self.trash.refresh()
            self.notifier.seen()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters typed outside a field go to the filter; the keys of a disabled verb are answered.

        Qt gives those to nobody, and a key that does nothing reads as one that was not pressed.
        """
        text = event.text()
        plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if text and text.isprintable() and not text.isspace() and plain:
            self._on_typed(text)
        elif (verb := self.verbs.refused(QKeySequence(event.keyCombination()))) is not None:
            self._say_why(verb)
        else:
            super().keyPressEvent(event)

    def _on_delete_pressed(self) -> None:
        delete = self.verbs.delete
        if delete.isEnabled():
            delete.trigger()
        elif delete.statusTip():
            self._say_why(delete)

    def _say_why(self, verb: QAction) -> None:
        self.notices.show_notice(
            Notice("info", verb.text().rstrip(".\u2026"), verb.statusTip(), key="verb")
        )

    def _on_typed(self, text: str) -> None:
        if text.isprintable() and not text.isspace():
            self.toolbar.filter_edit.setFocus(Qt.FocusReason.OtherFocusReason)
            self.toolbar.filter_edit.insert(text)

    # --- the end -------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """With live runs: once the operator said what becomes of them."""
        if self.furnished and not self.closing.may_close():
            event.ignore()
            return
        self._closing = True
        self.keep_state()
        self.folder.stop()
        if self.furnished:
            self._ages.stop()
            self.notifier.seen()
            self.detail.shutdown()
        self.jobs.stop()
        self.commands.wait()
        self.closed.emit()
        super().closeEvent(event)
