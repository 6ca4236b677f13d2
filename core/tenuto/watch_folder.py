# SPDX-License-Identifier: Apache-2.0
"""What a runs folder looked like at the last look, and what is different now.

The truth behind ``SessionWatcher``: events only say where to look. A session counts as changed
when its journal's (inode, size, mtime) changed, or that of its notes or its open question, or when
somebody took or let go of its lock. Sidecars, times and temporary files do not count: Tenuto writes
those itself, and an answer to them would go round in circles.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec

from tenuto.runs.holders import lock_device, lock_table
from tenuto.runs.ids import valid_id

#: (type bits of the mode, inode, size, mtime in ns)
Signature = tuple[int, int, int, int]
#: (device, inode, mtime in ns, ctime in ns). Anybody may set the mtime back, as `cp -a` does.
FolderStamp = tuple[int, int, int, int]

_JOURNAL = "json"
_SIDES = ("ask.json", "notes.json")
_LOCK = "lock"
#: Up to so many files a look at all of them costs next to nothing.
_FEW = 1000
#: Windows has neither.
_HAS_DIR_FD = os.stat in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
#: A folder's time is trusted when it is older than this: file systems keep whole seconds, or two.
_RACY_NS = 2_500_000_000


class Difference(msgspec.Struct, frozen=True):
    """Ids of sessions, by what became of them since the last look."""

    appeared: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.appeared or self.changed or self.gone)


def session_of(name: str) -> str | None:
    """The session that a file of the folder says something about, None for all other names."""
    run, _, kind = name.partition(".")
    if kind in (_JOURNAL, _LOCK, *_SIDES) and valid_id(run):
        return run
    return None


class FolderState:
    """The folder's sessions as last seen. Not thread-safe: one owner."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journals: dict[str, Signature] = {}
        #: By file name: ``<id>.ask.json`` and ``<id>.notes.json``.
        self._sides: dict[str, Signature] = {}
        #: Inode of ``<id>.lock`` -> id.
        self._locks: dict[int, str] = {}
        self._device: int | None = None
        #: id -> pid of the lock's holder.
        self._held: dict[str, int] = {}
        #: File names and signatures of journals and sides; None when some of them are others now.
        self._known: list[tuple[str, Signature]] | None = None
        #: The folder as it was at the last look for names; None: look again.
        self._folder_then: FolderStamp | None = None

    def glance(self) -> Difference:
        """Look at all names, where the folder has new ones, and ask every known file for its time.

        What ``look`` finds, at half its cost: a change that sent no event is found at the next
        glance. Of a small folder it is a look. Raises OSError as ``look`` does.
        """
        if len(self._journals) + len(self._sides) <= _FEW:
            return self.look()
        try:
            strangers, stamp = self._strangers()
            names = strangers | self._grown()
        except (FileNotFoundError, NotADirectoryError):
            return self.look()
        found = self.look_at(names)
        # Only now: where one of these steps failed, the names are still to be looked for.
        self._folder_then = stamp
        return self._with_locks(found)

    def _grown(self) -> set[str]:
        """Names of known files that are not as they were, in a loop of few steps: 2.2 us a file.

        The folder is opened, and the list of names kept while it holds: with whole paths, made
        anew, it was a third more.
        """
        prefix = "" if _HAS_DIR_FD else f"{self._folder}{os.sep}"
        if self._known is None:
            known = [(f"{run}.{_JOURNAL}", found) for run, found in self._journals.items()]
            known += self._sides.items()
            self._known = [(prefix + name, found) for name, found in known]
        grown: set[str] = set()
        stat_of = os.stat
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY) if _HAS_DIR_FD else None
        try:
            for name, (_, inode, size, mtime) in self._known:
                try:
                    now = stat_of(name, dir_fd=folder, follow_symlinks=False)
                except OSError:
                    grown.add(name)
                    continue
                if now.st_mtime_ns != mtime or now.st_size != size or now.st_ino != inode:
                    grown.add(name)
        finally:
            if folder is not None:
                os.close(folder)
        return {name.removeprefix(prefix) for name in grown}

    def _strangers(self) -> tuple[set[str], FolderStamp | None]:
        """Names that came, went or stand for another file since the last look for names.

        And what is to be remembered of the folder once they have been looked at.
        """
        before = os.stat(self._folder)
        if self._folder_then == _times(before):
            return set(), self._folder_then
        stamp = _settled(before)
        known = {f"{run}.{_JOURNAL}": found[1] for run, found in self._journals.items()}
        known |= {name: found[1] for name, found in self._sides.items()}
        strange: set[str] = set()
        locks: dict[int, str] = {}
        with os.scandir(self._folder) as entries:
            for entry in entries:
                name = entry.name
                if known.pop(name, None) == entry.inode():
                    continue
                run, _, kind = name.partition(".")
                if kind == _LOCK:
                    locks[entry.inode()] = run
                elif (kind == _JOURNAL or kind in _SIDES) and valid_id(run):
                    strange.add(name)
        self._locks = locks
        return strange | known.keys(), stamp

    def look(self) -> Difference:
        """Look at everything. Raises OSError where the folder cannot be read (state unchanged).

        A folder that is not there has no sessions.
        """
        journals: dict[str, Signature] = {}
        sides: dict[str, Signature] = {}
        locks: dict[int, str] = {}
        stamp: FolderStamp | None = None
        try:
            stamp = _settled(os.stat(self._folder))
            with os.scandir(self._folder) as entries:
                for entry in entries:
                    run, _, kind = entry.name.partition(".")
                    if kind == _LOCK:
                        locks[entry.inode()] = run
                    elif kind == _JOURNAL or kind in _SIDES:
                        if not valid_id(run):
                            continue
                        try:
                            found = _signature(entry.stat(follow_symlinks=False))
                        except OSError:
                            continue  # Went while we looked.
                        if kind == _JOURNAL:
                            journals[run] = found
                        else:
                            sides[entry.name] = found
        except (FileNotFoundError, NotADirectoryError):
            stamp = None
        self._folder_then = stamp
        difference = _compare(self._journals, journals, self._sides, sides)
        self._journals, self._sides, self._locks = journals, sides, locks
        self._known = None
        self._device = lock_device(self._folder)
        return self._with_locks(difference)

    def look_at(self, names: Iterable[str]) -> Difference:
        """Look at the files with these names only. Raises OSError as ``look`` does."""
        appeared: set[str] = set()
        changed: set[str] = set()
        gone: set[str] = set()
        for name in names:
            run = session_of(name)
            if run is None:
                continue
            if name == f"{run}.{_LOCK}":
                # Only its creation is an event, and the lock is taken a moment later: the next
                # look at the lock table tells.
                self._find_lock(run)
                continue
            try:
                found = _signature(os.stat(self._folder / name, follow_symlinks=False))
            except (FileNotFoundError, NotADirectoryError):
                found = None
            if name != f"{run}.{_JOURNAL}":
                if found != self._sides.get(name):
                    changed.add(run)
                self._set(self._sides, name, found)
            else:
                before = self._journals.get(run)
                if found is None and before is not None:
                    gone.add(run)
                elif before is None and found is not None:
                    appeared.add(run)
                elif found != before:
                    changed.add(run)
                self._set(self._journals, run, found)
        for run in appeared | changed:
            self._find_lock(run)
        changed = {run for run in changed - appeared - gone if run in self._journals}
        return Difference(frozenset(appeared), frozenset(changed), frozenset(gone))

    def look_at_locks(self) -> Difference:
        """Whether somebody took or let go of a known lock; costs one read of the lock table."""
        return self._with_locks(Difference())

    def _set(self, table: dict[str, Signature], key: str, value: Signature | None) -> None:
        if table.get(key) != value:
            self._known = None
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value

    def _find_lock(self, run: str) -> None:
        """Learn of a lock file that came after the last full look."""
        try:
            found = os.stat(self._folder / f"{run}.{_LOCK}", follow_symlinks=False)
        except OSError:
            return
        self._locks[found.st_ino] = run

    def _with_locks(self, difference: Difference) -> Difference:
        held: dict[str, int] = {}
        if self._device is not None and self._locks:
            for (device, inode), pid in lock_table().items():
                if device == self._device and inode in self._locks:
                    held[self._locks[inode]] = pid
        if held == self._held:
            return difference
        turned = {run for run, _ in held.items() ^ self._held.items() if run in self._journals}
        self._held = held
        turned -= difference.appeared
        return Difference(difference.appeared, difference.changed | turned, difference.gone)


def _signature(found: os.stat_result) -> Signature:
    return (stat.S_IFMT(found.st_mode), found.st_ino, found.st_size, found.st_mtime_ns)


def _times(folder: os.stat_result) -> FolderStamp:
    return (folder.st_dev, folder.st_ino, folder.st_mtime_ns, folder.st_ctime_ns)


def _settled(folder: os.stat_result) -> FolderStamp | None:
    """What tells that nothing came since; None while something may yet. To be asked at once."""
    return _times(folder) if time.time_ns() - folder.st_mtime_ns > _RACY_NS else None


def _compare(
    journals_before: dict[str, Signature],
    journals: dict[str, Signature],
    sides_before: dict[str, Signature],
    sides: dict[str, Signature],
) -> Difference:
    appeared = journals.keys() - journals_before.keys()
    gone = journals_before.keys() - journals.keys()
    changed = {run for run, found in journals.items() if found != journals_before.get(run)}
    for name in sides.keys() | sides_before.keys():
        if sides.get(name) != sides_before.get(name):
            changed.add(name.partition(".")[0])
    changed = {run for run in changed - appeared if run in journals}
    return Difference(frozenset(appeared), frozenset(changed), frozenset(gone))
