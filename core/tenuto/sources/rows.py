# SPDX-License-Identifier: Apache-2.0
"""Rows of a list, made from sidecars, and what only the moment tells: who holds which lock."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, Self

import msgspec

from tenuto.errors import StoreError
from tenuto.runs.ask import Ask
from tenuto.runs.ask import read as read_ask
from tenuto.runs.companions import NOTES, lock_name
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.holders import (
    Holder,
    LockTable,
    holder,
    lock_device,
    lock_table,
    process_start,
)
from tenuto.runs.ids import valid_id
from tenuto.runs.listing import FolderLook, RunEntry
from tenuto.runs.preview import TEXT_LIMIT, may_go_on, preview_name, read_raw, timestamp, trusted
from tenuto.runs.status import interrupted, status_of
from tenuto.sources.base import SessionSummary, blank_summary
from tenuto.text import one_line


class _Notes(msgspec.Struct, gc=False):
    """What a row needs of ``<id>.notes.json``; the rest of the file is not looked at."""

    title: Any = None
    pinned: Any = False
    note: Any = None
    begun: Any = 0
    parent: Any = None


_decode_summary = msgspec.json.Decoder(SessionSummary).decode
_decode_notes = msgspec.json.Decoder(_Notes).decode
_BROKEN = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Rows:
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
        fits = found is not None and trusted(found, entry)
        if not fits and self._cache is not None:
            found = self._sidecar(self._cache, entry.id) or found
            fits = found is not None and trusted(found, entry)
        if found is not None and fits:
            found.source, found.path = "fisk-ai", entry.path
            self._give_status(found)
        else:
            found = self._unknown(entry, found)
        if notes or not found.prompt.startswith(found.title):
            give_notes(self._layer, self._folder, found)
        return found

    def _sidecar(self, folder: Folder, id: str) -> SessionSummary | None:
        data = read_raw(self._layer, folder, preview_name(id))
        if not data:
            return None
        try:
            found = _decode_summary(data)
        except _BROKEN:
            return None
        # Not the sidecar's to say.
        found.pinned = found.note = found.parent = msgspec.UNSET
        return found

    def _give_status(self, row: SessionSummary) -> None:
        holder = self._held.holders.get(row.id)
        ask = self._ask(row.id) if holder is not None else None
        row.status, row.evidence = status_of(row, holder, ask, can_tell=self._held.can_tell)
        give_doubt(self._layer, self._folder, row)

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


def held(folder: Folder, found: FolderLook) -> Held:
    device = lock_device(folder.path)
    if device is None:
        return Held({}, False)
    holders = {
        found.locks[inode]: Holder(pid, process_start(pid))
        for (on, inode), pid in lock_table().items()
        if on == device and inode in found.locks
    }
    return Held(holders, True)


def _table(directory: str) -> LockTable | None:
    return lock_table() if lock_device(directory) is not None else None


class TableBeside(threading.Thread):
    """Reads the system's table of locks while other work is done.

    Linux stops for up to twenty milliseconds before it tells, and needs no processor for that.
    """

    def __init__(self, directory: str) -> None:
        super().__init__(daemon=True)
        self._directory = directory
        self._found: LockTable | None = None
        self.start()

    def run(self) -> None:
        self._found = _table(self._directory)

    def found(self) -> LockTable | None:
        """The table, as of a moment ago; None where nobody tells."""
        self.join()
        return self._found


def held_of(folder: Folder, ids: Iterable[str], beside: TableBeside | None = None) -> Held:
    """As ``held``, for a few runs. ``beside``: a reading of the table that was begun before."""
    table = _table(folder.path) if beside is None else beside.found()
    if table is None:
        return Held({}, False)
    found = {id: holder(folder.file(lock_name(id)), table) for id in ids}
    return Held({id: who for id, who in found.items() if who is not None}, True)


def give_doubt(layer: FileLayer, folder: Folder, row: SessionSummary) -> None:
    """Where a resume began on the batch behind the last record and broke off, say so.

    That record still says how the run had ended before, with nothing of the batch started.
    """
    terminal = row.terminal
    if terminal is None or not row.pending or row.status in ("running", "waiting"):
        return
    given = _notes_of(layer, folder, row.id)
    evidence = interrupted(row)
    if given.begun == terminal.seq and evidence.kind == "outcome_unknown":
        row.status, row.evidence = "interrupted", evidence


def _notes_of(layer: FileLayer, folder: Folder, id: str) -> _Notes:
    data = read_raw(layer, folder, id + NOTES)
    try:
        return _decode_notes(data) if data else _Notes()
    except _BROKEN:
        return _Notes()


def give_notes(layer: FileLayer, folder: Folder, row: SessionSummary) -> None:
    """The operator's title in place of the one in the sidecar, the pin and the note."""
    given = _notes_of(layer, folder, row.id)
    title = one_line(given.title, TEXT_LIMIT) if isinstance(given.title, str) else ""
    if given.pinned is True:
        row.pinned = True
    if isinstance(given.note, str) and (note := one_line(given.note, TEXT_LIMIT)):
        row.note = note
    parent = given.parent.get("id") if isinstance(given.parent, dict) else None
    if isinstance(parent, str) and valid_id(parent):
        row.parent = parent
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
