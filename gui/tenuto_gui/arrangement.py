# SPDX-License-Identifier: Apache-2.0
"""How the parts of the window stand: beside each other, as pages, folded (look.md, "Narrow")."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt

from tenuto_gui.window_state import (
    COLUMN_FROM,
    LABELS_FROM,
    PAGES_BELOW,
    REFERENCE_LINE,
    SHORT_BELOW,
    in_text,
)

if TYPE_CHECKING:
    from tenuto_gui.main_window import MainWindow

#: Widths of the columns in a window that was never sized by hand.
_FILTERS_WIDTH = 184
_LIST_WIDTH = 388
#: Between which widths they are kept.
_FILTERS_LEAST, _FILTERS_MOST = 148, 280
_LIST_LEAST, _LIST_MOST = 300, 560
_DETAIL_LEAST = 480
#: What stands in the large part of the window.
SESSIONS, FIRST_RUN, TRASH = range(3)


class Arrangement(QObject):
    """Owns which page is shown, and folds parts away where there is no room for them."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.narrow = False
        self.short = False
        #: None before there is a session's side that could hold it.
        self._notice_in_detail: bool | None = None
        #: What the operator gave the columns, in look.md's pixels: their width wherever there is
        #: room for it, so that a small window leaves no trace in a large one.
        self._filters_width: float = _FILTERS_WIDTH
        self._list_width: float = _LIST_WIDTH
        self._detail_least: float = _DETAIL_LEAST
        window.outer.splitterMoved.connect(self._on_moved)
        window.inner.splitterMoved.connect(self._on_moved)
        # The filters' room is given to it a moment after they are gone.
        window.inner.installEventFilter(self)
        window.pages.currentChanged.connect(self._place_notice)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._window.inner:
            self._share_inner()
        return False

    def first_sizes(self) -> None:
        """The widths of look.md."""
        window, px = self._window, self._window.context.theme.fonts.px
        filters, sessions = px(_FILTERS_WIDTH), px(_LIST_WIDTH)
        window.outer.setSizes([filters, window.width() - filters - 1])
        window.inner.setSizes([sessions, window.width() - filters - sessions - 2])

    @property
    def widths(self) -> tuple[float, float, float]:
        """What the operator gave filters and list, and left to the session: look.md's pixels."""
        return self._filters_width, self._list_width, self._detail_least

    def take_widths(self, filters: float, sessions: float, least: float) -> None:
        """Have these, where they are sensible."""
        if _FILTERS_LEAST <= filters <= _FILTERS_MOST:
            self._filters_width = filters
        if _LIST_LEAST <= sessions <= _LIST_MOST:
            self._list_width = sessions
        if 0 < least <= _DETAIL_LEAST:
            self._detail_least = least
        self._share()

    def _on_moved(self) -> None:
        window, scale = self._window, self._window.context.theme.fonts.scale
        if self.sender() is window.outer:
            self._filters_width = window.outer.sizes()[0] / scale
        else:
            self._list_width = window.inner.sizes()[0] / scale
            # A list that was drawn over that much of the session by hand stays there.
            self._detail_least = min(_DETAIL_LEAST, window.inner.sizes()[1] / scale)

    def _share(self) -> None:
        """Give the columns their widths; the list yields where the session has too little."""
        window, px = self._window, self._window.context.theme.fonts.px
        if not window.side.isHidden():
            filters = px(self._filters_width)
            window.outer.setSizes([filters, window.outer.width() - filters - 1])
        self._share_inner()

    def _share_inner(self) -> None:
        window, px = self._window, self._window.context.theme.fonts.px
        beside = window.detail if window.furnished else window.room
        if window.list_pane.isHidden() or beside.isHidden():
            return
        room = window.inner.width() - 1
        least, wanted = px(_LIST_LEAST), px(self._list_width)
        sessions = max(least, min(wanted, room - px(self._detail_least)))
        window.inner.setSizes([sessions, room - sessions])

    def fit(self) -> None:
        """The window has another size, or text has."""
        window = self._window
        fonts = window.context.theme.fonts
        # A font may have lower lines than look.md's at the same size; its letters are as wide.
        line = max(fonts.line_height("body"), fonts.px(REFERENCE_LINE))
        width, height = in_text(window.width(), line), in_text(window.height(), line)
        window.toolbar.set_labels(width >= LABELS_FROM, new_run=width >= COLUMN_FROM)
        window.side.setVisible(width >= COLUMN_FROM)
        window.list_pane.header.set_folded(width < COLUMN_FROM)
        if not window.furnished:
            window.room.setVisible(width >= PAGES_BELOW)
            self._share()
            return
        short = height < SHORT_BELOW
        if short != self.short:
            self.short = short
            window.detail.header.set_compact(short)
            window.status.take_strip(window.running.strip if short else None)
            if not short:
                window.detail.column.addWidget(window.running.strip)
        narrow = width < PAGES_BELOW
        if narrow != self.narrow:
            self.narrow = narrow
            window.list_pane.show()
            window.detail.setVisible(not narrow)
            window.waiting.set_narrow(narrow)
        self._share()
        self._tell()

    def settle(self) -> None:
        """Everything is in its place now: stand as the size of the window asks for."""
        self.fit()
        self._place_notice()
        self._order_tabs()

    def _order_tabs(self) -> None:
        """Tab goes as the eye does: from the top, then column by column."""
        window = self._window
        header = window.list_pane.header
        order = [
            window.toolbar.last,
            window.waiting,
            window.filters,
            window.side.trash,
            header.folded,
            header.order,
            window.list,
            window.detail.tabs,
            *window.notices.in_tab_order(),
            window.detail.transcript,
        ]
        for before, after in pairwise(order):
            window.setTabOrder(before, after)

    def _tell(self) -> None:
        window = self._window
        in_detail = self.narrow and not window.list_pane.isVisibleTo(window.inner)
        window.verbs.back.setEnabled(in_detail or self.in_trash)
        # The trash has a way back of its own: nothing moves in the toolbar of a large window.
        window.toolbar.set_back(in_detail)
        self._place_notice()
        whole = not self.narrow or in_detail
        window.waiting.set_shown(window.detail.session_id if whole else "")

    def _place_notice(self) -> None:
        """A notice stands with the session, or above the page that is shown in place of it."""
        window = self._window
        if not window.furnished:
            return
        in_detail = window.pages.currentIndex() == SESSIONS and not window.detail.isHidden()
        if in_detail == self._notice_in_detail:
            return
        self._notice_in_detail = in_detail
        if in_detail:
            window.page_column.removeWidget(window.notices)
            window.detail.tabs.hold_notice()
        else:
            window.detail.tabs.let_notice_go()
            window.page_column.insertWidget(0, window.notices)
            window.notices.setVisible(window.notices.notice is not None)

    # --- pages -----------------------------------------------------------------------------------

    @property
    def in_trash(self) -> bool:
        return self._window.pages.currentIndex() == TRASH

    def show_detail(self) -> None:
        """In a narrow window: the session in place of the list."""
        self.leave_trash()
        window = self._window
        if self.narrow and window.list_pane.isVisible():
            # Else the focus falls to whatever comes next.
            leaving = window.list_pane.isAncestorOf(window.focusWidget())
            window.detail.show()
            if leaving:
                window.detail.transcript.setFocus(Qt.FocusReason.OtherFocusReason)
            window.list_pane.hide()
        self._tell()

    def go_back(self) -> None:
        """From the trash to the sessions; in a narrow window from a session to the list."""
        window = self._window
        if self.in_trash:
            self.leave_trash()
        elif self.narrow:
            window.list_pane.show()
            window.detail.hide()
        window.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self._tell()

    def show_sessions(self) -> None:
        """The sessions, or the first-run page while there are none; the trash stays."""
        if not self.in_trash:
            total = self._window.sessions.total
            self._window.pages.setCurrentIndex(SESSIONS if total else FIRST_RUN)

    def toggle_trash(self) -> None:
        """Into the trash, or out of it."""
        window = self._window
        if self.in_trash:
            self.go_back()
            return
        window.pages.setCurrentIndex(TRASH)
        window.trash.refresh()
        window.trash_view.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self._mark_trash()

    def leave_trash(self) -> None:
        """Back to what was there before."""
        if self.in_trash:
            total = self._window.sessions.total
            self._window.pages.setCurrentIndex(SESSIONS if total else FIRST_RUN)
            self._mark_trash()

    def _mark_trash(self) -> None:
        window = self._window
        window.side.trash.setChecked(self.in_trash)
        window.verbs.trash.setChecked(self.in_trash)
        window.filters.set_muted(self.in_trash)
        window.doing.refresh()
        self._tell()
