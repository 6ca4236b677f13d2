# SPDX-License-Identifier: Apache-2.0
"""Deleting a session with a way back, where Reasonix's desktop app looks for it (reasonix.md 8.3).

``<dir>/.trash/<id>.jsonl/`` is a folder named like the session; the session and everything that
belongs to it are moved there by rename. A session that is open somewhere is refused.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from typing import Final

import msgspec

from tenuto.errors import Leased, NotAFile, RunExists, SessionNotFound
from tenuto.reasonix import subagents, titles
from tenuto.reasonix.eventlog import refuse_logged
from tenuto.reasonix.lease import Lease
from tenuto.reasonix.names import PENDING, SESSION, SIBLINGS, as_text, is_session_name, session_id
from tenuto.runs.files import FileLayer, Folder, explained, what_is
from tenuto.sentences import sentence

TRASH: Final = ".trash"
INFO: Final = ".trash-meta.json"
#: Behind the name of an entry that is being removed for good: no session is called so.
PURGING: Final = ".purging"
_ODD: Final = re.compile(r"[/\\\0]")


class TrashInfo(msgspec.Struct, rename="camel"):
    """What ``.trash-meta.json`` holds: the name of the session, and milliseconds since 1970."""

    key: str = ""
    deleted_at: int = 0


class TrashedSession(msgspec.Struct, frozen=True):
    """A session in the trash of its folder."""

    #: The session's file name, and the name of its folder there.
    key: str
    directory: str
    #: Milliseconds since 1970; 0 where the entry does not say.
    deleted_at: int
    files: tuple[str, ...]


def trash_session(
    path: str | os.PathLike[str], *, layer: FileLayer | None = None
) -> TrashedSession:
    """Move the session at ``path`` and all that belongs to it into the trash beside it.

    What broke off in the middle is ended by the next call: the session's file goes last.

    :raises SessionNotFound: there is none.
    :raises Leased: a live process has it open.
    :raises NewerGeneration: it has an event log.
    :raises RunExists: one of its name is in the trash already.
    :raises NotAFile: it is no session.
    :raises StoreIO: the system said no.
    """
    layer = layer or FileLayer()
    full = os.path.realpath(os.path.dirname(os.path.abspath(path)))
    key = os.path.basename(os.fspath(path))
    if not is_session_name(key):
        raise NotAFile(
            sentence("{key} is not a session", key=key), path=os.fspath(path), what="other file"
        )
    if not os.path.lexists(os.path.join(full, key)):
        raise SessionNotFound(
            sentence("there is no session {path}", path=os.fspath(path)), path=os.fspath(path)
        )
    refuse_logged(os.path.join(full, key))
    lease = Lease.acquire(os.path.join(full, key), layer=layer)
    try:
        if lease.shared:
            raise Leased(
                sentence("session {key} is open in this process", key=session_id(key)),
                id=session_id(key),
                path=os.fspath(path),
                pid=os.getpid(),
                hostname=None,
            )
        with explained("move to the trash:", os.fspath(path)), layer.open_dir(full) as folder:
            return _move(layer, folder, key)
    finally:
        lease.release()


def _move(layer: FileLayer, folder: Folder, key: str) -> TrashedSession:
    layer.check_regular(folder, key, layer.lstat(folder, key))
    entry_path = os.path.join(folder.path, TRASH, key)
    with layer.make_dir(entry_path) as entry:
        if layer.exists(entry, key):
            if not layer.exists(folder, session_id(key) + PENDING):
                raise RunExists(
                    sentence("{key} is in the trash already", key=key), id=key, existing=entry_path
                )
            layer.unlink(entry, key)
        now = time.time_ns() // 1_000_000
        info = msgspec.json.encode(TrashInfo(as_text(key), now))
        layer.atomic_write(entry, INFO, info + b"\n")
        names = [session_id(key) + suffix for suffix in SIBLINGS]
        moved = [name for name in names if _rename(layer, folder, entry, name)]
        if subagents.move_away(layer, folder, entry, session_id(key)):
            moved.append(subagents.SUBAGENTS)
        # The session itself last: until then it is in the list, and a second call goes on.
        layer.rename(folder, key, entry, key)
        layer.fsync_dir(entry)
        layer.fsync_dir(folder)
    return TrashedSession(key, folder.path, now, (key, *moved))


def _rename(layer: FileLayer, source: Folder, target: Folder, name: str) -> bool:
    if not layer.exists(source, name):
        return False
    layer.rename(source, name, target, name)
    return True


def trashed_sessions(
    dir: str | os.PathLike[str], *, layer: FileLayer | None = None
) -> list[TrashedSession]:
    """What is in the trash of ``dir``, newest first; none where there is no trash.

    :raises StoreIO: it cannot be read.
    """
    layer = layer or FileLayer()
    full = os.path.realpath(dir)
    found = []
    with explained("list", full):
        for key in _keys(layer, os.path.join(full, TRASH)):
            with contextlib.suppress(NotAFile, FileNotFoundError), _entry(layer, full, key) as at:
                with layer.scandir(at) as entries:
                    names = sorted(entry.name for entry in entries if entry.name != INFO)
                if key in names:
                    files = (key, *(name for name in names if name != key))
                    found.append(TrashedSession(key, full, _info(layer, at).deleted_at, files))
    return sorted(found, key=lambda item: (item.deleted_at, item.key), reverse=True)


def restore_session(
    dir: str | os.PathLike[str], key: str, *, layer: FileLayer | None = None
) -> str:
    """Bring the session ``key`` back into ``dir``; its path.

    :raises SessionNotFound: it is not in the trash.
    :raises RunExists: a file of its is in the way; nothing is moved.
    :raises StoreIO: the system said no.
    """
    layer = layer or FileLayer()
    full = os.path.realpath(dir)
    if key in ("", ".", "..") or _ODD.search(key):
        raise SessionNotFound(sentence("{key!r} is not in the trash", key=key), path=key)
    try:
        with _entry(layer, full, key) as entry, explained("restore", os.path.join(full, key)):
            if not layer.exists(entry, key):
                raise NotAFile(
                    sentence("{key} is not in the trash", key=key), path=key, what="missing"
                )
            with layer.open_dir(full) as folder:
                _bring_back(layer, entry, folder, key)
    except (FileNotFoundError, NotAFile) as error:
        raise SessionNotFound(sentence("{key} is not in the trash", key=key), path=key) from error
    with contextlib.suppress(OSError), layer.open_dir(os.path.join(full, TRASH)) as trash:
        layer.rmdir(trash, key)
    return os.path.join(full, key)


def purge_session(dir: str | os.PathLike[str], key: str, *, layer: FileLayer | None = None) -> None:
    """Remove the session ``key`` in the trash for good, and all that lies with it; durable.

    What broke off in the middle is no entry any more, and is ended by the next call.

    :raises SessionNotFound: it is not in the trash.
    :raises StoreIO: the system said no.
    """
    layer = layer or FileLayer()
    full = os.path.realpath(dir)
    if not key.endswith(SESSION) or _ODD.search(key):
        raise SessionNotFound(sentence("{key!r} is not in the trash", key=key), path=key)
    try:
        # A link to somewhere else is no entry, and nothing behind it is ours.
        _entry(layer, full, key).close()
        with (
            explained("purge", os.path.join(full, TRASH, key)),
            layer.open_dir(os.path.join(full, TRASH)) as trash,
        ):
            with layer.scandir(trash) as entries:
                names = [entry.name for entry in entries]
            layer.rename(trash, key, trash, key + PURGING)
            layer.fsync_dir(trash)
            for name in [key + PURGING, *(name for name in names if name.endswith(PURGING))]:
                with contextlib.suppress(FileNotFoundError, NotAFile):
                    _remove(layer, trash, name)
            layer.fsync_dir(trash)
    except (FileNotFoundError, NotAFile) as error:
        raise SessionNotFound(sentence("{key} is not in the trash", key=key), path=key) from error
    with contextlib.suppress(OSError, NotAFile), layer.open_dir(full) as folder:
        if not layer.exists(folder, key):
            titles.forget(layer, folder, key)


def _remove(layer: FileLayer, folder: Folder, name: str) -> None:
    """Remove a folder and what is in it; links are removed, never followed."""
    with layer.open_dir(folder.file(name)) as inner:
        with layer.scandir(inner) as entries:
            found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        for each, is_folder in found:
            if is_folder:
                _remove(layer, inner, each)
            else:
                layer.unlink(inner, each)
    layer.rmdir(folder, name)


def _bring_back(layer: FileLayer, entry: Folder, folder: Folder, key: str) -> None:
    with layer.scandir(entry) as entries:
        names = sorted(item.name for item in entries if item.name != INFO)
    shared = subagents.SUBAGENTS in names
    if shared:
        # Their folder is there for those of other sessions, too.
        names.remove(subagents.SUBAGENTS)
        subagents.in_the_way(layer, entry, folder)
    for name in names:
        if layer.exists(folder, name):
            raise RunExists(
                sentence("{name} is in the way", name=folder.file(name)),
                id=key,
                existing=folder.file(name),
            )
    if shared:
        subagents.bring_back(layer, entry, folder)
    # The session itself last: with it, it is back whole.
    for name in [*(name for name in names if name != key), key]:
        layer.rename(entry, name, folder, name)
    layer.fsync_dir(folder)
    with contextlib.suppress(OSError):
        layer.unlink(entry, INFO)


def _keys(layer: FileLayer, path: str) -> list[str]:
    try:
        with layer.open_dir(path) as trash, layer.scandir(trash) as entries:
            return sorted(
                entry.name
                for entry in entries
                if entry.name.endswith(SESSION) and entry.is_dir(follow_symlinks=False)
            )
    except (FileNotFoundError, NotAFile):
        return []


def _entry(layer: FileLayer, directory: str, key: str) -> Folder:
    return layer.open_dir(os.path.join(directory, TRASH, key))


def _info(layer: FileLayer, entry: Folder) -> TrashInfo:
    """What an entry says of itself; nothing where it is silent."""
    with contextlib.suppress(OSError, NotAFile, msgspec.MsgspecError, UnicodeDecodeError):
        status = layer.lstat(entry, INFO)
        if what_is(status) is None:
            return msgspec.json.decode(layer.read_all(entry, INFO), type=TrashInfo)
    return TrashInfo()
