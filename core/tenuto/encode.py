# SPDX-License-Identifier: Apache-2.0
"""Writing one line of a run journal: the bytes Go's ``encoding/json`` writes.

run-journal.md, "Byte form". A record that was read from a file keeps its own tokens instead.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, Final, get_args

import msgspec

from tenuto import gojson, goparse
from tenuto.decode import decode_record
from tenuto.fingerprint import Fingerprint
from tenuto.messages import Block, Message, Provider, ToolResult, ToolUse
from tenuto.payloads import (
    PROTOCOL_PREFIX,
    VERSION,
    Assistant,
    Meta,
    Payload,
    Record,
    RecordKind,
    Terminal,
    ToolResultRecord,
    UnparsableLine,
    User,
)

_encode: Final = msgspec.json.Encoder().encode
#: What stands before the payload, by kind of record.
_HEAD: Final[dict[str, bytes]] = {
    kind: b'{"seq":%%d,"protocol":"%s","%s":' % ((PROTOCOL_PREFIX + kind).encode(), kind.encode())
    for kind in get_args(RecordKind)
}
_SEQ_FIRST: Final = re.compile(rb'\{"seq":[0-9]+(?=[,}])')
#: Bytes that a second key for the number, in whatever spelling, cannot do without.
_SEQ_AGAIN: Final = re.compile(rb'"(?:seq|[^"]{0,16}\\u|[^"]{0,3}\xc5\xbf)', re.IGNORECASE)


def encode_record(record: Record, seq: int) -> bytes:
    """The line for ``record`` under the number ``seq``, newline included.

    A record with its own line (of this schema version) keeps every token of that line but the
    number; any other is written from its payload. Raises ValueError for a seq below 1 or beyond
    uint64.
    """
    if not 1 <= seq < 2**64:
        raise ValueError(f"{seq} is no record number")
    if record.line is not None and record.version >= VERSION:
        return _renumbered(record.line, record.seq, seq) + b"\n"
    return _HEAD[record.kind] % seq + payload_bytes(record.payload) + b"}\n"


def _renumbered(line: bytes, old: int, new: int) -> bytes:
    line = line.strip(b" \t\r\n")
    if b"\n" in line:
        raise ValueError("a line break inside a record's line")
    if old == new:
        return line
    number = b'{"seq":%d' % new
    first = _SEQ_FIRST.match(line)
    if first and not _SEQ_AGAIN.search(line, first.end()):
        return number + line[first.end() :]
    # The number stands elsewhere, or perhaps twice: it is written first, and once.
    parts = [number]
    for key, value in goparse.members(line) or []:
        if goparse.fold_key(key) != "seq":
            parts.append(gojson.encode_string(key) + b":" + value)
    return b",".join(parts) + b"}"


def as_record(record: Record | Mapping[str, Any], version: int | None = None) -> Record:
    """``record`` itself, or the record that a mapping in the journal's form stands for.

    The mapping may leave out ``seq`` (then it is 0). Its values may be msgspec structs and raw
    JSON. Fields it has and the model has not are kept in the record's line.
    Raises CorruptJournal where the mapping is no record of schema ``version`` (None = 3).
    """
    if isinstance(record, Record):
        return record
    try:
        _refuse_nan(record)
        line = msgspec.json.encode(record)
    except UnicodeEncodeError:
        # A lone surrogate: escaped it reaches the reader, which replaces it as Go does.
        line = json.dumps(msgspec.to_builtins(record), separators=(",", ":")).encode()
    except (ValueError, RecursionError) as error:
        raise UnparsableLine(f"not a record: {error}", reason=str(error), at=0) from None
    found = decode_record(line, version)
    if found.version < VERSION:
        return found
    plain = Record(found.seq, found.payload)
    if _is_whole(line, plain):
        return plain
    return Record(found.seq, found.payload, gojson.compact(line))


def _refuse_nan(value: Any) -> None:
    """Raise ValueError for a float that JSON does not have: msgspec would write ``null``."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a JSON number")
    elif isinstance(value, Mapping):
        for item in value.values():
            _refuse_nan(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_nan(item)


def _is_whole(line: bytes, record: Record) -> bool:
    """Whether the model holds every field of ``line``."""
    written = b'{"seq":0,"protocol":"%s","%s":%s}' % (
        (PROTOCOL_PREFIX + record.kind).encode(),
        record.kind.encode(),
        payload_bytes(record.payload),
    )
    return _shape(json.loads(line), json.loads(written))


def _shape(given: Any, kept: Any) -> bool:
    """Whether each key of ``given`` that says anything is in ``kept`` too."""
    if isinstance(given, dict) and isinstance(kept, dict):
        return all(
            _shape(value, kept[key]) if key in kept else value in (None, False, 0, "", [])
            for key, value in given.items()
        )
    if isinstance(given, list) and isinstance(kept, list):
        return all(_shape(*pair) for pair in zip(given, kept, strict=False))
    return True


class _Turn(msgspec.Struct, gc=False):
    """An assistant payload that leaves out what Go leaves out of it."""

    iteration: int
    message: Message
    stop_reason: str | msgspec.UnsetType
    in_tokens: int
    out_tokens: int
    cache_read_tokens: int | msgspec.UnsetType
    cache_create_tokens: int | msgspec.UnsetType


def payload_bytes(payload: Payload) -> bytes:
    """The JSON of one payload as Go writes it.

    msgspec writes nearly all of them in one go: the structs of the model have Go's keys in Go's
    order. Between two fsyncs the caches are cold, and each step in Python costs a record dearly.
    """
    whole = _whole(payload)
    if whole is not None:
        try:
            return gojson.html_escape(_encode(whole))
        except (UnicodeEncodeError, OverflowError):
            # A lone surrogate, which Go replaces; a number that only Python has.
            pass
    return _piecewise(payload)


def _whole(payload: Payload) -> msgspec.Struct | None:
    """What msgspec writes as Go writes ``payload``, or None."""
    match payload:
        case ToolResultRecord():
            return payload if payload.block is None else None
        case Assistant():
            return _Turn(
                payload.iteration,
                _tight(payload.message),
                payload.stop_reason or msgspec.UNSET,
                payload.in_tokens,
                payload.out_tokens,
                payload.cache_read_tokens or msgspec.UNSET,
                payload.cache_create_tokens or msgspec.UNSET,
            )
        case User():
            return User(_tight(payload.message))
        case Terminal():
            return payload
        case Meta():
            return None


def _tight(message: Message) -> Message:
    """``message`` with its raw JSON as Go re-writes it; itself where that is how it stands."""
    for block in message.content or ():
        call, kept = block.tool_use, block.provider
        if (call is not None and _is_loose(call.input)) or (
            kept is not None and _is_loose(kept.raw)
        ):
            break
    else:
        return message
    return Message(message.role, [_tightened(block) for block in message.content or ()])


def _is_loose(raw: msgspec.Raw) -> bool:
    """Whether it is empty or holds white space."""
    return len(bytes(raw).split(None, 1)) != 1


def _tightened(block: Block) -> Block:
    call, kept = block.tool_use, block.provider
    if call is not None:
        call = ToolUse(call.id, call.name, msgspec.Raw(_raw_bytes(call.input)))
    if kept is not None:
        kept = Provider(kept.kind, msgspec.Raw(_raw_bytes(kept.raw)))
    return Block(block.text, block.thinking, call, block.tool_result, kept)


def _piecewise(payload: Payload) -> bytes:
    text = gojson.encode_string
    match payload:
        case Meta():
            return b'{"version":%d,"run_id":%s,"created":%s,"fingerprint":%s,"prompt":%s%s}' % (
                payload.version,
                text(payload.run_id),
                text(payload.created),
                fingerprint_bytes(payload.fingerprint),
                text(payload.prompt),
                b',"interactive":true' if payload.interactive else b"",
            )
        case Assistant():
            stop = b',"stop_reason":%s' % text(payload.stop_reason) if payload.stop_reason else b""
            read, made = payload.cache_read_tokens, payload.cache_create_tokens
            return b'{"iteration":%d,"message":%s%s,"in_tokens":%d,"out_tokens":%d%s%s}' % (
                payload.iteration,
                message_bytes(payload.message),
                stop,
                payload.in_tokens,
                payload.out_tokens,
                b',"cache_read_tokens":%d' % read if read else b"",
                b',"cache_create_tokens":%d' % made if made else b"",
            )
        case ToolResultRecord():
            return b'{"tool_use_id":%s,"result":%s%s%s}' % (
                text(payload.tool_use_id),
                _tool_result_bytes(payload.result),
                b',"remote":true' if payload.remote else b"",
                b"" if payload.block is None else b',"block":' + block_bytes(payload.block),
            )
        case User():
            return b'{"message":%s}' % message_bytes(payload.message)
        case Terminal():
            said = b',"message":%s' % text(payload.message) if payload.message else b""
            return b'{"reason":%s%s}' % (text(payload.reason), said)


def fingerprint_bytes(saved: Fingerprint) -> bytes:
    """A fingerprint as Go writes it; without ``provider`` where it has none."""
    text = gojson.encode_string
    provider = b'"provider":%s,' % text(saved.provider) if saved.provider else b""
    return (
        b'{%s"model":%s,"system_hash":%s,"tools_hash":%s,"thinking_mode":%s,'
        b'"max_tokens":%d,"max_iterations":%d}'
    ) % (
        provider,
        text(saved.model),
        text(saved.system_hash),
        text(saved.tools_hash),
        text(saved.thinking_mode),
        saved.max_tokens,
        saved.max_iterations,
    )


def message_bytes(message: Message) -> bytes:
    """A neutral message as Go writes it."""
    content = b"null"
    if message.content is not None:
        content = b"[%s]" % b",".join(block_bytes(block) for block in message.content)
    return b'{"role":%s,"content":%s}' % (gojson.encode_string(message.role), content)


def block_bytes(block: Block) -> bytes:
    """A neutral block as Go writes it: each field that is set, in the order of the model."""
    text = gojson.encode_string
    parts = []
    if block.text is not None:
        parts.append(b'"text":{"text":%s}' % text(block.text.text))
    if block.thinking is not None:
        thought = []
        if block.thinking.text:
            thought.append(b'"text":' + text(block.thinking.text))
        if block.thinking.signature:
            thought.append(b'"signature":' + text(block.thinking.signature))
        parts.append(b'"thinking":{%s}' % b",".join(thought))
    if block.tool_use is not None:
        call = block.tool_use
        parts.append(
            b'"tool_use":{"id":%s,"name":%s,"input":%s}'
            % (text(call.id), text(call.name), _raw_bytes(call.input))
        )
    if block.tool_result is not None:
        parts.append(b'"tool_result":' + _tool_result_bytes(block.tool_result))
    if block.provider is not None:
        kept = block.provider
        parts.append(b'"provider":{"kind":%s,"raw":%s}' % (text(kept.kind), _raw_bytes(kept.raw)))
    return b"{%s}" % b",".join(parts)


def _raw_bytes(raw: msgspec.Raw) -> bytes:
    return gojson.compact(bytes(raw)) or b"null"


def _tool_result_bytes(result: ToolResult) -> bytes:
    text = gojson.encode_string
    return b'{"tool_use_id":%s,"content":%s%s}' % (
        text(result.tool_use_id),
        text(result.content),
        b',"is_error":true' if result.is_error else b"",
    )
