# SPDX-License-Identifier: Apache-2.0
"""Mouse, keys, selection and copying over the canvas of blocks."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from tenuto.sources.arguments import arguments
from tenuto_gui import icons
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.plain import plain_tip
from tenuto_gui.render.text import for_clipboard
from tenuto_gui.transcript import words
from tenuto_gui.transcript.canvas import BlockCanvas
from tenuto_gui.transcript.selection import END, Place, Selection, block_text, copied_text
from tenuto_gui.transcript.shape import body_text, fits_inline, is_open

#: Milliseconds between two steps of scrolling while a selection is drawn beyond the edge.
_DRAG_SCROLL_MS = 30


class InteractiveCanvas(BlockCanvas):
    """The canvas with everything an operator can do to blocks."""

    #: An output too long to open in place: its heading and its whole text.
    open_in_window = Signal(str, str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.selection = Selection()
        #: The block that keys act on, -1 for none.
        self.current = -1
        self._keyboard = False
        self._dragging = False
        self._pressed_at = QPoint()
        self._drag_timer = QTimer(self)
        self._drag_timer.setInterval(_DRAG_SCROLL_MS)
        self._drag_timer.timeout.connect(self._drag_scroll)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)

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
        if shape.document is None or shape.body is None:
            after = shape.header is not None and inner.y() > shape.header.center().y()
            return Place(row, END if after else 0)
        if inner.y() < shape.body.top():
            return Place(row, 0)
        if inner.y() > shape.body.bottom():
            return Place(row, shape.document.characterCount() - 1)
        at = QPointF(inner - shape.body.topLeft())
        hit = shape.document.documentLayout().hitTest(at, Qt.HitTestAccuracy.FuzzyHit)
        return Place(row, max(hit, 0))

    def _target(self, point: QPoint) -> tuple[str, int]:
        """What a click there does: ``link``, ``fold`` or ``""``, and the block."""
        row = self.row_at(point.y())
        if row < 0:
            return "", -1
        rect = self.row_rect(row)
        if not rect.contains(point):
            return "", -1
        shape = self.shape_of(row)
        inner = point - rect.topLeft()
        if shape.link is not None and shape.link.contains(inner):
            return "link", row
        block = self.blocks[row]
        if block.kind not in ("thinking", "tool_call") or shape.header is None:
            return "", row
        left = self._shaper.metrics.arrow
        header = shape.header.adjusted(left - shape.header.left(), 0, 0, 0)
        if header.contains(inner) and self._can_fold(row):
            return "fold", row
        return "", row

    def _can_fold(self, row: int) -> bool:
        block = self.blocks[row]
        if block.kind == "tool_call":
            return bool((block.result or "").strip("\n"))
        return block.kind == "thinking" and bool(block.text.strip())

    # --- deeds -----------------------------------------------------------------------------------

    def toggle_fold(self, row: int) -> None:
        """Open a closed block, close an open one."""
        if self._can_fold(row):
            fold = self.fold_of(row)
            self.set_fold(row, replace(fold, open=not is_open(self.blocks[row], fold)))

    def follow_link(self, row: int) -> None:
        """Show all of a block that is shown in part: in place, or in a window of its own."""
        block = self.blocks[row]
        source = body_text(block)
        if not fits_inline(source):
            head = words.call_name(block) if block.kind == "tool_call" else words.accessible(block)
            self.open_in_window.emit(f"{head} {arguments(block.input)}".strip(), source)
            return
        fold = self.fold_of(row)
        self.set_fold(row, replace(fold, full=not fold.full))

    def copy(self) -> None:
        """Copy the selected text, or the block that keys act on."""
        if self.selection.range is not None:
            text = copied_text(self.selection, self.blocks, self.shape_of)
        elif 0 <= self.current < len(self.blocks):
            text = for_clipboard(block_text(self.blocks[self.current]))
        else:
            return
        QGuiApplication.clipboard().setText(text)

    def copy_block(self, row: int) -> None:
        """Copy one whole block."""
        QGuiApplication.clipboard().setText(for_clipboard(block_text(self.blocks[row])))

    def select_all(self) -> None:
        """Select every block."""
        if self.blocks:
            self.selection.start(Place(0, 0))
            self.selection.extend(Place(len(self.blocks) - 1, END))
            self.viewport().update()

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

    def go_to_prompt(self, step: int) -> None:
        """To the next (+1) or the previous (-1) prompt or follow-up."""
        row = self.current if self.current >= 0 else self.row_at(0)
        row += step
        while 0 <= row < len(self.blocks):
            if self.blocks[row].kind in ("prompt", "follow_up"):
                self.set_current(row)
                self.scroll_to_row(row)
                return
            row += step

    # --- mouse -----------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        self._pressed_at = point
        place = self.place_at(point)
        if place is None:
            return
        self._keyboard = False
        self.current = place.row
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.selection.extend(place)
        else:
            self.selection.start(place)
        self._dragging = True
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if not self._dragging:
            self._update_cursor(point)
            return
        place = self.place_at(point)
        if place is not None:
            self.selection.extend(place)
            self.viewport().update()
        outside = not 0 <= point.y() < self.viewport().height()
        if outside and not self._drag_timer.isActive():
            self._drag_timer.start()
        elif not outside:
            self._drag_timer.stop()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self._dragging:
            return
        self._dragging = False
        self._drag_timer.stop()
        point = event.position().toPoint()
        if self.selection.range is None or point == self._pressed_at:
            what, row = self._target(point)
            if what == "link":
                self.follow_link(row)
            elif what == "fold":
                self.toggle_fold(row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        what, row = self._target(point)
        if what or row < 0:
            self.mousePressEvent(event)
            return
        self._select_word(point)

    def _select_word(self, point: QPoint) -> None:
        place = self.place_at(point)
        if place is None:
            return
        text = self.shape_of(place.row)
        if text.document is None:
            return
        plain = text.document.toPlainText()
        first = last = min(place.offset, len(plain))
        while first > 0 and (plain[first - 1].isalnum() or plain[first - 1] in "_-."):
            first -= 1
        while last < len(plain) and (plain[last].isalnum() or plain[last] in "_-."):
            last += 1
        self.selection.start(Place(place.row, first))
        self.selection.extend(Place(place.row, last))
        self.viewport().update()

    def _drag_scroll(self) -> None:
        point = self.viewport().mapFromGlobal(self.cursor().pos())
        below = point.y() - self.viewport().height()
        self.scroll_by(max(below, 4) if below >= 0 else min(point.y(), -4))
        place = self.place_at(point)
        if place is not None:
            self.selection.extend(place)

    def _update_cursor(self, point: QPoint) -> None:
        what, row = self._target(point)
        shape = Qt.CursorShape.ArrowCursor
        if what:
            shape = Qt.CursorShape.PointingHandCursor
        elif row >= 0:
            body = self.shape_of(row).body
            if body is not None and body.contains(point - self.row_rect(row).topLeft()):
                shape = Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tooltip(event)
            return True
        return super().viewportEvent(event)

    def _show_tooltip(self, event: QHelpEvent) -> None:
        row = self.row_at(event.pos().y())
        text = ""
        if row >= 0:
            block = self.blocks[row]
            header = self.shape_of(row).header
            inner = event.pos() - self.row_rect(row).topLeft()
            on_header = header is not None and header.contains(inner)
            if block.kind == "tool_call" and on_header:
                text = f"{words.call_name(block)} {arguments(block.input)}".strip()
            elif block.time and (not self._shaper.metrics.time_right or block.kind == "notice"):
                text = words.clock(block.time)
        QToolTip.showText(event.globalPos(), plain_tip(text), self.viewport())

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif not self._navigate(event):
            super().keyPressEvent(event)

    def _navigate(self, event: QKeyEvent) -> bool:
        key = event.key()
        page = max(self.viewport().height() - 2 * self._shaper.metrics.line, 20)
        row = self.current if self.current >= 0 else self.row_at(0)
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        match key:
            case Qt.Key.Key_Down if alt:
                self.go_to_prompt(1)
            case Qt.Key.Key_Up if alt:
                self.go_to_prompt(-1)
            case Qt.Key.Key_Down:
                self._step(row, 1)
            case Qt.Key.Key_Up:
                self._step(row, -1)
            case Qt.Key.Key_PageDown | Qt.Key.Key_PageUp:
                self.scroll_by(page if key == Qt.Key.Key_PageDown else -page)
                self.current = self.row_at(0)
            case Qt.Key.Key_Home:
                self.go_to_start()
                self.current = 0 if self.blocks else -1
            case Qt.Key.Key_End:
                self.go_to_end()
                self.current = len(self.blocks) - 1
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space if row >= 0:
                self._act(row)
            case Qt.Key.Key_Right | Qt.Key.Key_Left if row >= 0:
                opened = self.shape_of(row).opened
                if opened != (key == Qt.Key.Key_Right):
                    self.toggle_fold(row)
            case Qt.Key.Key_Escape if self.selection.range is not None:
                self.selection.clear()
                self.viewport().update()
            case _:
                return False
        return True

    def _step(self, row: int, step: int) -> None:
        """To the next block; one higher than the view is scrolled through first."""
        if row < 0:
            return
        rect = self.row_rect(row)
        room = self.viewport().height()
        hidden = rect.bottom() >= room if step > 0 else rect.top() < 0
        if hidden and rect.height() >= room and self.current >= 0:
            self.scroll_by(step * 3 * self._shaper.metrics.line)
            return
        self.set_current(row + step if self.current >= 0 else row)

    def _act(self, row: int) -> None:
        shape = self.shape_of(row)
        if shape.link is not None:
            self.follow_link(row)
        else:
            self.toggle_fold(row)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._keyboard = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
            Qt.FocusReason.ShortcutFocusReason,
        )
        if self._keyboard and self.current < 0 and self.blocks:
            self.current = self.row_at(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    # --- menu ------------------------------------------------------------------------------------

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row = self.current
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            row = self.row_at(event.pos().y())
        menu = self.make_menu(row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def make_menu(self, row: int) -> QMenu:
        """What can be done here; only what works at this moment."""
        menu = QMenu(self)
        theme = self.context.theme
        if self.selection.range is not None:
            action = menu.addAction(translate("Transcript", "Copy"), self.copy)
            action.setIcon(icons.icon(theme, "copy"))
        if 0 <= row < len(self.blocks):
            text = translate("Transcript", "Copy block")
            menu.addAction(text).triggered.connect(lambda: self.copy_block(row))
            if self.shape_of(row).link is not None:
                text = self.shape_of(row).link_text
                menu.addAction(text).triggered.connect(lambda: self.follow_link(row))
        menu.addAction(translate("Transcript", "Select all"), self.select_all)
        return menu
