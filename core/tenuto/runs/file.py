# SPDX-License-Identifier: Apache-2.0
"""Runs in a folder, one journal file each: fisk-ai's own folder and layout (run-journal.md).

Reading and listing take no lock and change nothing (R7). Everything that writes takes the run's
lock first, and tightens rights that are wider than 0600 and 0700 (R10).
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Mapping
from typing import Any

from tenuto.errors import HardLinked, OldVersion, RunExists, RunNotFound
from tenuto.fingerprint import Fingerprint
from tenuto.fold import fold
from tenuto.records import VERSION, Meta, encode_record
from tenuto.runs import removal
from tenuto.runs.companions import journal_name
from tenuto.runs.files import FOLDER_MODE, FileLayer, Folder, explained
from tenuto.runs.ids import check_id, check_new_id
from tenuto.runs.journal import FileJournal, meta_record
from tenuto.runs.listing import RunEntry, Skipped, list_folder
from tenuto.runs.load import Records, Snapshot, read_records, read_scan, with_path
from tenuto.runs.lock import RunLock
from tenuto.runs.reader import JournalScan
from tenuto.runs.removal import Deleted, Swept
from tenuto.runs.tail import repair_tail
from tenuto.runs.taken import refuse_taken
from tenuto.sentences import Sentence, sentence, system_said

#: Named here, since ``list`` means the method inside of the class.
Entries = list[RunEntry]
AllSkipped = list[Skipped]

__all__ = [
    "Deleted",
    "FileJournal",
    "FileRunStore",
    "Records",
    "RunEntry",
    "Skipped",
    "Snapshot",
    "Swept",
]


class FileRunStore:
    """The runs of one folder. It holds nothing open between calls and may be shared by threads.

    A symlink to the folder is resolved once, here.
    """

    def __init__(
        self, directory: str | os.PathLike[str], *, layer: FileLayer | None = None
    ) -> None:
        self.directory = os.path.realpath(directory)
        self.layer = layer or FileLayer()
        self._skipped: AllSkipped = []

    def path(self, id: str) -> str:
        """Where the journal of run ``id`` is, or would be.

        :raises InvalidId: ``id`` is none.
        """
        return os.path.join(self.directory, journal_name(check_id(id)))

    # --- reading ----------------------------------------------------------------------------

    def list(self) -> Entries:
        """Every journal in the folder, in the folder's order; none where there is no folder.

        :raises StoreIO: the folder cannot be read.
        """
        with explained("list", self.directory):
            entries, self._skipped = list_folder(self.layer, self.directory)
        return entries

    def skipped(self) -> AllSkipped:
        """What the last :meth:`list` left out, with reasons, by name."""
        return self._skipped

    def load(self, id: str) -> Records:
        """The records of a run, without its lock; an empty list for an empty file.

        :raises RunNotFound: there is no such run.
        :raises NotAFile: its name is taken by something that is not a file of ours.
        :raises JournalError: damage, with path, line and byte offset.
        """
        found = self.scan(id)
        if found.error is not None:
            raise with_path(found.error, self.path(id))
        return Records(found)

    def scan(self, id: str, *, read_on: bool = False) -> JournalScan:
        """As :meth:`load`, but damage is no error: the records up to it, and what is wrong.

        With ``read_on`` those behind it too.

        :raises RunNotFound, NotAFile, StoreIO: as :meth:`load`.
        """
        return self._scan(id, read_on=read_on)[0]

    def snapshot(self, id: str) -> Snapshot:
        """The run as :meth:`open` would find it, read without its lock: to judge it first.

        :raises RunNotFound, NotAFile, StoreIO, JournalError: as :meth:`open`.
        """
        found, status = self._scan(id)
        return Snapshot(found, self.path(id), status)

    def _scan(self, id: str, *, read_on: bool = False) -> tuple[JournalScan, os.stat_result]:
        """The whole file, and what it was before it was read."""
        check_id(id)
        with self._folder(id) as folder:
            with explained("open", self.path(id)):
                exact = self._is_exact(folder, journal_name(id))
            if not exact:
                raise _not_found(id, self.directory)
            fd, status = self._open_journal(folder, id, os.O_RDONLY)
            try:
                with explained("read", self.path(id)):
                    return read_scan(self.layer, fd, read_on=read_on), status
            finally:
                self.layer.drop(fd)

    # --- writing ----------------------------------------------------------------------------

    def create(self, id: str, meta: Meta | Mapping[str, Any]) -> FileJournal:
        """Begin a run: its lock, its file, its meta record as record 1, all durable on return.

        A failure leaves nothing behind that would block the id.

        :raises InvalidId: ``id`` is none, or the name of a device.
        :raises RunExists: there is one of that id, or of one that differs in case only.
        :raises Locked: somebody is just creating it.
        :raises StoreError: ``meta`` is no meta record of the current version.
        :raises StoreIO: the folder cannot be written.
        """
        check_new_id(id)
        first = meta_record(id, meta)
        state = fold([first])
        line = encode_record(first, 1)
        with explained("create a run in", self.directory):
            folder = self.layer.make_dir(self.directory)
        with contextlib.ExitStack() as undo:
            undo.callback(folder.close)
            with explained("create a run in", self.directory):
                refuse_taken(self.layer, folder, id)
            lock = RunLock(folder, id, layer=self.layer)
            lock.acquire()
            undo.callback(lock.release)
            undo.callback(removal.drop_lock_of_nothing, self.layer, folder, lock)
            with explained("create", folder.file(journal_name(id))):
                refuse_taken(self.layer, folder, id)
                removal.clear_for(self.layer, folder, lock)
                fd = self._write_first(folder, id, line)
            warnings = self._tighten_folder(folder)
            undo.pop_all()
        return FileJournal(
            self.layer, folder, lock, fd, size=len(line), state=state, warnings=warnings, new=True
        )

    def _write_first(self, folder: Folder, id: str, line: bytes) -> int:
        name, layer = journal_name(id), self.layer
        try:
            fd = layer.open(folder, name, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL)
        except FileExistsError as error:
            raise RunExists(
                sentence("run {id} exists already", id=id), id=id, existing=id
            ) from error
        try:
            layer.tighten(fd, layer.fstat(fd))
            layer.write_all(fd, line, path=folder.file(name))
            layer.fsync(fd)
            layer.fsync_dir(folder)
        except BaseException:
            # A file of no or half a record would block the id for ever.
            with contextlib.suppress(OSError):
                layer.unlink(folder, name)
                layer.fsync_dir(folder)
            layer.drop(fd)
            raise
        return fd

    def open(
        self,
        id: str,
        *,
        upgrade: bool = False,
        fingerprint: Fingerprint | None = None,
        snapshot: Snapshot | None = None,
    ) -> FileJournal:
        """Open a run for appending: its lock, then the repair of a torn tail, then its records.

        :param upgrade: rewrite a version 1 or 2 journal as version 3 first, the original kept.
        :param fingerprint: the one that the rewritten journal gets in place of the old.
        :param snapshot: of this run; the file is read again only if it changed since.
        :raises Locked: the run is in use.
        :raises RunNotFound: there is no such run; nothing was made.
        :raises NotAFile: its name is taken by something that is not a file of ours.
        :raises HardLinked: the file has another name.
        :raises OldVersion: version 1 or 2, and not ``upgrade``.
        :raises JournalError: empty, damaged, or of a newer version.
        :raises StoreIO: the system said no; nothing acknowledged was touched.
        """
        path = self.path(id)
        with contextlib.ExitStack() as undo:
            folder = undo.enter_context(self._folder(id))
            self._refuse_absent(folder, id)
            lock = RunLock(folder, id, layer=self.layer)
            lock.acquire()
            undo.callback(lock.release)
            undo.callback(removal.drop_lock_of_nothing, self.layer, folder, lock)
            fd, status = self._open_journal(folder, id, os.O_RDWR | os.O_APPEND)
            files = [fd]
            undo.callback(lambda: self.layer.drop(files[0]))
            if status.st_nlink > 1:
                raise HardLinked(
                    sentence(
                        "{path} has {count} names: readable, but nothing is added to it",
                        path=path,
                        count=status.st_nlink,
                    ),
                    path=path,
                    nlink=status.st_nlink,
                )
            with explained("open", path):
                if snapshot is None or not snapshot.is_of(status):
                    snapshot = Snapshot(read_scan(self.layer, fd), path, status)
                found, state = snapshot.scan, snapshot.state
                warnings = self._tighten_folder(folder)
                self.layer.tighten(fd, status)
                if self.layer.fstat(lock.fileno()).st_size:
                    # A removal was broken off before it removed anything.
                    lock.mark(b"")
                upgraded = repaired = None
                if state.version == VERSION:
                    repaired = repair_tail(self.layer, folder, id, fd, found)
                elif upgrade:
                    # Not imported by programs that only list.
                    from tenuto.runs.upgrade import rewrite

                    upgraded, files[0] = rewrite(self.layer, folder, id, fd, found, fingerprint)
                    self.layer.drop(fd)
                    state = fold(read_records(self.layer, folder, id, files[0]))
                else:
                    raise OldVersion(
                        sentence(
                            "run {id} is of version {version}: it must be rewritten as version "
                            "{own} before anything is added",
                            id=id,
                            version=state.version,
                            own=VERSION,
                        ),
                        id=id,
                        version=state.version,
                    )
                size = self.layer.fstat(files[0]).st_size
            undo.pop_all()
        return FileJournal(
            self.layer,
            folder,
            lock,
            files[0],
            size=size,
            state=state,
            repaired=repaired,
            upgraded=upgraded,
            warnings=warnings,
        )

    def delete(self, id: str) -> Deleted:
        """Remove a run for good, every file of it; durable on return.

        :raises RunNotFound: there is no such run.
        :raises Locked: it is in use.
        """
        check_id(id)
        with self._folder(id) as folder:
            return removal.delete(self.layer, folder, id)

    def sweep(self) -> Swept:
        """Remove what belongs to no run any more, each under its lock."""
        with explained("sweep", self.directory):
            try:
                folder = self.layer.open_dir(self.directory)
            except FileNotFoundError:
                return Swept()
        with folder:
            return removal.sweep(self.layer, folder)

    # --- steps ------------------------------------------------------------------------------

    def _folder(self, id: str) -> Folder:
        with explained("open", self.directory):
            try:
                return self.layer.open_dir(self.directory)
            except FileNotFoundError:
                raise _not_found(id, self.directory) from None

    def _refuse_absent(self, folder: Folder, id: str) -> None:
        """No lock is made for what is not there or is not ours to open (R8, T13)."""
        name = journal_name(id)
        with explained("open", folder.file(name)):
            try:
                self.layer.check_regular(folder, name, self.layer.lstat(folder, name))
            except FileNotFoundError:
                raise _not_found(id, self.directory) from None
            if not self._is_exact(folder, name):
                raise _not_found(id, self.directory)

    def _is_exact(self, folder: Folder, name: str) -> bool:
        """Whether the entry is spelled as asked: a case-insensitive folder answers to both."""
        other = name.swapcase()
        if other == name:
            return True
        try:
            mine, same = self.layer.lstat(folder, name), self.layer.lstat(folder, other)
        except FileNotFoundError:
            return True
        if not os.path.samestat(mine, same) or mine.st_nlink > 1:
            return True
        with self.layer.scandir(folder) as entries:
            return any(entry.name == name for entry in entries)

    def _open_journal(self, folder: Folder, id: str, flags: int) -> tuple[int, os.stat_result]:
        name = journal_name(id)
        with explained("open", folder.file(name)):
            try:
                return self.layer.open_regular(folder, name, flags)
            except FileNotFoundError:
                raise _not_found(id, self.directory) from None

    def _tighten_folder(self, folder: Folder) -> tuple[Sentence, ...]:
        """Take the rights of group and others away from the folder (R10), or warn of them.

        A folder that is not ours, that others write to on purpose (sticky, as /tmp), or that is
        more than a folder of runs (a home, a mount) keeps its rights.
        """
        if folder.fd is None or os.name != "posix":
            return ()
        try:
            status = self.layer.fstat(folder.fd)
            if not stat.S_IMODE(status.st_mode) & 0o077:
                return ()
            shared = (
                status.st_uid != os.geteuid()
                or status.st_mode & stat.S_ISVTX
                or os.path.ismount(self.directory)
                or self.directory == os.path.realpath(os.path.expanduser("~"))
            )
            if not shared:
                self.layer.fchmod(folder.fd, FOLDER_MODE)
                return ()
        except OSError as error:
            return (
                sentence(
                    "others may look into {folder}: {reason}",
                    folder=self.directory,
                    reason=system_said(error),
                ),
            )
        mode = stat.S_IMODE(status.st_mode)
        return (
            sentence(
                "others may look into {folder} (its mode is {mode})",
                folder=self.directory,
                mode=f"{mode:04o}",
            ),
        )


def _not_found(id: str, directory: str) -> RunNotFound:
    return RunNotFound(sentence("no run {id} in {directory}", id=id, directory=directory), id=id)
