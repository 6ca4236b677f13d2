# SPDX-License-Identifier: Apache-2.0
"""What can be done with a Reasonix session, and why not."""

from __future__ import annotations

import os
import shutil

from tenuto.sentences import Sentence, sentence
from tenuto.sources.base import Capabilities, Capability
from tenuto.sources.known_texts import said_of
from tenuto.sources.reasonix_rows import ReasonixSummary

#: Reasonix's own program.
PROGRAM = "reasonix"
_YES = Capability(True)


def _no(code: str, reason: Sentence) -> Capability:
    return Capability(False, code, reason)


def capabilities(row: ReasonixSummary) -> Capabilities:
    """By the row as it is shown, and its folder as it is now."""
    blocked = _in_use(row) or _read_only(row)
    unreadable = _unreadable(row)
    foreign = _foreign(row)
    return Capabilities(
        resume=foreign or blocked or unreadable or _YES,
        force=_no(
            "not_supported", sentence("a Reasonix session holds no configuration to go against")
        ),
        fork=unreadable or _YES,
        rename=foreign or blocked or _YES,
        delete=foreign or blocked or _YES,
        diff=_no(
            "not_supported", sentence("a Reasonix session holds no configuration to compare with")
        ),
        # Kept in Tenuto's own data, so nobody else's files are in the way.
        note=_YES,
        export=_YES,
        hand_over=_in_use(row) or _not_installed() or _YES,
    )


def _in_use(row: ReasonixSummary) -> Capability | None:
    if row.status != "running":
        return None
    who = row.holder.who if row.holder is not None else sentence("another process")
    return _no("leased", sentence("it is open in {who}", who=who))


def _not_installed() -> Capability | None:
    if shutil.which(PROGRAM) is not None:
        return None
    return _no("not_supported", sentence("there is no {program} program on PATH", program=PROGRAM))


def _read_only(row: ReasonixSummary) -> Capability | None:
    directory = os.path.dirname(row.path)
    if os.access(directory, os.W_OK | os.X_OK):
        return None
    return _no("read_only", sentence("{directory} cannot be written", directory=directory))


def _unreadable(row: ReasonixSummary) -> Capability | None:
    if row.status == "pending":
        return _no("pending", sentence("it is still being read"))
    if row.integrity == "damaged":
        return _no(
            "damaged",
            sentence("the session is damaged: {reason}", reason=said_of(row.problem)),
        )
    if row.integrity == "empty":
        return _no("empty", sentence("the session holds no messages"))
    return None


def _foreign(row: ReasonixSummary) -> Capability | None:
    if row.generation in ("A", "B"):
        return None
    which = sentence("its event log") if row.generation == "C" else sentence("its v4 store")
    return _no(
        "foreign",
        sentence(
            "only Reasonix itself writes {which}: fork the session, or go on in reasonix",
            which=which,
        ),
    )
