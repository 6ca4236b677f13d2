# SPDX-License-Identifier: Apache-2.0
"""Between Reasonix's messages and the neutral ones that providers and run journals take."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from tenuto.gojson import encode_string
from tenuto.messages import Block, Provider, Text, Thinking, ToolResult, ToolUse
from tenuto.messages import Message as Neutral
from tenuto.reasonix.model import Message, calls_of, text_of
from tenuto.reasonix.normalise import normalize_wire
from tenuto.records import Assistant, Meta, Payload, Terminal, ToolResultRecord, User

_DATA_URL: Final = re.compile(r"data:(image/[a-z0-9.+-]+);base64,([A-Za-z0-9+/=]+)")
#: How the results of calls begin that failed or were refused.
FAILED: Final = ("error:", "blocked:")


def system_text(messages: list[Message]) -> str:
    """The instructions at the beginning; "" where there are none."""
    if messages and messages[0].get("role") == "system":
        return text_of(messages[0])
    return ""


def conversation(messages: list[Message]) -> list[Neutral]:
    """What is sent to a model: every call with its result, in order, the instructions left out.

    A turn's results and what the user said next are one message, as roles alternate.
    """
    out: list[Neutral] = []
    for message in normalize_wire(messages):
        match message.get("role"):
            case "user":
                _add(out, "user", _user(message))
            case "tool":
                _add(out, "user", [Block(tool_result=_result(message))])
            case "assistant":
                _add(out, "assistant", _assistant(message))
    return out


def _add(out: list[Neutral], role: str, blocks: list[Block]) -> None:
    if not blocks:
        return
    if out and out[-1].role == role:
        blocks = [*(out.pop().content or ()), *blocks]
    out.append(Neutral(role, blocks))


def _user(message: Message) -> list[Block]:
    blocks = []
    images = message.get("images")
    for url in images if isinstance(images, list) else ():
        found = _DATA_URL.fullmatch(url) if isinstance(url, str) else None
        if found is not None:
            source = b'{"type":"base64","media_type":%s,"data":%s}' % (
                encode_string(found[1]),
                encode_string(found[2]),
            )
        else:
            source = b'{"type":"url","url":%s}' % encode_string(str(url))
        raw = msgspec.Raw(b'{"type":"image","source":%s}' % source)
        blocks.append(Block(provider=Provider("image", raw)))
    text = text_of(message)
    if text.strip():
        blocks.append(Block(text=Text(text)))
    return blocks


def _result(message: Message) -> ToolResult:
    content = text_of(message)
    failed = content.lstrip()[:8].lower().startswith(FAILED)
    return ToolResult(text_of(message, "tool_call_id"), content, failed)


def _assistant(message: Message) -> list[Block]:
    blocks = []
    signature = text_of(message, "reasoning_signature")
    if signature:
        # A thought without its proof is refused by whoever asks for one.
        proof = base64.b64encode(signature.encode("utf-8", "replace")).decode()
        blocks.append(Block(thinking=Thinking(text_of(message, "reasoning_content"), proof)))
    text = text_of(message)
    if text.strip():
        blocks.append(Block(text=Text(text)))
    for call in calls_of(message):
        arguments = text_of(call, "arguments").strip()
        raw = arguments if arguments.startswith("{") else "{}"
        use = ToolUse(
            text_of(call, "id"),
            text_of(call, "name"),
            msgspec.Raw(raw.encode("utf-8", "replace")),
        )
        blocks.append(Block(tool_use=use))
    return blocks


def assistant_message(message: Neutral) -> Message:
    """A model's reply as Reasonix stores it."""
    texts, thoughts, signature, calls = [], [], "", []
    for block in message.content or ():
        if block.text is not None:
            texts.append(block.text.text)
        elif block.thinking is not None:
            thoughts.append(block.thinking.text)
            if block.thinking.signature:
                signature = base64.b64decode(block.thinking.signature).decode("utf-8", "replace")
        elif block.tool_use is not None:
            use = block.tool_use
            arguments = bytes(use.input).decode("utf-8", "replace")
            calls.append({"id": use.id, "name": use.name, "arguments": arguments})
    found: Message = {"role": "assistant"}
    fields = {
        "content": "".join(texts),
        "reasoning_content": "".join(thoughts),
        "reasoning_signature": signature,
        "tool_calls": calls,
    }
    return found | {key: value for key, value in fields.items() if value}


def tool_message(result: ToolResult, name: str) -> Message:
    """A tool's result as Reasonix stores it: a failure says so in its first word."""
    content = result.content
    if result.is_error and not content.lstrip()[:8].lower().startswith(FAILED):
        content = f"error: {content}"
    found: Message = {"role": "tool", "content": content}
    fields = {"tool_call_id": result.tool_use_id, "name": name}
    return {k: v for k, v in (found | fields).items() if v or k == "role"}


def record_messages(record: Payload, name_of: Callable[[str], str]) -> list[Message]:
    """What a run's record is in a session. ``name_of``: the tool that a call's id stands for."""
    match record:
        case Meta():
            return [{"role": "user", "content": record.prompt}]
        case Assistant():
            return [assistant_message(record.message)]
        case ToolResultRecord():
            return [tool_message(record.result, name_of(record.tool_use_id))]
        case User():
            return _said(record.message, name_of)
        case Terminal():
            # A session has no record of its end: it rests, and can always go on.
            return []


def run_messages(records: Iterable[Payload]) -> list[Message]:
    """A whole run as the messages of a session."""
    names: dict[str, str] = {}

    def name_of(id: str) -> str:
        return names.get(id, "")

    out: list[Message] = []
    for record in records:
        for message in record_messages(record, name_of):
            names |= {text_of(call, "id"): text_of(call, "name") for call in calls_of(message)}
            out.append(message)
    return out


def session_records(messages: list[Message]) -> tuple[str, list[Payload]]:
    """A session as a run: its prompt, and the records after the first one.

    What stands before the first user message is left out: a conversation begins with one.
    """
    prompt: str | None = None
    out: list[Payload] = []
    iteration = 0
    for message in normalize_wire(messages):
        role = message.get("role")
        if role == "user":
            blocks = _user(message)
            if prompt is None:
                # A prompt is text alone; what was shown with it follows.
                prompt = text_of(message)
                blocks = [block for block in blocks if block.text is None]
            if blocks:
                out.append(User(Neutral("user", blocks)))
        elif prompt is not None and role == "assistant":
            blocks = _assistant(message)
            if blocks:
                reason = "tool_use" if calls_of(message) else "end_turn"
                out.append(Assistant(iteration, Neutral("assistant", blocks), reason, 0, 0, 0, 0))
                iteration += 1
        elif prompt is not None and role == "tool":
            result = _result(message)
            out.append(ToolResultRecord(result.tool_use_id, result))
    return prompt or "", out


def _said(message: Neutral, name_of: Callable[[str], str]) -> list[Message]:
    results, texts = [], []
    for block in message.content or ():
        if block.tool_result is not None:
            result = block.tool_result
            results.append(tool_message(result, name_of(result.tool_use_id)))
        elif block.text is not None:
            texts.append(block.text.text)
    said = [{"role": "user", "content": "\n\n".join(texts)}] if texts else []
    return [*results, *said]
