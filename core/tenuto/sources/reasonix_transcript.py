# SPDX-License-Identifier: Apache-2.0
"""The transcript of a Reasonix session of any generation, followed while a program writes it.

A v4 or C session is read on from where it was left; the file of an A session is written anew at
each save, so it is read again and compared. Damage does not end it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Protocol

from tenuto.errors import RunNotFound, SessionNotFound
from tenuto.reasonix.conflict import file_state
from tenuto.reasonix.eventlog import EventLog, log_path
from tenuto.reasonix.model import Message, open_calls
from tenuto.reasonix.store import FileState, read_session_file
from tenuto.reasonix.stream import Damage
from tenuto.reasonix.v4 import V4Reader
from tenuto.runs.files import FileLayer
from tenuto.sources.base import Block, BlocksChanged
from tenuto.sources.reasonix_blocks import MessageBlocks, created_of
from tenuto.sources.reasonix_facts import unfinished

#: One message, its number and its time (RFC 3339, "" where the file has none).
Item = tuple[Message, int, str]


class Reader(Protocol):
    """One session's file or folder, read as far as it goes."""

    #: Where it ends too early, None where it does not.
    torn: Damage | None
    #: Whether its own record says that a turn has not ended; None where it has no such record.
    turn_open: bool | None
    #: How long calls took, in milliseconds, by their ids: what is noted beside the messages.
    durations: dict[str, int]

    def refresh(self) -> None:
        """Read what is new. Raises SessionNotFound, NotAFile, StoreIO."""

    def items(self) -> list[Item]:
        """All messages so far; those that were there before are the same objects."""

    def damage(self) -> list[Damage]:
        """What cannot be read, ``index`` messages into the session."""


class _PlainReader:
    """Generations A and B: the file is another one after each save."""

    turn_open: bool | None = None

    def __init__(self, path: str, layer: FileLayer) -> None:
        self.path = path
        self.torn: Damage | None = None
        self.durations: dict[str, int] = {}
        self._layer = layer
        self._state: FileState | None = None
        self._items: list[Item] = []
        self._damage: list[Damage] = []

    def refresh(self) -> None:
        state = file_state(self.path)
        if state is not None and state == self._state:
            return
        reading, self._state = read_session_file(self.path, layer=self._layer, read_on=True)
        old = self._items
        self._items = [
            old[at] if at < len(old) and old[at][0] == message else (message, at + 1, "")
            for at, message in enumerate(reading.messages)
        ]
        self._damage = [item for item in reading.damage if item.kind == "corrupt"]
        self.torn = next((item for item in reading.damage if item.kind == "torn"), None)

    def items(self) -> list[Item]:
        return self._items

    def damage(self) -> list[Damage]:
        return self._damage


class _LogReader:
    """Generation C: its log, or its checkpoint where that cannot be replayed."""

    turn_open: bool | None = None

    def __init__(self, path: str, layer: FileLayer) -> None:
        self.torn: Damage | None = None
        self.durations: dict[str, int] = {}
        self._log = EventLog(log_path(path), layer=layer)
        self._plain = _PlainReader(path, layer)
        self._problem = ""
        self._items: list[Item] = []

    def refresh(self) -> None:
        log = self._log
        log.refresh()
        self._problem = log.exceeded and f"the event log is too large: {log.exceeded}"
        if not log.records and log.damage:
            self._problem = log.damage[0].reason
        if self._problem and os.path.lexists(self._plain.path):
            self._plain.refresh()
            self.torn = self._plain.torn
            return
        old = self._items
        self._items = [
            old[at] if at < len(old) and old[at][0] is message else (message, at + 1, time)
            for at, (message, time) in enumerate(zip(log.messages, log.times, strict=True))
        ]
        self.torn = next((item for item in log.damage if item.kind == "torn"), None)

    def items(self) -> list[Item]:
        return self._plain.items() if self._problem else self._items

    def damage(self) -> list[Damage]:
        if not self._problem:
            return [item for item in self._log.damage if item.kind == "corrupt"]
        first = Damage("corrupt", self._log.offset, 0, self._log.lines + 1, self._problem, 0)
        return [first, *self._plain.damage()]


class _FramesReader:
    """Generation v4."""

    def __init__(self, path: str, layer: FileLayer) -> None:
        self._reader = V4Reader(path, layer=layer)
        self._items: list[Item] = []
        self.torn: Damage | None = None
        self.turn_open: bool | None = None
        self.durations: dict[str, int] = {}

    def refresh(self) -> None:
        reader = self._reader
        reader.refresh()
        old = self._items
        self._items = [
            old[at]
            if at < len(old) and old[at][0] is found.message
            else (found.message, found.seq, found.time)
            for at, found in enumerate(reader.messages)
        ]
        self.durations = reader.durations
        self.turn_open = reader.status == "interrupted"
        self.torn = None
        if reader.torn_tail:
            index = len(reader.messages)
            self.torn = Damage(
                "torn", reader.torn_at, reader.torn_size, 0, "the file ends in a batch", index
            )

    def items(self) -> list[Item]:
        return self._items

    def damage(self) -> list[Damage]:
        return self._reader.damage


def reader_for(path: str, layer: FileLayer) -> Reader:
    """The reader for what is at ``path``: a v4 folder, a session with a log, or one without."""
    if os.path.isdir(path):
        return _FramesReader(path, layer)
    if os.path.lexists(log_path(path)):
        return _LogReader(path, layer)
    return _PlainReader(path, layer)


class ReasonixTranscript:
    """The blocks of one session. One thread at a time refreshes it."""

    def __init__(self, path: str | os.PathLike[str], *, layer: FileLayer | None = None) -> None:
        self.path = os.fspath(path)
        self._layer = layer or FileLayer()
        self._reader: Reader | None = None
        self._shown: list[Block] = []
        self._forget()

    def _forget(self) -> None:
        self._builder = MessageBlocks()
        self._fed: list[Item] = []
        self._damage: list[Damage] = []

    @property
    def blocks(self) -> Sequence[Block]:
        """All blocks as of the last refresh."""
        return self._shown

    def messages(self) -> list[Message]:
        """All messages as of the last refresh, as they are stored."""
        return [message for message, _, _ in self._fed]

    def numbers(self) -> list[int]:
        """The number of each message, as its blocks have it in ``seq``."""
        return [number for _, number, _ in self._fed]

    def times(self) -> dict[int, str]:
        """When each message was stored, else made: number -> RFC 3339, where it is known."""
        found = ((seq, time or created_of(message)) for message, seq, time in self._fed)
        return {seq: time for seq, time in found if time}

    @property
    def unfinished(self) -> bool:
        """Whether the last turn has no end."""
        turn_open = self._reader.turn_open if self._reader is not None else None
        return unfinished(self.messages(), turn_open)

    def close(self) -> None:
        """No file is held open between two refreshes."""

    def refresh(
        self, *, live: bool = False, stop: Callable[[], bool] | None = None
    ) -> BlocksChanged:
        """Read what is new. ``live``: a program has the session open.

        Raises RunNotFound, NotAFile, StoreIO.
        """
        if self._reader is None:
            self._reader = reader_for(self.path, self._layer)
        reader = self._reader
        try:
            reader.refresh()
        except SessionNotFound as error:
            self._reader = None
            raise RunNotFound(error.message, id=os.path.basename(self.path)) from error
        before = self._shown
        items, damage = reader.items(), reader.damage()
        if not self._goes_on(items, damage):
            self._forget()
        self._builder.durations = reader.durations
        self._feed(items, damage, stop)
        self._builder.set_live(live)
        self._shown = [*self._builder.blocks, *self._ending(reader, live)]
        first = min(self._builder.take_first_changed(), len(before))
        while first < min(len(before), len(self._shown)) and before[first] == self._shown[first]:
            first += 1
        return BlocksChanged(first, len(before), len(self._shown))

    def tail_blocks(self, size: int, *, live: bool = False) -> list[Block]:
        """None: no message can be told apart from a file's last bytes alone."""
        return []

    def _goes_on(self, items: list[Item], damage: list[Damage]) -> bool:
        fed = len(self._fed)
        return (
            len(items) >= fed
            and all(a is b for a, b in zip(self._fed, items, strict=False))
            and damage[: len(self._damage)] == self._damage
            and all(found.index >= fed for found in damage[len(self._damage) :])
        )

    def _feed(
        self, items: list[Item], damage: list[Damage], stop: Callable[[], bool] | None
    ) -> None:
        left = damage[len(self._damage) :]
        for at in range(len(self._fed), len(items)):
            while left and left[0].index <= at:
                self._tell(left.pop(0))
            message, seq, time = items[at]
            self._builder.feed(message, seq, time)
            self._fed.append(items[at])
            if at % 1000 == 999 and stop is not None and stop():
                return
        for found in left:
            self._tell(found)

    def _tell(self, found: Damage) -> None:
        self._builder.damage(found, self._fed[-1][1] if self._fed else 0)
        self._damage.append(found)

    def _ending(self, reader: Reader, live: bool) -> list[Block]:
        if not self._builder.blocks and reader.torn is None:
            return [Block(kind="notice", notice="empty", seq=0)]
        if live:
            return []
        seq = self._fed[-1][1] if self._fed else 0
        ending = []
        if reader.torn is not None:
            torn = reader.torn
            ending.append(
                Block(
                    kind="notice",
                    notice="torn",
                    seq=seq,
                    text=torn.reason,
                    offset=torn.offset,
                    line=torn.line,
                    size=torn.size,
                )
            )
        messages = self.messages()
        if unfinished(messages, reader.turn_open) or open_calls(messages):
            why = "the last turn has no end"
            ending.append(Block(kind="notice", notice="interrupted", seq=seq, text=why))
        return ending
