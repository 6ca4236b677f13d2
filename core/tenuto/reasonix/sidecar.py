# SPDX-License-Identifier: Apache-2.0
"""Reading and writing the metadata file of a session, by Reasonix's rules (reasonix.md 4.2)."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from typing import Any

import msgspec

from tenuto.clock import rfc3339, rfc3339_now
from tenuto.reasonix.meta import (
    SCHEMA,
    ZERO_TIME,
    BadMeta,
    Meta,
    decode_full,
    decode_meta,
    encode_meta,
)
from tenuto.reasonix.names import META, session_id, sibling
from tenuto.reasonix.store import Saved
from tenuto.reasonix.titles import retitle
from tenuto.runs.files import FileLayer, Folder, explained
from tenuto.runs.preview import read_raw

#: Who writes, to programs of generation B: one name a process.
WRITER = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(8)}"


def read_meta(layer: FileLayer, folder: Folder, id: str) -> Meta | None:
    """The metadata of session ``id`` as a listing takes it: None where there is none of use."""
    data = read_raw(layer, folder, id + META)
    if not data:
        return None
    try:
        return decode_meta(data)
    except BadMeta:
        return None


def load_meta(path: str, *, layer: FileLayer | None = None) -> Meta | None:
    """As :func:`read_meta`, for the session at ``path``. OSError passes through."""
    layer = layer or FileLayer()
    with layer.open_dir(os.path.realpath(os.path.dirname(os.path.abspath(path)))) as folder:
        return read_meta(layer, folder, session_id(path))


def update_meta(
    path: str,
    change: Callable[[Meta], Meta],
    *,
    touch: bool = False,
    saved: Saved | None = None,
    layer: FileLayer | None = None,
) -> Meta:
    """Rewrite the metadata of the session at ``path``; what it is now. Made if there is none.

    ``touch``: the session was used just now. ``saved``: its file was just written; where the
    metadata counts revisions, as generation B does, this is the next one, and a turn that broke
    off in another program is none any more.

    :raises BadMeta: the file that is there makes no sense, and is left as it is.
    :raises StoreIO: the system said no.
    """
    layer = layer or FileLayer()
    name = os.path.basename(sibling(path, META))
    with (
        explained("write", sibling(path, META)),
        layer.open_dir(os.path.realpath(os.path.dirname(os.path.abspath(path)))) as folder,
    ):
        found = _current(layer, folder, name)
        meta, unknown = found or (Meta(), {})
        if meta.created_at == ZERO_TIME:
            meta.created_at = _mtime(layer, folder, os.path.basename(path))
        if found is None:
            meta.updated_at = meta.created_at
        meta = change(meta)
        if not meta.id:
            meta.id = session_id(path)
        if touch or meta.updated_at == ZERO_TIME:
            meta.updated_at = rfc3339_now()
        if saved is not None:
            # Of a turn that broke off in Reasonix, which takes out what follows its beginning the
            # next time: from now on that is more than this turn.
            meta.in_flight_turn = None
        if saved is not None and (meta.revision or meta.content_digest):
            meta.revision += 1
            meta.content_digest = saved.digest
            meta.writer_id = WRITER
        layer.atomic_write(folder, name, encode_meta(meta, unknown))
    return meta


def counted(model: str, preview: str, turns: int) -> Callable[[Meta], Meta]:
    """The change that every snapshot makes; the model is only replaced by one that is named."""

    def change(meta: Meta) -> Meta:
        named = model if model.strip() else meta.model
        return msgspec.structs.replace(
            meta, model=named, preview=preview, turns=turns, schema_version=SCHEMA
        )

    return change


def rename_session(path: str, title: str, *, layer: FileLayer | None = None) -> Meta:
    """Give a session a title, "" to take it back; by the rule of the program that wrote it.

    Generation A keeps it as the topic's and counts it as activity; since B it is one of its own.
    One that the desktop app gave is replaced where it stands.
    Raises as :func:`update_meta`.
    """
    later = False

    def change(meta: Meta) -> Meta:
        nonlocal later
        later = bool(meta.custom_title or meta.revision or meta.content_digest)
        key = "custom_title" if later else "topic_title"
        return msgspec.structs.replace(meta, **{key: title})

    meta = update_meta(path, change, layer=layer)
    if not later:
        meta = update_meta(path, lambda meta: meta, touch=True, layer=layer)
    layer = layer or FileLayer()
    folder, name = os.path.split(os.path.abspath(path))
    with explained("write", path), layer.open_dir(os.path.realpath(folder)) as opened:
        retitle(layer, opened, name, title)
    return meta


def _current(layer: FileLayer, folder: Folder, name: str) -> tuple[Meta, dict[str, Any]] | None:
    """What is there; None where nothing is, or nothing but what a crash leaves."""
    try:
        data = layer.read_all(folder, name)
    except FileNotFoundError:
        return None
    return decode_full(data) if data.strip(b"\0 \t\r\n") else None


def _mtime(layer: FileLayer, folder: Folder, name: str) -> str:
    try:
        return rfc3339(layer.lstat(folder, name).st_mtime_ns)
    except OSError:
        return rfc3339_now()
