# SPDX-License-Identifier: Apache-2.0
"""The record in a frame and the value of a payload: only what is known of each is decoded.

A frame of a few thousand bytes may hold many millions of values. Whatever nobody asks for is passed
over by its brackets and never made an object, so that reading a frame takes a few times its raw
size, whatever is in it. What is asked for is kept raw until it is: a value of another type than it
should have is as good as none.
"""

from __future__ import annotations

import binascii
import re
from typing import Any, Final, TypeVar

import msgspec

_T = TypeVar("_T")

NOTHING: Final = msgspec.Raw()
_BROKEN: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
#: Digits of an integer that anybody counts to.
_DIGITS: Final = 20


class FrameRecord(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """One record: the fields of all three kinds (reasonix.md, section 13)."""

    record_type: msgspec.Raw = NOTHING
    created_at: msgspec.Raw = NOTHING
    commit_id: msgspec.Raw = NOTHING
    event_count: msgspec.Raw = NOTHING
    sha256: msgspec.Raw = NOTHING
    event: msgspec.Raw = NOTHING

    @property
    def type(self) -> str | None:
        return text_in(self.record_type)


class EventRecord(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """What is under ``event`` of a ``batch/event``."""

    seq: msgspec.Raw = NOTHING
    kind: msgspec.Raw = NOTHING
    payload: msgspec.Raw = NOTHING
    payload_ref: msgspec.Raw = NOTHING


class ToolResult(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """What is known of the payload of a ``tool/result``."""

    id: msgspec.Raw = NOTHING
    duration_ms: msgspec.Raw = NOTHING


class Config(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """What is known of the payload of a ``session/config``."""

    model_ref: msgspec.Raw = NOTHING


class Complete(msgspec.Struct, frozen=True, gc=False):
    """The payload of a ``message/complete``."""

    message: msgspec.Raw = NOTHING


class _Reference(msgspec.Struct, frozen=True, gc=False):
    digest: msgspec.Raw = NOTHING
    bytes: msgspec.Raw = NOTHING


def known(raw: Any, kind: type[_T]) -> _T | None:
    """The fields of ``kind`` in an object; None where there is none. ``raw``: anything of bytes."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except _BROKEN:
        return None


def text_in(raw: msgspec.Raw) -> str | None:
    """The string in it; None for anything else."""
    return known(raw, str)


def integer_in(raw: msgspec.Raw) -> int:
    """The number in it, written as an integer; -1 for anything else."""
    found = known(raw, int) if 0 < len(raw) <= _DIGITS else None
    # What is written with a point or an exponent is an integer to msgspec.
    return -1 if found is None or not bytes(raw).removeprefix(b"-").isdigit() else found


def is_set(raw: msgspec.Raw) -> bool:
    """Whether it is there and not ``null``."""
    return len(raw) > 0 and bytes(memoryview(raw)[:4]) != b"null"


def record_of(content: bytes) -> FrameRecord | None:
    """The record in a frame; None where there is none."""
    return known(content, FrameRecord)


def event_of(record: FrameRecord) -> EventRecord | None:
    """The event of a record; None where there is none."""
    return known(record.event, EventRecord) if len(record.event) else None


def reference_of(event: EventRecord) -> dict[str, Any] | None:
    """``digest`` and ``bytes`` of a payload that is kept apart; None where it is not."""
    found = known(event.payload_ref, _Reference) if len(event.payload_ref) else None
    if found is None:
        return None
    return {"digest": text_in(found.digest), "bytes": integer_in(found.bytes)}


def payload_in(event: EventRecord) -> bytes:
    """The bytes of a payload that is in its event. Raises ValueError where it is not base64."""
    raw = event.payload
    if not is_set(raw):
        return b""
    quoted = memoryview(raw)
    if quoted[0] != 0x22:
        raise ValueError("not base64")
    try:
        # Straight from the frame: base64 needs no escapes, and a copy may be a large one.
        return binascii.a2b_base64(quoted[1:-1], strict_mode=True)
    except binascii.Error:
        text = text_in(raw) or ""
        return binascii.a2b_base64(text, strict_mode=True)


# --- what a value may cost -----------------------------------------------------------------------

#: Values that any text may hold, and for how many of its bytes it may hold one more. An object is
#: some 60 bytes: with these, no text takes more than a few times its size.
FREE_VALUES: Final = 100_000
BYTES_PER_VALUE: Final = 32

#: A string, or what begins a value: strings are passed over as one. It never backtracks.
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[\[{,]', re.DOTALL)


def most_values(size: int) -> int:
    """How many values a text of so many bytes may hold to be decoded whole."""
    return FREE_VALUES + size // BYTES_PER_VALUE


def too_many_values(raw: bytes) -> bool:
    """Whether a JSON text holds more values than :func:`most_values` of its size."""
    most = most_values(len(raw))
    # Nearly always it cannot: counting single bytes costs next to nothing.
    if len(raw) < most or sum(map(raw.count, (b",", b"[", b"{"))) <= most:
        return False
    count = 0
    for token in _TOKEN.finditer(raw):
        # 0x22: a quote.
        if raw[token.start()] != 0x22:
            count += 1
            if count > most:
                return True
    return False
