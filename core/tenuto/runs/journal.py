# SPDX-License-Identifier: Apache-2.0
"""A run's journal, open for appending.

A record whose append returned is on disk (R1). After any failed write or fsync nothing more goes
through the object (R5): the kernel may have dropped the page, and a second try could leave the
record twice.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import msgspec

from tenuto.errors import (
    ChangedMeanwhile,
    DeletedMeanwhile,
    JournalClosed,
    JournalDead,
    StoreError,
    StoreIO,
)
from tenuto.fold import RunState, fold
from tenuto.records import (
    PROTOCOL_PREFIX,
    VERSION,
    Meta,
    Payload,
    Record,
    RecordKind,
    as_record,
    encode_record,
)
from tenuto.runs.base import Appendable, next_seq
from tenuto.runs.companions import journal_name
from tenuto.runs.files import FileLayer, Folder, explain, short_write
from tenuto.runs.load import Records, read_records
from tenuto.runs.reader import MAX_LINE
from tenuto.runs.tail import Repair
from tenuto.runs.times import TimesWriter
from tenuto.sentences import Sentence, sentence

if TYPE_CHECKING:
    from tenuto.runs.lock import RunLock
    from tenuto.runs.upgrade import Upgraded


class FileJournal:
    """What ``FileRunStore.create`` and ``open`` return; a context manager.

    Appends of several threads are put in a row. A forked child cannot append: it shares the lock.
    """

    def __init__(
        self,
        layer: FileLayer,
        folder: Folder,
        lock: RunLock,
        fd: int,
        *,
        size: int,
        state: RunState,
        repaired: Repair | None = None,
        upgraded: Upgraded | None = None,
        warnings: tuple[Sentence, ...] = (),
        new: bool = False,
    ) -> None:
        self.id = lock.id
        #: What the repair of the tail changed when the journal was opened.
        self.repaired = repaired
        #: The rewrite from an older version, if there was one.
        self.upgraded = upgraded
        #: What the operator should know, in English: rights that could not be tightened, ...
        self.warnings = warnings
        self.path = folder.file(journal_name(self.id))
        self._layer = layer
        self._folder = folder
        self._lock = lock
        self._fd = fd
        self._size = size
        self._last = state.last_seq
        self._state: RunState | None = state
        self._has_turn = state.counters.llm_calls > 0
        self._times = TimesWriter(layer, folder, self.id)
        self._pid = os.getpid()
        self._closed = False
        self._dead: StoreError | None = None
        self._mutex = threading.Lock()
        if new:
            self._times.add(1)

    @property
    def last_seq(self) -> int:
        """The number of the last record that is known to be on disk."""
        return self._last

    @property
    def state(self) -> RunState:
        """The fold of what is on disk; read again when records were appended since."""
        with self._mutex:
            if self._state is None:
                self._state = fold(self._read())
            return self._state

    def records(self) -> list[Record]:
        """All records, read from the disk.

        :raises JournalClosed: after :meth:`close`.
        :raises CorruptJournal: another program damaged the file meanwhile.
        """
        with self._mutex:
            return self._read()

    def _read(self) -> Records:
        if self._closed:
            raise JournalClosed(
                sentence("the journal of run {id} is closed", id=self.id), id=self.id
            )
        return read_records(self._layer, self._folder, self.id, self._fd)

    def append(self, record: Appendable, seq: int | None = None, *, ms: int | None = None) -> int:
        """Write one record and return its number once it is on disk.

        The record's own number is ignored: it gets ``last_seq + 1``. With ``seq`` given a lower or
        equal number is a duplicate: nothing is written and ``last_seq`` returned. ``ms``: how long
        the model or the tool took, for ``<id>.times.jsonl``.

        :raises SequenceGap: ``seq`` lies beyond ``last_seq + 1``; nothing is written.
        :raises StoreIO: the write or the fsync failed; it says what is on disk.
        :raises DeletedMeanwhile: another program removed the file.
        :raises ChangedMeanwhile: another program wrote to it in spite of the lock.
        :raises JournalDead: one of these three happened before.
        :raises JournalClosed: after :meth:`close`.
        """
        with self._mutex:
            if self._closed or self._dead is not None or os.getpid() != self._pid:
                raise self._unusable()
            number = self._last + 1 if seq is None else next_seq(self._last, seq)
            if number is None:
                return self._last
            made = record if isinstance(record, Record) else self._made(record)
            kind = made.kind
            if kind == "meta" or (kind == "tool_result" and not self._has_turn):
                raise self._misplaced(kind)
            line = encode_record(made, number)
            if len(line) > MAX_LINE:
                raise StoreError(
                    sentence(
                        "a record of {count} bytes is too long to be read again", count=len(line)
                    ),
                    seq=number,
                )
            self._write(line, number)
            self._last = number
            self._state = None
            self._has_turn = self._has_turn or kind == "assistant"
            self._times.add(number, ms)
            return number

    @staticmethod
    def _made(given: Payload | Mapping[str, Any]) -> Record:
        return Record(0, given) if isinstance(given, msgspec.Struct) else as_record(given)

    def _unusable(self) -> StoreError:
        """Why nothing more can be appended."""
        if self._closed:
            return JournalClosed(
                sentence("the journal of run {id} is closed", id=self.id), id=self.id
            )
        if self._dead is not None:
            return JournalDead(
                sentence(
                    "nothing more is written to run {id} after a failure: {what}",
                    id=self.id,
                    what=self._dead.sentence,
                ),
                id=self.id, last_seq=self._last, cause=self._dead.kind,
            )  # fmt: skip
        return JournalDead(
            sentence("run {id} belongs to process {pid}", id=self.id, pid=self._pid),
            id=self.id,
            last_seq=self._last,
        )

    def _misplaced(self, kind: RecordKind) -> StoreError:
        """Why a record would make the journal unreadable; said before a byte of it is written."""
        if kind == "meta":
            text = sentence("run {id} has its meta record already", id=self.id)
        else:
            text = sentence(
                "run {id} has no assistant turn that a tool result could belong to", id=self.id
            )
        return StoreError(text, id=self.id)

    def _write(self, line: bytes, number: int) -> None:
        layer, fd = self._layer, self._fd
        try:
            status = layer.fstat(fd)
        except OSError as error:
            raise self._fail(explain(error, "look at", self.path), number) from error
        if status.st_nlink == 0:
            raise self._give_up(
                DeletedMeanwhile(
                    sentence("run {id} was deleted by another program", id=self.id), id=self.id
                )
            )
        if status.st_size != self._size:
            raise self._give_up(
                ChangedMeanwhile(
                    sentence(
                        "another program wrote to run {id} in spite of the lock: {found} bytes"
                        " instead of {expected}",
                        id=self.id,
                        found=status.st_size,
                        expected=self._size,
                    ),
                    id=self.id, expected=self._size, found=status.st_size,
                )
            )  # fmt: skip
        try:
            written = layer.write(fd, line)
        except OSError as error:
            raise self._undo(explain(error, "write", self.path), number) from error
        if written != len(line):
            raise self._undo(short_write(self.path, written, len(line)), number)
        try:
            layer.fsync(fd)
        except OSError as error:
            raise self._undo(
                explain(error, "make durable", self.path), number, failed_fsync=True
            ) from error
        self._size += len(line)

    def _undo(self, failure: StoreIO, number: int, *, failed_fsync: bool = False) -> StoreIO:
        """Cut the file back to what was acknowledged, as far as the system lets us."""
        try:
            self._layer.ftruncate(self._fd, self._size)
        except OSError:
            return self._fail(failure, number, restored=False)
        if not failed_fsync:
            # Never after a failed fsync: the next one may report success for pages that are gone.
            with contextlib.suppress(OSError):
                self._layer.fsync(self._fd)
        return self._fail(failure, number)

    def _fail(self, failure: StoreIO, number: int, *, restored: bool = True) -> StoreIO:
        facts = {"what": failure.sentence, "last": self._last, "number": number}
        text = sentence("{what}; records 1 to {last} are on disk, record {number} is not", **facts)
        if not restored:
            text = sentence(
                "{what}; records 1 to {last} are on disk, and behind them an incomplete record"
                " {number}, which the next open repairs",
                **facts,
            )
        fields = failure.fields | {
            "id": self.id,
            "last_seq": self._last,
            "seq": number,
            "restored": restored,
        }
        error = StoreIO(text, **fields)
        self._dead = error
        return error

    def _give_up(self, error: StoreError) -> StoreError:
        self._dead = error
        return error

    def close(self) -> None:
        """Give the run up. Twice does no harm. The lock file stays, as fisk-ai leaves it."""
        with self._mutex:
            if self._closed:
                return
            self._closed = True
            self._times.close()
            self._layer.drop(self._fd)
            if self._pid == os.getpid():
                # Whoever deleted the journal under us left a lock without a run.
                with contextlib.suppress(OSError, StoreError):
                    if not self._layer.exists(self._folder, journal_name(self.id)):
                        self._lock.unlink()
            self._lock.release()
            self._folder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def meta_record(id: str, meta: Meta | Mapping[str, Any]) -> Record:
    """The first record of run ``id``; the payload alone or the whole record as a mapping will do.

    :raises StoreError: it is no meta record, or not of the version that is written here.
    """
    if isinstance(meta, Mapping) and "meta" not in meta:
        meta = {"seq": 1, "protocol": PROTOCOL_PREFIX + "meta", "meta": {"run_id": id, **meta}}
    record = as_record(meta) if isinstance(meta, Mapping) else Record(1, meta)
    payload = record.payload
    if not isinstance(payload, Meta):
        raise StoreError(
            sentence("a run begins with a meta record, not with {kind}", kind=record.kind), id=id
        )
    if payload.version != VERSION:
        raise StoreError(
            sentence(
                "new runs are of version {own}, not {version}",
                own=VERSION,
                version=payload.version,
            ),
            id=id,
            version=payload.version,
        )
    if not payload.run_id:
        return Record(1, msgspec.structs.replace(payload, run_id=id))
    return record
