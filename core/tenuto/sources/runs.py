# SPDX-License-Identifier: Apache-2.0
"""Run journals of one folder as sessions: fisk-ai's runs, and Tenuto's own.

A list is drawn from sidecars alone; no journal is opened for it and no lock is taken. Rows whose
sidecar is missing or stale are shown with what is known and named as pending, and
``build_pending`` reads their journals, or their new bytes only.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from tenuto.collector import collector_off
from tenuto.errors import NotAFile
from tenuto.runs.companions import journal_name
from tenuto.runs.files import FileLayer, Folder, explain, what_is
from tenuto.runs.ids import valid_id
from tenuto.runs.listing import FolderLook, RunEntry, Skipped, glance, look
from tenuto.sentences import Sentence
from tenuto.sources.base import (
    Capabilities,
    Changed,
    Listing,
    SessionSummary,
    SourceName,
)
from tenuto.sources.rows import Rows, TableBeside, held, held_of

if TYPE_CHECKING:
    from tenuto.sources.activity_reader import RunActivity
    from tenuto.sources.raw import RecordIndex
    from tenuto.sources.transcript import RunTranscript
    from tenuto.sources.trashed import TrashListing
    from tenuto.watch import Changes, SessionWatcher

#: A folder is large when it has so many times the rows of a glance.
_MANY = 5

OnBuilt = Callable[[SessionSummary], None]


class RunSource:
    """The sessions of one runs folder. May be shared by threads; holds nothing open between calls.

    A symlink to the folder is resolved at each look, so that one that is pointed elsewhere is
    followed.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        *,
        cache: str | os.PathLike[str] | None = None,
        layer: FileLayer | None = None,
        note_times: bool = False,
    ) -> None:
        self._given = os.path.abspath(directory)
        #: Whether records that somebody else appends get the time at which they are seen.
        self._note_times = note_times
        self._cache = cache
        self._layer = layer or FileLayer()
        self._guard = threading.Lock()
        self._pending: frozenset[str] = frozenset()
        self._orphans: frozenset[str] = frozenset()

    @property
    def name(self) -> SourceName:
        """``fisk-ai``."""
        return "fisk-ai"

    @property
    def directory(self) -> str:
        """The folder, absolute, symlinks resolved."""
        return os.path.realpath(self._given)

    def path(self, id: str) -> str:
        """Where the journal of session ``id`` is, or would be."""
        return os.path.join(self.directory, journal_name(id))

    # --- looking --------------------------------------------------------------------------------

    def list(self) -> Listing:
        """All sessions, newest activity first. Never raises: ``notice`` says what is wrong."""
        with collector_off():
            try:
                folder = self._layer.open_dir(self.directory)
            except FileNotFoundError:
                return self._nothing(None)
            except (OSError, NotAFile) as error:
                return self._nothing(_sentence(error, self.directory))
            with folder:
                try:
                    found = look(self._layer, folder)
                except OSError as error:
                    return self._nothing(_sentence(error, folder.path))
                return self._listing(folder, found)

    def newest(self, count: int) -> Sequence[SessionSummary]:
        """The rows of so many sessions with the newest activity, and of those with a pin.

        A first glance at a large folder, for who shows rows before ``list`` has read them all.
        Empty where ``list`` is as quick, and where it says what is wrong.
        """
        try:
            with collector_off(), self._layer.open_dir(self.directory) as folder:
                locks = TableBeside(folder.path)
                found = glance(self._layer, folder, count)
                if found.count <= _MANY * count:
                    return []
                now = held_of(folder, (e.id for e in (*found.newest, *found.noted)), locks)
                with Rows(self._layer, folder, self._cache_folder(folder), now) as rows:
                    first = [rows.row(entry) for entry in found.newest]
                    pinned = [rows.row(entry) for entry in found.noted]
                return [*(row for row in pinned if row.pinned), *first]
        except (OSError, NotAFile):
            return []

    def _nothing(self, notice: Sentence | None) -> Listing:
        self._remember(frozenset(), frozenset())
        return Listing([], [], frozenset(), notice)

    def _listing(self, folder: Folder, found: FolderLook) -> Listing:
        entries, twice = _without_second_names(found.entries)
        rows = Rows(self._layer, folder, self._cache_folder(folder), held(folder, found))
        with rows:
            summaries = [
                rows.row(entry, sidecar=entry.id in found.previews, notes=entry.id in found.notes)
                for entry in entries
            ]
            pending = frozenset(rows.pending)
        # Newest activity first, then by id: two sorts of plain values, quicker than one of pairs.
        summaries.sort(key=attrgetter("id"))
        summaries.sort(key=attrgetter("mtime_ns"), reverse=True)
        self._remember(pending, frozenset(found.orphans()))
        skipped = found.skipped()
        if twice:
            skipped = sorted([*skipped, *twice], key=lambda item: item.name)
        return Listing(summaries, skipped, pending)

    def _remember(self, pending: frozenset[str], orphans: frozenset[str]) -> None:
        with self._guard:
            self._pending, self._orphans = pending, orphans

    def changes(self, ids: Iterable[str]) -> Changed:
        """What became of these sessions: from sidecars, as in ``list``."""
        wanted = [id for id in dict.fromkeys(ids) if valid_id(id)]
        try:
            folder = self._layer.open_dir(self.directory)
        except (OSError, NotAFile):
            return Changed([], frozenset(wanted))
        gone: set[str] = set()
        updated: list[SessionSummary] = []
        with folder:
            now = held_of(folder, wanted)
            with Rows(self._layer, folder, self._cache_folder(folder), now) as rows:
                for id in wanted:
                    entry = self._entry(folder, id)
                    if entry is None:
                        gone.add(id)
                    else:
                        updated.append(rows.row(entry))
                pending = frozenset(rows.pending)
        with self._guard:
            self._pending = (self._pending - set(wanted)) | pending
        return Changed(updated, frozenset(gone), pending)

    def _entry(self, folder: Folder, id: str) -> RunEntry | None:
        try:
            status = self._layer.lstat(folder, journal_name(id))
        except OSError:
            return None
        if what_is(status) is not None:
            return None
        if status.st_nlink > 1 and self._is_second_name(folder, id):
            return None
        path = folder.file(journal_name(id))
        return RunEntry(
            id, path, status.st_size, status.st_mtime_ns, status.st_ino, status.st_nlink
        )

    def _is_second_name(self, folder: Folder, id: str) -> bool:
        """Whether the list shows this file under another id."""
        try:
            kept, _ = _without_second_names(look(self._layer, folder).entries)
        except OSError:
            return False
        return all(entry.id != id for entry in kept)

    def _cache_folder(self, folder: Folder) -> str | None:
        """Where sidecars go that cannot lie beside their journals; None where they can."""
        if os.access(folder.path, os.W_OK | os.X_OK):
            return None
        import hashlib

        from tenuto.paths import cache_dir

        base = os.fspath(self._cache) if self._cache is not None else os.fspath(cache_dir())
        key = hashlib.sha256(os.fsencode(folder.path)).hexdigest()[:32]
        return os.path.join(base, "previews", key)

    # --- building -------------------------------------------------------------------------------

    def build_pending(
        self,
        ids: Iterable[str] | None = None,
        *,
        on_built: OnBuilt | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Changed:
        """Make the missing previews, those of the last ``list`` where no ids are given.

        Without ids, sidecars whose journal is gone are swept too. ``on_built`` is called from
        this or a helping thread, one call at a time; ``stop`` is asked between journals.
        """
        with self._guard:
            wanted = sorted(self._pending) if ids is None else list(dict.fromkeys(ids))
            orphans = self._orphans if ids is None else frozenset()
        if not wanted and not orphans:
            return Changed([], frozenset())
        # Reading journals takes far more modules than listing does.
        from tenuto.sources.building import Builder

        try:
            folder = self._layer.open_dir(self.directory)
        except (OSError, NotAFile):
            return Changed([], frozenset(wanted))
        with folder:
            builder = Builder(
                self._layer, folder, self._cache_folder(folder), note_times=self._note_times
            )
            changed = builder.build(wanted, on_built, stop)
            builder.sweep(orphans)
        with self._guard:
            self._pending = (self._pending - set(wanted)) | changed.pending
            self._orphans -= orphans
        return changed

    # --- one session ----------------------------------------------------------------------------

    def open(self, id: str) -> RunTranscript:
        """The transcript. Raises RunNotFound, NotAFile or StoreIO when it is first read."""
        from tenuto.sources.transcript import RunTranscript

        return RunTranscript(self.path(id), layer=self._layer)

    def watch(self, on_change: Callable[[Changes], None]) -> SessionWatcher:
        """A watcher of the folder, not started yet."""
        from tenuto.watch import SessionWatcher

        return SessionWatcher(self.directory, on_change)

    def word(self, id: str) -> str:
        """A run's id names it, in its folder."""
        return id

    def note(self, id: str) -> str:
        """The operator's note, the whole of it; "" where there is none."""
        from tenuto.runs import notes

        return notes.load(self.directory, id, layer=self._layer).note or ""

    def trashed(self) -> TrashListing:
        """What is in Tenuto's trash, whichever folder it came from."""
        from tenuto.paths import trash_dir
        from tenuto.sources.trashed import trashed_runs

        return trashed_runs(trash_dir(), self._layer)

    def trash_places(self) -> Sequence[str]:
        """Tenuto's trash."""
        from tenuto.paths import trash_dir

        return [str(trash_dir())]

    def activity(self, id: str) -> RunActivity:
        """What the session did when. Raises as ``open`` when it is first read."""
        from tenuto.sources.activity_reader import RunActivity

        return RunActivity(self.path(id), layer=self._layer)

    def records(self, id: str) -> RecordIndex:
        """The session's lines as they are on disk. Raises as ``open`` when it is first read."""
        from tenuto.sources.raw import RecordIndex

        return RecordIndex(self.path(id), layer=self._layer)

    def capabilities(self, summary: SessionSummary) -> Capabilities:
        """What can be done with a session now, each with the reason when not."""
        from tenuto.sources.capabilities import capabilities

        return capabilities(summary, self.directory)


def _without_second_names(entries: list[RunEntry]) -> tuple[list[RunEntry], list[Skipped]]:
    """One entry per file: hard links within the folder are one session under several names."""
    first: dict[int, str] = {}
    for entry in entries:
        if entry.nlink > 1:
            known = first.get(entry.inode)
            first[entry.inode] = entry.id if known is None else min(known, entry.id)
    if len(first) == 0:
        return entries, []
    kept: list[RunEntry] = []
    twice: list[Skipped] = []
    for entry in entries:
        known = first.get(entry.inode, entry.id)
        if known == entry.id:
            kept.append(entry)
        else:
            reason = f"another name of {journal_name(known)}"
            twice.append(Skipped(journal_name(entry.id), reason))
    return kept, twice


def _sentence(error: OSError | NotAFile, path: str) -> Sentence:
    return error.sentence if isinstance(error, NotAFile) else explain(error, "list", path).sentence
