# SPDX-License-Identifier: Apache-2.0
"""The fold: a journal's records in, the state of the run out (run-journal.md, "Fold"). Pure.

:class:`Folder` takes one record at a time and keeps what it has, so that a journal that grew costs
its new records only.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from tenuto.errors import CorruptJournal, EmptyJournal, NewerVersion, NoMeta
from tenuto.fingerprint import Fingerprint
from tenuto.messages import Block, Message, ToolResult, ToolUse, user_text
from tenuto.records import (
    VERSION,
    Assistant,
    BadRecord,
    Meta,
    Record,
    RecordKind,
    Terminal,
    ToolResultRecord,
    User,
    as_record,
)


class Counters(msgspec.Struct, frozen=True):
    """Sums over the records; tokens as the provider counted them."""

    llm_calls: int = 0
    tool_calls: int = 0
    remote_tool_calls: int = 0
    in_tokens: int = 0
    out_tokens: int = 0
    cache_read_tokens: int = 0
    cache_create_tokens: int = 0

    @property
    def tokens(self) -> int:
        """What the token budget counts: all four sums."""
        return self.in_tokens + self.out_tokens + self.cache_read_tokens + self.cache_create_tokens


class Pending(msgspec.Struct, frozen=True):
    """The last assistant turn while some of its tool calls have no result."""

    assistant: Message
    iteration: int
    stop_reason: str
    #: In journal order.
    results: list[ToolResult]
    #: The ids that have a result, each once, in journal order.
    answered: list[str]
    #: The results as blocks of the conversation: as ``results``, but for what only a version 1 or 2
    #: journal can hold (see ToolResultRecord.block).
    blocks: list[Block]

    @property
    def unanswered(self) -> list[ToolUse]:
        """The calls without a result, in the turn's order: the first one may have happened."""
        known = set(self.answered)
        return [call for call in _calls(self.assistant) if call.id not in known]


class RunState(msgspec.Struct, frozen=True):
    """What a journal says of its run."""

    run_id: str
    prompt: str
    version: int
    interactive: bool
    created: str
    fingerprint: Fingerprint
    #: The committed conversation; an open turn is in ``pending`` instead.
    messages: list[Message]
    next_iteration: int
    last_stop_reason: str
    counters: Counters
    pending: Pending | None
    #: The last terminal record of the journal, also when records follow it, as fisk-ai has it.
    terminal: Terminal | None
    #: The same, but None when records follow it: what the run's status goes by.
    terminal_in_force: Terminal | None
    #: The number of the record ``terminal``; 0 without one.
    terminal_seq: int
    last_seq: int
    last_kind: RecordKind


class Folder:
    """Folds record by record. After :meth:`feed` has raised, the folder takes no more records."""

    def __init__(self) -> None:
        self._meta: Meta | None = None
        self._messages: list[Message] = []
        # Blocks that follow-ups add to the last message; joined to it when it is next needed, so
        # that a long row of follow-ups costs no more than its length.
        self._follow_up: list[Block] = []
        self._open: Assistant | None = None
        self._results: list[ToolResult] = []
        self._blocks: list[Block] = []
        self._answered: dict[str, None] = {}
        self._sums = [0] * 7
        self._last_assistant: tuple[int, str] | None = None
        self._terminal: Terminal | None = None
        self._terminal_seq = 0
        self._last_seq = 0
        self._last_kind: RecordKind = "meta"

    @property
    def last_seq(self) -> int:
        """The number of the last record taken; 0 before the first."""
        return self._last_seq

    @property
    def version(self) -> int | None:
        """The journal's schema version; None before ``meta``."""
        return None if self._meta is None else self._meta.version

    def feed(self, record: Record) -> None:
        """Take the next record. Raises NoMeta, NewerVersion or CorruptJournal (field ``seq``)."""
        payload = record.payload
        if self._meta is None:
            self._begin(record)
            return
        if record.seq <= self._last_seq:
            raise _corrupt(record.seq, f"seq {record.seq} not increasing after {self._last_seq}")
        match payload:
            case Assistant():
                self._assistant(payload)
            case ToolResultRecord():
                self._result(record.seq, payload)
            case User():
                self._user(payload)
            case Terminal():
                self._terminal = payload
                self._terminal_seq = record.seq
            case Meta():
                raise _corrupt(record.seq, f"duplicate meta at seq {record.seq}")
        self._last_seq = record.seq
        self._last_kind = record.kind

    def _begin(self, record: Record) -> None:
        meta = record.payload
        if not isinstance(meta, Meta):
            raise NoMeta(
                f"the first record is {record.kind}, not meta (seq {record.seq})", seq=record.seq
            )
        if not 1 <= meta.version <= VERSION:
            raise NewerVersion(
                f"written in journal version {meta.version}; this program reads versions 1 to"
                f" {VERSION}",
                found=meta.version,
                supported=VERSION,
                seq=record.seq,
            )
        self._meta = meta
        self._messages = [user_text(meta.prompt)]
        self._last_seq = record.seq

    def _assistant(self, turn: Assistant) -> None:
        self._close()
        self._open = turn
        self._last_assistant = (turn.iteration, turn.stop_reason)
        sums = self._sums
        sums[0] += 1
        sums[3] += turn.in_tokens
        sums[4] += turn.out_tokens
        sums[5] += turn.cache_read_tokens
        sums[6] += turn.cache_create_tokens

    def _result(self, seq: int, answer: ToolResultRecord) -> None:
        if self._open is None:
            raise _corrupt(seq, f"tool result before any assistant turn at seq {seq}")
        self._results.append(answer.result)
        self._blocks.append(answer.block or Block(tool_result=answer.result))
        self._answered[answer.tool_use_id] = None
        self._sums[1] += 1
        if answer.remote:
            self._sums[2] += 1

    def _user(self, follow_up: User) -> None:
        self._close()
        message = follow_up.message
        if self._messages[-1].role == "user":
            self._follow_up.extend(message.content or ())
        else:
            self._messages.append(message)

    def _close(self) -> None:
        """Commit the open turn, answered or not: the record that follows says it is over."""
        self._join()
        if self._open is None:
            return
        self._messages += self._turn(self._open)
        self._open = None
        # New lists: a state that was given out keeps the old ones.
        self._results, self._blocks, self._answered = [], [], {}

    def _turn(self, turn: Assistant) -> list[Message]:
        if not self._blocks:
            return [turn.message]
        return [turn.message, Message("user", list(self._blocks))]

    def _join(self) -> None:
        if self._follow_up:
            last = self._messages[-1]
            self._messages[-1] = Message(last.role, [*(last.content or ()), *self._follow_up])
            self._follow_up = []

    def state(self) -> RunState:
        """The state after the records so far. Raises EmptyJournal before the first."""
        meta = self._meta
        if meta is None:
            raise EmptyJournal("no records")
        self._join()
        messages = list(self._messages)
        pending: Pending | None = None
        turn = self._open
        if turn is not None:
            if all(call.id in self._answered for call in _calls(turn.message)):
                messages += self._turn(turn)
            else:
                pending = Pending(
                    turn.message,
                    turn.iteration,
                    turn.stop_reason,
                    list(self._results),
                    list(self._answered),
                    list(self._blocks),
                )
        iteration, stop_reason = self._last_assistant or (-1, "")
        return RunState(
            run_id=meta.run_id,
            prompt=meta.prompt,
            version=meta.version,
            interactive=meta.interactive,
            created=meta.created,
            fingerprint=meta.fingerprint,
            messages=messages,
            next_iteration=iteration + 1,
            last_stop_reason=stop_reason,
            counters=Counters(*self._sums),
            pending=pending,
            terminal=self._terminal,
            terminal_in_force=self._terminal if self._last_kind == "terminal" else None,
            terminal_seq=self._terminal_seq,
            last_seq=self._last_seq,
            last_kind=self._last_kind,
        )


def _calls(message: Message) -> list[ToolUse]:
    return [block.tool_use for block in message.content or () if block.tool_use is not None]


def _corrupt(seq: int, reason: str) -> CorruptJournal:
    return CorruptJournal(reason, seq=seq, reason=reason)


def fold(records: Iterable[Record | Mapping[str, Any]]) -> RunState:
    """The state that ``records`` lead to: Record objects, or mappings in the journal's own form.

    Raises EmptyJournal, NoMeta, NewerVersion or CorruptJournal.
    """
    folder = Folder()
    for item in records:
        if isinstance(item, Record):
            record = item
        else:
            try:
                record = as_record(item, folder.version)
            except BadRecord as error:
                if folder.version is None:
                    raise NoMeta(
                        f"the first record is not meta: {error.fields['reason']}", seq=1
                    ) from None
                raise
        folder.feed(record)
    return folder.state()


# --- as JSON --------------------------------------------------------------------------------------


def state_json(state: RunState) -> dict[str, Any]:
    """``state`` in the form of ``conformance/fold/expected.json``."""
    pending = state.pending
    return {
        "run_id": state.run_id,
        "prompt": state.prompt,
        "version": state.version,
        "interactive": state.interactive,
        "fingerprint": fingerprint_json(state.fingerprint),
        "messages": [message_json(message) for message in state.messages],
        "next_iteration": state.next_iteration,
        "last_stop_reason": state.last_stop_reason,
        "counters": msgspec.structs.asdict(state.counters),
        "pending": None
        if pending is None
        else {
            "assistant": message_json(pending.assistant),
            "iteration": pending.iteration,
            "stop_reason": pending.stop_reason,
            "results": [_result_json(result) for result in pending.results],
            "answered": pending.answered,
        },
        "terminal": None if state.terminal is None else terminal_json(state.terminal),
    }


def terminal_json(terminal: Terminal) -> dict[str, Any]:
    """A terminal record as the journal has it."""
    said = {"message": terminal.message} if terminal.message else {}
    return {"reason": terminal.reason, **said}


def fingerprint_json(saved: Fingerprint) -> dict[str, Any]:
    """A fingerprint as the journal has it: without ``provider`` where it has none."""
    fields: dict[str, Any] = msgspec.structs.asdict(saved)
    if not saved.provider:
        del fields["provider"]
    return fields


def message_json(message: Message) -> dict[str, Any]:
    """A neutral message as the journal has it, decoded."""
    content = message.content
    return {
        "role": message.role,
        "content": None if content is None else [_block_json(block) for block in content],
    }


def _block_json(block: Block) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if block.text is not None:
        fields["text"] = {"text": block.text.text}
    if block.thinking is not None:
        thought = {"text": block.thinking.text, "signature": block.thinking.signature}
        fields["thinking"] = {key: value for key, value in thought.items() if value}
    if block.tool_use is not None:
        call = block.tool_use
        fields["tool_use"] = {"id": call.id, "name": call.name, "input": raw_json(call.input)}
    if block.tool_result is not None:
        fields["tool_result"] = _result_json(block.tool_result)
    if block.provider is not None:
        kept = block.provider
        fields["provider"] = {"kind": kept.kind, "raw": raw_json(kept.raw)}
    return fields


def _result_json(result: ToolResult) -> dict[str, Any]:
    failed = {"is_error": True} if result.is_error else {}
    return {"tool_use_id": result.tool_use_id, "content": result.content, **failed}


def raw_json(raw: msgspec.Raw) -> Any:
    """Raw JSON as a value that can be written as JSON again.

    A number that Python cannot hold stands as its own text, and so does the whole where it nests
    too deeply for the interpreter.
    """
    text = bytes(raw).decode("utf-8", "surrogateescape") or "null"
    try:
        return _whole_text(json.loads(text, parse_int=_integer, parse_float=_number))
    except (RecursionError, ValueError):
        return _whole_text(text)


def _integer(token: str) -> int | str:
    # int() refuses more than 4,300 digits.
    return int(token) if len(token) <= 4_000 else token


def _number(token: str) -> float | str:
    number = float(token)
    return number if math.isfinite(number) else token


def _whole_text(value: Any) -> Any:
    """``value`` with lone surrogates and undecodable bytes as U+FFFD."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in value)
        return value
    if isinstance(value, list):
        return [_whole_text(item) for item in value]
    if isinstance(value, dict):
        return {_whole_text(key): _whole_text(item) for key, item in value.items()}
    return value
