# SPDX-License-Identifier: Apache-2.0
"""From what the folder says to what the window shows; and sessions that are waited for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget

from tenuto.sources.base import Changed, Listing, SessionSummary
from tenuto_gui.notice import Notice

if TYPE_CHECKING:
    from tenuto_gui.bundle_window import BundleWindow
    from tenuto_gui.main_window import MainWindow

#: What a whole session in one file ends with.
BUNDLE = ".tenuto"


@dataclass(frozen=True)
class Place:
    """Where the operator was, for a window that takes the place of another one."""

    session_id: str
    filter_text: str
    tab: int
    trash: bool
    settings: bool


class Following(QObject):
    """One per window. Owns which session is waited for."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        #: A session to open as soon as it is listed.
        self._wanted = ""
        #: Whether the folder was listed once.
        self._listed = False
        #: Exported sessions that are shown.
        self._bundles: list[BundleWindow] = []
        folder = window.folder
        folder.glanced.connect(self._on_glanced)
        folder.listed.connect(self._on_listed)
        folder.changed.connect(self._on_changed)
        folder.leaving.connect(self._on_leaving)
        folder.failed.connect(self._on_folder_failed)
        window.deletion.moved.connect(self._on_moved)
        window.deletion.restored.connect(self._on_restored)
        window.trash.listed.connect(self._on_trash_listed)
        window.trash.restored.connect(folder.look_at)
        window.trash.left.connect(window.deletion.forget)
        window.annotation.changed.connect(folder.look_at)
        window.exporting.open_requested.connect(self.open_bundle)
        window.forking.made.connect(self.await_session)
        window.new_runs.begun.connect(self.await_session)
        window.notifier.opened.connect(self._on_notified)

    # --- sessions that are asked for -------------------------------------------------------------

    def expect(self, wanted: str) -> None:
        """Open this session when it is listed, or this exported one now."""
        if wanted.endswith(BUNDLE):
            QTimer.singleShot(0, self, lambda: self.open_bundle(wanted))
            return
        self._wanted = wanted
        if wanted and self._listed:
            # The list was there before the rest of the window, and may stay as it is.
            self.open(wanted)
            self._say_missing()

    def open(self, session_id: str) -> None:
        """Show a session now, or as soon as it is listed."""
        window = self._window
        self._wanted = session_id
        if window.sessions.summary(session_id) is None:
            return
        self._wanted = ""
        window.notices.retract("wanted")
        if not window.list.select_id(session_id):
            window.show_all()
            window.list.select_id(session_id)
        window.arrangement.show_detail()

    def await_session(self, session_id: str) -> None:
        """Open a session that was just made: a fork, or a copy of an exported one."""
        self._wanted = session_id
        self._window.folder.look_at({session_id})

    def receive(self, wanted: str, directory: Path) -> None:
        """What a later start asked for: come to the front, and show the session it named."""
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
        if wanted.endswith(BUNDLE):
            self.open_bundle(wanted)
            return
        if directory != window.context.runs_dir:
            window.folder.switch(directory)
        if wanted:
            self.open(wanted)
            if self._wanted:
                window.folder.look_at({wanted})

    def open_bundle(self, file: str) -> None:
        """Look into an exported session, in a window of its own."""
        from tenuto_gui.bundle_window import BundleWindow

        bundle = BundleWindow(self._window.context, file)
        # Nothing else holds a window without a parent: it would be collected while it is shown.
        self._bundles.append(bundle)
        bundle.leaving.connect(self._on_bundle_leaving)
        bundle.copied.connect(self.await_session)
        self._window.closed.connect(bundle.close)
        bundle.show()
        bundle.start()

    def _on_bundle_leaving(self, bundle: BundleWindow) -> None:
        # Not at once: it is still in the middle of closing.
        QTimer.singleShot(0, self, lambda: self._bundles.remove(bundle))

    def catch_up(self, listing: Listing) -> None:
        """Take over a listing that came before the window was furnished."""
        self._on_listed(listing)

    # --- the folder ------------------------------------------------------------------------------

    def _on_glanced(self, summaries: Sequence[SessionSummary]) -> None:
        """The first rows, which nothing is decided by yet."""
        if not self._listed:
            self._window.sessions.set_sessions(summaries)

    def _on_listed(self, listing: Listing) -> None:
        window = self._window
        if self._listed:
            window.sessions.replace(listing.summaries)
        else:
            window.sessions.set_sessions(listing.summaries)
        window.status.set_skipped(listing.skipped)
        window.status.set_more_folders(listing.folders)
        self._after_change(None)
        if not self._listed:
            self._say_missing()
        self._listed = True

    def _say_missing(self) -> None:
        """The folder was listed, and what was asked for is not in it."""
        if not self._wanted:
            return
        self._window.notices.show_notice(
            Notice(
                "failed",
                self.tr("There is no session called {id}").format(id=self._wanted),
                self.tr("It will be opened when it appears in this folder."),
                key="wanted",
            )
        )

    def _on_changed(self, changed: Changed) -> None:
        window = self._window
        for summary in changed.updated:
            before = window.sessions.summary(summary.id)
            if before is not None and before.status != summary.status:
                window.notifier.watch(before, summary)
            if summary.id == window.detail.session_id and not self._wanted:
                # Its new words are being read while the list is put in order.
                window.show_summary(summary)
        window.sessions.apply(changed.updated, changed.gone)
        self._after_change({summary.id for summary in changed.updated} | changed.gone)

    def _after_change(self, ids: set[str] | None) -> None:
        window = self._window
        window.arrangement.show_sessions()
        shown = window.detail.session_id
        if self._wanted:
            self.open(self._wanted)
        elif not shown and not window.list.currentIndex().isValid():
            window.list.select_first()
        # Also what was wanted, where it is shown already.
        if shown and shown == window.detail.session_id and (ids is None or shown in ids):
            window.show_summary(window.sessions.summary(shown))
        window.doing.refresh()

    def _on_leaving(self) -> None:
        window = self._window
        window.notices.clear()
        window.show_all()
        self._listed = False
        window.sessions.set_sessions([])
        window.show_summary(None)

    def _on_folder_failed(self) -> None:
        self._window.pages.setCurrentIndex(0)

    def _on_moved(self, ids: set[str]) -> None:
        self._window.folder.look_at(ids)
        self._window.trash.refresh()

    def _on_restored(self, ids: set[str]) -> None:
        """What came back is what the operator wants to see."""
        self._wanted = min(ids)
        self._window.folder.look_at(ids)
        self._window.trash.refresh()

    def _on_trash_listed(self, items: list[object]) -> None:
        self._window.side.trash.set_count(len(items))
        self._window.list_pane.header.trash_count = len(items)

    def _on_notified(self, session_id: str) -> None:
        self.receive(session_id, self._window.context.runs_dir)

    # --- another window in this place ------------------------------------------------------------

    def place(self) -> Place:
        """Where the operator is."""
        window = self._window
        settings = window.findChild(QWidget, "settingsDialog")
        return Place(
            window.detail.session_id,
            window.toolbar.filter_edit.text(),
            window.detail.tabs.currentIndex(),
            window.arrangement.in_trash,
            settings is not None and settings.isVisible(),
        )

    def take_place(self, place: Place) -> None:
        """Be where another window was."""
        window = self._window
        self._wanted = place.session_id
        window.toolbar.filter_edit.setText(place.filter_text)
        window.detail.tabs.setCurrentIndex(place.tab)
        if place.trash:
            window.arrangement.toggle_trash()
        if place.settings:
            QTimer.singleShot(0, window, window.open_settings)
