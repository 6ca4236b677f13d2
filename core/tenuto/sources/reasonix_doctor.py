# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a Reasonix session. It only looks: a load repairs, and the next save keeps."""

from __future__ import annotations

import os

import msgspec

from tenuto.errors import NotAFile
from tenuto.reasonix.lease import who_has
from tenuto.reasonix.meta import BadMeta, Meta, decode_full
from tenuto.reasonix.model import Message
from tenuto.reasonix.names import META, session_id
from tenuto.reasonix.normalise import normalize_session
from tenuto.reasonix.previews import preview
from tenuto.reasonix.stream import Damage
from tenuto.runs.files import FileLayer
from tenuto.runs.preview import read_raw
from tenuto.sources.reasonix_transcript import reader_for


class Finding(msgspec.Struct, frozen=True):
    """One thing to know of a session. ``kind``: ``damaged torn empty meta counts repair open``."""

    kind: str
    message: str
    #: Whether the session is as good as one without it.
    harmless: bool = False
    #: 1-based line and byte offset, 0 where there is no place to name.
    line: int = 0
    offset: int = 0


def examine(path: str, *, layer: FileLayer | None = None) -> list[Finding]:
    """Everything there is to say of the session at ``path``.

    :raises SessionNotFound, NotAFile, StoreIO: it cannot be looked at.
    """
    layer = layer or FileLayer()
    reader = reader_for(path, layer)
    reader.refresh()
    messages = [message for message, _, _ in reader.items()]
    found = [_damage("damaged", damage) for damage in reader.damage()]
    if reader.torn is not None:
        found.append(_damage("torn", reader.torn))
    if not messages and not found:
        found.append(Finding("empty", "it holds no messages"))
    if not os.path.isdir(path):
        found += _beside(path, messages, layer)
    return found


def _damage(kind: str, damage: Damage) -> Finding:
    line = f"line {damage.line}, " if damage.line else ""
    words = f"{line}byte {damage.offset}: {damage.reason} (after {damage.index} messages)"
    return Finding(kind, words, line=damage.line, offset=damage.offset)


def _beside(path: str, messages: list[Message], layer: FileLayer) -> list[Finding]:
    """What only generations A to C have: repairs, a sidecar, a lease."""
    found = []
    repaired = normalize_session(messages)
    if repaired is not messages:
        found.append(
            Finding("repair", "a load repairs its calls or results, and a save keeps that", True)
        )
    try:
        meta = _meta(path, layer)
    except BadMeta as error:
        found.append(Finding("meta", f"its metadata makes no sense: {error}"))
        meta = None
    if meta is not None and meta.counted:
        turns = preview(messages)[1]
        if turns != meta.turns:
            words = f"its metadata counts {meta.turns} turns, it has {turns}: the next save counts"
            found.append(Finding("counts", words, True))
    holder = who_has(path, layer=layer)
    if holder is not None:
        found.append(Finding("open", f"it is open in {holder.who}", True))
    return found


def _meta(path: str, layer: FileLayer) -> Meta | None:
    """The sidecar; None where there is none. Raises BadMeta."""
    with layer.open_dir(os.path.realpath(os.path.dirname(path))) as folder:
        try:
            data = read_raw(layer, folder, session_id(path) + META)
        except NotAFile:
            return None
    return decode_full(data)[0] if data and data.strip(b"\0 \t\r\n") else None
