# SPDX-License-Identifier: Apache-2.0
"""A pin and a note on a Reasonix session, kept in Tenuto's data folder.

Nothing of Tenuto's own goes beside a session that another program keeps. Each session has a file
named by the digest of its resolved path. That path is the same after a rename, and again after a
delete and a restore, whoever makes them; a session that is removed for good is forgotten.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from typing import Any, Final

import msgspec

from tenuto.errors import NotAFile, SessionNotFound, StoreError, StoreIO
from tenuto.runs.files import FileLayer, Folder, explained, what_is
from tenuto.runs.leftovers import sweep_leftovers
from tenuto.runs.notes import Notes, alone
from tenuto.sentences import sentence

#: The folder in Tenuto's data folder.
NAME: Final = "reasonix-notes"
_ENDING: Final = ".json"
_PATH: Final = "path"
_FIELDS: Final = ("pinned", "note")
#: Size, time and inode of a file: where all are the same, so is what it holds.
_Signature = tuple[int, int, int]


def resolved(path: str | os.PathLike[str]) -> str:
    """What a session is known by: its path, the folder's symlinks resolved."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def _file_of(path: str) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:32] + _ENDING


class OwnNotes:
    """The notes of all Reasonix sessions. May be shared by threads; holds nothing open."""

    def __init__(
        self, directory: str | os.PathLike[str] | None = None, *, layer: FileLayer | None = None
    ) -> None:
        """``directory``: another folder than that in Tenuto's data folder."""
        self._given = directory
        self._layer = layer or FileLayer()
        #: What was read last, by file.
        self._known: dict[str, tuple[_Signature, Notes]] = {}

    @property
    def directory(self) -> str:
        """Where they are; it need not exist."""
        if self._given is not None:
            return os.path.realpath(self._given)
        from tenuto.paths import data_dir

        return os.path.join(os.path.realpath(data_dir()), NAME)

    def all(self) -> dict[str, Notes]:
        """Resolved path -> notes of every session that has some; what cannot be read is left out.

        Only files that are others than at the last call are read.
        """
        try:
            folder = self._layer.open_dir(self.directory)
        except (OSError, NotAFile):
            return {}
        before, found = self._known, {}
        with folder, contextlib.suppress(OSError), self._layer.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(_ENDING):
                    with contextlib.suppress(OSError, StoreError):
                        found[entry.name] = self._read(folder, entry.name, before)
        self._known = found
        paths = ((notes.other.get(_PATH), name, notes) for name, (_, notes) in found.items())
        return {
            path: notes
            for path, name, notes in paths
            if isinstance(path, str) and _file_of(path) == name
        }

    def _read(
        self, folder: Folder, name: str, before: dict[str, tuple[_Signature, Notes]]
    ) -> tuple[_Signature, Notes]:
        status = self._layer.lstat(folder, name)
        signature = (status.st_size, status.st_mtime_ns, status.st_ino)
        known = before.get(name)
        if known is not None and known[0] == signature:
            return known
        return signature, Notes.from_bytes(self._layer.read_all(folder, name))

    def of(self, path: str | os.PathLike[str]) -> Notes:
        """The notes of one session: empty for none, with a ``problem`` where unreadable."""
        try:
            with self._layer.open_dir(self.directory) as folder:
                return Notes.from_bytes(self._layer.read_all(folder, _file_of(resolved(path))))
        except OSError:
            return Notes()
        except StoreError as error:
            return Notes(problem=str(error))

    def update(self, path: str | os.PathLike[str], **changes: Any) -> tuple[Notes, tuple[str, ...]]:
        """Change ``pinned`` or ``note`` (None, False take one away); the notes, and what changed.

        Durable on return. Keys that this version does not know are kept, and so is a file that
        cannot be read, under another name.

        :raises SessionNotFound: there is no such session.
        :raises StoreIO: the notes cannot be written.
        """
        if not os.path.lexists(path):
            raise SessionNotFound(
                sentence("there is no session {path}", path=os.fspath(path)), path=os.fspath(path)
            )
        layer, full = self._layer, resolved(path)
        name = _file_of(full)
        with (
            explained("write", os.path.join(self.directory, name)),
            layer.make_dir(self.directory) as folder,
            alone(folder),
        ):
            old = self._present(folder, name)
            new = msgspec.structs.replace(old, **changes, other=old.other | {_PATH: full})
            fields = tuple(key for key in _FIELDS if getattr(old, key) != getattr(new, key))
            if fields:
                self._write(folder, name, new, full)
                sweep_leftovers(layer, folder, name)
        return new, fields

    def _present(self, folder: Folder, name: str) -> Notes:
        try:
            old = Notes.from_bytes(self._layer.read_all(folder, name))
        except FileNotFoundError:
            return Notes()
        if old.problem is None:
            return old
        number = 1
        while self._layer.exists(folder, kept := f"{name}-{number}.bak"):
            number += 1
        self._layer.rename(folder, name, folder, kept)
        return Notes()

    def _write(self, folder: Folder, name: str, notes: Notes, path: str) -> None:
        if notes.pinned or notes.note or set(notes.other) != {_PATH}:
            try:
                os.fsencode(path).decode()
            except UnicodeDecodeError as error:
                raise StoreIO(
                    sentence(
                        "the name of {path} is no UTF-8, so nothing can be kept on it", path=path
                    ),
                    path=path,
                ) from error
            self._layer.atomic_write(folder, name, notes.to_bytes())
            return
        # Nothing is left to say of it.
        with contextlib.suppress(FileNotFoundError):
            self._layer.unlink(folder, name)
        self._layer.fsync_dir(folder)

    def forget(self, path: str | os.PathLike[str]) -> None:
        """Remove the notes of a session that is no more; best effort, as nobody misses them."""
        layer, name = self._layer, _file_of(resolved(path))
        with contextlib.suppress(OSError, StoreError), layer.open_dir(self.directory) as folder:
            if what_is(layer.lstat(folder, name)) is None:
                layer.unlink(folder, name)
                layer.fsync_dir(folder)
