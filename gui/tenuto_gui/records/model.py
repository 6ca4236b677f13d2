# SPDX-License-Identifier: Apache-2.0
"""The lines of a journal as rows of a table."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import msgspec
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from tenuto.sources.pretty import Found
from tenuto.sources.raw import Row, RowsChanged
from tenuto_gui.i18n import translate
from tenuto_gui.records import words

Index = QModelIndex | QPersistentModelIndex


class Column(IntEnum):
    """From left to right."""

    SEQ = 0
    KIND = 1
    HOLDS = 2
    BYTES = 3


class RecordModel(QAbstractTableModel):
    """Rows come from a background thread in pieces; the first ones are shown at once."""

    #: The `Row` behind an index.
    ROW = int(Qt.ItemDataRole.UserRole)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []
        #: Numbers of the rows that are damaged, or a tail.
        self.damage: list[int] = []

    def apply(self, change: RowsChanged) -> None:
        """Put rows in the place of all from ``first`` on."""
        first = min(change.first, len(self.rows))
        if first < len(self.rows):
            self.beginRemoveRows(QModelIndex(), first, len(self.rows) - 1)
            del self.rows[first:]
            del self.damage[bisect_left(self.damage, first) :]
            self.endRemoveRows()
        if change.rows:
            self.beginInsertRows(QModelIndex(), first, first + len(change.rows) - 1)
            self.rows.extend(change.rows)
            self.damage += [
                first + rank
                for rank, row in enumerate(change.rows)
                if row.kind in ("damaged", "tail")
            ]
            self.endInsertRows()

    def set_findings(self, findings: Sequence[Found]) -> None:
        """Say what the doctor made of the damaged lines."""
        for number in self.damage:
            row = self.rows[number]
            inside = [f for f in findings if row.offset <= f.offset < row.offset + row.size]
            text = words.meaning(inside) if inside and row.kind == "damaged" else ""
            if text and text != row.text:
                self.rows[number] = msgspec.structs.replace(row, text=text)
                self.dataChanged.emit(self.index(number, 0), self.index(number, Column.BYTES))

    def clear(self) -> None:
        """Show another journal, of which nothing is known yet."""
        self.beginResetModel()
        self.rows, self.damage = [], []
        self.endResetModel()

    def damage_after(self, row: int) -> int:
        """The next damaged row, from the top again behind the last one; -1 where none is."""
        if not self.damage:
            return -1
        place = bisect_right(self.damage, row)
        return self.damage[place % len(self.damage)]

    def row_at(self, offset: int) -> int:
        """The row that holds this byte of the file, -1 in an empty table."""
        return bisect_right(self.rows, offset, key=lambda row: row.offset) - 1

    # --- what Qt asks ----------------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == self.ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            match index.column():
                case Column.SEQ:
                    return words.number(row)
                case Column.KIND:
                    return words.kind(row)
                case Column.HOLDS:
                    return words.plain_holds(row)
                case _:
                    return words.size(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return words.spoken(row)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in (
            Column.SEQ,
            Column.BYTES,
        ):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        names = (
            translate("Records", "Seq"),
            translate("Records", "Kind"),
            translate("Records", "Holds"),
            translate("Records", "Bytes"),
        )
        return names[section] if 0 <= section < len(names) else None
