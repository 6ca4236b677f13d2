# SPDX-License-Identifier: Apache-2.0
"""Resuming a session after a long pause: what is stale is archived and taken out (6.3)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Final

import msgspec

from tenuto.reasonix import folders
from tenuto.reasonix.meta import ZERO_TIME, nanoseconds
from tenuto.reasonix.model import Message
from tenuto.reasonix.prune import prune_stale, stale_results
from tenuto.reasonix.sidecar import load_meta
from tenuto.reasonix.store import save_session
from tenuto.runs.files import FileLayer

DAY: Final = 86_400.0


class Pruned(msgspec.Struct, frozen=True):
    """What a cold resume took out."""

    results: int
    #: Since the session was last used, to the minute.
    idle_minutes: int
    #: The file that holds the originals.
    archive: str


class ColdResume:
    """When a session counts as cold, and what becomes of it then.

    ``after``: seconds without activity; None turns pruning off. ``context_window``: tokens of the
    model, 0 where it is not known, and then nothing is pruned. ``archive``: the folder for the
    originals, by default the one that belongs to ``dir``.
    """

    def __init__(
        self,
        dir: str,
        *,
        after: float | None = DAY,
        context_window: int = 0,
        recent_keep: int = 0,
        keep_errors: bool = True,
        archive: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.after = after
        self.context_window = context_window
        self.recent_keep = recent_keep
        self.keep_errors = keep_errors
        self.archive = archive_for(dir) if archive is None else archive
        self._clock = clock

    def prune(
        self, path: str, messages: list[Message], *, layer: FileLayer | None = None
    ) -> tuple[list[Message], Pruned | None]:
        """``messages`` pruned, if the session at ``path`` is cold; what was done, None if nothing.

        Raises StoreIO where the originals cannot be archived: then nothing is taken out.
        """
        idle = self._idle(path, layer)
        if self.after is None or idle is None or idle < self.after:
            return messages, None
        stale = stale_results(
            messages, self.context_window, self.recent_keep, keep_errors=self.keep_errors
        )
        if not stale:
            return messages, None
        archive = self._archive_path()
        save_session(archive, (messages[at] for at in stale), layer=layer)
        pruned, count = prune_stale(
            messages, self.context_window, self.recent_keep, self.keep_errors
        )
        return pruned, Pruned(count, round(idle / 60), archive)

    def _idle(self, path: str, layer: FileLayer | None) -> float | None:
        """Seconds since the session was used; None where its metadata does not say."""
        if not path or self.context_window <= 0 or self.after is None:
            return None
        try:
            meta = load_meta(path, layer=layer)
        except OSError:
            return None
        if meta is None or meta.updated_at == ZERO_TIME:
            return None
        return self._clock() - nanoseconds(meta.updated_at) / 1e9

    def _archive_path(self) -> str:
        now = self._clock()
        while True:
            stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
            path = os.path.join(self.archive, f"{stamp}.{int(now * 1000) % 1000:03d}.jsonl")
            if not os.path.lexists(path):
                return path
            now += 0.001


def archive_for(dir: str) -> str:
    """The archive that belongs to a folder of sessions: in the state folder above it."""
    root = folders.root_above(dir)
    return os.fspath(folders.archive_dir() if root is None else root / "archive")
