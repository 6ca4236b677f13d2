# SPDX-License-Identifier: Apache-2.0
"""Neutral messages to an Anthropic request, and Anthropic's stream to a neutral reply.

What is sent: agent-config.md, "What is sent to Anthropic". Prompt caching marks the end of the
fixed system prompt and the end of the conversation; neither touches the fingerprint.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from tenuto import gojson, wire
from tenuto.agent.providers.base import Deltas, Reply, Request, Usage
from tenuto.agent.providers.failures import StreamCutError
from tenuto.agent.providers.inputs import joined, object_input, plain, raw_input
from tenuto.agent.tools.base import anthropic_tool
from tenuto.fingerprint import SEARCH_TOOL, ToolDefinition
from tenuto.messages import Block, Message

_CACHE = {"type": "ephemeral"}
#: What every escape of a surrogate begins with, in lower case.
_HALF_PAIR = r"\ud"


def request_body(
    request: Request, *, model: str, max_tokens: int, thinking: dict[str, Any] | None, cache: bool
) -> dict[str, Any]:
    """The arguments of ``messages.create``."""
    system: list[dict[str, Any]] = [
        {"type": "text", "text": part} for part in request.system if part
    ]
    messages = [sent for message in request.messages if (sent := wire_message(message))]
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": max_tokens,
        "system": system,
        "messages": messages,
    }
    if request.tools:
        body["tools"] = wire_tools(request.tools)
    if thinking is not None:
        body["thinking"] = thinking
    if cache:
        fixed = sum(bool(part) for part in request.system[: request.fixed_system])
        if fixed:
            system[fixed - 1]["cache_control"] = _CACHE
        if messages and messages[-1]["content"][-1]["type"] in ("text", "tool_result"):
            messages[-1]["content"][-1]["cache_control"] = _CACHE
    return body


def wire_tools(tools: Sequence[ToolDefinition]) -> list[dict[str, Any]]:
    """The request's tools, the search tool last if any of them is deferred."""
    sent = [anthropic_tool(tool) for tool in tools]
    if any(tool.defer_loading for tool in tools):
        sent.append({"type": SEARCH_TOOL, "name": SEARCH_TOOL})
    return sent


def wire_message(message: Message) -> dict[str, Any] | None:
    """One message as it is sent; None when nothing of it may be (the API refuses empty ones)."""
    content = [sent for block in message.content or () if (sent := _wire_block(block))]
    return {"role": message.role, "content": content} if content else None


def _wire_block(block: Block) -> dict[str, Any] | None:
    if block.text is not None and not block.text.text.strip():
        # The API refuses text of white space only.
        return None
    if block.thinking is not None and not block.thinking.signature:
        # Thinking that nobody signed would poison every later turn.
        return None
    if (call := block.tool_use) is not None:
        arguments = object_input(plain(bytes(call.input) or b"null"))
        return {"id": call.id, "input": arguments, "name": call.name, "type": "tool_use"}
    sent = plain(wire.block_to_wire(block))
    return sent if isinstance(sent, dict) else None


class _Event(msgspec.Struct):
    type: str
    index: int = 0
    message: dict[str, msgspec.Raw] = msgspec.field(default_factory=dict)
    content_block: dict[str, msgspec.Raw] = msgspec.field(default_factory=dict)
    delta: dict[str, msgspec.Raw] = msgspec.field(default_factory=dict)
    usage: dict[str, msgspec.Raw] = msgspec.field(default_factory=dict)


def _event(data: str) -> _Event:
    try:
        return msgspec.json.decode(data, type=_Event)
    except msgspec.DecodeError as error:
        reason = error
    try:
        # Half a surrogate pair may end a chunk: msgspec refuses it, the pair's other half follows.
        value = json.loads(data) if _HALF_PAIR in data.lower() else None
        return msgspec.convert(_raw_members(value), type=_Event)
    except (ValueError, RecursionError):
        raise StreamCutError(f"an event of the stream cannot be read: {reason}") from None


def _raw_members(value: Any) -> Any:
    """A parsed event with what its members hold as JSON text again."""
    if not isinstance(value, dict):
        return value
    return {
        key: {name: msgspec.Raw(json.dumps(item).encode()) for name, item in member.items()}
        if isinstance(member, dict)
        else member
        for key, member in value.items()
    }


def _text(members: dict[str, msgspec.Raw], key: str) -> str:
    raw = members.get(key)
    value = None if raw is None else json.loads(bytes(raw))
    return value if isinstance(value, str) else ""


class _Open:
    """A block while it is streamed: its start, and the pieces that each delta added to a key."""

    def __init__(self, start: dict[str, msgspec.Raw]) -> None:
        self._members = start
        self._pieces: dict[str, list[str]] = {}

    def add(self, key: str, piece: str) -> None:
        self._pieces.setdefault(key, []).append(piece)

    def close(self) -> Block:
        members = dict(self._members)
        for key, pieces in self._pieces.items():
            streamed = "".join(pieces)
            if key == "input":
                members[key] = raw_input(streamed) if streamed else members[key]
            else:
                whole = joined([_text(self._members, key), streamed])
                members[key] = msgspec.Raw(gojson.encode_string(whole))
        return wire.block(gojson.compact(msgspec.json.encode(members)))


class Assembler:
    """Puts a stream's events together; deltas are passed on as they come."""

    def __init__(self, deltas: Deltas) -> None:
        self._deltas = deltas
        self._open: dict[int, _Open] = {}
        self._blocks: dict[int, Block] = {}
        self._usage: dict[str, int] = {}
        self._stop_reason = ""
        self._stopped = False

    def feed(self, data: str) -> None:
        """Raises StreamCutError for what is no event of the Messages API."""
        event = _event(data)
        match event.type:
            case "message_start":
                self._count(event.message.get("usage"))
            case "content_block_start":
                self._open[event.index] = _Open(event.content_block)
            case "content_block_delta":
                self._delta(event.index, event.delta)
            case "content_block_stop":
                if event.index in self._open:
                    self._blocks[event.index] = self._open.pop(event.index).close()
            case "message_delta":
                self._stop_reason = _text(event.delta, "stop_reason") or self._stop_reason
                self._count(msgspec.Raw(msgspec.json.encode(event.usage)))
            case "message_stop":
                self._stopped = True

    def reply(self) -> Reply:
        """The whole reply. Raises StreamCutError when its end never came."""
        if not self._stopped or self._open:
            raise StreamCutError("the stream ended before the reply was complete")
        usage = Usage(
            self._usage.get("input_tokens", 0),
            self._usage.get("output_tokens", 0),
            self._usage.get("cache_read_input_tokens", 0),
            self._usage.get("cache_creation_input_tokens", 0),
        )
        blocks = tuple(self._blocks[index] for index in sorted(self._blocks))
        return Reply(blocks, self._stop_reason, usage)

    def _delta(self, index: int, delta: dict[str, msgspec.Raw]) -> None:
        block = self._open.get(index)
        if block is None:
            raise StreamCutError(f"a delta for block {index}, which never began")
        match _text(delta, "type"):
            case "text_delta":
                block.add("text", text := _text(delta, "text"))
                self._deltas.text(text)
            case "thinking_delta":
                block.add("thinking", text := _text(delta, "thinking"))
                self._deltas.thinking(text)
            case "signature_delta":
                block.add("signature", _text(delta, "signature"))
            case "input_json_delta":
                block.add("input", _text(delta, "partial_json"))

    def _count(self, raw: msgspec.Raw | None) -> None:
        if raw is None:
            return
        for key, value in json.loads(bytes(raw)).items():
            # Counts in a message_delta are cumulative: the last one holds.
            if isinstance(value, int):
                self._usage[key] = value
