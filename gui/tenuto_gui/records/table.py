# SPDX-License-Identifier: Apache-2.0
"""The table of a journal's lines: one height, painted from tokens, damage in its place."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from tenuto.sources.raw import Row, Unit
from tenuto_gui import icons
from tenuto_gui.fonts import Role
from tenuto_gui.i18n import translate
from tenuto_gui.records import words
from tenuto_gui.records.model import Column, RecordModel
from tenuto_gui.scroll_style import overlay
from tenuto_gui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
#: Marks of terminal records; other kinds have an icon.
_ENDS = {
    "suspended": "suspended",
    "completed": "completed",
    "error": "failed",
    "budget": "budget",
    "max_iterations": "max_iterations",
}
#: Below this width, in pixels at 10 pt, the sizes have room for fewer digits.
_NARROW = 480
_ICONS = {"meta": "info", "assistant": "lines", "user": "prompt", "system": "info"}
#: The longest kinds of what is counted in these.
_KINDS: dict[Unit, tuple[str, ...]] = {
    "line": ("tool_result", "assistant"),
    "message": ("assistant", "damaged"),
    "frame": ("message/complete", "assistant/attempt"),
}


class RecordDelegate(QStyledItemDelegate):
    """Paints one cell."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        #: The row under the pointer; -1 for none.
        self.hover = -1

    def row_height(self) -> int:
        fonts = self._theme.fonts
        return max(fonts.px(26), fonts.line_height("small") + fonts.px(8))

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(self._theme.fonts.px(60), self.row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(RecordModel.ROW)
        if not isinstance(row, Row):
            return
        theme, px = self._theme, self._theme.fonts.px
        rect = option.rect
        bad = row.kind in ("damaged", "tail")
        self._ground(painter, option, rect, index.row(), bad)
        match index.column():
            case Column.SEQ:
                place = rect.adjusted(px(4), 0, -px(6), 0)
                role: Role = "small_demi" if bad else "small"
                self._put(
                    painter, place, words.number(row), role, "damg" if bad else "text2", _RIGHT
                )
            case Column.KIND:
                self._kind(painter, rect, row)
            case Column.HOLDS:
                self._holds(painter, rect.adjusted(px(6), 0, -px(6), 0), row, bad)
            case _:
                place = rect.adjusted(0, 0, -px(16), 0)
                self._put(painter, place, words.size(row), "small", "text2", _RIGHT)
        line = rect.adjusted(0, rect.height() - 1, 0, 0)
        if index.row() + 1 == index.model().rowCount():
            painter.fillRect(line, theme.color("line"))

    def _ground(
        self, painter: QPainter, option: QStyleOptionViewItem, rect: QRect, row: int, bad: bool
    ) -> None:
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        view = self.parent()
        focused = isinstance(view, QWidget) and view.hasFocus()
        if bad:
            painter.fillRect(rect, self._theme.color("damg_tint"))
        elif chosen:
            painter.fillRect(rect, self._theme.color("sel" if focused else "sel_off"))
        elif row == self.hover:
            painter.fillRect(rect, self._theme.color("hover"))

    def _kind(self, painter: QPainter, rect: QRect, row: Row) -> None:
        px = self._theme.fonts.px
        bad = row.kind in ("damaged", "tail")
        size = px(14)
        view = self.parent()
        ratio = view.devicePixelRatioF() if isinstance(view, QWidget) else 1.0
        mark, icon, token = "", _ICONS.get(row.role or row.kind, "records"), "text2"
        if row.kind == "damaged":
            mark = "damaged"
        elif row.kind == "tail":
            icon, token = "warn", "damg"
        elif row.kind == "newer":
            mark = "newer"
        elif row.kind == "terminal":
            mark = _ENDS.get(row.name, "")
        elif row.kind == "tool_result" or row.role == "tool":
            looks = {"failed": ("cross", "fail"), "denied": ("minus", "text2")}
            icon, token = looks.get(row.state, ("check", "done"))
        pixmap = (
            icons.mark(self._theme, mark, size, ratio)
            if mark
            else icons.pixmap(self._theme, icon, token, size, ratio)
        )
        x = rect.left() + px(8)
        painter.drawPixmap(x, rect.top() + (rect.height() - size) // 2, pixmap)
        place = rect.adjusted(px(8) + size + px(6), 0, -px(4), 0)
        role: Role = "small_demi" if bad else "small"
        self._put(painter, place, words.kind(row), role, "damg" if bad else "text")

    def _holds(self, painter: QPainter, place: QRect, row: Row, bad: bool) -> None:
        if bad:
            self._put(painter, place, words.plain_holds(row), "small", "text")
            return
        painter.save()
        painter.setClipRect(place)
        left = place.left()
        for text, mono in words.holds(row):
            role: Role = "mono_small" if mono else "small"
            room = place.right() - left
            if room <= 0:
                break
            self._put(
                painter,
                QRect(left, place.top(), room, place.height()),
                text,
                role,
                "text" if mono else "text2",
            )
            left += round(self._theme.fonts.metrics(role).horizontalAdvance(text))
        painter.restore()

    def _put(
        self,
        painter: QPainter,
        place: QRect,
        text: str,
        role: Role,
        token: str,
        flags: int = _LEFT,
    ) -> None:
        metrics = self._theme.fonts.metrics(role)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.setFont(self._theme.fonts.font(role))
        painter.setPen(self._theme.color(token))
        painter.drawText(place, flags | int(Qt.TextFlag.TextSingleLine), text)


class Head(QHeaderView):
    """The names of the columns, flat."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(1)

    def sizeHint(self) -> QSize:
        fonts = self._theme.fonts
        height = max(fonts.px(28), fonts.line_height("small") + fonts.px(10))
        return QSize(super().sizeHint().width(), height)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        theme, px = self._theme, self._theme.fonts.px
        painter.fillRect(rect, theme.color("window"))
        bottom = rect.adjusted(0, rect.height() - 1, 0, 0)
        painter.fillRect(bottom, theme.color("line"))
        painter.setFont(theme.fonts.font("small"))
        painter.setPen(theme.color("text2"))
        right = section in (Column.SEQ, Column.BYTES)
        margin = {Column.SEQ: px(6), Column.BYTES: px(16)}.get(Column(section), px(6))
        left = px(8) if section == Column.KIND else px(6)
        place = rect.adjusted(left, 0, -margin, 0)
        text = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        painter.drawText(place, _RIGHT if right else _LEFT, text)


class RecordTable(QTableView):
    """Rows of `RecordModel`; arrows choose, Enter leads to the transcript."""

    #: Enter or a double click on a row.
    opened = Signal(int)
    #: The operator chose a row, by pointer or key.
    touched = Signal()

    def __init__(self, model: RecordModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._keyboard = False
        self._records = model
        self.setAccessibleName(translate("Records", "Records"))
        self.setModel(model)
        model.rowsInserted.connect(self._on_rows)
        self._delegate = RecordDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setHorizontalHeader(Head(theme, self))
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setSectionResizeMode(Column.HOLDS, QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        overlay(self.verticalScrollBar())
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))
        self.clicked.connect(self.touched)
        self.entered.connect(lambda index: self._set_hover(index.row()))
        self.viewportEntered.connect(lambda: self._set_hover(-1))
        theme.changed.connect(self._on_theme)
        self._on_theme()

    def _on_theme(self) -> None:
        fonts = self._theme.fonts
        px = fonts.px
        self.verticalHeader().setDefaultSectionSize(self._delegate.row_height())
        demi = fonts.metrics("small_demi")
        widest = demi.horizontalAdvance(translate("Records", "line {n}").format(n="88,888"))
        self.setColumnWidth(Column.SEQ, max(px(64), round(widest) + px(12)))
        self._fit_kinds()
        self.viewport().update()

    def _fit_kinds(self) -> None:
        """Wide enough for the kinds of this sort of file."""
        rows = self._records.rows
        names = _KINDS[rows[0].unit if rows else "line"]
        small = self._theme.fonts.metrics("small")
        widest = max(small.horizontalAdvance(name) for name in names)
        self.setColumnWidth(Column.KIND, round(widest) + self._theme.fonts.px(40))

    def _on_rows(self, _parent: QModelIndex, first: int, _last: int) -> None:
        if not first:
            self._fit_kinds()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The chosen row stays in sight when the bar above the table grows."""
        current = self.visualRect(self.currentIndex())
        seen = QRect(QPoint(), event.oldSize()).contains(current.topLeft())
        super().resizeEvent(event)
        narrow = self.width() < self._theme.fonts.px(_NARROW)
        figures = self._theme.fonts.metrics("small")
        widest = figures.horizontalAdvance("88,888" if narrow else "88,888,888")
        self.setColumnWidth(Column.BYTES, round(widest) + self._theme.fonts.px(24))
        if seen and self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def choose(self, row: int) -> None:
        """Make a row the current one and show it."""
        index = self.model().index(row, Column.SEQ)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def _set_hover(self, row: int) -> None:
        """Qt knows which cell is under the pointer; what is chosen by a click is a row."""
        if row != self._delegate.hover:
            self._delegate.hover = row
            self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._set_hover(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.currentIndex().isValid():
                self.opened.emit(self.currentIndex().row())
            return
        if event.key() == Qt.Key.Key_Home:
            self.choose(0)
        elif event.key() == Qt.Key.Key_End:
            self.choose(self.model().rowCount() - 1)
        elif event.text() and event.text().isprintable() and not event.text().isspace():
            # Letters go to the filter of the window.
            event.ignore()
            return
        else:
            super().keyPressEvent(event)
        self._keyboard = True
        self.touched.emit()
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._keyboard = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        current = self.currentIndex()
        row = current.data(RecordModel.ROW) if current.isValid() else None
        if not isinstance(row, Row):
            return
        bad = row.kind in ("damaged", "tail")
        focused = self.hasFocus() and self._keyboard
        if not bad and not focused:
            return
        # A damaged row keeps its tint, so that its choice needs a frame.
        rect = self.visualRect(current)
        frame = QRect(0, rect.top(), self.viewport().width(), rect.height()).adjusted(1, 1, -1, -1)
        painter = QPainter(self.viewport())
        painter.setPen(QPen(self._theme.color("focus" if self.hasFocus() else "edge"), 2))
        painter.drawRect(frame)
        painter.end()
