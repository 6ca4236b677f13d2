# SPDX-License-Identifier: Apache-2.0
"""The fold: a journal's records in, the state of the run out (run-journal.md, "Fold"). Pure.

:class:`Folder` takes one record at a time and keeps what it has, so that a journal that grew costs
its new records only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tenuto.collector import collector_off
from tenuto.errors import CorruptJournal, EmptyJournal, NewerVersion, NoMeta
from tenuto.payloads import (
    VERSION,
    Assistant,
    BadRecord,
    Meta,
    Record,
    RecordKind,
    Terminal,
    ToolResultRecord,
)
from tenuto.records import as_record
from tenuto.sentences import sentence
from tenuto.state import (
    Counters,
    Part,
    Pending,
    RunState,
    block_of,
    calls,
    fingerprint_json,
    message_json,
    raw_json,
    state_json,
    terminal_json,
)

__all__ = [
    "Counters",
    "Folder",
    "Pending",
    "RunState",
    "fingerprint_json",
    "fold",
    "message_json",
    "raw_json",
    "state_json",
    "terminal_json",
]


class Folder:
    """Folds record by record. After :meth:`feed` has raised, the folder takes no more records."""

    def __init__(self) -> None:
        self._meta: Meta | None = None
        self._parts: list[Part] = []
        # Whether the last part is also in a state that was given out, and must not grow.
        self._shared = False
        self._open: Record | None = None
        self._results: list[Record] = []
        self._last_turn: Record | None = None
        self._terminal: Record | None = None
        self._last_seq = 0
        self._last_kind: RecordKind = "meta"
        self._llm_calls = self._tool_calls = self._remote_calls = 0
        self._in = self._out = self._cache_read = self._cache_create = 0

    @property
    def last_seq(self) -> int:
        """The number of the last record taken; 0 before the first."""
        return self._last_seq

    @property
    def version(self) -> int | None:
        """The journal's schema version; None before ``meta``."""
        return None if self._meta is None else self._meta.version

    def feed(self, record: Record) -> None:
        """Take the next record. Raises NoMeta, NewerVersion or CorruptJournal (field ``seq``)."""
        if self._meta is None:
            self._begin(record)
            return
        seq, kind = record.seq, record.kind
        if seq <= self._last_seq:
            raise _corrupt(seq, f"seq {seq} not increasing after {self._last_seq}")
        if kind == "tool_result":
            if self._open is None:
                raise _corrupt(seq, f"tool result before any assistant turn at seq {seq}")
            self._results.append(record)
            self._tool_calls += 1
            if record.facts.remote:
                self._remote_calls += 1
        elif kind == "assistant":
            self._assistant(record)
        elif kind == "user":
            self._user(record)
        elif kind == "terminal":
            self._terminal = record
        else:
            raise _corrupt(seq, f"duplicate meta at seq {seq}")
        self._last_seq = seq
        self._last_kind = kind

    def _begin(self, record: Record) -> None:
        meta = record.payload
        if not isinstance(meta, Meta):
            raise NoMeta(
                sentence(
                    "the first record is {kind}, not meta (seq {seq})",
                    kind=record.kind,
                    seq=record.seq,
                ),
                seq=record.seq,
            )
        if not 1 <= meta.version <= VERSION:
            raise NewerVersion(
                sentence(
                    "written in journal version {version}; this program reads versions 1 to {own}",
                    version=meta.version,
                    own=VERSION,
                ),
                found=meta.version,
                supported=VERSION,
                seq=record.seq,
            )
        self._meta = meta
        self._parts = [[meta.prompt]]
        self._last_seq = record.seq

    def _assistant(self, record: Record) -> None:
        self._close()
        self._open = self._last_turn = record
        turn = record.facts
        self._llm_calls += 1
        self._in += turn.in_tokens
        self._out += turn.out_tokens
        self._cache_read += turn.cache_read_tokens
        self._cache_create += turn.cache_create_tokens

    def _user(self, record: Record) -> None:
        self._close()
        last = self._parts[-1]
        if isinstance(last, list):
            if self._shared:
                last = self._parts[-1] = [*last]
                self._shared = False
            last.append(record)
        elif last.facts.message.role == "user":
            self._parts[-1] = [last, record]
            self._shared = False
        elif record.facts.message.role == "user":
            self._add([record])
        else:
            self._add(record)

    def _close(self) -> None:
        """Commit the open turn, answered or not: the record that follows says it is over."""
        if self._open is not None:
            self._add(self._open)
            if self._results:
                self._add([*self._results])
                self._results = []
            self._open = None

    def _add(self, part: Part) -> None:
        self._parts.append(part)
        self._shared = False

    def state(self) -> RunState:
        """The state after the records so far. Raises EmptyJournal before the first."""
        meta = self._meta
        if meta is None:
            raise EmptyJournal(sentence("no records"))
        self._shared = True
        parts = [*self._parts]
        pending: Pending | None = None
        if self._open is not None:
            # Each id once, in the order of the results.
            answered = dict.fromkeys(answer.facts.tool_use_id for answer in self._results)
            if all(call.id in answered for call in calls(self._open.facts.message)):
                parts.append(self._open)
                if self._results:
                    parts.append([*self._results])
            else:
                pending = self._pending(self._open, list(answered))
        last = None if self._last_turn is None else self._last_turn.facts
        terminal = None if self._terminal is None else self._terminal.payload
        assert terminal is None or isinstance(terminal, Terminal)
        return RunState(
            run_id=meta.run_id,
            prompt=meta.prompt,
            version=meta.version,
            interactive=meta.interactive,
            created=meta.created,
            fingerprint=meta.fingerprint,
            next_iteration=0 if last is None else last.iteration + 1,
            last_stop_reason="" if last is None else last.stop_reason,
            counters=Counters(
                self._llm_calls,
                self._tool_calls,
                self._remote_calls,
                self._in,
                self._out,
                self._cache_read,
                self._cache_create,
            ),
            pending=pending,
            terminal=terminal,
            terminal_in_force=terminal if self._last_kind == "terminal" else None,
            terminal_seq=0 if self._terminal is None else self._terminal.seq,
            last_seq=self._last_seq,
            last_kind=self._last_kind,
            parts=parts,
        )

    def _pending(self, record: Record, answered: list[str]) -> Pending:
        turn = record.payload
        assert isinstance(turn, Assistant)
        answers = [
            answer.payload
            for answer in self._results
            if isinstance(answer.payload, ToolResultRecord)
        ]
        return Pending(
            turn.message,
            turn.iteration,
            turn.stop_reason,
            [answer.result for answer in answers],
            answered,
            [block_of(answer) for answer in answers],
        )


def _corrupt(seq: int, reason: str) -> CorruptJournal:
    return CorruptJournal(reason, seq=seq, reason=reason)


def fold(records: Iterable[Record | Mapping[str, Any]]) -> RunState:
    """The state that ``records`` lead to: Record objects, or mappings in the journal's own form.

    Raises EmptyJournal, NoMeta, NewerVersion or CorruptJournal.
    """
    with collector_off():
        folder = Folder()
        for item in records:
            if isinstance(item, Record):
                record = item
            else:
                try:
                    record = as_record(item, folder.version)
                except BadRecord as error:
                    if folder.version is None:
                        raise NoMeta(
                            sentence(
                                "the first record is not meta: {reason}",
                                reason=error.fields["reason"],
                            ),
                            seq=1,
                        ) from None
                    raise
            folder.feed(record)
        return folder.state()
