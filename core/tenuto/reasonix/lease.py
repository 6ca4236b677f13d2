# SPDX-License-Identifier: Apache-2.0
"""Who has a session open for writing: the leases of generation B (reasonix.md, section 11).

A lease is an OS lock on ``<id>.jsonl.lease.lock`` and a note beside it that says whose it is.
Tenuto takes one for every session it writes, so that two programs never write the same one; within
one process a lease is shared.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from tenuto.clock import rfc3339_now
from tenuto.errors import Leased, Locked, NotAFile, StoreError
from tenuto.reasonix.meta import BadMeta, nanoseconds
from tenuto.reasonix.names import LEASE, LEASE_LOCK, SAVE_LOCK, as_text, session_id, sibling
from tenuto.reasonix.sidecar import WRITER
from tenuto.runs.files import FileLayer, Folder, explained
from tenuto.runs.holders import LockTable, can_tell, holder, process_start
from tenuto.runs.lock import RunLock
from tenuto.runs.preview import read_raw
from tenuto.sentences import Sentence, sentence

#: How long a save waits for another one, and how often it looks, in seconds.
_PATIENCE: Final = 5.0
_POLL: Final = 0.025
#: A clock may be set a little between the start of a process and its lease.
_SLACK: Final = 5.0


class LeaseNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """What ``<id>.jsonl.lease.json`` holds."""

    session_path: str = ""
    writer_id: str = ""
    pid: int = 0
    hostname: str = ""
    acquired_at: str = ""


class LeaseHolder(msgspec.Struct, frozen=True):
    """Who has a session open. None: nobody tells."""

    pid: int | None
    hostname: str | None
    #: RFC 3339.
    since: str | None

    @property
    def who(self) -> Sentence:
        """In words, for a sentence."""
        if self.pid is None:
            return sentence("another process")
        if self.hostname:
            return sentence("process {pid} on {host}", pid=self.pid, host=self.hostname)
        return sentence("process {pid}", pid=self.pid)


def lease_holder(
    folder: Folder, id: str, table: LockTable | None = None, *, layer: FileLayer | None = None
) -> LeaseHolder | None:
    """Who has session ``id`` open for writing, asked without taking anything; None: nobody.

    The system's lock table decides where it can, and besides it a note that names a process which
    lives: programs lock in more than one way.
    """
    layer = layer or FileLayer()
    note = _note(layer, folder, id)
    held = holder(folder.file(id + LEASE_LOCK), table)
    if held is not None:
        return LeaseHolder(held.pid, note.hostname or None, note.acquired_at or None)
    if note.pid and _lives(note, folder.path):
        return LeaseHolder(note.pid, note.hostname or None, note.acquired_at or None)
    return None


def _note(layer: FileLayer, folder: Folder, id: str) -> LeaseNote:
    data = read_raw(layer, folder, id + LEASE)
    try:
        return msgspec.json.decode(data or b"{}", type=LeaseNote)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return LeaseNote()


def _lives(note: LeaseNote, directory: str) -> bool:
    if note.hostname and note.hostname != socket.gethostname():
        # Its lock would be seen, unless the folder is shared with another machine.
        return not can_tell(directory)
    if note.pid == os.getpid() and note.writer_id != WRITER:
        return False
    started = process_start(note.pid)
    if started is None:
        return _exists(note.pid)
    try:
        taken = nanoseconds(note.acquired_at) / 1e9
    except BadMeta:
        return True
    # A process that began after the lease was taken only has its number.
    return started <= taken + _SLACK


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


class SessionLock(RunLock):
    """The recipe of a run's lock on one of a session's lock files."""

    def __init__(
        self,
        folder: Folder | str,
        id: str,
        suffix: str,
        *,
        layer: FileLayer | None = None,
    ) -> None:
        self.id = id
        self.name = id + suffix
        self._setup(folder, layer)

    def _locked(self) -> Leased:
        found: Any = super()._locked().fields["pid"]
        path = self.folder.file(self.name)
        who = LeaseHolder(found, None, None).who
        return Leased(
            sentence("session {id} is open in {who}", id=self.id, who=who),
            id=self.id,
            path=path,
            pid=found,
            hostname=None,
        )

    def wait(self) -> None:
        """As :meth:`acquire`, trying again for some seconds."""
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                return self.acquire()
            except Locked:
                if time.monotonic() >= end:
                    raise
            time.sleep(_POLL)


class Lease:
    """A session that this process has open for writing. Let it go with :meth:`release`."""

    def __init__(self, path: str, lock: SessionLock) -> None:
        self.path = path
        self._users = 0
        # Who forgets a lease, or ends, lets it go.
        self._end = weakref.finalize(self, _let_go, lock)

    @classmethod
    def acquire(cls, path: str, *, layer: FileLayer | None = None) -> Lease:
        """The lease of the session at ``path``; its folder is made if need be.

        :raises Leased: a live process has it.
        :raises StoreIO: the system cannot lock here, or does not let us write.
        """
        layer = layer or FileLayer()
        key = os.path.realpath(path)
        with _guard:
            lease = _leases.get(key)
            if lease is None:
                lease = _leases[key] = cls(key, _take(layer, key))
            lease._users += 1
            return lease

    @property
    def shared(self) -> bool:
        """Whether somebody else in this process uses it, too."""
        with _guard:
            return self._users > 1

    def release(self) -> None:
        """Give it up, when nobody else in this process uses it."""
        with _guard:
            self._users -= 1
            if self._users == 0:
                _leases.pop(self.path, None)
                self._end()


def _let_go(lock: SessionLock) -> None:
    if lock.held:
        with contextlib.suppress(OSError):
            lock.layer.unlink(lock.folder, lock.id + LEASE)
    lock.release()


_guard = threading.RLock()
_leases: weakref.WeakValueDictionary[str, Lease] = weakref.WeakValueDictionary()


def _take(layer: FileLayer, path: str) -> SessionLock:
    parent, name = os.path.split(path)
    with explained("lock", path):
        layer.make_dir(parent).close()
        return _locked(layer, SessionLock(parent, session_id(name), LEASE_LOCK, layer=layer), path)


def _locked(layer: FileLayer, lock: SessionLock, path: str) -> SessionLock:
    id = lock.id
    try:
        other = lease_holder(lock.folder, id, layer=layer)
        if other is not None and other.pid != os.getpid():
            raise Leased(
                sentence("session {id} is open in {who}", id=id, who=other.who),
                id=id,
                path=path,
                pid=other.pid,
                hostname=other.hostname,
            )
        lock.acquire()
        note = LeaseNote(as_text(path), WRITER, os.getpid(), socket.gethostname(), rfc3339_now())
        layer.atomic_write(lock.folder, id + LEASE, msgspec.json.encode(note), sync_dir=False)
    except BaseException:
        lock.release()
        raise
    return lock


@contextlib.contextmanager
def save_lock(path: str, *, layer: FileLayer | None = None) -> Iterator[None]:
    """Held while a session is written, where a program of generation B was here before.

    Raises Leased after some seconds.
    """
    layer = layer or FileLayer()
    with contextlib.ExitStack() as stack:
        if os.path.lexists(sibling(path, SAVE_LOCK)):
            parent = os.path.dirname(os.path.realpath(path))
            lock = SessionLock(parent, session_id(path), SAVE_LOCK, layer=layer)
            stack.callback(lock.release)
            with contextlib.suppress(NotAFile):
                lock.wait()
        yield


def who_has(path: str, *, layer: FileLayer | None = None) -> LeaseHolder | None:
    """As :func:`lease_holder`, for the session at ``path``."""
    layer = layer or FileLayer()
    try:
        with layer.open_dir(os.path.dirname(os.path.realpath(path))) as folder:
            return lease_holder(folder, session_id(path), layer=layer)
    except (OSError, StoreError):
        return None
