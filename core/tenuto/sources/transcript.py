# SPDX-License-Identifier: Apache-2.0
"""The transcript of a run: its journal's blocks, kept up to date by reading only what is new.

Reading takes no lock and changes nothing. Damage does not end it: what follows is read too, with a
notice in its place. Nothing here is thread-safe: one thread at a time refreshes a transcript and
hands the blocks (immutable) on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from tenuto.records import Assistant, Meta, Record, User
from tenuto.runs import notes
from tenuto.runs.files import FileLayer
from tenuto.runs.ids import valid_id
from tenuto.runs.reader import scan
from tenuto.sources.base import Block, BlocksChanged, Forcing
from tenuto.sources.blocks import NO_STAMP, BlockBuilder, Stamp, forced_notice
from tenuto.sources.follow import BadLine, JournalFollower, TimesFollower, in_order
from tenuto.sources.forcing import ForcedFollower, places

#: Blocks that may still lack a time which is written after their record.
_RESTAMPED = 200


class RunTranscript:
    """The blocks of one journal file."""

    def __init__(self, path: str | os.PathLike[str], *, layer: FileLayer | None = None) -> None:
        self.path = Path(path)
        self._times = TimesFollower(self.path, layer)
        self._forced = ForcedFollower(self.path, layer)
        self._builder = BlockBuilder(self._stamp)
        self._trailing: list[Block] = []
        self._shown: list[Block] = []
        self._follower = JournalFollower(self.path, self, layer=layer)

    def _forget(self) -> None:
        self._builder = BlockBuilder(self._stamp)
        self._trailing = []
        self._shown = []
        self._follower.reset()

    @property
    def blocks(self) -> Sequence[Block]:
        """All blocks as of the last refresh."""
        return self._shown

    @property
    def meta(self) -> Meta | None:
        """The run's first record, once it was read."""
        return self._builder.meta

    def close(self) -> None:
        """No file is held open between two refreshes."""

    def refresh(
        self, *, live: bool = False, stop: Callable[[], bool] | None = None
    ) -> BlocksChanged:
        """Read what was appended since the last call; all of it when the file is another one.

        ``live``: a process holds the run, so a call without a result is running. ``stop`` is asked
        between chunks; what was read until then is in ``blocks``.

        Raises RunNotFound, NotAFile, StoreIO.
        """
        before = self._shown
        with self._follower.opened() as (file, status):
            if self._follower.is_other(status):
                self._forget()
            if self._times.refresh():
                self._builder.restamp(_RESTAMPED)
            self._forced.refresh()
            self._builder.set_live(live)
            self._follower.read(file, status.st_size, stop)
        forced = places(self._forced.known, self._times.known) if self._forced.known else {}
        self._builder.set_forced(forced)
        if self._builder.terminal is not None and self._builder.open_calls:
            self._builder.set_begun(self._begun())
        self._trailing = self._ending(live, forced.get(0))
        first = min(self._builder.take_first_changed(), len(before))
        self._shown = [*self._builder.blocks, *self._trailing]
        while first < min(len(before), len(self._shown)) and before[first] == self._shown[first]:
            first += 1
        return BlocksChanged(first, len(before), len(self._shown))

    def _begun(self) -> int:
        """The record behind which a resume began on calls that, by the journal, never started."""
        id = self.path.stem
        return notes.load(self.path.parent, id).begun if valid_id(id) else 0

    def tail_blocks(self, size: int, *, live: bool = False) -> list[Block]:
        """The last blocks of a file, from its last ``size`` bytes alone: to show something at once.

        Begins with a turn or a follow-up, so that every result has its call. Empty when those bytes
        hold no such beginning. Raises as ``refresh``.
        """
        if self._times.refresh():
            self._builder.restamp(_RESTAMPED)
        with self._follower.opened() as (file, status):
            version = scan(file.readline(1 << 20)).version
            start = max(status.st_size - size, 0)
            file.seek(start)
            if start:
                start += len(file.readline(size))
            found = scan(file, start=start, version=version, read_on=True)
        builder = BlockBuilder(self._stamp)
        builder.set_live(live)
        self._forced.refresh()
        begun = False
        for _, item in in_order(found):
            if isinstance(item, Record):
                begun = begun or isinstance(item.payload, Assistant | User)
                if begun:
                    builder.feed(item)
        if self._forced.known and builder.blocks:
            first = builder.blocks[0].seq
            forced = places(self._forced.known, self._times.known)
            builder.set_forced({seq: each for seq, each in forced.items() if seq > first})
        return builder.blocks

    # --- what the follower finds -----------------------------------------------------------------

    def record(self, record: Record, _line: int, _offset: int) -> None:
        """A record, from the follower."""
        self._builder.feed(record)

    def bad(self, found: BadLine) -> None:
        """Damage, from the follower."""
        self._builder.damage(
            found.reason,
            seq=found.seq,
            line=found.line,
            offset=found.offset,
            size=found.size,
        )

    def _ending(self, live: bool, forcing: Forcing | None) -> list[Block]:
        """Notices about the end of the file as it is now.

        ``forcing``: it went on by force, and nothing was recorded since.
        """
        builder, follower = self._builder, self._follower
        tail = follower.tail
        if follower.newer is not None:
            text, version = follower.newer.message, follower.newer.fields.get("found", 0)
            return [Block(kind="notice", notice="newer", seq=0, text=text, version=version)]
        if not builder.blocks and tail is None:
            return [Block(kind="notice", notice="empty", seq=0)]
        ending = []
        if tail is not None and not live:
            ending.append(
                Block(
                    kind="notice",
                    notice="torn",
                    seq=builder.last_seq,
                    text=tail.kind,
                    offset=tail.offset,
                    line=follower.lines + 1,
                    size=tail.size,
                )
            )
        if builder.terminal is None and builder.last_seq and not live:
            ending.append(Block(kind="notice", notice="interrupted", seq=builder.last_seq))
        if forcing is not None:
            ending.append(forced_notice(builder.last_seq, forcing))
        return ending

    def _stamp(self, seq: int) -> Stamp:
        found = self._times.known.get(seq)
        return (found.t, found.ms) if found is not None else NO_STAMP
