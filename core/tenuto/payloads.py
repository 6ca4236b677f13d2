# SPDX-License-Identifier: Apache-2.0
"""What a record of a run journal holds (run-journal.md, "Records").

Unknown fields are refused by the typed decode on purpose: see :mod:`tenuto.decode`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec

from tenuto.errors import CorruptJournal
from tenuto.fingerprint import Fingerprint
from tenuto.messages import Block, Message, ToolResult

PROTOCOL_PREFIX = "io.choria.fisk-ai.v1.session."
VERSION = 3

RecordKind = Literal["meta", "assistant", "tool_result", "user", "terminal"]
TerminalReason = Literal["completed", "suspended", "error", "budget", "max_iterations"]
#: What Go's int64 holds; anything beyond is for the careful reader to refuse.
Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class Meta(msgspec.Struct, frozen=True, omit_defaults=True):
    version: Int64
    run_id: str
    #: RFC 3339 with nanoseconds, trailing zeros of the fraction trimmed; kept as text.
    created: str
    fingerprint: Fingerprint
    prompt: str
    interactive: bool = False


class Assistant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    iteration: Int64
    message: Message
    stop_reason: str = ""
    in_tokens: Int64 = 0
    out_tokens: Int64 = 0
    cache_read_tokens: Int64 = 0
    cache_create_tokens: Int64 = 0


class ToolResultRecord(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    tool_use_id: str
    result: ToolResult
    remote: bool = False
    #: Set only where the result of a version 1 or 2 journal is more than one text: the block as it
    #: was, which is what the conversation holds. Written as a field of its own, which fisk-ai
    #: ignores and reads ``result`` instead.
    block: Block | None = None


class User(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    message: Message


class Terminal(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    reason: str
    message: str = ""


Payload = Meta | Assistant | ToolResultRecord | User | Terminal


_KINDS: Final[dict[type, RecordKind]] = {
    Meta: "meta",
    Assistant: "assistant",
    ToolResultRecord: "tool_result",
    User: "user",
    Terminal: "terminal",
}


class Record:
    """One line of a journal: its number and its one payload. Not to be changed.

    ``line`` holds the exact bytes as read (without the newline) and is None for a record that was
    made here. Writing a record that has its line keeps every token of it, unknown fields included,
    but for the number. ``version`` is the schema version that ``line`` is in; the payload is always
    in the model of version 3.
    """

    __slots__ = ("_line", "_payload", "facts", "kind", "seq", "version")

    seq: int
    kind: RecordKind
    version: int
    #: The payload, or what stands for it as long as nobody has asked for the text in it: the same
    #: fields by the same names, but for the texts (:mod:`tenuto.decode`).
    facts: Any

    def __init__(
        self, seq: int, payload: Payload, line: bytes | None = None, version: int = VERSION
    ) -> None:
        self.seq = seq
        self.kind = _KINDS[type(payload)]
        self._line = line
        self.version = version
        self.facts = payload
        self._payload: Payload | None = payload

    @property
    def line(self) -> bytes | None:
        return self._line

    @property
    def payload(self) -> Payload:
        """The payload; decoded when first asked for."""
        assert self._payload is not None
        return self._payload

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return (self.seq, self.payload, self.line, self.version) == (
            other.seq,
            other.payload,
            other.line,
            other.version,
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Record({self.seq}, {self.payload!r}, {self.line!r}, {self.version})"


class UnparsableLine(CorruptJournal):
    """A line that is no record at all: dropped as a torn tail when it is the last one.

    Fields: reason, at (bytes into the line).
    """


class BadRecord(CorruptJournal):
    """A line that parses and is still no record: unknown protocol or no payload.

    Damage wherever it stands. Fields: seq, reason, protocol.
    """
