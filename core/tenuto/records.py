# SPDX-License-Identifier: Apache-2.0
"""The records of a run journal (run-journal.md, "Records"): their types, reading and writing."""

from __future__ import annotations

from tenuto.decode import decode_record
from tenuto.encode import as_record, encode_record
from tenuto.payloads import (
    PROTOCOL_PREFIX,
    VERSION,
    Assistant,
    BadRecord,
    Meta,
    Payload,
    Record,
    RecordKind,
    Terminal,
    TerminalReason,
    ToolResultRecord,
    UnparsableLine,
    User,
)

__all__ = [
    "PROTOCOL_PREFIX",
    "VERSION",
    "Assistant",
    "BadRecord",
    "Meta",
    "Payload",
    "Record",
    "RecordKind",
    "Terminal",
    "TerminalReason",
    "ToolResultRecord",
    "UnparsableLine",
    "User",
    "as_record",
    "decode_record",
    "encode_record",
]
