# SPDX-License-Identifier: Apache-2.0
"""Reading a run journal as a whole: its records, what hangs at its end, and what is damaged.

The rules are run-journal.md, "Reading a file", and reliability.md, "Reader conformance": what the
Go reader takes, drops or refuses. Nothing here writes or locks, and no content makes it raise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from tenuto import goparse
from tenuto.collector import collector_off
from tenuto.decode import decode_record
from tenuto.errors import CorruptJournal, JournalError, NewerVersion, NoMeta
from tenuto.payloads import (
    VERSION,
    BadRecord,
    Record,
    UnparsableLine,
)
from tenuto.runs.lines import MAX_LINE, Line, Source, iter_lines, raw_lines
from tenuto.sentences import sentence

__all__ = [
    "MAX_LINE",
    "Damage",
    "JournalScan",
    "Line",
    "Source",
    "Tail",
    "TailKind",
    "collector_off",
    "iter_lines",
    "scan",
]

TailKind = Literal["unterminated", "torn", "nul"]


@dataclass(frozen=True)
class Tail:
    """What follows the last good record, or that record itself when only its newline is missing.

    ``unterminated``: a whole record without a newline (it is among the records); ``torn``: an
    incomplete record; ``nul``: nothing but NUL bytes, as a power cut leaves them.
    """

    kind: TailKind
    #: Bytes into the file.
    offset: int
    #: Bytes, a newline at its end included.
    size: int


@dataclass(frozen=True)
class Damage:
    """One line that is no good."""

    #: 1-based.
    line: int
    #: Bytes into the file, of the start of the line.
    offset: int
    #: Bytes, newline included.
    size: int
    reason: str
    #: Set where the line is a record that may not stand in this place.
    record: Record | None = None


@dataclass
class JournalScan:
    """What one reading of a journal found.

    ``records``, ``offsets`` and ``line_numbers`` are of equal length.
    """

    records: list[Record] = field(default_factory=list)
    #: Where the line of each record starts, in bytes.
    offsets: list[int] = field(default_factory=list)
    #: 1-based.
    line_numbers: list[int] = field(default_factory=list)
    #: The offset behind the last good record and its newline (and behind blank lines after it);
    #: with an ``unterminated`` tail the end of the file.
    good_end: int = 0
    tail: Tail | None = None
    #: The first thing wrong, or None; the records before it are there all the same.
    error: JournalError | None = None
    #: Everything wrong, when asked to read on; else the first thing only.
    damage: list[Damage] = field(default_factory=list)
    #: Bytes read, counted from the start of the file.
    size: int = 0
    #: The schema version, from ``meta``; None without one.
    version: int | None = None


def scan(
    source: Source,
    *,
    start: int = 0,
    max_line: int = MAX_LINE,
    read_on: bool = False,
    version: int | None = None,
    after_seq: int = 0,
    take: Callable[[Record], None] | None = None,
) -> JournalScan:
    """Read a journal (bytes, or a binary file, which stays open) from byte ``start``.

    Content never makes it raise: what is wrong is in ``error``, by line and byte offset. With
    ``read_on`` reading goes on behind damage and all of it is in ``damage``. To go on from where an
    earlier reading stopped, give its ``start``, the journal's ``version`` and the last number as
    ``after_seq``: then no ``meta`` is expected. With ``take`` each record is handed over as it is
    read and none is kept, so that memory is bounded by the longest line. OSError passes through.
    """
    with collector_off():
        return _Scanner(read_on, version, after_seq, take, continued=start > 0).run(
            source, start, max_line
        )


class _Scanner:
    def __init__(
        self,
        read_on: bool,
        version: int | None,
        after_seq: int,
        take: Callable[[Record], None] | None,
        *,
        continued: bool,
    ) -> None:
        self._read_on = read_on
        self._take = take
        self._any_kept = False
        self._found = JournalScan(version=version)
        self._last_seq = after_seq
        self._continued = continued
        self._begun = continued
        # Only a whole reading knows whether a turn is open.
        self._open = continued
        # After a first record that is no meta: only a line that does not parse matters any more,
        # since Go parses all lines before it looks at any record.
        self._only_syntax = False

    def run(self, source: Source, start: int, max_line: int) -> JournalScan:
        found = self._found
        found.good_end = found.size = start
        # One line is held back: what does not parse is a torn tail if nothing follows.
        held: tuple[_Place, UnparsableLine] | None = None
        # This loop runs once a record, and what it does besides decoding is a third of a fold's
        # time: a call or an object fewer a line can be measured.
        for data, offset, number, size in raw_lines(source, start, max_line):
            found.size = offset + size
            if held is not None:
                wrong = self._wrong(*held)
                held = None
                if wrong:
                    return found
            try:
                if size > len(data):
                    reason = f"longer than {max_line} bytes"
                    raise CorruptJournal(reason, reason=reason)
                record = decode_record(data, found.version)
            except UnparsableLine as error:
                place = _Place(data, offset, number, size)
                if _is_blank(data):
                    self._blank(place)
                else:
                    held = place, error
                continue
            except CorruptJournal as error:
                if self._wrong(_Place(data, offset, number, size), error):
                    return found
                continue
            refusal = self._refuse(record)
            if refusal is not None:
                if self._wrong(_Place(data, offset, number, size), refusal, record):
                    return found
                if not self._begins(record):
                    continue
            if not self._only_syntax:
                self._keep(record, data, offset, number)
        if held is not None:
            self._last_line(*held)
            # Its traceback holds this frame, and with it all records: a cycle, until it is let go.
            held = None
        return found

    def _keep(self, record: Record, data: bytes, offset: int, number: int) -> None:
        found = self._found
        self._any_kept = True
        if self._take is not None:
            self._take(record)
        else:
            found.records.append(record)
            found.offsets.append(offset)
            found.line_numbers.append(number)
        found.good_end = offset + len(data)
        if data[-1] != _NEWLINE:
            found.tail = Tail("unterminated", offset, len(data))

    def _begins(self, record: Record) -> bool:
        """Whether a record that was refused is shown all the same: it is the first one."""
        return not self._any_kept and record.seq == self._last_seq

    def _blank(self, place: _Place) -> None:
        found = self._found
        if place.data[-1] != _NEWLINE:
            found.tail = Tail("torn", place.offset, place.size)
        elif found.good_end == place.offset:
            found.good_end = place.offset + place.size

    def _last_line(self, place: _Place, error: UnparsableLine) -> None:
        if self._newer(place) is not None:
            self._wrong(place, error)
        elif not self._only_syntax:
            kind: TailKind = "torn" if place.data.strip(b"\0\n") else "nul"
            self._found.tail = Tail(kind, place.offset, place.size)

    def _wrong(self, place: _Place, problem: JournalError, record: Record | None = None) -> bool:
        """Note what is wrong with one line. Returns whether reading stops here."""
        found = self._found
        if isinstance(problem, UnparsableLine | BadRecord) and not self._begun:
            newer = self._newer(place)
            if newer is not None:
                problem = newer
            elif isinstance(problem, BadRecord):
                reason = f"the first record is not meta: {problem.fields['reason']}"
                problem = NoMeta(reason, reason=reason, seq=problem.fields["seq"])
            self._begun = self._open = True
        if self._only_syntax and not isinstance(problem, UnparsableLine):
            return False
        reason = str(problem.fields.get("reason", problem.message))
        located = self._located(place, problem)
        if found.error is None or self._only_syntax:
            found.error = located
        if self._read_on or not found.damage:
            found.damage.append(Damage(place.number, place.offset, place.size, reason, record))
        if self._read_on:
            # What is damaged may have opened a turn.
            self._open = self._open or record is None
            return False
        if self._only_syntax or not isinstance(problem, NoMeta):
            if isinstance(problem, NewerVersion) and record is not None:
                self._keep(record, place.data, place.offset, place.number)
            return True
        self._only_syntax = True
        return False

    def _located(self, place: _Place, problem: JournalError) -> JournalError:
        where = f"byte {place.offset}"
        fields = dict(problem.fields)
        if not self._continued:
            # Lines before ``start`` were never counted.
            where = f"line {place.number} ({where})"
            fields["line"] = place.number
        fields["offset"] = place.offset
        fields.setdefault("reason", problem.message)
        kind = CorruptJournal if isinstance(problem, UnparsableLine | BadRecord) else type(problem)
        return kind(f"{where}: {problem.message}", **fields)

    def _newer(self, place: _Place) -> NewerVersion | None:
        """A newer version's ``meta`` that the model of this version does not fit."""
        if self._begun:
            return None
        try:
            values = goparse.parse(place.data, _ANY_META) or {}
        except goparse.GoError:
            return None
        version = values.get("meta", {}).get("version", 0)
        return _unsupported(version, values.get("seq", 0)) if version > VERSION else None

    def _refuse(self, record: Record) -> JournalError | None:
        """Why ``record`` may not stand here, or None."""
        kind, seq, last = record.kind, record.seq, self._last_seq
        if not self._begun:
            self._begun = True
            self._last_seq = seq
            if kind != "meta":
                self._open = True
                reason = f"the first record is {record.kind}, not meta"
                return NoMeta(reason, reason=reason, seq=seq)
            version: int = record.facts.version
            self._found.version = version
            return None if 1 <= version <= VERSION else _unsupported(version, seq)
        if seq <= last:
            return _corrupt(seq, f"seq {seq} not increasing after {last}")
        if kind == "assistant":
            self._open = True
        elif kind == "user":
            self._open = False
        elif kind == "meta":
            return _corrupt(seq, f"duplicate meta at seq {seq}")
        elif kind == "tool_result" and not self._open:
            return _corrupt(seq, f"tool result before any assistant turn at seq {seq}")
        self._last_seq = seq
        return None


class _Place(NamedTuple):
    data: bytes
    offset: int
    number: int
    size: int


_NEWLINE: Final = ord("\n")
#: Enough of a line to tell a version that this program does not know.
_ANY_META: Final = goparse.Struct(
    {"seq": "uint64", "meta": goparse.Pointer(goparse.Struct({"version": "int64"}))}
)
#: What Go's TrimSpace takes for space: a line of nothing else is blank.
_GO_SPACE: Final = (
    " \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000"
)


def _is_blank(line: bytes) -> bool:
    return not line.decode("utf-8", "surrogateescape").strip(_GO_SPACE)


def _corrupt(seq: int, reason: str) -> CorruptJournal:
    return CorruptJournal(reason, reason=reason, seq=seq)


def _unsupported(version: int, seq: int) -> NewerVersion:
    return NewerVersion(
        sentence(
            "written in journal version {version}; this program reads versions 1 to {own}",
            version=version,
            own=VERSION,
        ),
        found=version,
        supported=VERSION,
        seq=seq,
    )
