# SPDX-License-Identifier: Apache-2.0
"""The Activity view: what a session did when, and what it cost (look.md, "Activity")."""

from __future__ import annotations

import time
from threading import Event

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from tenuto.errors import TenutoError
from tenuto.sources.activity import Activity, Live
from tenuto.sources.base import ActivityReader, SessionSummary
from tenuto_gui import format as figures
from tenuto_gui.activity import words
from tenuto_gui.activity.board import Board
from tenuto_gui.activity.heads import Facts, Heading
from tenuto_gui.activity.timeline import Timeline
from tenuto_gui.activity.tokens import TokensChart
from tenuto_gui.activity.tools import ToolsBoard
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import error_words
from tenuto_gui.i18n import translate
from tenuto_gui.jobs import Jobs
from tenuto_gui.runs.pieces import Ground, RoleLabel
from tenuto_gui.scroll_style import overlay

#: A live run is looked at again this often, for what it is doing at the moment.
_LIVE_MS = 1000
#: And takes no more than one part in so many of the time.
_LIVE_SHARE = 20
#: News of a run that is shown come together at most this often.
_AGAIN_MS = 200
#: Reading that takes longer than this is announced.
_READING_MS = 150
#: Below this width, in pixels at 10 pt, tokens and tools stand one above the other.
_STACKED = 640


class ActivityView(QWidget):
    """Shows one session; reads only while it is looked at."""

    #: An item was chosen: seq and index of its block in the transcript.
    block_chosen = Signal(int, int)
    #: Other figures are shown.
    shown = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("activityView")
        self.setAccessibleName(translate("Activity", "Activity"))
        self._context = context
        self._summary: SessionSummary | None = None
        self.activity = Activity()
        self._jobs = Jobs(self, workers=1)
        self._reader: ActivityReader | None = None
        self._stop = Event()
        self._number = 0
        self._busy = False
        self._stale = False
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self._read)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(_READING_MS)
        self._slow.timeout.connect(self._say_reading)
        self._live = QTimer(self)
        self._live.setInterval(_LIVE_MS)
        self._live.timeout.connect(self._read)
        self._build()
        self._say(translate("Activity", "No session is chosen"))

    # --- building --------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self._context.theme
        px = theme.fonts.px
        self._layers = QStackedLayout(self)
        self._note = RoleLabel(theme, "small", "text2", self)
        self._note.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._note.setWordWrap(True)
        self._note.setContentsMargins(px(24), px(48), px(24), 0)
        self._page = QScrollArea(self)
        self._page.setFrameShape(QFrame.Shape.NoFrame)
        self._page.setWidgetResizable(True)
        self._page.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._page.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        overlay(self._page.verticalScrollBar())
        self._layers.addWidget(self._note)
        self._layers.addWidget(self._page)
        whole = Ground(theme, "base")
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.facts = Facts(theme, whole)
        self._time_head = Heading(theme, translate("Activity", "Timeline"), (), whole)
        self.timeline = Timeline(theme, whole)
        self._times = self._caption(whole)
        column.addWidget(self.facts)
        column.addWidget(self._time_head)
        column.addWidget(self.timeline)
        column.addWidget(self._times)
        line = Ground(theme, "line", whole)
        line.setFixedHeight(1)
        column.addWidget(line)
        self._below = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._below.setSpacing(0)
        self._below.addWidget(self._tokens_side(whole), 7)
        self._divider = Ground(theme, "line", whole)
        self._below.addWidget(self._divider)
        self.tools = ToolsBoard(theme, whole)
        self._below.addWidget(self.tools, 5, Qt.AlignmentFlag.AlignTop)
        column.addLayout(self._below, 1)
        self._page.setWidget(whole)
        self._page.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        for board in self._boards():
            board.chosen.connect(self.block_chosen)

    def _boards(self) -> tuple[Board, ...]:
        return self.timeline, self.tokens, self.tools

    def _caption(self, parent: QWidget) -> RoleLabel:
        px = self._context.theme.fonts.px
        label = RoleLabel(self._context.theme, "small", "text2", parent)
        label.setWordWrap(True)
        label.setContentsMargins(px(16), px(4), px(16), px(10))
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        return label

    def _tokens_side(self, parent: QWidget) -> QWidget:
        theme = self._context.theme
        side = QWidget(parent)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        legend = (
            ("c2", translate("Activity", "cache read")),
            ("c1", translate("Activity", "cache write")),
            ("c3", translate("Activity", "input")),
            ("c4", translate("Activity", "output")),
        )
        self._legend = legend
        head = Heading(theme, translate("Activity", "Tokens per turn"), legend, side)
        self._token_head = head
        self.tokens = TokensChart(theme, side)
        self._cache = self._caption(side)
        column.addWidget(head)
        column.addWidget(self.tokens, 1)
        column.addWidget(self._cache)
        column.addStretch(0)
        self._show_tokens(counted=True)
        return side

    def _show_tokens(self, *, counted: bool) -> None:
        """The chart with its legend; where nobody counted only the words that say so."""
        px = self._context.theme.fonts.px
        self.tokens.setVisible(counted)
        self._token_head.set_legend(self._legend if counted else ())
        left = self.tokens.pinned() if counted else px(16)
        self._cache.setContentsMargins(left, px(4), px(16), px(12))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        stacked = self.width() < self._context.theme.fonts.px(_STACKED)
        way = QBoxLayout.Direction.TopToBottom if stacked else QBoxLayout.Direction.LeftToRight
        if self._below.direction() != way:
            self._below.setDirection(way)
        if stacked:
            self._divider.setFixedSize(self.width(), 1)
        else:
            self._divider.setMinimumSize(1, 0)
            self._divider.setMaximumSize(1, 16_777_215)

    # --- the session -----------------------------------------------------------------------------

    def set_session(self, summary: SessionSummary | None) -> None:
        """Show another session, or the same one after it grew."""
        shown = self._summary
        same = (
            summary is not None
            and shown is not None
            and (summary.id, summary.source, summary.path) == (shown.id, shown.source, shown.path)
        )
        self._summary = summary
        if not same:
            self._forget()
            if summary is None:
                self._say(translate("Activity", "No session is chosen"))
        self._stale = True
        if self.isVisible() and summary is not None:
            if same:
                self._again.start()
            else:
                self._read()
        self._follow()

    def refresh(self) -> None:
        """Read what is new."""
        self._stale = True
        self._read()

    def shutdown(self) -> None:
        """End the reading thread; the view shows what it has."""
        self._stop.set()
        for timer in (self._again, self._slow, self._live):
            timer.stop()
        self._jobs.stop()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._read()
        self._follow()

    def _forget(self) -> None:
        self._stop.set()
        self._stop = Event()
        self._number += 1
        self._busy = False
        self._reader = None
        self._again.stop()
        self.activity = Activity()
        for board in self._boards():
            board.current = -1
        self._say("")
        self._slow.start()

    def _say_reading(self) -> None:
        if self._busy and self._summary is not None:
            text = translate("Activity", "Reading {size}")
            self._say(text.format(size=figures.size(self._summary.size)))

    def _live_kind(self) -> Live:
        status = self._summary.status if self._summary is not None else ""
        if status == "running":
            return "running"
        return "waiting" if status == "waiting" else ""

    def _follow(self) -> None:
        if self._live_kind() and not self._live.isActive():
            self._live.start()
        elif not self._live_kind():
            self._live.stop()

    # --- reading ---------------------------------------------------------------------------------

    def _read(self) -> None:
        summary = self._summary
        if summary is None or not self.isVisible():
            return
        if self._busy:
            # What came meanwhile is read when this reading has ended.
            self._stale = True
            return
        self._busy, self._stale = True, False
        number, stop, live = self._number, self._stop, self._live_kind()
        source, id, known = self._context.source, summary.id, self._reader

        def read() -> tuple[ActivityReader, Activity, float]:
            began = time.monotonic()
            reader = known if known is not None else source.activity(id)
            found = reader.refresh(live, stop.is_set)
            return reader, found, time.monotonic() - began

        def done(found: tuple[ActivityReader, Activity, float]) -> None:
            if number != self._number:
                return
            self._busy = False
            self._reader = found[0]
            # A run of many thousand records is not worked out anew each second.
            self._live.setInterval(max(_LIVE_MS, round(found[2] * 1000 * _LIVE_SHARE)))
            self._show(found[1])
            if self._stale:
                self._again.start()

        def failed(error: BaseException) -> None:
            if number != self._number:
                return
            self._busy = False
            self._slow.stop()
            if not isinstance(error, TenutoError):
                raise error
            self._say(error_words(error))

        self._jobs.run(read, done, failed)

    def _show(self, found: Activity) -> None:
        self._slow.stop()
        self.activity = found
        newer = self._reader.newer if self._reader is not None else None
        if newer is not None:
            self._say(error_words(newer))
        elif not found.turns:
            self._say(translate("Activity", "The model has not answered yet: nothing to show"))
        else:
            self.facts.set_facts(words.facts(found))
            self._time_head.set_legend(self._time_legend(found))
            self.timeline.show_activity(found)
            self._times.setText(words.times_note(found))
            self.tokens.show_activity(found)
            self._show_tokens(counted=found.counted)
            self._cache.setText(words.cache_note(found))
            self.tools.show_activity(found)
            self._layers.setCurrentWidget(self._page)
        self.shown.emit()

    @staticmethod
    def _time_legend(found: Activity) -> tuple[tuple[str, str], ...]:
        legend = [
            ("c1", translate("Activity", "model")),
            ("c2", translate("Activity", "tool")),
        ]
        if any(span.kind == "you" for span in found.spans):
            legend.append(("wait_fill", translate("Activity", "waits for you")))
        if found.timed:
            legend.append(("", translate("Activity", "idle gaps over 1\u202fm are folded")))
        return tuple(legend)

    def _say(self, text: str) -> None:
        """Words in the place of figures."""
        self._note.setText(text)
        self._layers.setCurrentWidget(self._note)

    def plain_text(self) -> str:
        """What is shown, in words."""
        if self._layers.currentWidget() is self._note:
            return self._note.text()
        boards = (board.text_of(item) for board in self._boards() for item in range(board.count()))
        return "\n".join(
            (self.facts.accessibleName(), self._times.text(), self._cache.text(), *boards)
        )
