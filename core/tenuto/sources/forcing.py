# SPDX-License-Identifier: Apache-2.0
"""Which resumes of a run were forced, and at which record each of them went on.

The journal does not say it (it holds one fingerprint, which a force leaves as it is). The notes of
the run hold when a resume was forced and what differed; its times hold when each record was
written. Together they name the record: the first one that was written after the force.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from tenuto.runs import notes
from tenuto.runs.companions import NOTES
from tenuto.runs.files import FileLayer
from tenuto.runs.ids import valid_id
from tenuto.runs.times import RecordTime
from tenuto.sources.base import Change, Forcing
from tenuto.text import single_line

_FIELDS = {
    "system_hash": "system prompt",
    "tools_hash": "tool set",
    "thinking_mode": "thinking",
    "max_tokens": "token budget",
    "max_iterations": "iteration budget",
}


class ForcedFollower:
    """The forced resumes of one run, read again when its notes have changed."""

    def __init__(self, path: Path, layer: FileLayer | None = None) -> None:
        self._path = path
        self._layer = layer
        self._seen: tuple[int, int, int] | None = None
        #: In the order in which they happened.
        self.known: tuple[Forcing, ...] = ()

    def refresh(self) -> bool:
        """Look at the notes; whether other resumes are known to be forced than before."""
        id = self._path.name.removesuffix(".json")
        if not valid_id(id):
            return False
        try:
            status = os.stat(self._path.with_name(id + NOTES), follow_symlinks=False)
            seen = (status.st_ino, status.st_size, status.st_mtime_ns)
        except OSError:
            seen = None
        if seen == self._seen:
            return False
        self._seen = seen
        before = self.known
        found = notes.load(self._path.parent, id, layer=self._layer).forced if seen else ()
        self.known = tuple(_forcing(each) for each in found)
        return self.known != before


def places(known: tuple[Forcing, ...], times: Mapping[int, RecordTime]) -> dict[int, Forcing]:
    """Record number -> the forced resume that went on with it.

    Key 0: the newest one, when no record was written since. Where two led to the same record, the
    earlier one wrote nothing, and the newer one is what the record was written under.
    """
    seqs = sorted(times)
    found: dict[int, Forcing] = {}
    for forcing in known:
        since = moment(forcing.time)
        if since is None:
            continue
        rank = bisect_left(seqs, since, key=lambda seq: moment(times[seq].t) or since)
        found[seqs[rank] if rank < len(seqs) else 0] = forcing
    return found


def moment(text: str) -> datetime | None:
    """An RFC 3339 time; None where it is none."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _forcing(each: notes.Forced) -> Forcing:
    changes = []
    for row in each.diff:
        field = row.get("field")
        if isinstance(field, str) and row.get("changed", True):
            changes.append(Change(field, _value(row.get("saved")), _value(row.get("current"))))
    return Forcing(each.time, each.config, tuple(changes))


def _value(value: object) -> str | int | None:
    return value if isinstance(value, str | int) and not isinstance(value, bool) else None


def forced_words(forcing: Forcing) -> str:
    """What a force changed, in a terminal's and an export's words."""
    names = [_FIELDS.get(change.field, single_line(change.field)) for change in forcing.changes]
    return "forced: " + (", ".join(names) or "another configuration")
