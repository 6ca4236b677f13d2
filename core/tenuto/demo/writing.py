# SPDX-License-Identifier: Apache-2.0
"""Writing the sample Reasonix sessions: generations A and B by Tenuto's own writers.

C and v4 are written by Reasonix alone, so what is made of them here has the form that its readers
go by (reasonix.md, 2.5 and 13), and no more.
"""

from __future__ import annotations

import base64
import hashlib
import os
import random
from collections.abc import Iterator
from itertools import accumulate, count, pairwise
from pathlib import Path
from typing import Any

import msgspec

from tenuto.agent import session_notes
from tenuto.clock import rfc3339
from tenuto.demo.sessions import Sessions, SessionStory, messages_of
from tenuto.reasonix.encode import encode_message, encode_value
from tenuto.reasonix.folders import SAMPLES, project_slug, samples_root
from tenuto.reasonix.frames import encode_frame
from tenuto.reasonix.lease import Lease
from tenuto.reasonix.meta import SCHEMA, Meta, utc
from tenuto.reasonix.model import Message
from tenuto.reasonix.names import EVENTS, new_session_path, session_id, sibling
from tenuto.reasonix.previews import authored_preview
from tenuto.reasonix.sidecar import WRITER, update_meta
from tenuto.reasonix.store import Saved, save_session
from tenuto.reasonix.v4 import FRAMES, WRITER_LOCK
from tenuto.runs.files import FileLayer

_SECOND = 1_000_000_000
#: Seconds, from and to: how long a message is waited for.
_TOOK = {"system": (0, 0), "user": (15, 70), "assistant": (3, 14), "tool": (0.1, 4)}
_CODEC = "reasonix.session.linear/v4"
_ZERO = "0001-01-01T00:00:00Z"


def write_sessions(folder: Path, sessions: Sessions, now: int) -> list[str]:
    """Make the sessions that are not there, as at ``now`` (ns); their paths.

    ``folder``: that of the samples. Raises OSError, StoreIO.
    """
    root = samples_root(folder)
    layer = FileLayer()
    with layer.make_dir(os.path.realpath(root)) as place:
        try:
            known = msgspec.json.decode(layer.read_all(place, SAMPLES), type=dict[str, str])
        except (FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError):
            known = {}
        made = []
        # The oldest first: a branch names the file of its parent.
        for story in reversed(sessions.stories):
            if story.key in known and os.path.lexists(root / known[story.key]):
                continue
            path = _Writer(folder, sessions, story, now, known).write()
            known[story.key] = os.path.relpath(path, root)
            made.append(path)
        if made or not known:
            # With it the sessions here become the only ones that are seen beside the runs.
            layer.atomic_write(place, SAMPLES, msgspec.json.encode(known) + b"\n")
    return made


class _Writer:
    """Writes one session."""

    def __init__(
        self, folder: Path, sessions: Sessions, story: SessionStory, now: int, known: dict[str, str]
    ) -> None:
        self._story = story
        self._model = sessions.model
        self._config = folder / f"{story.config}.yaml"
        self._messages = messages_of(sessions, story)
        #: The same figures each time: chance is for looks only.
        self._dice = random.Random(story.key)  # noqa: S311
        self._ended = now - story.seconds_ago() * _SECOND
        spans = [self._dice.uniform(*_TOOK[m["role"]]) for m in self._messages]
        #: When each message was there, after the first one: seconds.
        self._after = list(accumulate(spans[1:], initial=0.0))
        self._begun = self._ended - round(self._after[-1] * _SECOND)
        self._parent = session_id(known[story.parent]) if story.parent else ""
        root = samples_root(folder)
        self._workspace = folder / story.project if story.project else None
        if self._workspace is None:
            self._base = root
        else:
            self._workspace.mkdir(exist_ok=True)
            self._base = root / "projects" / project_slug(self._workspace)

    def write(self) -> str:
        """Its path."""
        path = self._write_v4() if self._story.generation == "v4" else self._write_plain()
        # Of use to the forks of those that cannot be resumed themselves, too.
        session_notes.remember(path, str(self._config), str(self._config.parent))
        return path

    # --- generations A, B and C ------------------------------------------------------------------

    def _write_plain(self) -> str:
        story = self._story
        free = count(self._begun).__next__
        path = new_session_path(self._base / "sessions", self._model, now=free)
        logged = story.generation == "C"
        # The checkpoint of a logged session may be behind its log.
        saved = save_session(path, self._messages[:2] if logged else self._messages)
        self._write_meta(path, saved)
        changed = path
        if logged:
            changed = sibling(path, EVENTS)
            Path(changed).write_bytes(b"".join(self._log()))
            os.chmod(changed, 0o600)
        if story.generation == "B":
            # What it leaves of its lock when nobody has it open any more.
            Lease.acquire(path).release()
        if story.damaged:
            lines = Path(path).read_bytes().splitlines(keepends=True)
            lines[-2] = lines[-2][: len(lines[-2]) // 2] + b"\n"
            Path(path).write_bytes(b"".join(lines))
        for file in {path, changed}:
            os.utime(file, ns=(self._ended, self._ended))
        return path

    def _write_meta(self, path: str, saved: Saved) -> None:
        story = self._story
        text, turns = authored_preview(self._messages)

        def change(meta: Meta) -> Meta:
            meta = msgspec.structs.replace(
                meta,
                created_at=utc(rfc3339(self._begun)),
                updated_at=utc(rfc3339(self._ended)),
                model=self._model,
                preview=text,
                turns=turns,
                schema_version=SCHEMA,
            )
            if self._workspace is not None:
                meta.scope, meta.workspace_root = "project", str(self._workspace)
            if self._parent:
                # A branch at the tip of what was there.
                meta.parent_id, meta.fork_turn = self._parent, -1
                meta.fork_message_index = self._taken()
            if story.generation == "A":
                meta.topic_title = story.title
            else:
                meta.custom_title = story.title
                # B counts its saves: this one is counted like any other.
                meta.revision = turns
            return meta

        update_meta(path, change, saved=saved)

    def _taken(self) -> int:
        """How many messages of the parent are here."""
        own = sum(1 + sum(call.output is not None for call in s.calls) for s in self._story.said)
        return len(self._messages) - own

    def _log(self) -> Iterator[bytes]:
        """The event log of generation C, a record for each turn."""
        starts = [at for at, message in enumerate(self._timed()) if message["role"] == "user"]
        cuts = [0, *starts[1:], len(self._messages)]
        digest = hashlib.sha256()
        for revision, (start, end) in enumerate(pairwise(cuts), 1):
            part = self._timed()[start:end]
            for message in part:
                digest.update(encode_message(message) + b"\n")
            record = {
                "schema_version": 1,
                "type": "append" if start else "replace",
                "revision": revision,
                "base_revision": revision - 1,
                "message_index": start,
                "messages": part,
                "content_digest": digest.hexdigest(),
                "writer_id": WRITER,
                "reason": "snapshot",
                "created_at": utc(rfc3339(self._moment(end - 1))),
            }
            yield encode_value(record) + b"\n"

    def _timed(self) -> list[Message]:
        """The messages with the times that the later generations keep with a prompt."""
        found = []
        for at, message in enumerate(self._messages):
            if message["role"] == "user" and "origin" not in message:
                said = {"origin": "user", "createdAt": self._moment(at) // 1_000_000}
                found.append(message | said)
            else:
                found.append(message)
        return found

    def _moment(self, at: int) -> int:
        """When the message at ``at`` was there."""
        return self._begun + round(self._after[at] * _SECOND)

    # --- generation v4 ---------------------------------------------------------------------------

    def _write_v4(self) -> str:
        story = self._story
        # Reasonix draws them at random; one that is there keeps its id.
        id = hashlib.md5(f"{story.key} {self._begun}".encode(), usedforsecurity=False).hexdigest()
        path = self._base / "sessions-v4" / id
        path.mkdir(parents=True, mode=0o700)
        manifest = {
            "schemaVersion": 4,
            "codec": _CODEC,
            "storageRevision": 3,
            "contentRoot": "../.content-v1",
            "sessionId": id,
            "createdAt": utc(rfc3339(self._begun)),
            "writerGeneration": 1,
        }
        frames = b"".join(self._frames())
        if story.torn:
            frames = frames[:-40]
        for name, data in (
            ("manifest.json", encode_value(manifest) + b"\n"),
            (FRAMES, frames),
            (WRITER_LOCK, b""),
        ):
            (path / name).write_bytes(data)
            os.chmod(path / name, 0o600)
        os.utime(path / FRAMES, ns=(self._ended, self._ended))
        return str(path)

    def _frames(self) -> Iterator[bytes]:
        """One batch for each thing that happened."""
        seq = 1
        for events, moment in self._batches():
            yield from _batch(seq, events, utc(rfc3339(moment)))
            seq += len(events)

    def _batches(self) -> Iterator[tuple[list[tuple[str, Any]], int]]:
        timed = self._timed()
        yield [_complete(timed[0]), ("session/config", {"modelRef": self._model})], self._begun
        open_turn = False
        for at, message in enumerate(timed[1:], 1):
            moment = self._moment(at)
            if message["role"] == "user" and not open_turn:
                open_turn = True
                yield [("turn/start", {"status": "in_progress"})], moment
            if message["role"] == "tool":
                yield self._result(message, moment, moment - self._moment(at - 1))
                continue
            yield [_complete(message)], moment
            if message["role"] == "assistant":
                calls = message.get("tool_calls", [])
                for call in calls:
                    yield [("tool/start", {"id": call["id"], "name": call["name"]})], moment
                if not calls:
                    open_turn = False
                    yield [("turn/end", {"status": "completed"})], moment

    def _result(
        self, message: Message, moment: int, nanoseconds: int
    ) -> tuple[list[tuple[str, Any]], int]:
        took = nanoseconds // 1_000_000
        execution = {"exitCode": 0, "durationMs": took}
        result = {
            "id": message["tool_call_id"],
            "name": message["name"],
            "output": message["content"],
            "durationMs": took,
            "startedAt": utc(rfc3339(moment - nanoseconds)),
            "endedAt": utc(rfc3339(moment)),
        }
        whole = message | {"tool_run_state": "completed", "tool_execution": execution}
        return [("tool/result", result), _complete(whole)], moment


def _complete(message: Message) -> tuple[str, Any]:
    return "message/complete", {"message": message}


def _batch(seq: int, events: list[tuple[str, Any]], moment: str) -> Iterator[bytes]:
    """Its frames. The end holds the checksum of the records before it, a NUL behind each."""
    commit = hashlib.md5(f"{seq} {moment}".encode(), usedforsecurity=False).hexdigest()
    same = {"commitId": commit, "firstSeq": seq, "eventCount": len(events)}
    begin = {"operationId": commit, "operationHash": "0", "writerGeneration": 1}
    records = [_record("batch/begin", moment, **same, **begin)]
    for number, (kind, payload) in enumerate(events, seq):
        event = {
            "id": f"{commit[:24]}{number:08x}",
            "seq": number,
            "kind": kind,
            "payload": base64.b64encode(encode_value(payload)).decode(),
        }
        records.append(_record("batch/event", _ZERO, event=event))
    digest = hashlib.sha256(b"".join(record + b"\0" for record in records)).hexdigest()
    records.append(_record("batch/end", _ZERO, **same, sha256=digest))
    return map(encode_frame, records)


def _record(kind: str, created: str, **members: Any) -> bytes:
    record = {"schemaVersion": 4, "codec": _CODEC, "recordType": kind, "createdAt": created}
    return encode_value(record | members)
