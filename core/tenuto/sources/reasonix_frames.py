# SPDX-License-Identifier: Apache-2.0
"""The frames of a v4 session: the records of batches, events decoded, damage in its place."""

from __future__ import annotations

import os
from typing import Any, Final

import msgspec

from tenuto.reasonix.batches import Batches, Event, payload_of
from tenuto.reasonix.content import read_content
from tenuto.reasonix.frame_records import (
    EventRecord,
    FrameRecord,
    event_of,
    integer_in,
    known,
    record_of,
    reference_of,
    text_in,
)
from tenuto.reasonix.frames import MAGIC, FrameReader
from tenuto.reasonix.v4 import FRAMES, message_of
from tenuto.runs.files import FileLayer
from tenuto.sources.raw import WORDS, Row, RowsChanged, first_words
from tenuto.sources.reasonix_raw import (
    Deliver,
    Index,
    MessageWords,
    Stop,
    read_up_to,
    session_file,
)
from tenuto.text import one_line, visible

#: Frames between two chances for others.
_STEP: Final = 200


class FrameIndex(Index):
    """One session's ``events.frames``, followed as it grows.

    What is read of a frame is the record in it, an event's payload in the place of its base64.
    """

    def __init__(self, folder: str, layer: FileLayer) -> None:
        super().__init__(os.path.join(folder, FRAMES), layer)
        self._folder = folder
        self._file = (0, 0)
        #: Frames that hold something: where they begin -> bytes.
        self._sizes: dict[int, int] = {}
        self._forget()

    def _forget(self) -> None:
        self._reader = FrameReader()
        self._batches = Batches(self._apply, self._problem, self._resolve)
        self._words = MessageWords()
        self._rows, self._handed = [], 0
        self._places: dict[int, int] = {}
        self._told = 0
        #: What is wrong with the frame that is being taken.
        self._wrong = ""

    def refresh(self, deliver: Deliver, *, live: bool = False, stop: Stop | None = None) -> None:
        """Read on, and hand on what is new. Raises RunNotFound, NotAFile, StoreIO."""
        stopped = False
        with session_file(self.path, self._layer) as (fd, status):
            identity = (status.st_dev, status.st_ino)
            if identity != self._file or status.st_size < self._reader.offset:
                self._forget()
                self._file = identity
                self._sizes = {}
                deliver(RowsChanged(0, ()))

            def read(size: int) -> bytes:
                nonlocal stopped
                self._hand_on(deliver)
                stopped = stop is not None and stop()
                return b"" if stopped else self._layer.read(fd, size)

            def take(content: bytes, offset: int, size: int) -> None:
                self._take(content, offset, size)
                if stop is not None and len(self._rows) % _STEP == 0:
                    # Whoever asks may let others go first; the answer counts at the next block.
                    stop()

            self._layer.seek(fd, self._reader.offset)
            self._reader.feed(read, take)
        self._add_damage()
        tail = [] if live or stopped else self._tail()
        self._hand_on(deliver, at_end=True, tail=tail)

    def _tail(self) -> list[Row]:
        """What the file ends with that does not count: part of a frame, else of a batch."""
        where, rest = self._reader.offset, self._reader.rest
        if rest:
            text = "torn" if self.read(where, len(MAGIC)).strip(b"\0") else "nul"
        elif self._batches.open is not None:
            text = "batch"
        else:
            return []
        return [Row("tail", len(self._rows) + 1, where, rest, unit="frame", text=text)]

    def read(self, offset: int, size: int) -> bytes:
        """Of a frame the record in it; anywhere else the bytes of the file.

        Raises RunNotFound, NotAFile, StoreIO.
        """
        whole = self._sizes.get(offset)
        if whole is None:
            return super().read(offset, size)
        with session_file(self.path, self._layer) as (fd, _status):
            self._layer.seek(fd, offset)
            frame = read_up_to(self._layer, fd, whole)
        try:
            # A decompressor is not for two threads.
            content = FrameReader().content(frame)
        except ValueError:
            return frame[:size]
        event = event_of(record_of(content) or FrameRecord())
        if event is None:
            return content[:size]
        try:
            return spliced(content, event, payload_of(event, self._resolve))[:size]
        except ValueError:
            return content[:size]

    # --- what is found ---------------------------------------------------------------------------

    def _take(self, content: bytes, offset: int, size: int) -> None:
        self._add_damage()
        self._wrong = ""
        record = self._batches.take(content, offset) or FrameRecord()
        batch = self._batches.open
        event, payload = None, b""
        if record.type == "batch/event":
            event = event_of(record)
            if batch is not None and batch.events:
                payload = batch.events[-1].payload
        shown = len(content)
        if event is not None and payload:
            shown = spliced_size(content, event, payload)
        row = Row("frame", len(self._rows) + 1, offset, size, unit="frame", content=shown)
        row = msgspec.structs.replace(row, **self._facts(record, event, payload))
        if self._wrong:
            row = msgspec.structs.replace(row, kind="damaged", text=self._wrong)
        self._sizes[offset] = size
        self._places[offset] = len(self._rows)
        self._rows.append(row)

    def _problem(self, offset: int, _size: int, reason: str) -> None:
        """Of the frame that is being taken, or of one before it that is seen to be wrong now."""
        reason = one_line(reason, WORDS * 2)
        place = self._places.get(offset)
        if place is None:
            self._wrong = reason
            return
        self._rows[place] = msgspec.structs.replace(self._rows[place], kind="damaged", text=reason)
        self._handed = min(self._handed, place)

    def _apply(self, event: Event, offset: int) -> None:
        """What counts of a batch; only what is no message in spite of its name is news here."""
        if event.kind == "message/complete":
            try:
                message_of(event.payload)
            except ValueError as error:
                self._problem(offset, 0, f"not a message: {error}")

    def _resolve(self, reference: dict[str, Any]) -> bytes:
        return read_content(self._layer, self._folder, reference)

    def _add_damage(self) -> None:
        """What is between the frames: known to its end when the next one is there."""
        damage = self._reader.damage
        for found in damage[self._told :]:
            reason = one_line(found.reason, WORDS * 2)
            number = len(self._rows) + 1
            self._rows.append(
                Row("damaged", number, found.offset, found.size, unit="frame", text=reason)
            )
        self._told = len(damage)

    def _facts(
        self, record: FrameRecord, event: EventRecord | None, payload: bytes
    ) -> dict[str, Any]:
        facts: dict[str, Any] = {"record": _word(record.type)}
        if event is not None:
            return facts | self._event(event, payload)
        if record.type == "batch/begin":
            facts["count"] = max(integer_in(record.event_count), 0)
            facts["text"] = _word(text_in(record.created_at))
        return facts

    def _event(self, event: EventRecord, payload: bytes) -> dict[str, Any]:
        kind = text_in(event.kind)
        facts: dict[str, Any] = {"record": _word(kind), "seq": max(integer_in(event.seq), 0)}
        if kind == "message/complete":
            try:
                return facts | self._words.of(message_of(payload))
            except ValueError:
                return facts
        return facts | {"text": first_words(payload[: WORDS * 4 + 1].decode("utf-8", "replace"))}


_REFERENCE: Final = b'"payloadRef":'


def spliced(content: bytes, event: EventRecord, payload: bytes) -> bytes:
    """A record as it is in its frame, but for the event's payload, which stands there decoded."""
    if known(payload, msgspec.Raw) is None:
        return content
    if _is_packed(event):
        return content.replace(bytes(event.payload), payload, 1)
    if reference_of(event) is not None:
        return content.replace(_REFERENCE, b'"payload":' + payload + b"," + _REFERENCE, 1)
    return content


def spliced_size(content: bytes, event: EventRecord, payload: bytes) -> int:
    """The bytes of :func:`spliced`, which may be many, without making them."""
    if known(payload, msgspec.Raw) is None:
        return len(content)
    if _is_packed(event):
        return len(content) - len(event.payload) + len(payload)
    if reference_of(event) is not None and _REFERENCE in content:
        return len(content) + len(b'"payload":,') + len(payload)
    return len(content)


def _is_packed(event: EventRecord) -> bool:
    """Whether the event has a payload of its own: a string that is not empty."""
    raw = memoryview(event.payload)
    return len(raw) > 2 and raw[0] == 0x22


def _word(value: object) -> str:
    return first_words(visible(value)) if isinstance(value, str) else ""
