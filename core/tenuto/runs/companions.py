# SPDX-License-Identifier: Apache-2.0
"""The names of all files of a run (design.md, "The files of a run").

An id holds no dot, so the part of a name before its first dot is the id, and no name belongs to
two runs.
"""

from __future__ import annotations

import os
import re
from typing import Literal

from tenuto.runs.ids import valid_id

Kind = Literal["journal", "lock", "preview", "times", "ask", "notes", "torn", "backup", "temp"]

JOURNAL = ".json"
LOCK = ".lock"
PREVIEW = ".preview.json"
TIMES = ".times.jsonl"
ASK = ".ask.json"
NOTES = ".notes.json"
TORN = ".torn"

_BY_SUFFIX: dict[str, Kind] = {
    JOURNAL: "journal",
    LOCK: "lock",
    PREVIEW: "preview",
    TIMES: "times",
    ASK: "ask",
    NOTES: "notes",
    TORN: "torn",
}
#: ``.v1.bak`` ``.v2.bak`` ``.doctor-N.bak``, a number where the name was taken, and the notes of
#: a removed run that a new one of the same id found in its place.
_BACKUP = re.compile(r"\.(v[12](-[0-9]+)?|doctor-[0-9]+|notes-[0-9]+)\.bak")
_TEMP = re.compile(r"\.(?P<name>.+)\.[0-9a-f]{16}\.tmp")

#: What can be made again or means nothing without the journal.
CACHES: frozenset[Kind] = frozenset({"preview", "times", "ask", "temp"})
#: What cannot be made again, besides the journal.
KEPT: frozenset[Kind] = frozenset({"notes", "torn", "backup"})


def journal_name(id: str) -> str:
    """``<id>.json``."""
    return id + JOURNAL


def lock_name(id: str) -> str:
    """``<id>.lock``."""
    return id + LOCK


def temp_name(name: str, token: str) -> str:
    """The name under which ``name`` is written before it is renamed; ``token``: 16 hex digits."""
    return f".{name}.{token}.tmp"


def owner_of(name: str) -> tuple[str, Kind] | None:
    """The run that a file name belongs to, and what it is; None for any other name."""
    if name.startswith("."):
        match = _TEMP.fullmatch(name)
        inner = owner_of(match["name"]) if match else None
        return (inner[0], "temp") if inner else None
    id, dot, rest = name.partition(".")
    if not dot or not valid_id(id):
        return None
    suffix = dot + rest
    kind = _BY_SUFFIX.get(suffix)
    if kind is None and _BACKUP.fullmatch(suffix):
        kind = "backup"
    return (id, kind) if kind else None


def renamed(name: str, old: str, new: str) -> str:
    """The name that file ``name`` of run ``old`` has when the run is called ``new``."""
    return name.replace(old, new, 1)


def was_upgraded(directory: str, id: str) -> bool:
    """Whether the run's journal was rewritten from version 1 or 2: its backup lies beside it."""
    return any(os.path.lexists(os.path.join(directory, f"{id}.v{old}.bak")) for old in (1, 2))
