# SPDX-License-Identifier: Apache-2.0
"""The records of a run journal (run-journal.md, "Records")."""

from __future__ import annotations

from typing import Literal

import msgspec

from tenuto.fingerprint import Fingerprint
from tenuto.messages import Message, ToolResult

PROTOCOL_PREFIX = "io.choria.fisk-ai.v1.session."
VERSION = 3

RecordKind = Literal["meta", "assistant", "tool_result", "user", "terminal"]
TerminalReason = Literal["completed", "suspended", "error", "budget", "max_iterations"]


class Meta(msgspec.Struct, frozen=True, omit_defaults=True):
    version: int
    run_id: str
    #: RFC 3339 with nanoseconds, trailing zeros of the fraction trimmed; kept as text.
    created: str
    fingerprint: Fingerprint
    prompt: str
    interactive: bool = False


class Assistant(msgspec.Struct, frozen=True):
    iteration: int
    message: Message
    stop_reason: str = ""
    in_tokens: int = 0
    out_tokens: int = 0
    cache_read_tokens: int = 0
    cache_create_tokens: int = 0


class ToolResultRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    tool_use_id: str
    result: ToolResult
    remote: bool = False


class User(msgspec.Struct, frozen=True):
    message: Message


class Terminal(msgspec.Struct, frozen=True, omit_defaults=True):
    reason: str
    message: str = ""


Payload = Meta | Assistant | ToolResultRecord | User | Terminal


class Record(msgspec.Struct, frozen=True):
    """One line of a journal: its number and its one payload.

    ``line`` holds the exact bytes as read (without the newline) and is None for a record that was
    made here. Writing a record that has its line keeps every token of it, unknown fields included,
    but for the number.
    """

    seq: int
    payload: Payload
    line: bytes | None = None

    @property
    def kind(self) -> RecordKind:
        match self.payload:
            case Meta():
                return "meta"
            case Assistant():
                return "assistant"
            case ToolResultRecord():
                return "tool_result"
            case User():
                return "user"
            case Terminal():
                return "terminal"
