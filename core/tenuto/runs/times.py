# SPDX-License-Identifier: Apache-2.0
"""``<id>.times.jsonl``: when records were written (design.md, "Times").

Best effort in both directions: a failed write is no error, a line that makes no sense is passed
over, and nothing is ever fsynced.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

import msgspec

from tenuto.clock import rfc3339
from tenuto.errors import StoreError
from tenuto.runs.companions import TIMES
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.ids import check_id
from tenuto.sentences import sentence

#: A file of times longer than this is somebody's mischief: one line has some 50 bytes.
_LIMIT = 256 * 1024 * 1024
#: Records less than this apart, in nanoseconds, are a burst.
_BURST_NS = 5_000_000


class RecordTime(msgspec.Struct, frozen=True, omit_defaults=True):
    """When a record was written, or first seen."""

    seq: int
    #: RFC 3339, UTC.
    t: str
    #: How long the model or the tool took, in milliseconds.
    ms: int | None = None


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(RecordTime)


class TimesWriter:
    """Appends to the times of one run while its journal is open. Never raises.

    The first time of a burst is written at once; the others wait for the next append behind it, or
    for the close, so that records in quick succession do not pay for a second file each.
    """

    def __init__(self, layer: FileLayer, folder: Folder, id: str) -> None:
        self._layer = layer
        self._folder = folder
        self._name = id + TIMES
        self._fd: int | None = None
        self._off = False
        #: Record, when (nanoseconds since 1970), how long.
        self._waiting: list[tuple[int, int, int | None]] = []
        self._flushed = 0

    def add(self, seq: int, ms: int | None = None) -> None:
        """Note that record ``seq`` was written now."""
        moment = time.time_ns()
        self._waiting.append((seq, moment, ms))
        # A clock that was set back must not stop the writing.
        if not 0 <= moment - self._flushed < _BURST_NS:
            self.flush()

    def flush(self) -> bool:
        """Write what waits; whether that worked."""
        self._flushed = time.time_ns()
        times = [RecordTime(seq, rfc3339(moment), ms) for seq, moment, ms in self._waiting]
        self._waiting.clear()
        return self.add_all(times)

    def add_all(self, times: Iterable[RecordTime]) -> bool:
        """Write all of ``times`` at once; whether that worked."""
        data = _encoder.encode_lines(times)
        if self._off or not data:
            return not self._off
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
                raise StoreError(sentence("{name} has another name", name=self._name))
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
        """Write what waits, and close the file."""
        self.flush()
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
            found = _decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
        known = times.get(found.seq)
        if known is None or (known.ms is None and found.ms is not None):
            times[found.seq] = found
    return times
