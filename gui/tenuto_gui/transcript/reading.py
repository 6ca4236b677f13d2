# SPDX-License-Identifier: Apache-2.0
"""The transcript of one session: read in the background, its end first, kept up to date."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from tenuto.errors import TenutoError
from tenuto.sources.base import Block, SessionSummary
from tenuto_gui.context import AppContext
from tenuto_gui.transcript.contents import block_key
from tenuto_gui.transcript.interaction import InteractiveCanvas
from tenuto_gui.transcript.layout import Anchor
from tenuto_gui.transcript.loader import Delivery, TranscriptLoader
from tenuto_gui.transcript.places import row_of

#: Reading that takes longer than this is announced.
_READING_MS = 150


class ReadingCanvas(InteractiveCanvas):
    """``set_session`` chooses a session, ``refresh`` reads what is new of it."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.summary: SessionSummary | None = None
        self._live_flag = False
        #: Blocks of the journal; live ones come after them.
        self._recorded = 0
        self._partial = False
        self._error: TenutoError | None = None
        #: Blocks that came since follow mode let go.
        self._unseen = 0
        #: A block to go to as soon as it is read: seq and index.
        self._wanted: tuple[int, int] | None = None
        self._loader = TranscriptLoader(self)
        self._loader.delivered.connect(self._on_delivered)
        self._loader.failed.connect(self._on_failed)
        self._loader.reading.connect(self._on_reading)
        self._reading_size = 0
        self._reading_timer = QTimer(self)
        self._reading_timer.setSingleShot(True)
        self._reading_timer.setInterval(_READING_MS)
        self._reading_timer.timeout.connect(self.viewport().update)

    # --- the session -----------------------------------------------------------------------------

    def set_session(self, summary: SessionSummary | None) -> None:
        """Show another session, or a newer summary of the one that is shown, or none."""
        shown = self.summary
        self.summary = summary
        live = self._is_live()
        same = (
            summary is not None
            and shown is not None
            and self._error is None
            and (summary.id, summary.source, summary.path) == (shown.id, shown.source, shown.path)
        )
        was_live, self._live_flag = self._live_flag, live
        if same and summary is not None and shown is not None:
            grown = (summary.size, summary.mtime_ns, summary.inode) != (
                shown.size,
                shown.mtime_ns,
                shown.inode,
            )
            if grown or live != was_live:
                self.refresh()
            self.viewport().update()
            return
        self._forget()
        if summary is None:
            self._loader.close()
            return
        source, id = self.context.source, summary.id
        self._loader.open(lambda: source.open(id), summary.size, live, self._shaper.estimate)

    def refresh(self) -> None:
        """Read what was appended. Cheap when nothing was."""
        if self.summary is not None:
            self._live_flag = self._is_live()
            self._loader.refresh(self._live_flag)

    def go_to(self, seq: int, index: int = 0) -> None:
        """Show a block by its record and its place in that, as soon as it is read."""
        row = row_of(self.blocks[: self._recorded], seq, index)
        self._wanted = (seq, index) if row < 0 or self._partial else None
        if row >= 0:
            self.go_to_row(row)

    def _is_live(self) -> bool:
        """Whether a process works on the run, so that a call without a result is running."""
        return self.summary is not None and self.summary.status in ("running", "waiting")

    def _live_blocks(self, before: Sequence[Block], after: Sequence[Block]) -> list[Block]:
        """What follows the journal's blocks and is not in it yet."""
        return []

    def _read(self) -> None:
        """The blocks are others now."""

    def shutdown(self) -> None:
        """End the threads; the view shows what it has."""
        self._loader.stop()
        self._highlighter.stop()

    def _forget(self) -> None:
        self._error = None
        self._recorded = 0
        self._partial = False
        self._unseen = 0
        self._wanted = None
        self.current = -1
        self.selection.clear()
        self._folds.clear()
        self.following = True
        self.reset_blocks([])
        self._read()

    # --- what was read ---------------------------------------------------------------------------

    def _on_delivered(self, delivery: Delivery) -> None:
        self._error = None
        if delivery.partial or self._partial or delivery.complete:
            self._replace_all(delivery)
        else:
            live = self._live_blocks(self.blocks[: delivery.first], delivery.blocks)
            fresh = delivery.first + len(delivery.blocks) - self._recorded
            self._recorded = delivery.first + len(delivery.blocks)
            self.replace_blocks(
                delivery.first,
                len(self.blocks) - delivery.first,
                [*delivery.blocks, *live],
            )
            if not self.following and fresh > 0:
                self._unseen += fresh
        self._partial = delivery.partial
        if self._wanted is not None:
            self.go_to(*self._wanted)
        self._read()

    def _replace_all(self, delivery: Delivery) -> None:
        """The whole list, in the place of nothing or of the end alone; what is read stays put."""
        keep = None
        blocks = delivery.blocks
        if not self.following and self.blocks:
            key = block_key(self.blocks[min(self._anchor.row, len(self.blocks) - 1)])
            for row in range(len(blocks) - 1, -1, -1):
                if block_key(blocks[row]) == key:
                    keep = Anchor(row, self._anchor.offset)
                    break
        self.selection.clear()
        self._recorded = len(blocks)
        self.reset_blocks([*blocks, *self._live_blocks((), blocks)], keep, delivery.heights)

    def _on_failed(self, error: TenutoError) -> None:
        self._error = error
        self._recorded = 0
        self.reset_blocks([])
        self._read()

    def _on_reading(self, size: int) -> None:
        self._reading_size = size
        if size:
            self._reading_timer.start()
        else:
            self._reading_timer.stop()
            self.viewport().update()
