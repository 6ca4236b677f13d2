# SPDX-License-Identifier: Apache-2.0
"""With what each Reasonix session was last resumed: its configuration and working directory.

Kept in the data folder, as nothing of Tenuto's own goes beside a session that another program
keeps. It is a convenience and never an authority.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from tenuto import paths
from tenuto.errors import StoreError
from tenuto.runs.files import FileLayer

_NAME = "reasonix_sessions.json"
#: Sessions remembered, the last resumed first.
MOST = 500


class SessionNote(msgspec.Struct, frozen=True):
    """One session, by the absolute path of its file."""

    path: str
    config: str = ""
    cwd: str = ""


class _Known(msgspec.Struct):
    sessions: list[SessionNote] = []
    schema: int = 1


def remember(path: str, config: str, cwd: str, *, directory: Path | None = None) -> bool:
    """Put a session first in the list; False, and nothing else, where that cannot be written."""
    note = SessionNote(os.path.realpath(path), config, cwd)
    others = (other for other in _load(directory).sessions if other.path != note.path)
    known = _Known([note, *others][:MOST])
    layer = FileLayer()
    try:
        with layer.make_dir(str(directory or paths.data_dir())) as folder:
            layer.atomic_write(folder, _NAME, msgspec.json.encode(known) + b"\n")
    except (OSError, StoreError, UnicodeEncodeError):
        return False
    return True


def recall(path: str, *, directory: Path | None = None) -> SessionNote:
    """What is remembered of a session; an empty note where nothing is."""
    full = os.path.realpath(path)
    found = (note for note in _load(directory).sessions if note.path == full)
    return next(found, SessionNote(full))


def _load(directory: Path | None) -> _Known:
    layer = FileLayer()
    try:
        with layer.open_dir(str(directory or paths.data_dir())) as folder:
            return msgspec.json.decode(layer.read_all(folder, _NAME), type=_Known)
    except (OSError, StoreError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _Known()
