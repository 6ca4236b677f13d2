# SPDX-License-Identifier: Apache-2.0
"""Making a preview from a journal: the whole of it, or its new bytes only.

Records are folded as they are read and none is kept: memory is bounded by the longest line.
"""

from __future__ import annotations

import os
from typing import BinaryIO

import msgspec

from tenuto.errors import CorruptJournal, EmptyJournal, JournalError, NewerVersion
from tenuto.payloads import Assistant, Meta, Record
from tenuto.runs.companions import journal_name
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.listing import RunEntry
from tenuto.runs.preview import (
    TEXT_LIMIT,
    Integrity,
    PendingCall,
    Preview,
    PreviewCounters,
    PreviewTerminal,
    blank,
    may_go_on,
    timestamp,
)
from tenuto.runs.reader import JournalScan, scan
from tenuto.text import cut, one_line, visible

#: Characters of a terminal record's message, and of what the reader says.
_MESSAGE_LIMIT = 2_000
#: How often a journal that is being written is looked at again before it is left as it is.
_TRIES = 3


class _Doubt(Exception):
    """The new bytes alone do not say what the journal is."""


def build(
    layer: FileLayer, folder: Folder, id: str, before: Preview | None = None
) -> tuple[Preview, RunEntry]:
    """The preview of a journal, and the journal as it was when it was read.

    ``before``: an older preview of it; where the journal only grew since, only its new bytes are
    read. The journal is opened for reading and no more (R7).

    :raises FileNotFoundError: there is none (any more).
    :raises NotAFile: its name is taken by something that is not a file of ours.
    :raises OSError: it cannot be read.
    """
    fd, status = layer.open_regular(folder, journal_name(id))
    try:
        entry = _entry(folder, id, status)
        preview = _read(fd, entry, before)
        for _ in range(_TRIES):
            status = layer.fstat(fd)
            if (status.st_size, status.st_mtime_ns) == (entry.size, entry.mtime_ns):
                break
            # It is being written: on from where the last look ended.
            entry = _entry(folder, id, status)
            preview = _read(fd, entry, preview)
        return preview, entry
    finally:
        layer.close(fd)


def _entry(folder: Folder, id: str, status: os.stat_result) -> RunEntry:
    path = folder.file(journal_name(id))
    return RunEntry(id, path, status.st_size, status.st_mtime_ns, status.st_ino, status.st_nlink)


def _read(fd: int, entry: RunEntry, before: Preview | None) -> Preview:
    with open(fd, "rb", buffering=1 << 18, closefd=False) as file:
        if before is not None and may_go_on(before, entry):
            try:
                return _go_on(file, entry, before)
            except _Doubt:
                pass
        fold = PreviewFold(blank(entry))
        return fold.result(scan(file, take=fold.feed))


def _go_on(file: BinaryIO, entry: RunEntry, before: Preview) -> Preview:
    last = _last_record(file, before)
    fold = PreviewFold(before, last)
    found = scan(
        file,
        start=before.offset,
        version=before.version,
        after_seq=last.seq,
        take=fold.feed,
    )
    if found.error is not None:
        # Its line number is not known from here.
        raise _Doubt
    result = fold.result(found)
    result.size, result.mtime_ns, result.inode = entry.size, entry.mtime_ns, entry.inode
    result.updated = timestamp(entry.mtime_ns)
    return result


def _last_record(file: BinaryIO, before: Preview) -> Record:
    """The record whose line ends at the stored offset. Raises _Doubt where there is none."""
    from tenuto.decode import decode_record

    end = before.offset
    file.seek(end - 1)
    if file.read(1) != b"\n":
        raise _Doubt
    line, step = b"", 1 << 16
    while end > 0 and b"\n" not in line[:-1]:
        start = max(0, end - step)
        file.seek(start)
        line = file.read(end - start) + line
        end, step = start, step * 2
    line = line[:-1].rpartition(b"\n")[2]
    try:
        return decode_record(line, before.version)
    except CorruptJournal:
        raise _Doubt from None


def _shows(text: msgspec.Raw | str) -> bool:
    """Whether a text, or its JSON, begins with what is shown for certain."""
    if isinstance(text, str):
        return text[:1].isascii() and text[:1].isalnum()
    return chr(memoryview(text)[1]).isalnum() and memoryview(text)[1] < 0x80


def _last_text(record: Record) -> str:
    """The beginning of the last text of a turn that shows anything, or ""."""
    turn = record.payload
    assert isinstance(turn, Assistant)
    texts = [block.text.text for block in turn.message.content or () if block.text is not None]
    return next((said for text in reversed(texts) if (said := one_line(text, TEXT_LIMIT))), "")


class PreviewFold:
    """Folds records into a preview. Its rules are those of ``tenuto.fold``; it keeps no messages.

    ``start`` is a blank preview, or an older one together with the last record it was made of.
    """

    def __init__(self, start: Preview, last: Record | None = None) -> None:
        self._start = start
        self._continued = last is not None
        self._version = start.version
        self._meta: Meta | None = None
        self._last_text = start.last_text
        #: The turn that has the last text, where that is not decoded yet: most never need to be.
        self._speaker: Record | None = None
        self._turns = start.turns
        self._calls = start.calls
        counters = start.counters
        self._sums = [getattr(counters, name) for name in PreviewCounters.__struct_fields__]
        #: id -> name of the open turn's calls without a result; two calls may share an id.
        self._pending = [(call.id, call.name) for call in start.pending]
        self._next_iteration = start.next_iteration
        self._stop_reason = start.last_stop_reason
        self._terminal = start.terminal
        # Whether the reader's word that a result may come is enough: it does not know what lies
        # before the new bytes.
        self._open = last is None or _open_after(last, start)

    def feed(self, record: Record) -> None:
        """Take the next record, which the reader found in order."""
        kind, facts = record.kind, record.facts
        self._terminal = None
        if kind == "tool_result":
            if not self._open:
                raise _Doubt
            self._sums[1] += 1
            self._sums[2] += facts.remote
            answered = facts.tool_use_id
            self._pending = [call for call in self._pending if call[0] != answered]
        elif kind == "assistant":
            self._assistant(record)
        elif kind == "user":
            self._pending = []
            self._open = self._open and not self._continued
        elif kind == "terminal":
            message = cut(facts.message, _MESSAGE_LIMIT)
            self._terminal = PreviewTerminal(facts.reason, message, record.seq)
        else:
            assert isinstance(record.payload, Meta)
            self._meta = record.payload

    def _assistant(self, record: Record) -> None:
        turn = record.facts
        self._open = True
        self._turns += 1
        self._next_iteration = turn.iteration + 1
        self._stop_reason = turn.stop_reason
        sums = self._sums
        sums[0] += 1
        sums[3] += turn.in_tokens
        sums[4] += turn.out_tokens
        sums[5] += turn.cache_read_tokens
        sums[6] += turn.cache_create_tokens
        self._pending = []
        speaks = surely = False
        for block in turn.message.content or ():
            if block.tool_use is not None:
                self._pending.append((block.tool_use.id, block.tool_use.name))
            elif block.text is not None:
                speaks = True
                surely = surely or _shows(block.text.text)
        self._calls += len(self._pending)
        if surely:
            self._speaker = record
        elif speaks and (said := _last_text(record)):
            self._last_text, self._speaker = said, None

    def result(self, found: JournalScan) -> Preview:
        """The preview of all that was fed, with what the reader said of the file."""
        if self._speaker is not None:
            self._last_text, self._speaker = _last_text(self._speaker), None
        integrity, problem = _verdict(found, self._meta is not None or self._version > 0)
        changes = {
            "offset": found.good_end,
            "last_text": self._last_text,
            "turns": self._turns,
            "calls": self._calls,
            "counters": PreviewCounters(*self._sums),
            "pending": [PendingCall(*call) for call in self._pending],
            "next_iteration": self._next_iteration,
            "last_stop_reason": self._stop_reason,
            "terminal": self._terminal,
            "integrity": integrity,
            "problem": cut(visible(problem), _MESSAGE_LIMIT),
        }
        meta = self._meta
        if meta is not None:
            first_line = meta.prompt.lstrip().partition("\n")[0]
            changes |= {
                "version": meta.version,
                "created": meta.created,
                "model": meta.fingerprint.model,
                # Versions 1 and 2 name no provider: it was always this one.
                "provider": meta.fingerprint.provider or ("anthropic" if meta.version < 3 else ""),
                "interactive": meta.interactive,
                "prompt": one_line(meta.prompt, TEXT_LIMIT),
                "title": one_line(first_line, TEXT_LIMIT),
            }
        return msgspec.structs.replace(self._start, **changes)


def _open_after(last: Record, start: Preview) -> bool:
    """Whether a turn is surely open behind ``last`` (behind a terminal record: not known)."""
    return bool(start.pending) or last.kind in ("assistant", "tool_result")


def _verdict(found: JournalScan, has_meta: bool) -> tuple[Integrity, str]:
    error: JournalError | None = found.error
    tail = found.tail
    if isinstance(error, NewerVersion):
        return "newer", error.message
    if isinstance(error, EmptyJournal) or (error is None and not has_meta):
        left = f"; {tail.size} bytes of an incomplete record" if tail is not None else ""
        return "empty", f"never started: no records{left}"
    if error is not None:
        return "damaged", error.message
    if tail is not None and tail.kind != "unterminated":
        return "torn", f"1 incomplete record at the end, {tail.size} bytes"
    return "ok", ""
