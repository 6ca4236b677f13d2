# SPDX-License-Identifier: Apache-2.0
"""Reading one line of a run journal by Go's rules: the reading that decides."""

from __future__ import annotations

import base64
from typing import Any, Final

import msgspec

from tenuto import goparse, wire
from tenuto.fingerprint import Fingerprint
from tenuto.messages import Block, Message, Provider, Text, Thinking, ToolResult, ToolUse
from tenuto.payloads import (
    PROTOCOL_PREFIX,
    VERSION,
    Assistant,
    BadRecord,
    Meta,
    Payload,
    Record,
    Terminal,
    ToolResultRecord,
    UnparsableLine,
    User,
)

_KINDS: Final = ("meta", "assistant", "tool_result", "user", "terminal")
_BLOCK = goparse.Struct(
    {
        "text": goparse.Pointer(goparse.Struct({"text": "string"})),
        "thinking": goparse.Pointer(goparse.Struct({"text": "string", "signature": "base64"})),
        "tool_use": goparse.Pointer(
            goparse.Struct({"id": "string", "name": "string", "input": "raw"})
        ),
        "tool_result": goparse.Pointer(
            goparse.Struct({"tool_use_id": "string", "content": "string", "is_error": "bool"})
        ),
        "provider": goparse.Pointer(goparse.Struct({"kind": "string", "raw": "raw"})),
    }
)
_MESSAGE = goparse.Struct({"role": "string", "content": goparse.Slice(_BLOCK)})
_RESULT = goparse.Struct({"tool_use_id": "string", "content": "string", "is_error": "bool"})
_FINGERPRINT = goparse.Struct(
    {
        "provider": "string",
        "model": "string",
        "system_hash": "string",
        "tools_hash": "string",
        "thinking_mode": "string",
        "max_tokens": "int64",
        "max_iterations": "int64",
    }
)


def _line_spec(message: goparse.Kind, result: goparse.Kind) -> goparse.Struct:
    meta = goparse.Struct(
        {
            "version": "int64",
            "run_id": "string",
            "created": "time",
            "fingerprint": _FINGERPRINT,
            "prompt": "string",
            "interactive": "bool",
        }
    )
    assistant = goparse.Struct(
        {
            "iteration": "int64",
            "message": message,
            "stop_reason": "string",
            "in_tokens": "int64",
            "out_tokens": "int64",
            "cache_read_tokens": "int64",
            "cache_create_tokens": "int64",
        }
    )
    tool_result = goparse.Struct(
        {
            "tool_use_id": "string",
            "result": result,
            "remote": "bool",
            "block": goparse.Pointer(_BLOCK),
        }
    )
    return goparse.Struct(
        {
            "seq": "uint64",
            "protocol": "string",
            "meta": goparse.Pointer(meta),
            "assistant": goparse.Pointer(assistant),
            "tool_result": goparse.Pointer(tool_result),
            "user": goparse.Pointer(goparse.Struct({"message": message})),
            "terminal": goparse.Pointer(goparse.Struct({"reason": "string", "message": "string"})),
        }
    )


_NEUTRAL_LINE: Final = _line_spec(_MESSAGE, _RESULT)
_WIRE_LINE: Final = _line_spec("raw", "raw")


def decode_record(line: bytes, version: int) -> Record:
    """Read one line (its newline does not matter) of a journal of schema ``version``, 1 to 3.

    Raises UnparsableLine or BadRecord, both CorruptJournal.
    """
    old = version < VERSION
    try:
        found = goparse.parse(line, _WIRE_LINE if old else _NEUTRAL_LINE) or {}
        seq: int = found.get("seq", 0)
        protocol: str = found.get("protocol", "")
        kind = protocol.removeprefix(PROTOCOL_PREFIX)
        if kind not in _KINDS or kind == protocol:
            raise _bad(seq, protocol, f"unknown protocol {protocol[:80]!r} at seq {seq}")
        values = found.get(kind)
        if values is None:
            raise _bad(seq, protocol, f"{kind} record with no payload at seq {seq}")
        return Record(seq, _payload(kind, values, old), line.removesuffix(b"\n"), version)
    except goparse.GoError as error:
        raise UnparsableLine(
            f"not a record: {error.reason} (byte {error.offset + 1} of the line)",
            reason=error.reason,
            at=error.offset,
        ) from None


def _bad(seq: int, protocol: str, reason: str) -> BadRecord:
    return BadRecord(reason, reason=reason, seq=seq, protocol=protocol)


def _payload(kind: str, values: dict[str, Any], old: bool) -> Payload:
    if kind == "meta":
        return Meta(
            values.get("version", 0),
            values.get("run_id", ""),
            values.get("created", "0001-01-01T00:00:00Z"),
            Fingerprint(**values.get("fingerprint", {})),
            values.get("prompt", ""),
            values.get("interactive", False),
        )
    if kind == "terminal":
        return Terminal(values.get("reason", ""), values.get("message", ""))
    if kind == "tool_result":
        block: Block | None = None
        if old:
            result, whole = wire.tool_result(values.get("result", b"null"))
            block = whole if whole.tool_result is None else None
        else:
            result = _tool_result(values.get("result", {}))
            block = _block(values["block"]) if "block" in values else None
        return ToolResultRecord(
            values.get("tool_use_id", ""), result, values.get("remote", False), block
        )
    if old:
        message = wire.message(values.get("message", b"null"))
    else:
        message = _message(values.get("message", {}))
    if kind == "user":
        return User(message)
    fields = {key: value for key, value in values.items() if key not in ("message", "iteration")}
    return Assistant(values.get("iteration", 0), message, **fields)


def _message(values: dict[str, Any]) -> Message:
    items = values.get("content")
    return Message(
        values.get("role", ""), None if items is None else [_block(item) for item in items]
    )


def _tool_result(values: dict[str, Any]) -> ToolResult:
    return ToolResult(
        values.get("tool_use_id", ""), values.get("content", ""), values.get("is_error", False)
    )


def _block(values: dict[str, Any]) -> Block:
    text, thinking, call = values.get("text"), values.get("thinking"), values.get("tool_use")
    result, provider = values.get("tool_result"), values.get("provider")
    return Block(
        text=None if text is None else Text(text.get("text", "")),
        thinking=None
        if thinking is None
        else Thinking(
            thinking.get("text", ""), base64.b64encode(thinking.get("signature", b"")).decode()
        ),
        tool_use=None
        if call is None
        else ToolUse(call.get("id", ""), call.get("name", ""), msgspec.Raw(call.get("input", b""))),
        tool_result=None if result is None else _tool_result(result),
        provider=None
        if provider is None
        else Provider(provider.get("kind", ""), msgspec.Raw(provider.get("raw", b""))),
    )
