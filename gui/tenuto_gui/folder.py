# SPDX-License-Identifier: Apache-2.0
"""The folder a window shows: following it, choosing another, filling one with samples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tenuto_gui.command import CommandRunner, Outcome, said
from tenuto_gui.context import AppContext
from tenuto_gui.empty import FirstRun
from tenuto_gui.notice import Notice, NoticeBar
from tenuto_gui.sessions.feed import SessionFeed
from tenuto_gui.status_line import StatusLine

if TYPE_CHECKING:
    from tenuto.sources.together import Place


class FolderControl(QObject):
    """Owns the feed of the folder in force and replaces it when the folder changes."""

    #: The newest rows of a large folder, before all are listed.
    glanced = Signal(object)
    listed = Signal(object)
    changed = Signal(object)
    #: Before another folder is read: nothing of the old one may stay on screen.
    leaving = Signal()
    #: What went wrong must be seen although no session is.
    failed = Signal()

    def __init__(
        self,
        context: AppContext,
        commands: CommandRunner,
        notices: NoticeBar,
        first_run: FirstRun,
        status: StatusLine,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._context = context
        self._commands = commands
        self._notices = notices
        self._first_run = first_run
        self._status = status
        self._window = window
        self._feed: SessionFeed | None = None
        first_run.samples_requested.connect(self._on_samples)
        first_run.folder_requested.connect(self.choose)
        context.workspace.changed.connect(self.start)

    def start(self) -> None:
        """Read and follow the folder of the context, in the background."""
        self.stop()
        directory = self._context.runs_dir
        self._status.set_folder(str(directory))
        self._first_run.set_places(self._places)
        feed = self._feed = SessionFeed(self._context.source, self)
        feed.glanced.connect(self.glanced)
        feed.listed.connect(self.listed)
        feed.listed.connect(self._first_run.look_again)
        feed.changed.connect(self.changed)
        feed.changed.connect(self._first_run.look_again)
        feed.notice.connect(self._status.set_notice)
        feed.pending_changed.connect(self._status.set_pending)
        feed.start()

    def _places(self) -> Sequence[Place]:
        from tenuto.sources.together import places

        return places(self._context.runs_dir, self._context.settings)

    def stop(self) -> None:
        """Follow nothing any more."""
        if self._feed is not None:
            self._feed.stop()
            self._feed.deleteLater()
            self._feed = None

    def go_on(self) -> None:
        """Read the rest: the newest rows have been painted, or need not be."""
        if self._feed is not None:
            self._feed.go_on()

    def look_again(self) -> None:
        """A fresh look at everything: events are hints, and some never come."""
        if self._feed is not None:
            self._feed.look_again()

    def look_at(self, ids: set[str]) -> None:
        """Ask what became of these sessions, without waiting for the watcher."""
        if self._feed is not None:
            self._feed.look_at(set(ids))

    def choose(self) -> None:
        """Let the operator choose another folder; nothing waits for that."""
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(
            self._window, self.tr("Choose a folder of runs"), str(self._context.runs_dir)
        )
        dialog.setObjectName("chooseRunsFolder")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self.switch)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def switch(self, directory: str | Path) -> None:
        """Show another folder."""
        self.leaving.emit()
        self._context.workspace.switch(Path(directory), self._context.settings.reasonix_dir)

    def _on_samples(self) -> None:
        self._first_run.set_busy(True)
        self._commands.run(["demo", "--no-window", "--json"], self._on_samples_made)

    def _on_samples_made(self, outcome: Outcome) -> None:
        self._first_run.set_busy(False)
        answer = outcome.result if isinstance(outcome.result, dict) else {}
        if outcome.ok and answer.get("runs"):
            self.switch(str(answer["runs"]))
            return
        self._notices.show_notice(
            Notice(
                "failed",
                self.tr("The samples could not be made"),
                said(outcome),
                details=outcome.report,
            )
        )
        self.failed.emit()
