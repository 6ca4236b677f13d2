# SPDX-License-Identifier: Apache-2.0
"""What can be done to blocks, whatever asks for it: folding, copying, going somewhere."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from tenuto.sources.arguments import arguments
from tenuto_gui.context import AppContext
from tenuto_gui.render.text import for_clipboard
from tenuto_gui.transcript import outline, words
from tenuto_gui.transcript.as_markdown import block_markdown, copied_markdown
from tenuto_gui.transcript.canvas import BlockCanvas
from tenuto_gui.transcript.contents import (
    body_text,
    fits_inline,
    has_body,
    input_text,
    is_aside,
    is_open,
)
from tenuto_gui.transcript.parts import Part
from tenuto_gui.transcript.pieces import Section
from tenuto_gui.transcript.selection import (
    END,
    Place,
    Selection,
    block_text,
    copied_text,
)


class ActingCanvas(BlockCanvas):
    """The canvas with a selection, a current block, and deeds."""

    #: An output too long to open in place: its heading and its whole text.
    open_in_window = Signal(str, str)
    #: Somebody wants to follow a link: its target.
    link_wanted = Signal(str)
    #: The bytes of a damaged line are wanted: where it begins in the file.
    records_wanted = Signal(object)
    #: A new run is to be made of everything up to this record.
    fork_wanted = Signal(object)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.selection = Selection()
        #: The block that keys act on, -1 for none.
        self.current = -1
        self._keyboard = False
        #: Whether somebody listens to `fork_wanted`.
        self.can_fork = False

    # --- where is what ---------------------------------------------------------------------------

    def place_at(self, point: QPoint) -> Place | None:
        """The place in the text nearest to a point of the viewport."""
        row = self.row_at(point.y())
        if row < 0:
            return None
        rect = self.row_rect(row)
        if point.y() > rect.bottom():
            return Place(row, END)
        shape = self.shape_of(row)
        inner = point - rect.topLeft()
        if not shape.parts:
            after = shape.header is not None and inner.y() > shape.header.center().y()
            return Place(row, END if after else 0)
        return Place(row, shape.offset_at(inner))

    def part_at(self, point: QPoint) -> Part | None:
        """The part of a body that a point of the viewport is on, its frame included."""
        row = self.row_at(point.y())
        if row < 0:
            return None
        inner = point - self.row_rect(row).topLeft()
        for part in self.shape_of(row).parts:
            if (part.frame or part.rect).contains(inner):
                return part
        return None

    def link_at(self, point: QPoint) -> str:
        """The target of the link at a point of the viewport, "" for none."""
        part = self.part_at(point)
        if part is None:
            return ""
        return part.link_at(point - self.row_rect(self.row_at(point.y())).topLeft())

    def can_fold(self, row: int) -> bool:
        """Whether a block can be opened and closed."""
        block = self.blocks[row]
        return (block.kind == "tool_call" or is_aside(block)) and has_body(block)

    # --- folds -----------------------------------------------------------------------------------

    def toggle_fold(self, row: int) -> None:
        """Open a closed block, close an open one."""
        if self.can_fold(row):
            fold = self.fold_of(row)
            self.set_fold(row, replace(fold, open=not is_open(self.blocks[row], fold)))

    def follow_link(self, row: int, section: Section = "output") -> None:
        """Show all of a text that is shown in part: in place, or in a window of its own."""
        block = self.blocks[row]
        if section == "records":
            self.records_wanted.emit(block.offset)
            return
        source = input_text(block) if section == "input" else body_text(block)
        fold = self.fold_of(row)
        full = fold.full_input if section == "input" else fold.full
        link = next((each for each in self.shape_of(row).links if each.section == section), None)
        # What was opened and is still not whole has no other place than a window.
        cut = full and link is not None and not link.closes
        if cut or not fits_inline(source, block.kind):
            head = words.call_name(block) if block.kind == "tool_call" else words.accessible(block)
            self.open_in_window.emit(f"{head} {arguments(block.input)}".strip(), source)
        elif section == "input":
            self.set_fold(row, replace(fold, full_input=not fold.full_input))
        else:
            self.set_fold(row, replace(fold, full=not fold.full))

    # --- copying ---------------------------------------------------------------------------------

    def copy(self) -> None:
        """Copy the selected text, or the block that keys act on."""
        if self.selection.range is not None:
            self._to_clipboard(copied_text(self.selection, self.blocks, self.shape_of))
        elif 0 <= self.current < len(self.blocks):
            self.copy_block(self.current)

    def copy_markdown(self) -> None:
        """Copy what is selected, or the current block, as Markdown."""
        if self.selection.range is not None:
            self._to_clipboard(copied_markdown(self.selection, self.blocks, self.shape_of))
        elif 0 <= self.current < len(self.blocks):
            self.copy_block_markdown(self.current)

    def copy_block(self, row: int) -> None:
        """Copy one whole block as it was written."""
        self._to_clipboard(for_clipboard(block_text(self.blocks[row])))

    def copy_block_markdown(self, row: int) -> None:
        """Copy one whole block as Markdown."""
        self._to_clipboard(for_clipboard(block_markdown(self.blocks[row])))

    def copy_code(self, part: Part) -> None:
        """Copy a code block as it was written."""
        self._to_clipboard(for_clipboard(part.piece.source or part.text()))

    def select_all(self) -> None:
        """Select every block."""
        if self.blocks:
            self.selection.start(Place(0, 0))
            self.selection.extend(Place(len(self.blocks) - 1, END))
            self.viewport().update()

    def extend_selection(self, step: int) -> None:
        """By key: select the current block whole, then one more below (+1) or above (-1)."""
        if not self.blocks:
            return
        anchor, cursor = self.selection.anchor, self.selection.cursor
        row = self.current if self.current >= 0 else self.row_at(0)
        if self.selection.range is None or anchor is None or cursor is None:
            first, last = row, row
        else:
            first, last = anchor.row, min(max(cursor.row + step, 0), len(self.blocks) - 1)
        down = last > first or (last == first and step > 0)
        self.selection.start(Place(first, 0 if down else END))
        self.selection.extend(Place(last, END if down else 0))
        self.set_current(last)

    @staticmethod
    def _to_clipboard(text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    # --- going somewhere -------------------------------------------------------------------------

    def set_current(self, row: int, keyboard: bool = True) -> None:
        """Let keys act on this block and bring it into sight."""
        if not self.blocks:
            return
        self.current = min(max(row, 0), len(self.blocks) - 1)
        self._keyboard = keyboard
        if keyboard:
            self.ensure_visible(self.current)
        self.viewport().update()
        self.current_changed()

    def current_changed(self) -> None:
        """For accessibility: another block is the current one."""

    def go_to_row(self, row: int) -> None:
        """Make a block the current one, at the top of the view."""
        self.set_current(row)
        self.scroll_to_row(row)

    def go_to_prompt(self, direction: int) -> bool:
        """To the next (+1) or the previous (-1) prompt or follow-up; False where there is none."""
        return self._go(self.outline.prompts, direction)

    def go_to_error(self, direction: int) -> bool:
        """To the next (+1) or the previous (-1) error; False where there is none."""
        return self._go(self.outline.errors, direction)

    def _go(self, rows: list[int], direction: int) -> bool:
        seen = self.visible_rows()
        here = self.current if self.current in seen else (seen[0] if seen else 0)
        row = outline.step(rows, here, direction)
        if row is None:
            return False
        self.go_to_row(row)
        return True
