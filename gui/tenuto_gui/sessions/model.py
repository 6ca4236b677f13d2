# SPDX-License-Identifier: Apache-2.0
"""The session list's model: it owns rows, order and filter.

A proxy model over Python rows costs seconds at 10,000 sessions, so sorting and filtering are done
here on plain lists. Rows that change are moved one by one; a large batch, a new filter or a new
order is one reset, after which the view finds its selection again by id.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from tenuto.sources.base import SessionSummary
from tenuto_gui.sessions.family import depths, origins, tree_keys
from tenuto_gui.sessions.order import Sort, fold_text, order_key
from tenuto_gui.sessions.row import Row, spoken
from tenuto_gui.sessions.words import FACET_OF

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()

#: More changed rows than this in one batch are cheaper as one reset than as moves.
_BATCH = 100
#: Rows whose text is prepared in one go: about 2 ms.
_WARM_SLICE = 500


class Role(IntEnum):
    """Data of a row beyond what Qt's own roles give."""

    ID = int(Qt.ItemDataRole.UserRole) + 1
    SOURCE = ID + 1
    STATUS = ID + 2
    SUMMARY = ID + 3
    #: The `Row` itself, with its cached strings; for the delegate.
    ROW = ID + 4


class SessionModel(QAbstractListModel):
    """Sessions in order, filtered.

    `counts_changed` after any change of what there is, `shown_changed` also after a filter.
    """

    counts_changed = Signal()
    shown_changed = Signal()

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._rows: dict[str, Row] = {}
        #: All rows in order, and those of them that pass the filter.
        self._order: list[Row] = []
        self._view: list[Row] = []
        self._facets: Counter[str] | None = None
        self._warming = QTimer(self)
        self._warming.timeout.connect(self._warm)
        self._cold: list[Row] = []
        self._sort: Sort = "activity"
        self._tree = False
        #: Of a tree: what anything was forked from.
        self._origins: frozenset[str] = frozenset()
        self._needle = ""
        self._facet = "all"
        self._source = ""
        self._model = ""
        self._group = ""

    # --- reading -------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._view)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._view[index.row()]
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

    @property
    def total(self) -> int:
        """Sessions there are, shown or filtered out."""
        return len(self._rows)

    @property
    def sort_order(self) -> Sort:
        return self._sort

    @property
    def is_tree(self) -> bool:
        """Whether forks stand below what they were forked from."""
        return self._tree

    @property
    def filter_facet(self) -> str:
        return self._facet

    @property
    def filter_text(self) -> str:
        return self._needle

    @property
    def is_filtered(self) -> bool:
        chosen = (self._needle, self._source, self._model, self._group)
        return self._facet != "all" or any(chosen)

    def summary(self, session_id: str) -> SessionSummary | None:
        row = self._rows.get(session_id)
        return row.summary if row else None

    def with_status(self, status: str) -> list[SessionSummary]:
        """All sessions in this state, shown or filtered out."""
        return [row.summary for row in self._rows.values() if row.summary.status == status]

    def all(self) -> list[SessionSummary]:
        """All sessions, in order, shown or filtered out."""
        return [row.summary for row in self._order]

    def shown(self) -> list[SessionSummary]:
        """The sessions that pass the filter, in order."""
        return [row.summary for row in self._view]

    def row_of(self, session_id: str) -> int:
        """The row a session is shown in, or -1."""
        row = self._rows.get(session_id)
        return self._position(row) if row is not None else -1

    def facet_counts(self) -> Counter[str]:
        """Sessions by filter, whatever is shown."""
        if self._facets is None:
            statuses = Counter(row.summary.status for row in self._rows.values())
            self._facets = Counter()
            for status, count in statuses.items():
                self._facets[FACET_OF.get(status, "pending")] += count
        return self._facets

    def source_counts(self) -> Counter[str]:
        return Counter(row.summary.source for row in self._rows.values())

    def model_counts(self) -> Counter[str]:
        return Counter(row.summary.model for row in self._rows.values() if row.summary.model)

    def group_counts(self) -> Counter[str]:
        return Counter(row.summary.group for row in self._rows.values() if row.summary.group)

    # --- order and filter ----------------------------------------------------------------------

    def set_sort(self, sort: Sort) -> None:
        """Another order; persistent indexes (selection, current row) follow their sessions."""
        if sort != self._sort:
            self._reorder(sort, self._tree)

    def set_tree(self, tree: bool) -> None:
        """Forks below what they were forked from, or every session in its own place."""
        if tree != self._tree:
            self._reorder(self._sort, tree)

    def _reorder(self, sort: Sort, tree: bool) -> None:
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        kept = [self._view[index.row()] for index in before]
        self._sort, self._tree = sort, tree
        self._give_keys()
        self._order.sort(key=_by_key)
        if len(self._view) == len(self._order):
            self._view = self._order.copy()
        else:
            self._view.sort(key=_by_key)
        self._give_depths()
        places = {row.id: place for place, row in enumerate(self._view)} if kept else {}
        self.changePersistentIndexList(before, [self.index(places[row.id]) for row in kept])
        self.layoutChanged.emit()

    def set_filter(
        self,
        *,
        text: str | None = None,
        facet: str | None = None,
        source: str | None = None,
        model: str | None = None,
        group: str | None = None,
    ) -> None:
        """Change one or more of the filters; None leaves one as it is, "" clears it."""
        wanted = (
            self._needle if text is None else fold_text(text).strip(),
            self._facet if facet is None else facet or "all",
            self._source if source is None else source,
            self._model if model is None else model,
            self._group if group is None else group,
        )
        before = (self._needle, self._facet, self._source, self._model, self._group)
        if wanted == before:
            return
        self.beginResetModel()
        self._needle, self._facet, self._source, self._model, self._group = wanted
        # A longer needle finds only what the shorter one found.
        narrower = wanted[1:] == before[1:] and wanted[0].startswith(before[0])
        self._view = self._passing(self._view if narrower else self._order)
        self._give_depths()
        self.endResetModel()
        self.shown_changed.emit()

    def _passes(self, row: Row) -> bool:
        if self._facet != "all" and FACET_OF.get(row.summary.status) != self._facet:
            return False
        if self._source and row.summary.source != self._source:
            return False
        if self._model and row.summary.model != self._model:
            return False
        if self._group and row.summary.group != self._group:
            return False
        return not self._needle or all(part in row.haystack for part in self._needle.split())

    def _passing(self, rows: list[Row]) -> list[Row]:
        """Those that pass the filter, in the same order."""
        if self._facet != "all" or self._source or self._model or self._group:
            rows = [row for row in rows if self._passes(row)]
        elif self._needle:
            for part in self._needle.split():
                rows = [row for row in rows if part in row.haystack]
        return list(rows)

    def _give_keys(self) -> None:
        for row in self._rows.values():
            row.key = order_key(row.summary, self._sort)
        if self._tree:
            summaries = {id: row.summary for id, row in self._rows.items()}
            keys = tree_keys(summaries, {id: row.key for id, row in self._rows.items()})
            for id, row in self._rows.items():
                row.key = keys[id]
            self._origins = origins(summaries.values())

    def _give_depths(self) -> None:
        summaries = {id: row.summary for id, row in self._rows.items()} if self._tree else {}
        found = depths(self.shown(), summaries) if self._tree else {}
        for row in self._view:
            row.depth = found.get(row.id, 0)

    def _key(self, summary: SessionSummary) -> Any:
        """The key of a session that stands alone."""
        key = order_key(summary, self._sort)
        return (key,) if self._tree else key

    def _moves_others(self, changed: list[SessionSummary], lost: list[str]) -> bool:
        """Whether sessions are of a family of the tree, where one moves others."""
        if not self._tree:
            return False
        before = [self._rows[id].summary for id in lost]
        before += [self._rows[each.id].summary for each in changed if each.id in self._rows]
        return any(each.origin or each.id in self._origins for each in [*changed, *before])

    def _rebuild(self) -> None:
        self._give_keys()
        self._order = sorted(self._rows.values(), key=_by_key)
        self._view = self._passing(self._order)
        self._give_depths()
        self._cold = self._order.copy()
        self._warming.start()

    def _warm(self) -> None:
        """Make the filter's text of some rows, while nothing else is to be done."""
        for row in self._cold[-_WARM_SLICE:]:
            row.haystack  # noqa: B018 - made when it is asked for
            # Reading a time is most of a sort by it; once read it is known.
            order_key(row.summary, "created")
        del self._cold[-_WARM_SLICE:]
        if not self._cold:
            self._warming.stop()

    def _position(self, row: Row) -> int:
        place = bisect_left(self._view, row.key, key=_by_key)
        if place < len(self._view) and self._view[place] is row:
            return place
        return -1

    # --- changes -------------------------------------------------------------------------------

    def set_sessions(self, summaries: Iterable[SessionSummary]) -> None:
        """All sessions anew."""
        self.beginResetModel()
        self._rows = {s.id: Row(s, None) for s in summaries}
        self._rebuild()
        self.endResetModel()
        self._tell()

    def replace(self, summaries: list[SessionSummary]) -> None:
        """All sessions as a later listing has them; what is the same is left alone."""
        self.apply(summaries, set(self._rows) - {summary.id for summary in summaries})

    def apply(self, updated: Iterable[SessionSummary], gone: Iterable[str] = ()) -> None:
        """Take in what changed: rows appear, move, are redrawn, go."""
        changed = [s for s in updated if self._differs(s)]
        lost = [session_id for session_id in gone if session_id in self._rows]
        if not changed and not lost:
            return
        if self._moves_others(changed, lost) or len(changed) + len(lost) > _BATCH:
            self.beginResetModel()
            for session_id in lost:
                del self._rows[session_id]
            for summary in changed:
                self._rows[summary.id] = Row(summary, None)
            self._rebuild()
            self.endResetModel()
        else:
            for session_id in lost:
                self._remove(session_id)
            for summary in changed:
                self._upsert(summary)
        self._tell()

    def _tell(self) -> None:
        self._facets = None
        self.counts_changed.emit()
        self.shown_changed.emit()

    def _differs(self, summary: SessionSummary) -> bool:
        known = self._rows.get(summary.id)
        return known is None or known.summary != summary

    def _remove(self, session_id: str) -> None:
        row = self._rows.pop(session_id)
        del self._order[bisect_left(self._order, row.key, key=_by_key)]
        place = self._position(row)
        if place >= 0:
            self.beginRemoveRows(_ROOT, place, place)
            del self._view[place]
            self.endRemoveRows()

    def _upsert(self, summary: SessionSummary) -> None:
        old = self._rows.get(summary.id)
        new = Row(summary, self._key(summary))
        before = self._position(old) if old is not None else -1
        if old is not None:
            del self._order[bisect_left(self._order, old.key, key=_by_key)]
        insort(self._order, new, key=_by_key)
        self._rows[summary.id] = new
        if not self._passes(new):
            if before >= 0:
                self.beginRemoveRows(_ROOT, before, before)
                del self._view[before]
                self.endRemoveRows()
            return
        after = bisect_left(self._view, new.key, key=_by_key)
        if before < 0:
            self.beginInsertRows(_ROOT, after, after)
            self._view.insert(after, new)
            self.endInsertRows()
            return
        # ``after`` counts the old row; directly before or behind it means it stays.
        if after in (before, before + 1):
            self._view[before] = new
        else:
            self.beginMoveRows(_ROOT, before, before, _ROOT, after)
            del self._view[before]
            self._view.insert(after if after < before else after - 1, new)
            self.endMoveRows()
            before = after if after < before else after - 1
        place = self.index(before)
        self.dataChanged.emit(place, place)

    def touch_ages(self) -> None:
        """Ages are words of the present; redraw them."""
        if self._view:
            self.dataChanged.emit(
                self.index(0), self.index(len(self._view) - 1), [Qt.ItemDataRole.DisplayRole]
            )


def _by_key(row: Row) -> Any:
    return row.key
