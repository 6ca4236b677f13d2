# SPDX-License-Identifier: Apache-2.0
"""A whole run put into a folder in one step: imports and forks.

Its files are written under temporary names, then renamed, the journal last: with it the run is
there. Until then the run's lock file is marked as one of a run that is being removed, so that
whatever a crash leaves is swept like the rest of a broken-off removal.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable, Iterator

from tenuto.errors import RunExists, StoreError
from tenuto.runs import removal
from tenuto.runs.companions import KEPT, journal_name, temp_name
from tenuto.runs.files import FileLayer, Folder, explained
from tenuto.runs.ids import check_new_id
from tenuto.runs.lock import RunLock
from tenuto.runs.taken import refuse_taken
from tenuto.sentences import sentence


class Stage:
    """The files of a run that is not there yet."""

    def __init__(self, layer: FileLayer, folder: Folder, id: str) -> None:
        self.id = id
        self._layer = layer
        self._folder = folder
        #: Final name -> temporary one.
        self._temps: dict[str, str] = {}
        self._placed: list[str] = []

    @property
    def names(self) -> tuple[str, ...]:
        """The files' final names, the journal's last."""
        journal = journal_name(self.id)
        return (*(name for name in self._temps if name != journal), journal)

    def add(self, name: str, chunks: Iterable[bytes], *, mtime_ns: int | None = None) -> None:
        """Write one file (its final ``name``), 0600 and durable; last written ``mtime_ns``, or now.

        What ``chunks`` raises goes through: nothing of the run stays then.
        """
        layer, folder = self._layer, self._folder
        temp = temp_name(name, secrets.token_hex(8))
        fd = layer.open(folder, temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        self._temps[name] = temp
        try:
            layer.tighten(fd, layer.fstat(fd))
            for chunk in chunks:
                layer.write_all(fd, chunk, path=folder.file(name))
            if mtime_ns is not None:
                layer.set_mtime(fd, mtime_ns)
            layer.fsync(fd)
        finally:
            layer.close(fd)

    @contextlib.contextmanager
    def written(self, name: str) -> Iterator[int]:
        """What was written of ``name``, open for reading."""
        fd, _ = self._layer.open_regular(self._folder, self._temps[name])
        try:
            yield fd
        finally:
            self._layer.drop(fd)

    def place(self) -> None:
        """Give the files their names, the journal last; durable on return."""
        layer, folder = self._layer, self._folder
        *others, journal = self.names
        for name in others:
            self._place(name)
        layer.fsync_dir(folder)
        self._place(journal)
        layer.fsync_dir(folder)

    def _place(self, name: str) -> None:
        self._placed.append(name)
        self._layer.rename(self._folder, self._temps[name], self._folder, name)

    def take_back(self) -> bool:
        """Remove everything again, the journal first; whether nothing is left."""
        layer, folder = self._layer, self._folder
        clean = True
        for name in (*reversed(self._placed), *self._temps.values()):
            try:
                layer.unlink(folder, name)
            except FileNotFoundError:
                pass
            except OSError:
                clean = False
        with contextlib.suppress(OSError):
            layer.fsync_dir(folder)
        return clean


@contextlib.contextmanager
def staged(layer: FileLayer, directory: str, id: str) -> Iterator[Stage]:
    """A new run ``id`` in ``directory``: there, whole and durable, when the block has ended well.

    After an error in it nothing of the run is there.

    :raises InvalidId: ``id`` is none, or the name of a device.
    :raises RunExists: there is one of that id, or files of an earlier one.
    :raises Locked: somebody is just creating it.
    :raises StoreIO: the folder cannot be written.
    """
    check_new_id(id)
    directory = os.path.realpath(directory)
    with contextlib.ExitStack() as undo:
        with explained("create a run in", directory):
            folder = layer.make_dir(directory)
            undo.callback(folder.close)
            refuse_taken(layer, folder, id)
        lock = RunLock(folder, id, layer=layer)
        lock.acquire()
        undo.callback(lock.release)
        drop = undo.enter_context(contextlib.ExitStack())
        drop.callback(removal.drop_lock_of_nothing, layer, folder, lock)
        stage = Stage(layer, folder, id)
        with explained("create", folder.file(journal_name(id))):
            refuse_taken(layer, folder, id)
            if not removal.broken_off(layer, folder, id):
                _refuse_remains(layer, folder, id)
            removal.clear_for(layer, folder, lock)
            try:
                lock.mark(removal.DELETING)
                yield stage
                stage.place()
            except BaseException:
                if not stage.take_back():
                    # The mark in the lock file lets the next sweep end it.
                    drop.pop_all()
                raise
            with contextlib.suppress(OSError, StoreError):
                lock.mark(b"")


def _refuse_remains(layer: FileLayer, folder: Folder, id: str) -> None:
    """What cannot be made again of a run that another program removed is never overwritten."""
    for name, kind in removal.files_of(layer, folder, id).items():
        if kind in KEPT:
            path = folder.file(name)
            raise RunExists(
                sentence("{path} is left of an earlier run", path=path), id=id, existing=id
            )
