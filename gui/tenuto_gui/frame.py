# SPDX-License-Identifier: Apache-2.0
"""What of the window is painted first: bars, filters and list, with room for all the rest.

The rest takes longer to load than 10,000 rows. `MainWindow` puts it in, after the first paint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from tenuto_gui import menus
from tenuto_gui.actions import Actions
from tenuto_gui.arrangement import Arrangement
from tenuto_gui.command import CommandRunner
from tenuto_gui.context import AppContext
from tenuto_gui.courtesy import Courtesy, courtesy
from tenuto_gui.empty import FirstRun
from tenuto_gui.folder import FolderControl
from tenuto_gui.grouping import GroupControl
from tenuto_gui.jobs import Jobs
from tenuto_gui.list_pane import ListPane
from tenuto_gui.notice import NoticeBar
from tenuto_gui.sessions.filters import FilterColumn
from tenuto_gui.sessions.model import SessionModel
from tenuto_gui.side_column import SideColumn
from tenuto_gui.status_line import StatusLine
from tenuto_gui.toolbar import Toolbar
from tenuto_gui.waiting_bar import WaitingBar
from tenuto_gui.window_state import WindowState, first_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tenuto.sources.base import Listing, SessionSummary
    from tenuto_gui.main_window import MainWindow


class WindowFrame(QMainWindow):
    """Reads the folder and shows its rows; `rows_shown` says when it is time for the rest."""

    rows_shown = Signal()
    # Events come before there is one.
    _courtesy: Courtesy | None = None

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._courtesy = courtesy()
        self.setObjectName("mainWindow")
        self.setWindowTitle("Tenuto")
        self.context = context
        #: Whether everything is in its place.
        self.furnished = False
        #: What was listed before that.
        self._early: Listing | None = None
        theme = context.theme
        self.sessions = SessionModel(self)
        self.jobs = Jobs(self, workers=1)
        self.commands = CommandRunner(context, self)
        self.verbs = Actions(theme, self)
        self.grouping = GroupControl(self.sessions, self.verbs, self)
        self.notices = NoticeBar(theme, fades=not context.settings.reduced_motion, parent=self)
        self.filters = FilterColumn(self.sessions, theme, self)
        self.side = SideColumn(self.filters, theme, self)
        self.toolbar = Toolbar(self.verbs, theme, self)
        self.list_pane = ListPane(self.sessions, self.filters, theme, self)
        self.list = self.list_pane.list
        self.first_run = FirstRun(theme, self)
        self.waiting = WaitingBar(self.sessions, theme, self)
        self.status = StatusLine(self.sessions, theme, self)
        self.folder = FolderControl(
            context, self.commands, self.notices, self.first_run, self.status, self
        )
        #: Where the session that is shown is going to be.
        self.room = QWidget(self)
        self._lay_out()
        self.arrangement = Arrangement(cast("MainWindow", self))
        self.sessions.counts_changed.connect(self._on_counts)
        self.folder.glanced.connect(self._on_first_rows)
        self.folder.listed.connect(self._on_first_listing)
        self.rows_shown.connect(self.folder.go_on)
        self.list.setFocus()

    def _lay_out(self) -> None:
        px = self.context.theme.fonts.px
        menus.fill_bar(self.menuBar(), self.verbs)
        self.side.setMinimumWidth(px(148))
        self.side.setMaximumWidth(px(280))
        self.room.setMinimumWidth(px(320))
        self.room.setBackgroundRole(self.palette().ColorRole.Base)
        self.room.setAutoFillBackground(True)
        self.inner = QSplitter(Qt.Orientation.Horizontal, self)
        self.inner.addWidget(self.list_pane)
        self.inner.addWidget(self.room)
        self.inner.setStretchFactor(1, 1)
        self.pages = QStackedWidget(self)
        for page in (self.inner, self.first_run):
            self.pages.addWidget(page)
        self.outer = QSplitter(Qt.Orientation.Horizontal, self)
        self.outer.addWidget(self.side)
        large = QWidget(self)
        #: The pages, and above them the notice while the session it would stand in is not shown.
        self.page_column = QVBoxLayout(large)
        self.page_column.setContentsMargins(0, 0, 0, 0)
        self.page_column.setSpacing(0)
        self.page_column.addWidget(self.notices)
        self.page_column.addWidget(self.pages, 1)
        self.outer.addWidget(large)
        self.outer.setStretchFactor(1, 1)
        for splitter in (self.inner, self.outer):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
        whole = QWidget(self)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addWidget(self.waiting)
        column.addWidget(self.outer, 1)
        column.addWidget(self.status)
        self.setCentralWidget(whole)
        # Not what the parts need beside each other: in a small window they fold.
        size, least = first_size(
            QSize(px(1440), px(900)),
            QSize(px(480), px(360)),
            self.screen().availableSize(),
            self.context.theme.fonts.scale,
        )
        self.setMinimumSize(least)
        self.resize(size)
        self._state = WindowState(self)

    def event(self, event: QEvent) -> bool:
        # Before anything in this window is painted.
        if event.type() == QEvent.Type.UpdateRequest and self._courtesy is not None:
            self._courtesy.begin()
        return super().event(event)

    def _on_counts(self) -> None:
        """A window that is covered or minimized still says that somebody waits."""
        waiting = self.sessions.facet_counts()["waiting"]
        title = self.tr("%n waiting for you \u2013 Tenuto", None, waiting) if waiting else "Tenuto"
        if title != self.windowTitle():
            self.setWindowTitle(title)

    # --- before the rest is there ----------------------------------------------------------------

    def _on_first_rows(self, summaries: Sequence[SessionSummary]) -> None:
        if not self.furnished:
            self.sessions.set_sessions(summaries)
            self.list.viewport().installEventFilter(self)
        else:
            self.folder.go_on()

    def _on_first_listing(self, listing: Listing) -> None:
        if not self.furnished:
            self._early = listing
            self.sessions.set_sessions(listing.summaries)
            self.arrangement.show_sessions()
            self.list.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and watched is self.list.viewport():
            watched.removeEventFilter(self)
            # After this paint, not before it.
            QTimer.singleShot(0, self, self.rows_shown.emit)
        return False
