# SPDX-License-Identifier: Apache-2.0
"""The session list's model: it owns rows, order and filter.

A proxy model over Python rows costs seconds at 10,000 sessions, so sorting and filtering are done
here on plain lists. Rows that change are moved one by one; a large batch, a new filter or other
groups are one reset, after which the view finds its selection again by id.

Forks may stand below what they were made of, and all of it in groups (`GroupedModel`).
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec
from PySide6.QtCore import QTimer, Signal

from tenuto.sources.base import SessionSummary
from tenuto_gui.sessions.criteria import Criteria
from tenuto_gui.sessions.family import depths, origins, tree_keys
from tenuto_gui.sessions.grouped import GroupedModel, Role
from tenuto_gui.sessions.groups import Grouping, Head, by_key
from tenuto_gui.sessions.order import Sort, fold_text, order_key
from tenuto_gui.sessions.row import Row
from tenuto_gui.sessions.words import FACET_OF

__all__ = ["Role", "SessionModel"]

#: Moves that cost what a reset of a short list costs, how many rows of a longer one make it one
#: more, and how many moves there are at most.
_FEWEST, _ROWS_A_MOVE, _BATCH = 20, 125, 100
#: Rows whose text is prepared in one go: about 2 ms.
_WARM_SLICE = 500


class SessionModel(GroupedModel):
    """Sessions in order, filtered, in groups where they are wanted.

    `counts_changed` after any change of what there is, `shown_changed` also after a filter.
    """

    counts_changed = Signal()
    shown_changed = Signal()

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._rows: dict[str, Row] = {}
        #: All sessions in order.
        self._order: list[Row] = []
        self._facets: Counter[str] | None = None
        self._warming = QTimer(self)
        self._warming.timeout.connect(self._warm)
        self._cold: list[Row] = []
        self._sort: Sort = "activity"
        self._tree = False
        #: Of a tree: what anything was forked from.
        self._origins: frozenset[str] = frozenset()
        self._criteria = Criteria()
        #: What `hold` was told, and what of it is shown though it no longer passes the filter.
        self._held: frozenset[str] = frozenset()
        self._strays: set[str] = set()

    # --- reading -------------------------------------------------------------------------------

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
        return self._criteria.facet

    @property
    def filter_text(self) -> str:
        return self._criteria.text

    @property
    def is_filtered(self) -> bool:
        return self._criteria.any

    @property
    def always_open(self) -> bool:
        """What is looked for by words is in no folded group."""
        return bool(self._criteria.text)

    def summary(self, session_id: str) -> SessionSummary | None:
        row = self._rows.get(session_id)
        return row.summary if row else None

    def with_status(self, status: str) -> list[SessionSummary]:
        """All sessions in this state, shown or filtered out."""
        return [row.summary for row in self._rows.values() if row.summary.status == status]

    def all(self) -> list[SessionSummary]:
        """All sessions, in order, shown or filtered out."""
        return [row.summary for row in self._order]

    def passing(self) -> list[SessionSummary]:
        """The sessions that pass the filter, in order; those of folded groups too."""
        return [row.summary for row in self._groups.rows() if row.id not in self._strays]

    @property
    def passing_count(self) -> int:
        """How many `passing` has: without those that are only held."""
        return self.shown_count - len(self._strays)

    def row_of(self, session_id: str) -> int:
        """The row a session is shown in, or -1."""
        row = self._rows.get(session_id)
        return self._groups.position(row) if row is not None else -1

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
        kept = [self._groups.entry(index.row()) for index in before]
        whole = self.shown_count == len(self._order)
        self._sort, self._tree = sort, tree
        if not tree:
            for row in self._order:
                row.depth = 0
        self._give_keys()
        self._order.sort(key=by_key)
        self._arrange(self._order if whole else sorted(self._groups.rows(), key=by_key))
        places: dict[str, int] = {}
        for head in self._groups.heads if kept else ():
            places |= {row.id: place for place, row in enumerate(head.rows, head.first)}
        found = [entry.start if isinstance(entry, Head) else places[entry.id] for entry in kept]
        self.changePersistentIndexList(before, [self.index(place) for place in found])
        self.layoutChanged.emit()
        self.arranged.emit()

    def set_grouping(self, by: Grouping, folded: Iterable[str] | None = None) -> None:
        """Sessions in groups, or "" for none. ``folded``: as `folded_groups` was, else as it is."""
        groups = self._groups
        wanted = groups.folded if folded is None else set(folded)
        if (by, wanted) == (groups.by, groups.folded):
            return
        self.beginResetModel()
        groups.regroup_by(by)
        groups.folded = wanted
        self._arrange(self._wanted())
        self.endResetModel()
        self.arranged.emit()

    def reveal(self, session_id: str) -> None:
        """Unfold the group that a session is in."""
        row = self._rows.get(session_id)
        found = self._groups.find(row) if row is not None else None
        if found is not None:
            self.fold(found[0], False)

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
        given = {
            "text": None if text is None else fold_text(text).strip(),
            "facet": None if facet is None else facet or "all",
            "source": source,
            "model": model,
            "group": group,
        }
        before = self._criteria
        wanted = msgspec.structs.replace(
            before, **{key: value for key, value in given.items() if value is not None}
        )
        if wanted == before:
            return
        self.beginResetModel()
        self._criteria = wanted
        self._strays.clear()
        rows = self._groups.rows() if wanted.narrows(before) else self._order
        self._arrange(wanted.passing(rows))
        self.endResetModel()
        self.shown_changed.emit()

    def hold(self, ids: Iterable[str]) -> None:
        """Keep these in the list when a change of theirs makes the filter hide them.

        They go with the next filter, or when others are held. A resume makes a suspended run a
        running one: were its row gone, the one that takes its place would be the next to resume.
        """
        self._held = frozenset(ids)
        released = self._strays - self._held
        self._strays -= released
        for session_id in released:
            if (found := self._groups.find(self._rows[session_id])) is not None:
                self._take_out(*found)
        if released:
            self.shown_changed.emit()

    def _wanted(self) -> list[Row]:
        """What is to be shown, in order."""
        if not self._strays:
            return self._criteria.passing(self._order)
        passes, strays = self._criteria.passes, self._strays
        return [row for row in self._order if row.id in strays or passes(row)]

    def _arrange(self, rows: Iterable[Row]) -> None:
        """Show these, in this order."""
        self._groups.regroup(rows, opened=self.always_open)
        self._give_depths()

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
        if not self._tree:
            return
        summaries = {id: row.summary for id, row in self._rows.items()}
        for head in self._groups.heads:
            # In each group by itself: a fork may belong to another project.
            found = depths((row.summary for row in head.rows), summaries)
            for row in head.rows:
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
        self._order = sorted(self._rows.values(), key=by_key)
        self._arrange(self._wanted())
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

    # --- changes -------------------------------------------------------------------------------

    def set_sessions(self, summaries: Iterable[SessionSummary]) -> None:
        """All sessions anew."""
        self.beginResetModel()
        self._rows = {s.id: Row(s, None) for s in summaries}
        self._strays.clear()
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
        if self._moves_others(changed, lost) or len(changed) + len(lost) > self._batch:
            self.beginResetModel()
            kept = [each for each in self._held if self._is_shown(each)]
            for session_id in lost:
                del self._rows[session_id]
            for summary in changed:
                self._rows[summary.id] = Row(summary, None)
            rows = [self._rows[each] for each in kept if each in self._rows]
            self._strays = {row.id for row in rows if not self._criteria.passes(row)}
            self._rebuild()
            self.endResetModel()
        else:
            for session_id in lost:
                self._remove(session_id)
            for summary in changed:
                self._upsert(summary)
        self._tell()

    @property
    def _batch(self) -> int:
        """More changed rows than this in one batch are cheaper as one reset than as moves.

        What a reset costs grows with the list, what moves cost does not.
        """
        return min(_FEWEST + len(self._rows) // _ROWS_A_MOVE, _BATCH)

    def _tell(self) -> None:
        self._facets = None
        self.counts_changed.emit()
        self.shown_changed.emit()

    def _differs(self, summary: SessionSummary) -> bool:
        known = self._rows.get(summary.id)
        return known is None or known.summary != summary

    def _is_shown(self, session_id: str) -> bool:
        row = self._rows.get(session_id)
        return row is not None and self._groups.find(row) is not None

    def _remove(self, session_id: str) -> None:
        row = self._rows.pop(session_id)
        self._strays.discard(session_id)
        found = self._groups.find(row)
        del self._order[bisect_left(self._order, row.key, key=by_key)]
        if found is not None:
            self._take_out(*found)

    def _upsert(self, summary: SessionSummary) -> None:
        old = self._rows.get(summary.id)
        new = Row(summary, self._key(summary))
        found = self._groups.find(old) if old is not None else None
        if old is not None:
            del self._order[bisect_left(self._order, old.key, key=by_key)]
        insort(self._order, new, key=by_key)
        self._rows[summary.id] = new
        passes = self._criteria.passes(new)
        stays = found is not None and new.id in self._held
        if stays and not passes:
            self._strays.add(new.id)
        else:
            self._strays.discard(new.id)
        if not passes and not stays:
            if found is not None:
                self._take_out(*found)
        elif found is None:
            self._put_in(new)
        else:
            self._replace(*found, new)
