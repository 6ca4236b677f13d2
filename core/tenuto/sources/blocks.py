# SPDX-License-Identifier: Apache-2.0
"""From journal records to the blocks of a transcript: pure, one record at a time.

The builder is fed records (and damage, in its place) in file order and keeps the list of blocks
up to date; ``take_first_changed`` says from which block on the list differs since it was last
asked. Unlike the fold it never refuses: what a damaged journal still holds is shown, with a notice
where it does not add up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from tenuto.messages import Block as ContentBlock
from tenuto.messages import ToolResult
from tenuto.records import Assistant, Meta, Record, Terminal, ToolResultRecord, User
from tenuto.sources.base import Block, CallState, Forcing

#: When a record was written (RFC 3339, "" where nobody saw it) and how long its work took (ms).
Stamp = tuple[str, int | None]
NO_STAMP: Stamp = ("", None)


class CommandResult(msgspec.Struct, frozen=True):
    """What a command tool answers (run-journal.md, "The loop's other rules")."""

    exit_code: int
    output: str
    command: str = ""
    truncated: bool = False


class Denial(msgspec.Struct, frozen=True):
    """What a denied call answers (agent-config.md)."""

    allowed: bool
    reason: str = ""


_command_result = msgspec.json.Decoder(CommandResult)
_denial = msgspec.json.Decoder(Denial)


def unwrap(content: str) -> CommandResult | Denial | None:
    """A command's result or a denial, where the content is one; None for plain content."""
    if not content.startswith("{"):
        return None
    if '"exit_code"' in content:
        try:
            return _command_result.decode(content)
        except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
            return None
    if '"allowed"' in content:
        try:
            denial = _denial.decode(content)
        except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
            return None
        return None if denial.allowed else denial
    return None


class BlockBuilder:
    """Feeds records in, keeps blocks. Not thread-safe: it belongs to whoever feeds it."""

    def __init__(self, stamp: Callable[[int], Stamp] | None = None) -> None:
        self.blocks: list[Block] = []
        self.meta: Meta | None = None
        self.last_seq = 0
        #: The terminal record in force: the last record, if it is one.
        self.terminal: Terminal | None = None
        self._stamp = stamp or (lambda _seq: NO_STAMP)
        self._calls: dict[str, int] = {}
        self._turn = 0
        self._terminal_place = 0
        #: True when nothing of the last turn's open calls can have happened: its reply was cut, or
        #: a terminal record followed it.
        self._parked = False
        self._live = False
        self._begun = 0
        self._forced: dict[int, Forcing] = {}
        self._first_changed = 0

    @property
    def open_calls(self) -> list[Block]:
        """The calls of the last turn that have no result, in the turn's order."""
        return [self.blocks[i] for i in self._calls.values()]

    def take_first_changed(self) -> int:
        """The first block that differs since the last call (``len(blocks)`` when none does)."""
        first, self._first_changed = self._first_changed, len(self.blocks)
        return min(first, len(self.blocks))

    def feed(self, record: Record) -> None:
        """Add one record."""
        seq = record.seq
        payload = record.payload
        self.last_seq = max(self.last_seq, seq)
        self._resumed(seq, payload)
        match payload:
            case Meta():
                if self.meta is None:
                    self.meta = payload
                    created = payload.created
                    self._add(Block(kind="prompt", seq=seq, text=payload.prompt, time=created))
            case Assistant():
                self._assistant(seq, payload)
            case ToolResultRecord():
                self._result(seq, payload.result)
            case User():
                self._user(seq, payload)
            case Terminal():
                self._terminal(seq, payload)

    def damage(
        self, reason: str, *, seq: int = 0, line: int = 0, offset: int = 0, size: int = 0
    ) -> None:
        """Something unreadable at this place."""
        self._add(
            Block(
                kind="notice",
                notice="damaged",
                seq=seq,
                index=line,
                text=reason,
                line=line,
                offset=offset,
                size=size,
            )
        )

    def restamp(self, last: int) -> None:
        """Fill in times that were not known when the last so many blocks were made."""
        for place in range(max(len(self.blocks) - last, 0), len(self.blocks)):
            block = self.blocks[place]
            time, ms = self._stamp(block.seq)
            if block.kind == "tool_call":
                answered = self._stamp(block.result_seq) if block.result_seq else NO_STAMP
                time, ms = time or answered[0], answered[1]
            elif block.kind not in ("text", "thinking"):
                ms = None
            if (
                block.resumed
                and not block.resumed_time
                and (again := self._stamp(block.seq + 1)[0])
            ):
                block = msgspec.structs.replace(block, resumed_time=again)
                self._put(place, block)
            if (time and not block.time) or (ms is not None and block.ms is None):
                known = {"time": block.time or time, "ms": block.ms if ms is None else ms}
                self._put(place, msgspec.structs.replace(block, **known))

    def set_begun(self, seq: int) -> None:
        """Behind the terminal record of that number a resume began on the open batch (0: none)."""
        if seq != self._begun:
            self._begun = seq
            self._mark_open()

    def set_forced(self, found: Mapping[int, Forcing]) -> None:
        """By record: the forced resume that went on with it. Called again as more is known."""
        wanted = {seq: each for seq, each in found.items() if 0 < seq <= self.last_seq}
        if wanted == self._forced:
            return
        for seq in self._forced:
            if wanted.get(seq) != self._forced[seq]:
                self._unforce(seq)
        for seq, forcing in wanted.items():
            if self._forced.get(seq) != forcing:
                self._force(seq, forcing)
        self._forced = wanted

    def set_live(self, live: bool) -> None:
        """Whether a process holds the run: decides what an unanswered call is said to be."""
        if live != self._live:
            self._live = live
            self._mark_open()

    # --- one kind of record each -----------------------------------------------------------------

    def _assistant(self, seq: int, payload: Assistant) -> None:
        self._close_turn()
        self._turn = payload.iteration + 1
        self._parked = payload.stop_reason == "max_tokens"
        stamp = self._stamp(seq)
        for index, content in enumerate(payload.message.content or ()):
            block = _content_block(content, seq, index, self._turn, stamp)
            if block is None:
                continue
            if block.kind == "tool_call":
                self._calls[block.call_id] = len(self.blocks)
            self._add(block)
        self._mark_open()

    def _result(self, seq: int, result: ToolResult) -> None:
        place = self._calls.pop(result.tool_use_id, None)
        if place is None:
            call = Block(
                kind="tool_call", seq=seq, call_id=result.tool_use_id, turn=self._turn, time=""
            )
            place = len(self.blocks)
            self._add(call)
        else:
            call = self.blocks[place]
        time, ms = self._stamp(seq)
        self._put(place, _answered(call, seq, result, call.time or time, ms))
        self._mark_open()

    def _user(self, seq: int, payload: User) -> None:
        self._close_turn()
        time, _ = self._stamp(seq)
        for index, content in enumerate(payload.message.content or ()):
            if content.text is not None:
                text = content.text.text
                self._add(Block(kind="follow_up", seq=seq, index=index, text=text, time=time))
            elif content.tool_result is not None:
                # A batch that was answered together with the operator's words.
                self._result(seq, content.tool_result)
            elif content.provider is not None:
                self._add(_provider_notice(content.provider.kind, seq, index, 0, time))

    def _terminal(self, seq: int, payload: Terminal) -> None:
        self.terminal = payload
        self._parked = True
        self._terminal_place = len(self.blocks)
        time, _ = self._stamp(seq)
        self._add(
            Block(kind="notice", notice=payload.reason, seq=seq, text=payload.message, time=time)
        )
        self._mark_open()

    def _resumed(self, seq: int, payload: object) -> None:
        """A record after a terminal one: the run went on; its marker says so."""
        if self.terminal is None:
            return
        self.terminal = None
        place = self._terminal_place
        time, _ = self._stamp(seq)
        block = msgspec.structs.replace(self.blocks[place], resumed=True, resumed_time=time)
        self._put(place, block)

    # --- the open batch --------------------------------------------------------------------------

    def _close_turn(self) -> None:
        """The next turn begins: whatever has no result by now will never get one."""
        for place in self._calls.values():
            self._put_state(place, "not_started" if self._parked else "unknown")
        self._calls = {}

    def _mark_open(self) -> None:
        """Calls run one after another: only the first unanswered one can have happened.

        None of them had started when a terminal record follows (design.md, "Status").
        """
        first: CallState = "running" if self._live else "unknown"
        parked = self.terminal is not None or (self._parked and not self._live)
        if self._begun and self._begun == self.last_seq:
            parked = False
        for rank, place in enumerate(self._calls.values()):
            started = rank == 0 and not parked
            self._put_state(place, first if started else "not_started")

    # --- forced resumes --------------------------------------------------------------------------

    def _force(self, seq: int, forcing: Forcing) -> None:
        """Say it on the marker of the end before, or, where none was written, on one of its own."""
        place = self._place_of(seq)
        for back in range(place - 1, -1, -1):
            block = self.blocks[back]
            if block.seq != seq - 1:
                break
            if block.resumed:
                self._put(back, msgspec.structs.replace(block, forced=forcing))
                return
        self.blocks.insert(place, forced_notice(seq, forcing))
        self._moved(place, 1)

    def _unforce(self, seq: int) -> None:
        for place in range(len(self.blocks) - 1, -1, -1):
            block = self.blocks[place]
            if block.forced is None:
                continue
            if block.notice == "forced" and block.seq == seq:
                del self.blocks[place]
                self._moved(place, -1)
            elif block.notice != "forced" and block.seq == seq - 1:
                self._put(place, msgspec.structs.replace(block, forced=None))

    def _place_of(self, seq: int) -> int:
        """The first block that record ``seq``, or one after it, is seen in."""
        found = len(self.blocks)
        for place in range(len(self.blocks) - 1, -1, -1):
            block = self.blocks[place]
            if max(block.seq, block.result_seq or 0) >= seq:
                found = place
            elif block.kind != "tool_call" and block.notice != "damaged":
                # Only calls hold a record that is newer than blocks behind them; damage has none.
                break
        return found

    def _moved(self, place: int, by: int) -> None:
        """Blocks from ``place`` on moved by so many."""
        self._calls = {id: at + by if at >= place else at for id, at in self._calls.items()}
        if self._terminal_place >= place:
            self._terminal_place += by
        self._first_changed = min(self._first_changed, place)

    def _put_state(self, place: int, state: CallState) -> None:
        block = self.blocks[place]
        if block.state != state:
            self._put(place, msgspec.structs.replace(block, state=state))

    def _put(self, place: int, block: Block) -> None:
        self.blocks[place] = block
        self._first_changed = min(self._first_changed, place)

    def _add(self, block: Block) -> None:
        self._first_changed = min(self._first_changed, len(self.blocks))
        self.blocks.append(block)


def forced_notice(seq: int, forcing: Forcing) -> Block:
    """Where a run went on by force, on a marker of its own."""
    return Block(
        kind="notice", notice="forced", seq=seq, index=-1, time=forcing.time, forced=forcing
    )


def _content_block(
    content: ContentBlock, seq: int, index: int, turn: int, stamp: Stamp
) -> Block | None:
    time, ms = stamp
    if content.tool_use is not None:
        use = content.tool_use
        return Block(
            kind="tool_call",
            seq=seq,
            index=index,
            turn=turn,
            call_id=use.id,
            name=use.name,
            input=bytes(use.input),
            time=time,
        )
    if content.text is not None:
        text = content.text.text
        if not text:
            return None
        return Block(kind="text", seq=seq, index=index, turn=turn, text=text, time=time, ms=ms)
    if content.thinking is not None:
        text = content.thinking.text
        return Block(kind="thinking", seq=seq, index=index, turn=turn, text=text, time=time, ms=ms)
    if content.provider is not None:
        return _provider_notice(content.provider.kind, seq, index, turn, time)
    return None


def _provider_notice(kind: str, seq: int, index: int, turn: int, time: str) -> Block:
    """A block of the provider's own (redacted thinking, server tools, images): named, not shown."""
    return Block(
        kind="notice", notice="provider", seq=seq, index=index, turn=turn, text=kind, time=time
    )


def _answered(call: Block, seq: int, result: ToolResult, time: str, ms: int | None) -> Block:
    state: CallState = "failed" if result.is_error else "done"
    output = result.content
    exit_code: int | None = None
    truncated = False
    match unwrap(result.content):
        case CommandResult() as command:
            output, exit_code, truncated = command.output, command.exit_code, command.truncated
            if exit_code != 0:
                state = "failed"
        case Denial() as denial:
            output, state = denial.reason, "denied"
    changes: Mapping[str, object] = {
        "state": state,
        "result": output,
        "result_seq": seq,
        "is_error": result.is_error,
        "exit_code": exit_code,
        "truncated": truncated,
        "time": time,
        "ms": ms,
    }
    return msgspec.structs.replace(call, **changes)
