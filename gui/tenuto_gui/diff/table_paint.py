# SPDX-License-Identifier: Apache-2.0
"""Paints the table of the Configuration view from the theme's tokens (look.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPen

from tenuto_gui import icons
from tenuto_gui.diff.model import DetailLine, DiffRow
from tenuto_gui.fonts import Role
from tenuto_gui.i18n import translate
from tenuto_gui.plain import cut_path
from tenuto_gui.theme import Theme

_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
#: Longer words are broken inside.
_LONGEST_WORD = 48
_SIGNS = {
    "added": ("plus", "add"),
    "removed": ("minus", "del"),
    "changed": ("not-equal", "chg"),
}


@dataclass(frozen=True)
class Columns:
    """Left edges of the columns, and the right edge of all."""

    field: int
    saved: int
    current: int
    verdict: int
    right: int
    #: Saved stands above current.
    stacked: bool


@dataclass(frozen=True)
class Head:
    """The words above the columns."""

    saved: str = ""
    when: str = ""
    current: str = ""
    config: str = ""
    count: str = ""
    #: ``config`` is a path, not what a session is called.
    is_path: bool = True


class TablePainter:
    """Paints head, rows and details for one geometry."""

    def __init__(self, theme: Theme, columns: Columns, width: int, line: int, dpr: float) -> None:
        self._theme = theme
        self._columns = columns
        self._width = width
        #: Height of one line of details.
        self._line = line
        self._dpr = dpr

    def head(self, painter: QPainter, head: Head, height: int) -> None:
        """The head; it covers what scrolls below it."""
        columns = self._columns
        width = self._width
        painter.fillRect(0, 0, width, height, self._theme.color("window"))
        painter.fillRect(0, height - 1, width, 1, self._theme.color("line"))
        fonts = self._theme.fonts
        line = fonts.line_height("small")
        middle = QRect(columns.field, 0, columns.saved - columns.field, height)
        self._put(painter, middle, translate("Configuration", "Field"), "small", "text2")
        top = (height - 2 * line) // 2
        room = (columns.verdict if columns.stacked else columns.current) - columns.saved
        saved = QRect(columns.saved, top, room - fonts.px(6), line)
        if not columns.stacked:
            self._put(painter, saved, head.saved, "small", "text2")
            self._put(painter, saved.translated(0, line), head.when, "small", "text")
            current = QRect(columns.current, top, columns.verdict - columns.current - 6, line)
            self._put(painter, current, head.current, "small", "text2")
            self._put_name(painter, current.translated(0, line), head)
        else:
            self._put(painter, saved, f"{head.saved}, {head.when}", "small", "text2")
            self._put_name(painter, saved.translated(0, line), head)
        rest = QRect(columns.verdict, 0, columns.right - columns.verdict, height)
        self._put(painter, rest, head.count, "small", "text2")

    def _put_name(self, painter: QPainter, place: QRect, head: Head) -> None:
        """What is compared with; of a path its end, which tells it from others."""
        if not head.is_path:
            self._put(painter, place, head.config, "small", "text")
            return
        metrics = self._theme.fonts.metrics("mono_small")
        path = cut_path(head.config, metrics, place.width())
        self._put(painter, place, path, "mono_small", "text")

    def row(
        self,
        painter: QPainter,
        row: DiffRow,
        y: int,
        height: int,
        details: Sequence[int],
        *,
        hover: bool,
        focused: bool,
    ) -> None:
        """One row at ``y``; ``details``: heights of its opened lines, none when it is closed."""
        columns = self._columns
        theme = self._theme
        px = theme.fonts.px
        width = self._width
        below = sum(details) + 2 * px(10) if details else 0
        if hover and row.details:
            painter.fillRect(0, y, width, height, theme.color("hover"))
        if row.details:
            name = "chevron-down" if below else "chevron-right"
            self._icon(painter, name, "text2", px(12), y, height)
        changed = row.verdict != "same"
        field = QRect(columns.field, y, columns.saved - columns.field - px(6), height)
        self._put(painter, field, row.name, "medium" if changed else "body", "text")
        self._values(painter, row, columns, y, height)
        icon, token = {
            "same": ("check", "text2"),
            "changed": ("not-equal", "chg"),
            "fixed": ("lock", "fail"),
        }[row.verdict]
        self._icon(painter, icon, token, columns.verdict, y, height)
        left = columns.verdict + px(22)
        verdict = QRect(left, y, columns.right - left, height)
        self._put(painter, verdict, row.verdict_text, "demi" if changed else "body", token)
        line = y + height
        if below:
            painter.fillRect(0, line, width, below, theme.color("well"))
            painter.fillRect(0, line, width, 1, theme.color("line"))
            top = line + px(10)
            for detail, room in zip(row.details, details, strict=True):
                self._detail(painter, detail, top, room)
                top += room
        painter.fillRect(0, line + below - 1, width, 1, theme.color("line"))
        if focused:
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(1, y + 1, width - 2, height - 2)

    def _values(
        self, painter: QPainter, row: DiffRow, columns: Columns, y: int, height: int
    ) -> None:
        px = self._theme.fonts.px
        role: Role = "mono_small" if row.mono else "body"
        if columns.stacked:
            room = columns.verdict - columns.saved - px(12)
            saved = QRect(columns.saved, y, room, height // 2)
            current = saved.translated(0, height // 2)
        else:
            saved = QRect(columns.saved, y, columns.current - columns.saved - px(12), height)
            current = QRect(columns.current, y, columns.verdict - columns.current - px(12), height)
        self._put(painter, saved, row.saved, role, "text")
        if row.verdict != "same":
            tint = "del_bg" if row.verdict == "fixed" else "chg_bg"
            cell = current.adjusted(-px(6), px(5), 0, -px(5))
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(tint))
            painter.drawRoundedRect(cell, 3, 3)
            painter.restore()
        self._put(painter, current, row.current, role, "text")

    def _detail(self, painter: QPainter, detail: DetailLine, y: int, height: int) -> None:
        columns = self._columns
        px = self._theme.fonts.px
        tints = {"added": "add_bg", "removed": "del_bg"}
        if not detail.mono and detail.kind in tints:
            place = QRect(columns.field, y, columns.right - columns.field, height)
            painter.fillRect(place, self._theme.color(tints[detail.kind]))
        line = self._line
        sign, token = _SIGNS.get(detail.kind, ("", "text2"))
        if sign:
            self._icon(painter, sign, token, columns.field + px(4), y, line, px(12))
        elif detail.kind == "same":
            dots = QRect(columns.field + px(4), y, px(20), line)
            self._put(painter, dots, "\u22ef", "small", "text2")
        if detail.kind == "heading":
            place = QRect(columns.field, y, columns.right - columns.field, line)
            self._put(painter, place, detail.label, "small_demi", "text")
            return
        left = text_left(self._theme, columns, detail)
        if detail.mono:
            label = QRect(columns.field + px(22), y, columns.saved - columns.field - px(26), line)
            self._put(painter, label, detail.label, "small", token)
            end = columns.right if columns.stacked else columns.current - px(6)
            self._put(painter, QRect(left, y, end - left, line), detail.text, "mono_small", "text")
            note = columns.verdict if columns.stacked else columns.current
            place = QRect(note, y, columns.right - note, line)
            self._put(painter, place, detail.note, "small", "text2")
            return
        number = QRect(columns.field + px(16), y, px(28), line)
        self._put(painter, number, detail.label, "small", token, _RIGHT)
        place = QRect(left, y + (line - self._theme.fonts.line_height("body")) // 2, 0, height)
        place.setRight(columns.right)
        quiet = detail.kind in ("same", "note")
        painter.setFont(self._theme.fonts.font("body"))
        painter.setPen(self._theme.color("text2" if quiet else "text"))
        text = f"{detail.text} {detail.note}".strip()[:4000]
        painter.drawText(place, wrap(text), text)

    def _put(
        self,
        painter: QPainter,
        place: QRect,
        text: str,
        role: Role,
        token: str,
        flags: int = _LEFT,
    ) -> None:
        metrics = self._theme.fonts.metrics(role)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.setFont(self._theme.fonts.font(role))
        painter.setPen(self._theme.color(token))
        painter.drawText(place, flags | int(Qt.TextFlag.TextSingleLine), text)

    def _icon(
        self,
        painter: QPainter,
        name: str,
        token: str,
        x: int,
        y: int,
        height: int,
        size: int = 0,
    ) -> None:
        size = size or self._theme.fonts.px(16)
        pixmap = icons.pixmap(self._theme, name, token, size, self._dpr)
        painter.drawPixmap(x, y + (height - size) // 2, pixmap)


def wrap(text: str) -> int:
    """Flags for a text that may need several lines: between words, where there are any."""
    long = any(len(word) > _LONGEST_WORD for word in text.split())
    flag = Qt.TextFlag.TextWrapAnywhere if long else Qt.TextFlag.TextWordWrap
    return int(flag) | int(Qt.AlignmentFlag.AlignLeft)


def text_left(theme: Theme, columns: Columns, detail: DetailLine) -> int:
    """Where the words of a detail begin."""
    return columns.saved if detail.mono else columns.field + theme.fonts.px(52)
