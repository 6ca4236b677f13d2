# SPDX-License-Identifier: Apache-2.0
"""The transcript of a run: its journal's blocks, kept up to date by reading only what is new.

Reading takes no lock and changes nothing. Damage does not end it: what follows is read too, with a
notice in its place. Nothing here is thread-safe: one thread at a time refreshes a transcript and
hands the blocks (immutable) on.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from tenuto.errors import NewerVersion, RunNotFound, StoreIO
from tenuto.records import Assistant, Meta, Record, ToolResultRecord, User
from tenuto.runs import times
from tenuto.runs.companions import TIMES
from tenuto.runs.files import FileLayer
from tenuto.runs.ids import valid_id
from tenuto.runs.reader import Damage, JournalScan, Tail, scan
from tenuto.sources.base import Block, BlocksChanged
from tenuto.sources.blocks import NO_STAMP, BlockBuilder, Stamp

#: Bytes that are read and turned into blocks at a time: a caller can stop in between.
CHUNK = 4 << 20
#: Blocks that may still lack a time which is written after their record.
_RESTAMPED = 200


class RunTranscript:
    """The blocks of one journal file."""

    def __init__(self, path: str | os.PathLike[str], *, layer: FileLayer | None = None) -> None:
        self.path = Path(path)
        self._layer = layer or FileLayer()
        self._times: dict[int, times.RecordTime] = {}
        self._times_seen = (0, 0)
        self._identity = (0, 0)
        self._forget()

    def _forget(self) -> None:
        self._builder = BlockBuilder(self._stamp)
        self._trailing: list[Block] = []
        self._shown: list[Block] = []
        #: Everything before this byte, and so many lines, is in the builder.
        self._position = 0
        self._lines = 0
        self._version: int | None = None
        self._newer: NewerVersion | None = None

    @property
    def blocks(self) -> Sequence[Block]:
        """All blocks as of the last refresh."""
        return self._shown

    @property
    def meta(self) -> Meta | None:
        """The run's first record, once it was read."""
        return self._builder.meta

    def close(self) -> None:
        """No file is held open between two refreshes."""

    def refresh(
        self, *, live: bool = False, stop: Callable[[], bool] | None = None
    ) -> BlocksChanged:
        """Read what was appended since the last call; all of it when the file is another one.

        ``live``: a process holds the run, so a call without a result is running. ``stop`` is asked
        between chunks; what was read until then is in ``blocks``.

        Raises RunNotFound, NotAFile, StoreIO.
        """
        before = self._shown
        with self._opened() as (file, status):
            identity = (status.st_dev, status.st_ino)
            if identity != self._identity or status.st_size < self._position:
                self._forget()
                self._identity = identity
            self._read_times()
            self._builder.set_live(live)
            tail = self._read(file, status.st_size, stop)
        self._trailing = self._ending(live, tail)
        first = min(self._builder.take_first_changed(), len(before))
        self._shown = [*self._builder.blocks, *self._trailing]
        while first < min(len(before), len(self._shown)) and before[first] == self._shown[first]:
            first += 1
        return BlocksChanged(first, len(before), len(self._shown))

    def tail_blocks(self, size: int, *, live: bool = False) -> list[Block]:
        """The last blocks of a file, from its last ``size`` bytes alone: to show something at once.

        Begins with a turn or a follow-up, so that every result has its call. Empty when those bytes
        hold no such beginning. Raises as ``refresh``.
        """
        self._read_times()
        with self._opened() as (file, status):
            version = scan(file.readline(1 << 20)).version
            start = max(status.st_size - size, 0)
            file.seek(start)
            if start:
                start += len(file.readline(size))
            found = scan(file, start=start, version=version, read_on=True)
        builder = BlockBuilder(self._stamp)
        builder.set_live(live)
        begun = False
        for _, item in _in_order(found):
            if isinstance(item, Record):
                begun = begun or isinstance(item.payload, Assistant | User)
                if begun:
                    builder.feed(item)
        return builder.blocks

    # --- reading ---------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _opened(self) -> Iterator[tuple[BinaryIO, os.stat_result]]:
        try:
            with self._layer.open_dir(os.path.realpath(self.path.parent)) as folder:
                fd, status = self._layer.open_regular(folder, self.path.name)
            with os.fdopen(fd, "rb") as file:
                yield file, status
        except FileNotFoundError as error:
            name = self.path.stem
            raise RunNotFound(f"there is no run {name}", id=name) from error
        except OSError as error:
            raise StoreIO(
                f"{self.path} cannot be read: {error.strerror or error}",
                path=str(self.path),
                errno=error.errno,
                operation="read",
            ) from error

    def _read(self, file: BinaryIO, size: int, stop: Callable[[], bool] | None) -> Tail | None:
        """Read on to ``size`` in chunks; answers the tail that is no record yet."""
        chunk = CHUNK
        while self._position < size and self._newer is None:
            end = min(self._position + chunk, size)
            part = _Part(file, end)
            found = scan(
                part,  # type: ignore[arg-type]
                start=self._position,
                version=self._version,
                after_seq=self._builder.last_seq,
                read_on=True,
            )
            tail = (
                found.tail if found.tail is not None and found.tail.kind != "unterminated" else None
            )
            if tail is not None and tail.offset == self._position and end < size:
                # One line is longer than the chunk.
                chunk *= 2
                continue
            self._take(found, part)
            lines = part.lines
            if tail is not None:
                lines -= part.last_ended
            self._position = tail.offset if tail is not None else end
            self._lines += lines
            if end == size:
                return tail
            if stop is not None and stop():
                break
        return None

    def _take(self, found: JournalScan, part: _Part) -> None:
        if self._version is None:
            self._version = found.version
        if isinstance(found.error, NewerVersion):
            self._newer = found.error
        for place, item in _in_order(found):
            if self._newer is not None and not (
                isinstance(item, Record) and isinstance(item.payload, Meta)
            ):
                continue
            if isinstance(item, Record):
                self._take_record(item, place)
                continue
            # The notice tells the bytes of the line, without its newline.
            unended = item.offset + item.size == part.end and not part.last_ended
            self._builder.damage(
                item.reason,
                seq=item.record.seq if item.record is not None else 0,
                line=self._lines + item.line,
                offset=item.offset,
                size=item.size - (not unended),
            )
            # A whole record in a wrong place is shown below the notice; a repetition is not.
            record = item.record
            if record is not None and not place.noted and record.seq > self._builder.last_seq:
                self._builder.feed(record)

    def _take_record(self, record: Record, place: _Where) -> None:
        """What a reading of the whole file would refuse and one that goes on cannot know."""
        builder = self._builder
        if builder.begun and record.seq <= builder.last_seq:
            return
        if (
            builder.begun
            and not builder.turn_begun
            and isinstance(record.payload, ToolResultRecord)
            and not place.noted
        ):
            builder.damage(
                f"tool result before any assistant turn at seq {record.seq}",
                seq=record.seq,
                line=self._lines + place.line,
                offset=place.offset,
                size=len(record.line or b""),
            )
        builder.feed(record)

    def _ending(self, live: bool, tail: Tail | None) -> list[Block]:
        """Notices about the end of the file as it is now."""
        builder = self._builder
        if self._newer is not None:
            return [Block(kind="notice", notice="newer", seq=0, text=self._newer.message)]
        if not builder.blocks and tail is None:
            return [Block(kind="notice", notice="empty", seq=0)]
        ending = []
        if tail is not None and not live:
            ending.append(
                Block(
                    kind="notice",
                    notice="torn",
                    seq=builder.last_seq,
                    text=tail.kind,
                    offset=tail.offset,
                    line=self._lines + 1,
                    size=tail.size,
                )
            )
        if builder.terminal is None and builder.last_seq and not live:
            ending.append(Block(kind="notice", notice="interrupted", seq=builder.last_seq))
        return ending

    # --- times -----------------------------------------------------------------------------------

    def _stamp(self, seq: int) -> Stamp:
        found = self._times.get(seq)
        return (found.t, found.ms) if found is not None else NO_STAMP

    def _read_times(self) -> None:
        id = self.path.name.removesuffix(".json")
        if not valid_id(id):
            return
        try:
            status = os.stat(self.path.with_name(id + TIMES), follow_symlinks=False)
        except OSError:
            return
        seen = (status.st_size, status.st_mtime_ns)
        if seen != self._times_seen:
            self._times_seen = seen
            self._times = times.read(self.path.parent, id, layer=self._layer)
            self._builder.restamp(_RESTAMPED)


class _Part:
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


class _Where(NamedTuple):
    #: 1-based, counted from where the reading began.
    line: int
    offset: int
    #: The record of this notice follows; the notice of this record came before.
    noted: bool = False


def _in_order(found: JournalScan) -> Iterator[tuple[_Where, Record | Damage]]:
    """Records and damage as they follow each other in the file."""
    damage = iter(found.damage)
    following = next(damage, None)
    lines = zip(found.offsets, found.line_numbers, found.records, strict=True)
    for offset, line, record in lines:
        noted = False
        while following is not None and following.offset <= offset:
            where = _Where(following.line, following.offset)
            # A first record that is refused and kept all the same is both.
            noted = following.record is record
            yield where._replace(noted=noted), following
            following = next(damage, None)
        yield _Where(line, offset, noted), record
    while following is not None:
        yield _Where(following.line, following.offset), following
        following = next(damage, None)
