# SPDX-License-Identifier: Apache-2.0
"""One window per user and folder of runs: a second start hands its request to the first.

A flock decides who owns the name, so nothing is ever removed that a living process listens on. The
socket takes one line: raise the window, or show a session. It lies in a folder that only its owner
may enter, and both ends look at each other's user. A window that goes to another folder takes that
folder's name, and lets the old one go. Where the system has no Unix sockets each start is a window
of its own; runs have locks of their own in any case.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import stat
import struct
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QCryptographicHash, QObject, QTimer, Signal

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalSocket

    from tenuto_gui.shell import Shell

#: Seconds that a window has to answer.
PATIENCE = 1.0
#: Seconds that one has to begin to listen, which it does once it is seen: it loads Qt before, and
#: so may a dozen others at the same time.
STARTING = 30.0
#: Longer requests are no requests: a path has at most 4,096 bytes, JSON may double them.
MAX_REQUEST = 16 << 10
#: What fits the address of a Unix socket on every system.
_MAX_PATH = 100
#: The longest path that a file can have.
_MAX_LISTED = 4096
_VERSION = 1
_OK = b"ok\n"


class Lock(msgspec.Struct, frozen=True):
    """The name is ours while ``fd`` is open."""

    fd: int
    socket_path: Path


class Claim(msgspec.Struct, frozen=True):
    """What a start found. ``lock`` is None where another window owns the name, or none can."""

    lock: Lock | None = None
    handed_over: bool = False
    #: The owner did not answer.
    hung: bool = False
    pid: int | None = None


def meeting_place() -> Path | None:
    """The folder of sockets, 0700 and the user's own; None where there is no such folder."""
    from tenuto.paths import data_dir

    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    choices = [data_dir() / "run"]
    if os.path.isabs(runtime) and os.path.isdir(runtime):
        choices.insert(0, Path(runtime) / "tenuto")
    for place in choices:
        if len(os.fsencode(place)) + 24 <= _MAX_PATH and _is_private(place):
            return place
    return None


def _is_private(place: Path) -> bool:
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = place.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            return False
        if found.st_mode & 0o077:
            place.chmod(0o700)
    except OSError:
        return False
    return True


def name_of(directory: Path) -> str:
    """One name per data folder and folder of runs."""
    from tenuto.paths import data_dir

    parts = [os.path.realpath(data_dir()), os.path.realpath(directory)]
    # Not `hashlib`, which loads a whole library for it before there is a window.
    sha256 = QCryptographicHash.Algorithm.Sha256
    found = QCryptographicHash.hash(os.fsencode("\0".join(parts)), sha256)
    return found.toHex().toStdString()[:16]


def claim(directory: Path, wanted: str) -> Claim:
    """Own the name of this folder's window, or hand ``wanted`` ("" = raise) to its owner."""
    if not hasattr(socket, "AF_UNIX"):
        return Claim()
    import fcntl

    place = meeting_place()
    if place is None:
        return Claim()
    name = name_of(directory)
    latest = time.monotonic() + STARTING
    end = time.monotonic() + PATIENCE
    try:
        fd = _open_lock(place, name)
    except OSError:
        return Claim()
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            taken = _hand_over(place / name, wanted, end)
            if taken:
                os.close(fd)
                return Claim(handed_over=True)
            if taken is None:
                end = min(latest, time.monotonic() + PATIENCE)
        except OSError:
            os.close(fd)
            return Claim()
        else:
            return Claim(_owned(fd, place / name))
        if time.monotonic() >= end:
            pid = _owner(fd)
            os.close(fd)
            return Claim(hung=True, pid=pid)
        # It may be about to listen, or about to go.
        time.sleep(0.05)


def take_over(directory: Path) -> Lock | None:
    """The name of a folder that this window goes to; None where another window has it. At once."""
    import fcntl

    place = meeting_place()
    if place is None:
        return None
    name = name_of(directory)
    try:
        fd = _open_lock(place, name)
    except OSError:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return None
    return _owned(fd, place / name)


def _open_lock(place: Path, name: str) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    return os.open(place / f"{name}.lock", flags, 0o600)


def _owned(fd: int, socket_path: Path) -> Lock:
    """A lock that was just taken, with our process id in its file."""
    os.ftruncate(fd, 0)
    os.pwrite(fd, b"%d" % os.getpid(), 0)
    return Lock(fd, socket_path)


def _owner(fd: int) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        return int(os.pread(fd, 20, 0))
    return None


def _hand_over(path: Path, wanted: str, end: float) -> bool | None:
    """Whether the owner took the request. None: it does not listen yet."""
    line = _line(wanted)
    if request(line) is None:
        # No session can be called that; the window that is open has others.
        line = _line("")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as talk:
        try:
            talk.settimeout(max(0.05, end - time.monotonic()))
            try:
                talk.connect(os.fspath(path))
            except (FileNotFoundError, ConnectionRefusedError):
                # Nobody's socket is the last window's. What is none will never be one.
                return None if not path.exists() or path.is_socket() else False
            if not _is_mine(talk):
                return False
            talk.sendall(line)
            return talk.recv(len(_OK)) == _OK
        except OSError:
            return False


def _line(wanted: str) -> bytes:
    return json.dumps({"version": _VERSION, "open": wanted}).encode() + b"\n"


def _is_mine(talk: socket.socket) -> bool:
    """Whether the other end runs as this user; where the system does not tell, the folder does."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    size = struct.calcsize("3i")
    _pid, uid, _gid = struct.unpack(
        "3i", talk.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    )
    return bool(uid == os.geteuid())


def request(line: bytes) -> str | None:
    """What a line asks to open: "" (raise), an id, or the absolute path of an exported session."""
    from tenuto.sources.desk import valid_id

    if len(line) > MAX_REQUEST:
        return None
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(asked, dict) or asked.get("version") != _VERSION:
        return None
    wanted = asked.get("open")
    if not isinstance(wanted, str):
        return None
    is_file = os.path.isabs(wanted) and wanted.endswith(".tenuto") and "\0" not in wanted
    known = not wanted or valid_id(wanted) or is_file or _is_listed_path(wanted)
    return wanted if known else None


def _is_listed_path(wanted: str) -> bool:
    """Whether it can be the id of a Reasonix session: its place below the folder of sessions."""
    if "/" not in wanted or "\0" in wanted or len(wanted) > _MAX_LISTED:
        return False
    return all(part not in ("", ".", "..") for part in wanted.split("/"))


def _is_free(place: Path) -> bool:
    """Whether a socket can be made there.

    One that is left over goes: the lock is ours, so nobody listens on it. Anything else stays; Qt
    would put its own in the place of it.
    """
    try:
        if not stat.S_ISSOCK(place.lstat().st_mode):
            return False
        place.unlink()
    except FileNotFoundError:
        pass
    except OSError:
        return False
    return True


class Instance(QObject):
    """Listens for later starts, and shows what they ask for."""

    def __init__(self, lock: Lock, shell: Shell, directory: Path) -> None:
        from PySide6.QtNetwork import QLocalServer

        super().__init__()
        self._lock = lock
        self._shell = shell
        self._directory = directory
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)
        self.listening = self._listen()
        # It outlives the windows that take each other's place.
        self._workspace = shell.window.context.workspace
        self._workspace.changed.connect(self._follow)

    def _listen(self) -> bool:
        path = self._lock.socket_path
        return _is_free(path) and self._server.listen(os.fspath(path))

    def _follow(self) -> None:
        """The window went to another folder: answer for that one.

        Where another window answers for it already, this one keeps the name it has, and goes back
        when it is called by that.
        """
        directory = self._workspace.directory
        if name_of(directory) == name_of(self._directory):
            self._directory = directory
            return
        lock = take_over(directory)
        if lock is None:
            return
        self._server.close()
        os.close(self._lock.fd)
        self._lock, self._directory = lock, directory
        self.listening = self._listen()

    def _on_connection(self) -> None:
        while (talk := self._server.nextPendingConnection()) is not None:
            if not _descriptor_is_mine(int(talk.socketDescriptor())):
                talk.abort()
                talk.deleteLater()
                continue
            talk.disconnected.connect(talk.deleteLater)
            caller = _Caller(talk)
            caller.asked.connect(self.take)
            caller.start()

    def take(self, wanted: str) -> None:
        """Show what a later start asked for."""
        self._shell.receive(wanted, self._directory)

    def close(self) -> None:
        """Let the name go."""
        self._workspace.changed.disconnect(self._follow)
        self._server.close()
        with contextlib.suppress(OSError):
            os.close(self._lock.fd)


class _Caller(QObject):
    """One connection; lives as long as its socket, and that for a moment only.

    It does not hold the `Instance`: as the last that does, it would destroy it, and with it the
    server and this socket, from within the end of this very socket.
    """

    #: What the other end wants (str). An object: a name that is no UTF-8 is no QString.
    asked = Signal(object)

    def __init__(self, talk: QLocalSocket) -> None:
        super().__init__(talk)
        self._talk = talk
        self._read = b""

    def start(self) -> None:
        """Listen to the other end, which may have said it all by now."""
        self._talk.readyRead.connect(self._on_ready)
        QTimer.singleShot(round(PATIENCE * 1000), self, self._hang_up)
        self._on_ready()

    def _on_ready(self) -> None:
        self._read += bytes(self._talk.read(MAX_REQUEST + 1 - len(self._read)).data())
        line, end, _ = self._read.partition(b"\n")
        if not end and len(self._read) <= MAX_REQUEST:
            return
        self._talk.readyRead.disconnect(self._on_ready)
        wanted = request(line) if end else None
        self._talk.write(_OK if wanted is not None else b"no\n")
        self._talk.flush()
        self._talk.disconnectFromServer()
        if wanted is not None:
            self.asked.emit(wanted)

    def _hang_up(self) -> None:
        self._talk.abort()


def _descriptor_is_mine(descriptor: int) -> bool:
    if descriptor < 0:
        return False
    with socket.socket(fileno=os.dup(descriptor)) as talk:
        return _is_mine(talk)
