# SPDX-License-Identifier: Apache-2.0
"""The transcript of the chosen session: read in the background, followed while it grows."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from tenuto.errors import TenutoError
from tenuto.sources.base import Block, SessionSummary
from tenuto_gui import format as figures
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.runs import protocol
from tenuto_gui.runs.questions import CallFacts
from tenuto_gui.transcript import accessible, words
from tenuto_gui.transcript.interaction import InteractiveCanvas
from tenuto_gui.transcript.layout import Anchor
from tenuto_gui.transcript.live import LIVE_SEQ, LiveState
from tenuto_gui.transcript.loader import Delivery, TranscriptLoader
from tenuto_gui.transcript.paint import Look
from tenuto_gui.transcript.pill import FollowPill
from tenuto_gui.transcript.places import row_of
from tenuto_gui.transcript.selection import block_text
from tenuto_gui.transcript.shape import block_key
from tenuto_gui.transcript.window import OutputWindow

#: Streamed text is painted at most this often (look.md, "Motion").
_STREAM_MS = 33
#: Reading that takes longer than this is announced.
_READING_MS = 150


class TranscriptView(InteractiveCanvas):
    """Shows one session; ``set_session`` chooses it, ``refresh`` reads what is new of it."""

    #: The current block in words, as screen readers get it.
    announced = Signal(str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        accessible.install()
        self.setObjectName("transcriptView")
        self.setAccessibleName(translate("Transcript", "Transcript"))
        self.summary: SessionSummary | None = None
        self._live_flag = False
        #: Blocks of the journal; live ones come after them.
        self._recorded = 0
        self._partial = False
        self._error: TenutoError | None = None
        self._unseen = 0
        #: A block to go to as soon as it is read: seq and index.
        self._wanted: tuple[int, int] | None = None
        self.live: dict[str, LiveState] = {}
        self._loader = TranscriptLoader(self)
        self._loader.delivered.connect(self._on_delivered)
        self._loader.failed.connect(self._on_failed)
        self._loader.reading.connect(self._on_reading)
        self._stream = QTimer(self)
        self._stream.setSingleShot(True)
        self._stream.setInterval(_STREAM_MS)
        self._stream.timeout.connect(self._show_live)
        self._seconds = QTimer(self)
        self._seconds.setInterval(1000)
        self._seconds.timeout.connect(self.viewport().update)
        self._reading_size = 0
        self._reading_timer = QTimer(self)
        self._reading_timer.setSingleShot(True)
        self._reading_timer.setInterval(_READING_MS)
        self._reading_timer.timeout.connect(self.viewport().update)
        self.pill = FollowPill(context, self.viewport())
        self.pill.clicked.connect(self.go_to_end)
        self.following_changed.connect(self._on_following)
        self.open_in_window.connect(self._open_window)

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
        self._loader.open(lambda: source.open(id), summary.size, live)

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
            self.set_current(row)
            self.scroll_to_row(row)

    def _is_live(self) -> bool:
        """Whether a process works on the run, so that a call without a result is running."""
        state = self._state()
        if state is not None:
            # A worker that still asks what to do about a crash has not begun to work.
            return state.begun
        return self.summary is not None and self.summary.status in ("running", "waiting")

    def call_facts(self, run_id: str, call_id: str) -> CallFacts | None:
        """Where a call stands in its turn, for a question about it."""
        if self.summary is None or self.summary.id != run_id:
            return None
        recorded = self.blocks[: self._recorded]
        call = next((b for b in reversed(recorded) if b.call_id == call_id and call_id), None)
        if call is None:
            return None
        batch = [b for b in recorded if b.seq == call.seq and b.kind == "tool_call"]
        answered = sum(b.result is not None for b in batch)
        rank = batch.index(call) + 1
        return CallFacts(call.turn, call.seq, rank, len(batch), min(answered, rank - 1))

    def shutdown(self) -> None:
        """End the reading thread; the view shows what it has."""
        self._loader.stop()

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
        self.pill.hide()

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
        self._update_pill()
        self._update_timers()

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
        self.reset_blocks([*blocks, *self._live_blocks((), blocks)], keep)

    def _on_failed(self, error: TenutoError) -> None:
        self._error = error
        self._recorded = 0
        self.reset_blocks([])
        self._update_pill()

    def _on_reading(self, size: int) -> None:
        self._reading_size = size
        if size:
            self._reading_timer.start()
        else:
            self._reading_timer.stop()
            self.viewport().update()

    # --- live ------------------------------------------------------------------------------------

    @Slot(str, object)
    def on_run_event(self, run_id: str, event: object) -> None:
        """News of a worker of ours, of whatever run."""
        state = self.live.setdefault(run_id, LiveState())
        was_streaming = state.streaming
        shown = self.summary is not None and self.summary.id == run_id
        match event:
            case protocol.Starting():
                state.stop()
                state.begin(self.blocks[: self._recorded] if shown else ())
            case protocol.TextDelta():
                state.delta("text", event.delta)
            case protocol.ThinkingDelta():
                state.delta("thinking", event.delta)
            case protocol.AssistantRecorded():
                state.recorded(event.seq)
            case protocol.ToolStart():
                state.started[event.id] = time.monotonic()
            case protocol.ToolEnd():
                state.started.pop(event.id, None)
            case protocol.Ask():
                state.asks[event.id] = event.call_id
            case protocol.Answered() | protocol.Withdrawn():
                state.asks.pop(event.id, None)
            case _:
                return
        if not shown:
            return
        if isinstance(event, protocol.TextDelta | protocol.ThinkingDelta):
            if not was_streaming:
                # What it answers to (a follow-up, say) is on disk by now.
                self.refresh()
            if not self._stream.isActive():
                self._stream.start()
            return
        if (
            isinstance(event, protocol.AssistantRecorded | protocol.ToolEnd | protocol.ToolStart)
            or self._is_live() != self._live_flag
        ):
            self.refresh()
        self._show_live()

    @Slot(str, object)
    def on_run_finished(self, run_id: str, _outcome: object) -> None:
        """A worker of ours is gone: the journal alone speaks for its run."""
        self.live.pop(run_id, None)
        if self.summary is not None and self.summary.id == run_id:
            self._show_live()
            self.refresh()

    def _state(self) -> LiveState | None:
        return self.live.get(self.summary.id) if self.summary is not None else None

    def _live_blocks(self, before: Sequence[Block], after: Sequence[Block]) -> list[Block]:
        state = self._state()
        if state is None:
            return []
        state.settle(after)
        last = after[-1] if after else before[-1] if before else None
        turn = last.turn if last is not None else 0
        if last is not None and not turn:
            turns = (block.turn for block in reversed([*before[-40:], *after[-40:]]) if block.turn)
            turn = next(turns, 0)
        return state.blocks(turn + 1)

    def _show_live(self) -> None:
        live = self._live_blocks(self.blocks[: self._recorded], ())
        self.replace_blocks(self._recorded, len(self.blocks) - self._recorded, live)
        self._update_timers()

    def _update_timers(self) -> None:
        running = any(
            b.state == "running" for b in self.blocks[max(self._recorded - 20, 0) : self._recorded]
        )
        if running and not self._seconds.isActive():
            self._seconds.start()
        elif not running:
            self._seconds.stop()

    def is_live_text(self, row: int) -> bool:
        return self.blocks[row].seq >= LIVE_SEQ

    def look_of(self, row: int) -> Look:
        block = self.blocks[row]
        state = self._state()
        waiting = False
        seconds = None
        if block.state == "running":
            waiting = self._is_asked(block, state)
            if state is not None and block.call_id in state.started:
                seconds = time.monotonic() - state.started[block.call_id]
        last_turn = next((b.turn for b in self.blocks[: -30 - 1 : -1] if b.turn), 0)
        busy = self._is_live()
        return Look(
            live=bool(busy and block.turn and block.turn == last_turn),
            waiting=waiting,
            seconds=seconds,
            caret=self._caret(row, state),
            selected=self.selection.in_block(row),
            focused=self._keyboard and self.hasFocus() and row == self.current,
        )

    def _is_asked(self, block: Block, state: LiveState | None) -> bool:
        if state is not None:
            return block.call_id in state.asks.values() or (
                bool(state.asks) and "" in state.asks.values()
            )
        return self.summary is not None and self.summary.status == "waiting"

    def _caret(self, row: int, state: LiveState | None) -> str:
        """After the last words: streaming, or holding for the operator."""
        block = self.blocks[row]
        if block.kind != "text":
            return ""
        if row == len(self.blocks) - 1:
            return "stream" if state is not None and state.streaming else ""
        following = self.blocks[row + 1]
        asked = following.state == "running" and self._is_asked(following, state)
        return "hold" if asked else ""

    # --- around the blocks -----------------------------------------------------------------------

    def _on_following(self, following: bool) -> None:
        if following:
            self._unseen = 0
        self._update_pill()

    def _update_pill(self) -> None:
        busy = self._live_flag or self._state() is not None
        self.pill.show_count(self._unseen, not self.following and (busy or self._unseen > 0))
        self._place_pill()

    def _place_pill(self) -> None:
        margin = self._shaper.metrics.gap
        size = self.pill.size()
        self.pill.move(
            self.viewport().width() - size.width() - margin,
            self.viewport().height() - size.height() - margin,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_pill()

    def _open_window(self, heading: str, source: str) -> None:
        OutputWindow(self.context, heading, source, self).show()

    def current_changed(self) -> None:
        text = (
            words.accessible(self.blocks[self.current])
            if 0 <= self.current < len(self.blocks)
            else ""
        )
        self.announced.emit(text)
        accessible.announce(self, text)

    def plain_text(self) -> str:
        """All blocks in words."""
        return "\n\n".join(block_text(block) for block in self.blocks)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        text = ""
        if self._error is not None:
            text = self._error.message
        elif self._reading_size and not self._reading_timer.isActive():
            text = translate("Transcript", "Reading {size}").format(
                size=figures.size(self._reading_size)
            )
        elif self.summary is None:
            text = translate("Transcript", "No session is chosen")
        if text:
            self._paint_line(text, centered=not self.blocks)

    def _paint_line(self, text: str, centered: bool) -> None:
        theme = self.context.theme
        metrics = self._shaper.metrics
        painter = QPainter(self.viewport())
        painter.setFont(theme.fonts.font("small"))
        flags = Qt.TextFlag.TextWordWrap
        place = self.viewport().rect()
        if centered:
            painter.setPen(theme.color("text2"))
            place = place.adjusted(metrics.pad * 2, metrics.turn_gap * 4, -metrics.pad * 2, 0)
            painter.drawText(place, Qt.AlignmentFlag.AlignHCenter | flags, text)
        else:
            bar = place.adjusted(0, 0, 0, metrics.small_line + metrics.pad // 2 - place.height())
            painter.fillRect(bar, theme.color("window"))
            painter.setPen(theme.color("text2"))
            painter.drawText(bar, int(Qt.AlignmentFlag.AlignCenter), text)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self.viewport().update()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.shutdown()
        super().closeEvent(event)
