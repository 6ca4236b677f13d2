# SPDX-License-Identifier: Apache-2.0
"""The virtual list of blocks: scrolls, measures what comes into sight, keeps its place.

Only blocks on screen are laid out. All others have an estimated height, corrected when they are
first shown; an anchor (a block and pixels below its top) keeps what is read in place meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from tenuto.sources.base import Block
from tenuto_gui.context import AppContext
from tenuto_gui.courtesy import courtesy
from tenuto_gui.scroll_style import overlay
from tenuto_gui.transcript.contents import DEFAULT_FOLD, Fold, block_key
from tenuto_gui.transcript.highlight import Highlighter
from tenuto_gui.transcript.layout import Anchor, Heights, shift
from tenuto_gui.transcript.look import Look
from tenuto_gui.transcript.metrics import Metrics, measure
from tenuto_gui.transcript.outline import Outline
from tenuto_gui.transcript.paint import BlockPainter
from tenuto_gui.transcript.parts import Shape
from tenuto_gui.transcript.shape import Shaper

#: Rounds of measuring until the screen is filled: each one corrects what came into sight.
_ROUNDS = 6


class BlockCanvas(QAbstractScrollArea):
    """Shows blocks; knows nothing of where they come from, of selection or of keys."""

    #: Follow mode began or ended.
    following_changed = Signal(bool)
    #: Blocks from this row on are others now.
    blocks_changed = Signal(int)
    #: What is on screen moved.
    scrolled = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._courtesy = courtesy()
        self.blocks: list[Block] = []
        self.following = True
        self.outline = Outline()
        self._heights = Heights()
        #: Blocks whose height is exact for the present width.
        self._exact: set[int] = set()
        self._folds: dict[tuple[str, int, int, str], Fold] = {}
        self._anchor = Anchor(0, 0)
        self._updating_bar = False
        self._highlighter = Highlighter(self)
        self._highlighter.coloured.connect(self.viewport().update)
        metrics = measure(context.theme.fonts, 600)
        self._shaper = Shaper(context.theme, metrics, self._highlighter)
        self._painter: BlockPainter | None = None
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        # It lies over the content, where `measure` leaves room for it: the times stand where they
        # stood when a transcript grows long, and bands reach the edge.
        bar = self.verticalScrollBar()
        overlay(bar)
        bar.valueChanged.connect(self._on_bar)
        bar.setSingleStep(3 * self._shaper.metrics.line)
        context.theme.changed.connect(self._on_theme)

    # --- content ---------------------------------------------------------------------------------

    def replace_blocks(self, first: int, removed: int, blocks: Sequence[Block]) -> None:
        """Put ``blocks`` in the place of ``removed`` blocks from ``first`` on."""
        self.blocks[first : first + removed] = blocks
        heights = [self._shaper.estimate(block) for block in blocks]
        # What was measured keeps its height where a block was only replaced by its newer self, so
        # that nothing jumps; it is measured again all the same.
        for rank in range(min(removed, len(heights))):
            if first + rank in self._exact:
                heights[rank] = self._heights[first + rank]
        self._heights.splice(first, removed, heights)
        moved = len(heights) - removed
        self._exact = {
            row if row < first else row + moved
            for row in self._exact
            if row < first or row >= first + removed
        }
        self._anchor = shift(self._anchor, first, removed, len(blocks))
        self.outline.update(first, self.blocks)
        self._settle()
        self.blocks_changed.emit(first)
        self.viewport().update()

    def reset_blocks(
        self,
        blocks: Sequence[Block],
        keep: Anchor | None = None,
        heights: Sequence[int] = (),
    ) -> None:
        """Show other blocks, from their end, or from ``keep``.

        ``heights``: about how high the first of them are, where somebody worked that out.
        """
        self.blocks = list(blocks)
        rest = (self._shaper.estimate(block) for block in blocks[len(heights) :])
        self._heights = Heights([*heights, *rest])
        self._exact.clear()
        self._shaper.clear()
        self.outline.update(0, self.blocks)
        if keep is None:
            self._set_following(True)
        else:
            self._anchor = keep
        self._settle()
        self.blocks_changed.emit(0)
        self.viewport().update()

    def fold_of(self, row: int) -> Fold:
        """What the operator did to this block."""
        return self._folds.get(block_key(self.blocks[row]), DEFAULT_FOLD)

    def set_fold(self, row: int, fold: Fold) -> None:
        """Open, close, show all: the block's top stays where it is."""
        self._folds[block_key(self.blocks[row])] = fold
        self._exact.discard(row)
        if self.following and row < len(self.blocks) - 1:
            self._leave_end()
        self._settle()
        self.viewport().update()

    def shape_of(self, row: int) -> Shape:
        """The exact geometry of a block; its height is corrected on the way."""
        block = self.blocks[row]
        before = self.blocks[row - 1] if row else None
        shape = self._shaper.shape(block, before, self.fold_of(row), self.is_live_text(row))
        self._heights.set(row, shape.height)
        self._exact.add(row)
        return shape

    def is_live_text(self, row: int) -> bool:
        """Whether this block is still being written."""
        return False

    def look_of(self, row: int) -> Look:
        """How a block is painted at this moment."""
        return Look()

    # --- places ----------------------------------------------------------------------------------

    def row_at(self, y: int) -> int:
        """The block at a y of the viewport, -1 when there are none."""
        return self._heights.find(self._top_y() + y).row if self.blocks else -1

    def row_rect(self, row: int) -> QRect:
        """Where a block is in the viewport."""
        top = self._heights.top(row) - self._top_y()
        return QRect(0, top, self.viewport().width(), self._heights[row])

    def visible_rows(self) -> range:
        """The blocks that are on screen."""
        if not self.blocks:
            return range(0)
        first = self.row_at(0)
        last = self.row_at(self.viewport().height() - 1)
        return range(first, last + 1)

    def scroll_to_row(self, row: int, offset: int = 0) -> None:
        """Bring the top of a block, or pixels below it, to the top of the viewport."""
        self._leave_end()
        self._anchor = Anchor(row, offset)
        self._settle()
        self.viewport().update()

    def reveal(self, row: int, place: QRect) -> None:
        """Scroll as little as needed to show a place of a block, given in its own coordinates."""
        self.shape_of(row)
        top = self.row_rect(row).top() + place.top()
        room = self.viewport().height()
        if top < 0 or top + place.height() > room:
            self.scroll_to_row(row)
            self.scroll_by(place.center().y() - room // 3)

    def ensure_visible(self, row: int) -> None:
        """Scroll as little as needed to show a block; the top of one higher than the view."""
        self.shape_of(row)
        rect = self.row_rect(row)
        room = self.viewport().height()
        if rect.top() < 0 or rect.height() >= room:
            self.scroll_to_row(row)
        elif rect.bottom() >= room:
            self.scroll_by(rect.bottom() + 1 - room)

    def scroll_by(self, pixels: int) -> None:
        """Scroll by an exact distance, measuring what comes into sight first."""
        self._courtesy.begin()
        if pixels < 0:
            self._leave_end()
            self._measure_up(-pixels)
        y = max(self._top_y() + pixels, 0)
        self._anchor = self._heights.find(y)
        self._settle()
        if self._top_y() >= self._end_y() > 0:
            self._set_following(True)
        self.viewport().update()

    def go_to_end(self) -> None:
        """Show the end, and stay there as blocks come."""
        self._set_following(True)
        self._settle()
        self.viewport().update()

    def go_to_start(self) -> None:
        """Show the beginning."""
        if self.blocks:
            self.scroll_to_row(0)

    # --- measuring -------------------------------------------------------------------------------

    def _top_y(self) -> int:
        return self._heights.y_of(self._anchor)

    def _end_y(self) -> int:
        # A gap below the last block, so that it does not touch what is there.
        room = self.viewport().height() - self._shaper.metrics.turn_gap
        return max(self._heights.total - room, 0)

    def _settle(self) -> None:
        """Measure what is on screen, then place the anchor and the scroll bar."""
        if self.blocks:
            for _ in range(_ROUNDS):
                if self.following or self._top_y() > self._end_y():
                    if not self.following and self._end_y() == 0:
                        self._anchor = Anchor(0, 0)
                    else:
                        self._measure_end()
                        self._anchor = self._heights.find(self._end_y())
                if not self._measure_visible():
                    break
        else:
            self._anchor = Anchor(0, 0)
        self._sync_bar()

    def _measure_visible(self) -> bool:
        """Measure every block on screen; whether any height changed."""
        changed = False
        bottom = self._top_y() + self.viewport().height()
        row = self._anchor.row
        while row < len(self.blocks) and self._heights.top(row) < bottom:
            if row not in self._exact:
                before = self._heights[row]
                changed |= self.shape_of(row).height != before
            row += 1
        return changed

    def _measure_end(self) -> None:
        room = self.viewport().height()
        row = len(self.blocks) - 1
        while row >= 0 and room > 0:
            if row not in self._exact:
                self.shape_of(row)
            room -= self._heights[row]
            row -= 1

    def _measure_up(self, pixels: int) -> None:
        """Make the heights above the anchor exact for this far, without moving the anchor."""
        room = min(pixels, 4 * self.viewport().height()) - self._anchor.offset
        row = self._anchor.row - 1
        while row >= 0 and room > 0:
            if row not in self._exact:
                self.shape_of(row)
            room -= self._heights[row]
            row -= 1

    def _sync_bar(self) -> None:
        bar = self.verticalScrollBar()
        self._updating_bar = True
        try:
            bar.setPageStep(max(self.viewport().height(), 1))
            bar.setRange(0, self._end_y())
            bar.setValue(min(self._top_y(), self._end_y()))
        finally:
            self._updating_bar = False
        self.scrolled.emit()

    def _on_bar(self, value: int) -> None:
        if self._updating_bar:
            return
        self.scroll_by(value - min(self._top_y(), self._end_y()))

    # --- follow mode -----------------------------------------------------------------------------

    def _leave_end(self) -> None:
        if self.following:
            self._set_following(False)

    def _set_following(self, following: bool) -> None:
        if following != self.following:
            self.following = following
            self.following_changed.emit(following)

    # --- events ----------------------------------------------------------------------------------

    def _on_theme(self) -> None:
        self._shaper = Shaper(self.context.theme, self._grid(), self._highlighter)
        self._measure_again()

    def _grid(self) -> Metrics:
        # In a window of its own, without a list beside it, only its own width counts.
        window = self.window()
        whole = window.width() if window.objectName() == "mainWindow" else 0
        return measure(self.context.theme.fonts, self.viewport().width(), whole)

    def _remeasure(self) -> None:
        metrics = self._grid()
        if metrics != self._shaper.metrics:
            self._shaper.set_metrics(metrics)
            self._measure_again()

    def _measure_again(self) -> None:
        self._painter = None
        self._exact.clear()
        self._settle()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._remeasure()
        else:
            self._settle()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._courtesy.begin()
        ratio = self.devicePixelRatioF()
        if self._painter is None or self._painter.ratio != ratio:
            self._painter = BlockPainter(self.context.theme, self._shaper.metrics, ratio)
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self.context.theme.color("base"))
        for row in self.visible_rows():
            rect = self.row_rect(row)
            if not rect.intersects(event.rect()):
                continue
            shape = self.shape_of(row)
            painter.save()
            painter.translate(rect.topLeft())
            clip = self.viewport().rect().translated(-rect.topLeft())
            self._painter.paint(painter, self.blocks[row], shape, self.look_of(row), clip)
            painter.restore()
        painter.end()
