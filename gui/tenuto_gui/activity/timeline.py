# SPDX-License-Identifier: Apache-2.0
"""The time line: lanes for the model, for the operator and for each tool; gaps folded.

Without times the same lanes go by turn, one column each.
"""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter
from PySide6.QtWidgets import QWidget

from tenuto.sources.activity import Activity, Call, Gap, Place, Span, Turn
from tenuto_gui import format as figures
from tenuto_gui.activity import words
from tenuto_gui.activity.axis import TimeAxis, columns
from tenuto_gui.activity.board import CENTER, LEFT, Board
from tenuto_gui.i18n import translate
from tenuto_gui.theme import Theme

#: Tools with a lane of their own; the others share the last one.
LANES = 12
_MODEL, _YOU = 0, 1
#: Pixels at 10 pt: rows, bars, a turn at least, a turn by turn at most.
_ROW, _BAR, _LEAST_TURN, _MOST_TURN = 26, 16, 18, 56
#: Kind of a gap: its mark and the token of its words.
_GAPS = {"wait": (":waiting", "wait"), "suspended": (":suspended", "susp"), "idle": ("", "text2")}


class Timeline(Board):
    """Paints an `Activity` over time, or by turn where nobody saw the time."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, translate("Activity", "Timeline"), parent=parent)
        self._activity = Activity()
        #: Items by turn: a reply, or a call of it.
        self._by_turn: list[tuple[Turn, Call | None]] = []
        #: Where the items of each turn begin.
        self._firsts: list[int] = []
        self._lanes: list[str] = []
        self._lane_of: dict[str, int] = {}
        self._axis = TimeAxis(0, 0, [], 1, 1)
        self._column = 1.0
        self._width = 1
        self._label = 1
        #: Whether the run went over midnight, and seconds that the clock is ahead of UTC.
        self._dated = (False, 0.0)

    # --- content ---------------------------------------------------------------------------------

    def show_activity(self, activity: Activity) -> None:
        """Show other figures; what keys act on stays."""
        self._activity = activity
        tools = [tool.name for tool in activity.tools]
        self._lanes = [translate("Activity", "Model")]
        waits = any(span.kind == "you" for span in activity.spans)
        if waits:
            self._lanes.append(translate("Activity", "You"))
        first = len(self._lanes)
        own = tools if len(tools) <= LANES else tools[: LANES - 1]
        self._lanes += [words.tool_name(name) for name in own]
        self._lane_of = {name: first + rank for rank, name in enumerate(own)}
        if len(tools) > len(own):
            count = len(tools) - len(own)
            self._lanes.append(translate("Activity", "%n more tool(s)", None, count))
            self._lane_of |= {name: first + len(own) for name in tools[len(own) :]}
        self._by_turn, self._firsts = [], []
        if not activity.timed:
            for turn in activity.turns:
                self._firsts.append(len(self._by_turn))
                self._by_turn.append((turn, None))
                self._by_turn += [(turn, call) for call in turn.calls]
        self.lay_out()

    def lanes(self) -> list[str]:
        """The names at the left, from top to bottom."""
        return self._lanes

    # --- geometry --------------------------------------------------------------------------------

    def measure(self) -> None:
        px = self._theme.fonts.px
        metrics = self._theme.fonts.metrics("mono_small")
        widest = max((metrics.horizontalAdvance(name) for name in self._lanes), default=0.0)
        room = self.viewport().width()
        most = min(px(220), room * 2 // 5)
        self._label = px(16) + min(max(round(widest) + px(14), px(72)), most)
        inner = max(room - self._label - px(20), px(60))
        found = self._activity
        if not found.timed or found.begun is None or found.ended is None:
            numbers = self._theme.fonts.metrics("small_demi")
            widest = numbers.horizontalAdvance(figures.exact(len(found.turns))) + px(6)
            least = max(float(px(_LEAST_TURN)), widest)
            self._column, width = columns(len(found.turns), inner, least, float(px(_MOST_TURN)))
            self._width = round(width)
            return
        models = sum(span.kind == "model" for span in found.spans)
        self._width = max(inner, models * px(_LEAST_TURN))
        fold = max(map(self._fold_width, found.gaps), default=0)
        start = min(found.begun, found.spans[0].start)
        self._axis = TimeAxis(start, found.ended, found.gaps, self._width, fold)
        began = datetime.fromtimestamp(start).astimezone()
        offset = began.utcoffset()
        self._dated = (
            began.date() != datetime.fromtimestamp(found.ended).astimezone().date(),
            offset.total_seconds() if offset is not None else 0.0,
        )

    def _fold_width(self, gap: Gap) -> int:
        px = self._theme.fonts.px
        metrics = self._theme.fonts.metrics("small_demi")
        text = figures.duration(gap.end - gap.start)
        return max(px(54), round(metrics.horizontalAdvance(text)) + px(8))

    def _ticks(self, left: float, right: float) -> list[tuple[float, str]]:
        """The marks between two x of the axis, with their words."""
        px = self._theme.fonts.px
        dated, zone = self._dated
        longest = words.clock(self._axis.start, seconds=True, date=dated)
        written = round(self._theme.fonts.metrics("small").horizontalAdvance(longest))
        room = max(px(112 if dated else 76), written + px(16))
        fine = self._axis.step(room) % 60 != 0
        made = []
        day = None
        for x, moment in self._axis.ticks(room, zone, left, right):
            other = datetime.fromtimestamp(moment).astimezone().date()
            made.append((x, words.clock(moment, seconds=fine, date=dated and other != day)))
            day = other
        return made

    def pinned(self) -> int:
        return self._label

    def content_width(self) -> int:
        return self._label + self._width + self._theme.fonts.px(20)

    def _head(self) -> int:
        fonts = self._theme.fonts
        return max(fonts.px(24), fonts.line_height("small") + fonts.px(6))

    def _row(self) -> int:
        fonts = self._theme.fonts
        return max(fonts.px(_ROW), fonts.line_height("small") + fonts.px(8))

    def content_height(self) -> int:
        # Room for the scroll bar below the last lane, whether it is there or not.
        return self._head() + len(self._lanes) * self._row() + self._theme.fonts.px(14)

    def _band(self, lane: int) -> tuple[float, float]:
        """Top and height of a bar in a lane."""
        row = self._row()
        height = max(self._theme.fonts.px(_BAR), row - self._theme.fonts.px(10))
        return self._head() + lane * row + (row - height) / 2, height

    # --- items -----------------------------------------------------------------------------------

    def count(self) -> int:
        return len(self._activity.spans) if self._activity.timed else len(self._by_turn)

    def _lane(self, span: Span) -> int:
        if span.kind == "tool":
            return self._lane_of.get(span.name, len(self._lanes) - 1)
        return _YOU if span.kind == "you" else _MODEL

    def rect_of(self, item: int) -> QRectF:
        if self._activity.timed:
            span = self._activity.spans[item]
            top, height = self._band(self._lane(span))
            left = self._label + self._axis.x(span.start)
            right = self._label + self._axis.x(span.end)
            return QRectF(left, top, max(right - left, self._theme.fonts.px(3)), height)
        turn, call = self._by_turn[item]
        rank = bisect_left(self._firsts, item + 1) - 1
        lane = _MODEL if call is None else self._lane_of.get(call.name, len(self._lanes) - 1)
        top, height = self._band(lane)
        left = self._label + rank * self._column
        room = self._column - self._theme.fonts.px(3)
        if call is None:
            return QRectF(left, top, room, height)
        same = [each for each in turn.calls if self._lane_of.get(each.name) == lane]
        share = room / max(len(same), 1)
        place = next((at for at, each in enumerate(same) if each is call), 0)
        gap = 1 if len(same) > 1 else 0
        return QRectF(left + place * share, top, max(share - gap, 1), height)

    def text_of(self, item: int) -> str:
        if self._activity.timed:
            return words.span_text(self._activity.spans[item])
        turn, call = self._by_turn[item]
        if call is not None:
            return words.call_text(call)
        text = translate("Activity", "{turn}, %n call(s)", None, len(turn.calls))
        return text.format(turn=words.turn(turn.place.turn))

    def place_of(self, item: int) -> Place | None:
        if self._activity.timed:
            return self._activity.spans[item].place
        turn, call = self._by_turn[item]
        return turn.place if call is None else call.place

    def near(self, point: QPoint) -> range:
        return self._between(point.x() - 8, point.x() + 8)

    def _between(self, left: float, right: float) -> range:
        """The items that show between two x of the content."""
        if self._activity.timed:
            spans, axis = self._activity.spans, self._axis
            # Spans follow one another, so that they are sorted by both ends.
            shown = self._theme.fonts.px(3)
            first = bisect_left(
                spans, left - self._label - shown, key=lambda span: axis.x(span.end)
            )
            last = bisect_left(spans, right - self._label, key=lambda span: axis.x(span.start))
            return range(max(first - 1, 0), min(last + 1, len(spans)))
        count = len(self._firsts)
        first = min(max(int((left - self._label) // self._column), 0), count)
        last = min(max(int((right - self._label) // self._column) + 1, first), count)
        end = self._firsts[last] if last < count else len(self._by_turn)
        return range(self._firsts[first] if first < count else end, end)

    # --- painting --------------------------------------------------------------------------------

    def paint(self, painter: QPainter, left: int, right: int) -> None:
        if not self._lanes:
            return
        self._paint_grid(painter, left, right)
        if self._activity.timed:
            self._paint_folds(painter, left, right)
        for item in self._between(left, right):
            self._paint_item(painter, item)

    def _paint_grid(self, painter: QPainter, left: int, right: int) -> None:
        line, head, row = self._theme.color("line"), self._head(), self._row()
        right = min(right, self._label + self._width)
        bottom = head + len(self._lanes) * row
        for lane in range(len(self._lanes)):
            painter.fillRect(left, head + (lane + 1) * row - 1, right - left, 1, line)
        if self._activity.timed:
            painter.fillRect(self._label, head - 4, 1, bottom - head + 4, line)
            for x, text in self._ticks(left - self._label - 200, right - self._label):
                at = self._label + round(x)
                if at >= self._label:
                    painter.fillRect(at, head - 4, 1, bottom - head + 4, line)
                    if place := self._place_of_time(at, text):
                        self.put(painter, place, text, "small", "text2")

    def _place_of_time(self, at: int, text: str) -> QRect | None:
        """Where the words of the mark at ``at`` stand; None where the grid ends before them."""
        room = self._label + self._width - at - 3
        if self._theme.fonts.metrics("small").horizontalAdvance(text) > room:
            return None
        return QRect(at + 3, 0, room, self._head() - 2)

    def _paint_folds(self, painter: QPainter, left: int, right: int) -> None:
        theme, px = self._theme, self._theme.fonts.px
        head, bottom = self._head(), self._head() + len(self._lanes) * self._row()
        line = theme.fonts.line_height("small_demi")
        for fold in self._axis.folds:
            x = self._label + fold.left
            if self._label + fold.right < left or x > right:
                continue
            band = QRectF(x, head - 4, fold.right - fold.left, bottom - head + 4)
            painter.fillRect(band, theme.color("well"))
            painter.fillRect(band, QBrush(theme.color("rail"), Qt.BrushStyle.BDiagPattern))
            mark, token = _GAPS[fold.gap.kind]
            size = px(16)
            first = min(2, len(self._lanes) - 1)
            top = head + first * self._row()
            # Where the lanes leave no room for both, the bar above or the band says what it was.
            if top + line + size + px(8) > bottom:
                mark = ""
            height = line + (size if mark else 0) + px(8)
            place = QRectF(band.left(), top, band.width(), height)
            painter.fillRect(place, theme.color("base"))
            if mark:
                self.icon(
                    painter,
                    mark,
                    token,
                    place.center().x() - size / 2,
                    top + px(4) + size / 2,
                    size,
                )
            text = figures.duration(fold.gap.end - fold.gap.start)
            words_at = QRectF(band.left(), place.bottom() - line - px(3), band.width(), line)
            self.put(painter, words_at.toAlignedRect(), text, "small_demi", token, CENTER)

    def _paint_item(self, painter: QPainter, item: int) -> None:
        rect = self.rect_of(item)
        px = self._theme.fonts.px
        if self._activity.timed:
            span = self._activity.spans[item]
            kind, call, turn = span.kind, span.call, span.place.turn
        else:
            each, call = self._by_turn[item]
            kind, turn = ("model" if call is None else "tool"), each.place.turn
        failed = call is not None and call.state == "failed"
        token = {"model": "c1", "tool": "c2", "you": "wait_fill"}[kind]
        self.bar(painter, rect, "fail" if failed else token)
        if item == self._hover:
            painter.setPen(self._theme.color("text"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(0, 0, -1, -1), 3, 3)
        if failed:
            # By shape as well.
            at, inside = self._cross_of(rect, px(12))
            ink = "base" if inside else "fail"
            self.icon(painter, "cross", ink, at, rect.center().y(), px(12))
        elif kind == "model":
            self._label_bar(painter, rect, figures.exact(turn), "on_accent")
        elif kind == "you":
            self._label_bar(painter, rect, translate("Activity", "waiting"), "wait_glyph")

    def _cross_of(self, rect: QRectF, size: int) -> tuple[float, bool]:
        """Where the cross of a bar begins, and whether that is in it.

        Beside a bar that is too narrow for one: behind it, before it where the grid ends.
        """
        if rect.width() >= size + 4:
            return rect.center().x() - size / 2, True
        behind = rect.right() + 1
        ends = self._label + self._width
        return (behind if behind + size <= ends else rect.left() - 1 - size), False

    def _label_bar(self, painter: QPainter, rect: QRectF, text: str, token: str) -> None:
        metrics = self._theme.fonts.metrics("small_demi")
        if metrics.horizontalAdvance(text) <= rect.width():
            self.put(painter, rect.toAlignedRect(), text, "small_demi", token, CENTER)

    def paint_pinned(self, painter: QPainter) -> None:
        theme, px = self._theme, self._theme.fonts.px
        head, row = self._head(), self._row()
        painter.fillRect(0, 0, self._label, self.viewport().height(), theme.color("base"))
        if not self._activity.timed and self._lanes:
            place = QRect(px(16), 0, self._label - px(16), head)
            self.put(painter, place, translate("Activity", "by turn"), "small", "text2")
        first_tool = min(self._lane_of.values(), default=len(self._lanes))
        for lane, name in enumerate(self._lanes):
            place = QRect(px(16), head + lane * row, self._label - px(22), row - 1)
            mono = lane >= first_tool and lane in self._lane_of.values()
            self.put(painter, place, name, "mono_small" if mono else "small_medium", "text", LEFT)
            painter.fillRect(
                px(16), head + (lane + 1) * row - 1, self._label, 1, theme.color("line")
            )

    def tip_at(self, point: QPoint) -> str:
        """The whole name of a lane, or how long a folded gap was."""
        lane = (point.y() - self._head()) // self._row()
        if point.x() < self._label:
            return self._lanes[lane] if 0 <= lane < len(self._lanes) else ""
        x = point.x() + self.horizontalScrollBar().value() - self._label
        if not self._activity.timed:
            return ""
        for fold in self._axis.folds:
            if fold.left <= x <= fold.right:
                gap = fold.gap
                start, end = (words.clock(moment, date=True) for moment in (gap.start, gap.end))
                return f"{figures.duration(gap.end - gap.start)}, {start} \u2013 {end}"
        return ""
