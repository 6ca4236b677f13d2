# SPDX-License-Identifier: Apache-2.0
"""A new run that holds an old one up to a record, suspended (design.md, "Command line").

The old run is only read, without its lock. A fork never has a call whose outcome nobody knows, nor
one that the old run may still make: both would run it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import msgspec

from tenuto.clock import rfc3339_now
from tenuto.errors import CannotFork, EmptyJournal, NoSuchRecord, StoreIO
from tenuto.fold import RunState, fold, state_json
from tenuto.records import VERSION, Assistant, Meta, Record, Terminal, encode_record
from tenuto.runs import notes, times
from tenuto.runs.companions import NOTES, TIMES, journal_name
from tenuto.runs.file import FileRunStore
from tenuto.runs.files import explained
from tenuto.runs.ids import new_id
from tenuto.runs.load import check_whole, read_scan, with_path
from tenuto.runs.notes import Notes, Parent
from tenuto.runs.reader import JournalScan
from tenuto.runs.staging import Stage, staged
from tenuto.sentences import sentence

#: What a reply that was cut off says of itself: its calls are never run, a resume answers them.
CUT = ("max_tokens", "model_context_window_exceeded")
_MOST = 2**64 - 1


class Forked(msgspec.Struct, frozen=True):
    """What a fork made."""

    id: str
    directory: str
    #: The old run, and the last record that was taken over.
    parent: Parent
    #: The record that was asked for: an earlier one, where the end of its batch was taken too.
    asked: int
    #: Records of the new run, its terminal record included.
    records: int
    #: The journal version of the old run; the new one is of version 3.
    version: int
    files: tuple[str, ...]


def fork(store: FileRunStore, id: str, seq: int, name: str | None = None) -> Forked:
    """Make a run out of the records 1 to ``seq`` of run ``id``; verified and durable on return.

    Where ``seq`` lies inside a batch of tool calls, the results that complete it are taken too.
    ``name``: the id of the new run, else a new one is made.

    :raises RunNotFound: there is no run ``id``.
    :raises NoSuchRecord: it has no record ``seq``.
    :raises JournalError: it cannot be read up to there.
    :raises CannotFork: the batch is not complete.
    :raises RunExists: ``name`` is taken.
    :raises StoreIO: the system said no; nothing was made.
    """
    found = store.scan(id)
    taken = _taken(found, store.path(id), id, seq)
    last = taken[-1].seq
    meta = taken[0].payload
    if not isinstance(meta, Meta):
        raise EmptyJournal(sentence("run {id} has no meta record", id=id))
    new = name if name is not None else new_id()
    parent = Parent(id, last)
    lines = _lines(taken, meta, new, f"forked from {id} at record {last}")
    with staged(store.layer, store.directory, new) as stage:
        stage.add(journal_name(new), lines)
        _verify(store, stage, taken, new)
        _add_companions(store, stage, id, parent, taken)
        files = stage.names
    count = len(taken) + 1
    return Forked(new, store.directory, parent, seq, count, found.version or VERSION, files)


# --- what is taken -------------------------------------------------------------------------------


def _taken(found: JournalScan, path: str, id: str, seq: int) -> list[Record]:
    """The records for the fork; terminal records at their end are left to the old run."""
    records = found.records
    if not records or not isinstance(records[0].payload, Meta):
        error = found.error or EmptyJournal(
            sentence("the run was never started: its journal is empty")
        )
        raise with_path(error, path)
    last = records[-1].seq
    if seq not in {record.seq for record in records}:
        if found.error is not None and seq > last:
            raise with_path(
                type(found.error)(
                    sentence(
                        "{what}; record {last} is the last that can be forked at",
                        what=found.error.sentence,
                        last=last,
                    ),
                    **found.error.fields,
                ),
                path,
            )
        raise NoSuchRecord(
            sentence(
                "run {id} has no record {seq}; its last one is {last}", id=id, seq=seq, last=last
            ),
            id=id,
            seq=seq,
            last=last,
        )
    if last == _MOST:
        raise CannotFork(
            sentence("run {id} has no number left for another record", id=id), id=id, seq=seq
        )
    count = _end_of_batch(records, seq, id)
    while records[count - 1].kind == "terminal":
        count -= 1
    return records[:count]


def _end_of_batch(records: list[Record], seq: int, id: str) -> int:
    """How many records to take, so that no call of the last turn lacks its result."""
    count = sum(record.seq <= seq for record in records)
    start = next((n for n in reversed(range(count)) if records[n].kind in ("assistant", "user")), 0)
    turn = records[start].payload
    if not isinstance(turn, Assistant):
        return count
    blocks = turn.message.content or []
    open_calls = {block.tool_use.id for block in blocks if block.tool_use is not None}
    for record in records[start + 1 : count]:
        open_calls.discard(_answers(record))
    end = count
    while open_calls and end < len(records) and records[end].kind in ("tool_result", "terminal"):
        open_calls.discard(_answers(records[end]))
        end += 1
    if not open_calls:
        return end
    if turn.stop_reason in CUT:
        return count
    nearest = next(r.seq for r in reversed(records[:start]) if r.kind != "terminal")
    raise CannotFork(
        sentence(
            "record {seq} of run {id} lies in a batch of tool calls without all its "
            "results: both runs could make those calls; fork at record {nearest}, "
            "before them",
            seq=seq,
            id=id,
            nearest=nearest,
        ),
        id=id,
        seq=seq,
        nearest=nearest,
    )


def _answers(record: Record) -> str:
    return record.facts.tool_use_id if record.kind == "tool_result" else ""


# --- what is written -----------------------------------------------------------------------------


def _lines(taken: list[Record], meta: Meta, id: str, message: str) -> Iterator[bytes]:
    saved = meta.fingerprint
    fingerprint = msgspec.structs.replace(saved, provider=saved.provider or "anthropic")
    first = msgspec.structs.replace(
        meta, version=VERSION, run_id=id, created=rfc3339_now(), fingerprint=fingerprint
    )
    yield encode_record(Record(taken[0].seq, first), taken[0].seq)
    for record in taken[1:]:
        # Of version 3 every token is kept; older ones are written anew.
        yield encode_record(record, record.seq)
    last = taken[-1].seq + 1
    yield encode_record(Record(last, Terminal("suspended", message)), last)


def _verify(store: FileRunStore, stage: Stage, taken: list[Record], id: str) -> None:
    """Read what was written and compare it with what it was made of.

    :raises StoreIO: it is not the same.
    """
    path = store.path(id)
    with stage.written(journal_name(id)) as fd, explained("read", path):
        found = read_scan(store.layer, fd)
        _, made = check_whole(found, path)
    same = found.tail is None and _held(made) == _held(fold(taken)) | {
        "run_id": id,
        "version": VERSION,
        "terminal": ("suspended", taken[-1].seq + 1),
    }
    if not same:
        raise StoreIO(
            sentence("{path} is no true copy of its parent: nothing was made", path=path), path=path
        )


def _held(state: RunState) -> dict[str, Any]:
    """What a resume goes on from; JSON as values, since a journal of version 3 compacts it."""
    whole = state_json(state)
    whole["fingerprint"].setdefault("provider", "anthropic")
    terminal = state.terminal_in_force
    return whole | {"terminal": terminal and (terminal.reason, state.terminal_seq)}


def _add_companions(
    store: FileRunStore, stage: Stage, id: str, parent: Parent, taken: list[Record]
) -> None:
    new, last = stage.id, parent.seq
    old = notes.load(store.directory, id, layer=store.layer)
    mine = Notes(parent=parent, config=old.config, cwd=old.cwd)
    stage.add(new + NOTES, [mine.to_bytes()])
    known = times.read(store.directory, id, layer=store.layer)
    kept = [known[seq] for seq in sorted(known) if seq <= last]
    if kept:
        stage.add(new + TIMES, (msgspec.json.encode(item) + b"\n" for item in kept))
    _add_backup(store, stage, id, taken)


def _add_backup(store: FileRunStore, stage: Stage, id: str, taken: list[Record]) -> None:
    """The records in their old form, where they have one.

    The hashes that were saved are then of that form, and what lies beside the journal tells the
    guard so.
    """
    meta = taken[0].payload
    assert isinstance(meta, Meta)
    if meta.version < VERSION:
        lines = (record.line + b"\n" for record in taken if record.line is not None)
        stage.add(f"{stage.id}.v{meta.version}.bak", lines)
        return
    last = taken[-1].seq
    for version in (1, 2):
        found = _scan_backup(store, f"{id}.v{version}.bak")
        if found is not None:
            lines = (r.line + b"\n" for r in found.records if r.line is not None and r.seq <= last)
            stage.add(f"{stage.id}.v{version}.bak", lines)


def _scan_backup(store: FileRunStore, name: str) -> JournalScan | None:
    layer = store.layer
    with explained("read", os.path.join(store.directory, name)):
        with layer.open_dir(store.directory) as folder:
            try:
                fd, _ = layer.open_regular(folder, name)
            except FileNotFoundError:
                return None
        try:
            return read_scan(layer, fd)
        finally:
            layer.drop(fd)
