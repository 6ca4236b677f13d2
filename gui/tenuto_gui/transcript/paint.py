# SPDX-License-Identifier: Apache-2.0
"""Paints one block from the theme's tokens (look.md, "Anatomy")."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from tenuto.sources.arguments import arguments
from tenuto.sources.base import Block
from tenuto_gui import format as figures
from tenuto_gui.fonts import Role
from tenuto_gui.render.text import line_count
from tenuto_gui.transcript import markers, words
from tenuto_gui.transcript.contents import is_aside
from tenuto_gui.transcript.look import Look
from tenuto_gui.transcript.paint_body import BodyPainter
from tenuto_gui.transcript.parts import Shape
from tenuto_gui.transcript.tools import LEFT, RIGHT


class BlockPainter(BodyPainter):
    """Paints blocks with one theme and one grid. The painter's origin is the block's top left."""

    def paint(self, painter: QPainter, block: Block, shape: Shape, look: Look, clip: QRect) -> None:
        """Paint one block; ``clip`` is what of it is visible, in its own coordinates."""
        self._ground(painter, block, shape, look)
        self._gutter(painter, block, shape, look)
        match block.kind:
            case _ if is_aside(block):
                self._thinking(painter, block, shape, look)
            case "tool_call":
                self._tool(painter, block, shape, look)
            case "notice" if block.notice == "damaged":
                self._damage(painter, block, shape)
            case "notice":
                self._marker(painter, block, shape, look)
        self.body(painter, block, shape, look, clip)
        if look.focused:
            self._focus(painter, shape)

    # --- ground, gutter --------------------------------------------------------------------------

    def _ground(self, painter: QPainter, block: Block, shape: Shape, look: Look) -> None:
        if shape.frame is None:
            return
        if block.kind in ("prompt", "follow_up"):
            painter.fillRect(shape.frame, self.color("band"))
        elif block.kind == "notice":
            painter.fillRect(shape.frame, self.color("damg_tint"))
        elif block.kind == "tool_call":
            self._frame(painter, block, shape, look)

    def _gutter(self, painter: QPainter, block: Block, shape: Shape, look: Look) -> None:
        m = self._m
        if block.kind in ("prompt", "follow_up"):
            top = shape.body.top() if shape.body is not None else shape.gap
            self.icon(painter, "prompt", "accent", m.rail - m.icon // 2, top, m.line)
        elif block.turn:
            top = shape.gap if shape.starts_turn else 0
            rail = QRect(m.rail, top, m.rail_width, shape.height - top)
            painter.fillRect(rail, self.color("accent" if look.live else "rail"))
            if shape.starts_turn:
                role: Role = "small_demi" if look.live else "small"
                number = QRect(0, shape.gap, m.number_right, self._first_line(shape))
                self.text(
                    painter,
                    number,
                    str(block.turn),
                    role,
                    "accent" if look.live else "text2",
                    RIGHT,
                )
        if m.time_right and block.time and (shape.starts_turn or not block.turn):
            if block.kind == "notice":
                return
            clock = words.clock(block.time)
            top = shape.body.top() if block.kind in ("prompt", "follow_up") and shape.body else 0
            place = QRect(m.text, top or shape.gap, m.time_right - m.text, self._first_line(shape))
            self.text(painter, place, clock, "small", "text2", RIGHT)

    def _first_line(self, shape: Shape) -> int:
        if shape.header is not None:
            return shape.header.height()
        return self._m.line

    # --- thinking, markers, damage ---------------------------------------------------------------

    def _thinking(self, painter: QPainter, block: Block, shape: Shape, look: Look) -> None:
        m = self._m
        header = shape.header
        assert header is not None
        chosen = _header_chosen(shape, look)
        token = "text" if chosen else "text2"
        if chosen:
            painter.fillRect(header, self.color("textsel"))
        if block.text.strip():
            arrow = "chevron-down" if shape.opened else "chevron-right"
            self.icon(painter, arrow, "text2", m.arrow, header.top(), header.height())
        x = self.text(painter, header, words.aside(block), "medium", token, LEFT)
        rest = header.adjusted(x - header.left() + m.pad, 0, 0, 0)
        summary = words.thinking_summary(block.text, line_count(block.text))
        if shape.opened and block.text.strip():
            summary = words.lines(line_count(block.text))
        self.elided(painter, rest, summary, "body", token)

    def _marker(self, painter: QPainter, block: Block, shape: Shape, look: Look) -> None:
        m = self._m
        header = shape.header
        assert header is not None
        end = markers.right(m)
        chosen = _header_chosen(shape, look)
        if chosen:
            ground = QRect(markers.left(m), header.top(), end - markers.left(m), header.height())
            painter.fillRect(ground, self.color("textsel"))
        line = self.color("line")
        found = markers.lines(block, m, self._theme.fonts)
        top, height = header.top(), header.height() // len(found)
        for row, parts in enumerate(found):
            middle = top + (height - 1) // 2
            x = markers.left(m)
            if not row:
                start = x - 2 * m.pad
                painter.fillRect(start, middle, m.pad * 3 // 2, 1, line)
            for rank, (name, token, text) in enumerate(parts):
                if rank:
                    painter.fillRect(x + m.pad // 2, middle, m.pad, 1, line)
                    x += markers.between(m) - m.pad // 2
                kind, _, what = name.partition(":")
                if kind == "mark":
                    self.mark(painter, what, x, top, height)
                else:
                    self.icon(painter, what, token, x, top, height)
                x += m.icon + m.pad // 2
                place = QRect(x, top, max(end - x, 0), height)
                ink = "text" if chosen else token
                x = self.elided(painter, place, text, "body", ink) + m.pad // 2
            painter.fillRect(x + m.pad // 2, middle, max(end - x - m.pad // 2, 0), 1, line)
            top += height

    def _damage(self, painter: QPainter, block: Block, shape: Shape) -> None:
        m = self._m
        header = shape.header
        assert header is not None
        size = m.icon
        self.mark(painter, "damaged", m.rail - size // 2, header.top(), header.height())
        place = header.adjusted(m.text, 0, -m.pad, 0)
        self.text(painter, place, words.damage_title(block), "demi", "damg", LEFT)

    # --- tool calls ------------------------------------------------------------------------------

    def _frame(self, painter: QPainter, block: Block, shape: Shape, look: Look) -> None:
        frame, header = shape.frame, shape.header
        assert frame is not None
        assert header is not None
        edge, tint, ground = "line", "band", "well"
        style = Qt.PenStyle.SolidLine
        if look.waiting:
            edge, tint = "wait", "wait_tint"
        elif block.state == "failed":
            edge = "fail"
        elif block.state == "unknown":
            edge, tint = "intr", "intr_tint"
        elif block.state == "running":
            edge = "accent"
        elif block.state == "not_started":
            tint = ground = "base"
            style = Qt.PenStyle.DashLine
        if _header_chosen(shape, look):
            tint = "textsel"
        outline = QRectF(frame).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.color(ground if shape.opened else tint))
        painter.drawRoundedRect(outline, 5, 5)
        if shape.opened:
            painter.setClipRect(QRectF(header))
            painter.setBrush(self.color(tint))
            painter.drawRoundedRect(outline, 5, 5)
            painter.setClipping(False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(self.color(edge), 1, style)
        if style == Qt.PenStyle.DashLine:
            pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.drawRoundedRect(outline, 5, 5)
        painter.restore()
        if shape.opened:
            painter.fillRect(
                QRect(frame.left() + 1, header.bottom(), frame.width() - 2, 1), self.color(edge)
            )

    def _tool(self, painter: QPainter, block: Block, shape: Shape, look: Look) -> None:
        m = self._m
        header = shape.header
        assert header is not None
        top, height = header.top(), header.height()
        arrow = "chevron-down" if shape.opened else "chevron-right"
        self.icon(painter, arrow, "text2", header.left() + m.pad, top, height)
        right = header.right() - m.pad - m.icon
        self._outcome_mark(painter, block, look, right, top, height)
        word = words.outcome(block, look.waiting, look.seconds)
        token = _outcome_token(block, look)
        chosen = _header_chosen(shape, look)
        muted = "text" if chosen else "text2"
        right -= m.pad // 2
        if word:
            strong: Role = "small" if token == "text2" else "small_demi"
            ink = "text" if chosen else token
            right = self._ending(painter, header, right, word, strong, ink)
        if block.ms is not None:
            text = figures.duration(block.ms / 1000)
            right = self._ending(painter, header, right, text, "small", muted)
        name = QRect(m.text + m.indent, top, max(right - m.text - m.indent, 0), height)
        title, given = words.call_name(block), arguments(block.input)
        hits = [(*hit, rank == look.hit_now) for rank, hit in enumerate(look.header_hits)]
        x = self.elided(painter, name, title, "mono_small_demi", "text")
        self.marked(painter, name, title, "mono_small_demi", hits)
        x += m.pad
        rest = QRect(x, top, max(right - x, 0), height)
        # Hits count over the name, a blank, and the arguments.
        skip = len(title) + 1
        behind = [(max(a - skip, 0), b - skip, now) for a, b, now in hits if b > skip]
        self.elided(painter, rest, given, "mono_small", muted)
        self.marked(painter, rest, given, "mono_small", behind)

    def _outcome_mark(
        self, painter: QPainter, block: Block, look: Look, x: int, top: int, height: int
    ) -> None:
        if look.waiting:
            self.mark(painter, "waiting", x, top, height)
            return
        match block.state:
            case "done":
                self.icon(painter, "check", "done", x, top, height)
            case "failed":
                self.icon(painter, "cross", "fail", x, top, height)
            case "denied" | "not_started":
                self.icon(painter, "minus", "text2", x, top, height)
            case "unknown":
                self.mark(painter, "unknown", x, top, height)
            case "running":
                self.mark(painter, "running", x, top, height)

    def _ending(
        self, painter: QPainter, header: QRect, right: int, text: str, role: Role, token: str
    ) -> int:
        """Text that ends at ``right``; answers where the next one to the left may end."""
        width = int(self._theme.fonts.metrics(role).horizontalAdvance(text)) + 1
        place = QRect(right - width, header.top(), width, header.height())
        self.text(painter, place, text, role, token, RIGHT)
        return right - width - self._m.pad

    # --- focus -----------------------------------------------------------------------------------

    def _focus(self, painter: QPainter, shape: Shape) -> None:
        painter.setPen(QPen(self.color("focus"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # Outside the frame by 2, so that both are seen.
        top = max(shape.gap - 3, 1)
        painter.drawRect(QRect(1, top, self._m.width - 2, shape.height - top + 2))


def _header_chosen(shape: Shape, look: Look) -> bool:
    """Whether the words of the header are selected: where nothing else is shown, for all of it."""
    return look.selected is not None and (look.header_selected or not shape.parts)


def _outcome_token(block: Block, look: Look) -> str:
    if look.waiting:
        return "wait"
    tokens = {"failed": "fail", "unknown": "intr", "running": "run"}
    return tokens.get(block.state, "text2")
