# SPDX-License-Identifier: Apache-2.0
"""The geometry of one block: header, frame, and the parts of its body.

All rectangles are relative to the block's top left corner in the viewport. Offsets count Qt's
units over all parts of the body, one between two of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from PySide6.QtCore import QPoint, QPointF, QRect, Qt

from tenuto_gui.render.text import from_units, units
from tenuto_gui.transcript.document import SafeDocument
from tenuto_gui.transcript.pieces import Piece, Section


@dataclass(slots=True, eq=False)
class Part:
    """One piece, laid out."""

    piece: Piece
    document: SafeDocument
    #: Where the text is.
    rect: QRect
    #: Offset of its first character in the block.
    start: int
    #: Around code.
    frame: QRect | None = None
    #: Where a click copies the code; the language stands before it.
    copy: QRect | None = None
    #: Points of a list, ends and beginnings of the bars of quotations; relative to ``rect``.
    dots: list[QPoint] = field(default_factory=list)
    bars: list[QRect] = field(default_factory=list)
    #: A thin line above parts what goes in from what came out.
    ruled: bool = False

    @property
    def end(self) -> int:
        """Offset after its last character."""
        return self.start + self.document.characterCount() - 1

    def text(self) -> str:
        """What is shown, a line end between paragraphs and cells."""
        if self.piece.kind in ("text", "code"):
            return self.piece.text
        return self.document.toPlainText()

    def place(self, offset: int) -> int:
        """The offset in ``text`` for an offset of the block."""
        return from_units(self.text(), max(min(offset, self.end) - self.start, 0))

    def offset(self, place: int) -> int:
        """The offset of the block for an offset in ``text``."""
        table = units(self.text())
        return self.start + (place if table is None else table[place])

    def hit(self, point: QPoint) -> int:
        """The offset in the block nearest to a point of it."""
        at = QPointF(point - self.rect.topLeft())
        found = self.document.documentLayout().hitTest(at, Qt.HitTestAccuracy.FuzzyHit)
        return self.start + max(found, 0)

    def link_at(self, point: QPoint) -> str:
        """The target of the link at a point of the block, "" for none."""
        if not self.rect.contains(point):
            return ""
        at = QPointF(point - self.rect.topLeft())
        layout = self.document.documentLayout()
        if self.piece.kind in ("prose", "table"):
            return str(layout.anchorAt(at))
        if not self.piece.links:
            return ""
        offset = layout.hitTest(at, Qt.HitTestAccuracy.ExactHit)
        place = self.place(self.start + offset) if offset >= 0 else -1
        for start, end in self.piece.links:
            if start <= place < end:
                return self.piece.text[start:end]
        return ""

    def links(self) -> list[str]:
        """The targets of all its links, in their order."""
        if self.piece.kind not in ("prose", "table"):
            return [self.piece.text[start:end] for start, end in self.piece.links]
        found: list[str] = []
        block = self.document.begin()
        while block.isValid():
            found += (form.format.anchorHref() for form in block.textFormats())
            block = block.next()
        # A link of several formats (bold in it) is one.
        return [
            target
            for rank, target in enumerate(found)
            if target and (not rank or target != found[rank - 1])
        ]

    def line_rect(self, offset: int) -> QRect:
        """The line an offset of the block is on."""
        block = self.document.findBlock(max(offset - self.start, 0))
        around = self.document.documentLayout().blockBoundingRect(block)
        line = block.layout().lineForTextPosition(max(offset - self.start, 0) - block.position())
        top = around.top() + (line.y() if line.isValid() else 0)
        height = line.height() if line.isValid() else around.height()
        return QRect(self.rect.left(), self.rect.top() + int(top), self.rect.width(), int(height))


@dataclass(slots=True)
class Link:
    """Words below a part that show more or less of it."""

    rect: QRect
    text: str
    section: Section
    closes: bool = False


@dataclass(slots=True)
class Shape:
    """The geometry of one block."""

    height: int
    #: Empty space above; the rail does not cross it where a turn begins.
    gap: int = 0
    starts_turn: bool = False
    header: QRect | None = None
    frame: QRect | None = None
    opened: bool = True
    parts: list[Part] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    @property
    def body(self) -> QRect | None:
        """All parts together."""
        found: QRect | None = None
        for part in self.parts:
            found = part.rect if found is None else found.united(part.rect)
        return found

    @property
    def length(self) -> int:
        """The offset of the body's end."""
        return self.parts[-1].end if self.parts else 0

    def part_at(self, point: QPoint) -> Part | None:
        """The part at a point, or the nearest one above or below."""
        best: Part | None = None
        for part in self.parts:
            if best is None or (part.frame or part.rect).top() <= point.y():
                best = part
        return best

    def part_of(self, offset: int) -> Part | None:
        """The part that holds an offset of the block."""
        for part in self.parts:
            if offset <= part.end:
                return part
        return self.parts[-1] if self.parts else None

    def offset_at(self, point: QPoint) -> int:
        """The offset of the body nearest to a point of the block."""
        part = self.part_at(point)
        if part is None or point.y() < self.parts[0].rect.top():
            return 0
        if point.y() > self.parts[-1].rect.bottom():
            return self.length
        if point.y() > part.rect.bottom():
            return part.end
        return part.hit(point)

    def selected(self, first: int, last: int) -> Iterator[tuple[Part, int, int]]:
        """The parts between two offsets, each with its own offsets (Qt's, in its document)."""
        for part in self.parts:
            begin, end = max(first, part.start), min(last, part.end)
            if begin < end or (part.start == part.end and first <= part.start < last):
                yield part, begin - part.start, end - part.start

    def text(self) -> str:
        """The whole body as it is shown."""
        return "\n".join(part.text() for part in self.parts)
