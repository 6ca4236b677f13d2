# SPDX-License-Identifier: Apache-2.0
"""The metadata beside a session, ``<id>.jsonl.meta``: its bytes and their meaning (reasonix.md 4).

Keys that Tenuto has no use for survive a rewrite.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

import msgspec

from tenuto.clock import rfc3339
from tenuto.goparse import GoError, fold_key, members, valid_time
from tenuto.reasonix.careful import unknown_value
from tenuto.reasonix.encode import encode_value

#: The version from which on turns and preview are to be trusted, and the one that is written.
SCHEMA: Final = 1
#: What Go makes of a time that was never set.
ZERO_TIME: Final = "0001-01-01T00:00:00Z"
_EPOCH: Final = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


class Meta(msgspec.Struct, kw_only=True, gc=False, forbid_unknown_fields=True):
    """The keys of generation A in their order, then those of B and C that Tenuto looks at."""

    id: str = ""
    name: str = ""
    parent_id: str = ""
    fork_turn: int = 0
    fork_message_index: int = 0
    created_at: str = ZERO_TIME
    updated_at: str = ZERO_TIME
    scope: str = ""
    workspace_root: str = ""
    topic_id: str = ""
    topic_title: str = ""
    model: str = ""
    schema_version: int = 0
    turns: int = 0
    preview: str = ""
    custom_title: str = ""
    revision: int = 0
    content_digest: str = ""
    writer_id: str = ""
    #: Set while a turn runs (C).
    in_flight_turn: dict[str, Any] | None = None

    @property
    def counted(self) -> bool:
        """Whether ``turns`` and ``preview`` are to be trusted."""
        return self.schema_version >= SCHEMA


class BadMeta(ValueError):
    """A sidecar that is no sidecar. ``str(error)`` says why."""


#: Written even when empty.
_ALWAYS: Final = frozenset({"id", "created_at", "updated_at"})
_KNOWN: Final = Meta.__struct_fields__
_FOLDED: Final = {fold_key(key): key for key in _KNOWN}
_decode = msgspec.json.Decoder(Meta).decode


def decode_meta(data: bytes) -> Meta:
    """What a sidecar holds of the keys above: quick where that is all there is. Times are in UTC.

    :raises BadMeta: no object, a value of a wrong type, or a time that is none.
    """
    try:
        found = _decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return decode_full(data)[0]
    found.created_at = utc(found.created_at)
    found.updated_at = utc(found.updated_at)
    return found


def decode_full(data: bytes) -> tuple[Meta, dict[str, Any]]:
    """The keys above by Go's rules, and all other keys as they were read. Raises BadMeta."""
    try:
        found = members(data)
    except GoError as error:
        raise BadMeta(f"{error.reason} (byte {error.offset + 1})") from None
    if found is None:
        raise BadMeta("not an object")
    known: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for key, raw in found:
        name = key if key in _KNOWN else _FOLDED.get(fold_key(key))
        if name is None:
            unknown[key] = unknown_value(raw)
        elif raw != b"null":
            known[name] = unknown_value(raw)
    try:
        meta = msgspec.convert(known, Meta)
    except msgspec.ValidationError as error:
        raise BadMeta(str(error)) from None
    meta.created_at = utc(meta.created_at)
    meta.updated_at = utc(meta.updated_at)
    return meta, unknown


def encode_meta(meta: Meta, unknown: dict[str, Any]) -> bytes:
    """The bytes of a sidecar, as Go indents them."""
    value = {key: item for key in _KNOWN if (item := getattr(meta, key)) or key in _ALWAYS}
    return _indented(value | unknown, "") + b"\n"


def _indented(value: Any, margin: str) -> bytes:
    inner = margin + "  "
    if isinstance(value, dict) and value:
        lines = [encode_value(key) + b": " + _indented(item, inner) for key, item in value.items()]
        opening, closing = b"{", b"}"
    elif isinstance(value, list) and value:
        lines = [_indented(item, inner) for item in value]
        opening, closing = b"[", b"]"
    else:
        return encode_value(value)
    between = b"\n" + inner.encode()
    return opening + between + (b"," + between).join(lines) + b"\n" + margin.encode() + closing


#: The form in which Go writes a time in UTC; days that not every month has are looked at twice.
_UTC: Final = re.compile(
    r"\d{4}-(?:0\d|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d*[1-9])?Z",
    re.ASCII,
)
_is_utc = _UTC.fullmatch


def utc(text: str) -> str:
    """An RFC 3339 time in UTC, as Go writes it. Raises BadMeta for anything else."""
    return text if _is_utc(text) else rfc3339(nanoseconds(text))


def nanoseconds(text: str) -> int:
    """An RFC 3339 time in nanoseconds since 1970. Raises BadMeta for anything else."""
    if not valid_time(text):
        raise BadMeta(f"{text[:40]!r} is not an RFC 3339 time")
    zone = -1 if text[-1] == "Z" else -6
    offset = text[zone:].replace("Z", "+00:00")
    since = datetime.fromisoformat(text[:19] + offset) - _EPOCH
    fraction = int(text[20:zone][:9].ljust(9, "0"))
    return (since.days * 86400 + since.seconds) * 1_000_000_000 + fraction
