# SPDX-License-Identifier: Apache-2.0
"""From the messages of a Reasonix session to the blocks of a transcript: pure, one at a time.

Messages are taken as they are stored, not repaired: a call that has no result is shown as such.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec

from tenuto.clock import rfc3339
from tenuto.reasonix.convert import FAILED
from tenuto.reasonix.model import (
    NO_RESULT,
    Message,
    calls_of,
    is_host,
    is_summary,
    text_of,
)
from tenuto.reasonix.previews import clean
from tenuto.reasonix.stream import Damage
from tenuto.sources.base import Block, BlockKind, CallState

#: How Reasonix tells that a command failed.
_EXIT: Final = re.compile(r"error: command exited: exit status ([0-9]{1,9})\n?")


class MessageBlocks:
    """Feeds messages in, keeps blocks. Not thread-safe: it belongs to whoever feeds it."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        #: How long calls took, in milliseconds by id, where that is noted beside the messages.
        self.durations: Mapping[str, int] = {}
        self._turn = 0
        self._prompted = False
        #: The last reply's calls that have no result: places in ``blocks``, in the calls' order.
        self._open: list[int] = []
        #: What an edit changed, by the place of its call.
        self._diffs: dict[int, str] = {}
        self._live = False
        self._first_changed = 0

    def take_first_changed(self) -> int:
        """The first block that differs since the last call (``len(blocks)`` when none does)."""
        first, self._first_changed = self._first_changed, len(self.blocks)
        return min(first, len(self.blocks))

    def set_live(self, live: bool) -> None:
        """Whether a program has the session open: decides what an open call is said to be."""
        if live != self._live:
            self._live = live
            self._mark_open()

    def feed(self, message: Message, seq: int, time: str = "") -> None:
        """Add one message. ``time``: when it was stored; when it was made goes first."""
        time = created_of(message) or time
        match message.get("role"):
            case "assistant":
                self._assistant(message, seq, time)
            case "tool":
                self._result(message, seq, time)
            case "user":
                self._close_turn()
                self._user(message, seq, time)
            case "system":
                self._close_turn()
                self._notice("system", text_of(message), seq, time)
            case role:
                self._notice("host", text_of(message) or f"a message of role {role!r}", seq, time)

    def damage(self, found: Damage, seq: int) -> None:
        """Something unreadable at this place."""
        self._add(
            Block(
                kind="notice",
                notice="damaged",
                seq=seq,
                index=found.line,
                text=found.reason,
                line=found.line,
                offset=found.offset,
                size=found.size,
            )
        )

    # --- one role each ---------------------------------------------------------------------------

    def _notice(self, notice: str, text: str, seq: int, time: str, index: int = 0) -> None:
        self._add(Block(kind="notice", notice=notice, seq=seq, index=index, text=text, time=time))

    def _user(self, message: Message, seq: int, time: str) -> None:
        text = text_of(message)
        if is_host(message) or is_summary(message):
            self._notice("host" if is_host(message) else "summary", text, seq, time)
            return
        shown = text_of(message, "raw_content") or clean(text) or text
        kind: BlockKind = "follow_up" if self._prompted else "prompt"
        self._prompted = True
        self._add(Block(kind=kind, seq=seq, text=shown, time=time))
        images = message.get("images")
        for index in range(len(images) if isinstance(images, list) else 0):
            self._notice("provider", "image", seq, time, index + 1)

    def _assistant(self, message: Message, seq: int, time: str) -> None:
        self._close_turn()
        self._turn += 1
        ms = message.get("workDurationMs")
        common: dict[str, Any] = {"seq": seq, "turn": self._turn, "time": time}
        if thought := text_of(message, "reasoning_content"):
            self._add(Block(kind="thinking", text=thought, **common))
        if text := text_of(message):
            duration = ms if type(ms) is int else None
            self._add(Block(kind="text", index=1, text=text, ms=duration, **common))
        for index, call in enumerate(calls_of(message), 2):
            self._open.append(len(self.blocks))
            if changed := text_of(call, "diff"):
                self._diffs[len(self.blocks)] = changed
            self._add(
                Block(
                    kind="tool_call",
                    index=index,
                    call_id=text_of(call, "id"),
                    name=text_of(call, "name"),
                    input=text_of(call, "arguments").encode("utf-8", "replace"),
                    **common,
                )
            )
        self._mark_open()

    def _result(self, message: Message, seq: int, time: str) -> None:
        place = self._asked(text_of(message, "tool_call_id"))
        if place is None:
            place = len(self.blocks)
            name, id = text_of(message, "name"), text_of(message, "tool_call_id")
            self._add(
                Block(kind="tool_call", seq=seq, call_id=id, name=name, turn=self._turn, time=time)
            )
        call = self.blocks[place]
        answered = _answered(call, message, seq, self.durations.get(call.call_id))
        if changed := self._diffs.pop(place, ""):
            # What was changed is told beside the result, unless that tells it itself.
            told = answered.result or ""
            if changed.strip() not in told:
                text = f"{told.rstrip()}\n\n{changed}".lstrip()
                answered = msgspec.structs.replace(answered, result=text)
        self._put(place, answered)
        self._mark_open()

    def _asked(self, id: str) -> int | None:
        """The call that a result answers: by its id, else the first one that has none."""
        for at, place in enumerate(self._open):
            if id == self.blocks[place].call_id:
                return self._open.pop(at)
        return self._open.pop(0) if self._open and not id else None

    # --- the open calls --------------------------------------------------------------------------

    def _close_turn(self) -> None:
        for place in self._open:
            self._put_state(place, "unknown")
        self._open = []

    def _mark_open(self) -> None:
        """Calls run one after another: only the first open one can have happened."""
        first: CallState = "running" if self._live else "unknown"
        for rank, place in enumerate(self._open):
            self._put_state(place, "not_started" if rank else first)

    def _put_state(self, place: int, state: CallState) -> None:
        if self.blocks[place].state != state:
            self._put(place, msgspec.structs.replace(self.blocks[place], state=state))

    def _put(self, place: int, block: Block) -> None:
        self.blocks[place] = block
        self._first_changed = min(self._first_changed, place)

    def _add(self, block: Block) -> None:
        self._first_changed = min(self._first_changed, len(self.blocks))
        self.blocks.append(block)


def _answered(call: Block, message: Message, seq: int, ms: int | None) -> Block:
    """``ms``: how long it took, where the message does not say so."""
    found = outcome_of(message)
    return msgspec.structs.replace(
        call,
        name=call.name or text_of(message, "name"),
        state=found.state,
        result=text_of(message),
        result_seq=seq,
        is_error=found.state in ("failed", "denied"),
        exit_code=found.exit_code,
        ms=found.ms if found.ms is not None else ms,
    )


class Outcome(NamedTuple):
    """What a tool message says of its call."""

    state: CallState
    exit_code: int | None
    #: Milliseconds, where it says so.
    ms: int | None


def outcome_of(message: Mapping[str, Any]) -> Outcome:
    """By how the result begins (reasonix.md), and by what later builds note beside it."""
    content = text_of(message)
    state: CallState = "done"
    exit_code: int | None = None
    ms: int | None = None
    start = content.lstrip()[:8].lower()
    if content == NO_RESULT:
        state = "unknown"
    elif start.startswith("blocked:"):
        state = "denied"
    elif start.startswith(FAILED):
        state = "failed"
    told = _EXIT.match(content)
    if told is not None:
        exit_code = int(told[1])
    execution = message.get("tool_execution")
    if isinstance(execution, Mapping):
        code, duration = execution.get("exitCode"), execution.get("durationMs")
        exit_code = code if type(code) is int else exit_code
        ms = duration if type(duration) is int else None
        if exit_code and state == "done":
            state = "failed"
    return Outcome(state, exit_code, ms)


def created_of(message: Mapping[str, Any]) -> str:
    """When a message was made, where it says so (milliseconds since 1970); "" elsewhere."""
    created = message.get("createdAt")
    if type(created) is not int or not 0 < created < 253_402_300_800_000:
        return ""
    return rfc3339(created * 1_000_000)
