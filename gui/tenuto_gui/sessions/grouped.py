# SPDX-License-Identifier: Apache-2.0
"""The rows that the list has: sessions under the headings of their groups, folded and unfolded.

`SessionModel` decides which sessions these are and in which order; here they become rows of Qt's,
and move one by one.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from tenuto_gui.sessions.groups import Grouping, Groups, Head, by_key, group_key
from tenuto_gui.sessions.heading import head_spoken, head_title
from tenuto_gui.sessions.row import Row, spoken

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class Role(IntEnum):
    """Data of a row beyond what Qt's own roles give."""

    ID = int(Qt.ItemDataRole.UserRole) + 1
    SOURCE = ID + 1
    STATUS = ID + 2
    SUMMARY = ID + 3
    #: The `Row` itself, with its cached strings; for the delegate.
    ROW = ID + 4
    #: The `Head` of a group, in the row of its heading; else None.
    HEAD = ID + 5


class GroupedModel(QAbstractListModel):
    """Rows of `Groups`. That of a heading has a `Role.HEAD`, and an empty `Role.ID`."""

    #: Other groups, another one folded, or forks in another place.
    arranged = Signal()

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._groups = Groups()

    @property
    def always_open(self) -> bool:
        """Whether no group is folded for now."""
        return False

    # --- reading -------------------------------------------------------------------------------

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else self._groups.length

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._groups.entry(index.row())
        if isinstance(row, Head):
            return _head_data(row, role)
        if role == Role.ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.summary.title or row.id
        if role == Role.ID:
            return row.id
        if role == Role.SUMMARY:
            return row.summary
        if role == Role.STATUS:
            return row.summary.status
        if role == Role.SOURCE:
            return row.summary.source
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row)
        return None

    def headerData(
        self,
        _section: int,
        _orientation: Qt.Orientation,
        _role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """Nothing: the headers are never seen, and screen readers would say Qt's numbers."""
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A heading can be current, for the keyboard, and is never selected."""
        found = super().flags(index)
        if self._groups.by and index.isValid() and self.head_at(index.row()) is not None:
            found &= ~Qt.ItemFlag.ItemIsSelectable
        return found

    @property
    def shown_count(self) -> int:
        """Sessions that pass the filter, those in folded groups too."""
        return self._groups.sessions

    @property
    def grouping(self) -> Grouping:
        return self._groups.by

    @property
    def folded_groups(self) -> list[str]:
        """Words that `set_grouping` takes back."""
        return sorted(self._groups.folded)

    def head_at(self, place: int) -> Head | None:
        """The group whose heading stands in this row."""
        entry = self._groups.entry(place)
        return entry if isinstance(entry, Head) else None

    def head_above(self, place: int) -> int:
        """The row of the heading that a row is below; -1 where there are none."""
        while place >= 0 and self._groups.by:
            if self.head_at(place) is not None:
                return place
            place -= 1
        return -1

    def head_row(self, key: str) -> int:
        """The row of a group's heading; -1 where it has none."""
        head = self._groups.head(key) if self._groups.by else None
        return head.start if head is not None else -1

    # --- folding -------------------------------------------------------------------------------

    def fold_all(self, folded: bool) -> None:
        """Fold every group that is shown, or unfold it."""
        self.beginResetModel()
        for head in self._groups.heads:
            self._groups.fold(head, folded)
        self.endResetModel()
        self.arranged.emit()

    def fold(self, head: Head, folded: bool) -> None:
        """Fold a group, or unfold it: its sessions go from the rows, and are counted as before."""
        if not head.titled or head.folded == folded:
            return
        first, last = head.first, head.first + len(head.rows) - 1
        if folded:
            self.beginRemoveRows(ROOT, first, last)
            self._groups.fold(head, True)
            self.endRemoveRows()
        else:
            self.beginInsertRows(ROOT, first, last)
            self._groups.fold(head, False)
            self.endInsertRows()
        self._redraw(head)
        self.arranged.emit()

    # --- changes -------------------------------------------------------------------------------

    def _take_out(self, head: Head, number: int) -> None:
        if head.folded:
            del head.rows[number]
            self._groups.settle()
        else:
            place = head.first + number
            self.beginRemoveRows(ROOT, place, place)
            del head.rows[number]
            self._groups.settle()
            self.endRemoveRows()
        self._redraw(head)

    def _put_in(self, row: Row) -> None:
        head = self._head_for(row)
        number = bisect_left(head.rows, row.key, key=by_key)
        if head.folded:
            head.rows.insert(number, row)
            self._groups.settle()
        else:
            place = head.first + number
            self.beginInsertRows(ROOT, place, place)
            head.rows.insert(number, row)
            self._groups.settle()
            self.endInsertRows()
        self._redraw(head)

    def _replace(self, head: Head, before: int, new: Row) -> None:
        """Another state of a session that is shown: it stays selected wherever it goes."""
        target = self._head_for(new)
        if target is not head and (target.folded or head.folded):
            self._take_out(head, before)
            self._put_in(new)
            return
        after = bisect_left(target.rows, new.key, key=by_key)
        # Of its own group ``after`` counts the old row; directly before or behind it, it stays.
        stays = target is head and after in (before, before + 1)
        place = before if stays else after - (target is head and after > before)
        if stays:
            head.rows[before] = new
        else:
            moves = not head.folded
            if moves:
                source, end = head.first + before, target.first + after
                self.beginMoveRows(ROOT, source, source, ROOT, end)
            del head.rows[before]
            target.rows.insert(place, new)
            self._groups.settle()
            if moves:
                self.endMoveRows()
        if not target.folded:
            index = self.index(target.first + place)
            self.dataChanged.emit(index, index)
        self._redraw(target)
        if target is not head:
            self._redraw(head)

    def _head_for(self, row: Row) -> Head:
        """The group of a session; its heading appears where it is the first one of it."""
        groups = self._groups
        key = group_key[groups.by](row)
        head = groups.head(key)
        if head is not None:
            return head
        head, number = groups.add(key, opened=self.always_open)
        self.beginInsertRows(ROOT, head.start, head.start)
        groups.put(head, number)
        self.endInsertRows()
        return head

    def _redraw(self, head: Head) -> None:
        """Draw the heading of a group anew, or take it away where it has no session left."""
        head.forget_states()
        if not head.titled:
            return
        if not head.rows:
            self.beginRemoveRows(ROOT, head.start, head.start)
            self._groups.drop(head)
            self.endRemoveRows()
            return
        place = self.index(head.start)
        self.dataChanged.emit(place, place)

    def touch_ages(self) -> None:
        """Ages are words of the present; redraw them."""
        if count := self.rowCount():
            first, last = self.index(0), self.index(count - 1)
            self.dataChanged.emit(first, last, [Qt.ItemDataRole.DisplayRole])


def _head_data(head: Head, role: int) -> Any:
    if role == Role.HEAD:
        return head
    if role == Qt.ItemDataRole.DisplayRole:
        return head_title(head)
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return head_spoken(head)
    return "" if role in (Role.ID, Role.SOURCE, Role.STATUS) else None
