# SPDX-License-Identifier: Apache-2.0
"""The table of the Configuration view: fields side by side, rows that open (look.md)."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from tenuto_gui.diff.model import DetailLine, DiffRow
from tenuto_gui.diff.table_paint import Columns, Head, TablePainter, text_left, wrap
from tenuto_gui.i18n import translate
from tenuto_gui.plain import plain_tip
from tenuto_gui.theme import Theme

#: Below this width, in pixels at 10 pt, saved stands above current.
_STACKED = 640


class DiffTable(QAbstractScrollArea):
    """Paints `DiffRow`s; Enter, Right and Left open and close."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: Sequence[DiffRow] = ()
        self._open: set[str] = set()
        self.current = 0
        self._keyboard = False
        self._hover = -1
        self._head = Head()
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(translate("Configuration", "Saved and current configuration"))
        theme.changed.connect(self._relayout)

    # --- content ---------------------------------------------------------------------------------

    def set_rows(
        self, rows: Sequence[DiffRow], when: str, config: str, count: str, *, other: bool = False
    ) -> None:
        """Show a comparison; changed rows with details are open at first.

        ``other``: with another session, whose name ``config`` is.
        """
        fields = {row.field for row in self._rows}
        for row in rows:
            if row.details and row.field not in fields:
                self._open.add(row.field)
        self._rows = rows
        self._head = Head(
            translate("Configuration", "Saved in the run"),
            when,
            translate("Configuration", "Saved in the other session")
            if other
            else translate("Configuration", "Current configuration"),
            config,
            count,
            is_path=not other,
        )
        self.current = min(self.current, max(len(rows) - 1, 0))
        self._relayout()

    def clear(self) -> None:
        """Show nothing, and forget what was open."""
        self._rows = ()
        self._open.clear()
        self.current = 0
        self._relayout()

    def is_open(self, field: str) -> bool:
        """Whether a row's details are shown."""
        return field in self._open

    def toggle(self, row: int) -> None:
        """Open or close the details of a row."""
        if 0 <= row < len(self._rows) and self._rows[row].details:
            self._open.symmetric_difference_update({self._rows[row].field})
            self._relayout()

    def plain_text(self) -> str:
        """The table in words: what copying gives and what a screen reader is told."""
        lines = []
        for row in self._rows:
            lines.append(f"{row.name}\t{row.saved}\t{row.current}\t{row.verdict_text}")
            signs = {"added": "+", "removed": "-", "changed": "~"}
            for detail in row.details:
                parts = (signs.get(detail.kind, " "), detail.label, detail.text, detail.note)
                lines.append("\t" + " ".join(part for part in parts if part.strip()))
        return "\n".join(lines)

    # --- geometry --------------------------------------------------------------------------------

    def _columns(self) -> Columns:
        px = self._theme.fonts.px
        width = self.viewport().width()
        stacked = width < px(_STACKED)
        left = px(34)
        saved = left + px(126)
        room = width - saved - px(12)
        if stacked:
            verdict = saved + room * 6 // 10
            return Columns(left, saved, saved, verdict, width - px(12), True)
        column = min(px(232), room * 232 // (232 * 3))
        return Columns(left, saved, saved + column, saved + 2 * column, width - px(12), False)

    def _row_height(self) -> int:
        fonts = self._theme.fonts
        line = fonts.line_height("body")
        if self._columns().stacked:
            return max(fonts.px(52), 2 * line + fonts.px(16))
        return max(fonts.px(32), line + fonts.px(12))

    def _line_height(self) -> int:
        fonts = self._theme.fonts
        return max(fonts.px(20), fonts.line_height("body") + fonts.px(4))

    def _head_height(self) -> int:
        fonts = self._theme.fonts
        return max(fonts.px(44), 2 * fonts.line_height("small") + fonts.px(12))

    def _detail_heights(self, row: DiffRow) -> list[int]:
        if row.field not in self._open:
            return []
        line = self._line_height()
        return [line * self._wrapped(detail) for detail in row.details]

    def _wrapped(self, detail: DetailLine) -> int:
        """How many lines a detail needs: a prompt's line may be long."""
        columns = self._columns()
        room = max(columns.right - text_left(self._theme, columns, detail), 60)
        metrics = self._theme.fonts.metrics("mono_small" if detail.mono else "body")
        text = f"{detail.text} {detail.note}"[:4000]
        if detail.mono:
            return 1
        rect = metrics.boundingRect(QRect(0, 0, room, 100_000), wrap(text), text)
        return max(round(rect.height() / max(metrics.lineSpacing(), 1)), 1)

    def _bands(self) -> list[tuple[int, int, int]]:
        """(top, height of the row, height of its details) of each row, below the head."""
        bands = []
        y = self._head_height()
        height = self._row_height()
        pad = self._theme.fonts.px(10)
        for row in self._rows:
            inner = self._detail_heights(row)
            below = sum(inner) + 2 * pad if inner else 0
            bands.append((y, height, below))
            y += height + below
        return bands

    def _relayout(self) -> None:
        bands = self._bands()
        total = bands[-1][0] + bands[-1][1] + bands[-1][2] if bands else 0
        bar = self.verticalScrollBar()
        bar.setPageStep(max(self.viewport().height(), 1))
        bar.setSingleStep(self._line_height())
        bar.setRange(0, max(total + 1 - self.viewport().height(), 0))
        row = self._rows[self.current] if self.current < len(self._rows) else None
        if row is not None:
            words = f"{row.name}: {row.saved}, {row.current}, {row.verdict_text}"
            self.setAccessibleDescription(words)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._relayout()

    def sizeHint(self) -> QSize:
        px = self._theme.fonts.px
        return QSize(px(640), px(360))

    def _row_at(self, point: QPoint) -> int:
        y = point.y() + self.verticalScrollBar().value()
        if point.y() < self._head_height():
            return -1
        for index, (top, height, _) in enumerate(self._bands()):
            if top <= y < top + height:
                return index
        return -1

    # --- input -----------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position().toPoint())
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self._keyboard = False
            self.current = row
            self.toggle(row)
            self._relayout()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position().toPoint())
        opens = row >= 0 and bool(self._rows[row].details)
        cursor = Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(cursor)
        if row != self._hover:
            self._hover = row
            self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover = -1
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.plain_text())
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and self._rows:
            step = 1 if key == Qt.Key.Key_Down else -1
            self.current = min(max(self.current + step, 0), len(self._rows) - 1)
            self._keyboard = True
            self._show_current()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.toggle(self.current)
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Left) and self._rows:
            if self.is_open(self._rows[self.current].field) != (key == Qt.Key.Key_Right):
                self.toggle(self.current)
        else:
            super().keyPressEvent(event)

    def _show_current(self) -> None:
        top, height, _ = self._bands()[self.current]
        bar = self.verticalScrollBar()
        room = self.viewport().height()
        if top - self._head_height() < bar.value():
            bar.setValue(top - self._head_height())
        elif top + height > bar.value() + room:
            bar.setValue(top + height - room)
        self._relayout()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._keyboard = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        )
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self._row_at(event.pos())
            text = f"{self._rows[row].saved}\n{self._rows[row].current}" if row >= 0 else ""
            if self._rows and event.pos().y() < self._head_height():
                text = f"{self._head.current}\n{self._head.config}"
            QToolTip.showText(event.globalPos(), plain_tip(text), self.viewport())
            return True
        return super().viewportEvent(event)

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        viewport = self.viewport()
        painter = QPainter(viewport)
        painter.fillRect(event.rect(), self._theme.color("base"))
        if self._rows:
            table = TablePainter(
                self._theme,
                self._columns(),
                viewport.width(),
                self._line_height(),
                self.devicePixelRatioF(),
            )
            offset = self.verticalScrollBar().value()
            for index, (top, height, below) in enumerate(self._bands()):
                y = top - offset
                if y + height + below < 0 or y >= viewport.height():
                    continue
                row = self._rows[index]
                focused = self._keyboard and self.hasFocus() and index == self.current
                inner = self._detail_heights(row)
                hover = index == self._hover
                table.row(painter, row, y, height, inner, hover=hover, focused=focused)
            table.head(painter, self._head, self._head_height())
        painter.end()
