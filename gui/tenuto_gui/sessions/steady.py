# SPDX-License-Identifier: Apache-2.0
"""What is read in the list stays where it is while rows come, go and move above it.

Qt keeps the number of pixels instead: whenever a run further down moves to the top, everything that
one looks at would move down by a row. At the very top rows shall come into sight, and do.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject
from PySide6.QtWidgets import QTableView


class Steady(QObject):
    """Scrolls along. All rows are equally high; resets are not its business."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view
        model = view.model()
        model.rowsInserted.connect(self._on_inserted)
        model.rowsRemoved.connect(self._on_removed)
        model.rowsMoved.connect(self._on_moved)

    def _top(self) -> int:
        """The uppermost row of which anything is seen."""
        return self._view.verticalScrollBar().value() // self._height()

    def _height(self) -> int:
        return self._view.verticalHeader().defaultSectionSize()

    def _scroll(self, rows: int, *, grown: bool = False) -> None:
        bar = self._view.verticalScrollBar()
        if not rows or not bar.value():
            return
        pixels = rows * self._height()
        if grown:
            # Qt counts them later, and would stop short of them here.
            bar.setMaximum(bar.maximum() + pixels)
        bar.setValue(bar.value() + pixels)

    def _on_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        if first <= self._top():
            self._scroll(last - first + 1, grown=True)

    def _on_removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        self._scroll(-max(min(last + 1, self._top()) - first, 0))

    def _on_moved(
        self, _parent: QModelIndex, first: int, last: int, _to: QModelIndex, row: int
    ) -> None:
        """``row``: the one that they were put before, counted with them in their old places."""
        top, count = self._top(), last - first + 1
        if row <= top < first:
            self._scroll(count)
        elif last < top < row:
            self._scroll(-count)
