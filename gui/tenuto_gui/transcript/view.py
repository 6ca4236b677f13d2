# SPDX-License-Identifier: Apache-2.0
"""The transcript view: a session's blocks, what its worker says, and looking for words."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QDesktopServices,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from tenuto.sources.base import Block
from tenuto_gui import format as figures
from tenuto_gui import screen_reader
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import error_words
from tenuto_gui.i18n import translate
from tenuto_gui.runs import protocol
from tenuto_gui.runs.questions import CallFacts
from tenuto_gui.scroll_style import EXTENT
from tenuto_gui.transcript import accessible, link_question, words
from tenuto_gui.transcript.find_bar import FindBar
from tenuto_gui.transcript.finder import Finder
from tenuto_gui.transcript.live import LIVE_SEQ, LiveState
from tenuto_gui.transcript.look import Look
from tenuto_gui.transcript.pill import FollowPill
from tenuto_gui.transcript.reading import ReadingCanvas
from tenuto_gui.transcript.selection import block_text
from tenuto_gui.transcript.window import OutputWindow

#: Streamed text is painted at most this often (look.md, "Motion").
_STREAM_MS = 33
#: Blocks of one turn, and then some.
_TAIL = 40


class TranscriptView(ReadingCanvas):
    """Shows one session; ``set_session`` chooses it, ``refresh`` reads what is new of it."""

    #: The current block in words, as screen readers get it.
    announced = Signal(str)
    #: Something was asked of the transcript: it belongs in front.
    wanted = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        screen_reader.install()
        self.setObjectName("transcriptView")
        self.setAccessibleName(translate("Transcript", "Transcript"))
        self.live: dict[str, LiveState] = {}
        self._stream = QTimer(self)
        self._stream.setSingleShot(True)
        self._stream.setInterval(_STREAM_MS)
        self._stream.timeout.connect(self._show_live)
        self._seconds = QTimer(self)
        self._seconds.setInterval(1000)
        self._seconds.timeout.connect(self.viewport().update)
        self.pill = FollowPill(context, self.viewport())
        self.pill.clicked.connect(self.go_to_end)
        self.following_changed.connect(self._on_following)
        self.open_in_window.connect(self._open_window)
        #: Opens a link that the operator said yes to.
        self.opener: Callable[[str], object] = lambda target: QDesktopServices.openUrl(QUrl(target))
        self.link_wanted.connect(self._on_link)
        self.finder = Finder(self)
        self.find_bar = FindBar(context, self)
        self.find_bar.text_changed.connect(self._on_find_text)
        self.find_bar.stepped.connect(self.finder.step)
        self.find_bar.closed.connect(self.close_find)
        self.finder.changed.connect(self._on_found)

    def reading_row(self) -> int:
        """The block that is being read: the current one on screen, else the first there, or -1."""
        if self.current in self.visible_rows():
            return self.current
        return len(self.blocks) - 1 if self.following else self.row_at(0)

    # --- looking for words -----------------------------------------------------------------------

    def open_find(self) -> None:
        """Show the field to look for words in."""
        self.wanted.emit()
        self.find_bar.show()
        self._place_find_bar()
        self.find_bar.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_bar.field.selectAll()
        self._on_find_text(self.find_bar.field.text())

    def close_find(self) -> None:
        """Look for nothing any more; the transcript stays where it is."""
        self.find_bar.hide()
        self.setViewportMargins(0, 0, 0, 0)
        self.finder.set_text("", 0)
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.viewport().update()

    def _on_find_text(self, text: str) -> None:
        seen = self.visible_rows()
        self.finder.set_text(text, seen[0] if seen else 0)
        self.viewport().update()

    def _on_found(self) -> None:
        finder = self.finder
        self.find_bar.say(finder.rank, finder.total, finder.complete)
        self.viewport().update()

    def _place_find_bar(self) -> None:
        height = self.find_bar.sizeHint().height()
        self.setViewportMargins(0, height, 0, 0)
        self.find_bar.setGeometry(0, 0, self.width(), height)
        # Above the scroll bar, which is as high as the view.
        self.find_bar.raise_()

    # --- links -----------------------------------------------------------------------------------

    def _on_link(self, target: str) -> None:
        link_question.ask(target, self.window(), self.opener)

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

    def _is_live(self) -> bool:
        state = self._state()
        if state is not None:
            # A worker that still asks what to do about a crash has not begun to work.
            return state.begun
        return super()._is_live()

    def _state(self) -> LiveState | None:
        return self.live.get(self.summary.id) if self.summary is not None else None

    def _live_blocks(self, before: Sequence[Block], after: Sequence[Block]) -> list[Block]:
        state = self._state()
        if state is None:
            return []
        state.settle([*before[-_TAIL:], *after[-_TAIL:]])
        last = after[-1] if after else before[-1] if before else None
        turn = last.turn if last is not None else 0
        if last is not None and not turn:
            tail = [*before[-_TAIL:], *after[-_TAIL:]]
            turns = (block.turn for block in reversed(tail) if block.turn)
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
            header_selected=block.kind == "tool_call" and self.selection.takes_header(row),
            focused=self._keyboard and self.hasFocus() and row == self.current,
            **self._found_in(row),
        )

    def _found_in(self, row: int) -> dict[str, Any]:
        if not self.finder.active:
            return {}
        hits, now = self.finder.hits(row, self.shape_of(row))
        return {"hits": hits.body, "header_hits": hits.header, "hit_now": now}

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

    def _read(self) -> None:
        self._update_pill()
        self._update_timers()

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
            self.viewport().width() - size.width() - margin - EXTENT,
            self.viewport().height() - size.height() - margin,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_pill()
        if not self.find_bar.isHidden():
            self.find_bar.setGeometry(0, 0, self.width(), self.find_bar.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F3 and self.finder.active:
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.finder.step(-1 if shift else 1)
        elif event.key() == Qt.Key.Key_Escape and not self.find_bar.isHidden():
            self.close_find()
        else:
            super().keyPressEvent(event)

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
            text = error_words(self._error)
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
