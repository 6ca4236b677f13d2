# SPDX-License-Identifier: Apache-2.0
"""The names of a session's files, and what they tell (reasonix.md 1.2 and 1.3)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Final

SESSION: Final = ".jsonl"
META: Final = ".jsonl.meta"
EVENTS: Final = ".events.jsonl"
PENDING: Final = ".cleanup-pending.json"
CHECKPOINTS: Final = ".ckpt"
LEASE_LOCK: Final = ".jsonl.lease.lock"
LEASE: Final = ".jsonl.lease.json"
SAVE_LOCK: Final = ".jsonl.lock"

#: Files of a session that end as a session does, and are none.
_NOT_SESSIONS: Final = (
    EVENTS,
    ".conflicts.jsonl",
    ".guardian.jsonl",
    ".wire.jsonl",
    ".adjudication.jsonl",
    ".execution.jsonl",
)
#: What else begins with a session's id and belongs to it.
SIBLINGS: Final = (
    META,
    CHECKPOINTS,
    ".jobs",
    ".goal-state.json",
    ".guardian.jsonl",
    ".guardian.cursor.json",
    ".jsonl.telemetry.json",
)


def is_text(name: str) -> bool:
    """Whether a file's name or path is UTF-8, so that it can stand in a text."""
    return name.isascii() or as_text(name) == name


def as_text(name: str) -> str:
    """A file's name or path as Go writes it into JSON: what is no UTF-8 becomes U+FFFD."""
    return os.fsencode(name).decode(errors="replace")


def session_id(name: str) -> str:
    """The id: the name without its last extension."""
    return os.path.splitext(os.path.basename(name))[0]


def is_session_name(name: str) -> bool:
    """Whether a file of this name is a session, by the filter since generation C."""
    return name.endswith(SESSION) and not name.endswith(_NOT_SESSIONS)


def model_of(name: str) -> str:
    """The model's label in a session's name, as the session tools of Reasonix read it."""
    stem = name.removesuffix(SESSION)
    first, dash, rest = stem.partition("-")
    if not dash:
        return "(unknown)" if first == stem else rest
    second, dash, label = rest.partition("-")
    return label if dash else second


def label(model: str) -> str:
    """``model`` as it stands in a file's name."""
    return model.replace("/", "-").replace("\\", "-") or "session"


def new_session_path(
    dir: str | os.PathLike[str], model: str, *, now: Callable[[], int] = time.time_ns
) -> str:
    """A fresh path in ``dir`` for a session with ``model``; nothing is made. "" without a folder.

    ``now``: nanoseconds since 1970. They keep two sessions apart; a name that is taken all the same
    is never given.
    """
    folder = os.fspath(dir)
    if not folder:
        return ""
    while True:
        seconds, nanoseconds = divmod(now(), 1_000_000_000)
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(seconds))
        path = os.path.join(folder, f"{stamp}.{nanoseconds:09d}-{label(model)}{SESSION}")
        if not os.path.lexists(path):
            return path


def continue_session_path(
    previous: str | os.PathLike[str] | None, dir: str | os.PathLike[str] | None, model: str
) -> str:
    """Where a session goes on when its model is switched: where it was, so that no copy is left.

    A fresh path where it was nowhere yet, "" where there is no folder either.
    """
    if previous is not None and os.fspath(previous):
        return os.fspath(previous)
    return new_session_path(dir, model) if dir is not None else ""


def sibling(path: str, suffix: str) -> str:
    """The path of another file of the session at ``path``."""
    return path.removesuffix(SESSION) + suffix
