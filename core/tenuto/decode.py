# SPDX-License-Identifier: Apache-2.0
"""Reading one line of a run journal.

Reading is typed and fast for lines as a writer makes them. Whatever that decode does not take as it
stands (an unknown field, a key in other case, invalid UTF-8, a lone surrogate, an odd number, deep
nesting, a repeated object) is read again by Go's rules in :mod:`tenuto.goparse`, which alone says
what is an error.
"""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any, Final

import msgspec

from tenuto import goparse, wire
from tenuto.fingerprint import Fingerprint
from tenuto.messages import Block, Message, Provider, Text, Thinking, ToolResult, ToolUse
from tenuto.payloads import (
    PROTOCOL_PREFIX,
    VERSION,
    Assistant,
    BadRecord,
    Int64,
    Meta,
    Payload,
    Record,
    Terminal,
    ToolResultRecord,
    UnparsableLine,
    User,
)


class _Fingerprint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    provider: str = ""
    model: str = ""
    system_hash: str = ""
    tools_hash: str = ""
    thinking_mode: str = ""
    max_tokens: Int64 = 0
    max_iterations: Int64 = 0


class _Meta(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: Int64
    run_id: str
    created: str
    fingerprint: _Fingerprint
    prompt: str
    interactive: bool = False


class _Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A line as a version 3 writer makes it."""

    seq: Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]
    protocol: str
    assistant: Assistant | None = None
    tool_result: ToolResultRecord | None = None
    user: User | None = None
    terminal: Terminal | None = None
    meta: _Meta | None = None


_decode_envelope = msgspec.json.Decoder(_Envelope).decode
_PROTOCOLS: Final = {
    PROTOCOL_PREFIX + kind: kind for kind in ("assistant", "tool_result", "user", "terminal")
}
_META_PROTOCOL: Final = PROTOCOL_PREFIX + "meta"


def decode_record(line: bytes, version: int | None = None) -> Record:
    """Read one line (without its newline) of a journal of schema ``version`` (None = 3).

    Raises UnparsableLine or BadRecord, both CorruptJournal.
    """
    if version is None or version >= VERSION:
        try:
            envelope = _decode_envelope(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return _decode_carefully(line, VERSION)
        payload = _payload_of(envelope)
        if payload is not None and _is_plain(line, payload):
            return Record(envelope.seq, payload, line)
    return _decode_carefully(line, VERSION if version is None else min(version, VERSION))


def _payload_of(envelope: _Envelope) -> Payload | None:
    kind = _PROTOCOLS.get(envelope.protocol)
    if kind is not None:
        payload: Payload | None = getattr(envelope, kind)
        return payload
    if envelope.protocol == _META_PROTOCOL and envelope.meta is not None:
        meta = envelope.meta
        if not goparse.valid_time(meta.created):
            return None
        saved = Fingerprint(**msgspec.structs.asdict(meta.fingerprint))
        return Meta(meta.version, meta.run_id, meta.created, saved, meta.prompt, meta.interactive)
    return None


def _is_plain(line: bytes, payload: Payload) -> bool:
    """Whether the typed decode has seen all that Go would see.

    It cannot tell a repeated object (Go merges the two) from a single one, nor bad base64 from
    good. Inside JSON text an unescaped quote is never part of a string, so counting keys is exact;
    a count that is off for another reason only costs the careful reading.
    """
    if isinstance(payload, Assistant):
        if line.count(b'"message":{') != 1 or line.count(b'"content":') < 1:
            return False
        if b'"signature":' in line:
            for block in payload.message.content or ():
                if block.thinking is not None and not _is_base64(block.thinking.signature):
                    return False
    return True


def _is_base64(text: str) -> bool:
    try:
        return binascii.b2a_base64(binascii.a2b_base64(text), newline=False) == text.encode()
    except (binascii.Error, ValueError):
        return False


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


def _decode_carefully(line: bytes, version: int) -> Record:
    """The reading that decides, by Go's rules."""
    old = version < VERSION
    try:
        found = goparse.parse(line, _WIRE_LINE if old else _NEUTRAL_LINE) or {}
        seq: int = found.get("seq", 0)
        protocol: str = found.get("protocol", "")
        kind = protocol.removeprefix(PROTOCOL_PREFIX)
        if protocol != _META_PROTOCOL and protocol not in _PROTOCOLS:
            raise BadRecord(
                f"record {seq} has the unknown protocol {protocol[:80]!r}",
                seq=seq,
                reason=f"unknown protocol {protocol[:80]!r}",
                protocol=protocol,
            )
        values = found.get(kind)
        if values is None:
            raise BadRecord(
                f"{kind} record {seq} has no payload",
                seq=seq,
                reason=f"{kind} record with no payload",
                protocol=protocol,
            )
        return Record(seq, _payload(kind, values, old), line, version)
    except goparse.GoError as error:
        raise UnparsableLine(
            f"not a record: {error.reason} (byte {error.offset + 1} of the line)",
            reason=error.reason,
            at=error.offset,
        ) from None


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
