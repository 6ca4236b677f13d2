# SPDX-License-Identifier: Apache-2.0
"""How high a block is and what stands where in it: painting, hit tests and heights agree on it.

All rectangles are relative to the block's top left corner in the viewport.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect

from tenuto.sources.base import Block
from tenuto_gui.fonts import Fonts, Role
from tenuto_gui.render.text import (
    MAX_BLOCK_CHARS,
    MAX_BLOCK_LINES,
    Excerpt,
    excerpt,
    line_count,
    shown,
)
from tenuto_gui.transcript import words
from tenuto_gui.transcript.document import DocumentCache, SafeDocument, plain_document
from tenuto_gui.transcript.metrics import Metrics

#: A tool's output of this many lines is shown whole, a longer one by its first few (look.md).
WHOLE_LINES = 12
FIRST_LINES = 4
#: A few lines can be long: this is what a folded output shows of them at most.
FIRST_CHARS = 4_000
#: Percent of a font's own line height: prose is read, output is compared.
PROSE_SPACING = 115
OUTPUT_SPACING = 100


@dataclass(frozen=True, slots=True)
class Fold:
    """What the operator did to a block: opened or closed it, asked for all lines."""

    open: bool | None = None
    full: bool = False


DEFAULT_FOLD = Fold()


@dataclass(slots=True)
class Shape:
    """The geometry of one block."""

    height: int
    #: Empty space above; the rail does not cross it where a turn begins.
    gap: int = 0
    starts_turn: bool = False
    header: QRect | None = None
    frame: QRect | None = None
    body: QRect | None = None
    document: SafeDocument | None = None
    link: QRect | None = None
    link_text: str = ""
    opened: bool = True
    #: The text the body shows is the first ``source_length`` characters of ``source``.
    source: str = ""
    source_length: int = 0


def block_key(block: Block) -> tuple[str, int, int, str]:
    """What stays the same when a block is replaced by a newer self."""
    return (block.kind, block.seq, block.index, block.call_id)


def is_open(block: Block, fold: Fold) -> bool:
    """Whether the body is shown: thinking is folded until asked for, output is not."""
    if fold.open is not None:
        return fold.open
    return block.kind != "thinking"


def body_text(block: Block) -> str:
    """The whole source of a block's body."""
    match block.kind:
        case "tool_call":
            return block.result or ""
        case "notice":
            if block.notice == "damaged":
                return words.damage_text(block)
            return words.marker_detail(block)
        case _:
            return block.text


def visible_excerpt(block: Block, fold: Fold, source: str) -> Excerpt:
    """How much of the body is shown in the transcript."""
    if block.kind == "tool_call":
        lines = line_count(source)
        if lines <= WHOLE_LINES:
            return excerpt(source, WHOLE_LINES, MAX_BLOCK_CHARS if fold.full else FIRST_CHARS)
        if not fold.full:
            return excerpt(source, FIRST_LINES, FIRST_CHARS)
    return excerpt(source, MAX_BLOCK_LINES, MAX_BLOCK_CHARS)


def fits_inline(source: str) -> bool:
    """Whether all of an output may be opened in place; else it gets a window of its own."""
    return line_count(source) <= MAX_BLOCK_LINES and len(source) <= MAX_BLOCK_CHARS


class Shaper:
    """Shapes blocks for one width and font, with a cache of documents."""

    def __init__(self, fonts: Fonts, metrics: Metrics) -> None:
        self.fonts = fonts
        self.metrics = metrics
        self.documents = DocumentCache()

    def gap(self, block: Block, before: Block | None) -> tuple[int, bool]:
        """Space above the block, and whether it begins a turn."""
        m = self.metrics
        if before is None:
            return (0 if block.kind == "prompt" else m.gap), block.turn > 0
        if block.kind in ("prompt", "follow_up", "notice"):
            return m.turn_gap, False
        if block.turn != before.turn:
            return (m.gap if before.kind in ("prompt", "follow_up") else m.turn_gap), True
        return m.gap, False

    def estimate(self, block: Block) -> int:
        """About how high the block is, from the length of its text alone."""
        m = self.metrics
        text = block.text
        match block.kind:
            case "thinking":
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
                return m.gap + min(lines, MAX_BLOCK_LINES) * m.line + extra

    def shape(self, block: Block, before: Block | None, fold: Fold, live: bool = False) -> Shape:
        """The exact geometry. Makes the block's document, or finds it in the cache."""
        gap, starts_turn = self.gap(block, before)
        opened = is_open(block, fold)
        result = Shape(gap, gap, starts_turn, opened=opened)
        match block.kind:
            case "prompt" | "follow_up":
                self._prompt(result, block, fold)
            case "thinking":
                self._thinking(result, block, fold, live)
            case "tool_call":
                self._tool(result, block, fold)
            case "notice":
                self._notice(result, block, fold)
            case _:
                self._text(result, block, fold, live)
        return result

    # --- kinds -----------------------------------------------------------------------------------

    def _prompt(self, shape: Shape, block: Block, fold: Fold) -> None:
        m = self.metrics
        top = shape.gap + m.pad
        bottom = self._body(shape, block, fold, "medium", top, m.text, m.text_width)
        shape.frame = QRect(0, shape.gap, m.width, bottom + m.pad - shape.gap)
        shape.height = bottom + m.pad

    def _text(self, shape: Shape, block: Block, fold: Fold, live: bool) -> None:
        m = self.metrics
        shape.height = self._body(shape, block, fold, "body", shape.gap, m.text, m.text_width, live)

    def _thinking(self, shape: Shape, block: Block, fold: Fold, live: bool) -> None:
        m = self.metrics
        shape.header = QRect(m.text, shape.gap, m.frame_width, m.thinking)
        shape.height = shape.gap + m.thinking
        if shape.opened and block.text.strip():
            top = shape.height
            shape.height = self._body(shape, block, fold, "body", top, m.text, m.text_width, live)

    def _tool(self, shape: Shape, block: Block, fold: Fold) -> None:
        m = self.metrics
        shape.header = QRect(m.text, shape.gap, m.frame_width, m.header)
        bottom = shape.gap + m.header
        if not (block.result or "").strip("\n"):
            shape.opened = False
        if shape.opened:
            left = m.text + m.indent
            bottom = self._body(
                shape, block, fold, "mono_small", bottom + m.pad, left, m.output_width
            )
            bottom += m.pad
        shape.frame = QRect(m.text, shape.gap, m.frame_width, bottom - shape.gap)
        shape.height = bottom

    def _notice(self, shape: Shape, block: Block, fold: Fold) -> None:
        m = self.metrics
        if block.notice == "damaged":
            shape.header = QRect(0, shape.gap + m.pad, m.width, m.line)
            top = shape.gap + m.pad + m.line + m.pad // 4
            bottom = self._body(shape, block, fold, "body", top, m.text, m.text_width)
            shape.frame = QRect(0, shape.gap, m.width, bottom + m.pad - shape.gap)
            shape.height = bottom + m.pad
            return
        shape.header = QRect(0, shape.gap, m.width, m.marker)
        shape.height = shape.gap + m.marker
        if words.marker_detail(block).strip():
            shape.height = self._body(
                shape, block, fold, "body", shape.height, m.text, m.text_width
            )

    # --- bodies ----------------------------------------------------------------------------------

    def _body(
        self,
        shape: Shape,
        block: Block,
        fold: Fold,
        role: Role,
        top: int,
        left: int,
        width: int,
        live: bool = False,
    ) -> int:
        """Place the body's document and its link; answers the y below both."""
        m = self.metrics
        source = body_text(block)
        part = visible_excerpt(block, fold, source)
        if live and not part.whole:
            # Streaming text is watched at its end.
            source = source[-MAX_BLOCK_CHARS:].split("\n", 1)[-1]
            source = "\n".join(source.split("\n")[-MAX_BLOCK_LINES:])
            part = Excerpt(len(source), part.lines, True)
        shape.source, shape.source_length = source, part.length
        place = (block.kind, block.index) if live else None
        document = self._document(source[: part.length], role, width, place)
        shape.document = document
        height = max(int(document.size().height() + 0.99), 1)
        shape.body = QRect(left, top, width, height)
        bottom = top + height
        if part.whole and not (fold.full and part.lines > WHOLE_LINES):
            return bottom
        if part.whole:
            shape.link_text = words.show_less()
        else:
            shape.link_text = words.show_all(part.lines, part.lines <= WHOLE_LINES)
        link_width = round(self.fonts.metrics("small").horizontalAdvance(shape.link_text)) + m.pad
        shape.link = QRect(left, bottom, link_width, m.small_line + m.pad // 2)
        return shape.link.bottom() + 1

    def _document(
        self, text: str, role: Role, width: int, live: tuple[str, int] | None
    ) -> SafeDocument:
        """The document of a text; one that grows takes its former self's place in the cache."""
        content = (hash(text), len(text))
        key = (live or content, role, width)
        document = self.documents.get(key)
        if document is None or document.content != content:
            spacing = OUTPUT_SPACING if role == "mono_small" else PROSE_SPACING
            document = plain_document(shown(text), self.fonts.font(role), width, spacing)
            document.content = content
            self.documents.put(key, document)
        return document
