# SPDX-License-Identifier: Apache-2.0
"""One face for all kinds of sessions (design.md, "One face for all sources").

Windows and verbs see sessions only through these types; a new kind of session is a new
``SessionSource`` and changes nothing above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from tenuto.runs.listing import RunEntry, Skipped
from tenuto.runs.preview import (
    Integrity,
    PendingCall,
    Preview,
    PreviewCounters,
    PreviewTerminal,
    blank_facts,
)
from tenuto.runs.status import Call, Evidence, Status
from tenuto.sentences import Sentence

if TYPE_CHECKING:
    from tenuto.errors import NewerVersion
    from tenuto.sources.activity import Activity, Live
    from tenuto.sources.raw import RowsChanged
    from tenuto.sources.trashed import TrashListing
    from tenuto.watch import Changes

__all__ = [
    "GLANCE",
    "ActivityReader",
    "Block",
    "BlockKind",
    "BlocksChanged",
    "Call",
    "CallState",
    "Capabilities",
    "Capability",
    "Change",
    "Changed",
    "Evidence",
    "Forcing",
    "Integrity",
    "Listing",
    "PendingCall",
    "Preview",
    "PreviewCounters",
    "PreviewTerminal",
    "RecordReader",
    "SessionSource",
    "SessionSummary",
    "Skipped",
    "SourceName",
    "Status",
    "Transcript",
    "Watch",
    "blank_summary",
]

SourceName = Literal["fisk-ai", "reasonix"]
#: Rows that are shown before a large folder has been read: more than any screen has room for.
GLANCE = 80


class SessionSummary(Preview, kw_only=True, gc=False):
    """One row of a list: the sidecar's keys, then what only the moment of listing knows.

    Treat it as immutable: the same object may be shown in several places. (It is not frozen
    because a listing decodes the sidecar straight into it and then fills in the last fields: one
    object a row.)
    """

    source: SourceName = "fisk-ai"
    status: Status = "pending"
    evidence: Evidence | None = None
    #: Absolute path of the session's file.
    path: str = ""
    #: The operator's pin and note (one line of it); left out of JSON where there is none.
    pinned: bool | msgspec.UnsetType = msgspec.UNSET
    note: str | msgspec.UnsetType = msgspec.UNSET
    #: Id of the run that this one was forked from; left out of JSON where there is none.
    parent: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def tokens(self) -> int:
        """All tokens of the run: in, out, cache read and cache created."""
        c = self.counters
        return c.in_tokens + c.out_tokens + c.cache_read_tokens + c.cache_create_tokens

    @property
    def badge(self) -> str:
        """A mark of a few letters for what a source tells its kinds of sessions apart by; or ""."""
        return ""

    @property
    def group(self) -> str:
        """What the session belongs to, a project for example; "" for nothing."""
        return ""

    @property
    def origin(self) -> str:
        """Id, as a list has it, of the session that this one was forked from; "" for none."""
        return self.parent or ""

    @property
    def activity_key(self) -> tuple[int, str]:
        """Sort by this, ascending, for newest activity first; total, so the order is stable."""
        return (-self.mtime_ns, self.id)


def blank_summary(
    id: str, path: str, *, size: int = 0, mtime_ns: int = 0, inode: int = 0
) -> SessionSummary:
    """A row of which nothing but the file's own facts is known yet (status ``pending``)."""
    entry = RunEntry(id, path, size, mtime_ns, inode, 1)
    return SessionSummary(**blank_facts(entry), path=path)


class Listing(msgspec.Struct, frozen=True):
    """One look at a source: newest activity first.

    ``pending`` names the rows whose preview is missing or stale: they show what is known, and
    ``build_pending`` completes them. ``notice`` says in one sentence what is wrong with the folder
    as a whole (cannot be read, for example), else None. ``folders``: those that were looked at
    besides the source's own.
    """

    summaries: list[SessionSummary]
    skipped: list[Skipped]
    pending: frozenset[str]
    notice: Sentence | None = None
    folders: tuple[str, ...] = ()


class Changed(msgspec.Struct, frozen=True):
    """The answer to ``changes(ids)``: new summaries, sessions that are no more, what to build."""

    updated: list[SessionSummary]
    gone: frozenset[str]
    pending: frozenset[str] = frozenset()


class Capability(msgspec.Struct, frozen=True, gc=False):
    """Whether something can be done with a session; ``said`` and ``reason`` say why not.

    ``code`` is the stable word behind the reason, for translation: ``running completed damaged
    newer empty hard_linked read_only pending old_batch not_supported foreign leased``; "" when
    allowed.
    """

    allowed: bool
    code: str = ""
    said: Sentence | None = None

    @property
    def reason(self) -> str:
        """``said`` in English; "" when allowed."""
        return "" if self.said is None else str(self.said)


class Capabilities(msgspec.Struct, frozen=True):
    """What can be done with one session (design.md)."""

    resume: Capability
    force: Capability
    fork: Capability
    rename: Capability
    delete: Capability
    diff: Capability
    #: A pin and a note of the operator's, kept beside the session.
    note: Capability
    #: A file that holds it: complete, or for reading.
    export: Capability
    #: Going on with it in the program that it is from, in a terminal.
    hand_over: Capability


BlockKind = Literal["prompt", "text", "thinking", "tool_call", "follow_up", "notice"]

#: What became of a tool call. ``unknown``: it may have run, there is no result. "": not a call.
CallState = Literal["", "done", "failed", "denied", "running", "unknown", "not_started"]


class Change(msgspec.Struct, frozen=True, gc=False):
    """A field of the fingerprint that differed, as it was saved and as it was resumed with."""

    field: str
    saved: str | int | None = None
    current: str | int | None = None


class Forcing(msgspec.Struct, frozen=True, gc=False):
    """A resume that was forced under another configuration (``forced`` of a run's notes)."""

    #: RFC 3339.
    time: str
    #: Path of the configuration it went on with.
    config: str
    changes: tuple[Change, ...]


class Block(msgspec.Struct, frozen=True, gc=False):
    """One piece of a transcript, from the records alone; texts are raw, views sanitise them.

    ``seq`` is the record it comes from, ``index`` its place in that record's content.
    """

    kind: BlockKind
    seq: int
    index: int = 0
    #: The prompt, the reply, the thinking, the operator's words, or the notice's sentence.
    text: str = ""
    #: tool_call only: id and name of the call, its input as raw JSON.
    call_id: str = ""
    name: str = ""
    input: bytes = b""
    #: 1-based turn of the run, 0 for what belongs to none.
    turn: int = 0
    #: tool_call only: what the tool answered (a command's output unwrapped from its JSON, a
    #: denial's reason), None while there is no result.
    result: str | None = None
    result_seq: int | None = None
    is_error: bool = False
    state: CallState = ""
    exit_code: int | None = None
    #: The tool itself cut its output.
    truncated: bool = False
    #: notice only: a terminal reason (``suspended completed error budget max_iterations``) with
    #: its message as text, or ``interrupted forced torn damaged newer empty provider`` (a block
    #: of the provider's own, its kind as text), or ``system host summary`` (Reasonix:
    #: instructions, what the program added, what stands for messages that were compacted away).
    notice: str = ""
    #: A terminal record after which the run went on, and when.
    resumed: bool = False
    resumed_time: str = ""
    #: That resume was forced; or this notice (``forced``) stands where a run went on by force that
    #: no terminal record had ended.
    forced: Forcing | None = None
    #: ``newer`` only: the version of the journal.
    version: int = 0
    #: Where damage is: 1-based line, byte offset, bytes; 0 where unknown.
    line: int = 0
    offset: int = 0
    size: int = 0
    #: RFC 3339 where a times file has it, else "".
    time: str = ""
    #: Duration in milliseconds where a times file has it.
    ms: int | None = None


class BlocksChanged(msgspec.Struct, frozen=True, gc=False):
    """``refresh``: blocks ``first`` .. ``old_count`` were replaced; there are ``new_count`` now."""

    first: int
    old_count: int
    new_count: int


class Transcript(Protocol):
    """One session's blocks, read lazily and only forward."""

    @property
    def blocks(self) -> Sequence[Block]:
        """All blocks read so far."""

    def refresh(
        self, *, live: bool = False, stop: Callable[[], bool] | None = None
    ) -> BlocksChanged:
        """Read what was appended since the last call.

        ``live``: a process holds the session now. ``stop`` is asked now and then; True ends early.
        """

    def tail_blocks(self, size: int, *, live: bool = False) -> list[Block]:
        """The last blocks, from about the last ``size`` bytes alone; empty where that cannot be."""

    def close(self) -> None:
        """Let the file go."""


class Watch(Protocol):
    """Follows a source: tells of changes from a thread of its own. Start and stop once each."""

    def start(self) -> None:
        """Take the first look and begin; list the source after it, and nothing falls between."""

    def stop(self) -> None:
        """End it: nothing is told once this has returned."""

    def rescan(self) -> None:
        """Look at everything now."""


class ActivityReader(Protocol):
    """What one session did when, followed as it grows."""

    @property
    def newer(self) -> NewerVersion | None:
        """Set where a newer version wrote it."""

    def refresh(self, live: Live = "", stop: Callable[[], bool] | None = None) -> Activity:
        """Read what is new; what it all comes to. Raises RunNotFound, NotAFile, StoreIO."""


class RecordReader(Protocol):
    """One session's records as they are on disk, followed as they grow."""

    @property
    def newer(self) -> NewerVersion | None:
        """Set where a newer version wrote it."""

    def refresh(
        self,
        deliver: Callable[[RowsChanged], None],
        *,
        live: bool = False,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        """Read what is new, and hand it on in pieces. Raises RunNotFound, NotAFile, StoreIO."""

    def read(self, offset: int, size: int) -> bytes:
        """The bytes at this place, as they are now. Raises as ``refresh``."""


class SessionSource(Protocol):
    """A kind of session in one folder."""

    @property
    def name(self) -> SourceName:
        """The source's token, as in ``--source``."""

    @property
    def directory(self) -> str:
        """The folder, absolute."""

    def watch(self, on_change: Callable[[Changes], None]) -> Watch:
        """A watcher of all that is listed, not started yet."""

    def path(self, id: str) -> str:
        """Where a session is. Raises StoreError where no session can have that id."""

    def word(self, id: str) -> str:
        """What names the session on a command line."""

    def note(self, id: str) -> str:
        """The operator's note on a session, the whole of it; "" where there is none."""

    def list(self) -> Listing:
        """All sessions, from sidecars only: no session file is opened."""

    def build_pending(
        self,
        ids: Iterable[str] | None = None,
        *,
        on_built: Callable[[SessionSummary], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Changed:
        """Make the missing previews, those of the last ``list`` where no ids are given."""

    def changes(self, ids: Iterable[str]) -> Changed:
        """What became of these sessions."""

    def trashed(self) -> TrashListing:
        """What was deleted and can be brought back. Never raises: ``notice`` says what is wrong."""

    def trash_places(self) -> Sequence[str]:
        """Folders in which something happens when anything of that changes; some may not exist."""

    def open(self, id: str) -> Transcript:
        """The session's transcript. Raises RunNotFound, NotAFile, StoreIO."""

    def activity(self, id: str) -> ActivityReader:
        """What the session did when, as far as that is known."""

    def records(self, id: str) -> RecordReader:
        """What the session is on disk, piece by piece."""

    def capabilities(self, summary: SessionSummary) -> Capabilities:
        """What can be done with it, each with the reason when not."""
