# SPDX-License-Identifier: Apache-2.0
"""Repair of a journal's tail, under the lock, before the first append (run-journal.md, "Reading").

A last line that is a whole record without its newline gets it; anything else behind the last good
record is cut off, and the cut bytes are kept in ``<id>.torn``. Without this the next record would
land on the torn line and be lost with it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from datetime import UTC, datetime
from typing import Literal

import msgspec

from tenuto.errors import CorruptJournal, HardLinked, StoreIO
from tenuto.runs import companions, rescue
from tenuto.runs.files import FileLayer, Folder, short_write
from tenuto.runs.moving import copy_bytes
from tenuto.runs.reader import JournalScan
from tenuto.sentences import sentence

_CHUNK = 1024 * 1024


class Repair(msgspec.Struct, frozen=True):
    """What a repair of the tail changed."""

    kind: Literal["newline", "cut"]
    #: Where in the journal, in bytes; for ``newline`` where the newline went.
    offset: int
    #: Bytes cut off (0 for ``newline``).
    size: int
    #: The file the cut bytes are in (its name), None for ``newline``.
    kept_in: str | None = None


def repair_tail(
    layer: FileLayer, folder: Folder, id: str, fd: int, scan: JournalScan
) -> Repair | None:
    """Bring the file behind ``fd`` to end with a whole record and its newline; durable on return.

    ``fd`` is open for reading and appending. The caller holds the lock, and has checked that
    ``scan`` found no damage. None: there was nothing to do.

    :raises CorruptJournal: another program appended behind a torn record; doctor saves it.
    :raises OSError: the system said no; nothing acknowledged was touched.
    """
    size = layer.fstat(fd).st_size
    path = folder.file(companions.journal_name(id))
    refuse_hidden(layer, fd, scan, path)
    if scan.tail is not None and scan.tail.kind == "unterminated":
        if layer.write(fd, b"\n") != 1:
            raise short_write(path, 0, 1)
        layer.fsync(fd)
        return Repair("newline", size, 0)
    if size <= scan.good_end or (scan.tail is None and _ends_with_newline(layer, fd, size)):
        return None
    keep(layer, folder, id, fd, scan.good_end, size - scan.good_end)
    layer.ftruncate(fd, scan.good_end)
    layer.fsync(fd)
    return Repair("cut", scan.good_end, size - scan.good_end, id + companions.TORN)


def refuse_hidden(layer: FileLayer, fd: int, scan: JournalScan, path: str) -> None:
    """Refuse to cut off a torn line that ends in a whole record.

    fisk-ai appends without repairing, and its first record behind a torn tail lands on that line: a
    reader drops both, but that record was acknowledged.

    :raises CorruptJournal: there is such a line.
    """
    tail = scan.tail
    if tail is None or tail.kind != "torn":
        return
    layer.seek(fd, tail.offset)
    line = b""
    while len(line) < tail.size and (part := layer.read(fd, min(_CHUNK, tail.size - len(line)))):
        line += part
    if rescue.ends_with_record(line, scan.version):
        reason = sentence("a whole record stands behind a torn one, as another program appended it")
        raise CorruptJournal(
            sentence(
                "{path}: byte {offset}: {reason}: a repair by doctor keeps it",
                path=path,
                offset=tail.offset,
                reason=reason,
            ),
            path=path,
            offset=tail.offset,
            reason=str(reason),
        )


def _ends_with_newline(layer: FileLayer, fd: int, size: int) -> bool:
    layer.seek(fd, size - 1)
    return layer.read(fd, 1) == b"\n"


def keep(layer: FileLayer, folder: Folder, id: str, fd: int, offset: int, size: int) -> None:
    """Add ``size`` bytes at ``offset`` of ``fd`` to ``<id>.torn``, with a header; durable.

    The file is replaced whole, so that a crash leaves no header without its bytes.

    :raises HardLinked: the file has another name.
    :raises NotAFile: its name is taken by something that is not a file of ours.
    :raises OSError: the system said no; ``<id>.torn`` is as it was.
    """
    name = id + companions.TORN
    path = folder.file(name)
    temp = companions.temp_name(name, secrets.token_hex(8))
    new = layer.open(folder, temp, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    try:
        try:
            if _copy_old(layer, folder, name, new):
                layer.write_all(new, b"\n", path=path)
            time = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            header = f"# offset {offset}, {size} bytes, {time}\n"
            layer.write_all(new, header.encode(), path=path)
            _copy_part(layer, fd, offset, size, new, path)
            layer.fsync(new)
        finally:
            layer.close(new)
        layer.rename(folder, temp, folder, name)
    except BaseException:
        with contextlib.suppress(OSError):
            layer.unlink(folder, temp)
        raise
    layer.fsync_dir(folder)


def _copy_old(layer: FileLayer, folder: Folder, name: str, new: int) -> bool:
    """Copy what was kept before; whether it ends within a line."""
    path = folder.file(name)
    try:
        old, status = layer.open_regular(folder, name)
    except FileNotFoundError:
        return False
    try:
        if status.st_nlink > 1:
            raise HardLinked(
                sentence("{path} has another name: nothing is added to it", path=path),
                path=path,
                nlink=status.st_nlink,
            )
        copy_bytes(layer, old, new, path=path)
        return status.st_size > 0 and not _ends_with_newline(layer, old, status.st_size)
    finally:
        layer.drop(old)


def _copy_part(layer: FileLayer, fd: int, offset: int, size: int, new: int, path: str) -> None:
    layer.seek(fd, offset)
    while size:
        part = layer.read(fd, min(size, _CHUNK))
        if not part:
            raise StoreIO(
                sentence("{path}: the journal became shorter while it was repaired", path=path),
                path=path,
            )
        layer.write_all(new, part, path=path)
        size -= len(part)
