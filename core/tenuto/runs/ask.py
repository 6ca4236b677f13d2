# SPDX-License-Identifier: Apache-2.0
"""``<id>.ask.json``: what a run's worker waits for (design.md, "The files of a run").

It outlives a worker that was killed, so it is believed only while its pid holds the run's lock.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any

import msgspec

from tenuto.clock import rfc3339_now
from tenuto.errors import StoreError
from tenuto.runs.companions import ASK, lock_name
from tenuto.runs.files import FileLayer, explained
from tenuto.runs.holders import Holder, LockTable, holder
from tenuto.runs.ids import check_id


class Ask(msgspec.Struct, frozen=True):
    """A question that waits for an answer."""

    pid: int
    #: RFC 3339, UTC.
    since: str
    #: The worker's event, as it was sent.
    ask: dict[str, Any]


def write(
    directory: str | os.PathLike[str],
    id: str,
    ask: dict[str, Any],
    *,
    layer: FileLayer | None = None,
) -> Ask:
    """Say that this process waits for the answer to ``ask``.

    :raises StoreIO: the file cannot be written.
    """
    from tenuto import gojson  # by whoever asks, and not by every listing

    layer = layer or FileLayer()
    question = Ask(os.getpid(), rfc3339_now(), ask)
    name = check_id(id) + ASK
    path = os.path.join(directory, name)
    with explained("write", path), layer.open_dir(os.path.realpath(directory)) as folder:
        # Worth nothing after a power cut: not even the folder is synced for it.
        layer.atomic_write(folder, name, gojson.encode_any(question) + b"\n", sync_dir=False)
    return question


def read(
    directory: str | os.PathLike[str], id: str, *, layer: FileLayer | None = None
) -> Ask | None:
    """What the file says, believed or not; None where there is none or it makes no sense."""
    layer = layer or FileLayer()
    check_id(id)
    try:
        with layer.open_dir(os.path.realpath(directory)) as folder:
            return msgspec.json.decode(layer.read_all(folder, id + ASK), type=Ask)
    except (OSError, StoreError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def believed(ask: Ask | None, held_by: Holder | None) -> Ask | None:
    """``ask``, if its process is the one that holds the lock."""
    if ask is None or held_by is None or ask.pid != held_by.pid:
        return None
    return ask


def current(
    directory: str | os.PathLike[str],
    id: str,
    *,
    table: LockTable | None = None,
    layer: FileLayer | None = None,
) -> Ask | None:
    """The question that a live worker of run ``id`` waits for, or None."""
    ask = read(directory, id, layer=layer)
    if ask is None:
        return None
    return believed(ask, holder(os.path.join(directory, lock_name(id)), table))


def remove(directory: str | os.PathLike[str], id: str, *, layer: FileLayer | None = None) -> bool:
    """Take the question back; whether there was one. Never raises for what the system says."""
    layer = layer or FileLayer()
    check_id(id)
    with (
        contextlib.suppress(OSError, StoreError),
        layer.open_dir(os.path.realpath(directory)) as folder,
    ):
        layer.unlink(folder, id + ASK)
        return True
    return False
