# SPDX-License-Identifier: Apache-2.0
"""Sessions of generation v4, read and followed as the real program writes them (section 13).

A batch of events counts when its end is there. The transcript is the completed messages, by
sequence number; every other event is kept as it came.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import os
import re
from typing import Any, Final, Literal

import msgspec

from tenuto.errors import NotAFile, StoreError
from tenuto.goparse import GoError, members
from tenuto.reasonix.careful import BadValue
from tenuto.reasonix.frames import FrameReader, record_of
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


class Event(msgspec.Struct, frozen=True, gc=False):
    """One event of a batch that counts."""

    seq: int
    kind: str
    #: JSON, as it was stored.
    payload: bytes
    #: When its batch was written: RFC 3339.
    time: str


class V4Message(msgspec.Struct, frozen=True, gc=False):
    """A message of the transcript."""

    seq: int
    message: Message
    time: str


class _Batch(msgspec.Struct):
    commit: str
    count: int
    time: str
    events: list[Event]


class V4Reader:
    """One session's folder. :meth:`refresh` reads what was appended since the last time."""

    def __init__(self, path: str | os.PathLike[str], *, layer: FileLayer | None = None) -> None:
        self.path = os.fspath(path)
        self._layer = layer or FileLayer()
        self._file: tuple[int, int] = (0, 0)
        self._forget()

    def _forget(self) -> None:
        self._frames = FrameReader()
        self._batch: _Batch | None = None
        self._problems: list[Damage] = []
        #: Events that are no messages, in order: shown raw.
        self.events: list[Event] = []
        self.messages: list[V4Message] = []
        self.model = ""
        self.created = ""
        self.updated = ""
        self._turn_open = False
        self._last_seq = 0

    @property
    def damage(self) -> list[Damage]:
        """What is no frame, no record, no batch."""
        return sorted([*self._frames.damage, *self._problems], key=lambda item: item.offset)

    @property
    def torn_tail(self) -> bool:
        """Whether the file ends in the middle of a frame or of a batch."""
        return self._frames.rest > 0 or self._batch is not None

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
            self._frames.feed(lambda size: self._layer.read(fd, size), self._take)
        return self._frames.offset != before

    # --- records ---------------------------------------------------------------------------------

    def _take(self, content: bytes, offset: int) -> None:
        record = record_of(content)
        match record.get("recordType") if record is not None else None:
            case "batch/begin":
                self._drop_batch(offset)
                self._begin(record or {})
            case "batch/event":
                self._event(record or {}, offset)
            case "batch/end":
                self._end(record or {}, offset)
            case _:
                self._problem(offset, len(content), "not a record of a session")

    def _begin(self, record: dict[str, Any]) -> None:
        time = record.get("createdAt")
        self._batch = _Batch(
            str(record.get("commitId", "")),
            _integer(record.get("eventCount")),
            time if isinstance(time, str) else "",
            [],
        )

    def _event(self, record: dict[str, Any], offset: int) -> None:
        event = record.get("event")
        batch = self._batch
        if batch is None or not isinstance(event, dict):
            self._problem(offset, 0, "an event outside of a batch")
            return
        try:
            payload = base64.b64decode(event.get("payload") or "", validate=True)
        except (ValueError, TypeError, binascii.Error):
            self._problem(offset, 0, "an event whose content cannot be decoded")
            payload = b""
        seq, kind = _integer(event.get("seq")), str(event.get("kind", ""))
        batch.events.append(Event(seq, kind, payload, batch.time))

    def _end(self, record: dict[str, Any], offset: int) -> None:
        batch, self._batch = self._batch, None
        if batch is None:
            self._problem(offset, 0, "the end of a batch that did not begin")
            return
        counts = {batch.count, _integer(record.get("eventCount")), len(batch.events)}
        if record.get("commitId") != batch.commit or len(counts) > 1:
            self._problem(offset, 0, "the end of another batch")
            return
        for event in batch.events:
            self._apply(event, offset)
        self.created = self.created or batch.time
        self.updated = batch.time or self.updated

    def _drop_batch(self, offset: int) -> None:
        if self._batch is not None:
            self._problem(offset, 0, "a batch without an end")
            self._batch = None

    def _apply(self, event: Event, offset: int) -> None:
        if event.kind == "message/complete":
            self._message(event, offset)
            return
        self.events.append(event)
        if event.kind == "turn/start":
            self._turn_open = True
        elif event.kind == "turn/end":
            self._turn_open = False
        elif event.kind == "session/config":
            model = (record_of(event.payload) or {}).get("modelRef")
            self.model = model if isinstance(model, str) else self.model

    def _message(self, event: Event, offset: int) -> None:
        try:
            found = [raw for key, raw in members(event.payload) or () if key == "message"]
            message = decode_message(found[-1] if found else b"null")
        except (GoError, BadValue) as error:
            self._problem(offset, len(event.payload), f"not a message: {error}")
            return
        self.messages.append(V4Message(event.seq, message, event.time))
        if event.seq < self._last_seq:
            self.messages.sort(key=lambda item: item.seq)
        self._last_seq = max(self._last_seq, event.seq)

    def _problem(self, offset: int, size: int, reason: str) -> None:
        index = len(self.messages)
        self._problems.append(Damage("corrupt", offset, size, 0, reason, index))


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


def _integer(value: Any) -> int:
    return value if type(value) is int else -1
