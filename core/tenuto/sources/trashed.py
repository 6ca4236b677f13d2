# SPDX-License-Identifier: Apache-2.0
"""Deleted sessions, whichever source they are of: what a list of them shows. Nothing is changed.

Runs are in Tenuto's own trash, wherever they came from. Reasonix sessions are in the trashes beside
them, where Reasonix itself looks for them; it may have put some there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

import msgspec

from tenuto.errors import NotAFile, StoreError
from tenuto.reasonix.folders import SessionFolder
from tenuto.reasonix.listing import entry_for
from tenuto.reasonix.names import SESSION
from tenuto.reasonix.titles import titles_in
from tenuto.reasonix.trash import TRASH, TrashedSession, trashed_sessions
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.preview import timestamp
from tenuto.runs.trash import Trash
from tenuto.sentences import Sentence, all_of
from tenuto.sources.base import SourceName

#: A session whose sidecar does not say what it is about is read for that up to this size, in bytes.
_SMALL = 1 << 20


class TrashItem(msgspec.Struct, frozen=True, kw_only=True):
    """One deleted session."""

    source: SourceName
    #: Its name for restore and purge.
    token: str
    id: str
    #: The folder it came from ("" where the entry does not say).
    origin: str
    #: When it was deleted: RFC 3339, UTC; "" where the entry does not say.
    time: str
    #: What it was called, or asked first; as it is in the files, not sanitised.
    title: str
    files: tuple[str, ...]
    #: Bytes of all its files.
    size: int
    #: False: a delete or restore was broken off; the next command ends it.
    complete: bool = True
    #: Its project's folder or name; "" for none.
    project: str = ""
    #: Whether it can come back under another id.
    other_id: bool = False


class TrashListing(msgspec.Struct, frozen=True):
    """All deleted sessions, newest deletion first. ``notice``: what could not be read, or None."""

    items: list[TrashItem]
    notice: Sentence | None = None


def joined(listings: Iterable[TrashListing]) -> TrashListing:
    """Several as one."""
    every = list(listings)
    items = [item for listing in every for item in listing.items]
    # Without its last letter a time in UTC sorts as text, however many digits it has.
    items.sort(key=lambda item: (item.time[:-1], item.token), reverse=True)
    notices = [listing.notice for listing in every if listing.notice]
    return TrashListing(items, all_of(notices))


def trashed_runs(directory: str | os.PathLike[str], layer: FileLayer) -> TrashListing:
    """What is in Tenuto's trash."""
    try:
        found = Trash(directory, layer=layer).list()
    except StoreError as error:
        return TrashListing([], error.sentence)
    return TrashListing(
        [
            TrashItem(
                source="fisk-ai",
                token=item.token,
                id=item.id,
                origin=item.origin,
                time=item.time,
                title=item.title,
                files=item.files,
                size=item.size,
                complete=item.complete,
                other_id=True,
            )
            for item in found
        ]
    )


def trash_of(folder: SessionFolder) -> str:
    """The trash of a folder of Reasonix sessions; it need not exist."""
    return os.path.join(os.path.realpath(folder.path), TRASH)


def trashed_reasonix(
    folders: Iterable[tuple[str, SessionFolder]], roots: Mapping[str, str], layer: FileLayer
) -> TrashListing:
    """What is in the trashes of these folders, each with the prefix of its ids.

    ``roots``: project -> its folder, where that is known.
    """
    items: list[TrashItem] = []
    notices: list[Sentence] = []
    for prefix, where in folders:
        if where.v4:
            continue
        project = roots.get(where.project) or where.project
        try:
            found = trashed_sessions(where.path, layer=layer)
        except StoreError as error:
            notices.append(error.sentence)
            continue
        titles = titles_in(where.path, layer) if found else {}
        items += [
            _session(item, prefix, project, titles.get(item.key, ""), layer) for item in found
        ]
    return joined([TrashListing(items, all_of(notices))])


def _session(
    item: TrashedSession, prefix: str, project: str, given: str, layer: FileLayer
) -> TrashItem:
    id = item.key.removesuffix(SESSION)
    path = os.path.join(item.directory, TRASH, item.key)
    title, size = "", 0
    try:
        with layer.open_dir(path) as entry:
            title, workspace = _about(layer, entry, id, given)
            size = _size(layer, entry)
            project = workspace or project
    except (OSError, NotAFile):
        pass  # somebody brings it back, or removes it
    return TrashItem(
        source="reasonix",
        token=path,
        id=prefix + id,
        origin=item.directory,
        time=timestamp(item.deleted_at * 1_000_000) if item.deleted_at else "",
        title=title,
        files=item.files,
        size=size,
        project=project,
    )


def _about(layer: FileLayer, entry: Folder, id: str, given: str) -> tuple[str, str]:
    """Title and project's folder: by title ``given``, the sidecar, else what was asked first."""
    found = entry_for(layer, entry, entry.path, id)
    if found is None:
        return "", ""
    meta = found.meta
    title = given
    if meta is not None:
        preview_of = meta.preview if meta.counted else ""
        title = meta.custom_title or given or meta.topic_title or preview_of
    if not title and found.status.st_size <= _SMALL:
        from tenuto.reasonix.previews import preview
        from tenuto.reasonix.store import read_session_file

        try:
            title = preview(read_session_file(found.path, layer=layer)[0].messages)[0]
        except StoreError:
            title = ""
    return title, "" if meta is None else meta.workspace_root


def _size(layer: FileLayer, folder: Folder) -> int:
    total = 0
    with layer.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                with layer.open_dir(folder.file(entry.name)) as inner:
                    total += _size(layer, inner)
            else:
                total += entry.stat(follow_symlinks=False).st_size
    return total
