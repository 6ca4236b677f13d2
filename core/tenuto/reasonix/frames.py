# SPDX-License-Identifier: Apache-2.0
"""The frames of generation v4: ``events.frames``, append-only (reasonix.md, section 13).

A frame is ``RX4F``, the length of its compressed and of its raw content, and one zstd frame. Its
sizes are checked before anything is decompressed. A file may end in the middle of a frame: that is
a torn tail. Anything else that is no frame is damage, and the reading goes on at the next one: also
where a length that was damaged, or a write that was broken off and written on behind, says that the
frame goes on to the end of the file.
"""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable
from typing import Final

import msgspec

from tenuto.reasonix.stream import Damage

MAGIC: Final = b"RX4F"
_HEADER: Final = struct.Struct(">4sII")
#: Bytes of raw content that a frame may declare.
MOST: Final = 256 << 20
#: Bytes that are read at a time. A frame that does not fit doubles it.
_BLOCK: Final = 1 << 20
#: No frame holds another one: JSON, compressed or not, has none of its bytes in their order.
_TOO_LONG: Final = "a frame that says it is longer than it is"

Emit = Callable[[bytes, int, int], object]


class FrameReader:
    """Decodes frames as they are appended. Fed with what follows the last complete frame."""

    def __init__(self) -> None:
        #: Everything before this byte was taken.
        self.offset = 0
        #: Bytes behind it that are no complete frame yet.
        self.rest = 0
        self.damage: list[Damage] = []
        self._count = 0
        self._decompress: Callable[[bytes, int], bytes] | None = None

    def feed(self, read: Callable[[int], bytes], emit: Emit) -> None:
        """Take all complete frames of a stream that begins at ``offset``.

        ``emit(content, offset, size)`` gets each one's raw content, and its place in the file.
        """
        data = b""
        size = _BLOCK
        while part := read(size):
            data += part
            data = data[self._frames(data, emit) :]
            size = max(_BLOCK, len(data))
        while (found := self._whole(data, 1, len(data))) >= 0:
            # It is no tail: a tail has nothing behind it.
            self._damaged(found, _TOO_LONG)
            data = data[found:]
            data = data[self._frames(data, emit) :]
        self.rest = len(data)

    def _whole(self, data: bytes, start: int, stop: int) -> int:
        """Where between these places a complete frame begins; -1 for nowhere."""
        at = data.find(MAGIC, start, stop)
        while at >= 0:
            if len(data) - at >= _HEADER.size:
                _, packed, raw = _HEADER.unpack_from(data, at)
                end = at + _HEADER.size + packed
                if end <= len(data) and raw <= MOST:
                    with contextlib.suppress(ValueError):
                        self._raw(data[at + _HEADER.size : end], raw)
                        return at
            at = data.find(MAGIC, at + 1, stop)
        return -1

    def _frames(self, data: bytes, emit: Emit) -> int:
        """Take the complete frames in ``data``; how many bytes that were."""
        at = 0
        while len(data) - at >= _HEADER.size:
            magic, packed, raw = _HEADER.unpack_from(data, at)
            if magic == b"\0\0\0\0" and not data[at:].strip(b"\0"):
                # What a crash may leave of bytes that never reached the disk: a torn tail.
                break
            if magic != MAGIC:
                at = self._skip(data, at, "not the beginning of a frame")
                continue
            if raw > MOST or packed > MOST:
                at = self._skip(data, at, f"a frame of {max(raw, packed)} bytes, at most {MOST}")
                continue
            end = at + _HEADER.size + packed
            if end > len(data):
                break
            try:
                content = self._raw(data[at + _HEADER.size : end], raw)
            except ValueError as error:
                at = self._skip(data, at, str(error))
                continue
            if self._whole(data, at + 1, end) >= 0:
                at = self._skip(data, at, _TOO_LONG)
                continue
            emit(content, self.offset, end - at)
            self._count += 1
            self.offset += end - at
            at = end
        return at

    def _skip(self, data: bytes, at: int, reason: str) -> int:
        """Where the next frame may begin behind what is none at ``at``."""
        found = data.find(MAGIC, at + 1)
        # The last bytes may be the beginning of a sign whose end is not read yet.
        end = found if found >= 0 else max(at + 1, len(data) - len(MAGIC) + 1)
        self._damaged(end - at, reason)
        return end

    def _damaged(self, size: int, reason: str) -> None:
        """The next ``size`` bytes are no frame."""
        last = self.damage[-1] if self.damage else None
        if last is not None and last.offset + last.size == self.offset:
            self.damage[-1] = msgspec.structs.replace(last, size=last.size + size)
        else:
            self.damage.append(Damage("corrupt", self.offset, size, 0, reason, self._count))
        self.offset += size

    def content(self, frame: bytes) -> bytes:
        """The raw content of one whole frame. Raises ValueError where it is none."""
        if len(frame) < _HEADER.size or not frame.startswith(MAGIC):
            raise ValueError("not a frame")
        _, packed, raw = _HEADER.unpack_from(frame)
        if raw > MOST or packed != len(frame) - _HEADER.size:
            raise ValueError("not a frame")
        return self._raw(frame[_HEADER.size :], raw)

    def _raw(self, packed: bytes, size: int) -> bytes:
        if self._decompress is None:
            self._decompress = _decompressor()
        content = self._decompress(packed, size)
        if len(content) != size:
            raise ValueError(f"a frame of {len(content)} bytes that says {size}")
        return content


def _decompressor() -> Callable[[bytes, int], bytes]:
    # Imported for who reads a v4 session, not for every listing.
    import zstandard

    context = zstandard.ZstdDecompressor(max_window_size=MOST)

    def decompress(packed: bytes, size: int) -> bytes:
        try:
            declared = zstandard.frame_content_size(packed)
            if declared not in (-1, size):
                raise ValueError(f"a frame of {declared} bytes that says {size}")
            # What lies behind it, other frames of ours most likely, would be passed over.
            return context.decompress(packed, max_output_size=max(size, 1), allow_extra_data=False)
        except zstandard.ZstdError as error:
            raise ValueError(f"a frame that cannot be decompressed: {error}") from None

    return decompress


def encode_frame(content: bytes) -> bytes:
    """One frame, for tests and samples."""
    import zstandard

    packed = zstandard.ZstdCompressor().compress(content)
    return _HEADER.pack(MAGIC, len(packed), len(content)) + packed
