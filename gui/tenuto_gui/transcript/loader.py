# SPDX-License-Identifier: Apache-2.0
"""Reads a transcript in a background thread and hands its blocks to the GUI thread.

A large file shows its last blocks at once, from its end alone; the whole list follows. Blocks are
immutable, so what crosses the threads is safe to keep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event

from PySide6.QtCore import QObject, Signal

from tenuto.errors import TenutoError
from tenuto.sources.base import Block, Transcript
from tenuto_gui.jobs import Jobs

#: Files up to this size are simply read; of longer ones the tail comes first.
TAIL_FIRST = 2 << 20
TAIL_BYTES = 256 << 10
#: Blocks whose heights are estimated in one step, of a few milliseconds.
_ESTIMATES = 2000


@dataclass(frozen=True)
class Delivery:
    """What a reading found. Blocks ``first`` .. ``old_count`` became ``blocks``."""

    first: int
    old_count: int
    blocks: Sequence[Block]
    #: The end alone; all blocks follow.
    partial: bool = False
    #: The list was read anew: nothing of what is shown stays by its number.
    complete: bool = False
    #: About how high each block is, of a list that was read anew.
    heights: Sequence[int] = ()


class TranscriptLoader(QObject):
    """One transcript at a time; the newest wish wins."""

    delivered = Signal(object)
    #: The session cannot be read: a TenutoError.
    failed = Signal(object)
    #: Bytes that are being read in the background; 0 when done.
    reading = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # One thread: a transcript is read by one thread at a time.
        self._jobs = Jobs(self, workers=1)
        self._transcript: Transcript | None = None
        self._stop = Event()
        self._number = 0
        self._busy = False
        self._again = False
        self._live = False

    def open(
        self,
        opener: Callable[[], Transcript],
        size: int,
        live: bool,
        estimate: Callable[[Block], int],
    ) -> None:
        """Leave the session shown so far and read another one. ``size``: of its file, in bytes.

        ``estimate`` says about how high a block is; it is called in the reading thread.
        """
        self.close()
        self._live = live
        number = self._number
        stop = self._stop
        self._busy = True
        if size > TAIL_FIRST:
            self.reading.emit(size)

        def read() -> tuple[Transcript, Delivery]:
            transcript = opener()
            if size > TAIL_FIRST:
                tail = transcript.tail_blocks(TAIL_BYTES, live=live)
                if tail and not stop.is_set():
                    delivery = Delivery(0, 0, tail, partial=True)
                    self._jobs.post(lambda: self._deliver(number, delivery))
            transcript.refresh(live=live, stop=lambda: self._stopped(stop))
            blocks = list(transcript.blocks)
            heights: list[int] = []
            for start in range(0, len(blocks), _ESTIMATES):
                if self._stopped(stop):
                    break
                heights += map(estimate, blocks[start : start + _ESTIMATES])
            return transcript, Delivery(0, 0, blocks, complete=True, heights=heights)

        def done(found: tuple[Transcript, Delivery]) -> None:
            if number != self._number:
                return
            self._transcript, delivery = found
            self._deliver(number, delivery)
            self._ended()

        self._jobs.run(read, done, lambda error: self._on_error(number, error))

    def refresh(self, live: bool) -> None:
        """Read what is new; wishes that come while one is being fulfilled become one more."""
        self._live = live
        if self._busy:
            self._again = True
            return
        transcript = self._transcript
        if transcript is None:
            return
        self._busy = True
        number = self._number
        stop = self._stop

        def read() -> Delivery:
            change = transcript.refresh(live=live, stop=lambda: self._stopped(stop))
            return Delivery(change.first, change.old_count, transcript.blocks[change.first :])

        def done(delivery: Delivery) -> None:
            if number == self._number:
                self._deliver(number, delivery)
                self._ended()

        self._jobs.run(read, done, lambda error: self._on_error(number, error))

    def close(self) -> None:
        """Forget the session; what is still being read for it is dropped."""
        self._stop.set()
        self._stop = Event()
        self._number += 1
        self._busy = self._again = False
        self._transcript = None

    def stop(self) -> None:
        """End the thread, for good."""
        self.close()
        self._jobs.stop()

    def _stopped(self, stop: Event) -> bool:
        """Asked in the reading thread, between two steps: let the GUI thread go first."""
        self._jobs.step_aside()
        return stop.is_set()

    def _deliver(self, number: int, delivery: Delivery) -> None:
        if number == self._number:
            self.delivered.emit(delivery)

    def _on_error(self, number: int, error: BaseException) -> None:
        if number != self._number:
            return
        if not isinstance(error, TenutoError):
            self._ended()
            raise error
        self.failed.emit(error)
        self._ended()

    def _ended(self) -> None:
        self._busy = False
        self.reading.emit(0)
        if self._again:
            self._again = False
            self.refresh(self._live)
