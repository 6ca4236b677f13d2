# SPDX-License-Identifier: Apache-2.0
"""Reading a run's journal as a store does: whole, or with an error that says where it ends."""

from __future__ import annotations

import os
import time

from tenuto.errors import EmptyJournal, JournalError, NoMeta
from tenuto.fold import RunState, fold
from tenuto.records import Meta, Record
from tenuto.runs.companions import journal_name
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.reader import JournalScan, Tail, scan
from tenuto.sentences import sentence

#: A reader meets a repair at most once in a while; that it does so again and again is no accident.
_TRIES = 5
#: FAT counts times in steps of two seconds.
_COARSEST_CLOCK_NS = 2 * 10**9


class Records(list[Record]):
    """The records of a journal, and what the reader found behind the last of them."""

    def __init__(self, found: JournalScan) -> None:
        super().__init__(found.records)
        self.scan = found

    @property
    def tail(self) -> Tail | None:
        """The one incomplete record at the end (R3), or None."""
        return self.scan.tail


def read_scan(layer: FileLayer, fd: int, *, read_on: bool = False) -> JournalScan:
    """One look at the whole file behind ``fd``; ``read_on`` as ``scan`` has it.

    A writer that repairs the tail while we read can show us the old bytes followed by new ones, so
    a file that looks damaged is looked at again when it changed meanwhile.
    """
    tries = _TRIES
    while True:
        tries -= 1
        before = layer.fstat(fd)
        with os.fdopen(os.dup(fd), "rb") as file:
            file.seek(0)
            found = scan(file, read_on=read_on)
        if found.error is None or tries == 0:
            return found
        after = layer.fstat(fd)
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            return found


class Snapshot:
    """A whole journal as it was read and folded without its lock.

    Whoever judges a run before opening it hands this to ``FileRunStore.open``, which reads the file
    again only if it may have changed since.
    """

    def __init__(self, found: JournalScan, path: str, status: os.stat_result) -> None:
        """``status``: of the file before it was read. Raises as :func:`check_whole`."""
        self.scan = found
        _, self.state = check_whole(found, path)
        self._mark = _mark(status)
        # A file that was just written may change again without another time to tell it by.
        latest = max(status.st_mtime_ns, status.st_ctime_ns)
        self._settled = time.time_ns() - latest > _COARSEST_CLOCK_NS

    def is_of(self, status: os.stat_result) -> bool:
        """Whether the file of ``status`` is certainly the one that was read, unchanged."""
        return self._settled and _mark(status) == self._mark


def _mark(status: os.stat_result) -> tuple[int, ...]:
    return (
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )


def read_records(layer: FileLayer, folder: Folder, id: str, fd: int) -> Records:
    """The records behind ``fd``; none for an empty file.

    :raises JournalError: there is damage; with path, line and byte offset.
    """
    found = read_scan(layer, fd)
    if found.error is not None:
        raise with_path(found.error, folder.file(journal_name(id)))
    return Records(found)


def with_path(error: JournalError, path: str) -> JournalError:
    """The same error, naming the file."""
    said = error.said
    if path not in error.message:
        said = sentence("{path}: {what}", path=path, what=error.sentence)
    return type(error)(said, **(error.fields | {"path": path}))


def check_whole(found: JournalScan, path: str) -> tuple[Meta, RunState]:
    """The meta record and the fold of a journal that may be appended to.

    :raises JournalError: no records, damage, a newer version, an order that no fold takes.
    """
    try:
        if found.error is not None:
            raise found.error
        if not found.records:
            raise EmptyJournal(sentence("the run was never started: its journal is empty"))
        state = fold(found.records)
        meta = found.records[0].payload
        if not isinstance(meta, Meta):
            raise NoMeta(sentence("the journal does not begin with a meta record"))
    except JournalError as error:
        raise with_path(error, path) from error
    return meta, state
