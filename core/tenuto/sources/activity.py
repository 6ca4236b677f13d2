# SPDX-License-Identifier: Apache-2.0
"""What a session did when: turns, calls, waits, tokens and errors.

A journal holds no times. What Tenuto did not see has no span and no duration here (design.md,
"Times"); how much of a run that is stands in ``Activity.unseen``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tenuto.sources.base import CallState

#: Gaps without any work that are longer than this, in seconds, are folded.
FOLDED = 60.0

SpanKind = Literal["model", "tool", "you"]
#: Why nothing worked: somebody was asked, the run was at rest, or it is not known.
GapKind = Literal["wait", "suspended", "idle"]
#: Whether a process works on the run now, or waits for the operator.
Live = Literal["", "running", "waiting"]


class Place(msgspec.Struct, frozen=True, gc=False):
    """A block of the transcript."""

    seq: int
    index: int = 0
    turn: int = 0


class Call(msgspec.Struct, gc=False):
    """One tool call. ``ms`` is None where nobody saw how long it took."""

    place: Place
    id: str
    name: str
    arguments: str
    state: CallState = ""
    exit_code: int | None = None
    #: The beginning of what it answered, kept for errors only.
    output: str = ""
    ms: float | None = None


class Turn(msgspec.Struct, gc=False):
    """One reply of the model, what it cost, and the calls in it."""

    place: Place
    in_tokens: int
    out_tokens: int
    cache_read: int
    cache_create: int
    calls: list[Call]
    #: Whether the time of its record is known.
    seen: bool = False
    #: Whether there was a folded gap since the turn before.
    after_break: bool = False

    @property
    def read(self) -> int:
        """All tokens that went in, from the cache or not."""
        return self.in_tokens + self.cache_read + self.cache_create

    @property
    def total(self) -> int:
        return self.read + self.out_tokens


class Span(msgspec.Struct, frozen=True, gc=False):
    """Work, or waiting for the operator, in seconds since 1970."""

    kind: SpanKind
    start: float
    end: float
    place: Place
    #: The tool's name.
    name: str = ""
    call: Call | None = None
    #: It has not ended yet.
    live: bool = False


class Gap(msgspec.Struct, frozen=True, gc=False):
    """A time in which nothing worked, long enough to be folded."""

    start: float
    end: float
    kind: GapKind


class Tool(msgspec.Struct, gc=False):
    """All calls of one tool."""

    name: str
    calls: int = 0
    errors: int = 0
    total_ms: float = 0.0
    #: The longest of the calls whose duration is known.
    longest: Call | None = None


class Failure(msgspec.Struct, frozen=True, gc=False):
    """A call that failed, or the end of a run that did (``call`` is None)."""

    place: Place
    text: str
    call: Call | None = None


class Activity(msgspec.Struct, gc=False):
    """Everything the Activity view shows."""

    turns: list[Turn] = []
    spans: list[Span] = []
    gaps: list[Gap] = []
    #: By total time, then by calls.
    tools: list[Tool] = []
    failures: list[Failure] = []
    #: Seconds since 1970, None where nobody saw it.
    begun: float | None = None
    ended: float | None = None
    #: Seconds.
    model: float = 0.0
    tool: float = 0.0
    waited: float = 0.0
    suspended: float = 0.0
    calls: int = 0
    errors: int = 0
    #: Tokens in and out, those that went in, and those of them that came from the cache.
    tokens: int = 0
    read: int = 0
    cached: int = 0
    #: Turns that read nothing from the cache although an earlier one did.
    cold: list[Turn] = []
    #: First and last of the turns without a time, in runs of such.
    unseen: list[tuple[int, int]] = []
    #: The times are the session's own, not those that Tenuto noted.
    stored: bool = False
    #: Whether anybody counted tokens.
    counted: bool = True

    @property
    def timed(self) -> bool:
        """Whether there is anything to draw over time."""
        return bool(self.spans)
