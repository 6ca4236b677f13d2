# SPDX-License-Identifier: Apache-2.0
"""Forks of Reasonix sessions: into a session that Tenuto writes, or into a run.

The session itself is only read, whatever generation it is of. A call without a result has none in
the fork either: the model is told so, and it is never run.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence

import msgspec

from tenuto.agent import session_notes
from tenuto.agent.resolve import ResolvedAgent
from tenuto.clock import rfc3339_now
from tenuto.errors import CannotFork, NoSuchRecord, StoreIO
from tenuto.fold import fold
from tenuto.reasonix.controller import Controller
from tenuto.reasonix.convert import session_records
from tenuto.reasonix.model import Message, Messages, results_after
from tenuto.reasonix.names import session_id
from tenuto.records import VERSION, Meta, Payload, Record, Terminal, encode_record
from tenuto.runs.companions import NOTES, journal_name
from tenuto.runs.file import FileRunStore
from tenuto.runs.files import explained
from tenuto.runs.ids import new_id
from tenuto.runs.load import check_whole, read_scan
from tenuto.runs.notes import Notes, Parent
from tenuto.runs.staging import Stage, staged
from tenuto.sentences import sentence


class SessionFork(msgspec.Struct, frozen=True):
    """What a fork made: a run's id or a session's, and its file."""

    id: str
    path: str
    #: The session it is of, and how many of its messages were taken.
    parent: str
    messages: int


def taken(messages: Messages, numbers: Sequence[int], at: int | None, id: str) -> list[Message]:
    """The messages up to number ``at`` (all for None), and the results that complete a turn.

    ``numbers``: those of the messages, ascending.

    :raises NoSuchRecord: there is none of that number.
    :raises CannotFork: nothing was said in them.
    """
    last = numbers[-1] if numbers else 0
    if at is not None and not 1 <= at <= last:
        raise NoSuchRecord(
            sentence(
                "session {id} has no message {at}; its last one is {last}", id=id, at=at, last=last
            ),
            id=id,
            seq=at,
            last=last,
        )
    count = len(messages) if at is None else bisect_right(numbers, at)
    end = results_after(messages, count)
    found = list(messages[:end])
    if not any(message.get("role") == "user" for message in found):
        raise CannotFork(
            sentence("nothing was said in session {id} up to there", id=id), id=id, seq=at or 0
        )
    return found


def fork_to_session(path: str, messages: list[Message], model: str, name: str = "") -> SessionFork:
    """A new session of generation A beside the one at ``path``, holding ``messages``.

    :raises StoreError: it cannot be written.
    """
    folder, key = os.path.split(os.path.abspath(path))
    if os.path.isdir(path):
        # Sessions of generation v4 have a folder of their own beside that of the others.
        folder = os.path.join(os.path.dirname(folder), "sessions")
        parent = key
    else:
        parent = session_id(key)
    with Controller(folder, model) as controller:
        made = controller.adopt(messages, parent, name)
    known = session_notes.recall(path)
    if known.config:
        # It goes on with what its parent went on with.
        session_notes.remember(made, known.config, known.cwd)
    return SessionFork(session_id(made), made, parent, len(messages))


def fork_to_run(
    store: FileRunStore,
    path: str,
    messages: list[Message],
    resolved: ResolvedAgent,
    name: str | None = None,
    cwd: str = "",
) -> SessionFork:
    """A new suspended run holding ``messages``, to be resumed with the configuration given.

    :raises RunExists: ``name`` is taken.
    :raises StoreIO: it cannot be written; nothing was made.
    """
    parent = os.path.basename(path) if os.path.isdir(path) else session_id(path)
    prompt, payloads = session_records(messages)
    id = name if name is not None else new_id()
    meta = Meta(VERSION, id, rfc3339_now(), resolved.fingerprint, prompt, False)
    ending = Terminal("suspended", f"forked from Reasonix session {parent}")
    notes = Notes(
        parent=Parent(parent, len(messages)), config=str(resolved.config.path), cwd=cwd or None
    )
    with staged(store.layer, store.directory, id) as stage:
        stage.add(journal_name(id), _lines([meta, *payloads, ending]))
        _verify(store, stage, id)
        stage.add(id + NOTES, [notes.to_bytes()])
    return SessionFork(id, store.path(id), parent, len(messages))


def _lines(payloads: list[Payload]) -> Iterator[bytes]:
    for seq, payload in enumerate(payloads, 1):
        yield encode_record(Record(seq, payload), seq)


def _verify(store: FileRunStore, stage: Stage, id: str) -> None:
    """:raises StoreIO: what was written is no run that could go on."""
    path = store.path(id)
    with stage.written(journal_name(id)) as fd, explained("read", path):
        found = read_scan(store.layer, fd)
        check_whole(found, path)
    if fold(found.records).pending is not None:
        raise StoreIO(
            sentence("{path} would have calls without a result: nothing was made", path=path),
            path=path,
        )
