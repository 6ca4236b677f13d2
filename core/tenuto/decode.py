# SPDX-License-Identifier: Apache-2.0
"""Reading one line of a run journal.

Reading is typed and fast for lines as a writer makes them. Whatever that decode does not take as it
stands (an unknown field, a key in other case, a lone surrogate, an odd number, deep nesting, a
repeated object) is read again by Go's rules (:mod:`tenuto.careful`), which alone say what is an
error.

The fast decode checks the whole line and keeps what a fold needs; the texts in it, nearly all of
its bytes, are decoded when somebody asks for the payload. Decoding them at once takes a fold of a
large journal from about as long as orjson needs to parse its lines to twice that.
"""

from __future__ import annotations

import binascii
from typing import Annotated, Any, Final

import msgspec

from tenuto import careful, goparse
from tenuto.fingerprint import Fingerprint
from tenuto.payloads import (
    PROTOCOL_PREFIX,
    VERSION,
    Assistant,
    Int64,
    Meta,
    Payload,
    Record,
    RecordKind,
    Terminal,
    ToolResultRecord,
    User,
)

_QUOTE: Final = ord('"')
_NOTHING: Final = msgspec.Raw(b'""')

# --- the facts of a record: its payload but for the texts ---------------------------------------
# Field for field the structs of tenuto.messages and tenuto.payloads. ``gc=False``: none of them can
# be part of a cycle, and the collector need not look at them.


class _Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    text: msgspec.Raw


class _Thinking(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    text: msgspec.Raw = _NOTHING
    signature: str = ""


class _ToolUse(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    id: str
    name: str
    input: msgspec.Raw


class _ToolResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    tool_use_id: str
    content: msgspec.Raw
    is_error: bool = False


class _Provider(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    kind: str
    raw: msgspec.Raw


class _Block(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    text: _Text | None = None
    thinking: _Thinking | None = None
    tool_use: _ToolUse | None = None
    tool_result: _ToolResult | None = None
    provider: _Provider | None = None


class _Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    role: str
    content: list[_Block] | None


class _Assistant(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    iteration: Int64
    message: _Message
    stop_reason: str = ""
    in_tokens: Int64 = 0
    out_tokens: Int64 = 0
    cache_read_tokens: Int64 = 0
    cache_create_tokens: Int64 = 0


class _ToolResultRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    tool_use_id: str
    result: _ToolResult
    remote: bool = False
    block: _Block | None = None


class _User(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    message: _Message


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


#: From 1, so that ``0`` and ``-0``, which Go tells apart, are read carefully.
_Seq = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]


class _Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A line as a version 3 writer makes it, texts left as they stand."""

    seq: _Seq
    protocol: str
    assistant: _Assistant | None = None
    tool_result: _ToolResultRecord | None = None
    user: _User | None = None
    terminal: Terminal | None = None
    meta: _Meta | None = None


class _Whole(msgspec.Struct, frozen=True, gc=False):
    """The payload of such a line, texts decoded."""

    assistant: Assistant | None = None
    tool_result: ToolResultRecord | None = None
    user: User | None = None


_decode_facts: Final = msgspec.json.Decoder(_Facts).decode
_decode_whole: Final = msgspec.json.Decoder(_Whole).decode
_ASSISTANT: Final = PROTOCOL_PREFIX + "assistant"
_TOOL_RESULT: Final = PROTOCOL_PREFIX + "tool_result"
_USER: Final = PROTOCOL_PREFIX + "user"
_TERMINAL: Final = PROTOCOL_PREFIX + "terminal"
_META: Final = PROTOCOL_PREFIX + "meta"
#: The bytes of a tool result record that repeats nothing, besides its ids and its content, and then
#: fewer than a repetition takes (``"content":0,``): room for the digits of its number.
_ONE_RESULT: Final = (
    len('{"seq":,"protocol":"","tool_result":{"tool_use_id":"","result":{"tool_use_id":"",')
    + len(_TOOL_RESULT)
    + len('"content":}}}\n')
    + len('"content":0,')
)
# The bytes around what differs from one assistant record to the next.
_TURN: Final = (
    len('{"seq":,"protocol":"","assistant":{"iteration":,"message":{"role":"","content":[')
    + len(_ASSISTANT)
    # Each block is counted with a comma behind it, and the last one has none.
    + len(']},"in_tokens":,"out_tokens":}}')
    - 1
    # _checked_size begins at 1, for 0 is its refusal.
    - 1
)
_STOP_REASON: Final = len(',"stop_reason":""')
_CACHE_READ: Final = len(',"cache_read_tokens":')
_CACHE_CREATE: Final = len(',"cache_create_tokens":')
_TEXT_BLOCK: Final = len('{"text":{"text":}},')
_TOOL_USE_BLOCK: Final = len('{"tool_use":{"id":"","name":"","input":}},')
_THINKING_BLOCK: Final = len('{"thinking":{"text":,"signature":""}},')


class _LineRecord(Record):
    """A record that was read and checked; its payload is decoded when first asked for."""

    __slots__ = ()

    def __init__(self, seq: int, kind: RecordKind, facts: Any, line: bytes) -> None:
        self.seq = seq
        self.kind = kind
        self._line = line
        self.version = VERSION
        self.facts = facts
        self._payload = None

    @property
    def line(self) -> bytes:
        # Kept as it came from the file: to cut the newline off is to copy the line.
        assert self._line is not None
        return self._line.removesuffix(b"\n")

    @property
    def payload(self) -> Payload:
        if self._payload is None:
            assert self._line is not None
            try:
                self._payload = getattr(_decode_whole(self._line), self.kind)
            except (msgspec.DecodeError, UnicodeDecodeError):
                # Invalid UTF-8 in a text.
                self._payload = careful.decode_record(self._line, VERSION).payload
        return super().payload


def decode_record(line: bytes, version: int | None = None) -> Record:
    """Read one line (its newline does not matter) of a journal of schema ``version`` (None = 3).

    Raises UnparsableLine or BadRecord, both CorruptJournal.
    """
    if version is not None and version < VERSION:
        return careful.decode_record(line, version)
    # The typed decode cannot tell a repeated key (of two objects Go makes one, and of two values it
    # checks both) from a single one, a text from another value, nor bad base64 from good: that is
    # looked at here. A line that is no longer than its parts has nothing twice; else keys are
    # counted, which takes as long as the decode. Inside JSON text an unescaped quote is never part
    # of a string, so counting finds every repetition; a count that is off for another reason only
    # costs the careful reading.
    try:
        found = _decode_facts(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return careful.decode_record(line, VERSION)
    protocol = found.protocol
    if protocol == _TOOL_RESULT:
        answer = found.tool_result
        if answer is not None and answer.block is None:
            content = memoryview(answer.result.content)
            around = len(line) - content.nbytes - 2 * len(answer.tool_use_id)
            if content[0] == _QUOTE and (
                (around < _ONE_RESULT and answer.result.tool_use_id == answer.tool_use_id)
                or (line.count(b'"result":{') == 1 and line.count(b'"content":') == 1)
            ):
                return _LineRecord(found.seq, "tool_result", answer, line)
    elif protocol == _ASSISTANT:
        turn = found.assistant
        if turn is not None:
            size = _checked_size(turn.message)
            if size and (
                size + _turn_size(found.seq, turn) == len(line) - line.endswith(b"\n")
                or _nothing_twice(turn.message, line)
            ):
                return _LineRecord(found.seq, "assistant", turn, line)
    elif protocol == _USER:
        said = found.user
        if said is not None and _checked_size(said.message) and _nothing_twice(said.message, line):
            return _LineRecord(found.seq, "user", said, line)
    elif protocol == _TERMINAL:
        if found.terminal is not None and line.count(b'"terminal":') == 1:
            return Record(found.seq, found.terminal, line.removesuffix(b"\n"))
    elif protocol == _META and found.meta is not None:
        record = _fast_meta(found.seq, found.meta, line)
        if record is not None:
            return record
    return careful.decode_record(line, VERSION)


def _turn_size(seq: int, turn: _Assistant) -> int:
    """The bytes of an assistant record as a writer makes it, without its blocks and newline."""
    size = _TURN + len(
        f"{seq}{turn.iteration}{turn.in_tokens}{turn.out_tokens}{turn.stop_reason}{turn.message.role}"
    )
    if turn.stop_reason:
        size += _STOP_REASON
    if turn.cache_read_tokens:
        size += _CACHE_READ + len(str(turn.cache_read_tokens))
    if turn.cache_create_tokens:
        size += _CACHE_CREATE + len(str(turn.cache_create_tokens))
    return size


def _checked_size(message: _Message) -> int:
    """1 + the bytes of the blocks (those of rare kinds not counted); 0 if one has a wrong value."""
    size = 1
    for block in message.content or ():
        text = block.text
        if text is not None:
            words = memoryview(text.text)
            if words[0] != _QUOTE:
                return 0
            size += _TEXT_BLOCK + words.nbytes
        call = block.tool_use
        if call is not None:
            size += _TOOL_USE_BLOCK + len(call.id) + len(call.name) + memoryview(call.input).nbytes
        thought = block.thinking
        if thought is not None:
            words = memoryview(thought.text)
            if words[0] != _QUOTE or not _is_base64(thought.signature):
                return 0
            size += _THINKING_BLOCK + words.nbytes + len(thought.signature)
        result = block.tool_result
        if result is not None and memoryview(result.content)[0] != _QUOTE:
            return 0
    return size


def _nothing_twice(message: _Message, line: bytes) -> bool:
    """Whether every key that holds an object or a text is there as often as the decode saw it."""
    blocks = message.content or ()
    thoughts = [block.thinking for block in blocks if block.thinking is not None]
    texts = 2 * sum(block.text is not None for block in blocks)
    texts += sum(thought.text is not _NOTHING for thought in thoughts)
    signatures = sum(thought.signature != "" for thought in thoughts)
    results = sum(block.tool_result is not None for block in blocks)
    return (
        _occurs(line, b'"message":{', 1, message)
        and _occurs(line, b'"text":', texts, message)
        and (not thoughts or _occurs(line, b'"thinking":', len(thoughts), message))
        and (not thoughts or _occurs(line, b'"signature":', signatures, message))
        and (not results or _occurs(line, b'"content":', results + 1, message))
    )


def _occurs(line: bytes, key: bytes, times: int, message: _Message) -> bool:
    """Whether ``line`` has ``key`` that often outside of raw JSON."""
    found = line.count(key)
    if found > times:
        for block in message.content or ():
            if block.tool_use is not None:
                found -= bytes(block.tool_use.input).count(key)
            if block.provider is not None:
                found -= bytes(block.provider.raw).count(key)
    return found == times


def _is_base64(text: str) -> bool:
    try:
        return binascii.b2a_base64(binascii.a2b_base64(text), newline=False) == text.encode()
    except (binascii.Error, ValueError):
        return False


def _fast_meta(seq: int, meta: _Meta, line: bytes) -> Record | None:
    if any(line.count(key) != 1 for key in (b'"meta":', b'"fingerprint":', b'"created":')):
        return None
    if not goparse.valid_time(meta.created):
        return None
    saved = Fingerprint(**msgspec.structs.asdict(meta.fingerprint))
    payload = Meta(meta.version, meta.run_id, meta.created, saved, meta.prompt, meta.interactive)
    return Record(seq, payload, line.removesuffix(b"\n"))
