# SPDX-License-Identifier: Apache-2.0
"""What a session without a saved configuration was run with, as far as it tells by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from tenuto.sources.base import Block


class Setup(msgspec.Struct, frozen=True):
    """Instructions and tools of a session."""

    #: Texts of the instructions, in order; a session can have been given others on its way.
    instructions: tuple[str, ...] = ()
    #: Tools that it called and how often, most often first.
    tools: tuple[tuple[str, int], ...] = ()
    #: How often its program added something of its own to the conversation.
    added: int = 0
    #: How many summaries stand for what was compacted away.
    summaries: int = 0


def setup_of(blocks: Iterable[Block]) -> Setup:
    """From the blocks of its transcript. Pure."""
    instructions: dict[str, None] = {}
    notices: Counter[str] = Counter()
    tools: Counter[str] = Counter()
    for block in blocks:
        if block.kind == "tool_call":
            tools[block.name] += 1
        elif block.kind == "notice":
            notices[block.notice] += 1
            if block.notice == "system" and block.text.strip():
                instructions[block.text] = None
    used = sorted(tools.items(), key=lambda item: (-item[1], item[0]))
    return Setup(tuple(instructions), tuple(used), notices["host"], notices["summary"])
