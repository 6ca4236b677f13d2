# SPDX-License-Identifier: Apache-2.0
"""A run's status: state plus evidence (design.md, "Status is state plus evidence")."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from tenuto.runs.ask import Ask, believed
from tenuto.runs.holders import Holder
from tenuto.runs.preview import Preview, timestamp

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


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Why a status is what it is. Absent facts are None, and left out of JSON."""

    kind: EvidenceKind
    seq: int | None = None
    #: RFC 3339, UTC.
    time: str | None = None
    text: str | None = None
    pid: int | None = None
    calls: list[Call] | None = None


#: Terminal reason -> status. A reason that no version of the format names is a failure: the run
#: ended, and not as it should.
_BY_REASON: dict[str, Status] = {
    "completed": "completed",
    "suspended": "suspended",
    "error": "failed",
    "budget": "budget",
    "max_iterations": "max_iterations",
}
_UNREADABLE: dict[str, Status] = {"damaged": "damaged", "newer": "newer", "empty": "empty"}


def status_of(
    preview: Preview, holder: Holder | None, ask: Ask | None, *, can_tell: bool
) -> tuple[Status, Evidence]:
    """The status of a run and why.

    ``holder``: who holds the run's lock, as far as the system tells; ``ask``: its question file,
    believed or not; ``can_tell``: whether "no holder" means that the lock is free.
    """
    if holder is not None:
        return _live(holder, ask)
    unreadable = _UNREADABLE.get(preview.integrity)
    if unreadable is not None:
        return unreadable, Evidence("problem", text=preview.problem)
    terminal = preview.terminal
    if terminal is not None:
        # It is the last record, so the journal's time is its time.
        return _BY_REASON.get(terminal.reason, "failed"), Evidence(
            "terminal",
            seq=terminal.seq,
            time=preview.updated,
            text=terminal.message or None,
        )
    if not can_tell:
        return "interrupted", Evidence("lock_unknown")
    return "interrupted", interrupted(preview)


def _live(holder: Holder, ask: Ask | None) -> tuple[Status, Evidence]:
    asked = believed(ask, holder)
    if asked is not None:
        text = question(asked.ask)
        return "waiting", Evidence("ask", time=asked.since, text=text, pid=holder.pid)
    since = None if holder.since is None else timestamp(round(holder.since * 1_000) * 1_000_000)
    return "running", Evidence("lock", time=since, pid=holder.pid)


def interrupted(preview: Preview) -> Evidence:
    """Where a run stands that broke off: between turns, or in a call of unknown outcome."""
    # Calls run one after another, so only the first without a result can have happened. Of a reply
    # that was cut at the token limit no call ever runs.
    if not preview.pending or preview.last_stop_reason == "max_tokens":
        return Evidence("between_turns")
    first = preview.pending[0]
    return Evidence("outcome_unknown", calls=[Call(first.id, first.name, first.name)])


def question(ask: dict[str, Any]) -> str:
    """What a worker asks, in one string: its text, or the command it wants to run."""
    text = ask.get("text")
    if isinstance(text, str) and text:
        return text
    words = ask.get("argv")
    if isinstance(words, list) and words and all(isinstance(word, str) for word in words):
        from shlex import join

        return join(words)
    tool = ask.get("tool")
    return tool if isinstance(tool, str) else ""
