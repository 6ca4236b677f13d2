# SPDX-License-Identifier: Apache-2.0
"""A session file read as a stream of JSON values, not of lines (reasonix.md 2.2).

Values may stand on one line or on many; a message of any size is read. The file is taken in blocks
and only what is not decoded yet is held. Damage ends the reading for who resumes; who shows the
session reads on behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from tenuto.reasonix import quick
from tenuto.reasonix.careful import BadValue
from tenuto.reasonix.model import Message
from tenuto.runs.reader import collector_off

#: Bytes that are read and decoded at a time. A value that does not fit doubles it.
BLOCK = 4 << 20
#: The same for who shows what is found, and lets others go first in between: ten milliseconds.
PLACED = 256 << 10

_SPACE = re.compile(rb"[ \t\r\n]*")
#: A whole string, or what opens and closes; a string that does not end matches as its quote alone.
_TOKEN = re.compile(
    rb'"[^"\\\x00-\x1f]*+(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*+)*+"|["{}\[\]]', re.DOTALL
)
#: A quote that opens a string which the text's end cuts off, rather than a control character.
_CUT_STRING = re.compile(
    rb'"[^"\\\x00-\x1f]*+(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*+)*+\\?\Z', re.DOTALL
)
_SCALAR = re.compile(rb"[^ \t\r\n{}\[\]\",:]+")
#: Where the reading may go on behind damage: an object that begins a line.
_NEXT = re.compile(rb"\n(?=\{)")


class Damage(msgspec.Struct, frozen=True):
    """Bytes that are no messages."""

    #: ``torn``: the file ends in the middle of a value; ``corrupt``: anything else.
    kind: Literal["torn", "corrupt"]
    #: Where the value begins that cannot be read, and how many bytes were passed over.
    offset: int
    size: int
    #: 1-based, of the line where that value begins.
    line: int
    reason: str
    #: Messages before it.
    index: int


class Reading(msgspec.Struct):
    """What a file holds. ``messages`` before any damage, and behind it where that was asked for."""

    messages: list[Message]
    damage: list[Damage]


class Place(NamedTuple):
    """Where a value is in its file."""

    #: Byte at which it begins, and how many it has.
    offset: int
    size: int
    #: 1-based, of the line on which it begins.
    line: int


def read_messages(read: Callable[[int], bytes], *, read_on: bool = False) -> Reading:
    """All messages of a stream; never raises for content.

    ``read(n)`` gives at most n bytes, b"" at the end.
    """
    with collector_off():
        reader = _Reader(read_on)
        size = BLOCK
        while not reader.stopped:
            data = read(size)
            if not data:
                reader.finish()
                break
            size = max(BLOCK, len(reader.take(data)))
    return Reading(reader.messages, reader.damage)


def read_places(
    read: Callable[[int], bytes],
    take: Callable[[list[tuple[Place, Message]], list[Damage]], None],
) -> None:
    """As :func:`read_messages` with ``read_on``, but with each message's place, block by block.

    ``take`` gets the messages and the damage that a block completed, each in the file's order;
    what it got is not held.
    """
    with collector_off():
        reader = _Reader(read_on=True, placed=True)
        size = PLACED
        while True:
            data = read(size)
            if data:
                size = max(PLACED, len(reader.take(data)))
            else:
                reader.finish()
            take(list(zip(reader.places, reader.messages, strict=True)), reader.damage)
            reader.forget()
            if not data:
                return


class _Reader:
    def __init__(self, read_on: bool, *, placed: bool = False) -> None:
        self.messages: list[Message] = []
        #: Where each of them is, where that is asked for.
        self.places: list[Place] = []
        self._placed = placed
        #: Messages that were handed on and are not held any more.
        self._before = 0
        self.damage: list[Damage] = []
        self.stopped = False
        #: Where ``rest``, which is not decoded yet, begins: byte, and lines before it.
        self.offset = 0
        self.rest = b""
        self._lines = 0
        self._read_on = read_on

    def take(self, data: bytes) -> bytes:
        """Decode what ``data`` completes; what is left over."""
        data = self.rest + data if self.rest else data
        cut = data.rfind(b"\n") + 1
        self.rest = data
        if cut and self._quick(data[:cut] if cut < len(data) else data):
            self._forward(cut)
        else:
            self._one_by_one(at_end=False)
        return self.rest

    def finish(self) -> None:
        """The stream has ended: what is left must be whole values."""
        if self.rest:
            self._one_by_one(at_end=True)

    def forget(self) -> None:
        """Let go of what was handed on."""
        self._before += len(self.messages)
        self.messages, self.places, self.damage = [], [], []

    def _forward(self, size: int) -> None:
        done, self.rest = self.rest[:size], self.rest[size:]
        self.offset += size
        self._lines += done.count(b"\n")

    def _quick(self, part: bytes) -> bool:
        try:
            values = quick.decode_lines(part)
        except quick.BROKEN:
            return False
        if not all(map(quick.certain, values)):
            return False
        if self._placed and not self._place_lines(part, len(values)):
            return False
        self.messages += values
        return True

    def _place_lines(self, part: bytes, count: int) -> bool:
        """Note where the values on the lines of ``part`` are; not where they are not one each."""
        places = []
        at = self.offset
        for number, line in enumerate(part.split(b"\n"), self._lines + 1):
            value = line.strip()
            if value:
                places.append(Place(at + line.index(value[:1]), len(value), number))
            at += len(line) + 1
        if len(places) != count:
            return False
        self.places += places
        return True

    def _one_by_one(self, *, at_end: bool) -> None:
        data = self.rest
        at = 0
        # Lines are counted forward: from the beginning for each value they would take for ever.
        counted, lines = 0, self._lines + 1
        while not self.stopped:
            at = _SPACE.match(data, at).end()  # type: ignore[union-attr]
            if at == len(data):
                break
            end = value_end(data, at, at_end=at_end)
            if end is None:
                break
            try:
                if end < 0:
                    raise BadValue(_what_is_wrong(data, at, -end - 1))
                self.messages.append(quick.message(data[at:end]))
                if self._placed:
                    lines += data.count(b"\n", counted, at)
                    counted = at
                    self.places.append(Place(self.offset + at, end - at, lines))
                at = end
            except BadValue as error:
                after = self._after(data, at, at_end=at_end)
                if after is None:
                    # Where the damage ends is not in what was read so far.
                    break
                torn = at_end and after == len(data) and _is_cut(data, at)
                self._damaged(data, at, after, "torn" if torn else "corrupt", str(error))
                at = after
        self._forward(at)

    def _after(self, data: bytes, at: int, *, at_end: bool) -> int | None:
        """Where to go on behind the damage at ``at``; None: more must be read to know."""
        if not self._read_on:
            return len(data)
        found = _NEXT.search(data, at)
        if found is not None:
            return found.end()
        return len(data) if at_end else None

    def _damaged(
        self, data: bytes, at: int, after: int, kind: Literal["torn", "corrupt"], reason: str
    ) -> None:
        self.stopped = not self._read_on
        self.damage.append(
            Damage(
                kind,
                self.offset + at,
                after - at,
                self._lines + data.count(b"\n", 0, at) + 1,
                reason,
                self._before + len(self.messages),
            )
        )


def value_end(data: bytes, at: int, *, at_end: bool) -> int | None:
    """Where the value at ``at`` ends, by its brackets and strings alone.

    None: it does not end in ``data``, and more may come. Negative: it cannot end; ``-n - 1`` is the
    place where that is seen.
    """
    first = data[at : at + 1]
    if first not in (b"{", b"[", b'"'):
        found = _SCALAR.match(data, at)
        if found is None:
            return -at - 1
        return None if found.end() == len(data) and not at_end else found.end()
    depth = 0
    for token in _TOKEN.finditer(data, at):
        sign = data[token.start()]
        if sign == 0x22:  # a quote
            if token.end() - token.start() == 1:
                # An open string: it goes on, or a control character ends it.
                cut = _CUT_STRING.match(data, token.start())
                return None if cut and not at_end else -token.start() - 1
            if depth == 0:
                return token.end()
        elif sign in (0x7B, 0x5B):
            depth += 1
        else:
            depth -= 1
            if depth <= 0:
                return token.end()
    return -len(data) - 1 if at_end else None


def _is_cut(data: bytes, at: int) -> bool:
    """Whether the value at ``at``, the last one, ends too early, or in NUL bytes after a crash."""
    return value_end(data, at, at_end=False) is None or not data[at:].strip(b"\0 \t\r\n")


def _what_is_wrong(data: bytes, at: int, place: int) -> str:
    if place == len(data) or _is_cut(data, at):
        return "the file ends in the middle of a value"
    if data[place : place + 1] == b'"':
        return "a string with a control character in it"
    return f"{data[place : place + 1]!r} does not begin a value"
