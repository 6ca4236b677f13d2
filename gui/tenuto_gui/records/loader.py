# SPDX-License-Identifier: Apache-2.0
"""Indexes a journal in a background thread, and reads single lines of it in another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event

from PySide6.QtCore import QObject, Signal

from tenuto.errors import TenutoError
from tenuto.sources.base import RecordReader
from tenuto.sources.pretty import Found
from tenuto.sources.raw import Row, RowsChanged
from tenuto_gui.jobs import Jobs
from tenuto_gui.records.page import Page, page


class RecordLoader(QObject):
    """One journal at a time; the newest wish wins."""

    changed = Signal(object)
    #: The journal cannot be read: a TenutoError.
    failed = Signal(object)
    #: The index is complete, as of now.
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # The index is refreshed by one job at a time; lines are read beside it.
        self._jobs = Jobs(self, workers=2)
        self._index: RecordReader | None = None
        self._stop = Event()
        self._number = 0
        self._busy = False
        self._again = False
        self._live = False

    @property
    def busy(self) -> bool:
        return self._busy

    @property
    def newer(self) -> bool:
        """Whether a newer program wrote it, as far as was read."""
        return self._index is not None and self._index.newer is not None

    def open(self, index: RecordReader, live: bool) -> None:
        """Leave the journal read so far and read another one."""
        self.close()
        self._index = index
        self.refresh(live)

    def refresh(self, live: bool) -> None:
        """Read what is new; wishes that come while one is being fulfilled become one more."""
        self._live = live
        index = self._index
        if index is None:
            return
        if self._busy:
            self._again = True
            return
        self._busy = True
        number, stop = self._number, self._stop

        def deliver(change: RowsChanged) -> None:
            if not stop.is_set():
                self._jobs.post(lambda: self._deliver(number, change))

        def stopped() -> bool:
            self._jobs.step_aside()
            return stop.is_set()

        def read() -> None:
            index.refresh(deliver, live=live, stop=stopped)

        self._jobs.run(read, lambda _: self._on_ended(number), lambda e: self._on_error(number, e))

    def read_page(
        self,
        row: Row,
        findings: Sequence[Found],
        limit: int,
        done: Callable[[Page], None],
    ) -> None:
        """Lay out one line, then ``done(page)``; nothing when it cannot be read any more."""
        index, number = self._index, self._number
        if index is None:
            return

        def answer(made: Page) -> None:
            if number == self._number:
                done(made)

        self._jobs.run(
            lambda: page(row, index.read, findings, limit, self._jobs.step_aside),
            answer,
            lambda error: self._on_error(number, error),
        )

    def read_bytes(self, row: Row, limit: int, done: Callable[[bytes], None]) -> None:
        """The bytes of one line."""
        index, number = self._index, self._number
        if index is None:
            return

        def answer(data: bytes) -> None:
            if number == self._number:
                done(data)

        self._jobs.run(
            lambda: index.read(row.offset, min(row.readable, limit)),
            answer,
            lambda error: self._on_error(number, error),
        )

    def close(self) -> None:
        """Forget the journal; what is still being read of it is dropped."""
        self._stop.set()
        self._stop = Event()
        self._number += 1
        self._busy = self._again = False
        self._index = None

    def stop(self) -> None:
        """End the threads, for good."""
        self.close()
        self._jobs.stop()

    def _deliver(self, number: int, change: RowsChanged) -> None:
        if number == self._number:
            self.changed.emit(change)

    def _on_error(self, number: int, error: BaseException) -> None:
        if number != self._number:
            return
        self._busy = False
        if not isinstance(error, TenutoError):
            raise error
        self.failed.emit(error)

    def _on_ended(self, number: int) -> None:
        if number != self._number:
            return
        self._busy = False
        self.ended.emit()
        if self._again:
            self._again = False
            self.refresh(self._live)
