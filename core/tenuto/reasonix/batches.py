# SPDX-License-Identifier: Apache-2.0
"""From the records of a v4 session to its events (reasonix.md, section 13). Pure.

A batch of events counts when its end is there with the same commit and count. Its end also holds
the SHA-256 of the batch: of the raw record of its begin and of each of its events, as they are in
their frames, a NUL byte behind each. Where that is another one the events are kept all the same,
and it is told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final

import msgspec

from tenuto.reasonix.frame_records import (
    EventRecord,
    FrameRecord,
    event_of,
    integer_in,
    is_set,
    payload_in,
    record_of,
    reference_of,
    text_in,
)

#: Stands where whoever wrote the batch worked out no digest: it is that of nothing.
_NO_DIGEST: Final = "0" * 64

#: What is wrong: byte offset of the frame that it is about, bytes, why.
Problem = Callable[[int, int, str], None]
#: A large payload that is kept apart: its reference -> its bytes. Raises ValueError.
Resolve = Callable[[dict[str, Any]], bytes]


class Event(msgspec.Struct, frozen=True, gc=False):
    """One event of a batch that counts."""

    seq: int
    kind: str
    #: JSON, as it was stored.
    payload: bytes
    #: When its batch was written: RFC 3339.
    time: str


class Batch(msgspec.Struct):
    """One that has begun."""

    commit: str
    count: int
    time: str
    #: Of the frame in which it begins.
    offset: int
    digest: Any
    events: list[Event]


class Batches:
    """Takes records in the order of the file; hands on the events of each batch that counts."""

    def __init__(
        self, apply: Callable[[Event, int], None], problem: Problem, resolve: Resolve
    ) -> None:
        self._apply = apply
        self._problem = problem
        self._resolve = resolve
        #: The batch that has begun and not ended.
        self.open: Batch | None = None
        #: When the first and the last batch that counts were written.
        self.created = ""
        self.updated = ""

    def take(self, content: bytes, offset: int) -> FrameRecord | None:
        """One frame's content, and where the frame begins. The record in it, if there is one."""
        record = record_of(content)
        if record is None:
            self._problem(offset, len(content), "not a record of a session")
            return None
        match record.type:
            case "batch/begin":
                self._drop()
                self._begin(record, content, offset)
            case "batch/event":
                self._event(record, content, offset)
            case "batch/end":
                self._end(record, offset)
            case _:
                self._problem(offset, len(content), "not a record of a session")
        return record

    def _begin(self, record: FrameRecord, content: bytes, offset: int) -> None:
        digest = hashlib.sha256(content)
        digest.update(b"\0")
        self.open = Batch(
            text_in(record.commit_id) or "",
            integer_in(record.event_count),
            text_in(record.created_at) or "",
            offset,
            digest,
            [],
        )

    def _event(self, record: FrameRecord, content: bytes, offset: int) -> None:
        event = event_of(record)
        batch = self.open
        if batch is None or event is None:
            self._problem(offset, 0, "an event outside of a batch")
            return
        batch.digest.update(content)
        batch.digest.update(b"\0")
        try:
            payload = payload_of(event, self._resolve)
        except ValueError as error:
            self._problem(offset, 0, f"an event whose content cannot be decoded: {error}")
            payload = b""
        seq, kind = integer_in(event.seq), text_in(event.kind) or ""
        batch.events.append(Event(seq, kind, payload, batch.time))

    def _end(self, record: FrameRecord, offset: int) -> None:
        batch, self.open = self.open, None
        if batch is None:
            self._problem(offset, 0, "the end of a batch that did not begin")
            return
        counts = {batch.count, integer_in(record.event_count), len(batch.events)}
        if text_in(record.commit_id) != batch.commit or len(counts) > 1:
            self._problem(offset, 0, "the end of another batch")
            return
        digests = (_NO_DIGEST, batch.digest.hexdigest())
        if is_set(record.sha256) and text_in(record.sha256) not in digests:
            self._problem(offset, 0, "a batch that is not what was written: its checksum differs")
        for event in batch.events:
            self._apply(event, offset)
        self.created = self.created or batch.time
        self.updated = batch.time or self.updated

    def _drop(self) -> None:
        if self.open is not None:
            self._problem(self.open.offset, 0, "a batch without an end")
            self.open = None


def payload_of(event: EventRecord, resolve: Resolve) -> bytes:
    """An event's payload: JSON. Raises ValueError where it cannot be decoded."""
    reference = reference_of(event)
    return payload_in(event) if reference is None else resolve(reference)
