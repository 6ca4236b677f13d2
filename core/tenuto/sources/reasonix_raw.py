# SPDX-License-Identifier: Apache-2.0
"""What a Reasonix session is on disk, piece by piece: messages, records of a log, frames.

The same face as the lines of a journal have (``raw``). Reading takes no lock and changes nothing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice, takewhile
from typing import Any, Final

from tenuto.errors import NewerVersion, RunNotFound, SessionNotFound
from tenuto.reasonix.eventlog import log_path, misfit, parse
from tenuto.reasonix.model import Message, calls_of, text_of
from tenuto.reasonix.store import FileState, opened
from tenuto.reasonix.stream import Damage, Place, read_places
from tenuto.runs.files import FileLayer
from tenuto.sources.base import RecordReader
from tenuto.sources.raw import (
    CALLS,
    PIECE,
    WORDS,
    Row,
    RowKind,
    RowsChanged,
    first_arguments,
    first_words,
)
from tenuto.sources.reasonix_blocks import outcome_of
from tenuto.text import one_line, visible

Deliver = Callable[[RowsChanged], None]
Stop = Callable[[], bool]
#: Bytes that are read at a time, of what is read in lines.
BLOCK: Final = 256 << 10


def records_of(path: str, layer: FileLayer) -> RecordReader:
    """The reader for what is at ``path``: a v4 folder, a session with a log, or one without."""
    if os.path.isdir(path):
        from tenuto.sources.reasonix_frames import FrameIndex

        return FrameIndex(path, layer)
    if os.path.lexists(log_path(path)):
        return LogIndex(log_path(path), layer)
    return MessageIndex(path, layer)


@contextlib.contextmanager
def session_file(path: str, layer: FileLayer) -> Iterator[tuple[int, os.stat_result]]:
    """A session's file. Raises RunNotFound, NotAFile, StoreIO."""
    try:
        with opened(path, layer) as found:
            yield found
    except SessionNotFound as error:
        raise RunNotFound(error.message, id=os.path.basename(path)) from error


class Index:
    """What all of them share. Not thread-safe, but for :meth:`read`; rows are never changed."""

    newer: NewerVersion | None = None

    def __init__(self, path: str, layer: FileLayer) -> None:
        self.path = path
        self._layer = layer
        self._rows: list[Row] = []
        #: Rows that were handed on, and are still the same.
        self._handed = 0

    def read(self, offset: int, size: int) -> bytes:
        """The bytes of the file at this moment. Raises RunNotFound, NotAFile, StoreIO."""
        with session_file(self.path, self._layer) as (fd, _status):
            self._layer.seek(fd, offset)
            return read_up_to(self._layer, fd, size)

    def _hand_on(self, deliver: Deliver, *, at_end: bool = False, tail: Iterable[Row] = ()) -> None:
        """Hand on what has come together; at the end all, and that there is no more."""
        while len(self._rows) - self._handed >= PIECE:
            piece = self._rows[self._handed : self._handed + PIECE]
            deliver(RowsChanged(self._handed, piece))
            self._handed += PIECE
        if at_end:
            deliver(RowsChanged(self._handed, [*self._rows[self._handed :], *tail]))
            self._handed = len(self._rows)


def read_up_to(layer: FileLayer, fd: int, size: int) -> bytes:
    """``size`` bytes from where the file stands, fewer at its end."""
    parts = []
    while size > 0 and (part := layer.read(fd, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class MessageIndex(Index):
    """Generations A and B: the values of a file that is written anew at each save."""

    def __init__(self, path: str, layer: FileLayer) -> None:
        super().__init__(path, layer)
        self._state: FileState | None = None

    def refresh(self, deliver: Deliver, *, live: bool = False, stop: Stop | None = None) -> None:
        """Read the file if it is another one, and hand on what differs from the last time.

        Raises RunNotFound, NotAFile, StoreIO.
        """
        with session_file(self.path, self._layer) as (fd, status):
            if FileState.of(status) == self._state:
                return
            # A reading that is stopped is made again.
            self._state = None
            old, self._rows, self._handed = self._rows, [], 0
            words = MessageWords()

            def take(found: list[tuple[Place, Message]], damage: list[Damage]) -> None:
                left = list(damage)
                for place, message in found:
                    while left and left[0].offset < place.offset:
                        self._rows.append(damaged_row(left.pop(0)))
                    self._rows.append(_message_row(words, place, message))
                self._rows += map(damaged_row, left)
                if not old:
                    self._hand_on(deliver)

            def read(size: int) -> bytes:
                return b"" if _stopped(stop) else self._layer.read(fd, size)

            read_places(read, take)
            if _stopped(stop):
                # The next one begins with what was handed on, as this one did.
                self._rows = old or self._rows[: self._handed]
                return
            self._state = FileState.of(status)
            if old:
                pairs = zip(old, self._rows, strict=False)
                self._handed = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            if len(self._rows) != self._handed or len(old) != self._handed:
                self._hand_on(deliver)
                self._hand_on(deliver, at_end=True)


class LogIndex(Index):
    """Generation C: the records of its event log, followed as it grows."""

    def __init__(self, path: str, layer: FileLayer) -> None:
        super().__init__(path, layer)
        self._file = (0, 0)
        self._offset = 0
        self._count = 0
        self._blank = 0

    def refresh(self, deliver: Deliver, *, live: bool = False, stop: Stop | None = None) -> None:
        """Read on, and hand on what is new. Raises RunNotFound, NotAFile, StoreIO."""
        with session_file(self.path, self._layer) as (fd, status):
            identity = (status.st_dev, status.st_ino)
            if identity != self._file or status.st_size < self._offset:
                self._file, self._offset, self._count, self._blank = identity, 0, 0, 0
                self._rows, self._handed = [], 0
                deliver(RowsChanged(0, ()))
            self._layer.seek(fd, self._offset)
            rest = b""
            size = BLOCK
            while not _stopped(stop) and (part := self._layer.read(fd, size)):
                *lines, rest = (rest + part).split(b"\n")
                for line in lines:
                    self._take(line)
                self._hand_on(deliver)
                size = max(BLOCK, len(rest))
        tail = []
        if rest.strip() and not live and not _stopped(stop):
            kind = "torn" if rest.strip(b"\0") else "nul"
            number = (self._rows[-1].line if self._rows else 0) + 1
            tail = [Row("tail", number, self._offset, len(rest), text=kind)]
        self._hand_on(deliver, at_end=True, tail=tail)

    def _take(self, line: bytes) -> None:
        offset, self._offset = self._offset, self._offset + len(line) + 1
        if not line.strip():
            self._blank += 1
            return
        number = len(self._rows) + self._blank + 1
        try:
            record, messages = parse(line)
        except ValueError as error:
            self._rows.append(Row("damaged", number, offset, len(line), text=_reason(str(error))))
            return
        if reason := misfit(record, self._count):
            self._rows.append(Row("damaged", number, offset, len(line), text=_reason(reason)))
            return
        first = 0 if record.type == "replace" else self._count
        self._count = first + len(messages)
        self._rows.append(
            Row(
                "log",
                number,
                offset,
                len(line),
                seq=number,
                record=first_words(visible(record.type)),
                text=", ".join(_roles(messages)),
                count=len(messages),
                block=first + 1 if messages else 0,
            )
        )


def _message_row(words: MessageWords, place: Place, message: Message) -> Row:
    facts = words.of(message)
    return Row(
        "message", place.line, place.offset, place.size, seq=words.count, unit="message", **facts
    )


def damaged_row(found: Damage) -> Row:
    """What is no message."""
    kind: RowKind = "tail" if found.kind == "torn" else "damaged"
    text = "torn" if kind == "tail" else _reason(found.reason)
    return Row(kind, found.line, found.offset, found.size, unit="message", text=text)


class MessageWords:
    """What tells a message from the others, one after the other."""

    def __init__(self) -> None:
        #: Messages so far.
        self.count = 0
        self._turn = 0
        self._names: dict[str, str] = {}

    def of(self, message: Message) -> dict[str, Any]:
        """The fields of its row."""
        self.count += 1
        role = message.get("role")
        facts: dict[str, Any] = {"role": role if isinstance(role, str) else ""}
        if role == "assistant":
            return facts | self._assistant(message)
        if role == "tool":
            found = outcome_of(message)
            id = text_of(message, "tool_call_id")
            facts |= {
                "name": self._names.get(id) or _name(text_of(message, "name")),
                "state": found.state,
                "exit_code": found.exit_code,
            }
        return facts | {"text": first_words(text_of(message))}

    def _assistant(self, message: Message) -> dict[str, Any]:
        self._turn += 1
        calls = calls_of(message)
        self._names = {text_of(call, "id"): _name(text_of(call, "name")) for call in calls}
        shown = [
            (
                _name(text_of(call, "name")),
                first_arguments(text_of(call, "arguments").encode("utf-8", "replace")),
            )
            for call in calls[:CALLS]
        ]
        text = text_of(message)
        return {
            "turn": self._turn,
            "calls": tuple(shown),
            "call_count": len(calls),
            "has_text": bool(text),
            "has_thinking": bool(text_of(message, "reasoning_content")),
            "text": first_words(text),
        }


def _name(text: str) -> str:
    return one_line(visible(text[:200]), 64)


def _reason(text: str) -> str:
    return one_line(text, WORDS * 2)


def _roles(messages: list[Message]) -> Iterator[str]:
    """The first few, each once for a run of them."""
    for role, run in islice(groupby(messages, key=lambda each: text_of(each, "role")), 6):
        count = sum(1 for _ in run)
        yield f"{_name(role) or '?'}" + (f" \u00d7{count}" if count > 1 else "")


def _stopped(stop: Stop | None) -> bool:
    return stop is not None and stop()
