# SPDX-License-Identifier: Apache-2.0
"""Reasonix's sessions of every generation as one source: all projects under one state folder.

A list is drawn from folders, Reasonix's own sidecars and Tenuto's cache; sessions that the cache
does not know, or knows otherwise, are pending, and ``build_pending`` reads them. Nothing is written
beside the sessions.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from tenuto.errors import NotAFile, RunNotFound, SessionNotFound
from tenuto.reasonix.folders import SessionFolder, project_slug, session_folders
from tenuto.reasonix.listing import Look, entry_for, look
from tenuto.reasonix.names import SESSION, is_session_name, is_text
from tenuto.reasonix.own_notes import OwnNotes
from tenuto.reasonix.v4 import FRAMES, SESSION_ID, read_catalog
from tenuto.runs.files import FileLayer, Folder, explain, what_is
from tenuto.runs.holders import LockTable, lock_table
from tenuto.runs.reader import collector_off
from tenuto.sentences import Sentence, all_of, sentence
from tenuto.sources.base import (
    ActivityReader,
    Capabilities,
    Changed,
    Listing,
    RecordReader,
    SessionSummary,
    Skipped,
    SourceName,
)
from tenuto.sources.reasonix_cache import FactsCache
from tenuto.sources.reasonix_facts import Facts, read_facts
from tenuto.sources.reasonix_rows import TOLD_BY_NAME, FolderRows, ReasonixSummary, is_log_alone

if TYPE_CHECKING:
    from tenuto.runs.notes import Notes
    from tenuto.sources.reasonix_transcript import ReasonixTranscript
    from tenuto.sources.trashed import TrashListing
    from tenuto.watch import Changes
    from tenuto.watch_looks import LooksWatcher

OnBuilt = Callable[[SessionSummary], None]


class _Found:
    """What one look finds, folder by folder."""

    def __init__(self, notes: dict[str, Notes]) -> None:
        self.notes = notes
        self.rows: list[SessionSummary] = []
        self.skipped: list[Skipped] = []
        self.notices: list[Sentence] = []
        self.pending: set[str] = set()


class ReasonixSource:
    """The sessions under one root: Reasonix's state folder, or a folder of sessions.

    A session's id is its path from there, without its ending. May be shared by threads; holds
    nothing open between calls.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        cache: str | os.PathLike[str] | None = None,
        notes: str | os.PathLike[str] | None = None,
        layer: FileLayer | None = None,
    ) -> None:
        """``cache``, ``notes``: other folders than those of Tenuto."""
        self._given = os.path.abspath(root)
        self._layer = layer or FileLayer()
        self._cache = FactsCache(self.directory, cache, self._layer)
        self._notes = OwnNotes(notes, layer=self._layer)
        self._guard = threading.Lock()
        self._pending: frozenset[str] = frozenset()
        #: Project -> its folder, as the sidecar of one of its sessions says.
        self._roots: dict[str, str] = {}

    @property
    def name(self) -> SourceName:
        """``reasonix``."""
        return "reasonix"

    @property
    def directory(self) -> str:
        """The root, absolute, symlinks resolved."""
        return os.path.realpath(self._given)

    def folders(self) -> list[SessionFolder]:
        """The folders whose changes matter: what a watcher looks at."""
        try:
            return session_folders(self.directory)
        except OSError:
            return []

    def path(self, id: str) -> str:
        """Where session ``id`` is. Raises RunNotFound where no folder of sessions has that name."""
        where, stem = self._place(id)
        name = stem if where.v4 else stem + SESSION
        return os.path.join(where.path, name)

    def id_of(self, path: str | os.PathLike[str]) -> str | None:
        """The id of the session at ``path``; None where it is not under this root."""
        relative = os.path.relpath(os.path.realpath(path), self.directory)
        if relative.startswith(os.pardir):
            return None
        return relative.removesuffix(SESSION).replace(os.sep, "/")

    # --- looking --------------------------------------------------------------------------------

    def list(self) -> Listing:
        """All sessions, newest activity first. Never raises: ``notice`` says what is wrong."""
        found = _Found(self._notes.all())
        rows = found.rows
        with collector_off():
            facts = self._facts()
            folders = self.folders()
            for where in folders:
                self._list_folder(where, facts, found)
            self._leave_out_odd(found)
            self._give_roots(rows)
            # By activity, then by path: two sorts of plain values, quicker than one of pairs.
            rows.sort(key=attrgetter("path"))
            # Without its last letter a time in UTC sorts as text.
            rows.sort(key=lambda row: row.updated[:-1], reverse=True)
        pending = frozenset(found.pending)
        with self._guard:
            self._pending = pending
        notice = all_of(found.notices)
        return Listing(rows, found.skipped, pending, notice, tuple(each.path for each in folders))

    def _leave_out_odd(self, found: _Found) -> None:
        """A name that is no text cannot be an id: windows and JSON would say another one."""
        odd = [row for row in found.rows if not is_text(row.id)]
        if odd:
            found.rows[:] = [row for row in found.rows if is_text(row.id)]
            found.pending.difference_update(row.id for row in odd)
            found.skipped += [Skipped(row.id, "a name that is no UTF-8") for row in odd]

    def _give_roots(self, rows: Iterable[SessionSummary]) -> None:
        """Let sessions that do not say where their project is be grouped with those that do."""
        found = [row for row in rows if isinstance(row, ReasonixSummary)]
        for project, root in {(row.project, row.workspace_root) for row in found}:
            if root and project_slug(root) == project:
                self._roots.setdefault(project, root)
        for row in found:
            row.workspace_root = row.workspace_root or self._roots.get(row.project, "")

    def _facts(self) -> dict[str, Facts]:
        with self._guard:
            return self._cache.get()

    def _list_folder(self, where: SessionFolder, facts: dict[str, Facts], found: _Found) -> None:
        try:
            folder = self._layer.open_dir(os.path.realpath(where.path))
        except FileNotFoundError:
            return
        except NotAFile as error:
            found.notices.append(error.sentence)
            return
        except OSError as error:
            found.notices.append(explain(error, "list", where.path).sentence)
            return
        with folder:
            try:
                if where.v4:
                    self._list_v4(folder, where, facts, found)
                else:
                    self._list_plain(folder, where, facts, found)
            except OSError as error:
                found.notices.append(explain(error, "list", where.path).sentence)

    def _list_plain(
        self, folder: Folder, where: SessionFolder, facts: dict[str, Facts], out: _Found
    ) -> None:
        found = look(self._layer, folder, where.path)
        make = self._rows(folder, where, _table(found), out.notes)
        prefix = self._prefix(where)
        out.rows += [
            make.plain(entry, found, facts.get(prefix + entry.id)) for entry in found.entries
        ]
        out.pending |= make.pending
        out.skipped += [Skipped(prefix + item.name, item.reason) for item in found.skipped]
        alone = sorted(name for name in found.names if is_log_alone(name, found.names))
        out.skipped += [Skipped(prefix + n, "an event log without its session") for n in alone]

    def _list_v4(
        self, folder: Folder, where: SessionFolder, facts: dict[str, Facts], out: _Found
    ) -> None:
        make = self._rows(folder, where, lock_table(), out.notes)
        prefix = self._prefix(where)
        with self._layer.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries)
        for name in names:
            if not SESSION_ID.fullmatch(name):
                continue
            row = self._v4_row(make, folder, where, name, facts.get(prefix + name))
            if row is None:
                out.skipped.append(Skipped(prefix + name, "a session without events"))
            else:
                out.rows.append(row)
        out.pending |= make.pending

    def _v4_row(
        self, make: FolderRows, folder: Folder, where: SessionFolder, id: str, facts: Facts | None
    ) -> ReasonixSummary | None:
        try:
            with self._layer.open_dir(os.path.join(folder.path, id)) as session:
                status = self._layer.lstat(session, FRAMES)
        except (OSError, NotAFile):
            return None
        if what_is(status) is not None:
            return None
        catalog = read_catalog(self._layer, folder, id)
        return make.v4(id, os.path.join(where.path, id), status, facts, catalog)

    def _rows(
        self,
        folder: Folder,
        where: SessionFolder,
        table: LockTable | None,
        notes: dict[str, Notes],
    ) -> FolderRows:
        return FolderRows(self._layer, folder, where, self._prefix(where), table, notes)

    def _prefix(self, where: SessionFolder) -> str:
        relative = os.path.relpath(where.path, self.directory)
        return "" if relative == os.curdir else relative.replace(os.sep, "/") + "/"

    def _place(self, id: str) -> tuple[SessionFolder, str]:
        before, _, stem = id.rpartition("/")
        for where in self.folders():
            if self._prefix(where) == (before and before + "/") and stem not in ("", ".", ".."):
                if not where.v4 and not is_session_name(stem + SESSION):
                    break  # a file of a session that only ends as one does
                return where, stem
        raise RunNotFound(sentence("there is no session {id}", id=id), id=id)

    def changes(self, ids: Iterable[str]) -> Changed:
        """What became of these sessions: from sidecars and cache, as in ``list``."""
        facts = self._facts()
        updated: list[SessionSummary] = []
        gone: set[str] = set()
        pending: set[str] = set()
        for id in dict.fromkeys(ids):
            row = self._one(id, facts, pending)
            if row is None:
                gone.add(id)
            else:
                updated.append(row)
        with self._guard:
            self._pending = (self._pending - gone - {row.id for row in updated}) | pending
        return Changed(updated, frozenset(gone), frozenset(pending))

    def _one(
        self, id: str, facts: dict[str, Facts], pending: set[str] | None = None
    ) -> ReasonixSummary | None:
        try:
            where, stem = self._place(id)
            folder = self._layer.open_dir(os.path.realpath(where.path))
        except (RunNotFound, OSError, NotAFile):
            return None
        with folder:
            if where.v4:
                make = self._rows(folder, where, lock_table(), self._noted(folder, stem))
                row = self._v4_row(make, folder, where, stem, facts.get(id))
            else:
                entry = entry_for(self._layer, folder, where.path, stem)
                if entry is None:
                    return None
                # Asked one by one: a folder of thousands is not read for each of its sessions.
                beside = (stem + suffix for suffix in TOLD_BY_NAME)
                names = frozenset(name for name in beside if self._layer.exists(folder, name))
                found = Look([entry], [], names)
                noted = self._noted(folder, stem + SESSION)
                make = self._rows(folder, where, _table(found), noted)
                row = make.plain(entry, found, facts.get(id))
        if row is not None:
            self._give_roots([row])
        if pending is not None:
            pending |= make.pending
        return row

    def _noted(self, folder: Folder, name: str) -> dict[str, Notes]:
        path = os.path.join(folder.path, name)
        return {path: self._notes.of(path)}

    # --- building -------------------------------------------------------------------------------

    def build_pending(
        self,
        ids: Iterable[str] | None = None,
        *,
        on_built: OnBuilt | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Changed:
        """Read the sessions that the cache does not know; those of the last ``list`` without ids.

        ``stop`` is asked between sessions; what was read until then counts.
        """
        with self._guard:
            wanted = sorted(self._pending) if ids is None else list(dict.fromkeys(ids))
        built: dict[str, Facts] = {}
        gone: set[str] = set()
        updated: list[SessionSummary] = []
        for id in wanted:
            if stop is not None and stop():
                break
            row = self._build(id, built)
            if row is None:
                gone.add(id)
                continue
            updated.append(row)
            if on_built is not None:
                on_built(row)
        with self._guard:
            self._cache.put(built, frozenset(gone))
            done = gone.union(built)
            self._pending -= done
        return Changed(updated, frozenset(gone), frozenset(wanted) - done)

    def _build(self, id: str, built: dict[str, Facts]) -> ReasonixSummary | None:
        row = self._one(id, {})
        if row is None:
            return None
        try:
            built[id] = read_facts(row.path, row.generation, self._layer)
        except SessionNotFound:
            return None
        return self._one(id, built)

    # --- one session ----------------------------------------------------------------------------

    def open(self, id: str) -> ReasonixTranscript:
        """The transcript. Raises RunNotFound, NotAFile or StoreIO when it is first read."""
        from tenuto.sources.reasonix_transcript import ReasonixTranscript

        return ReasonixTranscript(self.path(id), layer=self._layer)

    def activity(self, id: str) -> ActivityReader:
        """What it did when, by the times that it stores itself."""
        from tenuto.sources.reasonix_activity import ReasonixActivity

        return ReasonixActivity(self.path(id), layer=self._layer)

    def records(self, id: str) -> RecordReader:
        """The messages of its file, the records of its log, or its frames."""
        from tenuto.sources.reasonix_raw import records_of

        return records_of(self.path(id), self._layer)

    def watch(self, on_change: Callable[[Changes], None]) -> LooksWatcher:
        """A watcher of all folders of sessions, of those that are yet to be made, too."""
        from tenuto.sources import reasonix_watch
        from tenuto.watch_looks import LooksWatcher

        return LooksWatcher(
            lambda: reasonix_watch.look(
                [(self._prefix(f), f) for f in self.folders()], self._notes.all(), self.id_of
            ),
            lambda: (
                *reasonix_watch.folders_of(self.directory, self.folders()),
                *((path, False) for path in (self._notes.directory,) if os.path.isdir(path)),
            ),
            on_change,
        )

    def note(self, id: str) -> str:
        """The operator's note on a session, the whole of it; "" where there is none."""
        return self._notes.of(self.path(id)).note or ""

    def trashed(self) -> TrashListing:
        """What is in the trashes of all projects."""
        from tenuto.sources.trashed import trashed_reasonix

        folders = ((self._prefix(where), where) for where in self.folders())
        return trashed_reasonix(folders, self._roots, self._layer)

    def trash_places(self) -> Sequence[str]:
        """The trash beside each folder of sessions."""
        from tenuto.sources.trashed import trash_of

        return [trash_of(where) for where in self.folders() if not where.v4]

    def word(self, id: str) -> str:
        """The path names a session wherever it is asked for."""
        return self.path(id)

    def capabilities(self, summary: SessionSummary) -> Capabilities:
        """What can be done with a session now, each with the reason when not."""
        from tenuto.sources.reasonix_capabilities import capabilities

        assert isinstance(summary, ReasonixSummary)
        return capabilities(summary)


def _table(found: Look) -> LockTable | None:
    """The system's locks, read only where a session may be leased."""
    return lock_table() if any(name.endswith(".lease.lock") for name in found.names) else None
