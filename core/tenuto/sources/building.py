# SPDX-License-Identifier: Apache-2.0
"""Making the previews that a listing missed, and sweeping those that nobody needs."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterable

from tenuto.errors import NotAFile, StoreError
from tenuto.runs.ask import read as read_ask
from tenuto.runs.companions import journal_name, lock_name
from tenuto.runs.files import FileLayer, Folder, explain
from tenuto.runs.holders import Holder, LockTable, holder, lock_device, lock_table
from tenuto.runs.listing import RunEntry
from tenuto.runs.preview import Preview, blank, preview_name, read_sidecar, trusted, write_sidecar
from tenuto.runs.preview_build import build
from tenuto.runs.status import status_of
from tenuto.sources.base import Changed, SessionSummary
from tenuto.sources.rows import give_doubt, give_notes
from tenuto.sources.seen_times import note

#: Threads that build: folding holds the interpreter, but the wait for fsync does not.
WORKERS = 4
#: Journals from which on more than one thread is worth its start.
_MANY = 8
#: Seconds that one reading of the lock table is good for.
_TABLE_AGE = 1.0


class Builder:
    """Builds previews in one folder."""

    def __init__(
        self, layer: FileLayer, folder: Folder, cache: str | None, *, note_times: bool = False
    ) -> None:
        self._note_times = note_times
        self._layer = layer
        self._folder = folder
        self._cache_path = cache
        self._can_tell = lock_device(folder.path) is not None
        self._guard = threading.Lock()
        self._table: LockTable = {}
        self._table_until = 0.0

    def build(
        self,
        ids: Iterable[str],
        on_built: Callable[[SessionSummary], None] | None,
        stop: Callable[[], bool] | None,
    ) -> Changed:
        """Build these; what was not reached before ``stop`` said so is still pending."""
        left = list(ids)[::-1]
        updated: list[SessionSummary] = []
        gone: set[str] = set()
        failures: list[BaseException] = []

        def work() -> None:
            while True:
                with self._guard:
                    if not left or failures or (stop is not None and stop()):
                        return
                    id = left.pop()
                try:
                    row = self._build_one(id)
                    with self._guard:
                        if row is None:
                            gone.add(id)
                        else:
                            updated.append(row)
                            if on_built is not None:
                                on_built(row)
                except BaseException as error:  # noqa: BLE001 - raised again by the caller's thread
                    failures.append(error)

        with self._open_cache() as self._target:
            helpers = [
                threading.Thread(target=work, name="preview-builder", daemon=True)
                for _ in range(WORKERS - 1 if len(left) >= _MANY else 0)
            ]
            for helper in helpers:
                helper.start()
            work()
            for helper in helpers:
                helper.join()
        if failures:
            raise failures[0]
        return Changed(updated, frozenset(gone), frozenset(left))

    def _open_cache(self) -> Folder | contextlib.nullcontext[Folder]:
        """Where sidecars are written."""
        if self._cache_path is None:
            return contextlib.nullcontext(self._folder)
        try:
            return self._layer.make_dir(self._cache_path)
        except (OSError, StoreError):
            # Not even the cache can be written: previews are made, shown, and made again.
            return contextlib.nullcontext(self._folder)

    def _build_one(self, id: str) -> SessionSummary | None:
        """One session's row; None where it is gone, or is no session any more."""
        before = read_sidecar(self._layer, self._target, id)
        try:
            preview, entry = build(self._layer, self._folder, id, before)
        except (FileNotFoundError, NotAFile):
            return None
        except OSError as error:
            return self._unreadable(id, error)
        row = _summary(preview, entry)
        give_notes(self._layer, self._folder, row)
        if before is None or not trusted(before, entry) or before.title != row.title:
            # A cache that cannot be written is no failure (a full disk, a folder made read-only).
            with contextlib.suppress(OSError, StoreError):
                write_sidecar(self._layer, self._target, row)
        self._give_status(row)
        if self._note_times:
            who = self._holder(id)
            with contextlib.suppress(OSError, StoreError):
                note(self._layer, self._folder, before, preview, who.pid if who else None)
        return row

    def _unreadable(self, id: str, error: OSError) -> SessionSummary | None:
        name = journal_name(id)
        path = self._folder.file(name)
        try:
            status = self._layer.lstat(self._folder, name)
        except OSError:
            return None
        entry = RunEntry(
            id, path, status.st_size, status.st_mtime_ns, status.st_ino, status.st_nlink
        )
        row = _summary(blank(entry), entry)
        row.integrity, row.problem = "damaged", explain(error, "read", path).message
        self._give_status(row)
        return row

    def _give_status(self, row: SessionSummary) -> None:
        who = self._holder(row.id)
        ask = read_ask(self._folder.path, row.id, layer=self._layer) if who else None
        row.status, row.evidence = status_of(row, who, ask, can_tell=self._can_tell)
        give_doubt(self._layer, self._folder, row)

    def _holder(self, id: str) -> Holder | None:
        with self._guard:
            if time.monotonic() >= self._table_until:
                self._table = lock_table()
                self._table_until = time.monotonic() + _TABLE_AGE
            table = self._table
        return holder(self._folder.file(lock_name(id)), table)

    def sweep(self, ids: Iterable[str]) -> None:
        """Remove sidecars whose journal is gone."""
        for id in ids:
            if not self._layer.exists(self._folder, journal_name(id)):
                with contextlib.suppress(OSError):
                    self._layer.unlink(self._folder, preview_name(id))
        if self._cache_path is not None:
            self._sweep_cache(self._cache_path)

    def _sweep_cache(self, path: str) -> None:
        with contextlib.suppress(OSError, StoreError), self._layer.make_dir(path) as cache:
            for name in os.listdir(path):
                id = name.partition(".")[0]
                if not self._layer.exists(self._folder, journal_name(id)):
                    with contextlib.suppress(OSError):
                        self._layer.unlink(cache, name)


def _summary(preview: Preview, entry: RunEntry) -> SessionSummary:
    values = {name: getattr(preview, name) for name in Preview.__struct_fields__}
    return SessionSummary(**values, path=entry.path)


__all__ = ["Builder"]
