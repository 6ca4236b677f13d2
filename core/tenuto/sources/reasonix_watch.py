# SPDX-License-Identifier: Apache-2.0
"""What a watcher of Reasonix's sessions compares from look to look: sizes, times and leases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from tenuto.reasonix.folders import SessionFolder
from tenuto.reasonix.names import (
    EVENTS,
    LEASE,
    LEASE_LOCK,
    META,
    PENDING,
    SESSION,
    is_session_name,
    is_text,
)
from tenuto.reasonix.titles import TITLES, titles_in
from tenuto.reasonix.v4 import FRAMES, SESSION_ID, WRITER_LOCK
from tenuto.runs.files import FileLayer
from tenuto.runs.holders import LockTable, holder, lock_table
from tenuto.watch_looks import Look

if TYPE_CHECKING:
    from tenuto.runs.notes import Notes

#: What else of a session is told by its row.
_BESIDE: Final = (META, EVENTS, LEASE, LEASE_LOCK, PENDING)

#: Of one file: changed where any of these differ.
_Signature = tuple[int, int, int]


def look(
    folders: list[tuple[str, SessionFolder]],
    notes: Mapping[str, Notes],
    id_of: Callable[[str], str | None],
) -> Look:
    """The sessions of folders, each with the prefix of its ids; what cannot be read is not there.

    No session is opened. ``notes``: what is noted on sessions, by their paths.
    """
    table = lock_table()
    found: dict[str, Any] = {}
    for prefix, where in folders:
        each = _v4(where.path, table) if where.v4 else _plain(where.path, table)
        # As in a list: what is no text is no id.
        found.update((prefix + id, state) for id, state in each if is_text(prefix + id))
    for path, noted in notes.items():
        id = id_of(path)
        if id in found:
            found[id] = (found[id], noted.pinned, noted.note)
    return found


def folders_of(root: str, folders: list[SessionFolder]) -> Iterator[tuple[str, bool]]:
    """What to have events from: the folders of sessions, and those in which more may appear."""
    projects = os.path.join(root, "projects")
    shallow = {root, projects, *(os.path.dirname(where.path) for where in folders)}
    deep = {where.path for where in folders if where.v4}
    shallow |= {where.path for where in folders} - deep
    yield from ((path, False) for path in sorted(shallow - deep) if os.path.isdir(path))
    yield from ((path, True) for path in sorted(deep) if os.path.isdir(path))


def _plain(path: str, table: LockTable | None) -> Iterator[tuple[str, Any]]:
    files = dict(_files(path))
    titles = titles_in(path, FileLayer()) if TITLES in files else {}
    for name, signature in files.items():
        if not is_session_name(name):
            continue
        id = name[: -len(SESSION)]
        beside = [files.get(id + suffix) for suffix in _BESIDE]
        # A lock that is let go leaves its file as it was.
        held = None
        if id + LEASE_LOCK in files:
            held = _pid(os.path.join(path, id + LEASE_LOCK), table)
        yield id, (signature, *beside, held, titles.get(name))


def _v4(path: str, table: LockTable | None) -> Iterator[tuple[str, Any]]:
    try:
        names = [name for name in os.listdir(path) if SESSION_ID.fullmatch(name)]
    except OSError:
        return
    for name in names:
        folder = os.path.join(path, name)
        try:
            signature = _signature(os.lstat(os.path.join(folder, FRAMES)))
        except OSError:
            continue
        yield name, (signature, _pid(os.path.join(folder, WRITER_LOCK), table))


def _pid(path: str, table: LockTable | None) -> Any:
    found = holder(path, table)
    return None if found is None else found.pid or "?"


def _files(path: str) -> Iterator[tuple[str, _Signature]]:
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                try:
                    yield entry.name, _signature(entry.stat(follow_symlinks=False))
                except OSError:
                    continue
    except OSError:
        return


def _signature(status: os.stat_result) -> _Signature:
    return (status.st_size, status.st_mtime_ns, status.st_ino)
