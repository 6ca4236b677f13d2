# SPDX-License-Identifier: Apache-2.0
"""Tokens per turn: one bar a turn, and below it the share that was read from the cache."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from tenuto.sources.activity import Activity, Place, Turn
from tenuto_gui import format as figures
from tenuto_gui.activity import words
from tenuto_gui.activity.axis import columns, nice_ceiling
from tenuto_gui.activity.board import CENTER, RIGHT, Board
from tenuto_gui.fonts import Role
from tenuto_gui.i18n import translate
from tenuto_gui.theme import Theme

#: Parts of a bar from the ground up: attribute and colour.
PARTS = (("cache_read", "c2"), ("cache_create", "c1"), ("in_tokens", "c3"), ("out_tokens", "c4"))
#: Pixels at 10 pt: a column at least and at most, the numbers at the left.
_LEAST, _MOST, _LABEL = 26, 44, 44


class TokensChart(Board):
    """Paints the tokens of the turns."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, translate("Activity", "Tokens per turn"), parent=parent)
        self._turns: list[Turn] = []
        self._cold: set[int] = set()
        self._top, self._step = 1, 1
        self._column = 1.0
        self._width = 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_activity(self, activity: Activity) -> None:
        """Show other turns."""
        turns = self._turns = activity.turns
        self._cold = {id(turn) for turn in activity.cold}
        self._top, self._step = nice_ceiling(max((turn.total for turn in turns), default=0))
        self.lay_out()

    def measure(self) -> None:
        px = self._theme.fonts.px
        room = max(self.viewport().width() - self.pinned() - px(12), px(60))
        count = len(self._turns)
        widest = self._theme.fonts.metrics("small").horizontalAdvance(figures.exact(count)) + 6
        least = max(float(px(_LEAST)), widest)
        self._column, width = columns(count, room, least, float(px(_MOST)))
        self._width = round(width)
        self.setMinimumHeight(px(200))

    def sizeHint(self) -> QSize:
        px = self._theme.fonts.px
        return QSize(px(400), px(260))

    def pinned(self) -> int:
        return self._theme.fonts.px(_LABEL)

    def content_width(self) -> int:
        return self.pinned() + self._width

    # --- items -----------------------------------------------------------------------------------

    def _line(self) -> int:
        return self._theme.fonts.line_height("small") + self._theme.fonts.px(3)

    def _ground(self) -> int:
        """Where the bars stand: below them two lines of numbers and the scroll bar."""
        return self.viewport().height() - 2 * self._line() - self._theme.fonts.px(16)

    def count(self) -> int:
        return len(self._turns)

    def rect_of(self, item: int) -> QRectF:
        ground, px = self._ground(), self._theme.fonts.px
        room = ground - px(12)
        height = max(self._turns[item].total / self._top * room, 1.0)
        inset = max(self._column * 0.17, 1.0)
        left = self.pinned() + item * self._column + inset
        return QRectF(left, ground - height, self._column - 2 * inset, height)

    def text_of(self, item: int) -> str:
        return words.turn_text(self._turns[item])

    def place_of(self, item: int) -> Place | None:
        return self._turns[item].place

    def near(self, point: QPoint) -> range:
        return self._between(point.x(), point.x() + 1)

    def item_at(self, point: QPoint) -> int:
        """The whole column is the item: a bar may be a pixel high."""
        if point.x() < self.pinned():
            return -1
        return next(iter(self.near(self._content(point))), -1)

    def _between(self, left: float, right: float) -> range:
        count = len(self._turns)
        first = int((left - self.pinned()) // self._column)
        last = int((right - self.pinned()) // self._column) + 1
        return range(min(max(first, 0), count), min(max(last, 0), count))

    # --- painting --------------------------------------------------------------------------------

    def paint(self, painter: QPainter, left: int, right: int) -> None:
        ground, line = self._ground(), self._line()
        for value in range(0, self._top + 1, self._step):
            painter.fillRect(left, self._y(value), right - left, 1, self._theme.color("line"))
        for item in self._between(left, right):
            turn = self._turns[item]
            self._paint_bar(painter, item, turn)
            place = QRect(
                round(self.pinned() + item * self._column),
                ground + self._theme.fonts.px(2),
                round(self._column),
                line,
            )
            self.put(painter, place, figures.exact(turn.place.turn), "small", "text2", CENTER)
            share = str(round(100 * turn.cache_read / turn.read)) if turn.read else "\u2013"
            cold = id(turn) in self._cold
            role: Role = "small_demi" if cold else "small"
            token = "fail" if cold else "text"
            self.put(painter, place.translated(0, line), share, role, token, CENTER)

    def _y(self, value: int) -> int:
        ground = self._ground()
        return round(ground - value / self._top * (ground - self._theme.fonts.px(12)))

    def _paint_bar(self, painter: QPainter, item: int, turn: Turn) -> None:
        rect = self.rect_of(item)
        if item == self._hover:
            column = QRectF(rect.left() - 3, 0, rect.width() + 6, self._ground())
            painter.fillRect(column, self._theme.color("hover"))
        bottom = rect.bottom()
        scale = rect.height() / max(turn.total, 1)
        for attribute, token in PARTS:
            height = getattr(turn, attribute) * scale
            if height <= 0:
                continue
            # A gap of the ground between two parts, as long as something is left of them.
            gap = 1.0 if height > 2 and bottom < rect.bottom() - 0.5 else 0.0
            part = QRectF(rect.left(), bottom - height, rect.width(), height - gap)
            painter.fillRect(part, self._theme.color(token))
            bottom -= height

    def paint_pinned(self, painter: QPainter) -> None:
        px, line = self._theme.fonts.px, self._line()
        painter.fillRect(0, 0, self.pinned(), self.viewport().height(), self._theme.color("base"))
        for value in range(0, self._top + 1, self._step):
            place = QRect(0, self._y(value) - line // 2, self.pinned() - px(8), line)
            self.put(painter, place, words.scale(value), "small", "text2", RIGHT)
        place = QRect(0, self._ground() + px(2), self.pinned() - px(8), line)
        self.put(painter, place, translate("Activity", "turn"), "small", "text2", RIGHT)
        self.put(painter, place.translated(0, line), "%", "small", "text2", RIGHT)
