# SPDX-License-Identifier: Apache-2.0
"""The slowest tools, and the errors: each row leads to its block."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from tenuto.sources.activity import Activity, Call, Failure, Place, Tool
from tenuto.text import visible
from tenuto_gui import format as figures
from tenuto_gui.activity import words
from tenuto_gui.activity.board import RIGHT, Board
from tenuto_gui.core_words import kept_words
from tenuto_gui.fonts import Role
from tenuto_gui.i18n import enumerated, translate
from tenuto_gui.sessions.failure import failure_words
from tenuto_gui.theme import Theme

#: So many are listed; how many more there are is said.
TOOLS, ERRORS = 12, 50
_OUTPUT_LINES = 3
#: Text, role, colour.
_Cell = tuple[str, Role, str]
_NONE: _Cell = ("\u2013", "small", "text2")


@dataclass(frozen=True)
class _Row:
    """A tool or an error, and where it is."""

    rect: QRectF
    tool: Tool | None = None
    failure: Failure | None = None
    lines: tuple[str, ...] = ()


class ToolsBoard(Board):
    """Paints a table of tools and a list of errors."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        name = translate("Activity", "Slowest tools and errors")
        super().__init__(theme, name, across=False, parent=parent)
        self._activity = Activity()
        self._rows: list[_Row] = []
        self._height = 0
        self._ends: tuple[int, ...] = (0, 0, 0, 0, 0)
        self._notes: list[tuple[int, str, str]] = []

    def show_activity(self, activity: Activity) -> None:
        """Show other figures."""
        self._activity = activity
        self.lay_out()

    # --- geometry --------------------------------------------------------------------------------

    def measure(self) -> None:
        fonts = self._theme.fonts
        px, small = fonts.px, fonts.line_height("small")
        width = self.viewport().width()
        row = max(px(29), small + px(12))
        found = self._activity
        self._rows, self._notes = [], []
        self._ends = self._columns()
        y = px(3)
        if found.tools:
            title = (
                translate("Activity", "Slowest tools")
                if found.timed
                else translate("Activity", "Tools")
            )
            self._notes.append((y, title, "title"))
            y += row + row
            for tool in self._shown():
                self._rows.append(_Row(QRectF(px(16), y, width - px(32), row - 1), tool=tool))
                y += row
            if len(found.tools) > TOOLS:
                more = translate("Activity", "and %n more tool(s)", None, len(found.tools) - TOOLS)
                self._notes.append((y, more, "small"))
                y += row
            longest = max(
                (tool.longest for tool in found.tools if tool.longest is not None),
                key=lambda call: call.ms or 0.0,
                default=None,
            )
            if longest is not None:
                self._notes.append((y + px(4), self._longest(longest, width - px(32)), "small"))
                y += row
            y += px(8)
        self._notes.append((y, translate("Activity", "Errors"), "title"))
        y += row
        if not found.failures:
            self._notes.append((y, translate("Activity", "No call failed."), "small"))
            y += row
        line = fonts.line_height("mono_small") + px(2)
        for failure in found.failures[:ERRORS]:
            lines = tuple(
                shown.expandtabs(4)
                for shown in _said(failure).strip().split("\n")[:_OUTPUT_LINES]
                if shown.strip()
            )
            height = row + len(lines) * line + small + px(8)
            rect = QRectF(px(16), y, width - px(32), height)
            self._rows.append(_Row(rect, failure=failure, lines=lines))
            y += height
        if len(found.failures) > ERRORS:
            more = translate("Activity", "and %n more error(s)", None, len(found.failures) - ERRORS)
            self._notes.append((y, more, "small"))
            y += row
        self._height = y + px(12)

    def content_height(self) -> int:
        return self._height

    # --- items -----------------------------------------------------------------------------------

    def count(self) -> int:
        return len(self._rows)

    def rect_of(self, item: int) -> QRectF:
        return self._rows[item].rect

    def text_of(self, item: int) -> str:
        row = self._rows[item]
        if row.tool is not None:
            tool = row.tool
            calls = translate("Activity", "%n call(s)", None, tool.calls)
            errors = translate("Activity", "%n error(s)", None, tool.errors)
            parts = [words.tool_name(tool.name), calls, errors]
            if tool.longest is not None:
                took = figures.duration((tool.longest.ms or 0.0) / 1000)
                parts.append(translate("Activity", "longest {time}").format(time=took))
                total = figures.duration(tool.total_ms / 1000)
                parts.append(translate("Activity", "in all {time}").format(time=total))
            return enumerated(parts)
        failure = row.failure
        assert failure is not None
        head = (
            words.call_text(failure.call)
            if failure.call is not None
            else translate("Activity", "The run failed")
        )
        return "\n".join((head, *row.lines))

    def _longest(self, call: Call, room: int) -> str:
        """Which call was the longest; its arguments are cut, which turn it was in stays."""
        metrics = self._theme.fonts.metrics("small")
        text = translate("Activity", "Longest call: {call}, {turn}")
        turn = words.turn(call.place.turn)
        rest = metrics.horizontalAdvance(text.format(call="", turn=turn))
        line = metrics.elidedText(
            words.call_line(call), Qt.TextElideMode.ElideRight, max(room - rest, 0)
        )
        return text.format(call=line, turn=turn)

    def place_of(self, item: int) -> Place | None:
        row = self._rows[item]
        if row.failure is not None:
            return row.failure.place
        assert row.tool is not None
        if row.tool.longest is not None:
            return row.tool.longest.place
        name = row.tool.name
        calls = (call for turn in self._activity.turns for call in turn.calls)
        return next((call.place for call in calls if call.name == name), None)

    # --- painting --------------------------------------------------------------------------------

    def _columns(self) -> tuple[int, ...]:
        """Right edges of Calls, Errors, Longest, Total, and of the bar."""
        px = self._theme.fonts.px
        right = self.viewport().width() - px(16)
        if not self._activity.timed:
            return right - px(60), right, right, right, right
        small = self._theme.fonts.metrics("small_demi")
        rows = [self._heads(), *([cell[0] for cell in self._cells(t)] for t in self._shown())]
        wide = [
            round(max(small.horizontalAdvance(row[column]) for row in rows)) + px(6)
            for column in (4, 3, 2, 1)
        ]
        metrics = self._theme.fonts.metrics("mono_small")
        names = (metrics.horizontalAdvance(row[0]) for row in rows)
        # The bars go where the names need their room: the figures stay.
        bar = right - (px(24) if max(names) + px(22) + sum(wide) < right - px(24) else 0)
        two = bar - wide[0]
        three = two - wide[1]
        return three - wide[2], three, two, bar, right

    def _shown(self) -> list[Tool]:
        return self._activity.tools[:TOOLS]

    @staticmethod
    def _heads() -> tuple[str, ...]:
        return (
            translate("Activity", "Tool"),
            translate("Activity", "Calls"),
            translate("Activity", "Errors"),
            translate("Activity", "Longest"),
            translate("Activity", "Total"),
        )

    def paint(self, painter: QPainter, left: int, right: int) -> None:
        fonts = self._theme.fonts
        px = fonts.px
        row = max(px(29), fonts.line_height("small") + px(12))
        width = right - left
        for y, text, role in self._notes:
            place = QRect(px(16), y, width - px(32), row)
            if role == "title":
                self.put(painter, place, text, "demi", "text")
            else:
                self.put(painter, place, text, "small", "text2")
        first = next((each for each in self._rows if each.tool is not None), None)
        if first is not None:
            y = round(first.rect.top()) - row
            heads: list[_Cell] = [(text, "small", "text2") for text in self._heads()]
            self._paint_cells(painter, y, row - 1, heads)
        for item, each in enumerate(self._rows):
            if item == self._hover:
                painter.fillRect(each.rect.adjusted(-6, 0, 6, 0), self._theme.color("hover"))
            if each.tool is not None:
                self._paint_tool(painter, each)
            else:
                self._paint_failure(painter, each, row)

    def _paint_cells(self, painter: QPainter, y: int, height: int, cells: list[_Cell]) -> None:
        px = self._theme.fonts.px
        ends = self._ends
        count = 5 if self._activity.timed else 3
        left = px(16)
        text, role, token = cells[0]
        self.put(painter, QRect(left, y, ends[0] - px(34) - left, height), text, role, token)
        for (text, role, token), end in zip(cells[1:count], ends, strict=False):
            self.put(painter, QRect(end - px(90), y, px(90), height), text, role, token, RIGHT)
        painter.fillRect(left, y + height, ends[4] - left, 1, self._theme.color("line"))

    @staticmethod
    def _cells(tool: Tool) -> list[_Cell]:
        longest = tool.longest
        cells: list[_Cell] = [
            (words.tool_name(tool.name), "mono_small", "text"),
            (figures.exact(tool.calls), "small", "text"),
            (figures.exact(tool.errors), "small_demi", "fail") if tool.errors else _NONE,
        ]
        if longest is None:
            return [*cells, _NONE, _NONE]
        return [
            *cells,
            (figures.duration((longest.ms or 0.0) / 1000), "small", "text"),
            (figures.duration(tool.total_ms / 1000), "small", "text"),
        ]

    def _paint_tool(self, painter: QPainter, row: _Row) -> None:
        tool = row.tool
        assert tool is not None
        longest = tool.longest
        rect = row.rect
        self._paint_cells(painter, round(rect.top()), round(rect.height()), self._cells(tool))
        most = self._activity.tools[0].total_ms
        px = self._theme.fonts.px
        total, right = self._ends[3:]
        room = right - total - px(6)
        if longest is not None and most > 0 and room > 0:
            width = max(room * tool.total_ms / most, 1.0)
            self.bar(
                painter,
                QRectF(total + px(6), rect.center().y() - px(4), width, px(8)),
                "c2",
                2,
            )

    def _paint_failure(self, painter: QPainter, row: _Row, height: int) -> None:
        failure = row.failure
        assert failure is not None
        fonts = self._theme.fonts
        px = fonts.px
        left, right = px(40), round(row.rect.right())
        y = round(row.rect.top())
        painter.fillRect(px(16), y, right - px(16), 1, self._theme.color("line"))
        self.icon(painter, "cross", "fail", px(16), y + height / 2, px(16))
        call = failure.call
        word = words.outcome(call) if call is not None else ""
        end = right - round(fonts.metrics("small_demi").horizontalAdvance(word)) - px(8)
        self.put(painter, QRect(end, y, right - end, height), word, "small_demi", "fail", RIGHT)
        turn = words.turn(failure.place.turn) if failure.place.turn else ""
        turn_width = round(fonts.metrics("small").horizontalAdvance(turn)) + px(8)
        name = (
            words.tool_name(call.name)
            if call is not None
            else translate("Activity", "The run failed")
        )
        name_role: Role = "mono_small" if call is not None else "small_demi"
        metrics = fonts.metrics(name_role)
        room = max(min(round(metrics.horizontalAdvance(name)) + 2, end - left - turn_width), 10)
        place = QRect(left, y, room, height)
        self.put(painter, place, name, name_role, "text")
        behind = QRect(left + room + px(8), y, turn_width, height)
        self.put(painter, behind, turn, "small", "text2")
        y += height
        line = fonts.line_height("mono_small") + px(2)
        for text in row.lines:
            self.put(painter, QRect(left, y, right - left, line), text, "mono_small", "text2")
            y += line
        place = QRect(left, y, right - left, fonts.line_height("small") + px(4))
        self.put(painter, place, translate("Activity", "Show in transcript"), "small", "accent")


def _said(failure: Failure) -> str:
    """What an error says: a call's output, or why the run failed, in known words where it can."""
    known, rest = ("", failure.text) if failure.call is not None else failure_words(failure.text)
    rest = rest if failure.call is not None else kept_words(rest)
    return "\n".join(each for each in (known, visible(rest, prose=True)) if each)
