# SPDX-License-Identifier: Apache-2.0
"""The list in groups: which group a session is of, and at which row what stands. Qt-free.

Groups keep their places by name, whatever their sessions do; within each the list's own order
holds. Without groups there is one that has no heading.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, Literal, get_args

from tenuto_gui.sessions.order import fold_text
from tenuto_gui.sessions.row import LOOSE, Row

Grouping = Literal["", "project", "source"]
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
_SEPARATORS = re.compile(r"[/\\]+")


#: Which group a session is of.
group_key: dict[Grouping, Callable[[Row], str]] = {
    "": lambda _row: "",
    "project": attrgetter("project"),
    "source": attrgetter("summary.source"),
}


def project_name(key: str) -> str:
    """The last part of a project's folder; a name that is no path stays as it is."""
    parts = [part for part in _SEPARATORS.split(key) if part]
    return parts[-1] if parts and _SEPARATORS.search(key) else key


class Head:
    """A group: its heading, and those of its sessions that pass the filter, in order."""

    __slots__ = ("_states", "folded", "key", "place", "rows", "start", "titled")

    def __init__(self, key: str, *, titled: bool) -> None:
        self.key = key
        self.titled = titled
        #: Groups stand in this order: those of no project are the last ones.
        self.place = (key.startswith(LOOSE), fold_text(project_name(key)), key)
        self.rows: list[Row] = []
        self.folded = False
        #: The row of the heading, or of the first session where there is none.
        self.start = 0
        self._states: Counter[str] | None = None

    @property
    def first(self) -> int:
        """The row of the first session."""
        return self.start + self.titled

    @property
    def length(self) -> int:
        """Rows in the list."""
        return self.titled + (0 if self.folded else len(self.rows))

    @property
    def states(self) -> Counter[str]:
        """Its sessions by status."""
        if self._states is None:
            self._states = Counter(row.summary.status for row in self.rows)
        return self._states

    def forget_states(self) -> None:
        """Its sessions are others now."""
        self._states = None


class Groups:
    """All groups that have sessions, in order. Whoever changes one calls `settle` after it."""

    def __init__(self) -> None:
        self.by: Grouping = ""
        #: ``GROUPING KEY`` of what was folded.
        self.folded: set[str] = set()
        self.heads: list[Head] = [Head("", titled=False)]
        self._known: dict[str, Head] = {"": self.heads[0]}
        self._starts = [0]
        #: Rows in the list, headings with them; and sessions, folded ones too.
        self.length = 0
        self.sessions = 0

    def regroup(self, rows: Iterable[Row], *, opened: bool = False) -> None:
        """These sessions, in this order. ``opened``: no group is folded for now."""
        before, by = self._known, self.by
        if not by:
            head = before.get("") or Head("", titled=False)
            head.rows = list(rows)
            self._known = {"": head}
        else:
            shares: defaultdict[str, list[Row]] = defaultdict(list)
            key_of = group_key[by]
            for row in rows:
                shares[key_of(row)].append(row)
            self._known = {}
            for key, share in shares.items():
                head = before.get(key) or Head(key, titled=True)
                head.rows = share
                self._known[key] = head
        for key, head in self._known.items():
            head.folded = not opened and self._word(key) in self.folded
            head.forget_states()
        self.heads = sorted(self._known.values(), key=_by_place)
        self.settle()

    def regroup_by(self, by: Grouping) -> None:
        """Another kind of groups, to be filled by `regroup`."""
        self.by = by
        self._known = {}

    def settle(self) -> None:
        """Count again where each group begins."""
        at = sessions = 0
        self._starts = []
        for head in self.heads:
            head.start = at
            self._starts.append(at)
            at += head.length
            sessions += len(head.rows)
        self.length, self.sessions = at, sessions

    def entry(self, place: int) -> Row | Head:
        """What stands in a row."""
        if not self.by:
            return self.heads[0].rows[place]
        head = self.heads[bisect_right(self._starts, place) - 1]
        number = place - head.first
        return head if number < 0 else head.rows[number]

    def rows(self) -> Iterator[Row]:
        """All sessions that pass the filter, group by group."""
        for head in self.heads:
            yield from head.rows

    def find(self, row: Row) -> tuple[Head, int] | None:
        """The group of a session, and its number there; None where the filter hides it."""
        head = self._known.get(group_key[self.by](row))
        if head is None:
            return None
        number = bisect_left(head.rows, row.key, key=by_key)
        if number < len(head.rows) and head.rows[number] is row:
            return head, number
        return None

    def position(self, row: Row) -> int:
        """The row a session stands in; -1 for one that is hidden."""
        found = self.find(row)
        return -1 if found is None or found[0].folded else found[0].first + found[1]

    def head(self, key: str) -> Head | None:
        """The group of this key."""
        return self._known.get(key)

    def add(self, key: str, *, opened: bool) -> tuple[Head, int]:
        """A group that is not there yet, and its number among them; it has no sessions."""
        head = Head(key, titled=True)
        head.folded = not opened and self._word(key) in self.folded
        number = bisect_left(self.heads, head.place, key=_by_place)
        at = self._starts[number] if number < len(self.heads) else self.length
        head.start = at
        return head, number

    def put(self, head: Head, number: int) -> None:
        """Let a group of `add` stand in the list."""
        self.heads.insert(number, head)
        self._known[head.key] = head
        self.settle()

    def drop(self, head: Head) -> None:
        """Take out a group that lost its last session."""
        self.heads.remove(head)
        del self._known[head.key]
        self.settle()

    def fold(self, head: Head, folded: bool) -> None:
        """Fold a group or unfold it, and remember that."""
        head.folded = folded
        word = self._word(head.key)
        if folded:
            self.folded.add(word)
        else:
            self.folded.discard(word)
        self.settle()

    def _word(self, key: str) -> str:
        return f"{self.by} {key}"


def by_key(row: Row) -> Any:
    """What rows of one group are sorted by."""
    return row.key


def _by_place(head: Head) -> tuple[bool, str, str]:
    return head.place
