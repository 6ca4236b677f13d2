# SPDX-License-Identifier: Apache-2.0
"""Repair of a journal's tail, under the lock, before the first append (run-journal.md, "Reading").

A last line that is a whole record without its newline gets it; anything else behind the last good
record is cut off, and the cut bytes are kept in ``<id>.torn``. Without this the next record would
land on the torn line and be lost with it.
"""

from __future__ import annotations

import contextlib
import os
from datetime import UTC, datetime
from typing import Literal

import msgspec

from tenuto.errors import HardLinked, StoreIO
from tenuto.runs import companions
from tenuto.runs.files import FileLayer, Folder, short_write
from tenuto.runs.reader import JournalScan

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

    :raises OSError: the system said no; nothing acknowledged was touched.
    """
    size = layer.fstat(fd).st_size
    path = folder.file(companions.journal_name(id))
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


def _ends_with_newline(layer: FileLayer, fd: int, size: int) -> bool:
    layer.seek(fd, size - 1)
    return layer.read(fd, 1) == b"\n"


def keep(layer: FileLayer, folder: Folder, id: str, fd: int, offset: int, size: int) -> None:
    """Append ``size`` bytes at ``offset`` of ``fd`` to ``<id>.torn``, with a header; durable."""
    name = id + companions.TORN
    path = folder.file(name)
    torn, status = layer.open_regular(folder, name, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        if status.st_nlink > 1:
            raise HardLinked(
                f"{path} has another name: nothing is added to it", path=path, nlink=status.st_nlink
            )
        layer.tighten(torn, status)
        before = status.st_size
        lead = b"" if before == 0 or _ends_with_newline(layer, torn, before) else b"\n"
        time = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        try:
            layer.write_all(
                torn, lead + f"# offset {offset}, {size} bytes, {time}\n".encode(), path=path
            )
            layer.seek(fd, offset)
            left = size
            while left:
                part = layer.read(fd, min(left, _CHUNK))
                if not part:
                    raise StoreIO(
                        f"{path}: the journal became shorter while it was repaired", path=path
                    )
                layer.write_all(torn, part, path=path)
                left -= len(part)
            layer.fsync(torn)
        except BaseException:
            # Half a copy helps nobody: the bytes are still in the journal.
            with contextlib.suppress(OSError):
                layer.ftruncate(torn, before)
            raise
    finally:
        layer.close(torn)
    layer.fsync_dir(folder)
