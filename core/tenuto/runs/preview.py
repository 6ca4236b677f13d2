# SPDX-License-Identifier: Apache-2.0
"""Sidecar previews: ``<id>.preview.json`` (design.md, "Sidecar previews")."""

from __future__ import annotations

from typing import Literal

import msgspec

SCHEMA = 1

Integrity = Literal["ok", "torn", "damaged", "newer", "empty"]


class PreviewCounters(msgspec.Struct, frozen=True, gc=False):
    """The seven sums of the fold, in the order the sidecar has them."""

    llm_calls: int = 0
    tool_calls: int = 0
    remote_tool_calls: int = 0
    in_tokens: int = 0
    out_tokens: int = 0
    cache_read_tokens: int = 0
    cache_create_tokens: int = 0


class PendingCall(msgspec.Struct, frozen=True, gc=False):
    """A call of the last turn that has no result, in the turn's order."""

    id: str
    name: str


class PreviewTerminal(msgspec.Struct, frozen=True, gc=False):
    """The terminal record in force."""

    reason: str
    message: str
    seq: int


class Preview(msgspec.Struct, kw_only=True):
    """What one sidecar holds; the fields are its keys, in its order."""

    schema: int
    #: Size in bytes, mtime in nanoseconds and inode of the journal this was folded from.
    size: int
    mtime_ns: int
    inode: int
    #: Bytes folded: the end of the last good record, newline included.
    offset: int
    id: str
    #: Schema version of the journal; 0 where it names none.
    version: int
    #: RFC 3339, as the journal has it; "" where it has none.
    created: str
    #: The journal's mtime, RFC 3339 UTC.
    updated: str
    model: str
    provider: str
    interactive: bool
    #: The operator's, else the first line of the prompt; sanitised.
    title: str
    #: At most 200 characters, one line, sanitised; so is ``last_text``.
    prompt: str
    last_text: str
    #: Assistant records, and tool calls in them.
    turns: int
    calls: int
    counters: PreviewCounters
    pending: list[PendingCall]
    next_iteration: int
    last_stop_reason: str
    terminal: PreviewTerminal | None
    integrity: Integrity
    #: What the reader says, "" when nothing is wrong.
    problem: str
