# SPDX-License-Identifier: Apache-2.0
"""What a Reasonix session did when, from its blocks and the times that it stores itself.

The batches of v4 and the records of a log say when their messages were written; a file of
generation A or B does not, and then everything is told by turn. Token counts are in none of them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter

from tenuto.errors import NewerVersion
from tenuto.runs.files import FileLayer
from tenuto.runs.times import RecordTime
from tenuto.sources.activity import Activity, Call, Failure, Live, Place, Turn
from tenuto.sources.activity_clock import Clockwork, Event
from tenuto.sources.arguments import arguments
from tenuto.sources.base import Block
from tenuto.sources.reasonix_transcript import ReasonixTranscript

#: How much is kept of a call's arguments and of an error's output, in characters.
_ARGUMENTS, _OUTPUT = 120, 400


class ReasonixActivity:
    """One session of any generation. Not thread-safe; what ``refresh`` answers stays as it is."""

    newer: NewerVersion | None = None

    def __init__(self, path: str | os.PathLike[str], *, layer: FileLayer | None = None) -> None:
        self._transcript = ReasonixTranscript(path, layer=layer)

    def refresh(self, live: Live = "", stop: Callable[[], bool] | None = None) -> Activity:
        """Read what is new, and work out all figures. Raises RunNotFound, NotAFile, StoreIO."""
        transcript = self._transcript
        transcript.refresh(live=bool(live), stop=stop)
        # A program that has it open waits for its operator between two turns: that is no work.
        if not transcript.unfinished:
            live = ""
        return activity(
            transcript.blocks,
            transcript.times(),
            live,
            time.time() if live else None,
        )


def activity(
    blocks: Iterable[Block],
    times: Mapping[int, str],
    live: Live = "",
    now: float | None = None,
) -> Activity:
    """The figures of a session.

    ``times``: RFC 3339 by a message's number. ``now`` (seconds since 1970) ends what a live session
    is doing.
    """
    found = _Found()
    for block in blocks:
        found.take(block)
    stamps = {seq: RecordTime(seq, t, found.ms.get(seq)) for seq, t in times.items()}
    found.events.sort(key=attrgetter("seq"))
    made = Clockwork(stamps, "", asks=False).run(
        found.events, found.turns, found.failures, found.open_call, live, now
    )
    made.stored, made.counted = True, False
    return made


class _Found:
    """Turns, calls and what happened when, block by block."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.turns: list[Turn] = []
        self.failures: list[Failure] = []
        self.open_call: Call | None = None
        #: How long the call took whose result has this number.
        self.ms: dict[int, int] = {}

    def take(self, block: Block) -> None:
        match block.kind:
            case "prompt" | "follow_up":
                # As a run's first record: something begins, and what was before it was no wait
                # for the operator. Nobody works on a session that nobody asks anything.
                place = Place(block.seq, block.index, block.turn)
                self.events.append(Event(block.seq, "meta", place=place))
            case "thinking" | "text":
                self._turn(block)
            case "tool_call":
                self._call(block)

    def _turn(self, block: Block) -> Turn:
        if not self.turns or self.turns[-1].place.seq != block.seq:
            turn = Turn(Place(block.seq, block.index, block.turn), 0, 0, 0, 0, [])
            self.turns.append(turn)
            self.events.append(Event(block.seq, "assistant", turn=turn))
        return self.turns[-1]

    def _call(self, block: Block) -> None:
        call = Call(
            Place(block.seq, block.index, block.turn),
            block.call_id,
            block.name,
            arguments(block.input)[:_ARGUMENTS],
            block.state,
            block.exit_code,
            ms=block.ms,
        )
        if block.result_seq != block.seq:
            self._turn(block).calls.append(call)
        if block.state == "failed":
            call.output = (block.result or "")[:_OUTPUT]
            self.failures.append(Failure(call.place, call.output, call))
        if block.result_seq is not None:
            self.events.append(Event(block.result_seq, "tool_result", call=call))
            if block.ms is not None:
                self.ms[block.result_seq] = block.ms
        elif block.state == "running":
            self.open_call = call
