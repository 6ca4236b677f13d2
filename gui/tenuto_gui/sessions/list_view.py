# SPDX-License-Identifier: Apache-2.0
"""The list of sessions: an item view that keeps selection and scroll position by id.

It is a table of one column: a QListView asks the model for every row again at each layout, which
takes longer at 10,000 rows than all the rest of a keystroke.
"""

from __future__ import annotations

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from tenuto_gui import screen_reader
from tenuto_gui.scroll_style import overlay
from tenuto_gui.sessions.delegate import SessionDelegate
from tenuto_gui.sessions.groups import Head
from tenuto_gui.sessions.model import Role, SessionModel
from tenuto_gui.sessions.steady import Steady
from tenuto_gui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_Flag = QItemSelectionModel.SelectionFlag


def _ground(view: QWidget) -> QWidget:
    """What rows are painted on, made as Qt makes it.

    Asked for Qt's own, the bindings look through all kinds of widgets that there are for the one it
    is, and load each: as long as the first rows take to be read.
    """
    ground = QWidget(view)
    ground.setObjectName("qt_scrollarea_viewport")
    ground.setBackgroundRole(QPalette.ColorRole.Base)
    ground.setAutoFillBackground(True)
    return ground


class SessionList(QTableView):
    """Rows of `SessionModel`. `current_changed(id)` follows the current row ("" = none)."""

    current_changed = Signal(str)
    #: Enter or a double click.
    opened = Signal(str)
    #: Letters typed while the list has the focus.
    typed = Signal(str)
    delete_pressed = Signal()

    def __init__(self, model: SessionModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setViewport(_ground(self))
        self.setObjectName("sessionList")
        self.setAccessibleName(self.tr("Sessions"))
        screen_reader.install()
        self._theme = theme
        self._sessions = model
        #: Selection and scroll position over a reset: ids, the current id or heading, and where
        #: the visible ones of them are.
        self._kept: tuple[list[str], str | Head, list[tuple[str | Head, int]]] = ([], "", [])
        self._restoring = False
        self._reported = ""
        self.setModel(model)
        self._delegate = SessionDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setMinimumSectionSize(0)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self._delegate.row_height())
        self.setMouseTracking(True)
        overlay(self.verticalScrollBar())
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        model.modelAboutToBeReset.connect(self._before_reset)
        model.modelReset.connect(self._after_reset)
        model.arranged.connect(self._on_arranged)
        Steady(self)
        self.doubleClicked.connect(self._on_activated)
        theme.changed.connect(self._on_theme)
        # Later: rows may go with it, and none may while the selection is being changed.
        self._holding = QTimer(self)
        self._holding.setSingleShot(True)
        self._holding.timeout.connect(self._hold)
        self.selectionModel().selectionChanged.connect(self._holding.start)
        #: Words shown in place of rows (title, hint); set by the window.
        self.empty_title = ""
        self.empty_hint = ""

    # --- which session -------------------------------------------------------------------------

    def current_id(self) -> str:
        """The session in the current row; "" for none, or a heading."""
        index = self.currentIndex()
        return str(index.data(Role.ID)) if index.isValid() else ""

    def selected_ids(self) -> list[str]:
        """Ids of the selected rows, from top to bottom."""
        rows = sorted(self.selectionModel().selectedIndexes(), key=QModelIndex.row)
        return [str(index.data(Role.ID)) for index in rows]

    def select_first(self) -> None:
        """Make the uppermost session the current one; a heading where all are folded."""
        count = self._sessions.rowCount()
        first = next((row for row in range(count) if self._sessions.head_at(row) is None), 0)
        if count:
            self.setCurrentIndex(self._sessions.index(first))

    def select_id(self, session_id: str) -> bool:
        """Make a session the current one and show it. False when the filter hides it."""
        self._sessions.reveal(session_id)
        row = self._sessions.row_of(session_id)
        if row < 0:
            return False
        index = self._sessions.index(row)
        self.selectionModel().setCurrentIndex(index, _Flag.ClearAndSelect)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        return True

    def _hold(self) -> None:
        """What is chosen stays where it is, whatever it becomes."""
        self._sessions.hold(self.selected_ids())

    # --- over a reset --------------------------------------------------------------------------

    def _before_reset(self) -> None:
        self._restoring = True
        # At the very top new rows should come into sight; further down nothing may move.
        seen = self._seen() if self.verticalScrollBar().value() else []
        current = self._what_is(self.currentIndex()) or self._kept[1]
        self._kept = (self.selected_ids() or self._kept[0], current, seen)

    def _seen(self) -> list[tuple[str | Head, int]]:
        """What is on screen, each with the y of its top."""
        height = self._delegate.row_height()
        row, above = divmod(self.verticalScrollBar().value(), height)
        rows = range(row, min(row + self.viewport().height() // height, self._sessions.rowCount()))
        tops = range(-above, self.viewport().height(), height)
        return [
            (self._what_is(self._sessions.index(each)), top)
            for each, top in zip(rows, tops, strict=False)
        ]

    def _what_is(self, index: Index) -> str | Head:
        """What names a row over a reset: a session's id, or a heading."""
        if not index.isValid():
            return ""
        head: Head | None = index.data(Role.HEAD)
        return head if head is not None else str(index.data(Role.ID))

    def _where_is(self, what: str | Head) -> int:
        if isinstance(what, Head):
            return self._sessions.head_row(what.key)
        return self._sessions.row_of(what) if what else -1

    def _after_reset(self) -> None:
        selected, current, seen = self._kept
        selection = self.selectionModel()
        for session_id in selected:
            row = self._sessions.row_of(session_id)
            if row >= 0:
                selection.select(self._sessions.index(row), _Flag.Select)
        row = self._where_is(current)
        if row >= 0:
            selection.setCurrentIndex(self._sessions.index(row), _Flag.NoUpdate)
        self._restoring = False
        places = [(place, top) for what, top in seen if (place := self._where_is(what)) >= 0]
        if places:
            # Some of them may have moved to the top: the middle one shows where most are now.
            height = self._delegate.row_height()
            values = sorted(place * height - top for place, top in places)
            self.verticalScrollBar().setValue(values[len(values) // 2])
        self._report()

    def rowsAboutToBeRemoved(self, parent: Index, start: int, end: int) -> None:
        """Choose the row that takes the place of the current one, instead of the one above it."""
        current = self.currentIndex().row()
        if start <= current <= end:
            place = self._next_to(start, end)
            if place >= 0:
                index = self._sessions.index(place)
                self.selectionModel().setCurrentIndex(index, _Flag.ClearAndSelect)
        super().rowsAboutToBeRemoved(parent, start, end)

    def _next_to(self, start: int, end: int) -> int:
        """The session below these rows, else above them, else a heading; -1 for none of them."""
        rows = [*range(end + 1, self._sessions.rowCount()), *range(start - 1, -1, -1)]
        sessions = (row for row in rows if self._sessions.head_at(row) is None)
        return next(sessions, rows[0] if rows else -1)

    def currentChanged(self, current: Index, previous: Index) -> None:
        # Past QTableView, which does no more than tell screen readers of the number of a cell.
        QAbstractItemView.currentChanged(self, current, previous)
        if self.hasFocus():
            self._tell(current, QAccessible.Event.Focus)
        if not self._restoring:
            self._report()

    def selectionChanged(self, chosen: QItemSelection, left: QItemSelection) -> None:
        QAbstractItemView.selectionChanged(self, chosen, left)
        for selection, event in (
            (chosen, QAccessible.Event.SelectionAdd),
            (left, QAccessible.Event.SelectionRemove),
        ):
            for index in selection.indexes()[:1] if QAccessible.isActive() else ():
                self._tell(index, event)

    def _tell(self, index: Index, event: QAccessible.Event) -> None:
        """Tell a screen reader that this happened to a row, if one listens."""
        if QAccessible.isActive() and index.isValid():
            told = QAccessibleEvent(self, event)
            told.setChild(index.row())
            QAccessible.updateAccessibility(told)

    # --- what screen readers know rows by --------------------------------------------------------

    def key_of(self, index: Index) -> tuple[bool, str]:
        """What a row is, wherever it goes: a heading or not, the key of its group or an id."""
        head: Head | None = index.data(Role.HEAD)
        return (True, head.key) if head is not None else (False, str(index.data(Role.ID)))

    def index_of(self, key: tuple[bool, str]) -> QModelIndex:
        """The row of a `key_of`; invalid while it is not shown."""
        heading, name = key
        row = self._sessions.head_row(name) if heading else self._sessions.row_of(name)
        return self._sessions.index(row) if row >= 0 else QModelIndex()

    def _report(self) -> None:
        now = self.current_id()
        stays = not now and self._stays_open()
        if self.currentIndex().isValid():
            self._kept = ([], "", [])
        if not stays and now != self._reported:
            self._reported = now
            self.current_changed.emit(now)

    def _stays_open(self) -> bool:
        """Whether what is open beside the list stays: it is filtered out or folded, not gone."""
        kept = self._kept[1]
        if self.currentIndex().isValid() or isinstance(kept, Head):  # a heading
            kept = self._reported
        return bool(kept) and self._sessions.summary(kept) is not None

    def _on_arranged(self) -> None:
        self._delegate.by_project = self._sessions.grouping == "project"
        self.viewport().update()

    # --- groups --------------------------------------------------------------------------------

    def heading_at(self, place: QPoint) -> Head | None:
        """The group whose heading is there, in the viewport's coordinates."""
        index = self.indexAt(place)
        return self._sessions.head_at(index.row()) if index.isValid() else None

    def set_folded(self, head: Head, folded: bool) -> None:
        """Fold a group or unfold it; the keyboard goes on from its heading."""
        index = self._sessions.index(head.start)
        self.selectionModel().setCurrentIndex(index, _Flag.NoUpdate)
        self._sessions.fold(head, folded)

    def fold_all(self, folded: bool) -> None:
        """Fold every group, or unfold it."""
        place = self._sessions.head_above(self.currentIndex().row())
        if folded and place >= 0:
            index = self._sessions.index(place)
            self.selectionModel().setCurrentIndex(index, _Flag.NoUpdate)
        self._sessions.fold_all(folded)

    def _key_in_groups(self, event: QKeyEvent) -> bool:
        """Left folds, or goes to the heading; Right unfolds, or goes below it. Whether it did."""
        key, row = event.key(), self.currentIndex().row()
        if row < 0 or not self._sessions.grouping:
            return False
        head = self._sessions.head_at(row)
        left, right = key == Qt.Key.Key_Left, key == Qt.Key.Key_Right
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and (left or right):
            self.fold_all(left)
        elif head is None:
            if not left:
                return False
            self.setCurrentIndex(self._sessions.index(self._sessions.head_above(row)))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.set_folded(head, not head.folded)
        elif right and not head.folded:
            self.setCurrentIndex(self._sessions.index(head.first))
        elif left or right:
            self.set_folded(head, left)
        else:
            return False
        return True

    # --- input ---------------------------------------------------------------------------------

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt makes the first row the current one and selects nothing: no verb would be for it."""
        none = not self.currentIndex().isValid()
        super().focusInEvent(event)
        if none and self.currentIndex().isValid():
            self.select_first()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a heading folds or unfolds; what is selected stays selected."""
        head = self.heading_at(event.position().toPoint())
        if head is None:
            super().mousePressEvent(event)
        elif event.button() == Qt.MouseButton.LeftButton:
            self.set_folded(head, not head.folded)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second of two quick clicks on a heading is a click."""
        if self.heading_at(event.position().toPoint()) is None:
            super().mouseDoubleClickEvent(event)
        else:
            self.mousePressEvent(event)

    def _on_activated(self, index: QModelIndex) -> None:
        if index.isValid():
            self.opened.emit(str(index.data(Role.ID)))

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Home and End go to the first and last session, not along the one row."""
        ends = {
            QAbstractItemView.CursorAction.MoveHome: 0,
            QAbstractItemView.CursorAction.MoveEnd: self._sessions.rowCount() - 1,
        }
        if action in ends and self._sessions.rowCount():
            return self._sessions.index(ends[action])
        return super().moveCursor(action, modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._key_in_groups(event):
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current_id():
            self.opened.emit(self.current_id())
            return
        if event.key() == Qt.Key.Key_Delete:
            self.delete_pressed.emit()
            return
        super().keyPressEvent(event)

    def keyboardSearch(self, text: str) -> None:
        """Typing filters; it does not jump to a row by its first letters."""
        self.typed.emit(text)

    # --- painting ------------------------------------------------------------------------------

    def _on_theme(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._delegate.row_height())
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._sessions.rowCount() or not self.empty_title:
            return
        painter = QPainter(self.viewport())
        fonts, px = self._theme.fonts, self._theme.fonts.px
        rect = self.viewport().rect().adjusted(px(24), px(48), -px(24), 0)
        wrap = int(Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap)
        painter.setFont(fonts.font("title"))
        painter.setPen(self._theme.color("text"))
        used = painter.drawText(rect, wrap, self.empty_title)
        painter.setFont(fonts.font("small"))
        painter.setPen(self._theme.color("text2"))
        painter.drawText(rect.adjusted(0, used.height() + px(8), 0, 0), wrap, self.empty_hint)
        painter.end()
