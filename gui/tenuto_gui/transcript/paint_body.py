# SPDX-License-Identifier: Apache-2.0
"""Paints what is below a block's header: texts, code in its frame, selection, hits, the caret."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QPainter,
    QPalette,
    QPen,
    QTextCharFormat,
    QTextCursor,
)

from tenuto.sources.base import Block
from tenuto_gui.theme import Theme
from tenuto_gui.transcript.look import Look
from tenuto_gui.transcript.metrics import Metrics
from tenuto_gui.transcript.parts import Part, Shape
from tenuto_gui.transcript.tools import LEFT, RIGHT, Tools

Selections = list[QAbstractTextDocumentLayout.Selection]


class BodyPainter(Tools):
    """Paints the parts of a block. The painter's origin is the block's top left."""

    def __init__(self, theme: Theme, metrics: Metrics, ratio: float) -> None:
        super().__init__(theme, metrics, ratio)
        self._palette = QPalette()
        self._palette.setColor(QPalette.ColorRole.Text, theme.color("text"))
        # Qt draws a rule of Markdown in this one.
        self._palette.setColor(QPalette.ColorRole.Dark, theme.color("line"))
        self._muted = QPalette(self._palette)
        self._muted.setColor(QPalette.ColorRole.Text, theme.color("text2"))

    def body(self, painter: QPainter, block: Block, shape: Shape, look: Look, clip: QRect) -> None:
        """All parts that are visible, their links, and the caret after the last one."""
        if not shape.parts:
            return
        marks = self._marks(shape, look)
        wordless = block.kind in ("prompt", "follow_up") and not block.text.strip()
        muted = block.kind == "thinking" or block.state == "denied" or wordless
        for part in shape.parts:
            if part.ruled and shape.frame is not None:
                y = part.rect.top() - self._m.pad
                line = QRect(shape.frame.left() + 1, y, shape.frame.width() - 2, 1)
                painter.fillRect(line, self.color("line"))
            if part.frame is not None and part.frame.intersects(clip):
                self._code_frame(painter, part)
            visible = clip.intersected(part.rect)
            if visible.isEmpty():
                continue
            context = QAbstractTextDocumentLayout.PaintContext()
            context.palette = self._muted if muted else self._palette
            context.selections = marks.get(part.start, [])
            self._part(painter, part, context, visible)
        if look.caret:
            self._caret(painter, shape.parts[-1], look.caret)
        for link in shape.links:
            self.text(painter, link.rect, link.text, "small", "accent", LEFT)

    def _part(
        self,
        painter: QPainter,
        part: Part,
        context: QAbstractTextDocumentLayout.PaintContext,
        visible: QRect,
    ) -> None:
        inner = visible.translated(-part.rect.topLeft()).adjusted(-2, 0, 2, 0)
        painter.save()
        painter.translate(QPointF(part.rect.topLeft()))
        painter.setClipRect(inner)
        context.clip = QRectF(inner)
        part.document.documentLayout().draw(painter, context)
        if part.bars:
            for bar in part.bars:
                painter.fillRect(bar, self.color("rail"))
        if part.dots:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.color("text2"))
            radius = max(self._m.pad / 4, 2.0)
            for dot in part.dots:
                painter.drawEllipse(QPointF(dot), radius, radius)
        painter.restore()

    def _code_frame(self, painter: QPainter, part: Part) -> None:
        frame = part.frame
        assert frame is not None
        assert part.copy is not None
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.color("line"), 1))
        painter.setBrush(self.color("well"))
        painter.drawRoundedRect(QRectF(frame).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        painter.restore()
        copy = part.copy
        x = copy.left() + (copy.width() - self._m.icon) // 2
        self.icon(painter, "copy", "text2", x, copy.top(), copy.height())
        place = QRect(part.rect.right(), copy.top(), copy.left() - part.rect.right(), copy.height())
        if part.piece.language:
            self.text(painter, place, part.piece.language, "small", "text2", RIGHT)

    # --- selection, hits -------------------------------------------------------------------------

    def _marks(self, shape: Shape, look: Look) -> dict[int, Selections]:
        """What to draw over each part's letters, by the part's start: hits, then the selection."""
        found: dict[int, Selections] = {}
        rank = len(look.header_hits)
        for first, last in look.hits:
            now = rank == look.hit_now
            for part, begin, end in shape.selected(first, last):
                ground, ink = ("hit_now", "on_hit_now") if now else ("hit", "text")
                found.setdefault(part.start, []).append(
                    self._mark(part, begin, end, ground, ink),
                )
            rank += 1
        if look.selected is not None:
            for part, begin, end in shape.selected(*look.selected):
                mark = self._mark(part, begin, end, "textsel", "text")
                found.setdefault(part.start, []).append(mark)
        return found

    def _mark(
        self, part: Part, begin: int, end: int, ground: str, ink: str
    ) -> QAbstractTextDocumentLayout.Selection:
        cursor = QTextCursor(part.document)
        cursor.setPosition(begin)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        chars = QTextCharFormat()
        chars.setBackground(self.color(ground))
        chars.setForeground(self.color(ink))
        selection = QAbstractTextDocumentLayout.Selection()
        selection.cursor = cursor
        selection.format = chars
        return selection

    # --- caret -----------------------------------------------------------------------------------

    def _caret(self, painter: QPainter, part: Part, kind: str) -> None:
        """A block of 7 px after the last character."""
        last = part.document.lastBlock()
        lines = last.layout().lineCount()
        if not lines:
            return
        line = last.layout().lineAt(lines - 1)
        origin = part.document.documentLayout().blockBoundingRect(last).topLeft()
        x, _ = cast("tuple[float, int]", line.cursorToX(last.length() - 1))
        place = QRectF(origin.x() + x + 2, origin.y() + line.y() + 1, 7, line.height() - 2)
        place.translate(QPointF(part.rect.topLeft()))
        painter.fillRect(place, self.color("accent" if kind == "stream" else "wait_fill"))
        if kind == "hold":
            painter.setPen(QPen(self.color("wait"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5))
