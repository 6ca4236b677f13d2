# SPDX-License-Identifier: Apache-2.0
"""The provider-neutral messages of journal version 3 (run-journal.md, "The neutral message model").

Field order is the journal's key order: ``msgspec`` writes fields as they stand here.
``None`` and defaults are left out on write, as Go's ``omitempty`` does, where the format says so.
Unknown fields are refused here so that a fast decode notices them: the careful reader
(:mod:`tenuto.records`) then decides, and keeps them in the record's line.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Role = Literal["user", "assistant"]


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str


class Thinking(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    text: str = ""
    #: base64 of the bytes the provider signed; echoed verbatim.
    signature: str = ""


class ToolUse(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    #: Raw JSON, token for token as the model wrote it (``b""`` when the journal has none).
    input: msgspec.Raw


class ToolResult(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    tool_use_id: str
    content: str
    is_error: bool = False


class Provider(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Any other block, kept as it is: redacted thinking, server tools, images."""

    kind: str
    raw: msgspec.Raw


class Block(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Exactly one field is set."""

    text: Text | None = None
    thinking: Thinking | None = None
    tool_use: ToolUse | None = None
    tool_result: ToolResult | None = None
    provider: Provider | None = None


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: str
    #: None is how Go writes an empty reply.
    content: list[Block] | None


def user_text(text: str) -> Message:
    """A user message of one text block."""
    return Message("user", [Block(text=Text(text))])
