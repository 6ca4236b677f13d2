# SPDX-License-Identifier: Apache-2.0
"""The lock of a run: ``<id>.lock``, held while its journal is open for appending.

The kernel drops it when the process ends. On Linux and the BSDs it is the same ``flock`` that
fisk-ai takes; elsewhere it is portalocker's own lock, which other programs do not see.
Who holds a lock is read from ``/proc/locks``, never found out by taking it.
"""

from __future__ import annotations

import os
import time
import weakref
from types import ModuleType, TracebackType
from typing import IO, TYPE_CHECKING, Any, Self

from tenuto.errors import Locked, StoreIO
from tenuto.runs.companions import lock_name
from tenuto.runs.files import SAFE, FileLayer, Folder, explain, explained
from tenuto.runs.holders import Holder, can_tell, holder, lock_device, lock_table
from tenuto.runs.ids import check_id
from tenuto.sentences import Sentence, others_words, sentence

if TYPE_CHECKING:
    import portalocker

__all__ = ["FolderLock", "Holder", "RunLock", "can_tell", "holder", "lock_device", "lock_table"]

#: How often a lock file that was swapped under us is opened again before that is an error.
_SWAPS = 1000


def _portalocker() -> ModuleType:
    """The library, imported late: it costs more than the whole of a list that never locks."""
    try:
        import portalocker
    except FileNotFoundError:
        # Its defaults look for a folder of temporary files that can be written. On a full disk
        # there is none, and deleting sessions, which locks them, is what helps.
        import tempfile

        tempfile.tempdir = os.curdir
        try:
            import portalocker
        finally:
            tempfile.tempdir = None
    return portalocker


def _process(pid: int | None) -> Sentence:
    """Who holds it; None where the system does not tell."""
    return sentence("process {pid}", pid=pid) if pid else sentence("another process")


class RunLock:
    """The exclusive lock of one run. Taken without waiting; a context manager.

    The object must be kept: the lock is gone with it.
    """

    def __init__(
        self, folder: Folder | str | os.PathLike[str], id: str, *, layer: FileLayer | None = None
    ) -> None:
        self.id = check_id(id)
        self.name = lock_name(id)
        self._setup(folder, layer)

    def _setup(self, folder: Folder | str | os.PathLike[str], layer: FileLayer | None) -> None:
        self.layer = layer or FileLayer()
        self._own_folder = not isinstance(folder, Folder)
        if isinstance(folder, Folder):
            self.folder = folder
        else:
            path = os.path.realpath(folder)
            with explained("open", path):
                self.folder = self.layer.open_dir(path)
        self._lock: portalocker.Lock[IO[bytes]] | None = None
        self._pid = 0

    @property
    def held(self) -> bool:
        """Whether this process holds the lock through this object."""
        return self._lock is not None and self._pid == os.getpid()

    def acquire(self) -> None:
        """Take the lock or say at once who has it.

        :raises Locked: another process, or another object in this one, holds it.
        :raises NotAFile: the lock's name is taken by something that is not a file of ours.
        :raises StoreIO: the system cannot lock here.
        """
        if self.held:
            return
        library = _portalocker()
        path = self.folder.file(self.name)
        for _ in range(_SWAPS):
            lock: portalocker.Lock[IO[bytes]] = library.Lock(
                path, "ab", timeout=0, opener=self._opener
            )
            try:
                handle = lock.acquire()
            except library.AlreadyLocked as error:
                raise self._locked() from error
            except library.LockException as error:
                raise self._cannot(error, path) from error
            except OSError as error:
                raise explain(error, "lock", path) from error
            # A lock file may be removed or replaced between open and flock: then this lock
            # guards nothing, and the file that has the name now is the one to take.
            try:
                if self._is_current(handle.fileno()):
                    self._lock, self._pid = lock, os.getpid()
                    _held.add(self)
                    return
            except OSError as error:
                lock.release()
                raise explain(error, "lock", path) from error
            lock.release()
        raise StoreIO(
            sentence("cannot lock {path}: it is replaced again and again", path=path),
            path=path,
            operation="lock",
        )

    def _opener(self, _path: str, flags: int) -> int:
        fd, status = self.layer.open_regular(self.folder, self.name, flags | SAFE)
        try:
            self.layer.tighten(fd, status)
        except BaseException:
            self.layer.drop(fd)
            raise
        return fd

    def _is_current(self, fd: int) -> bool:
        mine = self.layer.fstat(fd)
        if mine.st_nlink == 0:
            return False
        try:
            named = self.layer.lstat(self.folder, self.name)
        except FileNotFoundError:
            return False
        return os.path.samestat(mine, named)

    def _locked(self) -> Locked:
        holds = holder(self.folder.file(self.name))
        found = None if holds is None else holds.pid
        return Locked(
            sentence("run {id} is in use by {who}", id=self.id, who=_process(found)),
            id=self.id,
            pid=found,
        )

    def _cannot(self, error: Exception, path: str) -> StoreIO:
        cause = next((a for a in error.args if isinstance(a, OSError)), None) or error.__cause__
        if isinstance(cause, OSError):
            return explain(cause, "lock", path)
        return StoreIO(
            sentence("cannot lock {path}: {reason}", path=path, reason=others_words(str(error))),
            path=path,
            operation="lock",
        )

    def mark(self, text: bytes) -> None:
        """Write ``text`` into the lock file, in place of what is there (b"" empties it)."""
        fd = self.fileno()
        self.layer.ftruncate(fd, 0)
        if text:
            self.layer.write(fd, text)
        self.layer.fsync(fd)

    def fileno(self) -> int:
        """The descriptor that holds the lock."""
        if self._lock is None or self._lock.fh is None:
            raise StoreIO(
                sentence("the lock of {id} is not held", id=self.id),
                path=self.folder.file(self.name),
            )
        return self._lock.fh.fileno()

    def unlink(self) -> None:
        """Remove the lock's name while holding it; whoever opened it before looks again."""
        if self._is_current(self.fileno()):
            self.layer.unlink(self.folder, self.name)

    def release(self) -> None:
        """Give the lock up; in a forked child only close it, as the parent still holds it."""
        lock, self._lock = self._lock, None
        _held.discard(self)
        if lock is not None:
            if self._pid == os.getpid():
                lock.release()
            elif lock.fh is not None:
                lock.fh.close()
        if self._own_folder:
            self.folder.close()

    def __enter__(self) -> Self:
        try:
            self.acquire()
        except BaseException:
            self.release()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


_held: weakref.WeakSet[RunLock] = weakref.WeakSet()


def _close_in_child() -> None:
    # A forked child shares the lock and would keep it alive after its parent is gone.
    for lock in list(_held):
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)


class FolderLock(RunLock):
    """The lock of a whole folder (the trash): the same recipe on a file named ``.lock``."""

    def __init__(self, folder: Folder, *, layer: FileLayer | None = None) -> None:
        self.id = "trash"
        self.name = ".lock"
        self._setup(folder, layer)

    def wait(self, seconds: float) -> None:
        """As :meth:`acquire`, trying again for at most ``seconds``."""
        end = time.monotonic() + seconds
        while True:
            try:
                return self.acquire()
            except Locked:
                if time.monotonic() >= end:
                    raise
            time.sleep(0.02)

    def _locked(self) -> Locked:
        found: Any = super()._locked().fields["pid"]
        return Locked(
            sentence("the trash is in use by {who}", who=_process(found)),
            id="trash",
            pid=found,
        )
