# SPDX-License-Identifier: Apache-2.0
"""Sidecar previews: ``<id>.preview.json`` (design.md, "Sidecar previews").

What a list shows of a run, kept beside its journal so that no journal is read to draw the list.
A sidecar is a cache: :func:`trusted` compares it with the journal's size, mtime and inode, and
whatever is wrong with it only means that it is built again.
"""

from __future__ import annotations

import os
from typing import Any, Literal

import msgspec

from tenuto.runs.companions import PREVIEW
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.listing import RunEntry

SCHEMA = 1
#: Bytes. A sidecar holds a few short texts; one that is longer is none of ours.
MAX_SIDECAR = 1 << 20
#: User-visible characters of ``prompt``, ``last_text`` and ``title``.
TEXT_LIMIT = 200

Integrity = Literal["ok", "torn", "damaged", "newer", "empty"]


class PreviewCounters(msgspec.Struct, frozen=True, gc=False):
    """The seven sums of the fold, in the order the sidecar has them."""

    llm_calls: int = 0
    tool_calls: int = 0
    remote_tool_calls: int = 0
    in_tokens: int = 0
    out_tokens: int = 0
    cache_read_tokens: int = 0
    cache_create_tokens: int = 0


class PendingCall(msgspec.Struct, frozen=True, gc=False):
    """A call of the last turn that has no result, in the turn's order."""

    id: str
    name: str


class PreviewTerminal(msgspec.Struct, frozen=True, gc=False):
    """The terminal record in force."""

    reason: str
    message: str
    seq: int


class Preview(msgspec.Struct, kw_only=True, gc=False):
    """What one sidecar holds; the fields are its keys, in its order."""

    schema: int
    #: Size in bytes, mtime in nanoseconds and inode of the journal this was folded from.
    size: int
    mtime_ns: int
    inode: int
    #: Bytes folded: the end of the last good record, newline included.
    offset: int
    id: str
    #: Schema version of the journal; 0 where it names none.
    version: int
    #: RFC 3339, as the journal has it; "" where it has none.
    created: str
    #: The journal's mtime, RFC 3339 UTC.
    updated: str
    model: str
    provider: str
    interactive: bool
    #: The operator's, else the first line of the prompt; sanitised.
    title: str
    #: At most 200 characters, one line, sanitised; so is ``last_text``.
    prompt: str
    last_text: str
    #: Assistant records, and tool calls in them.
    turns: int
    calls: int
    counters: PreviewCounters
    pending: list[PendingCall]
    next_iteration: int
    last_stop_reason: str
    terminal: PreviewTerminal | None
    integrity: Integrity
    #: What the reader says, "" when nothing is wrong.
    problem: str


def preview_name(id: str) -> str:
    """``<id>.preview.json``."""
    return id + PREVIEW


def blank(entry: RunEntry) -> Preview:
    """A preview that knows nothing but the file's own facts."""
    return Preview(**blank_facts(entry))


def blank_facts(entry: RunEntry) -> dict[str, Any]:
    """The fields of :func:`blank`, for structs that have more."""
    return {
        "schema": SCHEMA,
        "size": entry.size,
        "mtime_ns": entry.mtime_ns,
        "inode": entry.inode,
        "offset": 0,
        "id": entry.id,
        "version": 0,
        "created": "",
        "updated": timestamp(entry.mtime_ns),
        "model": "",
        "provider": "",
        "interactive": False,
        "title": "",
        "prompt": "",
        "last_text": "",
        "turns": 0,
        "calls": 0,
        "counters": PreviewCounters(),
        "pending": [],
        "next_iteration": 0,
        "last_stop_reason": "",
        "terminal": None,
        "integrity": "ok",
        "problem": "",
    }


#: 0001-01-01 and the last nanosecond of 9999: what RFC 3339 can write.
_FIRST_NS = -62_135_596_800 * 10**9
_LAST_NS = 253_402_300_800 * 10**9 - 1


def timestamp(mtime_ns: int) -> str:
    """A file's time as RFC 3339 UTC; times beyond its four-digit years are clamped."""
    from tenuto.clock import rfc3339

    return rfc3339(min(max(mtime_ns, _FIRST_NS), _LAST_NS))


def trusted(preview: Preview, entry: RunEntry) -> bool:
    """Whether ``preview`` tells of the journal as it is now."""
    return (
        preview.mtime_ns == entry.mtime_ns
        and preview.size == entry.size
        and preview.inode == entry.inode
        and preview.id == entry.id
        and preview.schema == SCHEMA
    )


def may_go_on(preview: Preview, entry: RunEntry) -> bool:
    """Whether the journal may be the same one, longer: then only its new bytes need reading."""
    return (
        preview.inode == entry.inode
        and preview.id == entry.id
        and preview.schema == SCHEMA
        and preview.integrity in ("ok", "torn")
        and 0 < preview.offset <= preview.size < entry.size
    )


def read_raw(layer: FileLayer, folder: Folder, name: str) -> bytes | None:
    """The bytes of a sidecar; None where there is none, or nothing that could be one.

    It opens without a look before: a FIFO or device gives no bytes, a symlink is not followed.
    """
    try:
        fd = layer.open(folder, name, os.O_RDONLY)
    except OSError:
        return None
    try:
        data = layer.read(fd, _USUAL)
        if len(data) < _USUAL:
            return data
        # The rest of a long one, up to what a sidecar may have.
        while len(data) <= MAX_SIDECAR and (more := layer.read(fd, MAX_SIDECAR)):
            data += more
        return data if len(data) <= MAX_SIDECAR else None
    except OSError:
        return None
    finally:
        layer.close(fd)


#: Bytes that one read asks for: more than most sidecars have.
_USUAL = 4 * 1024

_decode = msgspec.json.Decoder(Preview).decode


def read_sidecar(layer: FileLayer, folder: Folder, id: str) -> Preview | None:
    """The sidecar of a run, trusted or not; None where it is missing or makes no sense."""
    data = read_raw(layer, folder, preview_name(id))
    if data is None:
        return None
    try:
        return _decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def to_bytes(preview: Preview) -> bytes:
    """The sidecar's file, without what a listing may have added to the preview."""
    return _encode({name: getattr(preview, name) for name in Preview.__struct_fields__}) + b"\n"


_encode = msgspec.json.Encoder().encode


def write_sidecar(layer: FileLayer, folder: Folder, preview: Preview) -> None:
    """Replace the sidecar whole or not at all. OSError and StoreIO pass through.

    The folder is not synced: after a power cut an older sidecar is found stale and built again.
    """
    layer.atomic_write(folder, preview_name(preview.id), to_bytes(preview), sync_dir=False)
