# SPDX-License-Identifier: Apache-2.0
"""The activity of a run, kept up to date by reading only what is new of its journal."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from tenuto.errors import NewerVersion
from tenuto.messages import ToolResult
from tenuto.payloads import Assistant, Meta, Record, Terminal, ToolResultRecord, User
from tenuto.runs.files import FileLayer
from tenuto.runs.times import RecordTime
from tenuto.sources.activity import Activity, Call, Failure, Live, Place, Turn
from tenuto.sources.activity_clock import Clockwork, Event
from tenuto.sources.arguments import arguments
from tenuto.sources.blocks import CommandResult, Denial, unwrap
from tenuto.sources.follow import BadLine, JournalFollower, TimesFollower

#: How much is kept of a call's arguments and of an error's output, in characters.
_ARGUMENTS, _OUTPUT = 120, 400


class ActivityBuilder:
    """Takes records in file order; ``activity`` says what they come to with the times known."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._turns: list[Turn] = []
        self._failures: list[Failure] = []
        self._pending: dict[str, Call] = {}
        self._turn = 0
        self._created = ""

    def feed(self, record: Record) -> None:
        """Add one record."""
        payload = record.payload
        event = Event(record.seq, record.kind, pending=bool(self._pending))
        match payload:
            case Meta():
                self._created = self._created or payload.created
            case Assistant():
                event.turn = self._assistant(record.seq, payload)
            case ToolResultRecord():
                event.call = self._result(record.seq, payload.result)
            case User():
                event.place = Place(record.seq, 0, self._turn)
                for content in payload.message.content or ():
                    if content.tool_result is not None:
                        self._result(record.seq, content.tool_result)
                self._pending = {}
            case Terminal():
                event.place = Place(record.seq)
                if payload.reason == "error":
                    self._failures.append(Failure(event.place, payload.message[:_OUTPUT]))
        self._events.append(event)

    def _assistant(self, seq: int, payload: Assistant) -> Turn:
        self._turn = payload.iteration + 1
        self._pending = {}
        calls = []
        first = 0
        for index, content in enumerate(payload.message.content or ()):
            if content.tool_use is not None:
                use = content.tool_use
                words = arguments(bytes(use.input))[:_ARGUMENTS]
                call = Call(Place(seq, index, self._turn), use.id, use.name, words)
                self._pending[use.id] = call
                calls.append(call)
            elif content.text is not None and not content.text.text and index == first:
                # A transcript shows nothing of an empty text.
                first = index + 1
        turn = Turn(
            Place(seq, first, self._turn),
            payload.in_tokens,
            payload.out_tokens,
            payload.cache_read_tokens,
            payload.cache_create_tokens,
            calls,
        )
        self._turns.append(turn)
        return turn

    def _result(self, seq: int, result: ToolResult) -> Call | None:
        call = self._pending.pop(result.tool_use_id, None)
        if call is None:
            # The record that called is damaged.
            call = Call(Place(seq, 0, self._turn), result.tool_use_id, "", "")
        call.state = "failed" if result.is_error else "done"
        output = result.content
        match unwrap(result.content):
            case CommandResult() as command:
                output, call.exit_code = command.output, command.exit_code
                if command.exit_code:
                    call.state = "failed"
            case Denial() as denial:
                output, call.state = denial.reason, "denied"
        if call.state == "failed":
            call.output = output[:_OUTPUT]
            self._failures.append(Failure(call.place, call.output, call))
        return call

    def activity(
        self, times: Mapping[int, RecordTime], live: Live = "", now: float | None = None
    ) -> Activity:
        """The figures. ``now`` (seconds since 1970) ends what a live run is doing."""
        return Clockwork(times, self._created).run(
            self._events, self._turns, self._failures, self._open_call(), live, now
        )

    def _open_call(self) -> Call | None:
        """The call that a live run is at: calls run one after another."""
        return next(iter(self._pending.values()), None)


class RunActivity:
    """One journal file. Not thread-safe; what ``refresh`` answers is not touched again."""

    def __init__(self, path: str | os.PathLike[str], *, layer: FileLayer | None = None) -> None:
        self._times = TimesFollower(Path(path), layer)
        self._builder = ActivityBuilder()
        self._follower = JournalFollower(path, self, layer=layer)
        #: Lines that could not be read.
        self.damaged = 0

    @property
    def newer(self) -> NewerVersion | None:
        """Set where a newer program wrote the journal: then there are no figures."""
        return self._follower.newer

    def refresh(self, live: Live = "", stop: Callable[[], bool] | None = None) -> Activity:
        """Read what was appended since the last call, and work out all figures.

        Raises RunNotFound, NotAFile, StoreIO.
        """
        with self._follower.opened() as (file, status):
            if self._follower.is_other(status):
                self._builder = ActivityBuilder()
                self.damaged = 0
                self._follower.reset()
            self._times.refresh()
            self._follower.read(file, status.st_size, stop)
        return self._builder.activity(self._times.known, live, time.time() if live else None)

    def record(self, record: Record, _line: int, _offset: int) -> None:
        """A record, from the follower."""
        self._builder.feed(record)

    def bad(self, _found: BadLine) -> None:
        """Damage, from the follower."""
        self.damaged += 1
