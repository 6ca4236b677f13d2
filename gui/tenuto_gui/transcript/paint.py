# SPDX-License-Identifier: Apache-2.0
"""Paints one block from the theme's tokens (look.md, "Anatomy")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QPainter,
    QPalette,
    QPen,
    QTextCharFormat,
    QTextCursor,
)

from tenuto.sources.arguments import arguments
from tenuto.sources.base import Block
from tenuto_gui import format as figures
from tenuto_gui import icons
from tenuto_gui.fonts import Role
from tenuto_gui.render.text import line_count
from tenuto_gui.theme import Theme
from tenuto_gui.transcript import words
from tenuto_gui.transcript.metrics import Metrics
from tenuto_gui.transcript.shape import Shape

_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class Look:
    """What painting a block depends on besides the block and its shape."""

    #: Its turn is the one that is going on.
    live: bool = False
    #: The worker asks about this call.
    waiting: bool = False
    #: Seconds since this call was seen to start.
    seconds: float | None = None
    #: "" none, "stream" text comes in, "hold" the run holds for the operator.
    caret: str = ""
    #: Selected offsets of the body.
    selected: tuple[int, int] | None = None
    #: The block has the keyboard focus.
    focused: bool = False


class BlockPainter:
    """Paints blocks with one theme and one grid. The painter's origin is the block's top left."""

    def __init__(self, theme: Theme, metrics: Metrics, ratio: float) -> None:
        self._theme = theme
        self._m = metrics
        #: Device pixels per pixel.
        self.ratio = ratio
        self._palette = QPalette()
        self._palette.setColor(QPalette.ColorRole.Text, theme.color("text"))
        self._muted = QPalette(self._palette)
        self._muted.setColor(QPalette.ColorRole.Text, theme.color("text2"))

    def paint(self, painter: QPainter, block: Block, shape: Shape, look: Look, clip: QRect) -> None:
        """Paint one block; ``clip`` is what of it is visible, in its own coordinates."""
        self._ground(painter, block, shape, look)
        self._gutter(painter, block, shape, look)
        match block.kind:
            case "thinking":
                self._thinking(painter, block, shape)
            case "tool_call":
                self._tool(painter, block, shape, look)
            case "notice" if block.notice == "damaged":
                self._damage(painter, block, shape)
            case "notice":
                self._marker(painter, block, shape)
        self._body(painter, block, shape, look, clip)
        if look.focused:
            self._focus(painter, shape)

    # --- ground, gutter --------------------------------------------------------------------------

    def _ground(self, painter: QPainter, block: Block, shape: Shape, look: Look) -> None:
        if shape.frame is None:
            return
        if block.kind in ("prompt", "follow_up"):
            painter.fillRect(shape.frame, self._color("band"))
        elif block.kind == "notice":
            painter.fillRect(shape.frame, self._color("damg_tint"))
        elif block.kind == "tool_call":
            self._frame(painter, block, shape, look)

    def _gutter(self, painter: QPainter, block: Block, shape: Shape, look: Look) -> None:
        m = self._m
        if block.kind in ("prompt", "follow_up"):
            top = shape.body.top() if shape.body is not None else shape.gap
            self._icon(painter, "prompt", "accent", m.rail - m.icon // 2, top, m.line)
        elif block.turn:
            top = shape.gap if shape.starts_turn else 0
            rail = QRect(m.rail, top, m.rail_width, shape.height - top)
            painter.fillRect(rail, self._color("accent" if look.live else "rail"))
            if shape.starts_turn:
                role: Role = "small_demi" if look.live else "small"
                number = QRect(0, shape.gap, m.number_right, self._first_line(shape))
                self._text(
                    painter,
                    number,
                    str(block.turn),
                    role,
                    "accent" if look.live else "text2",
                    _RIGHT,
                )
        if m.time_right and block.time and (shape.starts_turn or not block.turn):
            if block.kind == "notice":
                return
            clock = words.clock(block.time)
            top = shape.body.top() if block.kind in ("prompt", "follow_up") and shape.body else 0
            place = QRect(m.text, top or shape.gap, m.time_right - m.text, self._first_line(shape))
            self._text(painter, place, clock, "small", "text2", _RIGHT)

    def _first_line(self, shape: Shape) -> int:
        if shape.header is not None:
            return shape.header.height()
        return self._m.line

    # --- thinking, markers, damage ---------------------------------------------------------------

    def _thinking(self, painter: QPainter, block: Block, shape: Shape) -> None:
        m = self._m
        header = shape.header
        assert header is not None
        if block.text.strip():
            arrow = "chevron-down" if shape.opened else "chevron-right"
            self._icon(painter, arrow, "text2", m.arrow, header.top(), header.height())
        x = self._text(painter, header, words.thinking(), "medium", "text2", _LEFT)
        rest = header.adjusted(x - header.left() + m.pad, 0, 0, 0)
        summary = words.thinking_summary(block.text, line_count(block.text))
        if shape.opened and block.text.strip():
            summary = words.lines(line_count(block.text))
        self._elided(painter, rest, summary, "body", "text2")

    def _marker(self, painter: QPainter, block: Block, shape: Shape) -> None:
        m = self._m
        header = shape.header
        assert header is not None
        middle = header.center().y()
        line = self._color("line")
        x = m.rail + m.pad // 2
        painter.fillRect(x - m.pad * 3 // 2, middle, m.pad * 3 // 2, 1, line)
        end = (m.time_right or m.width - m.pad) if m.time_right else m.width - m.pad
        for rank, (name, token, text) in enumerate(words.marker(block)):
            x += m.pad // 2
            if rank:
                painter.fillRect(x, middle, m.pad, 1, line)
                x += m.pad + m.pad // 2
            kind, _, what = name.partition(":")
            if kind == "mark":
                self._pixmap_mark(painter, what, x, header.top(), header.height())
            else:
                self._icon(painter, what, token, x, header.top(), header.height())
            x += m.icon + m.pad // 2
            place = QRect(x, header.top(), max(end - x, 0), header.height())
            x = self._elided(painter, place, text, "body", token)
            x += m.pad // 2
        painter.fillRect(x + m.pad // 2, middle, max(end - x - m.pad // 2, 0), 1, line)

    def _damage(self, painter: QPainter, block: Block, shape: Shape) -> None:
        m = self._m
        header = shape.header
        assert header is not None
        size = m.icon
        self._pixmap_mark(painter, "damaged", m.rail - size // 2, header.top(), header.height())
        place = header.adjusted(m.text, 0, -m.pad, 0)
        self._text(painter, place, words.damage_title(block), "demi", "damg", _LEFT)

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
        outline = QRectF(frame).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._color(ground if shape.opened else tint))
        painter.drawRoundedRect(outline, 5, 5)
        if shape.opened:
            painter.setClipRect(QRectF(header))
            painter.setBrush(self._color(tint))
            painter.drawRoundedRect(outline, 5, 5)
            painter.setClipping(False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(self._color(edge), 1, style)
        if style == Qt.PenStyle.DashLine:
            pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.drawRoundedRect(outline, 5, 5)
        painter.restore()
        if shape.opened:
            painter.fillRect(
                QRect(frame.left() + 1, header.bottom(), frame.width() - 2, 1), self._color(edge)
            )

    def _tool(self, painter: QPainter, block: Block, shape: Shape, look: Look) -> None:
        m = self._m
        header = shape.header
        assert header is not None
        top, height = header.top(), header.height()
        arrow = "chevron-down" if shape.opened else "chevron-right"
        self._icon(painter, arrow, "text2", header.left() + m.pad, top, height)
        right = header.right() - m.pad - m.icon
        self._outcome_mark(painter, block, look, right, top, height)
        word = words.outcome(block, look.waiting, look.seconds)
        token = _outcome_token(block, look)
        right -= m.pad // 2
        if word:
            strong: Role = "small" if token == "text2" else "small_demi"
            right = self._ending(painter, header, right, word, strong, token)
        if block.ms is not None:
            text = figures.duration(block.ms / 1000)
            right = self._ending(painter, header, right, text, "small", "text2")
        name = QRect(m.text + m.indent, top, max(right - m.text - m.indent, 0), height)
        x = self._elided(painter, name, words.call_name(block), "mono_small_demi", "text")
        x += m.pad
        rest = QRect(x, top, max(right - x, 0), height)
        self._elided(painter, rest, arguments(block.input), "mono_small", "text2")

    def _outcome_mark(
        self, painter: QPainter, block: Block, look: Look, x: int, top: int, height: int
    ) -> None:
        if look.waiting:
            self._pixmap_mark(painter, "waiting", x, top, height)
            return
        match block.state:
            case "done":
                self._icon(painter, "check", "done", x, top, height)
            case "failed":
                self._icon(painter, "cross", "fail", x, top, height)
            case "denied" | "not_started":
                self._icon(painter, "minus", "text2", x, top, height)
            case "unknown":
                self._pixmap_mark(painter, "unknown", x, top, height)
            case "running":
                self._pixmap_mark(painter, "running", x, top, height)

    def _ending(
        self, painter: QPainter, header: QRect, right: int, text: str, role: Role, token: str
    ) -> int:
        """Text that ends at ``right``; answers where the next one to the left may end."""
        width = int(self._theme.fonts.metrics(role).horizontalAdvance(text)) + 1
        place = QRect(right - width, header.top(), width, header.height())
        self._text(painter, place, text, role, token, _RIGHT)
        return right - width - self._m.pad

    # --- bodies ----------------------------------------------------------------------------------

    def _body(self, painter: QPainter, block: Block, shape: Shape, look: Look, clip: QRect) -> None:
        if shape.document is None or shape.body is None:
            if look.selected is not None and shape.header is not None:
                tint = self._color("textsel")
                tint.setAlpha(120)
                painter.fillRect(shape.header, tint)
            return
        body = shape.body
        context = QAbstractTextDocumentLayout.PaintContext()
        muted = block.kind == "thinking" or block.state == "denied"
        context.palette = self._muted if muted else self._palette
        if look.selected is not None:
            context.selections = [self._text_selection(shape, look.selected)]
        visible = clip.intersected(body)
        painter.save()
        painter.translate(QPointF(body.topLeft()))
        painter.setClipRect(visible.translated(-body.topLeft()).adjusted(-2, 0, 2, 0))
        context.clip = QRectF(visible.translated(-body.topLeft()))
        shape.document.documentLayout().draw(painter, context)
        if look.caret:
            self._caret(painter, shape, look.caret)
        painter.restore()
        if shape.link is not None:
            self._text(painter, shape.link, shape.link_text, "small", "accent", _LEFT)

    def _text_selection(
        self, shape: Shape, selected: tuple[int, int]
    ) -> QAbstractTextDocumentLayout.Selection:
        assert shape.document is not None
        last = shape.document.characterCount() - 1
        cursor = QTextCursor(shape.document)
        cursor.setPosition(min(selected[0], last))
        cursor.setPosition(min(selected[1], last), QTextCursor.MoveMode.KeepAnchor)
        chars = QTextCharFormat()
        chars.setBackground(self._color("textsel"))
        chars.setForeground(self._color("text"))
        selection = QAbstractTextDocumentLayout.Selection()
        selection.cursor = cursor
        selection.format = chars
        return selection

    def _caret(self, painter: QPainter, shape: Shape, kind: str) -> None:
        """A block of 7 px after the last character."""
        assert shape.document is not None
        last = shape.document.lastBlock()
        lines = last.layout().lineCount()
        if not lines:
            return
        line = last.layout().lineAt(lines - 1)
        origin = shape.document.documentLayout().blockBoundingRect(last).topLeft()
        x, _ = cast("tuple[float, int]", line.cursorToX(last.length() - 1))
        place = QRectF(origin.x() + x + 2, origin.y() + line.y() + 1, 7, line.height() - 2)
        painter.fillRect(place, self._color("accent" if kind == "stream" else "wait_fill"))
        if kind == "hold":
            painter.setPen(QPen(self._color("wait"), 1))
            painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5))

    def _focus(self, painter: QPainter, shape: Shape) -> None:
        painter.setPen(QPen(self._color("focus"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # Outside the frame by 2, so that both are seen.
        top = max(shape.gap - 3, 1)
        painter.drawRect(QRect(1, top, self._m.width - 2, shape.height - top + 2))

    # --- small things ----------------------------------------------------------------------------

    def _color(self, token: str) -> QColor:
        return QColor(self._theme.color(token))

    def _text(
        self, painter: QPainter, place: QRect, text: str, role: Role, token: str, flags: int
    ) -> int:
        """One line of text; answers the x after it."""
        painter.setFont(self._theme.fonts.font(role))
        painter.setPen(self._color(token))
        painter.drawText(place, flags | int(Qt.TextFlag.TextSingleLine), text)
        return place.left() + int(self._theme.fonts.metrics(role).horizontalAdvance(text)) + 1

    def _elided(self, painter: QPainter, place: QRect, text: str, role: Role, token: str) -> int:
        metrics = self._theme.fonts.metrics(role)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        return self._text(painter, place, text, role, token, _LEFT) if text else place.left()

    def _icon(
        self, painter: QPainter, name: str, token: str, x: int, top: int, height: int
    ) -> None:
        size = self._m.icon
        pixmap = icons.pixmap(self._theme, name, token, size, self.ratio)
        painter.drawPixmap(x, top + (height - size) // 2, pixmap)

    def _pixmap_mark(self, painter: QPainter, status: str, x: int, top: int, height: int) -> None:
        size = self._m.icon
        pixmap = icons.mark(self._theme, status, size, self.ratio)
        painter.drawPixmap(x, top + (height - size) // 2, pixmap)


def _outcome_token(block: Block, look: Look) -> str:
    if look.waiting:
        return "wait"
    tokens = {"failed": "fail", "unknown": "intr", "running": "run"}
    return tokens.get(block.state, "text2")
