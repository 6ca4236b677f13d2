# SPDX-License-Identifier: Apache-2.0
"""Removing a run for good, and what an earlier removal left behind.

The order (reliability.md, T35): under the lock the journal, fsync of the folder, then the other
files, the lock last and still held, fsync. From the first fsync on the run stays deleted. So that
a crash behind it leaves no transcript in a forgotten backup, the lock file says what is going on.
"""

from __future__ import annotations

import contextlib

import msgspec

from tenuto.errors import Locked, NotAFile, RunNotFound, StoreError
from tenuto.runs import companions
from tenuto.runs.companions import Kind, journal_name, owner_of
from tenuto.runs.files import FileLayer, Folder, explained, what_is
from tenuto.runs.lock import RunLock
from tenuto.sentences import sentence

#: What a lock file holds while its run is being removed.
DELETING = b"deleting\n"


class Deleted(msgspec.Struct, frozen=True):
    """What a removal removed."""

    id: str
    #: Names, in the order in which they went.
    files: tuple[str, ...]
    #: Names that stay: no files of ours (a symlink, a folder, a file of another owner).
    left: tuple[str, ...] = ()


class Swept(msgspec.Struct, frozen=True):
    """What a sweep removed: files that belonged to no run any more."""

    files: tuple[str, ...] = ()
    #: Without a journal, but holding what cannot be made again: notes, torn bytes, backups.
    kept: tuple[str, ...] = ()


def files_of(layer: FileLayer, folder: Folder, id: str) -> dict[str, Kind]:
    """Name -> kind of everything in the folder that belongs to run ``id``, by name alone."""
    found: dict[str, Kind] = {}
    with layer.scandir(folder) as entries:
        for entry in entries:
            owner = owner_of(entry.name)
            if owner is not None and owner[0] == id:
                found[entry.name] = owner[1]
    return dict(sorted(found.items()))


def delete(layer: FileLayer, folder: Folder, id: str) -> Deleted:
    """Remove every file of run ``id``.

    :raises RunNotFound: there is no journal, and none whose removal was broken off.
    :raises NotAFile: the journal's name is taken by something that is not a file of ours.
    :raises Locked: the run is in use.
    :raises StoreIO: the system said no; the error names the file, and what went before stays gone.
    """
    path = folder.file(journal_name(id))
    with explained("delete", path):
        try:
            layer.check_regular(folder, journal_name(id), layer.lstat(folder, journal_name(id)))
        except FileNotFoundError:
            if not broken_off(layer, folder, id):
                raise RunNotFound(
                    sentence("no run {id} in {path}", id=id, path=folder.path), id=id
                ) from None
        with RunLock(folder, id, layer=layer) as lock:
            if not layer.exists(folder, journal_name(id)) and not broken_off(layer, folder, id):
                lock.unlink()
                raise RunNotFound(sentence("run {id} is gone already", id=id), id=id)
            return remove_all(layer, folder, lock)


def remove_all(layer: FileLayer, folder: Folder, lock: RunLock) -> Deleted:
    """The removal itself, under ``lock``; the journal may be gone already."""
    id, journal = lock.id, journal_name(lock.id)
    with contextlib.suppress(OSError):
        # On a full disk there is no room for the mark, and deleting is how one makes room.
        lock.mark(DELETING)
    gone: list[str] = []
    left: list[str] = []
    with contextlib.suppress(FileNotFoundError):
        layer.unlink(folder, journal)
        gone.append(journal)
    layer.fsync_dir(folder)
    for name, kind in files_of(layer, folder, id).items():
        if kind in ("journal", "lock"):
            continue
        _remove(layer, folder, name, gone, left)
    lock.unlink()
    gone.append(lock.name)
    layer.fsync_dir(folder)
    return Deleted(id, tuple(gone), tuple(left))


def _remove(layer: FileLayer, folder: Folder, name: str, gone: list[str], left: list[str]) -> None:
    try:
        if what_is(layer.lstat(folder, name)) is not None:
            left.append(name)
            return
        layer.unlink(folder, name)
        gone.append(name)
    except FileNotFoundError:
        pass


def broken_off(layer: FileLayer, folder: Folder, id: str) -> bool:
    """Whether a removal of this run began and did not end."""
    with contextlib.suppress(FileNotFoundError, NotAFile):
        return layer.read_all(folder, companions.lock_name(id), limit=4096) == DELETING
    return False


def clear_for(layer: FileLayer, folder: Folder, lock: RunLock) -> None:
    """Make room for a new run where one of the same id was removed, by us or by another program.

    Its caches go; its notes, which would give the new run a title, are kept as a backup.
    """
    if broken_off(layer, folder, lock.id):
        for name, kind in files_of(layer, folder, lock.id).items():
            if kind not in ("journal", "lock"):
                _remove(layer, folder, name, [], [])
        lock.mark(b"")
        return
    files = files_of(layer, folder, lock.id)
    for name, kind in files.items():
        if kind in companions.CACHES:
            _remove(layer, folder, name, [], [])
        elif kind == "notes":
            set_aside(layer, folder, name)


def set_aside(layer: FileLayer, folder: Folder, name: str) -> str:
    """Rename a run's notes to a backup's name that is free, and return that."""
    id = name.partition(".")[0]
    number = 1
    while layer.exists(folder, kept := f"{id}.notes-{number}.bak"):
        number += 1
    layer.rename(folder, name, folder, kept)
    return kept


def sweep(layer: FileLayer, folder: Folder) -> Swept:
    """Remove what belongs to no run any more, each under its run's lock.

    Those are locks, sidecars and temporary files without a journal, and all files of a run whose
    removal was broken off. A run in use is left alone.

    :raises StoreIO: the folder cannot be written.
    """
    names: dict[str, dict[str, Kind]] = {}
    with explained("list", folder.path), layer.scandir(folder) as entries:
        for entry in entries:
            owner = owner_of(entry.name)
            if owner is not None:
                names.setdefault(owner[0], {})[entry.name] = owner[1]
    gone: list[str] = []
    kept: list[str] = []
    for id, files in sorted(names.items()):
        if "journal" not in files.values():
            with (
                contextlib.suppress(Locked, NotAFile),
                explained("sweep", folder.file(companions.lock_name(id))),
            ):
                _sweep_one(layer, folder, id, gone, kept)
    return Swept(tuple(gone), tuple(kept))


def _sweep_one(layer: FileLayer, folder: Folder, id: str, gone: list[str], kept: list[str]) -> None:
    with RunLock(folder, id, layer=layer) as lock:
        if layer.exists(folder, journal_name(id)):
            return
        if broken_off(layer, folder, id):
            gone.extend(remove_all(layer, folder, lock).files)
            return
        for name, kind in files_of(layer, folder, id).items():
            if kind in companions.CACHES:
                _remove(layer, folder, name, gone, kept)
            elif kind != "lock":
                kept.append(name)
        lock.unlink()
        gone.append(lock.name)
        layer.fsync_dir(folder)


def drop_lock_of_nothing(layer: FileLayer, folder: Folder, lock: RunLock) -> None:
    """After a failure: a lock file that guards no journal goes, while it is held."""
    with contextlib.suppress(OSError, StoreError):
        if not layer.exists(folder, journal_name(lock.id)):
            lock.unlink()
