# SPDX-License-Identifier: Apache-2.0
"""A painted surface with items on it that keys, pointer and screen readers can reach.

Items are asked for one by one, never all at once: a run can have a hundred thousand of them.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QSizePolicy, QToolTip, QWidget

from tenuto.sources.activity import Place
from tenuto_gui import icons
from tenuto_gui.fonts import Role
from tenuto_gui.plain import plain_tip
from tenuto_gui.scroll_style import overlay
from tenuto_gui.theme import Theme
from tenuto_gui.transcript.accessible import announce

LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
CENTER = int(Qt.AlignmentFlag.AlignCenter)
#: Bars are reached by a pointer this many pixels beside them.
_REACH = 3


class Board(QAbstractScrollArea):
    """Subclasses paint, and tell what is where in content coordinates."""

    #: An item was chosen: seq and index of its block in the transcript.
    chosen = Signal(int, int)

    def __init__(
        self, theme: Theme, name: str, *, across: bool = True, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._across = across
        self.current = -1
        self._keyboard = False
        self._hover = -1
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if not across:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        overlay(self.horizontalScrollBar())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(name)
        theme.changed.connect(self.lay_out)

    # --- what subclasses say ---------------------------------------------------------------------

    def count(self) -> int:
        """How many items there are, in the order in which keys reach them."""
        return 0

    def rect_of(self, item: int) -> QRectF:
        """Where an item is, in content coordinates."""
        raise NotImplementedError

    def text_of(self, item: int) -> str:
        """An item in words: tooltip, and what a screen reader says."""
        raise NotImplementedError

    def place_of(self, item: int) -> Place | None:
        """The block of the transcript that it stands for."""
        raise NotImplementedError

    def near(self, point: QPoint) -> range:
        """Items that may be at a point of the content."""
        return range(self.count())

    def content_width(self) -> int:
        """Pixels; more than the room makes it scroll."""
        return self.viewport().width()

    def pinned(self) -> int:
        """Pixels at the left that do not scroll."""
        return 0

    def content_height(self) -> int:
        """Pixels."""
        return 0

    def measure(self) -> None:
        """Work out the geometry for the present width."""

    def paint(self, painter: QPainter, left: int, right: int) -> None:
        """Paint the content from ``left`` to ``right``; the painter is moved already."""

    def paint_pinned(self, painter: QPainter) -> None:
        """Paint what does not scroll."""

    # --- geometry --------------------------------------------------------------------------------

    def lay_out(self) -> None:
        """Content, width or theme changed."""
        self.measure()
        bar = self.horizontalScrollBar()
        at_end = bar.value() == bar.maximum() > 0
        room = self.viewport().width()
        bar.setPageStep(max(room, 1))
        bar.setSingleStep(self._theme.fonts.px(40))
        bar.setRange(0, max(self.content_width() - room, 0))
        if at_end:
            bar.setValue(bar.maximum())
        height = self.content_height()
        if height > 0 and self.minimumHeight() != height:
            self.setFixedHeight(height)
        self.current = min(self.current, self.count() - 1)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.lay_out()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()

    def _content(self, point: QPoint) -> QPoint:
        return QPoint(point.x() + self.horizontalScrollBar().value(), point.y())

    def item_at(self, point: QPoint) -> int:
        """The item at a point of the viewport, -1 for none."""
        if point.x() < self.pinned():
            return -1
        inner = self._content(point)
        best, distance = -1, float(_REACH)
        for item in self.near(inner):
            rect = self.rect_of(item)
            if not rect.top() - 1 <= inner.y() <= rect.bottom() + 1:
                continue
            away = max(rect.left() - inner.x(), inner.x() - rect.right(), 0.0)
            if away < distance:
                best, distance = item, away
        return best

    def viewport_rect(self, item: int) -> QRect:
        """Where an item is on screen."""
        return self.rect_of(item).translated(-self.horizontalScrollBar().value(), 0).toAlignedRect()

    # --- choosing --------------------------------------------------------------------------------

    def set_current(self, item: int, *, keyboard: bool = True) -> None:
        """Let keys act on this item, and bring it into sight."""
        if not self.count():
            return
        self.current = min(max(item, 0), self.count() - 1)
        self._keyboard = keyboard
        rect = self.rect_of(self.current)
        bar = self.horizontalScrollBar()
        margin = self._theme.fonts.px(24)
        if rect.left() - margin < bar.value() + self.pinned():
            bar.setValue(int(rect.left()) - margin - self.pinned())
        elif rect.right() + margin > bar.value() + self.viewport().width():
            bar.setValue(int(rect.right()) + margin - self.viewport().width())
        text = self.text_of(self.current)
        self.setAccessibleDescription(text)
        announce(self, text)
        self.viewport().update()

    def choose(self, item: int) -> None:
        """Go to the block of an item."""
        place = self.place_of(item) if 0 <= item < self.count() else None
        if place is not None:
            self.chosen.emit(place.seq, place.index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        back, forth = Qt.Key.Key_Left, Qt.Key.Key_Right
        if not self._across:
            back, forth = Qt.Key.Key_Up, Qt.Key.Key_Down
        key = event.key()
        if not self.count():
            super().keyPressEvent(event)
        elif key in (back, forth):
            self.set_current(self.current + (1 if key == forth else -1))
        elif key == Qt.Key.Key_Home:
            self.set_current(0)
        elif key == Qt.Key.Key_End:
            self.set_current(self.count() - 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.choose(self.current)
        else:
            # Up and down of a wide board scroll the page.
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        item = self.item_at(event.position().toPoint())
        if item >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.set_current(item, keyboard=False)
            self.choose(item)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        item = self.item_at(event.position().toPoint())
        if item != self._hover:
            self._hover = item
            pointing = item >= 0 and self.place_of(item) is not None
            shape = Qt.CursorShape.PointingHandCursor if pointing else Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(shape)
            self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover = -1
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A plain wheel scrolls the page; sideways, or with Shift, this board."""
        sideways = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.angleDelta().x() or sideways:
            delta = event.angleDelta().x() or event.angleDelta().y()
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - delta)
            event.accept()
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._keyboard = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
            Qt.FocusReason.ShortcutFocusReason,
        )
        if self._keyboard and self.count():
            self.set_current(max(self.current, 0))
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            item = self.item_at(event.pos())
            text = self.text_of(item) if item >= 0 else self.tip_at(event.pos())
            QToolTip.showText(event.globalPos(), plain_tip(text), self.viewport())
            return True
        return super().viewportEvent(event)

    def tip_at(self, _point: QPoint) -> str:
        """A tooltip where there is no item."""
        return ""

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.color("base"))
        left = self.horizontalScrollBar().value()
        painter.save()
        painter.setClipRect(self.viewport().rect().adjusted(self.pinned(), 0, 0, 0))
        painter.translate(-left, 0)
        self.paint(painter, left + self.pinned(), left + self.viewport().width())
        if self._keyboard and self.hasFocus() and 0 <= self.current < self.count():
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ring = self.rect_of(self.current).adjusted(-2, -2, 2, 2)
            painter.drawRoundedRect(ring, 4, 4)
        painter.restore()
        self.paint_pinned(painter)
        painter.end()

    def put(
        self,
        painter: QPainter,
        place: QRect,
        text: str,
        role: Role,
        token: str,
        flags: int = LEFT,
    ) -> None:
        """One line of text, its end cut where there is no room."""
        metrics = self._theme.fonts.metrics(role)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.setFont(self._theme.fonts.font(role))
        painter.setPen(self._theme.color(token))
        painter.drawText(place, flags | int(Qt.TextFlag.TextSingleLine), text)

    def bar(self, painter: QPainter, rect: QRectF, token: str, radius: float = 3) -> None:
        """A rounded bar in a colour."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(token))
        radius = min(radius, rect.width() / 2, rect.height() / 2)
        painter.drawRoundedRect(rect, radius, radius)
        painter.restore()

    def icon(self, painter: QPainter, name: str, token: str, x: float, y: float, size: int) -> None:
        """An icon, or a mark where the name begins with a colon; ``y`` is its middle."""
        ratio = self.devicePixelRatioF()
        if name.startswith(":"):
            pixmap = icons.mark(self._theme, name[1:], size, ratio)
        else:
            pixmap = icons.pixmap(self._theme, name, token, size, ratio)
        painter.drawPixmap(round(x), round(y - size / 2), pixmap)
