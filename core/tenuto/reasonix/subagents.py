# SPDX-License-Identifier: Apache-2.0
"""The conversations of a session's sub-agents, which are deleted and come back with it.

All sessions of a folder share ``subagents``: ``<name>.jsonl`` is a transcript, and
``<name>.meta.json`` says in ``parentSession`` whose it is (reasonix.md 1.3 and 8.3).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Final

import msgspec

from tenuto.errors import NotAFile, RunExists
from tenuto.reasonix.names import SESSION, SIBLINGS
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.preview import read_raw
from tenuto.sentences import sentence

#: The folder, beside the sessions and in an entry of the trash.
SUBAGENTS: Final = "subagents"
_OWNER: Final = ".meta.json"


class _Owner(msgspec.Struct, rename="camel"):
    parent_session: str = ""


def move_away(layer: FileLayer, folder: Folder, entry: Folder, parent: str) -> bool:
    """Move what belongs to session ``parent`` into an entry of the trash; whether there was any.

    What says whose they are goes last of each: what breaks off is ended by the next call. OSError
    passes through.
    """
    with contextlib.ExitStack() as stack:
        try:
            shared = stack.enter_context(layer.open_dir(folder.file(SUBAGENTS)))
        except (FileNotFoundError, NotAFile):
            return False
        with layer.scandir(shared) as entries:
            names = sorted(item.name for item in entries)
        found = list(_files_of(layer, shared, names, parent))
        if not found:
            return False
        target = stack.enter_context(layer.make_dir(entry.file(SUBAGENTS)))
        for name in found:
            layer.rename(shared, name, target, name)
        layer.fsync_dir(target)
        layer.fsync_dir(shared)
    return True


def _files_of(layer: FileLayer, shared: Folder, names: list[str], parent: str) -> Iterator[str]:
    present = frozenset(names)
    for owner in names:
        if not owner.endswith(_OWNER):
            continue
        try:
            known = msgspec.json.decode(read_raw(layer, shared, owner) or b"{}", type=_Owner)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
        if known.parent_session.strip() == parent:
            stem = owner.removesuffix(_OWNER)
            yield from (stem + end for end in (SESSION, *SIBLINGS) if stem + end in present)
            yield owner


def in_the_way(layer: FileLayer, entry: Folder, folder: Folder) -> None:
    """:raises RunExists: a file that would come back is there."""
    for name in _names(layer, entry):
        path = os.path.join(folder.file(SUBAGENTS), name)
        if os.path.lexists(path):
            raise RunExists(sentence("{path} is in the way", path=path), id=name, existing=path)


def bring_back(layer: FileLayer, entry: Folder, folder: Folder) -> None:
    """Move the files of an entry of the trash back among those of other sessions."""
    names = _names(layer, entry)
    with (
        layer.open_dir(entry.file(SUBAGENTS)) as source,
        layer.make_dir(folder.file(SUBAGENTS)) as shared,
    ):
        for name in names:
            layer.rename(source, name, shared, name)
        layer.fsync_dir(shared)
    layer.rmdir(entry, SUBAGENTS)


def _names(layer: FileLayer, entry: Folder) -> list[str]:
    with layer.open_dir(entry.file(SUBAGENTS)) as source, layer.scandir(source) as entries:
        return sorted(item.name for item in entries)
