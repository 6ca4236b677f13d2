# SPDX-License-Identifier: Apache-2.0
"""The agent configuration that was last used in each folder of runs.

What a new run there is offered first, and what a run is compared with for which no configuration is
known. Kept in the data folder; a convenience and never an authority.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from tenuto import paths
from tenuto.errors import StoreError
from tenuto.runs.files import FileLayer

_NAME = "folder_configs.json"
#: Folders remembered, the last used first.
MOST = 100


class _Entry(msgspec.Struct, frozen=True):
    folder: str
    config: str


class _Known(msgspec.Struct):
    folders: list[_Entry] = []
    schema: int = 1


def remember(folder: str | os.PathLike[str], config: str, *, directory: Path | None = None) -> bool:
    """A run in ``folder`` goes on with ``config``; False where that cannot be kept."""
    entry = _Entry(os.path.realpath(folder), config)
    old = _load(directory).folders
    if old[:1] == [entry]:
        return True
    known = _Known([entry, *(other for other in old if other.folder != entry.folder)][:MOST])
    layer = FileLayer()
    try:
        with layer.make_dir(_path(directory)) as data:
            layer.atomic_write(data, _NAME, msgspec.json.encode(known) + b"\n")
    except (OSError, StoreError, UnicodeEncodeError):
        # The last: a path that is no UTF-8, which JSON cannot hold.
        return False
    return True


def recall(folder: str | os.PathLike[str], *, directory: Path | None = None) -> str | None:
    """The configuration last used in ``folder``, if it still is a file."""
    full = os.path.realpath(folder)
    for entry in _load(directory).folders:
        if entry.folder == full and os.path.isfile(entry.config):
            return entry.config
    return None


def _load(directory: Path | None) -> _Known:
    layer = FileLayer()
    try:
        with layer.open_dir(_path(directory)) as data:
            return msgspec.json.decode(layer.read_all(data, _NAME), type=_Known)
    except (OSError, StoreError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _Known()


def _path(directory: Path | None) -> str:
    return os.path.realpath(directory or paths.data_dir())
