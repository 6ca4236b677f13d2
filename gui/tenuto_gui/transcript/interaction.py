# SPDX-License-Identifier: Apache-2.0
"""Mouse, keys, tooltips and the menu over the canvas of blocks."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
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
from tenuto.sources.base import Block
from tenuto.text import elide
from tenuto_gui import icons
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.plain import plain_tip
from tenuto_gui.render import links
from tenuto_gui.transcript import words
from tenuto_gui.transcript.contents import is_aside
from tenuto_gui.transcript.deeds import ActingCanvas
from tenuto_gui.transcript.live import LIVE_SEQ
from tenuto_gui.transcript.parts import Part
from tenuto_gui.transcript.pieces import Section
from tenuto_gui.transcript.selection import Place

#: Milliseconds between two steps of scrolling while a selection is drawn beyond the edge.
_DRAG_SCROLL_MS = 30
#: Links of a block in the menu that a key opens, and how much of each is shown there.
_LINKS_IN_MENU = 8
_LINK_CHARS = 60


class Target(NamedTuple):
    """What a click does: ``more``, ``fold``, ``copy``, ``open`` a link, or nothing."""

    deed: str = ""
    row: int = -1
    section: Section = "output"
    part: Part | None = None
    link: str = ""


class InteractiveCanvas(ActingCanvas):
    """The canvas with everything an operator can do to blocks."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._dragging = False
        self._pressed_at = QPoint()
        self._drag_timer = QTimer(self)
        self._drag_timer.setInterval(_DRAG_SCROLL_MS)
        self._drag_timer.timeout.connect(self._drag_scroll)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)

    def target_at(self, point: QPoint) -> Target:
        """What a click at a point of the viewport does."""
        row = self.row_at(point.y())
        if row < 0 or not self.row_rect(row).contains(point):
            return Target()
        shape = self.shape_of(row)
        inner = point - self.row_rect(row).topLeft()
        for link in shape.links:
            if link.rect.contains(inner):
                return Target("more", row, link.section)
        for part in shape.parts:
            if part.copy is not None and part.copy.contains(inner):
                return Target("copy", row, part=part)
            if target := part.link_at(inner):
                return Target("open", row, part=part, link=target)
        block = self.blocks[row]
        if not (block.kind == "tool_call" or is_aside(block)) or shape.header is None:
            return Target(row=row)
        left = self._shaper.metrics.arrow
        header = shape.header.adjusted(left - shape.header.left(), 0, 0, 0)
        if header.contains(inner) and self.can_fold(row):
            return Target("fold", row)
        return Target(row=row)

    def click(self, target: Target) -> None:
        """Do what a click there does."""
        match target.deed:
            case "more":
                self.follow_link(target.row, target.section)
            case "fold":
                self.toggle_fold(target.row)
            case "copy" if target.part is not None:
                self.copy_code(target.part)
                tip = plain_tip(translate("Transcript", "Copied"))
                QToolTip.showText(self.viewport().mapToGlobal(self._pressed_at), tip)
            case "open":
                self.link_wanted.emit(target.link)

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
            self.click(self.target_at(point))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        target = self.target_at(point)
        if target.deed or target.row < 0:
            self.mousePressEvent(event)
            return
        self._select_word(point)

    def _select_word(self, point: QPoint) -> None:
        place = self.place_at(point)
        if place is None:
            return
        part = self.shape_of(place.row).part_of(place.offset)
        if part is None:
            return
        plain = part.text()
        first = last = part.place(place.offset)
        while first > 0 and (plain[first - 1].isalnum() or plain[first - 1] in "_-."):
            first -= 1
        while last < len(plain) and (plain[last].isalnum() or plain[last] in "_-."):
            last += 1
        self.selection.start(Place(place.row, part.offset(first)))
        self.selection.extend(Place(place.row, part.offset(last)))
        self.viewport().update()

    def _drag_scroll(self) -> None:
        point = self.viewport().mapFromGlobal(self.cursor().pos())
        below = point.y() - self.viewport().height()
        self.scroll_by(max(below, 4) if below >= 0 else min(point.y(), -4))
        place = self.place_at(point)
        if place is not None:
            self.selection.extend(place)

    def _update_cursor(self, point: QPoint) -> None:
        target = self.target_at(point)
        shape = Qt.CursorShape.ArrowCursor
        if target.deed:
            shape = Qt.CursorShape.PointingHandCursor
        elif target.row >= 0:
            body = self.shape_of(target.row).body
            if body is not None and body.contains(point - self.row_rect(target.row).topLeft()):
                shape = Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tooltip(event)
            return True
        return super().viewportEvent(event)

    def _show_tooltip(self, event: QHelpEvent) -> None:
        QToolTip.showText(event.globalPos(), plain_tip(self.tip_at(event.pos())), self.viewport())

    def tip_at(self, point: QPoint) -> str:
        """What a tooltip says at a point of the viewport."""
        target = self.target_at(point)
        if target.row < 0:
            return ""
        if target.deed == "open":
            return links.real_target(target.link)
        if target.deed == "copy":
            return translate("Transcript", "Copy code")
        block = self.blocks[target.row]
        header = self.shape_of(target.row).header
        inner = point - self.row_rect(target.row).topLeft()
        on_header = header is not None and header.contains(inner)
        if block.kind == "tool_call" and on_header:
            return f"{words.call_name(block)} {arguments(block.input)}".strip()
        if block.forced is not None and on_header:
            return words.forced_detail(block.forced)
        if block.time and (not self._shaper.metrics.time_right or block.kind == "notice"):
            return words.clock(block.time)
        return ""

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
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match key:
            case Qt.Key.Key_Down | Qt.Key.Key_Up if alt:
                self.go_to_prompt(1 if key == Qt.Key.Key_Down else -1)
            case Qt.Key.Key_F8:
                self.go_to_error(-1 if shift else 1)
            case Qt.Key.Key_Down | Qt.Key.Key_Up if shift:
                self.extend_selection(1 if key == Qt.Key.Key_Down else -1)
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
        links_below = self.shape_of(row).links
        if links_below:
            self.follow_link(row, links_below[-1].section)
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
        mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        menu = self.make_menu(row, event.pos() if mouse else None)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def make_menu(self, row: int, point: QPoint | None = None) -> QMenu:
        """What can be done here; only what works at this moment."""
        menu = QMenu(self)
        icon = icons.icon(self.context.theme, "copy")
        tr = translate
        if self.selection.range is not None:
            menu.addAction(tr("Transcript", "Copy"), self.copy).setIcon(icon)
            menu.addAction(tr("Transcript", "Copy as Markdown"), self.copy_markdown)
            menu.addSeparator()
        target = self.target_at(point) if point is not None else Target()
        if target.deed == "open":
            self._link_menu(menu, target.link)
        if point is None and 0 <= row < len(self.blocks):
            self._links_menu(menu, row)
        if 0 <= row < len(self.blocks):
            text = tr("Transcript", "Copy block")
            menu.addAction(text).triggered.connect(lambda: self.copy_block(row))
            text = tr("Transcript", "Copy block as Markdown")
            menu.addAction(text).triggered.connect(lambda: self.copy_block_markdown(row))
            part = self.part_at(point) if point is not None else None
            if part is not None and part.piece.kind == "code":
                text = tr("Transcript", "Copy code")
                menu.addAction(text).triggered.connect(lambda: self.copy_code(part))
            for link in self.shape_of(row).links:
                action = menu.addAction(link.text)
                action.setData(link.section)
                action.triggered.connect(
                    lambda _checked=False, which=link.section: self.follow_link(row, which)
                )
        if self.can_fork and 0 <= row < len(self.blocks):
            self._fork_menu(menu, self.blocks[row])
        menu.addAction(tr("Transcript", "Select all"), self.select_all)
        return menu

    def _fork_menu(self, menu: QMenu, block: Block) -> None:
        """From words of the operator or of the model that are on disk."""
        if block.kind in ("prompt", "text", "follow_up") and block.seq < LIVE_SEQ:
            text = translate("Transcript", "Fork from here\u2026")
            action = menu.addAction(text)
            action.setObjectName("blockFork")
            action.setIcon(icons.icon(self.context.theme, "fork"))
            action.triggered.connect(lambda: self.fork_wanted.emit(block.seq))

    def _links_menu(self, menu: QMenu, row: int) -> None:
        """By key there is no point: all links of the block, each asked about when it is chosen."""
        found = dict.fromkeys(link for part in self.shape_of(row).parts for link in part.links())
        for target in list(found)[:_LINKS_IN_MENU]:
            text = translate("Transcript", "Open {link}\u2026")
            shown = elide(links.real_target(target), _LINK_CHARS).replace("&", "&&")
            action = menu.addAction(text.format(link=shown))
            action.triggered.connect(
                lambda _checked=False, which=target: self.link_wanted.emit(which)
            )
        if found:
            menu.addSeparator()

    def _link_menu(self, menu: QMenu, target: str) -> None:
        text = translate("Transcript", "Open link\u2026")
        menu.addAction(text).triggered.connect(lambda: self.link_wanted.emit(target))
        text = translate("Transcript", "Copy link")
        copied = links.real_target(target)
        menu.addAction(text).triggered.connect(lambda: QGuiApplication.clipboard().setText(copied))
        menu.addSeparator()
