# SPDX-License-Identifier: Apache-2.0
"""From the records of a v4 session to its events (reasonix.md, section 13). Pure.

A batch of events counts when its end is there with the same commit and count. Its end also holds
the SHA-256 of the batch: of the raw record of its begin and of each of its events, as they are in
their frames, a NUL byte behind each. Where that is another one the events are kept all the same,
and it is told.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from typing import Any, Final

import msgspec

from tenuto.reasonix.frames import record_of

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

    def take(self, content: bytes, offset: int) -> dict[str, Any] | None:
        """One frame's content, and where the frame begins. The record in it, if there is one."""
        record = record_of(content)
        match record.get("recordType") if record is not None else None:
            case "batch/begin":
                self._drop()
                self._begin(record or {}, content, offset)
            case "batch/event":
                self._event(record or {}, content, offset)
            case "batch/end":
                self._end(record or {}, offset)
            case _:
                self._problem(offset, len(content), "not a record of a session")
        return record

    def _begin(self, record: dict[str, Any], content: bytes, offset: int) -> None:
        time = record.get("createdAt")
        self.open = Batch(
            str(record.get("commitId", "")),
            integer(record.get("eventCount")),
            time if isinstance(time, str) else "",
            offset,
            hashlib.sha256(content + b"\0"),
            [],
        )

    def _event(self, record: dict[str, Any], content: bytes, offset: int) -> None:
        event = record.get("event")
        batch = self.open
        if batch is None or not isinstance(event, dict):
            self._problem(offset, 0, "an event outside of a batch")
            return
        batch.digest.update(content)
        batch.digest.update(b"\0")
        try:
            payload = payload_of(event, self._resolve)
        except ValueError as error:
            self._problem(offset, 0, f"an event whose content cannot be decoded: {error}")
            payload = b""
        seq, kind = integer(event.get("seq")), str(event.get("kind", ""))
        batch.events.append(Event(seq, kind, payload, batch.time))

    def _end(self, record: dict[str, Any], offset: int) -> None:
        batch, self.open = self.open, None
        if batch is None:
            self._problem(offset, 0, "the end of a batch that did not begin")
            return
        counts = {batch.count, integer(record.get("eventCount")), len(batch.events)}
        if record.get("commitId") != batch.commit or len(counts) > 1:
            self._problem(offset, 0, "the end of another batch")
            return
        said = record.get("sha256")
        if said not in (None, _NO_DIGEST, batch.digest.hexdigest()):
            self._problem(offset, 0, "a batch that is not what was written: its checksum differs")
        for event in batch.events:
            self._apply(event, offset)
        self.created = self.created or batch.time
        self.updated = batch.time or self.updated

    def _drop(self) -> None:
        if self.open is not None:
            self._problem(self.open.offset, 0, "a batch without an end")
            self.open = None


def payload_of(event: dict[str, Any], resolve: Resolve) -> bytes:
    """An event's payload: JSON. Raises ValueError where it cannot be decoded."""
    reference = event.get("payloadRef")
    if isinstance(reference, dict):
        return resolve(reference)
    try:
        return base64.b64decode(event.get("payload") or "", validate=True)
    except TypeError:
        raise ValueError("not base64") from None


def integer(value: Any) -> int:
    """A number as it stands; -1 for what is none."""
    return value if type(value) is int else -1
