# SPDX-License-Identifier: Apache-2.0
"""What is in a folder of runs, by one look at its entries; no file is opened.

Everything is either in the list or counted with the reason why not (design.md, promise 2).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from operator import itemgetter

import msgspec

from tenuto.runs.companions import JOURNAL, KEPT, PREVIEW, owner_of
from tenuto.runs.files import FileLayer, Folder, what_is
from tenuto.runs.ids import valid_id


class RunEntry(msgspec.Struct, frozen=True, gc=False):
    """A journal as the folder has it; nothing of it was read."""

    id: str
    path: str
    size: int
    mtime_ns: int
    inode: int
    #: More than one name for the file: readable, never appended to.
    nlink: int


class Skipped(msgspec.Struct, frozen=True, gc=False):
    """Something in the folder that is not in the list, and why."""

    name: str
    reason: str


def list_folder(layer: FileLayer, directory: str) -> tuple[list[RunEntry], list[Skipped]]:
    """Every journal in ``directory``, in the folder's order, and what else is there, by name.

    A folder that is not there holds nothing.

    :raises OSError: it cannot be read.
    :raises NotAFile: it is no folder.
    """
    try:
        with layer.open_dir(directory) as folder:
            found = look(layer, folder)
    except FileNotFoundError:
        return [], []
    return found.entries, found.skipped()


def look(layer: FileLayer, folder: Folder) -> FolderLook:
    """One look at every name of an open folder. OSError passes through."""
    found = FolderLook(folder.path)
    with layer.scandir(folder) as entries:
        found.take(entries)
    return found


class Glance(msgspec.Struct, gc=False):
    """The journals of a large folder that were written last, and others that have notes.

    ``count``: of all names that stand for journals.
    """

    count: int
    newest: list[RunEntry]
    noted: list[RunEntry]


def glance(layer: FileLayer, folder: Folder, count: int) -> Glance:
    """So many of the newest journals, and as many others with notes; OSError passes through.

    Quicker than a `look`: of the others nothing is kept, and who has which companions is not told.
    """
    # Of each no more than its time: to keep 10,000 whole answers takes as long as to ask for them.
    times: list[tuple[int, str]] = []
    notes: set[str] = set()
    with layer.scandir(folder) as entries:
        for entry in entries:
            id, _, rest = entry.name.partition(".")
            if rest == "json":
                try:
                    times.append((entry.stat(follow_symlinks=False).st_mtime_ns, id))
                except FileNotFoundError:
                    continue
            elif rest == "notes.json":
                notes.add(id)
    times.sort(key=itemgetter(0), reverse=True)
    prefix = folder.path.rstrip(os.sep) + os.sep
    newest: list[RunEntry] = []
    noted: list[RunEntry] = []
    for _, id in times:
        kept = newest if len(newest) < count else noted
        if len(kept) == count or (kept is noted and id not in notes) or not valid_id(id):
            continue
        try:
            status = layer.lstat(folder, id + JOURNAL)
        except FileNotFoundError:
            continue
        if what_is(status) is None:
            kept.append(_entry(prefix + id + JOURNAL, id, status))
    return Glance(len(times), newest, noted)


def _entry(path: str, id: str, status: os.stat_result) -> RunEntry:
    return RunEntry(id, path, status.st_size, status.st_mtime_ns, status.st_ino, status.st_nlink)


class FolderLook:
    """What one look found: the journals, and which runs have which other files."""

    def __init__(self, directory: str) -> None:
        self._prefix = directory.rstrip(os.sep) + os.sep
        self.entries: list[RunEntry] = []
        #: What stands before ``.preview.json``; ids are told from other words by ``orphans``.
        self.previews: set[str] = set()
        #: Ids that have notes, a question; also of runs that are gone.
        self.notes: set[str] = set()
        self.asks: set[str] = set()
        #: Inode of a lock file -> id.
        self.locks: dict[int, str] = {}
        self._skipped: list[Skipped] = []
        #: Run -> its files that cannot be made again.
        self._kept: dict[str, list[str]] = {}

    def take(self, entries: Iterable[os.DirEntry[str]]) -> None:
        """Take all entries. The kinds that every run has come first: folders are large."""
        locks, previews = self.locks, self.previews
        for entry in entries:
            id, _, rest = entry.name.partition(".")
            if rest == "json" and valid_id(id):
                self._journal(entry, id)
            elif rest == "lock" and valid_id(id) and entry.is_file(follow_symlinks=False):
                locks[entry.inode()] = id
            elif rest == "preview.json" and entry.is_file(follow_symlinks=False):
                previews.add(id)
            else:
                self._other(entry)

    def _other(self, entry: os.DirEntry[str]) -> None:
        name = entry.name
        owner = owner_of(name)
        if owner is None:
            bad_id = name.endswith(JOURNAL) and not name.startswith(".")
            self._skip(name, "not a valid run id" if bad_id else "not a file of a run")
            return
        if not entry.is_file(follow_symlinks=False):
            self._skip(name, "not a file: " + ("symlink" if entry.is_symlink() else "special file"))
            return
        id, kind = owner
        if kind == "ask":
            self.asks.add(id)
        elif kind == "notes":
            self.notes.add(id)
        if kind in KEPT:
            self._kept.setdefault(id, []).append(name)

    def _journal(self, entry: os.DirEntry[str], id: str) -> None:
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        what = what_is(status)
        if what is not None:
            self._skip(entry.name, f"not a run file: {what}")
            return
        self.entries.append(_entry(self._prefix + entry.name, id, status))

    def _skip(self, name: str, reason: str) -> None:
        self._skipped.append(Skipped(name, reason))

    def orphans(self) -> set[str]:
        """Ids that have a sidecar and no journal."""
        return {id for id in self._stray_previews() if valid_id(id)}

    def _stray_previews(self) -> set[str]:
        return self.previews - {entry.id for entry in self.entries}

    def skipped(self) -> list[Skipped]:
        """What is not in the list, with reasons, by name."""
        found = list(self._skipped)
        ids = {entry.id for entry in self.entries} if self._kept else set()
        for id, names in self._kept.items():
            if id not in ids:
                found += [Skipped(name, "left over from a run that is gone") for name in names]
        for word in self._stray_previews():
            if not valid_id(word):
                found.append(Skipped(word + PREVIEW, "not a file of a run"))
        return sorted(found, key=lambda item: item.name)
