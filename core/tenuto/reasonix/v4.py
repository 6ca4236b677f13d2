# SPDX-License-Identifier: Apache-2.0
"""Sessions of generation v4, read and followed as the real program writes them (section 13).

A batch of events counts when its end is there. The transcript is the completed messages, by
sequence number; every other event is kept as it came.
"""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any, Final, Literal

import msgspec

from tenuto.errors import NotAFile, StoreError
from tenuto.goparse import members
from tenuto.reasonix.batches import Batches, Event
from tenuto.reasonix.content import read_content
from tenuto.reasonix.frame_records import (
    Complete,
    Config,
    ToolResult,
    integer_in,
    known,
    most_values,
    text_in,
    too_many_values,
)
from tenuto.reasonix.frames import FrameReader
from tenuto.reasonix.model import Message, open_calls
from tenuto.reasonix.previews import preview
from tenuto.reasonix.quick import message as decode_message
from tenuto.reasonix.store import opened
from tenuto.reasonix.stream import Damage
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.preview import read_raw

FRAMES: Final = "events.frames"
MANIFEST: Final = "manifest.json"
WRITER_LOCK: Final = "writer.lock"
#: A session's folder is named so.
SESSION_ID: Final = re.compile(r"[0-9a-f]{24}|[0-9a-f]{32}")

V4Status = Literal["completed", "interrupted"]


class V4Message(msgspec.Struct, frozen=True, gc=False):
    """A message of the transcript."""

    seq: int
    message: Message
    time: str


class V4Reader:
    """One session's folder. :meth:`refresh` reads what was appended since the last time."""

    def __init__(self, path: str | os.PathLike[str], *, layer: FileLayer | None = None) -> None:
        self.path = os.fspath(path)
        self._layer = layer or FileLayer()
        self._file: tuple[int, int] = (0, 0)
        self._forget()

    def _forget(self) -> None:
        self._frames = FrameReader()
        self._batches = Batches(
            self._apply, self._problem, lambda ref: read_content(self._layer, self.path, ref)
        )
        self._problems: list[Damage] = []
        #: Events that are no messages, in order; whoever shows their payloads reads the file.
        self.events: list[Event] = []
        #: Call ids -> milliseconds, of those that say how long a call took.
        self.durations: dict[str, int] = {}
        self.messages: list[V4Message] = []
        self.model = ""
        self._turn_open = False
        self._last_seq = 0

    @property
    def created(self) -> str:
        """When the first batch that counts was written: RFC 3339."""
        return self._batches.created

    @property
    def updated(self) -> str:
        """When the last one was."""
        return self._batches.updated

    @property
    def damage(self) -> list[Damage]:
        """What is no frame, no record, no batch."""
        return sorted([*self._frames.damage, *self._problems], key=lambda item: item.offset)

    @property
    def torn_tail(self) -> bool:
        """Whether the file ends in the middle of a frame or of a batch."""
        return self._frames.rest > 0 or self._batches.open is not None

    @property
    def torn_at(self) -> int:
        """The byte behind the last complete frame."""
        return self._frames.offset

    @property
    def torn_size(self) -> int:
        """Bytes behind the last complete frame: part of a frame that was never finished."""
        return self._frames.rest

    @property
    def status(self) -> V4Status:
        """``interrupted``: the last turn has no end."""
        return "interrupted" if self._turn_open else "completed"

    @property
    def preview(self) -> tuple[str, int]:
        """The preview and the number of turns, host context left out."""
        return preview([item.message for item in self.messages])

    def pending(self) -> list[dict[str, Any]]:
        """The calls of the last reply that have no result."""
        return open_calls([item.message for item in self.messages])

    def refresh(self) -> bool:
        """Read on; whether anything is new. A file that is another one is read from its start.

        Raises SessionNotFound, NotAFile, StoreIO.
        """
        with opened(os.path.join(self.path, FRAMES), self._layer) as (fd, status):
            identity = (status.st_dev, status.st_ino)
            if identity != self._file or status.st_size < self._frames.offset:
                self._forget()
                self._file = identity
            before = self._frames.offset
            self._layer.seek(fd, before)
            self._frames.feed(
                lambda size: self._layer.read(fd, size),
                lambda content, offset, _size: self._batches.take(content, offset),
            )
        return self._frames.offset != before

    # --- events ---------------------------------------------------------------------------------

    def _apply(self, event: Event, offset: int) -> None:
        if event.kind == "message/complete":
            self._message(event, offset)
            return
        self.events.append(msgspec.structs.replace(event, payload=b""))
        if event.kind == "turn/start":
            self._turn_open = True
        elif event.kind == "turn/end":
            self._turn_open = False
        elif event.kind == "session/config":
            config = known(event.payload, Config) or Config()
            model = text_in(config.model_ref)
            self.model = self.model if model is None else model
        elif event.kind == "tool/result":
            told = known(event.payload, ToolResult) or ToolResult()
            call, took = text_in(told.id), integer_in(told.duration_ms)
            if call is not None and took >= 0:
                self.durations[call] = took

    def _message(self, event: Event, offset: int) -> None:
        try:
            message = message_of(event.payload)
        except ValueError as error:
            self._problem(offset, len(event.payload), f"not a message: {error}")
            return
        self.messages.append(V4Message(event.seq, message, event.time))
        if event.seq < self._last_seq:
            self.messages.sort(key=lambda item: item.seq)
        self._last_seq = max(self._last_seq, event.seq)

    def _problem(self, offset: int, size: int, reason: str) -> None:
        index = len(self.messages)
        self._problems.append(Damage("corrupt", offset, size, 0, reason, index))


def message_of(payload: bytes) -> Message:
    """The message of a ``message/complete``.

    :raises ValueError: there is none, or it holds more values than a message of its size may.
    """
    complete = known(payload, Complete)
    if complete is not None:
        return decode_message(_affordable(bytes(complete.message)) or b"null")
    # By Go's rules: what the quick decoder refuses may be a message all the same.
    found = [raw for key, raw in members(_affordable(payload)) or () if key == "message"]
    return decode_message(found[-1] if found else b"null")


def _affordable(raw: bytes) -> bytes:
    """``raw`` as it is. Raises ValueError where it would take many times its size as objects."""
    if too_many_values(raw):
        raise ValueError(f"it holds more than {most_values(len(raw))} values")
    return raw


def read_v4(path: str | os.PathLike[str], *, layer: FileLayer | None = None) -> V4Reader:
    """The session in folder ``path``, read to its end. Raises as :meth:`V4Reader.refresh`."""
    reader = V4Reader(path, layer=layer)
    reader.refresh()
    return reader


class Catalog(msgspec.Struct, rename="camel", gc=False):
    """A ready-made preview: ``.query-cache/<id>/catalog-metadata.json``."""

    created_at: str = ""
    model_ref: str = ""
    turns: int = 0
    preview: str = ""
    log_size: int = -1
    log_mod_time_ns: int = -1


def read_catalog(layer: FileLayer, folder: Folder, id: str) -> Catalog | None:
    """The ready-made preview of session ``id`` in the open folder of v4 sessions, if it is true."""
    with contextlib.suppress(OSError, StoreError, NotAFile, msgspec.MsgspecError):
        with layer.open_dir(os.path.join(folder.path, id)) as session:
            status = layer.lstat(session, FRAMES)
        with layer.open_dir(os.path.join(folder.path, ".query-cache", id)) as cache:
            data = read_raw(layer, cache, "catalog-metadata.json")
        found = msgspec.json.decode(data or b"", type=Catalog)
        if (found.log_size, found.log_mod_time_ns) == (status.st_size, status.st_mtime_ns):
            return found
    return None
