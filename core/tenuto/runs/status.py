# SPDX-License-Identifier: Apache-2.0
"""A run's status: state plus evidence (design.md, "Status is state plus evidence")."""

from __future__ import annotations

from typing import Literal

import msgspec

Status = Literal[
    "running",
    "waiting",
    "suspended",
    "completed",
    "failed",
    "budget",
    "max_iterations",
    "interrupted",
    "damaged",
    "newer",
    "empty",
    # Reasonix only: at rest, can always go on.
    "ready",
    # A row of the window whose preview is still being built; never in command line output.
    "pending",
]

EvidenceKind = Literal[
    # Who holds the lock (pid, time = since when), where the system tells.
    "lock",
    # A worker waits for an answer: text is its question.
    "ask",
    # The terminal record in force: seq, text = its message, time = the journal's mtime.
    "terminal",
    # No terminal record, and every call has its result.
    "between_turns",
    # The first call without a result may have happened: calls holds that one.
    "outcome_unknown",
    # No terminal record, and nothing tells whether somebody holds the lock.
    "lock_unknown",
    # The reader's own words in text (damaged, newer, empty).
    "problem",
]


class Call(msgspec.Struct, frozen=True, gc=False):
    """One tool call. ``display`` is what a person recognises it by."""

    id: str
    name: str
    display: str


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a status is what it is. Absent facts are None, and left out of JSON."""

    kind: EvidenceKind
    seq: int | None = None
    #: RFC 3339, UTC.
    time: str | None = None
    text: str | None = None
    pid: int | None = None
    calls: list[Call] | None = None
