# SPDX-License-Identifier: Apache-2.0
"""What can be done with a run, and why not."""

from __future__ import annotations

import os

from tenuto.sentences import Sentence, sentence
from tenuto.sources.base import Capabilities, Capability, SessionSummary
from tenuto.sources.known_texts import said_of

_YES = Capability(True)


def _no(code: str, reason: Sentence) -> Capability:
    return Capability(False, code, reason)


def capabilities(summary: SessionSummary, directory: str) -> Capabilities:
    """By the row as it is shown, and the file and folder as they are now."""
    blocked = _in_use(summary) or _read_only(directory)
    resume = blocked or _unreadable(summary) or _over(summary) or _linked(summary) or _YES
    noted = _read_only(directory) or _YES
    return Capabilities(
        resume=resume,
        force=resume,
        fork=_read_only(directory) or _no_record(summary) or _YES,
        rename=noted,
        delete=blocked or _YES,
        diff=_no_fingerprint(summary) or _YES,
        note=noted,
        export=_YES,
        hand_over=_no("not_supported", sentence("it goes on in Tenuto")),
    )


def _in_use(summary: SessionSummary) -> Capability | None:
    if summary.status not in ("running", "waiting"):
        return None
    pid = summary.evidence.pid if summary.evidence is not None else None
    if pid is None:
        return _no("running", sentence("it is in use by another process"))
    return _no("running", sentence("it is in use by process {pid}", pid=pid))


def _read_only(directory: str) -> Capability | None:
    if os.access(directory, os.W_OK | os.X_OK):
        return None
    return _no("read_only", sentence("{directory} cannot be written", directory=directory))


def _unreadable(summary: SessionSummary) -> Capability | None:
    if summary.status == "pending":
        return _no("pending", sentence("it is still being read"))
    if summary.integrity == "newer":
        return _no("newer", said_of(summary.problem))
    if summary.integrity == "damaged":
        return _no(
            "damaged",
            sentence("the journal is damaged: {reason}", reason=said_of(summary.problem)),
        )
    if summary.integrity == "empty":
        return _no("empty", sentence("the journal holds no records"))
    return None


def _over(summary: SessionSummary) -> Capability | None:
    if summary.status == "completed":
        return _no("completed", sentence("it is completed"))
    return None


def _linked(summary: SessionSummary) -> Capability | None:
    try:
        names = os.stat(summary.path, follow_symlinks=False).st_nlink
    except OSError:
        return None
    if names < 2:
        return None
    return _no(
        "hard_linked",
        sentence("the file has {count} names: it is readable, nothing is added to it", count=names),
    )


def _no_record(summary: SessionSummary) -> Capability | None:
    """What is before the damage can be forked, and a run in use as well: it is only read."""
    return None if summary.integrity == "damaged" and summary.version else _unreadable(summary)


def _no_fingerprint(summary: SessionSummary) -> Capability | None:
    if summary.version > 0 and summary.integrity in ("ok", "torn", "damaged"):
        return None
    return _unreadable(summary)
