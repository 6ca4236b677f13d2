# SPDX-License-Identifier: Apache-2.0
"""Tenuto's trash: ``<data>/trash/<time>-<id>/`` holds all files of a run that was deleted.

A delete moves by rename, and across file systems by copy, fsync, compare and remove. The journal
goes first: with it the run is gone from the list. A restore brings it last: with it the run is back
whole. See :mod:`tenuto.runs.trash_entry` for what happens when either is broken off.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from tenuto.errors import Locked, NotAFile, RunNotFound, StoreError
from tenuto.runs import removal, trash_entry
from tenuto.runs.companions import journal_name, renamed
from tenuto.runs.file import FileRunStore
from tenuto.runs.files import FileLayer, Folder, explained, what_is
from tenuto.runs.ids import check_id, check_new_id
from tenuto.runs.lock import FolderLock, RunLock
from tenuto.runs.moving import copy, rename
from tenuto.runs.taken import refuse_taken
from tenuto.runs.trash_entry import PURGING, Info, Place
from tenuto.sentences import sentence

Tokens = list[str]
#: How long a command waits for another one that works on the trash, in seconds.
_PATIENCE = 30.0


class Trashed(msgspec.Struct, frozen=True):
    """A run in the trash."""

    #: The name of its folder there; what restore and purge take.
    token: str
    id: str
    #: The folder it came from ("" where the entry does not say).
    origin: str
    #: When it was deleted: RFC 3339, UTC.
    time: str
    #: The operator's title, else the prompt's first line; as it is in the files, not sanitised.
    title: str
    files: tuple[str, ...]
    #: Bytes of all its files.
    size: int
    #: False: a delete or restore was broken off; the next command ends it.
    complete: bool = True
    #: Names that stayed in the folder of runs, as they are no files of ours.
    left: tuple[str, ...] = ()


class Restored(msgspec.Struct, frozen=True):
    """What a restore brought back."""

    token: str
    id: str
    directory: str
    files: tuple[str, ...]


class Purged(msgspec.Struct, frozen=True):
    """What was removed from the trash for good."""

    tokens: tuple[str, ...]


class Trash:
    """The trash in ``directory``, which is made when it is first needed.

    One command works on it at a time; a second one waits.
    """

    def __init__(
        self, directory: str | os.PathLike[str], *, layer: FileLayer | None = None
    ) -> None:
        self.directory = os.path.realpath(directory)
        self.layer = layer or FileLayer()

    def list(self) -> list[Trashed]:
        """What is in the trash, newest first. Nothing is changed and no lock is taken.

        :raises StoreIO: the trash cannot be read.
        """
        layer = self.layer
        found = []
        with explained("list", self.directory):
            try:
                trash = layer.open_dir(self.directory)
            except FileNotFoundError:
                return []
            with trash:
                for token in self._tokens(trash):
                    with (
                        contextlib.suppress(FileNotFoundError, NotAFile),
                        self._entry(token) as entry,
                    ):
                        item = self._describe(entry, token)
                        if item.files:
                            found.append(item)
        return sorted(found, key=lambda item: item.token, reverse=True)

    def move(self, store: FileRunStore, id: str) -> Trashed:
        """Move a run from ``store`` into the trash, whole; durable on return.

        After an error the run is where it was, or, if even that fails, the error names the entry.

        :raises RunNotFound: there is no such run.
        :raises NotAFile: its name is taken by something that is not a file of ours.
        :raises Locked: it is in use.
        :raises StoreIO: the system said no.
        """
        check_id(id)
        layer, path = self.layer, store.path(id)
        with explained("move to the trash:", path):
            try:
                runs = layer.open_dir(store.directory)
            except FileNotFoundError:
                raise _no_run(id, store.directory) from None
            with runs:
                _check_there(layer, runs, id)
                with self._locked() as trash, RunLock(runs, id, layer=layer) as lock:
                    if not layer.exists(runs, journal_name(id)):
                        lock.unlink()
                        raise _no_run(id, store.directory)
                    return self._move(trash, runs, lock)

    def _move(self, trash: Folder, runs: Folder, lock: RunLock) -> Trashed:
        layer, id = self.layer, lock.id
        names, left = _movable(layer, runs, id)
        token, time = self._make_entry(trash, id)
        with self._entry(token) as entry:
            title = trash_entry.title_of(layer, runs, id)
            info = Info(id, runs.path, time, title, tuple(names))
            try:
                trash_entry.write_info(layer, entry, info)
                layer.fsync_dir(trash)
                if not self._rename_all(runs, entry, names):
                    info = msgspec.structs.replace(info, state="copying")
                    trash_entry.write_info(layer, entry, info)
                    for name in names:
                        copy(layer, runs, name, entry, name)
            except Exception:
                self._take_back(trash, token, entry, runs, names)
                raise
            layer.fsync_dir(entry)
            trash_entry.gather(layer, entry, info, runs, id)
            _clear(layer, runs, lock, left)
            info = msgspec.structs.replace(info, state="kept")
            trash_entry.write_info(layer, entry, info)
            return msgspec.structs.replace(self._describe(entry, token), left=tuple(left))

    def _rename_all(self, runs: Folder, entry: Folder, names: tuple[str, ...]) -> bool:
        """Rename all files; False if the trash turns out to be on another file system."""
        for number, name in enumerate(names):
            if not rename(self.layer, runs, name, entry, name):
                if number == 0:
                    return False
                # A mount inside of a folder of runs: what is on it is copied.
                copy(self.layer, runs, name, entry, name)
        return True

    def _take_back(
        self, trash: Folder, token: str, entry: Folder, runs: Folder, names: tuple[str, ...]
    ) -> None:
        """Undo a move as far as the system lets us; what stays is ended by the next command."""
        layer = self.layer
        with contextlib.suppress(OSError, StoreError):
            for name in reversed(names):
                if not layer.exists(entry, name):
                    continue
                if layer.exists(runs, name):
                    layer.unlink(entry, name)
                else:
                    layer.rename(entry, name, runs, name)
            layer.fsync_dir(runs)
            trash_entry.drop(layer, entry, [])
            layer.rmdir(trash, token)

    def restore(
        self, token: str, new_id: str | None = None, *, store: FileRunStore | None = None
    ) -> Restored:
        """Bring a run back, into the folder it came from or into ``store``; durable on return.

        Its bytes stay as they are, also under a new id: the ``run_id`` in its meta record is then
        the old one.

        :raises RunNotFound: there is no such entry, or it holds no journal.
        :raises RunExists: the id is taken (also by one that differs in case only).
        :raises StoreError: it does not say where it came from, or that folder is away and may still
            hold the run.
        :raises Locked: somebody works on the trash or on a run of that id.
        :raises StoreIO: the system said no.
        """
        layer = self.layer
        with explained("restore", os.path.join(self.directory, token)), self._locked() as trash:
            self._check_token(token)
            with self._entry(token) as entry:
                info = trash_entry.read_info(layer, entry, token)
                if not trash_entry.complete(layer, entry, info):
                    layer.rmdir(trash, token)
                    raise RunNotFound(
                        sentence("{token} was restored already", token=token), id=token
                    )
                if not layer.exists(entry, journal_name(info.id)):
                    raise RunNotFound(sentence("{token} holds no journal", token=token), id=token)
                id = info.id if new_id is None else check_new_id(new_id)
                directory = store.directory if store is not None else info.origin
                if not directory:
                    raise StoreError(
                        sentence("{token} does not say which folder it came from", token=token),
                        id=token,
                    )
                if store is None:
                    self._check_origin(entry, token)
                with layer.make_dir(os.path.realpath(directory)) as runs:
                    files = self._restore(entry, info, runs, id)
            layer.rmdir(trash, token)
            layer.fsync_dir(trash)
            return Restored(token, id, directory, files)

    def _check_origin(self, entry: Folder, token: str) -> None:
        """Never make the folder anew in which a run may still lie whole, on a disk that is away."""
        info = trash_entry.read_info(self.layer, entry, token)
        if info.state == "copying" and not os.path.isdir(info.origin):
            raise StoreError(
                sentence(
                    "{origin} is not there, and the delete of {id} was broken off: the run may "
                    "still be whole in that folder; --state-dir names another one",
                    origin=info.origin,
                    id=info.id,
                ),
                id=token,
            )

    def _restore(self, entry: Folder, info: Info, runs: Folder, id: str) -> tuple[str, ...]:
        layer = self.layer
        refuse_taken(layer, runs, id)
        with RunLock(runs, id, layer=layer) as lock, contextlib.ExitStack() as undo:
            undo.callback(removal.drop_lock_of_nothing, layer, runs, lock)
            refuse_taken(layer, runs, id)
            removal.clear_for(layer, runs, lock)
            info = msgspec.structs.replace(
                info,
                files=tuple(trash_entry.files_in(layer, entry, info.id)),
                restoring=Place(runs.path, id),
            )
            trash_entry.write_info(layer, entry, info)
            journal = journal_name(info.id)
            order = [name for name in info.files if name != journal] + [journal]
            for name in order:
                new = renamed(name, info.id, id)
                if not rename(layer, entry, name, runs, new):
                    copy(layer, entry, name, runs, new)
            layer.fsync_dir(runs)
            layer.fsync_dir(entry)
            trash_entry.drop(layer, entry, trash_entry.files_in(layer, entry, info.id))
            return tuple(renamed(name, info.id, id) for name in order)

    def purge(self, token: str) -> Purged:
        """Remove one entry for good; durable on return.

        :raises RunNotFound: there is no such entry.
        """
        with explained("purge", os.path.join(self.directory, token)), self._locked() as trash:
            self._check_token(token)
            self._purge(trash, token)
            return Purged((token,))

    def empty(self) -> Purged:
        """Remove everything that is in the trash for good."""
        if not os.path.isdir(self.directory):
            return Purged(())
        with explained("empty", self.directory), self._locked() as trash:
            tokens = self._tokens(trash)
            for token in tokens:
                self._purge(trash, token)
            return Purged(tuple(tokens))

    def recover(self) -> None:
        """Bring to an end whatever was broken off; the next move does so as well."""
        if os.path.isdir(self.directory):
            with explained("open", self.directory), self._locked():
                pass

    def _purge(self, trash: Folder, token: str) -> None:
        hidden = PURGING + token
        self.layer.rename(trash, token, trash, hidden)
        self.layer.fsync_dir(trash)
        self._remove(trash, hidden)

    def _remove(self, trash: Folder, name: str) -> None:
        layer = self.layer
        with self._entry(name) as entry:
            with layer.scandir(entry) as found:
                names = [item.name for item in found]
            for file in names:
                layer.unlink(entry, file)
        layer.rmdir(trash, name)
        layer.fsync_dir(trash)

    # --- steps ------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _locked(self) -> Iterator[Folder]:
        """The trash, locked, with everything that was broken off brought to an end."""
        layer = self.layer
        with explained("open the trash", self.directory):
            folder = layer.make_dir(self.directory)
        with folder as trash:
            if trash.fd is not None:
                layer.tighten(trash.fd, layer.fstat(trash.fd), 0o700)
            lock = FolderLock(trash, layer=layer)
            lock.wait(_PATIENCE)
            try:
                self._complete_all(trash)
                yield trash
            finally:
                lock.release()

    def _complete_all(self, trash: Folder) -> None:
        layer = self.layer
        with layer.scandir(trash) as found:
            purging = [item.name for item in found if item.name.startswith(PURGING)]
        for name in purging:
            with contextlib.suppress(FileNotFoundError, NotAFile):
                self._remove(trash, name)
        for token in self._tokens(trash):
            # One entry that cannot be ended (its run is in use, its disk is gone) stops no other.
            with contextlib.suppress(Locked, OSError, StoreError), self._entry(token) as entry:
                info = trash_entry.read_info(layer, entry, token)
                alive = trash_entry.complete(layer, entry, info)
                if not alive or not trash_entry.files_in(layer, entry, info.id):
                    trash_entry.drop(layer, entry, [])
                    layer.rmdir(trash, token)

    def _tokens(self, trash: Folder) -> Tokens:
        with self.layer.scandir(trash) as found:
            names = [item.name for item in found if item.is_dir(follow_symlinks=False)]
        return sorted(name for name in names if trash_entry.parse_token(name) is not None)

    def _check_token(self, token: str) -> None:
        path = os.path.join(self.directory, token)
        if trash_entry.parse_token(token) is None or not os.path.isdir(path):
            raise RunNotFound(
                sentence("nothing in the trash is called {token}", token=token), id=token
            )

    def _entry(self, name: str) -> Folder:
        return self.layer.open_dir(os.path.join(self.directory, name))

    def _make_entry(self, trash: Folder, id: str) -> tuple[str, str]:
        when = datetime.now(UTC)
        while True:
            token = trash_entry.token_for(id, when)
            try:
                self.layer.mkdir(trash, token)
            except FileExistsError:
                when += timedelta(microseconds=1)
                continue
            return token, when.isoformat().replace("+00:00", "Z")

    def _describe(self, entry: Folder, token: str) -> Trashed:
        try:
            info = trash_entry.read_info(self.layer, entry, token)
        except OSError:
            info = trash_entry.info_of_name(token)
        files = trash_entry.files_in(self.layer, entry, info.id)
        size = sum(self.layer.lstat(entry, name).st_size for name in files)
        complete = info.state == "kept" and info.restoring is None
        return Trashed(
            token, info.id, info.origin, info.time, info.title, tuple(files), size, complete
        )


def _no_run(id: str, directory: str) -> RunNotFound:
    return RunNotFound(sentence("no run {id} in {directory}", id=id, directory=directory), id=id)


def _check_there(layer: FileLayer, runs: Folder, id: str) -> None:
    try:
        layer.check_regular(runs, journal_name(id), layer.lstat(runs, journal_name(id)))
    except FileNotFoundError:
        raise _no_run(id, runs.path) from None


def _movable(layer: FileLayer, runs: Folder, id: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files that move, the journal first, and those that are none of ours and stay."""
    names, left = [journal_name(id)], []
    for name, kind in removal.files_of(layer, runs, id).items():
        if kind in ("journal", "lock", "ask", "temp"):
            continue
        if what_is(layer.lstat(runs, name)) is None:
            names.append(name)
        else:
            left.append(name)
    return tuple(names), tuple(left)


def _clear(layer: FileLayer, runs: Folder, lock: RunLock, left: tuple[str, ...]) -> None:
    """Remove what does not move: an old question, temporary files, and the lock, held, last."""
    for name, kind in removal.files_of(layer, runs, lock.id).items():
        if kind in ("ask", "temp") and name not in left:
            with contextlib.suppress(FileNotFoundError, IsADirectoryError, PermissionError):
                layer.unlink(runs, name)
    lock.unlink()
    layer.fsync_dir(runs)
