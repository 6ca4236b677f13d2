# SPDX-License-Identifier: Apache-2.0
"""``<id>.times.jsonl``: when records were written (design.md, "Times").

Best effort in both directions: a failed write is no error, a line that makes no sense is passed
over, and nothing is ever fsynced.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from tenuto.errors import StoreError
from tenuto.runs.companions import TIMES
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.ids import check_id

#: A file of times longer than this is somebody's mischief: one line has some 50 bytes.
_LIMIT = 256 * 1024 * 1024


class RecordTime(msgspec.Struct, frozen=True, omit_defaults=True):
    """When a record was written, or first seen."""

    seq: int
    #: RFC 3339, UTC.
    t: str
    #: How long the model or the tool took, in milliseconds.
    ms: int | None = None


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(RecordTime)


def now() -> str:
    """The time as these files have it: RFC 3339, UTC, microseconds."""
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


class TimesWriter:
    """Appends to the times of one run while its journal is open. Never raises."""

    def __init__(self, layer: FileLayer, folder: Folder, id: str) -> None:
        self._layer = layer
        self._folder = folder
        self._name = id + TIMES
        self._fd: int | None = None
        self._off = False

    def add(self, seq: int, ms: int | None = None) -> bool:
        """Note that record ``seq`` was written now; whether that worked."""
        # Made by hand: it runs once for every record that is appended.
        took = b"" if ms is None else b',"ms":%d' % ms
        return self._write(b'{"seq":%d,"t":"%s"%s}\n' % (seq, now().encode(), took))

    def add_all(self, times: Iterable[RecordTime]) -> bool:
        """Write all of ``times``; whether that worked."""
        return self._write(b"".join(_encoder.encode(time) + b"\n" for time in times))

    def _write(self, data: bytes) -> bool:
        if self._off:
            return False
        try:
            if self._fd is None:
                self._fd = self._open()
            return self._layer.write(self._fd, data) == len(data)
        except (OSError, StoreError):
            # What cannot be written once is not tried again for every record.
            self._off = True
            return False

    def _open(self) -> int:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
        fd, status = self._layer.open_regular(self._folder, self._name, flags)
        try:
            if status.st_nlink > 1:
                raise StoreError(f"{self._name} has another name")
            self._layer.tighten(fd, status)
            if status.st_size:
                # A torn last line must not swallow the next one.
                self._layer.seek(fd, status.st_size - 1)
                if self._layer.read(fd, 1) != b"\n":
                    self._layer.write(fd, b"\n")
        except BaseException:
            self._layer.drop(fd)
            raise
        return fd

    def close(self) -> None:
        fd, self._fd = self._fd, None
        if fd is not None:
            self._layer.drop(fd)


def append(
    directory: str | os.PathLike[str],
    id: str,
    times: Iterable[RecordTime],
    *,
    layer: FileLayer | None = None,
) -> bool:
    """Add ``times`` to the file of a run that is not open here; whether that worked."""
    layer = layer or FileLayer()
    check_id(id)
    try:
        with layer.open_dir(os.path.realpath(directory)) as folder:
            writer = TimesWriter(layer, folder, id)
            try:
                return writer.add_all(times)
            finally:
                writer.close()
    except (OSError, StoreError):
        return False


def read(
    directory: str | os.PathLike[str], id: str, *, layer: FileLayer | None = None
) -> dict[int, RecordTime]:
    """Record number -> its time, as far as the file tells; the first one noted for a number counts.

    Except where a later line knows how long it took and the first does not: whoever wrote the
    record knows better than whoever saw it.
    """
    layer = layer or FileLayer()
    check_id(id)
    times: dict[int, RecordTime] = {}
    try:
        with layer.open_dir(os.path.realpath(directory)) as folder:
            data = layer.read_all(folder, id + TIMES, limit=_LIMIT)
    except (OSError, StoreError):
        return times
    for line in data.split(b"\n"):
        try:
            time = _decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
        known = times.get(time.seq)
        if known is None or (known.ms is None and time.ms is not None):
            times[time.seq] = time
    return times
