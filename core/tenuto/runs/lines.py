# SPDX-License-Identifier: Apache-2.0
"""The lines of a file, split at line feeds only and one in memory at a time."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final, cast

#: The longest line that is read, in bytes: a bound on memory, not part of the format.
MAX_LINE: Final = 256 * 1024 * 1024

Source = bytes | bytearray | memoryview | BinaryIO | io.RawIOBase | io.BufferedIOBase

_BUFFER: Final = 1 << 18


@dataclass(frozen=True)
class Line:
    """One line of a file, without its newline."""

    data: bytes
    #: Bytes into the file.
    offset: int
    #: 1-based, counted from where reading began.
    number: int
    #: Whether a newline ended it.
    ended: bool
    #: Whether it is cut short because it is longer than the limit; ``size`` is whole.
    too_long: bool
    #: Bytes, newline included.
    size: int


def iter_lines(source: Source, *, start: int = 0, max_line: int = MAX_LINE) -> Iterator[Line]:
    """The lines of ``source`` from byte ``start``, split at line feeds only, one at a time.

    Of a line longer than ``max_line`` bytes only that much is kept.
    """
    for data, offset, number, size in raw_lines(source, start, max_line):
        ended = data.endswith(b"\n")
        too_long = size > len(data)
        yield Line(data[:-1] if ended else data, offset, number, ended or too_long, too_long, size)


def raw_lines(source: Source, start: int, max_line: int) -> Iterator[tuple[bytes, int, int, int]]:
    """(bytes with their newline, offset, number, size); more size than bytes: too long."""
    wrapped: io.BufferedReader | None = None
    if isinstance(source, bytes | bytearray | memoryview):
        file: BinaryIO = io.BytesIO(source)
    elif isinstance(source, io.FileIO):
        # The file is the caller's to close: detached below.
        file = wrapped = io.BufferedReader(source, _BUFFER)
    elif isinstance(source, io.BufferedReader) and isinstance(source.raw, io.FileIO):
        # A larger buffer than the usual one: a third less time for lines of a few kB.
        file = wrapped = io.BufferedReader(source.raw, _BUFFER)
    else:
        file = cast("BinaryIO", source)
    try:
        if start or file.seekable():
            file.seek(start)
        offset, number = start, 0
        limit = max_line + 1
        while data := file.readline(limit):
            number += 1
            size = len(data)
            if size == limit and not data.endswith(b"\n"):
                data, size = _overlong(file, data)
            yield data, offset, number, size
            if size < limit and data[-1:] != b"\n":
                # The end of the file as it was. A writer may be finishing this line right now, and
                # what it adds is no line of its own.
                return
            offset += size
    finally:
        if wrapped is not None:
            wrapped.detach()


def _overlong(file: BinaryIO, data: bytes) -> tuple[bytes, int]:
    size = len(data)
    while more := file.readline(1 << 20):
        size += len(more)
        if more.endswith(b"\n"):
            break
    return data[:-1], size
