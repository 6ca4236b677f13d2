# SPDX-License-Identifier: Apache-2.0
"""An exported session, read-only, in a window of its own; from here it can be copied in."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import msgspec
from PySide6.QtCore import QSize, Qt, QTemporaryDir, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow

from tenuto.sources.base import SessionSummary
from tenuto.text import visible
from tenuto_gui import format as fmt
from tenuto_gui.command import CommandRunner, Outcome, said
from tenuto_gui.context import AppContext, Workspace
from tenuto_gui.detail import Detail
from tenuto_gui.jobs import Jobs
from tenuto_gui.notice import Button, Notice, NoticeBar
from tenuto_gui.refusals import nothing_changed
from tenuto_gui.window_state import first_size


class BundleWindow(QMainWindow):
    """Verifies ``file``, shows a copy in a private folder that goes with the window."""

    #: It is in the runs folder now: its id there.
    copied = Signal(str)
    #: It was read, or could not be.
    settled = Signal()
    #: This window, when it is closed.
    leaving = Signal(object)

    def __init__(self, context: AppContext, file: str) -> None:
        super().__init__()
        from tenuto.paths import cache_dir
        from tenuto.sources.runs import RunSource

        self.setObjectName("bundleWindow")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"{visible(Path(file).name)} \u2013 Tenuto")
        self._file = file
        self._outer = CommandRunner(context, self)
        cache = cache_dir()
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Qt makes it for its owner alone, and removes it with this object.
        self._folder = QTemporaryDir(str(cache / "opened-XXXXXX"))
        runs = Path(self._folder.path())
        inner = msgspec.structs.replace(context, workspace=Workspace(runs, RunSource(runs)))
        self._inner = CommandRunner(inner, self)
        self._jobs = Jobs(self, workers=1)
        self._context = inner
        self.notices = NoticeBar(context.theme, fades=False, parent=self)
        self.detail = Detail(inner, self.notices, self)
        # There is nothing here to resume.
        self.detail.tabs.removeTab(self.detail.tabs.indexOf(self.detail.configuration))
        self.detail.configuration.hide()
        self.setCentralWidget(self.detail)
        order = [self.detail.tabs, *self.notices.in_tab_order(), self.detail.transcript]
        for before, after in pairwise(order):
            self.setTabOrder(before, after)
        px = context.theme.fonts.px
        scale = context.theme.fonts.scale
        wanted, least = QSize(px(960), px(760)), self.minimumSize()
        self.resize(first_size(wanted, least, self.screen().availableSize(), scale)[0])

    def start(self) -> None:
        """Unpack and show it, in the background."""
        words = ["session", "import", "--json", "--", self._file]
        self._inner.run(words, self._on_unpacked)

    def _on_unpacked(self, outcome: Outcome) -> None:
        answer = outcome.result if isinstance(outcome.result, dict) else {}
        found = str(answer.get("id") or "")
        if not outcome.ok or not found:
            self.notices.show_notice(
                Notice(
                    "failed",
                    self.tr("This file cannot be opened"),
                    said(outcome),
                    details=outcome.report,
                )
            )
            self.settled.emit()
            return
        source = self._context.source

        def read() -> SessionSummary | None:
            listing = source.list()
            if listing.pending:
                listing = listing if not source.build_pending().updated else source.list()
            return next((row for row in listing.summaries if row.id == found), None)

        self._jobs.run(read, self._on_read)

    def _on_read(self, summary: SessionSummary | None) -> None:
        self.detail.set_session(summary)
        self.notices.show_notice(
            Notice(
                "info",
                self.tr("Opened from {file}, read-only").format(file=fmt.home_path(self._file)),
                self.tr("The file is verified. It is not in your runs folder."),
                (
                    Button(
                        self.tr("Copy into the runs folder"),
                        self.copy_in,
                        primary=True,
                        name="copyBundle",
                    ),
                ),
                "bundle",
            )
        )
        self.settled.emit()

    def copy_in(self) -> None:
        """Put it into the runs folder, under a new id where its own is taken."""

        def done(outcome: Outcome) -> None:
            answer = outcome.result if isinstance(outcome.result, dict) else {}
            if outcome.ok and answer.get("id"):
                self.copied.emit(str(answer["id"]))
                self.close()
                return
            why = nothing_changed(said(outcome))
            self.notices.show_notice(
                Notice(
                    "failed",
                    self.tr("The session could not be copied"),
                    why,
                    details=outcome.report,
                )
            )

        self._outer.run(["session", "import", "--json", "--", self._file], done)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._inner.wait()
        self._outer.wait()
        self._jobs.stop()
        self.detail.shutdown()
        self._folder.remove()
        super().closeEvent(event)
        self.leaving.emit(self)
