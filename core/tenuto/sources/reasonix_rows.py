# SPDX-License-Identifier: Apache-2.0
"""Rows of Reasonix sessions: from folder, sidecar and cache; no session is opened."""

from __future__ import annotations

import os
from collections.abc import Mapping
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tenuto.reasonix.folders import SessionFolder
from tenuto.reasonix.lease import LeaseHolder, lease_holder
from tenuto.reasonix.listing import Entry, Look
from tenuto.reasonix.meta import Meta, nanoseconds
from tenuto.reasonix.names import EVENTS, LEASE, LEASE_LOCK, SESSION
from tenuto.reasonix.v4 import Catalog
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.holders import LockTable
from tenuto.runs.preview import TEXT_LIMIT, timestamp
from tenuto.sources.base import Call, Evidence, SessionSummary, Status, blank_summary
from tenuto.sources.reasonix_facts import Facts, Generation
from tenuto.text import one_line

if TYPE_CHECKING:
    from tenuto.runs.notes import Notes


#: Files beside a session whose being there tells something of it.
TOLD_BY_NAME = (EVENTS, LEASE_LOCK, LEASE)

#: A list asks for the same times at every sort.
_nanoseconds = lru_cache(maxsize=1 << 15)(nanoseconds)


class ReasonixSummary(SessionSummary, kw_only=True, gc=False):
    """A row with what only Reasonix sessions have."""

    generation: Generation = "A"
    #: The project's slug, by which the window groups them; "" for none.
    project: str = ""
    workspace_root: str = ""
    topic_title: str = ""
    parent_id: str = ""
    #: Who has it open, in words; "" for nobody.
    leased_by: str = ""
    holder: LeaseHolder | None = None

    @property
    def badge(self) -> str:
        """The generation: what Tenuto may do with a session depends on it."""
        return self.generation

    @property
    def group(self) -> str:
        """The project: its folder, or the name that Reasonix made of that."""
        return self.workspace_root or self.project

    @property
    def origin(self) -> str:
        """Reasonix names the session in the same folder."""
        if not self.parent_id:
            return ""
        head, slash, _name = self.id.rpartition("/")
        return f"{head}{slash}{self.parent_id}"

    @property
    def activity_key(self) -> tuple[int, str]:
        """As Reasonix orders them: last activity first, ties by path."""
        return (-_nanoseconds(self.updated), self.path)


class FolderRows:
    """Makes the rows of one folder."""

    def __init__(
        self,
        layer: FileLayer,
        folder: Folder,
        where: SessionFolder,
        prefix: str,
        table: LockTable | None,
        notes: Mapping[str, Notes],
    ) -> None:
        """``notes``: of sessions by their resolved paths."""
        self._layer = layer
        self._folder = folder
        self._project = where.project
        self._prefix = prefix
        self._table = table
        self._notes = notes
        #: Ids of rows that the cache does not know, or knows otherwise.
        self.pending: set[str] = set()

    def plain(self, entry: Entry, names: Look, facts: Facts | None) -> ReasonixSummary:
        """A session of generation A, B or C."""
        id, meta = entry.id, entry.meta
        logged = id + EVENTS in names.names
        leased = id + LEASE_LOCK in names.names or id + LEASE in names.names
        later = meta is not None and (meta.revision > 0 or meta.content_digest != "")
        status = entry.status
        activity = entry.activity
        if logged:
            status = self._status_of(id + EVENTS) or status
            if meta is None:
                activity = timestamp(max(status.st_mtime_ns, entry.status.st_mtime_ns))
        row = self._row(id, entry.path, status, "C" if logged else "B" if later else "A")
        row.created, row.updated = entry.created, activity
        if entry.title:
            row.title = one_line(entry.title, TEXT_LIMIT)
        if meta is not None:
            _from_meta(row, meta)
        self._complete(row, facts)
        if meta is not None:
            _count_by_meta(row, meta)
        holder = self._holder(id) if leased else None
        give_status(row, facts, holder, in_flight=bool(meta and meta.in_flight_turn))
        return row

    def v4(
        self,
        id: str,
        path: str,
        status: os.stat_result,
        facts: Facts | None,
        catalog: Catalog | None,
    ) -> ReasonixSummary:
        """A session of generation v4. ``status``: its frames file's."""
        row = self._row(id, path, status, "v4")
        row.updated = timestamp(status.st_mtime_ns)
        if catalog is not None:
            row.prompt = row.title = one_line(catalog.preview, TEXT_LIMIT)
            row.turns, row.model = catalog.turns, catalog.model_ref
            row.created = catalog.created_at
        self._complete(row, facts)
        if facts is not None and row.status != "pending":
            row.model = facts.model or row.model
            row.created = facts.created or row.created
        held = _writer(self._folder, id, self._table)
        give_status(row, facts, held, in_flight=False)
        return row

    def _row(
        self, id: str, path: str, status: os.stat_result, generation: Generation
    ) -> ReasonixSummary:
        # A copy is made quicker than a row of so many fields.
        row: ReasonixSummary = copy(_BLANK)
        row.size = status.st_size
        row.mtime_ns = status.st_mtime_ns
        row.inode = status.st_ino
        row.id = self._prefix + id
        row.path = path
        row.generation = generation
        row.project = self._project
        if self._notes:
            self._give_notes(row, os.path.basename(path))
        return row

    def _give_notes(self, row: ReasonixSummary, name: str) -> None:
        given = self._notes.get(os.path.join(self._folder.path, name))
        if given is None:
            return
        if given.pinned:
            row.pinned = True
        if given.note and (note := one_line(given.note, TEXT_LIMIT)):
            row.note = note

    def _complete(self, row: ReasonixSummary, facts: Facts | None) -> None:
        """What the cache knows, where it is of this very file."""
        if (
            facts is None
            or facts.mtime_ns != row.mtime_ns
            or facts.size != row.size
            or facts.inode != row.inode
        ):
            row.status = "pending"
            self.pending.add(row.id)
            return
        row.status = "ready"
        row.prompt, row.last_text = facts.prompt, facts.last_text
        row.turns, row.calls = facts.turns, facts.calls
        row.pending, row.integrity, row.problem = facts.pending, facts.integrity, facts.problem
        if not row.title:
            row.title = facts.prompt

    def _status_of(self, name: str) -> os.stat_result | None:
        try:
            return self._layer.lstat(self._folder, name)
        except OSError:
            return None

    def _holder(self, id: str) -> LeaseHolder | None:
        return lease_holder(self._folder, id, self._table, layer=self._layer)


def _writer(folder: Folder, id: str, table: LockTable | None) -> LeaseHolder | None:
    from tenuto.reasonix.v4 import WRITER_LOCK
    from tenuto.runs.holders import holder

    found = holder(os.path.join(folder.path, id, WRITER_LOCK), table)
    return None if found is None else LeaseHolder(found.pid, None, None)


def _from_meta(row: ReasonixSummary, meta: Meta) -> None:
    row.model = meta.model
    row.workspace_root = meta.workspace_root
    row.topic_title = meta.topic_title
    row.parent_id = meta.parent_id


def _count_by_meta(row: ReasonixSummary, meta: Meta) -> None:
    """Turns and preview as the sidecar has them, where it is to be trusted and nothing is newer."""
    if row.status == "pending" and meta.counted:
        row.turns = meta.turns
        row.prompt = one_line(meta.preview, TEXT_LIMIT)
    if not row.title:
        row.title = row.prompt


def give_status(
    row: ReasonixSummary, facts: Facts | None, holder: LeaseHolder | None, *, in_flight: bool
) -> None:
    """State and evidence (design.md, "Status is state plus evidence")."""
    if holder is not None:
        row.status = "running"
        row.leased_by, row.holder = str(holder.who), holder
        row.evidence = Evidence("lock", time=holder.since, pid=holder.pid)
    elif row.status != "pending":
        row.status, row.evidence = _at_rest(row, facts, in_flight)


def _at_rest(
    row: ReasonixSummary, facts: Facts | None, in_flight: bool
) -> tuple[Status, Evidence | None]:
    if row.integrity in ("damaged", "empty"):
        return row.integrity, Evidence("problem", text=row.problem)
    if row.pending:
        first = row.pending[0]
        return "interrupted", Evidence(
            "outcome_unknown", calls=[Call(first.id, first.name, first.name)]
        )
    if in_flight or (facts is not None and facts.unfinished):
        return "interrupted", Evidence("between_turns")
    return "ready", None


def _blank() -> ReasonixSummary:
    row = blank_summary("", "")
    values: dict[str, Any] = {k: getattr(row, k) for k in row.__struct_fields__}
    # There is no end to a session: whoever resumes it says what comes next.
    return ReasonixSummary(**(values | {"source": "reasonix", "interactive": True}))


_BLANK = _blank()


def is_log_alone(name: str, names: frozenset[str]) -> bool:
    """Whether ``name`` is the log of a session that has no checkpoint."""
    return name.endswith(EVENTS) and name[: -len(EVENTS)] + SESSION not in names
