# SPDX-License-Identifier: Apache-2.0
"""What a fold gives: the state of a run, and its form in JSON (``conformance/fold``)."""

from __future__ import annotations

import functools
import json
import math
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tenuto.collector import collector_off
from tenuto.fingerprint import Fingerprint
from tenuto.messages import Block, Message, Text, ToolResult, ToolUse
from tenuto.payloads import Assistant, Meta, Record, RecordKind, Terminal, ToolResultRecord, User

#: One message of the conversation as the records it comes from: an assistant turn's (or, with an
#: odd role, a follow-up's) record, or a user message put together from the prompt, tool results and
#: follow-ups. Texts are decoded only when the messages are asked for.
Part = Record | list[Record | str]


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
        return [call for call in calls(self.assistant) if call.id not in known]


@dataclass(frozen=True, eq=False)
class RunState:
    """What a journal says of its run."""

    run_id: str
    prompt: str
    version: int
    interactive: bool
    created: str
    fingerprint: Fingerprint
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
    parts: list[Part] = field(repr=False)

    @functools.cached_property
    def messages(self) -> list[Message]:
        """The committed conversation; an open turn is in ``pending`` instead."""
        with collector_off():
            return [_message(part) for part in self.parts]

    @property
    def message_count(self) -> int:
        """How many messages there are, without decoding them."""
        return len(self.parts)

    def message(self, index: int) -> Message:
        """One message, without decoding the others; negative from the end."""
        return _message(self.parts[index])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RunState):
            return NotImplemented
        mine, theirs = vars(self).copy(), vars(other).copy()
        for fields, state in ((mine, self), (theirs, other)):
            del fields["parts"]
            fields["messages"] = state.messages
        return mine == theirs

    __hash__ = None  # type: ignore[assignment]


def calls(message: Any) -> list[Any]:
    """The tool calls of a message, or of what stands for one in ``Record.facts``."""
    return [block.tool_use for block in message.content or () if block.tool_use is not None]


def block_of(answer: ToolResultRecord) -> Block:
    """A tool result as a block of the conversation."""
    return answer.block or Block(tool_result=answer.result)


def _message(part: Part) -> Message:
    if isinstance(part, Record):
        payload = part.payload
        assert isinstance(payload, Assistant | User)
        return payload.message
    if len(part) == 1:
        return Message("user", _content(part[0]))
    contents = [_content(source) for source in part]
    blocks = [block for content in contents for block in content or ()]
    return Message("user", None if all(content is None for content in contents) else blocks)


def _content(source: Record | str) -> list[Block] | None:
    if isinstance(source, str):
        return [Block(text=Text(source))]
    match source.payload:
        case Assistant(message=message) | User(message=message):
            return message.content
        case ToolResultRecord() as answer:
            return [block_of(answer)]
        case Meta() | Terminal():
            raise AssertionError("not part of a conversation")


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
