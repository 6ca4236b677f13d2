# SPDX-License-Identifier: Apache-2.0
"""The window: toolbar, filters, list, detail, status line, and how they follow each other."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from tenuto.sources.base import Changed, Listing, SessionSummary
from tenuto_gui.actions import Actions
from tenuto_gui.collector import Collector
from tenuto_gui.command import CommandRunner
from tenuto_gui.context import AppContext
from tenuto_gui.deletion import Deletion
from tenuto_gui.detail import Detail
from tenuto_gui.empty import FirstRun
from tenuto_gui.folder import FolderControl
from tenuto_gui.jobs import Jobs
from tenuto_gui.list_pane import ListPane
from tenuto_gui.notice import Notice, NoticeBar
from tenuto_gui.resume_flow import ResumeFlow
from tenuto_gui.running import Running
from tenuto_gui.sessions.filters import FilterColumn
from tenuto_gui.sessions.model import Role, SessionModel
from tenuto_gui.status_line import StatusLine
from tenuto_gui.theme import keep_theme
from tenuto_gui.toolbar import Toolbar
from tenuto_gui.verbs import Verbs
from tenuto_gui.window_state import (
    COLUMN_FROM,
    LABELS_FROM,
    PAGES_BELOW,
    WindowState,
    width_in_text,
)

#: Ages are redrawn this often; their words change no sooner.
_AGES_MS = 10_000
_FILTERS_WIDTH = 184
_LIST_WIDTH = 388


class MainWindow(QMainWindow):
    """Shows one folder. `start` begins to read it, after the window is on screen."""

    def __init__(self, context: AppContext, *, wanted: str = "") -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self.setWindowTitle("Tenuto")
        self.context = context
        #: A session to open as soon as it is listed.
        self._wanted = wanted
        self._narrow = False
        self._closing = False
        #: Whether the folder was listed once.
        self._listed = False
        theme = context.theme

        self.sessions = SessionModel(self)
        self.jobs = Jobs(self, workers=1)
        self.commands = CommandRunner(context, self)
        self.verbs = Actions(theme, self)
        self.notices = NoticeBar(theme, fades=not context.settings.reduced_motion, parent=self)
        self.filters = FilterColumn(self.sessions, theme, self)
        self.toolbar = Toolbar(self.verbs, theme, self)
        self.list_pane = ListPane(self.sessions, self.filters, theme, self)
        self.list = self.list_pane.list
        self.detail = Detail(context, self.notices, self)
        self.first_run = FirstRun(theme, self)
        self.status = StatusLine(self.sessions, theme, self)
        self.folder = FolderControl(
            context, self.commands, self.notices, self.first_run, self.status, self
        )
        self.running = Running(context, self.detail, self.notices, self)
        self.deletion = Deletion(self.commands, self.notices, self)
        self.resume_flow = ResumeFlow(
            context, self.running.controller, self.jobs, self.notices, self
        )
        self._lay_out()
        self._connect()
        self._doing = Verbs(self)
        self.list.setFocus()
        # Last: it may only be off while there is a window to do its work.
        self._collector = Collector(self)

    # --- building ------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        px = self.context.theme.fonts.px
        self.filters.setMinimumWidth(px(148))
        self.filters.setMaximumWidth(px(280))
        self.detail.setMinimumWidth(px(320))
        self.inner = QSplitter(Qt.Orientation.Horizontal, self)
        self.inner.addWidget(self.list_pane)
        self.inner.addWidget(self.detail)
        self.inner.setStretchFactor(1, 1)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.inner)
        self.pages.addWidget(self.first_run)
        self.outer = QSplitter(Qt.Orientation.Horizontal, self)
        self.outer.addWidget(self.filters)
        self.outer.addWidget(self.pages)
        self.outer.setStretchFactor(1, 1)
        for splitter in (self.inner, self.outer):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
        whole = QWidget(self)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addWidget(self.outer, 1)
        column.addWidget(self.status)
        self.setCentralWidget(whole)
        self.resize(px(1440), px(900))
        self._state = WindowState(self, {"outer": self.outer, "inner": self.inner})

    def _connect(self) -> None:
        act = self.verbs
        self.toolbar.filter_edit.textChanged.connect(self._on_filter_text)
        self.toolbar.filter_edit.left.connect(self._focus_list)
        self.filters.filters_changed.connect(self._on_filters)
        self.list_pane.show_all.connect(self.show_all)
        self.list.current_changed.connect(self._on_current)
        self.list.opened.connect(self._on_opened)
        self.list.typed.connect(self._on_typed)
        self.list.delete_pressed.connect(act.delete.trigger)
        act.filter.triggered.connect(self._on_filter_key)
        act.theme.triggered.connect(self._on_theme)
        act.back.triggered.connect(self._show_list_page)
        self.folder.listed.connect(self._on_listed)
        self.folder.changed.connect(self._on_changed)
        self.folder.leaving.connect(self._on_leaving)
        self.folder.failed.connect(self._show_sessions_page)
        self.deletion.moved.connect(self.folder.look_at)
        self.deletion.restored.connect(self._on_restored)
        self.running.changed.connect(self._on_run_changed)
        self.resume_flow.show_configuration.connect(self._on_show_configuration)
        self.detail.configuration.resume_requested.connect(self._on_configured)
        self.detail.configuration.force_requested.connect(self._on_configured_force)
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

    def open_session(self, session_id: str) -> None:
        """Show a session now, or as soon as it is listed."""
        self._wanted = session_id
        if self.sessions.summary(session_id) is None:
            return
        self._wanted = ""
        self.notices.retract("wanted")
        if not self.list.select_id(session_id):
            self.show_all()
            self.list.select_id(session_id)
        self._show_detail_page()

    def _on_listed(self, listing: Listing) -> None:
        if self._listed:
            self.sessions.replace(listing.summaries)
        else:
            self.sessions.set_sessions(listing.summaries)
        self.status.set_skipped(listing.skipped)
        self._after_change(None)
        if not self._listed and self._wanted:
            self.notices.show_notice(
                Notice(
                    "failed",
                    self.tr("There is no session called {id}").format(id=self._wanted),
                    self.tr("It will be opened when it appears in this folder."),
                    key="wanted",
                )
            )
        self._listed = True

    def _on_changed(self, changed: Changed) -> None:
        self.sessions.apply(changed.updated, changed.gone)
        self._after_change({summary.id for summary in changed.updated} | changed.gone)

    def _after_change(self, ids: set[str] | None) -> None:
        self.pages.setCurrentIndex(0 if self.sessions.total else 1)
        shown = self.detail.session_id
        if self._wanted:
            self.open_session(self._wanted)
        elif not shown and not self.list.current_id() and self.sessions.rowCount():
            self.list.select_id(str(self.sessions.index(0).data(Role.ID)))
        elif shown and (ids is None or shown in ids):
            self._show(self.sessions.summary(shown))
        self._doing.refresh()

    def _on_leaving(self) -> None:
        self.notices.clear()
        self.show_all()
        self._listed = False
        self.sessions.set_sessions([])
        self._show(None)

    def _on_restored(self, ids: set[str]) -> None:
        """What came back is what the operator wants to see."""
        self._wanted = min(ids)
        self.folder.look_at(ids)

    def _show_sessions_page(self) -> None:
        self.pages.setCurrentIndex(0)

    # --- filter, current session ---------------------------------------------------------------

    def _on_filter_text(self, text: str) -> None:
        self.sessions.set_filter(text=text)

    def _on_filters(self, facet: str, source: str, model: str) -> None:
        self.sessions.set_filter(facet=facet, source=source, model=model)

    def show_all(self) -> None:
        """Lift every filter."""
        self.toolbar.filter_edit.clear()
        self.filters.clear_filters()

    def _on_filter_key(self) -> None:
        self.toolbar.filter_edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.toolbar.filter_edit.selectAll()

    def _focus_list(self) -> None:
        self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self.list.currentIndex().isValid() and self.sessions.rowCount():
            self.list.setCurrentIndex(self.sessions.index(0))

    def _on_current(self, session_id: str) -> None:
        self._show(self.sessions.summary(session_id) if session_id else None)

    def _show(self, summary: SessionSummary | None) -> None:
        other = (summary.id if summary else "") != self.detail.session_id
        # A deletion selects the next row; its Undo must not go with that.
        if other and self.notices.notice is not None and self.notices.notice.key != "delete":
            self.notices.clear()
        self.detail.set_session(summary)
        self.running.set_session(summary)

    def _on_opened(self, _session_id: str) -> None:
        self.detail.show_transcript()
        self._show_detail_page()
        self.detail.transcript.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --- configuration, runs, theme ------------------------------------------------------------

    def _on_configured(self, config: str) -> None:
        self.resume_flow.start(self.detail.session_id, config)

    def _on_configured_force(self, config: str) -> None:
        self.resume_flow.review(self.detail.session_id, config)

    def _on_show_configuration(self, session_id: str, config: str) -> None:
        self.open_session(session_id)
        if config:
            self.detail.configuration.set_config(config)
        self.detail.show_configuration()

    def _on_run_changed(self, session_id: str) -> None:
        self.folder.look_at({session_id})
        self._doing.refresh()

    def _on_theme(self) -> None:
        choice = self.context.theme.toggle()
        try:
            keep_theme(choice)
        except OSError as error:
            self.notices.show_notice(
                Notice("failed", self.tr("The settings could not be saved"), str(error))
            )

    # --- narrow windows ------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous() and self.outer.sizes()[0] != 0:
            px = self.context.theme.fonts.px
            filters, sessions = px(_FILTERS_WIDTH), px(_LIST_WIDTH)
            self.outer.setSizes([filters, self.width() - filters - 1])
            self.inner.setSizes([sessions, self.width() - filters - sessions - 2])
            self._state.restore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        line = self.context.theme.fonts.line_height("body")
        width = width_in_text(self.width(), line)
        self.toolbar.set_labels(width >= LABELS_FROM)
        self.filters.setVisible(width >= COLUMN_FROM)
        self.list_pane.header.set_folded(width < COLUMN_FROM)
        narrow = width < PAGES_BELOW
        self.verbs.back.setEnabled(narrow)
        if narrow != self._narrow:
            self._narrow = narrow
            self.list_pane.show()
            self.detail.setVisible(not narrow)

    def _show_detail_page(self) -> None:
        if self._narrow:
            self.detail.show()
            self.list_pane.hide()

    def _show_list_page(self) -> None:
        if self._narrow:
            self.list_pane.show()
            self.detail.hide()
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.folder.look_again()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters typed outside a field go to the filter."""
        text = event.text()
        plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if text and text.isprintable() and not text.isspace() and plain:
            self._on_typed(text)
            return
        super().keyPressEvent(event)

    def _on_typed(self, text: str) -> None:
        if text.isprintable() and not text.isspace():
            self.toolbar.filter_edit.setFocus(Qt.FocusReason.OtherFocusReason)
            self.toolbar.filter_edit.insert(text)

    # --- the end -------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """With live runs: let them finish their step first. A second close does not wait."""
        live = self.running.controller.live_ids()
        if live and not self._closing:
            self._closing = True
            event.ignore()
            self.notices.show_notice(
                Notice(
                    "info",
                    self.tr("Suspending %n run(s)", None, len(live)),
                    self.tr(
                        "The window closes when they have finished their step. Close it again to "
                        "leave now; they suspend all the same."
                    ),
                    key="closing",
                )
            )
            self.running.controller.idle.connect(self.close)
            self.running.controller.close_inputs()
            return
        self._closing = True
        self._state.save()
        self._ages.stop()
        self.folder.stop()
        self.detail.shutdown()
        self.jobs.stop()
        self.commands.wait()
        self.context.theme.detach()
        self._collector.stop()
        super().closeEvent(event)
