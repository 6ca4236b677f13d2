# SPDX-License-Identifier: Apache-2.0
"""Sessions of generation C: ``<id>.events.jsonl`` says what the messages are (section 2.5).

``replace`` sets the list, ``append`` adds to it at the place it names. A log that breaks off or
does not add up counts as far as it goes; one that is too large to be replayed does not count, and
the checkpoint beside it is what there is.
"""

from __future__ import annotations

import os
from itertools import takewhile
from typing import Any, Final, Literal

import msgspec

from tenuto.errors import NewerGeneration, SessionNotFound, StoreError
from tenuto.goparse import GoError, elements
from tenuto.reasonix.careful import BadValue
from tenuto.reasonix.model import Message
from tenuto.reasonix.names import EVENTS, SESSION
from tenuto.reasonix.quick import message as decode_message
from tenuto.reasonix.store import FileState, damaged, opened, read_session_file
from tenuto.reasonix.stream import Damage, Reading
from tenuto.runs.files import FileLayer
from tenuto.sentences import sentence

#: What Reasonix itself replays at most.
MOST_BYTES: Final = 128 << 20
MOST_RECORDS: Final = 100_000
MOST_MESSAGES: Final = 100_000
_BLOCK: Final = 1 << 20


class LogRecord(msgspec.Struct, gc=False):
    """One line of a log; other keys are not needed to replay it."""

    type: str
    schema_version: int = 0
    message_index: int = 0
    messages: msgspec.Raw = msgspec.Raw(b"[]")
    revision: int = 0
    #: RFC 3339; whatever it is, it is no reason not to replay the record.
    created_at: Any = ""


_decode = msgspec.json.Decoder(LogRecord).decode


def parse(line: bytes) -> tuple[LogRecord, list[Message]]:
    """A line of a log. Raises ValueError that says why it is none."""
    try:
        record = _decode(line)
        raw = elements(bytes(record.messages)) or []
        return record, [decode_message(item) for item in raw]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"not a record of a log: {error}") from None
    except (GoError, BadValue) as error:
        raise ValueError(f"not a message: {error}") from None


def misfit(record: LogRecord, count: int) -> str:
    """Why a record cannot follow where ``count`` messages are; "" where it can."""
    if record.type == "replace" or (record.type == "append" and record.message_index == count):
        return ""
    if record.type == "append":
        return f"a record that adds at message {record.message_index}, there are {count}"
    return f"a record that does {record.type[:40]!r}, which nobody knows"


def _same(pair: tuple[Message, Message]) -> bool:
    return pair[0] == pair[1]


class EventLog:
    """One log, replayed. :meth:`refresh` reads what was appended since the last time."""

    def __init__(self, path: str | os.PathLike[str], *, layer: FileLayer | None = None) -> None:
        self.path = os.fspath(path)
        self._layer = layer or FileLayer()
        self._file: tuple[int, int] = (0, 0)
        self._forget()

    def _forget(self) -> None:
        self.messages: list[Message] = []
        #: When each of them was added: RFC 3339. A log that was folded does not say it any more.
        self.times: list[str] = []
        self.damage: list[Damage] = []
        self.records = 0
        #: Everything before this byte was replayed, and so many lines.
        self.offset = 0
        self.lines = 0
        self.size = 0
        #: Why nothing more is replayed; "" as long as it is.
        self.exceeded = ""

    def refresh(self) -> bool:
        """Read on; whether anything is new. Raises SessionNotFound, NotAFile, StoreIO."""
        with opened(self.path, self._layer) as (fd, status):
            identity = (status.st_dev, status.st_ino)
            if identity != self._file or status.st_size < self.offset:
                self._forget()
                self._file = identity
            self.size = status.st_size
            if self.size > MOST_BYTES:
                self.exceeded = f"{self.size} bytes, at most {MOST_BYTES}"
            before = self.offset
            self.damage = [item for item in self.damage if item.kind != "torn"]
            self._layer.seek(fd, before)
            self._read(fd)
        return self.offset != before

    def _read(self, fd: int) -> None:
        rest = b""
        size = _BLOCK
        while not self._stopped() and (part := self._layer.read(fd, size)):
            lines = (rest + part).split(b"\n")
            rest = lines.pop()
            for line in lines:
                if self._stopped():
                    return
                self._take(line)
                self.offset += len(line) + 1
                self.lines += 1
            size = max(_BLOCK, len(rest))
        if rest.strip() and not self._stopped():
            self._bad("torn", len(rest), "the log ends in the middle of a record")

    def _stopped(self) -> bool:
        return bool(self.exceeded) or any(item.kind == "corrupt" for item in self.damage)

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            record, messages = parse(line)
        except ValueError as error:
            self._bad("corrupt", len(line), str(error))
            return
        self.records += 1
        if reason := misfit(record, len(self.messages)):
            self._bad("corrupt", len(line), reason)
        elif record.type == "replace":
            same = sum(1 for _ in takewhile(_same, zip(self.messages, messages, strict=False)))
            self.times = [*self.times[:same], *[""] * (len(messages) - same)]
            self.messages = messages
        else:
            time = record.created_at if isinstance(record.created_at, str) else ""
            self.messages += messages
            self.times += [time] * len(messages)
        if self.records > MOST_RECORDS or len(self.messages) > MOST_MESSAGES:
            self.exceeded = f"{self.records} records of {len(self.messages)} messages"

    def _bad(self, kind: Literal["torn", "corrupt"], size: int, reason: str) -> None:
        self.damage.append(
            Damage(kind, self.offset, size, self.lines + 1, reason, len(self.messages))
        )


class LoggedSession(msgspec.Struct):
    """A session of generation C as far as it can be read."""

    reading: Reading
    state: FileState
    #: Whether the messages are the log's; else they are the checkpoint's.
    from_log: bool
    #: Why they are not; "" where they are.
    problem: str = ""


def log_path(path: str) -> str:
    """The log of the session at ``path``."""
    return path.removesuffix(SESSION) + EVENTS


def refuse_logged(path: str) -> None:
    """:raises NewerGeneration: the session at ``path`` has a log."""
    if os.path.lexists(log_path(path)):
        raise NewerGeneration(
            sentence(
                "only Reasonix itself writes the event log of {path}: it can be read and copied",
                path=path,
            ),
            path=path,
        )


def load_logged(path: str, *, layer: FileLayer | None = None) -> tuple[Reading, FileState]:
    """As :func:`read_logged`, for who goes on from it: a log that does not add up is refused.

    What it ends with that was never finished does not count, as for Reasonix.
    """
    found = read_logged(path, layer=layer)
    corrupt = [item for item in found.reading.damage if item.kind == "corrupt"]
    if corrupt or (not found.from_log and found.reading.damage):
        raise damaged(path, Reading(found.reading.messages, corrupt or found.reading.damage))
    return found.reading, found.state


def read_logged(path: str, *, layer: FileLayer | None = None) -> LoggedSession:
    """The session at ``path`` (its ``.jsonl``), from its log, else from its checkpoint.

    Raises SessionNotFound, NotAFile, StoreIO where neither can be read.
    """
    log = EventLog(log_path(path), layer=layer)
    try:
        log.refresh()
        problem = (
            f"the event log exceeds safe replay limits: {log.exceeded}" if log.exceeded else ""
        )
        if not problem and not log.records and log.damage:
            problem = f"the event log cannot be replayed: {log.damage[0].reason}"
    except StoreError as error:
        problem = error.message
    if not problem:
        state = FileState(log.size, 0, 0)
        return LoggedSession(Reading(log.messages, log.damage), state, True)
    try:
        reading, state = read_session_file(path, layer=layer, read_on=True)
    except SessionNotFound as error:
        raise SessionNotFound(problem, path=path) from error
    return LoggedSession(reading, state, False, problem)
