# SPDX-License-Identifier: Apache-2.0
"""The Anthropic wire messages of journal versions 1 and 2, to and from the neutral model.

run-journal.md, "The neutral message model": a thinking signature is text on the wire and bytes
here; a tool result with exactly one text block has its text as content; every block that the
neutral model does not name is kept unchanged as a provider block.
"""

from __future__ import annotations

import base64
import json

import msgspec

from tenuto import gojson, goparse
from tenuto.messages import Block, Message, Provider, Text, Thinking, ToolResult, ToolUse

_MESSAGE = goparse.Struct({"role": "string", "content": "raw"})
_TYPE = goparse.Struct({"type": "string"})
_TEXT = goparse.Struct({"text": "string"})
_THINKING = goparse.Struct({"thinking": "string", "signature": "string"})
_TOOL_USE = goparse.Struct({"id": "string", "name": "string", "input": "raw"})
_TOOL_RESULT = goparse.Struct({"tool_use_id": "string", "content": "raw", "is_error": "bool"})


def message(raw: bytes) -> Message:
    """The neutral form of one wire message. Raises GoError for what is none."""
    found = goparse.parse(raw, _MESSAGE) or {}
    return Message(found.get("role", ""), content(found.get("content", b"null")))


def content(raw: bytes) -> list[Block] | None:
    """The neutral form of a wire message's content; a plain string counts as one text block."""
    if raw == b"null":
        return None
    if raw[:1] == b'"':
        return [Block(text=Text(_string(raw)))]
    items = goparse.elements(raw)
    if items is None:
        raise goparse.GoError("the content of a message is no array", 0)
    return [block(item) for item in items]


def block(raw: bytes) -> Block:
    """The neutral form of one wire content block."""
    kind = (goparse.parse(raw, _TYPE) or {}).get("type", "")
    if kind == "text":
        return Block(text=Text((goparse.parse(raw, _TEXT) or {}).get("text", "")))
    if kind == "thinking":
        found = goparse.parse(raw, _THINKING) or {}
        signature = base64.b64encode(found.get("signature", "").encode()).decode()
        return Block(thinking=Thinking(found.get("thinking", ""), signature))
    if kind == "tool_use":
        found = goparse.parse(raw, _TOOL_USE) or {}
        return Block(
            tool_use=ToolUse(
                found.get("id", ""), found.get("name", ""), msgspec.Raw(found.get("input", b""))
            )
        )
    if kind == "tool_result":
        return tool_result(raw)[1]
    if not kind:
        raise goparse.GoError("a content block has no type", 0)
    return Block(provider=Provider(kind, msgspec.Raw(raw)))


def tool_result(raw: bytes) -> tuple[ToolResult, Block]:
    """A wire tool result as the record's result and as the message's block.

    They are the same unless the result is more than one text: then the block is kept unchanged,
    and the result, whose content can only be text, holds the texts joined by line breaks, or the
    JSON of the whole content where something in it is no text.
    """
    found = goparse.parse(raw, _TOOL_RESULT) or {}
    text, plain = _result_text(found.get("content", b"null"))
    result = ToolResult(found.get("tool_use_id", ""), text, found.get("is_error", False))
    if plain:
        return result, Block(tool_result=result)
    return result, Block(provider=Provider("tool_result", msgspec.Raw(raw)))


def _result_text(raw: bytes) -> tuple[str, bool]:
    """The text of a result's content, and whether it was exactly one text block."""
    if raw == b"null":
        return "", False
    if raw[:1] == b'"':
        return _string(raw), True
    items = goparse.elements(raw)
    if items is None:
        raise goparse.GoError("the content of a tool result is no array", 0)
    texts = []
    for item in items:
        if (goparse.parse(item, _TYPE) or {}).get("type") != "text":
            return gojson.compact(raw).decode("utf-8", "replace"), False
        texts.append((goparse.parse(item, _TEXT) or {}).get("text", ""))
    return "\n".join(texts), len(texts) == 1


def _string(raw: bytes) -> str:
    """The text of one JSON string that is known to be valid."""
    return gojson.replace_surrogates(json.loads(raw.decode("utf-8", "surrogateescape")))


def to_wire(neutral: Message) -> bytes:
    """One neutral message as the wire has it, in the key order of the Go SDK (versions 1 and 2)."""
    blocks = b",".join(block_to_wire(item) for item in neutral.content or [])
    return b'{"content":[%s],"role":%s}' % (blocks, gojson.encode_string(neutral.role))


def block_to_wire(neutral: Block) -> bytes:
    """One neutral block as the wire has it."""
    text = gojson.encode_string
    if neutral.text is not None:
        return b'{"text":%s,"type":"text"}' % text(neutral.text.text)
    if neutral.thinking is not None:
        signature = base64.b64decode(neutral.thinking.signature).decode("utf-8", "replace")
        return b'{"signature":%s,"thinking":%s,"type":"thinking"}' % (
            text(signature),
            text(neutral.thinking.text),
        )
    if neutral.tool_use is not None:
        call = neutral.tool_use
        arguments = gojson.compact(bytes(call.input) or b"null")
        return b'{"id":%s,"input":%s,"name":%s,"type":"tool_use"}' % (
            text(call.id),
            arguments,
            text(call.name),
        )
    if neutral.tool_result is not None:
        result = neutral.tool_result
        return (
            b'{"tool_use_id":%s,"is_error":%s,"content":[{"text":%s,"type":"text"}],'
            b'"type":"tool_result"}'
        ) % (
            text(result.tool_use_id),
            b"true" if result.is_error else b"false",
            text(result.content),
        )
    if neutral.provider is not None:
        return gojson.compact(bytes(neutral.provider.raw))
    raise ValueError("a content block with nothing in it")
