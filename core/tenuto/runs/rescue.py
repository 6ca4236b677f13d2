# SPDX-License-Identifier: Apache-2.0
"""What can be saved of a damaged journal: pure, bytes in, a plan out.

fisk-ai appends behind a torn tail without repairing it (reliability.md, 0.1), file systems leave
runs of NULs after a power cut (0.3), and a retry after a failed fsync writes a record twice (0.4).
In all three nothing that was acknowledged is gone, only covered. The plan keeps every whole record
byte for byte and sets the rest aside; where a record is truly missing it says so and repairs
nothing, since a conversation with a hole in it must not be resumed as if it were whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from tenuto.errors import JournalError
from tenuto.fold import Folder
from tenuto.records import BadRecord, Meta, Record, decode_record

FindingKind = Literal[
    "unterminated",
    "torn",
    "nul",
    "glued",
    "duplicate",
    "garbage",
    "lost",
    "sequence",
    "bom",
    "structure",
]

#: How a writer starts a line. Inside a JSON string a quote is escaped, so this cannot be text.
_RECORD_START = '{"seq":'
_NUL_RUN = re.compile(rb"\x00+")
_BOM = b"\xef\xbb\xbf"
#: A hostile line can hold the start of a record a million times; each try may read to its end.
_MAX_CANDIDATES = 64
_decoder = json.JSONDecoder()


class Finding(msgspec.Struct, frozen=True):
    """One thing that is wrong with a journal, and where."""

    kind: FindingKind
    #: 1-based; 0 where no line is meant.
    line: int
    #: Byte offset in the file, and how many bytes are concerned.
    offset: int
    size: int
    message: str
    #: False: repair cannot make this whole, and leaves the file as it is.
    repairable: bool = True
    seq: int | None = None


class Piece(msgspec.Struct, frozen=True):
    """Bytes that belong to no record, to be set aside."""

    offset: int
    data: bytes


class Plan(msgspec.Struct, frozen=True):
    """What a repair would do.

    ``output`` is the repaired journal (equal to the input when nothing is wrong), ``rescued``
    counts records that a reader could not see before, ``records`` all that the output holds.
    """

    findings: list[Finding]
    output: bytes
    aside: list[Piece]
    records: int
    rescued: int

    @property
    def repairable(self) -> bool:
        return all(finding.repairable for finding in self.findings)


class _Bad(msgspec.Struct):
    """Bytes between two kept records that are none."""

    line: int
    offset: int
    data: bytes
    kind: FindingKind
    message: str


class _Kept(msgspec.Struct):
    line: int
    offset: int
    data: bytes
    record: Record
    #: It stood alone on its line, as a writer writes it.
    whole_line: bool


def plan(data: bytes) -> Plan:
    """Work out what is wrong with a journal's bytes and what can be saved. Never raises."""
    planner = _Planner()
    item: _Kept | _Bad | bytes = b""
    for item in _walk(data):
        planner.take(item)
    if isinstance(item, _Kept) and not data.endswith(b"\n"):
        message = "the last record has no newline: the next record would land on its line"
        planner.find("unterminated", item, message)
    return planner.finish()


def ends_with_record(line: bytes, version: int | None) -> bool:
    """Whether a line that is no record ends in a whole one: another program appended it."""
    parts = list(_salvage(line.rstrip(b"\n"), 0, 1, version))
    return bool(parts) and isinstance(parts[-1], _Kept)


class _Planner:
    """Keeps what follows the rules of the fold, and says why the rest does not."""

    def __init__(self) -> None:
        self._findings: list[Finding] = []
        self._aside: list[Piece] = []
        self._output = bytearray()
        self._folder = Folder()
        self._seen: dict[int, bytes] = {}
        self._last_seq = 0
        #: The line of the last record kept.
        self._line = 0
        self._rescued = 0
        #: Bad bytes since the last record: what they mean depends on the next one's number.
        self._bad: list[_Bad] = []
        self._blank = b""

    def take(self, item: _Kept | _Bad | bytes) -> None:
        match item:
            case bytes():
                self._blank += item
            case _Bad():
                self._bad.append(item)
            case _Kept() if self._seen.get(item.record.seq) == item.data:
                text = f"record {item.record.seq} is there twice, byte for byte"
                self.find("duplicate", item, text)
                self._aside.append(Piece(item.offset, item.data))
            case _Kept():
                self._judge(item.record.seq)
                self._keep(item)

    def find(
        self, kind: FindingKind, item: _Kept, message: str, *, repairable: bool = True
    ) -> None:
        size, seq = len(item.data), item.record.seq
        self._findings.append(Finding(kind, item.line, item.offset, size, message, repairable, seq))

    def finish(self) -> Plan:
        if not self._bad:
            self._output += self._blank
        self._judge(None)
        self._findings.sort(key=lambda finding: finding.offset)
        return Plan(
            self._findings, bytes(self._output), self._aside, len(self._seen), self._rescued
        )

    def _judge(self, following: int | None) -> None:
        self._findings += _meaning(self._bad, self._last_seq, following)
        self._aside += [Piece(bad.offset, bad.data) for bad in self._bad]
        self._bad = []

    def _keep(self, item: _Kept) -> None:
        seq = item.record.seq
        if seq <= self._last_seq:
            text = f"record {seq} follows record {self._last_seq}: two writers, or out of order"
            self.find("sequence", item, text, repairable=False)
            return
        try:
            self._folder.feed(item.record)
        except JournalError as error:
            self.find("structure", item, error.message, repairable=False)
            return
        self._rescued += not item.whole_line
        if item.line == self._line:
            self.find("glued", item, f"record {seq} stands on the line of record {self._last_seq}")
        self._line = item.line
        self._last_seq = seq
        self._seen[seq] = item.data
        self._output += self._blank + item.data + b"\n"
        self._blank = b""


def _meaning(bad: list[_Bad], before: int, after: int | None) -> list[Finding]:
    """What the bytes between record ``before`` and record ``after`` mean (None: the file's end)."""
    if not bad:
        return []
    if after is None:
        return [_finding(b, at_end=True) for b in bad]
    missing = after - before - 1
    if missing <= 0:
        return [_finding(b) for b in bad]
    lost = f"record {before + 1}" if missing == 1 else f"records {before + 1} to {before + missing}"
    return [
        Finding(
            "lost",
            b.line,
            b.offset,
            len(b.data),
            f"{b.message}; {lost} cannot be recovered from it",
            repairable=False,
            seq=before + 1,
        )
        for b in bad
    ]


def _finding(bad: _Bad, *, at_end: bool = False) -> Finding:
    kind, message, size = bad.kind, bad.message, len(bad.data)
    if at_end and kind == "garbage":
        kind, message = "torn", f"an incomplete record of {size} bytes at the end of the file"
    return Finding(kind, bad.line, bad.offset, size, message, repairable=kind != "structure")


def _walk(data: bytes) -> Iterator[_Kept | _Bad | bytes]:
    """Whole records, bad bytes and blank lines, in the file's order."""
    version: int | None = None
    offset = 0
    number = 0
    if data.startswith(_BOM):
        yield _Bad(1, 0, _BOM, "bom", "a byte order mark before the first record")
        offset = len(_BOM)
    end_of_file = len(data)
    while offset < end_of_file:
        number += 1
        newline = data.find(b"\n", offset)
        end = newline if newline >= 0 else end_of_file
        line = data[offset:end]
        if not line.strip(b" \t\r"):
            yield line + (b"\n" if newline >= 0 else b"")
        else:
            for item in _line(line, offset, number, version):
                if isinstance(item, _Kept) and isinstance(item.record.payload, Meta):
                    version = version or item.record.payload.version
                yield item
        offset = end + 1


def _line(line: bytes, offset: int, number: int, version: int | None) -> Iterator[_Kept | _Bad]:
    match _decode(line, version):
        case Record() as record:
            yield _Kept(number, offset, line, record, whole_line=True)
        case BadRecord() as error:
            # Whole JSON, maybe of a kind that a later program writes: never cut off as torn.
            yield _Bad(number, offset, line, "structure", error.message)
        case None:
            yield from _salvage(line, offset, number, version)


def _salvage(line: bytes, offset: int, number: int, version: int | None) -> Iterator[_Kept | _Bad]:
    """Take a line apart that is no record: NUL runs, whole records, what is left."""
    position = 0
    for match in [*_NUL_RUN.finditer(line), None]:
        end = match.start() if match else len(line)
        segment = line[position:end]
        if segment:
            yield from _segment(segment, offset + position, number, version)
        if match is None:
            return
        yield _Bad(
            number,
            offset + match.start(),
            match[0],
            "nul",
            f"{len(match[0])} NUL bytes, as a power cut leaves them",
        )
        position = match.end()


def _segment(
    segment: bytes, offset: int, number: int, version: int | None
) -> Iterator[_Kept | _Bad]:
    # latin-1 maps bytes to characters one to one, and JSON's structure is ASCII, so that an index
    # into the text is an offset into the bytes.
    text = segment.decode("latin-1").rstrip(" \t\r")
    end = len(text)
    position = 0
    # A record without its newline, and the next one behind it: both are whole.
    while record_end := _object_end(text, position):
        piece = segment[position:record_end]
        record = _decode(piece, version)
        if not isinstance(record, Record):
            break
        yield _Kept(number, offset + position, piece, record, whole_line=False)
        position = record_end
    if position == end:
        return
    # A torn record with a whole one glued behind it. The whole one ends the line; what the input
    # of a tool call quotes does not, since the call's own braces follow it.
    start = text.rfind(_RECORD_START, position)
    for _ in range(_MAX_CANDIDATES):
        if start <= position:
            break
        if _object_end(text, start) == end:
            piece = segment[start:end]
            record = _decode(piece, version)
            if isinstance(record, Record):
                torn = segment[position:start]
                what = f"{len(torn)} bytes of a torn record, with record {record.seq} glued behind"
                yield _Bad(number, offset + position, torn, "glued", what)
                yield _Kept(number, offset + start, piece, record, whole_line=False)
                return
        start = text.rfind(_RECORD_START, position, start)
    rest = segment[position:]
    yield _Bad(number, offset + position, rest, "garbage", f"{len(rest)} bytes are no record")


def _object_end(text: str, start: int) -> int:
    """Where the JSON object at ``start`` ends, 0 where none does."""
    if not text.startswith("{", start):
        return 0
    try:
        _, end = _decoder.raw_decode(text, start)
    except (ValueError, RecursionError):
        return 0
    return int(end)


def _decode(line: bytes, version: int | None) -> Record | BadRecord | None:
    """The record; what is wrong with a line that parses but is none; None for what is no JSON."""
    try:
        return decode_record(line, version)
    except BadRecord as error:
        return error
    except JournalError:
        return None
