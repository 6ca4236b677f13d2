# SPDX-License-Identifier: Apache-2.0
"""Puts the records of a run on the clock. Pure: events and times in, figures out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from datetime import datetime

import msgspec

from tenuto.payloads import RecordKind
from tenuto.runs.times import RecordTime
from tenuto.sources.activity import (
    FOLDED,
    Activity,
    Call,
    Failure,
    Gap,
    GapKind,
    Live,
    Place,
    Span,
    Tool,
    Turn,
)

#: A shorter pause between an answer and the next step is the loop's own, in seconds.
_WAIT = 1.0


class Event(msgspec.Struct, gc=False):
    """What one record means for time."""

    seq: int
    kind: RecordKind
    turn: Turn | None = None
    call: Call | None = None
    #: Whether a call was still without its result when this record was written.
    pending: bool = False
    place: Place | None = None


class Clockwork:
    """Goes through the events once and puts them on the clock."""

    def __init__(self, times: Mapping[int, RecordTime], created: str, *, asks: bool = True) -> None:
        """``asks``: a pause before a call is known to be the operator's, who was asked about it."""
        self._asks = asks
        self._times = times
        self._created = created
        self._made = Activity()
        #: When the last record was written, None where that is not known.
        self._last: float | None = None
        #: The latest time seen: a clock that was set back does not turn time around.
        self._latest = float("-inf")
        #: When the last work ended, and what came of the time since then, by kind.
        self._idle_since: float | None = None
        self._idle: dict[GapKind, float] = {}
        self._resting = False
        #: Whether there was a gap since the last turn.
        self._broken = False
        #: Turns and calls of the builder, by identity, and what is answered in their place.
        self._copies: dict[int, Turn | Call] = {}
        self._lost: list[Call] = []

    def run(
        self,
        events: list[Event],
        turns: list[Turn],
        failures: list[Failure],
        open_call: Call | None,
        live: Live,
        now: float | None,
    ) -> Activity:
        made = self._made
        # The builder's own objects go on changing while what is answered is shown elsewhere.
        made.turns = [self._copied(turn) for turn in turns]
        for event in events:
            self._take(event)
        turns = made.turns
        if live and now is not None:
            self._go_on(events, turns, open_call, live, now)
        elif self._last is not None:
            self._close_gap(self._last)
        made.failures = [
            each if each.call is None else Failure(each.place, each.text, self._call(each.call))
            for each in failures
        ]
        made.tools = _tools(turns, self._lost)
        made.calls = sum(tool.calls for tool in made.tools)
        made.errors = sum(tool.errors for tool in made.tools)
        made.read = sum(turn.read for turn in turns)
        made.cached = sum(turn.cache_read for turn in turns)
        made.tokens = made.read + sum(turn.out_tokens for turn in turns)
        made.cold = _cold(turns)
        made.unseen = _runs(turn.place.turn for turn in turns if not turn.seen)
        if not made.spans:
            made.unseen = []
        return made

    def _copied(self, turn: Turn) -> Turn:
        made = copy(turn)
        made.calls = [copy(call) for call in turn.calls]
        self._copies[id(turn)] = made
        for old, new in zip(turn.calls, made.calls, strict=True):
            self._copies[id(old)] = new
        return made

    def _call(self, call: Call) -> Call:
        found = self._copies.get(id(call))
        if isinstance(found, Call):
            return found
        # The turn that made this call is damaged.
        made = self._copies[id(call)] = copy(call)
        self._lost.append(made)
        return made

    def _take(self, event: Event) -> None:
        time, ms = self._stamp(event)
        made = self._made
        if time is not None:
            time = max(time, self._latest)
            made.ended = time
        call = self._call(event.call) if event.call is not None else None
        turn = None
        if event.turn is not None:
            turn = self._copies[id(event.turn)]
            assert isinstance(turn, Turn)
            turn.seen = time is not None
        if time is None:
            self._last = None
            self._resting = event.kind == "terminal"
            return
        if event.kind in ("assistant", "tool_result"):
            self._work(turn or call, time, ms)
        else:
            self._begin(time)
            self._rest(event, time)
        self._last = self._latest = time
        self._resting = event.kind == "terminal"

    def _stamp(self, event: Event) -> tuple[float | None, int | None]:
        found = self._times.get(event.seq)
        if found is not None:
            return _seconds(found.t), found.ms
        return (_seconds(self._created) if event.kind == "meta" else None), None

    def _work(self, what: Turn | Call | None, end: float, ms: int | None) -> None:
        before = self._last
        if what is None:
            return
        if ms is not None:
            start = max(end - max(ms, 0) / 1000, self._latest)
        elif before is not None and not self._resting:
            start = before
        else:
            # When it began is not known.
            self._begin(end)
            self._pass(before, end, "suspended")
            return
        self._begin(start)
        kind: GapKind = "wait" if self._asks and isinstance(what, Call) else "idle"
        self._pass(before, start, "suspended" if self._resting else kind, what.place)
        self._broken = self._close_gap(start) or self._broken
        self._idle_since = end
        if isinstance(what, Turn):
            what.after_break, self._broken = self._broken, False
            self._made.model += end - start
            self._made.spans.append(Span("model", start, end, what.place))
        else:
            what.ms = (end - start) * 1000
            self._made.tool += end - start
            self._made.spans.append(Span("tool", start, end, what.place, what.name, what))

    def _begin(self, time: float) -> None:
        """Nothing is known of what was before the first time."""
        if self._made.begun is None:
            self._made.begun = time
        if self._idle_since is None:
            self._idle_since = time

    def _rest(self, event: Event, time: float) -> None:
        kind: GapKind = "suspended" if self._resting else "idle"
        if not self._resting and (event.kind == "user" or event.pending):
            kind = "wait"
        self._pass(self._last, time, kind, event.place)

    def _pass(
        self, start: float | None, end: float, kind: GapKind, place: Place | None = None
    ) -> None:
        """Time in which nothing worked."""
        if start is None or end <= start:
            return
        if kind == "wait":
            if end - start < _WAIT or place is None:
                kind = "idle"
            else:
                self._made.waited += end - start
                self._made.spans.append(Span("you", start, end, place))
        if kind == "suspended":
            self._made.suspended += end - start
        self._idle[kind] = self._idle.get(kind, 0.0) + end - start

    def _close_gap(self, end: float) -> bool:
        """Work begins, or all is over: whether the time since the last work is a gap."""
        start, self._idle_since = self._idle_since, end
        idle, self._idle = self._idle, {}
        if start is None or end - start <= FOLDED:
            return False
        kind: GapKind = "idle"
        if idle:
            kind = max(idle, key=lambda each: idle[each])
        self._made.gaps.append(Gap(start, end, kind))
        return True

    def _go_on(
        self,
        events: list[Event],
        turns: list[Turn],
        call: Call | None,
        live: Live,
        now: float,
    ) -> None:
        """What is being done at this moment."""
        start = self._last
        if start is None or self._resting or not events or now < start:
            if start is not None:
                self._close_gap(start)
            return
        self._made.ended = now
        call = self._call(call) if call is not None else None
        place = call.place if call is not None else Place(events[-1].seq)
        if live == "waiting":
            self._pass(start, now, "wait", place)
            self._close_gap(now)
            return
        self._close_gap(start)
        if call is not None:
            self._made.tool += now - start
            self._made.spans.append(Span("tool", start, now, place, call.name, call, live=True))
        else:
            self._made.model += now - start
            turn = turns[-1].place.turn if turns else 0
            self._made.spans.append(
                Span("model", start, now, Place(place.seq, 0, turn + 1), live=True)
            )


def _tools(turns: list[Turn], lost: list[Call]) -> list[Tool]:
    found: dict[str, Tool] = {}
    for call in (*(call for turn in turns for call in turn.calls), *lost):
        tool = found.get(call.name)
        if tool is None:
            tool = found[call.name] = Tool(call.name)
        tool.calls += 1
        tool.errors += call.state == "failed"
        if call.ms is not None:
            tool.total_ms += call.ms
            if tool.longest is None or call.ms > (tool.longest.ms or 0.0):
                tool.longest = call
    return sorted(found.values(), key=lambda tool: (-tool.total_ms, -tool.calls, tool.name))


def _cold(turns: list[Turn]) -> list[Turn]:
    warm = next((n for n, turn in enumerate(turns) if turn.cache_read > 0), len(turns))
    return [turn for turn in turns[warm:] if turn.cache_read <= 0 and turn.read > 0]


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Runs of consecutive numbers: 1 2 3 7 is 1-3 and 7-7."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number in (found[-1][1], found[-1][1] + 1):
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def _seconds(text: str) -> float | None:
    """An RFC 3339 time as seconds since 1970; None for what is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.timestamp() if moment.tzinfo is not None else None
