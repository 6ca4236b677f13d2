# SPDX-License-Identifier: Apache-2.0
"""How high a block is and what stands where in it: painting, hit tests and heights agree on it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QTextFormat, QTextListFormat

from tenuto.sources.base import Block
from tenuto_gui.render.spans import with_links
from tenuto_gui.theme import Theme
from tenuto_gui.transcript import markers
from tenuto_gui.transcript.contents import (
    FIRST_CHARS,
    FIRST_LINES,
    WHOLE_LINES,
    Fold,
    block_key,
    has_body,
    is_aside,
    is_open,
    pieces_of,
)
from tenuto_gui.transcript.document import SafeDocument, Writer
from tenuto_gui.transcript.growing import LivePieces
from tenuto_gui.transcript.highlight import Highlighter
from tenuto_gui.transcript.metrics import Metrics
from tenuto_gui.transcript.parts import Link, Part, Shape
from tenuto_gui.transcript.pieces import Piece
from tenuto_gui.transcript.prose import table_rows

#: Blocks whose documents are kept: about ten are on screen, the rest makes scrolling back free.
CAPACITY = 400
#: An estimate never says more lines than this: what is longer is folded.
_MOST_LINES = 200

Key = tuple[str, int, int, str]


@dataclass(slots=True)
class _Kept:
    """What was made for a block, for as long as the block stays the same."""

    block: Block
    fold: Fold
    live: bool
    pieces: list[Piece]
    #: Whether ``shape`` is of the present width.
    shape: Shape | None = None
    gap: tuple[int, bool] = (0, False)


class Shaper:
    """Shapes blocks for one width, font and theme; keeps what was shaped lately."""

    def __init__(self, theme: Theme, metrics: Metrics, highlighter: Highlighter) -> None:
        self.theme = theme
        self.fonts = theme.fonts
        self.metrics = metrics
        self._highlighter = highlighter
        self._writer = Writer(theme)
        self._live = LivePieces()
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Forget all: the session is another one."""
        self._kept.clear()
        self._live = LivePieces()

    def set_metrics(self, metrics: Metrics) -> None:
        """Another width: documents stay and are laid out anew when they are next shown."""
        self.metrics = metrics
        for kept in self._kept.values():
            kept.shape = None

    def gap(self, block: Block, before: Block | None) -> tuple[int, bool]:
        """Space above the block, and whether it begins a turn."""
        m = self.metrics
        if before is None:
            return (0 if block.kind == "prompt" else m.gap), block.turn > 0
        if block.kind in ("prompt", "follow_up", "notice") and not is_aside(block):
            return m.turn_gap, False
        if block.turn != before.turn:
            return (m.gap if before.kind in ("prompt", "follow_up") else m.turn_gap), True
        return m.gap, False

    def estimate(self, block: Block) -> int:
        """About how high the block is, from the length of its text alone."""
        m = self.metrics
        text = block.text
        match block.kind:
            case _ if is_aside(block):
                return m.thinking + m.gap
            case "tool_call":
                result = block.result
                if not result:
                    return m.header + m.gap
                lines = result.count("\n", 0, FIRST_CHARS) + 1
                shown_lines = lines if lines <= WHOLE_LINES else FIRST_LINES + 1
                return m.header + m.gap + 2 * m.pad + shown_lines * m.mono_line
            case "notice":
                return m.marker + m.turn_gap
            case _:
                lines = text.count("\n") + 1 + int(len(text) * m.column / m.text_width)
                extra = 2 * m.pad if block.kind != "text" else 0
                return m.gap + min(lines, _MOST_LINES) * m.line + extra

    def shape(self, block: Block, before: Block | None, fold: Fold, live: bool = False) -> Shape:
        """The exact geometry. Makes the block's documents, or finds them among what is kept."""
        key = block_key(block)
        kept = self._kept.get(key)
        if kept is None or kept.block is not block or kept.fold != fold or kept.live != live:
            kept = self._kept[key] = _Kept(block, fold, live, self._pieces(block, fold, live))
        self._kept.move_to_end(key)
        while len(self._kept) > CAPACITY:
            self._kept.popitem(last=False)
        gap = self.gap(block, before)
        if kept.shape is None or kept.gap != gap:
            kept.gap = gap
            kept.shape = self._shape(block, fold, gap, kept.pieces)
        return kept.shape

    def _pieces(self, block: Block, fold: Fold, live: bool) -> list[Piece]:
        if not is_open(block, fold) or not has_body(block):
            return []
        if live and block.kind == "text":
            return self._live.pieces(block.text)
        return pieces_of(block, fold)

    def _shape(self, block: Block, fold: Fold, gap: tuple[int, bool], pieces: list[Piece]) -> Shape:
        m = self.metrics
        result = Shape(gap[0], gap[0], gap[1], opened=is_open(block, fold))
        match block.kind:
            case "prompt" | "follow_up":
                bottom = self._body(result, pieces, result.gap + m.pad, m.text, m.text_width)
                result.frame = QRect(0, result.gap, m.width, bottom + m.pad - result.gap)
                result.height = bottom + m.pad
            case _ if is_aside(block):
                result.header = QRect(m.text, result.gap, m.frame_width, m.thinking)
                top = result.gap + m.thinking
                result.height = self._body(result, pieces, top, m.text, m.text_width)
            case "tool_call":
                self._tool(result, block, pieces)
            case "notice":
                self._notice(result, block, pieces)
            case _:
                result.height = self._body(result, pieces, result.gap, m.text, m.text_width)
        return result

    # --- kinds -----------------------------------------------------------------------------------

    def _tool(self, shape: Shape, block: Block, pieces: list[Piece]) -> None:
        m = self.metrics
        shape.header = QRect(m.text, shape.gap, m.frame_width, m.header)
        bottom = shape.gap + m.header
        shape.opened = bool(pieces)
        if pieces:
            left = m.text + m.indent
            bottom = self._body(shape, pieces, bottom + m.pad, left, m.output_width) + m.pad
        shape.frame = QRect(m.text, shape.gap, m.frame_width, bottom - shape.gap)
        shape.height = bottom

    def _notice(self, shape: Shape, block: Block, pieces: list[Piece]) -> None:
        m = self.metrics
        if block.notice == "damaged":
            shape.header = QRect(0, shape.gap + m.pad, m.width, m.line)
            top = shape.gap + m.pad + m.line + m.pad // 4
            bottom = self._body(shape, pieces, top, m.text, m.text_width)
            shape.frame = QRect(0, shape.gap, m.width, bottom + m.pad - shape.gap)
            shape.height = bottom + m.pad
            return
        height = m.marker * len(markers.lines(block, m, self.fonts))
        shape.header = QRect(0, shape.gap, m.width, height)
        top = shape.gap + height
        shape.height = self._body(shape, pieces, top, m.text, m.text_width)

    # --- bodies ----------------------------------------------------------------------------------

    def _body(self, shape: Shape, pieces: list[Piece], top: int, left: int, width: int) -> int:
        """Place the parts and links of a body below each other; answers the y below them."""
        m = self.metrics
        start = 0
        before: Piece | None = None
        for piece in pieces:
            if before is not None:
                top += m.pad
            ruled = before is not None and before.section != piece.section
            if ruled:
                top += m.pad
            part = self._part(piece, top, left, width, start)
            part.ruled = ruled
            shape.parts.append(part)
            start = part.end + 1
            top = (part.frame or part.rect).bottom() + 1
            if piece.more:
                link_width = round(self.fonts.metrics("small").horizontalAdvance(piece.more))
                rect = QRect(left, top, link_width + m.pad, m.small_line + m.pad // 2)
                shape.links.append(Link(rect, piece.more, piece.section, piece.closes))
                top = rect.bottom() + 1
            before = piece
        return top

    def _part(self, piece: Piece, top: int, left: int, width: int, start: int) -> Part:
        m = self.metrics
        document = self._document(piece)
        if piece.kind == "code":
            return self._code(piece, document, top, left, start)
        if piece.kind == "table":
            # A table may be wider than a line of prose is.
            width = m.frame_width
        _lay_out(document, width)
        height = max(int(document.size().height() + 0.99), 1)
        part = Part(piece, document, QRect(left, top, width, height), start)
        if piece.kind == "prose":
            self._ornaments(part)
        return part

    def _code(self, piece: Piece, document: SafeDocument, top: int, left: int, start: int) -> Part:
        """A frame of the full width; language and Copy stand in its upper right corner."""
        m = self.metrics
        label = 0
        if piece.language:
            label = round(self.fonts.metrics("small").horizontalAdvance(piece.language)) + m.pad
        room = label + m.icon + 2 * m.pad
        width = max(m.frame_width - 2 * m.pad - room, 40)
        _lay_out(document, width)
        height = max(int(document.size().height() + 0.99), m.mono_line)
        frame = QRect(left, top, m.frame_width, height + 2 * m.pad)
        rect = QRect(left + m.pad, top + m.pad, width, height)
        part = Part(piece, document, rect, start, frame)
        side = m.mono_line + m.pad
        part.copy = QRect(frame.right() - side - m.pad // 4, frame.top() + m.pad // 2, side, side)
        return part

    def _document(self, piece: Piece) -> SafeDocument:
        document = piece.document
        if not isinstance(document, SafeDocument):
            writer = self._writer
            if piece.kind == "prose":
                document = writer.prose(piece.text)
            elif piece.table is not None:
                document = writer.table(piece.table, table_rows(piece.table, piece.full))
            else:
                spans = with_links(piece.spans, piece.links)
                document = writer.plain(piece.text, piece.role, spans)
            # Before its colours: a quick answer comes while it is asked for.
            piece.document = document
            if piece.kind == "code":
                self._highlighter.want(piece, document, writer.colour)
        return document

    def _ornaments(self, part: Part) -> None:
        """The points of lists and the bars of quotations, which Qt draws in its own way."""
        m = self.metrics
        layout = part.document.documentLayout()
        block = part.document.begin()
        quote: QRect | None = None
        while block.isValid():
            form = block.blockFormat()
            points = block.textList()
            if points is not None:
                style = points.format().style()
                if style == QTextListFormat.Style.ListStyleUndefined and block.layout().lineCount():
                    around = layout.blockBoundingRect(block)
                    line = block.layout().lineAt(0)
                    x = round(around.left() + line.x()) - m.pad - m.pad // 4
                    y = round(around.top() + line.y() + line.ascent() * 0.66)
                    part.dots.append(QPoint(x, y))
            level = form.property(QTextFormat.Property.BlockQuoteLevel)
            if level:
                around = layout.blockBoundingRect(block)
                place = QRect(0, round(around.top()), m.rail_width, round(around.height()))
                quote = place if quote is None else quote.united(place)
            elif quote is not None:
                part.bars.append(quote)
                quote = None
            block = block.next()
        if quote is not None:
            part.bars.append(quote)


def _lay_out(document: SafeDocument, width: int) -> None:
    """Give a document its width. Qt lays all of it out anew even where that is what it has."""
    if document.textWidth() != width:
        document.setTextWidth(width)
