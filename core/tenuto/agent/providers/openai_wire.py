# SPDX-License-Identifier: Apache-2.0
"""Neutral messages to a chat completion, and its stream to a neutral reply.

The form is OpenAI's, and as narrow as possible: many servers speak it, few of them all of it.
``reasoning_content`` (``reasoning`` with some) is thinking.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any

import msgspec

from tenuto import gojson
from tenuto.agent.providers.base import Deltas, Reply, Request, Usage
from tenuto.agent.providers.failures import StreamCutError
from tenuto.agent.providers.inputs import joined, object_input, raw_input
from tenuto.errors import ProviderError, cause_of
from tenuto.fingerprint import ToolDefinition
from tenuto.messages import Block, Message, Text, Thinking, ToolUse
from tenuto.sentences import others_words, sentence

#: Their finish reasons in the journal's words; what is not listed is kept as it came.
_STOP_REASONS = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "length": "max_tokens",
    "model_length": "max_tokens",
    "content_filter": "refusal",
}
#: The server gave up: what came so far is no reply.
_FAILED = frozenset({"abort", "error", "insufficient_system_resource"})
#: Tells the model what the wire has no mark for.
_ERROR_MARK = "error: "


def request_body(
    request: Request,
    *,
    model: str,
    max_tokens: int | None,
    limit_name: str,
    thinking: bool,
) -> dict[str, Any]:
    """The arguments of ``chat.completions.create``."""
    body: dict[str, Any] = {
        "model": model,
        "messages": wire_messages(request.system, request.messages),
        "stream_options": {"include_usage": True},
    }
    if request.tools:
        body["tools"] = [_wire_tool(tool) for tool in request.tools]
    if max_tokens is not None:
        body[limit_name] = max_tokens
    if thinking:
        body["reasoning_effort"] = "medium"
    return body


def wire_messages(system: Sequence[str], messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The conversation as it is sent, the system prompt as one message before it."""
    sent: list[dict[str, Any]] = []
    prompt = "\n\n".join(part for part in system if part)
    if prompt:
        sent.append({"role": "system", "content": _clean(prompt)})
    typed = max((i for i, message in enumerate(messages) if _is_typed(message)), default=-1)
    for number, message in enumerate(messages):
        if message.role == "assistant":
            # Servers that give their thinking want it back, but only within the same turn.
            sent += _assistant(message, with_thinking=number > typed)
        else:
            sent += _user(message)
    return sent


def _is_typed(message: Message) -> bool:
    return message.role == "user" and any(block.text for block in message.content or ())


def _assistant(message: Message, *, with_thinking: bool) -> list[dict[str, Any]]:
    blocks = message.content or []
    text = "".join(block.text.text for block in blocks if block.text)
    calls = [_wire_call(block.tool_use) for block in blocks if block.tool_use]
    if not calls and not text.strip():
        return []
    sent: dict[str, Any] = {"role": "assistant", "content": _clean(text) or None}
    if calls:
        sent["tool_calls"] = calls
        thinking = "".join(block.thinking.text for block in blocks if block.thinking)
        if thinking and with_thinking:
            sent["reasoning_content"] = _clean(thinking)
    return [sent]


def _user(message: Message) -> list[dict[str, Any]]:
    blocks = message.content or []
    sent = [
        {
            "role": "tool",
            "tool_call_id": block.tool_result.tool_use_id,
            "content": _clean(
                (_ERROR_MARK if block.tool_result.is_error else "") + block.tool_result.content
            ),
        }
        for block in blocks
        # Results first: they must follow the message that made the calls.
        if block.tool_result
    ]
    typed = [block.text.text for block in blocks if block.text]
    if typed:
        sent.append({"role": "user", "content": _clean("\n\n".join(typed))})
    return sent


def _wire_call(call: ToolUse) -> dict[str, Any]:
    raw = bytes(call.input) or b"null"
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        value = raw.decode("utf-8", "replace")
    if isinstance(value, dict):
        arguments = raw.decode("utf-8", "replace")
    else:
        arguments = json.dumps(object_input(value))
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments},
    }


def _wire_tool(tool: ToolDefinition) -> dict[str, Any]:
    function: dict[str, Any] = {"name": tool.name, "parameters": tool.schema()}
    if tool.description:
        function["description"] = tool.description
    return {"type": "function", "function": function}


def _clean(text: str) -> str:
    return gojson.replace_surrogates(text)


# --- what comes back -----------------------------------------------------------------------------


class _Function(msgspec.Struct):
    name: str | None = None
    arguments: str | None = None


class _CallDelta(msgspec.Struct):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None


class _Delta(msgspec.Struct):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    tool_calls: list[_CallDelta] | None = None


class _Choice(msgspec.Struct):
    index: int = 0
    delta: _Delta | None = None
    finish_reason: str | None = None


class _PromptDetails(msgspec.Struct):
    cached_tokens: int | None = None


class _Usage(msgspec.Struct):
    """What is not known is null with some servers."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _PromptDetails | None = None
    #: DeepSeek's name for the same.
    prompt_cache_hit_tokens: int | None = None


class _Chunk(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: _Usage | None = None
    error: Any = None


class _OpenCall:
    """A call while it is streamed."""

    def __init__(self, id: str, index: int | None) -> None:
        self.id = id
        self.index = index
        self.name = ""
        self.arguments: list[str] = []

    def close(self, id: str) -> ToolUse:
        text = "".join(self.arguments)
        return ToolUse(id, self.name, raw_input(text) if text.strip() else msgspec.Raw(b"{}"))


class Assembler:
    """Puts a stream's chunks together; deltas are passed on as they come."""

    def __init__(self, deltas: Deltas, provider: str) -> None:
        self._deltas = deltas
        self._provider = provider
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._calls: list[_OpenCall] = []
        self._refused = False
        self._finish_reason = ""
        self._usage = Usage()

    def feed(self, data: str) -> None:
        """Take one chunk.

        :raises StreamCutError: it is none.
        :raises ProviderError: the server says that it failed.
        """
        try:
            # Not msgspec's parser: half a surrogate pair may end a chunk.
            chunk = msgspec.convert(json.loads(data), _Chunk)
        except (ValueError, RecursionError, msgspec.ValidationError) as error:
            raise StreamCutError(f"a chunk of the stream cannot be read: {error}") from None
        if chunk.error:
            raise self._error(chunk.error)
        if chunk.usage is not None:
            self._usage = _usage(chunk.usage)
        for choice in chunk.choices or ():
            if choice.index == 0:
                self._take(choice)

    def refuse(self, document: bytes) -> ProviderError | StreamCutError:
        """What to raise for a document that came in place of a stream, though with status 200."""
        try:
            value = json.loads(document)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and value.get("error"):
            return self._error(value["error"])
        return StreamCutError("the server answered with a document in place of a stream")

    def reply(self) -> Reply:
        """The whole reply. Raises StreamCutError when its end never came."""
        reason = self._finish_reason
        if not reason:
            raise StreamCutError("the stream ended before the reply was complete")
        if reason in _FAILED:
            raise StreamCutError(f"the server gave up the reply ({reason})")
        content: list[Block] = []
        if thinking := joined(self._thinking):
            content.append(Block(thinking=Thinking(thinking)))
        if text := joined(self._text):
            content.append(Block(text=Text(text)))
        stop = "refusal" if self._refused else _STOP_REASONS.get(reason, reason)
        if stop != "refusal":
            # What a filter cut off is not run.
            content += [Block(tool_use=call) for call in self._closed_calls()]
            if self._calls and stop == "end_turn":
                stop = "tool_use"
        return Reply(tuple(content), stop, self._usage)

    def _take(self, choice: _Choice) -> None:
        delta = choice.delta or _Delta()
        if thinking := delta.reasoning_content or delta.reasoning:
            self._thinking.append(thinking)
            self._deltas.thinking(thinking)
        if delta.refusal:
            self._refused = True
        if text := (delta.content or "") + (delta.refusal or ""):
            self._text.append(text)
            self._deltas.text(text)
        for piece in delta.tool_calls or ():
            call = self._call_of(piece)
            if piece.function is not None:
                # Some repeat it with every piece.
                call.name = call.name or piece.function.name or ""
                call.arguments.append(piece.function.arguments or "")
        self._finish_reason = choice.finish_reason or self._finish_reason

    def _call_of(self, piece: _CallDelta) -> _OpenCall:
        """The call that a piece belongs to; servers leave out index or id, or count wrong."""
        for call in reversed(self._calls):
            same_index = piece.index is None or call.index == piece.index
            if same_index and (not piece.id or piece.id == call.id):
                return call
        call = _OpenCall(piece.id or "", piece.index)
        self._calls.append(call)
        return call

    def _closed_calls(self) -> list[ToolUse]:
        seen: set[str] = set()
        closed = []
        for call in self._calls:
            # A result names its call by this, so there is one, and no two are the same.
            id = call.id if call.id and call.id not in seen else f"call_{secrets.token_hex(8)}"
            seen.add(id)
            closed.append(call.close(id))
        return closed

    def _error(self, error: Any) -> ProviderError:
        fields = error if isinstance(error, dict) else {"message": error}
        code = fields.get("code") or fields.get("status")
        status = code if isinstance(code, int) and 400 <= code < 600 else None
        return ProviderError(
            sentence(
                "the stream ended in an error: {error}", error=others_words(json.dumps(error))
            ),
            provider=self._provider,
            status=status,
            retryable=True,
            cause=cause_of(status) if status is not None else "stream",
        )


def _usage(usage: _Usage) -> Usage:
    details = usage.prompt_tokens_details
    cached = (details.cached_tokens if details else None) or usage.prompt_cache_hit_tokens or 0
    # Cached tokens are part of the prompt's there; here each token counts once.
    fresh = max(0, (usage.prompt_tokens or 0) - cached)
    return Usage(fresh, usage.completion_tokens or 0, cached)
