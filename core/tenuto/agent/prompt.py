# SPDX-License-Identifier: Apache-2.0
"""The system prompt of a call: the fingerprinted parts, then what is added to them."""

from __future__ import annotations

from collections.abc import Sequence

from tenuto.messages import Block, Message

#: Added on a resume, after the fingerprint is computed, and never stored.
RESUME_REMINDER = (
    "This conversation was resumed after a pause. The results of earlier tool calls may be out of "
    "date by now: check again before you rely on them."
)


def system_parts(fixed: Sequence[str], *, resumed: bool, added: Sequence[str] = ()) -> list[str]:
    """What is sent: ``fixed`` first, so that a cached prefix stays the same."""
    return [*fixed, *added, *([RESUME_REMINDER] if resumed else [])]


def add_user_blocks(messages: list[Message], blocks: Sequence[Block]) -> None:
    """Append to the conversation as the fold does: roles alternate, so a user message grows."""
    if messages and messages[-1].role == "user":
        messages[-1] = Message("user", [*(messages[-1].content or ()), *blocks])
    else:
        messages.append(Message("user", list(blocks)))
