# SPDX-License-Identifier: Apache-2.0
"""Loading and saving a session of generation A (reasonix.md 2.2 and 2.3).

A load changes nothing on disk. A save writes the whole session beside the old one and renames: the
file is the old session or the new one, whatever happens in between.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from tenuto.errors import DamagedSession, NotAFile, PendingCleanup, SessionNotFound
from tenuto.reasonix.encode import encode_message
from tenuto.reasonix.model import Message
from tenuto.reasonix.names import EVENTS, PENDING, SESSION, sibling
from tenuto.reasonix.normalise import normalize_session
from tenuto.reasonix.stream import Reading, read_messages
from tenuto.runs.files import FileLayer, Folder, explain, explained
from tenuto.sentences import Sentence, others_words, sentence

#: Bytes that are gathered before they are written.
_CHUNK: Final = 1 << 20
#: How often a rename is tried again, and after how many seconds times the failures so far.
_RETRIES: Final = 12
_STEP: Final = 0.02
#: What waiting does not mend.
_HOPELESS: Final = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ENOENT, errno.EISDIR, errno.ENOTDIR}
)
_TEMP: Final = ".session."
#: Seconds after which a temporary file is nobody's any more.
_ABANDONED: Final = 3600


class FileState(msgspec.Struct, frozen=True):
    """Which file was read or written: another one, or a changed one, has another state."""

    size: int
    mtime_ns: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> FileState:
        return cls(status.st_size, status.st_mtime_ns, status.st_ino)


class Session(list[Message]):
    """The messages of a session, repaired; and what is known of the file they came from."""

    def __init__(
        self,
        messages: Iterable[Message] = (),
        *,
        path: str = "",
        dirty: bool = False,
        state: FileState | None = None,
    ) -> None:
        super().__init__(messages)
        self.path = path
        #: Whether anything was repaired: the repair is on disk with the next save.
        self.dirty = dirty
        self.state = state


def load_session(path: str | os.PathLike[str], *, layer: FileLayer | None = None) -> Session:
    """The session at ``path``, with everything repaired that can be. The file is not changed.

    Where a log lies beside it (generation C), that says what the messages are.

    :raises SessionNotFound: there is no such file (a FileNotFoundError).
    :raises PendingCleanup: Reasonix is about to remove it.
    :raises DamagedSession: it cannot be read to its end (a ValueError).
    :raises NotAFile: a symlink, a folder, a device, a file of somebody else.
    :raises StoreIO: the system said no.
    """
    name = os.fspath(path)
    if os.path.lexists(sibling(name, PENDING)):
        raise PendingCleanup(sentence("session is pending cleanup: {name}", name=name), path=name)
    if os.path.lexists(name.removesuffix(SESSION) + EVENTS):
        from tenuto.reasonix.eventlog import load_logged

        reading, state = load_logged(name, layer=layer)
    else:
        reading, state = read_session_file(name, layer=layer)
        if reading.damage:
            raise damaged(name, reading)
    repaired = normalize_session(reading.messages)
    return Session(repaired, path=name, dirty=repaired is not reading.messages, state=state)


def damaged(path: str, reading: Reading) -> DamagedSession:
    """What to say of a file that is not whole."""
    first = reading.damage[0]
    return DamagedSession(
        sentence(
            "decode {path}: {reason} (line {line}, byte {offset}, after {index} messages)",
            path=path,
            reason=others_words(first.reason),
            line=first.line,
            offset=first.offset,
            index=first.index,
        ),
        path=path,
        damage=first.kind,
        offset=first.offset,
        line=first.line,
        index=first.index,
        reason=first.reason,
    )


def read_session_file(
    path: str, *, layer: FileLayer | None = None, read_on: bool = False
) -> tuple[Reading, FileState]:
    """What a session file holds, as it was written, up to damage or (``read_on``) beyond it.

    Raises as :func:`load_session`, but never for content.
    """
    layer = layer or FileLayer()
    with opened(path, layer) as (fd, status):
        reading = read_messages(lambda size: layer.read(fd, size), read_on=read_on)
    return reading, FileState.of(status)


@contextlib.contextmanager
def opened(path: str, layer: FileLayer) -> Iterator[tuple[int, os.stat_result]]:
    """A regular file of this user, open for reading, and its status."""
    parent, name = os.path.split(os.path.abspath(path))
    try:
        with layer.open_dir(os.path.realpath(parent)) as folder:
            fd, status = layer.open_regular(folder, name)
    except FileNotFoundError as error:
        raise SessionNotFound(
            sentence("there is no session {path}", path=path), path=path
        ) from error
    except NotAFile as error:
        what = error.fields["what"]
        raise NotAFile(
            sentence("not a session: {path} is a {what}", path=path, what=Sentence(what, {})),
            path=path,
            what=what,
        ) from error
    except OSError as error:
        raise explain(error, "read", path) from error
    with explained("read", path):
        try:
            yield fd, status
        finally:
            layer.close(fd)


class Saved(msgspec.Struct, frozen=True):
    """What a save left on disk."""

    state: FileState
    #: SHA-256 of the file's bytes, in hex: what generation B calls the content's digest.
    digest: str


def save_session(
    path: str | os.PathLike[str],
    messages: Iterable[Message],
    *,
    layer: FileLayer | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Saved:
    """Write the whole session to ``path``; durable on return. Its folder is made if need be.

    After any error before the rename the old file is as it was, and nothing is left beside it.

    :raises ValueError: no path, or a value that JSON cannot hold.
    :raises TypeError: a message that no reader would take.
    :raises StoreIO: the system said no.
    """
    name = os.fspath(path)
    if not name:
        raise ValueError("a session needs a path to be saved")
    layer = layer or FileLayer()
    parent, base = os.path.split(os.path.abspath(name))
    with explained("save", name), layer.make_dir(os.path.realpath(parent)) as folder:
        temp = f"{_TEMP}{secrets.token_hex(8)}.tmp"
        fd = layer.open(folder, temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            try:
                digest = _write(layer, fd, messages, name)
                layer.fsync(fd)
                # A rename changes neither of these.
                state = FileState.of(layer.fstat(fd))
            finally:
                layer.close(fd)
            rename_patiently(layer, folder, temp, base, sleep=sleep)
        except BaseException:
            with contextlib.suppress(OSError):
                layer.unlink(folder, temp)
            raise
        layer.fsync_dir(folder)
    return Saved(state, digest)


def _write(layer: FileLayer, fd: int, messages: Iterable[Message], path: str) -> str:
    digest = hashlib.sha256()
    lines: list[bytes] = []
    size = 0
    for message in messages:
        line = encode_message(message)
        lines.append(line)
        size += len(line)
        if size >= _CHUNK:
            part = b"".join(lines)
            digest.update(part)
            layer.write_all(fd, part, path=path)
            lines, size = [], 0
    part = b"".join(lines)
    digest.update(part)
    layer.write_all(fd, part, path=path)
    return digest.hexdigest()


def rename_patiently(
    layer: FileLayer,
    folder: Folder,
    temp: str,
    name: str,
    *,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Put ``temp`` in the place of ``name``, trying again while somebody holds that open.

    That is what other systems answer with "permission denied" or "busy". OSError passes through.
    """
    for attempt in range(1, _RETRIES + 2):
        try:
            layer.rename(folder, temp, folder, name)
            return
        except OSError as error:
            if attempt > _RETRIES or error.errno in _HOPELESS:
                raise
        sleep(_STEP * attempt)


def sweep_temps(directory: str, *, layer: FileLayer | None = None) -> list[str]:
    """Remove what broken off saves left in a folder an hour ago or earlier; the names."""
    layer = layer or FileLayer()
    swept: list[str] = []
    with contextlib.suppress(OSError, NotAFile), layer.open_dir(os.path.realpath(directory)) as at:
        with layer.scandir(at) as entries:
            names = [e.name for e in entries if e.name.startswith(_TEMP)]
        for name in names:
            if Path(name).suffix != ".tmp":
                continue
            with contextlib.suppress(OSError, NotAFile):
                status = layer.lstat(at, name)
                layer.check_regular(at, name, status)
                if time.time() - status.st_mtime > _ABANDONED:
                    layer.unlink(at, name)
                    swept.append(name)
    return swept
