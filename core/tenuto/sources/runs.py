# SPDX-License-Identifier: Apache-2.0
"""Run journals of one folder as sessions: fisk-ai's runs, and Tenuto's own.

A list is drawn from sidecars alone; no journal is opened for it and no lock is taken. Rows whose
sidecar is missing or stale are shown with what is known and named as pending, and
``build_pending`` reads their journals, or their new bytes only.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Self

import msgspec

from tenuto.errors import NotAFile, StoreError
from tenuto.runs.ask import Ask
from tenuto.runs.ask import read as read_ask
from tenuto.runs.companions import NOTES, journal_name
from tenuto.runs.files import FileLayer, Folder, explain, what_is
from tenuto.runs.holders import Holder, lock_device, lock_table, process_start
from tenuto.runs.ids import valid_id
from tenuto.runs.listing import FolderLook, RunEntry, Skipped, look
from tenuto.runs.preview import TEXT_LIMIT, may_go_on, preview_name, read_raw, timestamp, trusted
from tenuto.runs.status import status_of
from tenuto.sources.base import (
    Capabilities,
    Changed,
    Listing,
    SessionSummary,
    SourceName,
    blank_summary,
)
from tenuto.text import one_line

if TYPE_CHECKING:
    from tenuto.sources.transcript import RunTranscript

OnBuilt = Callable[[SessionSummary], None]


class _Title(msgspec.Struct, gc=False):
    """What a row needs of ``<id>.notes.json``; the rest of the file is not looked at."""

    title: Any = None


_decode_summary = msgspec.json.Decoder(SessionSummary).decode
_decode_title = msgspec.json.Decoder(_Title).decode
_BROKEN = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


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
    ) -> None:
        self._given = os.path.abspath(directory)
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

    def _nothing(self, notice: str | None) -> Listing:
        self._remember(frozenset(), frozenset())
        return Listing([], [], frozenset(), notice)

    def _listing(self, folder: Folder, found: FolderLook) -> Listing:
        entries, twice = _without_second_names(found.entries)
        rows = _Rows(self._layer, folder, self._cache_folder(folder), _held(folder, found))
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
            held = _held_of(folder, wanted)
            with _Rows(self._layer, folder, self._cache_folder(folder), held) as rows:
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
        path = folder.file(journal_name(id))
        return RunEntry(
            id, path, status.st_size, status.st_mtime_ns, status.st_ino, status.st_nlink
        )

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
            builder = Builder(self._layer, folder, self._cache_folder(folder))
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

    def capabilities(self, summary: SessionSummary) -> Capabilities:
        """What can be done with a session now, each with the reason when not."""
        from tenuto.sources.capabilities import capabilities

        return capabilities(summary, self.directory)


class _Rows:
    """Makes rows from sidecars. Holds the cache folder open; a context manager."""

    def __init__(self, layer: FileLayer, folder: Folder, cache: str | None, held: Held) -> None:
        self._layer = layer
        self._folder = folder
        self._cache = _open_cache(layer, cache)
        self._held = held
        self.pending: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._cache is not None:
            self._cache.close()

    def row(self, entry: RunEntry, *, sidecar: bool = True, notes: bool = True) -> SessionSummary:
        """One row. ``sidecar`` and ``notes``: whether the folder has such a file."""
        found = self._sidecar(self._folder, entry.id) if sidecar else None
        if self._cache is not None and (found is None or not trusted(found, entry)):
            found = self._sidecar(self._cache, entry.id) or found
        if found is not None and trusted(found, entry):
            found.source, found.path = "fisk-ai", entry.path
            self._give_status(found)
        else:
            found = self._unknown(entry, found)
        if notes or not found.prompt.startswith(found.title):
            give_title(self._layer, self._folder, found)
        return found

    def _sidecar(self, folder: Folder, id: str) -> SessionSummary | None:
        data = read_raw(self._layer, folder, preview_name(id))
        if not data:
            return None
        try:
            return _decode_summary(data)
        except _BROKEN:
            return None

    def _give_status(self, row: SessionSummary) -> None:
        holder = self._held.holders.get(row.id)
        ask = self._ask(row.id) if holder is not None else None
        row.status, row.evidence = status_of(row, holder, ask, can_tell=self._held.can_tell)

    def _ask(self, id: str) -> Ask | None:
        return read_ask(self._folder.path, id, layer=self._layer)

    def _unknown(self, entry: RunEntry, stale: SessionSummary | None) -> SessionSummary:
        """A pending row; with what an outdated sidecar still tells where the file only grew."""
        self.pending.add(entry.id)
        if stale is not None and may_go_on(stale, entry):
            row = stale
            row.size, row.mtime_ns = entry.size, entry.mtime_ns
            row.updated = timestamp(entry.mtime_ns)
            row.source, row.path = "fisk-ai", entry.path
        else:
            row = blank_summary(
                entry.id,
                entry.path,
                size=entry.size,
                mtime_ns=entry.mtime_ns,
                inode=entry.inode,
            )
        row.status, row.evidence = "pending", None
        if entry.id in self._held.holders:
            self._give_status(row)
        return row


class Held(msgspec.Struct, frozen=True):
    """Who holds the locks of a folder's runs, from one reading of the system's table."""

    holders: dict[str, Holder]
    can_tell: bool


def _held(folder: Folder, found: FolderLook) -> Held:
    device = lock_device(folder.path)
    if device is None:
        return Held({}, False)
    holders = {
        found.locks[inode]: Holder(pid, process_start(pid))
        for (on, inode), pid in lock_table().items()
        if on == device and inode in found.locks
    }
    return Held(holders, True)


def _held_of(folder: Folder, ids: Iterable[str]) -> Held:
    """As ``_held``, for a few runs."""
    from tenuto.runs.companions import lock_name
    from tenuto.runs.holders import holder

    if lock_device(folder.path) is None:
        return Held({}, False)
    table = lock_table()
    found = {id: holder(folder.file(lock_name(id)), table) for id in ids}
    return Held({id: who for id, who in found.items() if who is not None}, True)


def give_title(layer: FileLayer, folder: Folder, row: SessionSummary) -> None:
    """The operator's title, from the notes, in place of the one in the sidecar."""
    title = ""
    data = read_raw(layer, folder, row.id + NOTES)
    if data:
        try:
            given = _decode_title(data).title
        except _BROKEN:
            given = None
        if isinstance(given, str):
            title = one_line(given, TEXT_LIMIT)
    if title:
        row.title = title
    elif not row.title or not row.prompt.startswith(row.title):
        # What the sidecar has was the operator's, who took it back.
        row.title = row.prompt


def _open_cache(layer: FileLayer, cache: str | None) -> Folder | None:
    if cache is None:
        return None
    try:
        return layer.open_dir(cache)
    except (OSError, StoreError):
        return None


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


def _sentence(error: Exception, path: str) -> str:
    if isinstance(error, OSError):
        return explain(error, "list", path).message
    return str(error)


@contextmanager
def collector_off() -> Iterator[None]:
    """Making many objects, none of them garbage, the collector only costs time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
