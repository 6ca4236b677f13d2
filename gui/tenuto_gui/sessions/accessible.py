# SPDX-License-Identifier: Apache-2.0
"""The list of sessions for screen readers: a list of items, each of them a whole row.

Qt takes the view for what it is made of, a table, and would speak of cells and columns. An item is
named by its session (a heading by its group), not by its row: it stays the same one wherever its
session moves, and what a reader asks of it late is never done to another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QObject, QPoint, QRect, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleInterface,
    QAccessibleSelectionInterface,
)
from PySide6.QtWidgets import QAccessibleWidget

from tenuto_gui.sessions.groups import Head
from tenuto_gui.sessions.model import Role

if TYPE_CHECKING:
    from tenuto_gui.sessions.list_view import SessionList

_Flag = QItemSelectionModel.SelectionFlag
_Kind = QAccessible.InterfaceType
#: No interface. The bindings take anything but an object of theirs for a mistake, None and what
#: Qt's own `interface_cast` answers included, and crash while they say so; so it is an object of
#: theirs that points to nothing.
_NONE = shiboken6.wrapInstance(0, QAccessibleActionInterface)

#: Whether an item is a heading, and the id of its session or the key of its group.
Key = tuple[bool, str]


class RowInterface(QAccessibleInterface):
    """One row: its name is all that it shows, its states whether it is chosen or folded."""

    def __init__(self, view: SessionList, key: Key) -> None:
        super().__init__()
        self._view = view
        self.key = key
        self._actions = RowActions(self)

    @property
    def index(self) -> QModelIndex:
        """Where the row is now; invalid where it is filtered out, folded or gone."""
        if not shiboken6.isValid(self._view):
            return QModelIndex()
        return self._view.index_of(self.key)

    @property
    def view(self) -> SessionList:
        return self._view

    def isValid(self) -> bool:
        return self.index.isValid()

    def object(self) -> QObject | None:  # type: ignore[override]
        return None

    def parent(self) -> QAccessibleInterface | None:  # type: ignore[override]
        if not shiboken6.isValid(self._view):
            return None
        return QAccessible.queryAccessibleInterface(self._view)

    def child(self, _index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def childAt(self, _x: int, _y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, _child: QAccessibleInterface) -> int:
        return -1

    def rect(self) -> QRect:
        """On the screen, scrolled out of sight or not."""
        index = self.index
        if not index.isValid():
            return QRect()
        place = self._view.visualRect(index)
        return QRect(self._view.viewport().mapToGlobal(place.topLeft()), place.size())

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        found = QAccessible.State()
        index = self.index
        if not index.isValid():
            found.invalid = True
            return found
        view = self._view
        head: Head | None = index.data(Role.HEAD)
        states = {
            "focusable": True,
            "focused": view.hasFocus() and view.currentIndex() == index,
            "selectable": head is None,
            "selected": view.selectionModel().isSelected(index),
            "offscreen": not view.viewport().rect().intersects(view.visualRect(index)),
            "expandable": head is not None,
            "expanded": head is not None and not head.folded,
            "collapsed": head is not None and head.folded,
        }
        for name, on in states.items():
            setattr(found, name, on)
        return found

    def text(self, kind: QAccessible.Text) -> str:
        index = self.index
        if kind != QAccessible.Text.Name or not index.isValid():
            return ""
        return str(index.data(Qt.ItemDataRole.AccessibleTextRole))

    def setText(self, _kind: QAccessible.Text, _text: str) -> None:
        """Names are not changed here."""

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        return self._actions if kind == _Kind.ActionInterface else _NONE


class RowActions(QAccessibleActionInterface):
    """What a reader may do to a row: go to it, open it; a heading folds and unfolds."""

    def __init__(self, row: RowInterface) -> None:
        super().__init__()
        self._row = row

    def actionNames(self) -> list[str]:
        return [self.pressAction(), self.setFocusAction()]

    def doAction(self, name: str) -> None:
        index, view = self._row.index, self._row.view
        if not index.isValid() or name not in self.actionNames():
            return
        view.setFocus(Qt.FocusReason.OtherFocusReason)
        head: Head | None = index.data(Role.HEAD)
        view.selectionModel().setCurrentIndex(
            index, _Flag.NoUpdate if head is not None else _Flag.ClearAndSelect
        )
        if name != self.pressAction():
            return
        if head is not None:
            view.set_folded(head, not head.folded)
        else:
            view.opened.emit(self._row.key[1])

    def keyBindingsForAction(self, _name: str) -> list[str]:
        return []


class ListInterface(QAccessibleWidget):
    """The view: a list whose children are its rows, in order, and nothing else."""

    def __init__(self, view: SessionList) -> None:
        super().__init__(view, QAccessible.Role.List, view.accessibleName())
        self._view = view
        #: Those that somebody asked for: Qt knows them by their address, so they have to stay.
        self._rows: dict[Key, RowInterface] = {}
        self._selection = ListSelection(self)
        model = view.model()
        model.rowsRemoved.connect(self._let_go)
        model.modelReset.connect(self._let_go)
        view.destroyed.connect(self._let_all_go)

    @property
    def view(self) -> SessionList:
        return self._view

    def _let_go(self) -> None:
        self._forget([key for key, row in self._rows.items() if not row.isValid()])

    def _let_all_go(self) -> None:
        self._forget(list(self._rows))

    def _forget(self, keys: list[Key]) -> None:
        for key in keys:
            QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(self._rows.pop(key)))

    def childCount(self) -> int:
        return self._view.model().rowCount()

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return self.row(self._view.model().index(index, 0))

    def row(self, index: QModelIndex) -> RowInterface | None:
        """The item of a row, always the same one for a session."""
        if not index.isValid():
            return None
        key = self._view.key_of(index)
        found = self._rows.get(key)
        if found is None:
            found = self._rows[key] = RowInterface(self._view, key)
        return found

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.index.row() if isinstance(child, RowInterface) else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        viewport = self._view.viewport()
        place = viewport.mapFromGlobal(QPoint(x, y))
        return self.row(self._view.indexAt(place)) if viewport.rect().contains(place) else None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        return self.row(self._view.currentIndex()) if self._view.hasFocus() else None

    def state(self) -> QAccessible.State:
        found = super().state()
        found.multiSelectable = True
        found.extSelectable = True
        return found

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        return self._selection if kind == _Kind.SelectionInterface else _NONE


class ListSelection(QAccessibleSelectionInterface):
    """Which rows are chosen, and choosing them."""

    def __init__(self, owner: ListInterface) -> None:
        super().__init__()
        self._owner = owner

    def _model(self) -> QItemSelectionModel:
        return self._owner.view.selectionModel()

    def selectedItemCount(self) -> int:
        return len(self._model().selectedIndexes())

    def selectedItems(self) -> list[QAccessibleInterface]:
        found = sorted(self._model().selectedIndexes(), key=QModelIndex.row)
        return [row for index in found if (row := self._owner.row(index)) is not None]

    def selectedItem(self, place: int) -> QAccessibleInterface | None:  # type: ignore[override]
        items = self.selectedItems()
        return items[place] if 0 <= place < len(items) else None

    def isSelected(self, item: QAccessibleInterface) -> bool:
        return isinstance(item, RowInterface) and self._model().isSelected(item.index)

    def _change(self, item: QAccessibleInterface, flag: QItemSelectionModel.SelectionFlag) -> bool:
        if not isinstance(item, RowInterface) or not item.index.isValid():
            return False
        self._model().select(item.index, flag)
        return True

    def select(self, item: QAccessibleInterface) -> bool:
        return self._change(item, _Flag.Select) and self.isSelected(item)

    def unselect(self, item: QAccessibleInterface) -> bool:
        return self._change(item, _Flag.Deselect)

    def selectAll(self) -> bool:
        self._owner.view.selectAll()
        return True

    def clear(self) -> bool:
        self._model().clearSelection()
        return True
