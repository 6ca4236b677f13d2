# SPDX-License-Identifier: Apache-2.0
"""The lines of a journal as they are on disk: an index of them, and the bytes of one.

The index holds where each line is and enough words to tell it from the others; a line's bytes are
read when somebody looks at them. Reading takes no lock and changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from tenuto.errors import NewerVersion
from tenuto.payloads import Assistant, Meta, Record, Terminal, ToolResultRecord, User
from tenuto.runs.files import FileLayer
from tenuto.runs.lines import iter_lines
from tenuto.sources.arguments import arguments
from tenuto.sources.base import CallState
from tenuto.sources.blocks import CommandResult, Denial, unwrap
from tenuto.sources.follow import BadLine, JournalFollower
from tenuto.text import cut, one_line, visible

#: The records of a journal; of a Reasonix session a ``message`` of its file, a record of its event
#: ``log``, or the record in a ``frame``; and what is none.
RowKind = Literal[
    "meta", "assistant", "tool_result", "user", "terminal", "message", "log", "frame",
    "damaged", "tail", "newer",
]  # fmt: skip
#: What the rows of a file are counted in.
Unit = Literal["line", "message", "frame"]
#: Characters of a record's words that are kept, and calls of a turn.
WORDS, CALLS = 120, 4
#: Rows are handed on in pieces of this many.
PIECE = 4096


class Row(msgspec.Struct, frozen=True, gc=False):
    """One line of a journal, or one piece of another kind of session's file."""

    kind: RowKind
    #: 1-based; of a message the line it begins on, of a frame how many there are up to it.
    line: int
    #: Bytes into the file, and bytes without the newline.
    offset: int
    size: int
    seq: int = 0
    turn: int = 0
    #: Tools that are called, each with its arguments; the first few.
    calls: tuple[tuple[str, str], ...] = ()
    #: How many there are of them.
    call_count: int = 0
    has_text: bool = False
    has_thinking: bool = False
    #: The tool that answered, the model of a meta, the reason of a terminal record, the kind that
    #: a newer program's record gives itself.
    name: str = ""
    state: CallState = ""
    exit_code: int | None = None
    #: The first words; of a damaged line what is wrong with it; of a tail its kind.
    text: str = ""
    unit: Unit = "line"
    #: Of a message: whose it is.
    role: str = ""
    #: What a record of a log or in a frame calls itself; of an event its kind.
    record: str = ""
    #: Messages of a log's record, events of a batch.
    count: int = 0
    #: Of a log's record: the number of its first message in the transcript.
    block: int = 0
    #: Bytes of what stands for it when it is read, where that is not what is in the file.
    content: int = 0

    @property
    def told(self) -> int:
        """Its number in the transcript; 0 where it has no place there."""
        match self.kind:
            case "newer":
                return 0
            case "log":
                return self.block
            case "frame":
                return self.seq if self.role else 0
            case _:
                return self.seq

    @property
    def readable(self) -> int:
        """How many bytes a reader gives for it."""
        return self.content or self.size


class RowsChanged(msgspec.Struct, frozen=True, gc=False):
    """``rows`` stand from ``first`` on now, and nothing behind them."""

    first: int
    rows: Sequence[Row]


class RecordIndex:
    """One journal file. Not thread-safe; rows are never changed."""

    def __init__(self, path: str | os.PathLike[str], *, layer: FileLayer | None = None) -> None:
        self.path = Path(path)
        self._follower = JournalFollower(path, self, layer=layer)
        self._rows: list[Row] = []
        #: Rows that hang at the end and may be gone with the next reading.
        self._tail: list[Row] = []
        self._names: dict[str, str] = {}
        self._turn = 0

    @property
    def newer(self) -> NewerVersion | None:
        """Set where a newer program wrote the journal: its lines are shown unread."""
        return self._follower.newer

    def refresh(
        self,
        deliver: Callable[[RowsChanged], None],
        *,
        live: bool = False,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        """Read what was appended since the last call, and hand on what changed, in pieces.

        ``live``: a process holds the run, so that a line without an end is still being written.

        Raises RunNotFound, NotAFile, StoreIO.
        """
        with self._follower.opened() as (file, status):
            if self._follower.is_other(status) or self._follower.newer is not None:
                self._follower.reset()
                self._rows, self._names, self._turn = [], {}, 0
                deliver(RowsChanged(0, ()))
            handed = len(self._rows)

            def hand_on() -> None:
                nonlocal handed
                while len(self._rows) - handed >= PIECE:
                    deliver(RowsChanged(handed, self._rows[handed : handed + PIECE]))
                    handed += PIECE

            self._follower.read(file, status.st_size, stop, hand_on)
            if self._follower.newer is not None:
                file.seek(0)
                self._rows = [
                    _unread(line.data, line.number, line.offset)
                    for line in iter_lines(file)
                    if line.data.strip()
                ]
                handed = 0
        tail = self._follower.tail if self._follower.newer is None else None
        self._tail = []
        if tail is not None and not live:
            line = self._follower.lines + 1
            self._tail = [Row("tail", line, tail.offset, tail.size, text=tail.kind)]
        hand_on()
        deliver(RowsChanged(handed, [*self._rows[handed:], *self._tail]))

    def read(self, offset: int, size: int) -> bytes:
        """The bytes of the file at this moment. Raises RunNotFound, NotAFile, StoreIO."""
        with self._follower.opened() as (file, _status):
            file.seek(offset)
            return file.read(size)

    # --- what the follower finds -----------------------------------------------------------------

    def record(self, record: Record, line: int, offset: int) -> None:
        """A record, from the follower."""
        row = self._row(record, line, offset)
        # One that may not stand where it is has its row already, and that says so.
        if not self._rows or self._rows[-1].offset != offset:
            self._rows.append(row)

    def bad(self, found: BadLine) -> None:
        """Damage, from the follower."""
        reason = one_line(found.reason, WORDS * 2)
        self._rows.append(
            Row("damaged", found.line, found.offset, found.size, found.seq, text=reason)
        )

    def _row(self, record: Record, line: int, offset: int) -> Row:
        size = len(record.line or b"")
        payload = record.payload
        base = (line, offset, size, record.seq)
        match payload:
            case Meta():
                name = first_words(payload.fingerprint.model)
                return Row("meta", *base, name=name, text=first_words(payload.prompt))
            case Assistant():
                return self._assistant(base, payload)
            case ToolResultRecord():
                return self._result(base, payload)
            case Terminal():
                text = first_words(payload.message)
                return Row("terminal", *base, name=first_words(payload.reason), text=text)
            case User():
                texts = (c.text.text for c in payload.message.content or () if c.text is not None)
                return Row("user", *base, text=first_words(next(texts, "")))

    def _assistant(self, base: tuple[int, int, int, int], payload: Assistant) -> Row:
        self._turn = payload.iteration + 1
        self._names = {}
        content = payload.message.content or ()
        calls: list[tuple[str, str]] = []
        for block in content:
            if block.tool_use is not None:
                name = one_line(visible(block.tool_use.name), 64)
                self._names[block.tool_use.id] = name
                if len(calls) < CALLS:
                    calls.append((name, first_arguments(bytes(block.tool_use.input))))
        texts = (block.text.text for block in content if block.text is not None)
        return Row(
            "assistant",
            *base,
            turn=self._turn,
            calls=tuple(calls),
            call_count=len(self._names),
            has_text=any(block.text is not None for block in content),
            has_thinking=any(block.thinking is not None for block in content),
            text=first_words(next(texts, "")),
        )

    def _result(self, base: tuple[int, int, int, int], payload: ToolResultRecord) -> Row:
        result = payload.result
        state: CallState = "failed" if result.is_error else "done"
        text, exit_code = result.content, None
        match unwrap(text):
            case CommandResult() as command:
                text, exit_code = command.output, command.exit_code
                state = "failed" if command.exit_code else state
            case Denial() as denial:
                text, state = denial.reason, "denied"
        return Row(
            "tool_result",
            *base,
            turn=self._turn,
            name=self._names.get(result.tool_use_id, ""),
            state=state,
            exit_code=exit_code,
            text=first_words(text),
        )


def first_words(text: str) -> str:
    """The first words of a text as one line, with "…" where there are more.

    What is made visible is little more than what is kept.
    """
    line = one_line(text[: WORDS * 4], WORDS + 1)
    if len(text) <= WORDS * 4 and (len(line) <= WORDS or cut(line, WORDS) == line):
        return line
    return cut(line, WORDS - 1) + "\u2026"


def first_arguments(raw: bytes) -> str:
    """What a call was given, as `arguments` says it; its beginning, where it is long."""
    text = arguments(raw)
    return text if len(text) <= WORDS else text[: WORDS - 1] + "\u2026"


class _Named(msgspec.Struct):
    """What a record of any version is expected to say of itself."""

    seq: int = 0
    protocol: str = ""


_named = msgspec.json.Decoder(_Named)


def _unread(data: bytes, line: int, offset: int) -> Row:
    """A line of a journal that a newer program wrote."""
    try:
        found = _named.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        found = _Named()
    kind = one_line(visible(found.protocol.rpartition(".")[2]), 32)
    return Row("newer", line, offset, len(data), found.seq, name=kind)
