# SPDX-License-Identifier: Apache-2.0
"""The sessions of one folder, newest activity first (reasonix.md, section 5).

Times and counts come from the sidecars; only a session whose sidecar does not count is read. What
cannot be read is in the list all the same, with what could be.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import msgspec

from tenuto.errors import StoreError
from tenuto.reasonix.meta import ZERO_TIME, Meta
from tenuto.reasonix.names import META, PENDING, SESSION, is_session_name
from tenuto.reasonix.sidecar import read_meta
from tenuto.reasonix.titles import TITLES, read_titles
from tenuto.runs.files import FileLayer, Folder, explained, what_is
from tenuto.runs.listing import Skipped
from tenuto.runs.preview import timestamp
from tenuto.runs.reader import collector_off


class SessionInfo(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One session in a list. Times are RFC 3339, UTC."""

    path: str
    created: str
    last_activity: str
    preview: str
    turns: int
    #: What a person called it; "" where nobody did.
    title: str = ""
    model: str = ""
    #: ``project``, anything else means none.
    scope: str = ""
    workspace_root: str = ""
    topic_id: str = ""
    topic_title: str = ""
    custom_title: str = ""
    name: str = ""
    parent_id: str = ""
    #: Where the file cannot be read; "" where nothing was found wrong, or nothing was read.
    problem: str = ""


class Entry(msgspec.Struct, gc=False):
    """A session as folder and sidecar have it; the session itself was not read."""

    id: str
    path: str
    status: os.stat_result
    meta: Meta | None
    #: RFC 3339, UTC: by the sidecar, else the file's own.
    activity: str
    created: str
    #: What a person, or else Reasonix, called it; "" where nobody did.
    title: str


class Look(msgspec.Struct):
    """One look at a folder: its sessions, in order, and what is not in the list and why."""

    entries: list[Entry]
    skipped: list[Skipped]
    #: All names that were there.
    names: frozenset[str]


def list_sessions(
    dir: str | os.PathLike[str], *, layer: FileLayer | None = None
) -> list[SessionInfo]:
    """The sessions in ``dir``, newest activity first; none where there is no such folder.

    Sessions that wait for their cleanup are left out. Nothing is written.

    :raises StoreIO: the folder cannot be read.
    """
    layer = layer or FileLayer()
    path = os.path.abspath(dir)
    with explained("list", path):
        try:
            folder = layer.open_dir(os.path.realpath(path))
        except FileNotFoundError:
            return []
        with folder, collector_off():
            found = look(layer, folder, path)
            return [_info(layer, entry) for entry in found.entries]


def newest(infos: Iterable[SessionInfo], count: int = 10) -> list[SessionInfo]:
    """What a picker offers: the newest sessions that have a turn (reasonix.md 6.1)."""
    return [info for info in infos if info.turns][:count]


def look(layer: FileLayer, folder: Folder, shown: str) -> Look:
    """One look at an open folder whose path is ``shown`` as. OSError passes through."""
    prefix = shown.rstrip(os.sep) + os.sep
    sessions: list[tuple[str, os.stat_result]] = []
    others: list[str] = []
    skipped: list[Skipped] = []
    with layer.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if not is_session_name(name):
                others.append(name)
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            what = what_is(status)
            if what is None:
                sessions.append((name, status))
            else:
                skipped.append(Skipped(name, f"not a session: {what}"))
    beside = set(others)
    titles = read_titles(layer, folder) if TITLES in beside else {}
    found = []
    for name, status in sessions:
        id = name[: -len(SESSION)]
        if id + PENDING in beside:
            skipped.append(Skipped(name, "Reasonix is about to remove it"))
            continue
        meta = read_meta(layer, folder, id) if id + META in beside else None
        found.append(_entry(id, prefix + name, status, meta, titles.get(name, "")))
    # By activity, then by path, both descending and ascending in turn: two sorts of plain values.
    found.sort(key=_path)
    found.sort(key=_activity, reverse=True)
    names = frozenset(beside.union(name for name, _ in sessions))
    return Look(found, skipped, names)


def _path(entry: Entry) -> str:
    return entry.path


def _activity(entry: Entry) -> str:
    # Without its last letter the text sorts as the time does.
    return entry.activity[:-1]


def _entry(id: str, path: str, status: os.stat_result, meta: Meta | None, title: str) -> Entry:
    if meta is None:
        mtime = timestamp(status.st_mtime_ns)
        return Entry(id, path, status, None, mtime, mtime, title)
    activity, created = meta.updated_at, meta.created_at
    if activity == ZERO_TIME:
        activity = timestamp(status.st_mtime_ns)
    if created == ZERO_TIME:
        created = timestamp(status.st_mtime_ns)
    title = meta.custom_title or title or meta.topic_title
    return Entry(id, path, status, meta, activity, created, title)


def entry_for(layer: FileLayer, folder: Folder, shown: str, id: str) -> Entry | None:
    """One session of a folder; None where it is not there, or is none."""
    name = id + SESSION
    try:
        status = layer.lstat(folder, name)
    except OSError:
        return None
    if what_is(status) is not None or layer.exists(folder, id + PENDING):
        return None
    title = read_titles(layer, folder).get(name, "")
    return _entry(id, os.path.join(shown, name), status, read_meta(layer, folder, id), title)


def _info(layer: FileLayer, entry: Entry) -> SessionInfo:
    meta = entry.meta or Meta()
    preview, turns, problem = meta.preview, meta.turns, ""
    if not meta.counted:
        preview, turns, problem = _read(layer, entry.path)
    return SessionInfo(
        path=entry.path,
        created=entry.created,
        last_activity=entry.activity,
        preview=preview,
        turns=turns,
        title=entry.title,
        model=meta.model,
        scope=meta.scope,
        workspace_root=meta.workspace_root,
        topic_id=meta.topic_id,
        topic_title=meta.topic_title,
        custom_title=meta.custom_title,
        name=meta.name or entry.id,
        parent_id=meta.parent_id,
        problem=problem,
    )


def _read(layer: FileLayer, path: str) -> tuple[str, int, str]:
    # Reading takes more modules than listing does.
    from tenuto.reasonix.previews import preview
    from tenuto.reasonix.store import damaged, read_session_file

    try:
        reading, _ = read_session_file(path, layer=layer)
    except StoreError as error:
        return "", 0, error.message
    text, turns = preview(reading.messages)
    return text, turns, damaged(path, reading).message if reading.damage else ""
