# SPDX-License-Identifier: Apache-2.0
"""Reads a growing journal on from where it was left, and hands on what it finds, in file order.

Whatever looks at the records of a run one by one (transcript, activity, raw records) is fed from
here, so that all of them agree on what is a record and what is damage. Reading takes no lock and
changes nothing; no file is held open between two readings. Not thread-safe.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

import msgspec

from tenuto.errors import NewerVersion, RunNotFound, StoreIO
from tenuto.payloads import Record
from tenuto.runs import times
from tenuto.runs.companions import TIMES
from tenuto.runs.files import FileLayer
from tenuto.runs.ids import valid_id
from tenuto.runs.reader import Damage, JournalScan, Tail, scan
from tenuto.sentences import sentence, system_said

#: Bytes that are read at a time, in about ten milliseconds: a caller can stop, show something, or
#: let others go first in between.
CHUNK = 256 << 10


class BadLine(msgspec.Struct, frozen=True, gc=False):
    """A line that is no record, or a record that may not stand where it is."""

    reason: str
    #: 1-based.
    line: int
    #: Bytes into the file, and bytes without the newline.
    offset: int
    size: int
    #: The record's number where the line is one, else 0.
    seq: int = 0


class Sink(Protocol):
    """Takes what a journal holds."""

    def record(self, record: Record, line: int, offset: int) -> None:
        """A record; one that is also bad comes after its ``bad``."""

    def bad(self, found: BadLine) -> None:
        """Something unreadable, or in a wrong place."""


class JournalFollower:
    """How far one journal was read, and what is known of it by then."""

    def __init__(
        self, path: str | os.PathLike[str], sink: Sink, *, layer: FileLayer | None = None
    ) -> None:
        self.path = Path(path)
        self._layer = layer or FileLayer()
        self._sink = sink
        self._identity = (0, 0)
        self.reset()

    def reset(self) -> None:
        """Begin anew with the next reading."""
        #: Everything before this byte, and so many lines, was handed on.
        self.position = 0
        self.lines = 0
        self.version: int | None = None
        #: Set for a journal that a newer program wrote: only its meta was handed on.
        self.newer: NewerVersion | None = None
        #: What hangs at the end and is no record yet, as of the last reading.
        self.tail: Tail | None = None
        self.last_seq = 0
        self._begun = False
        #: Whether a tool result may follow.
        self._turn_begun = False

    @contextlib.contextmanager
    def opened(self) -> Iterator[tuple[BinaryIO, os.stat_result]]:
        """The file. Raises RunNotFound, NotAFile, StoreIO."""
        with opened(self.path, self._layer) as found:
            yield found

    def is_other(self, status: os.stat_result) -> bool:
        """Whether this is another file than the one read so far, or became shorter: ``reset``."""
        identity = (status.st_dev, status.st_ino)
        other = identity != self._identity or status.st_size < self.position
        self._identity = identity
        return other

    def read(
        self,
        file: BinaryIO,
        size: int,
        stop: Callable[[], bool] | None = None,
        step: Callable[[], None] | None = None,
    ) -> None:
        """Read on to byte ``size`` in chunks. ``stop`` is asked, ``step`` called between them."""
        chunk = CHUNK
        self.tail = None
        while self.position < size and self.newer is None:
            end = min(self.position + chunk, size)
            part = Part(file, end)
            found = scan(
                part,  # type: ignore[arg-type]
                start=self.position,
                version=self.version,
                after_seq=self.last_seq,
                read_on=True,
            )
            tail = (
                found.tail if found.tail is not None and found.tail.kind != "unterminated" else None
            )
            if tail is not None and tail.offset == self.position and end < size:
                # One line is longer than the chunk.
                chunk *= 2
                continue
            self._take(found, part)
            lines = part.lines
            if tail is not None:
                lines -= part.last_ended
            self.position = tail.offset if tail is not None else end
            self.lines += lines
            if end == size:
                self.tail = tail
                return
            if step is not None:
                step()
            if stop is not None and stop():
                return

    def _take(self, found: JournalScan, part: Part) -> None:
        if self.version is None:
            self.version = found.version
        if isinstance(found.error, NewerVersion):
            self.newer = found.error
        for place, item in in_order(found):
            if self.newer is not None and not (isinstance(item, Record) and item.kind == "meta"):
                continue
            if isinstance(item, Record):
                self._take_record(item, place)
                continue
            # What is told is the line without its newline.
            unended = item.offset + item.size == part.end and not part.last_ended
            record = item.record
            self._sink.bad(
                BadLine(
                    item.reason,
                    self.lines + item.line,
                    item.offset,
                    item.size - (not unended),
                    record.seq if record is not None else 0,
                )
            )
            # A whole record in a wrong place comes behind the notice; a repetition does not.
            if record is not None and not place.noted and record.seq > self.last_seq:
                self._hand_on(record, place)

    def _take_record(self, record: Record, place: Where) -> None:
        """What a reading of the whole file would refuse and one that goes on cannot know."""
        if self._begun and record.seq <= self.last_seq:
            return
        if (
            self._begun
            and not self._turn_begun
            and record.kind == "tool_result"
            and not place.noted
        ):
            reason = f"tool result before any assistant turn at seq {record.seq}"
            size = len(record.line or b"")
            line = self.lines + place.line
            self._sink.bad(BadLine(reason, line, place.offset, size, record.seq))
        self._hand_on(record, place)

    def _hand_on(self, record: Record, place: Where) -> None:
        self._begun = True
        self.last_seq = max(self.last_seq, record.seq)
        if record.kind == "assistant":
            self._turn_begun = True
        elif record.kind == "user":
            self._turn_begun = False
        self._sink.record(record, self.lines + place.line, place.offset)


class TimesFollower:
    """The times of a run, read again when their file has changed."""

    def __init__(self, path: Path, layer: FileLayer | None = None) -> None:
        self._path = path
        self._layer = layer or FileLayer()
        self._seen = (0, 0)
        #: Record number -> its time. Replaced, never changed.
        self.known: dict[int, times.RecordTime] = {}

    def refresh(self) -> bool:
        """Look at the file; whether anything came of it."""
        id = self._path.name.removesuffix(".json")
        if not valid_id(id):
            return False
        try:
            status = os.stat(self._path.with_name(id + TIMES), follow_symlinks=False)
        except OSError:
            return False
        seen = (status.st_size, status.st_mtime_ns)
        if seen == self._seen:
            return False
        self._seen = seen
        self.known = times.read(self._path.parent, id, layer=self._layer)
        return True


@contextlib.contextmanager
def opened(path: Path, layer: FileLayer) -> Iterator[tuple[BinaryIO, os.stat_result]]:
    """A journal for reading. Raises RunNotFound, NotAFile, StoreIO."""
    try:
        with layer.open_dir(os.path.realpath(path.parent)) as folder:
            fd, status = layer.open_regular(folder, path.name)
        with os.fdopen(fd, "rb") as file:
            yield file, status
    except FileNotFoundError as error:
        name = path.stem
        raise RunNotFound(sentence("there is no run {name}", name=name), id=name) from error
    except OSError as error:
        raise StoreIO(
            sentence("{path} cannot be read: {reason}", path=path, reason=system_said(error)),
            path=str(path),
            errno=error.errno,
            operation="read",
        ) from error


class Part:
    """A file up to an offset, as the reader takes it; counts the lines that went through."""

    def __init__(self, file: BinaryIO, end: int) -> None:
        self._file = file
        self._left = 0
        self.end = end
        self.lines = 0
        self.last_ended = False

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int) -> None:
        self._file.seek(offset)
        self._left = self.end - offset

    def readline(self, limit: int) -> bytes:
        data = self._file.readline(min(limit, self._left)) if self._left > 0 else b""
        self._left -= len(data)
        if data:
            self.last_ended = data.endswith(b"\n")
            self.lines += self.last_ended
        return data


class Where(NamedTuple):
    #: 1-based, counted from where the reading began.
    line: int
    offset: int
    #: The record of this notice follows; the notice of this record came before.
    noted: bool = False


def in_order(found: JournalScan) -> Iterator[tuple[Where, Record | Damage]]:
    """Records and damage as they follow each other in the file."""
    damage = iter(found.damage)
    following = next(damage, None)
    lines = zip(found.offsets, found.line_numbers, found.records, strict=True)
    for offset, line, record in lines:
        noted = False
        while following is not None and following.offset <= offset:
            where = Where(following.line, following.offset)
            # A first record that is refused and kept all the same is both.
            noted = following.record is record
            yield where._replace(noted=noted), following
            following = next(damage, None)
        yield Where(line, offset, noted), record
    while following is not None:
        yield Where(following.line, following.offset), following
        following = next(damage, None)
