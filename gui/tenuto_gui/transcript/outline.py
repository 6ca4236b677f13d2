# SPDX-License-Identifier: Apache-2.0
"""Where the prompts and the errors of a transcript are. Qt-free."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from tenuto.sources.base import Block

_ERRORS = ("error", "damaged", "torn", "budget", "max_iterations", "interrupted")


def is_error(block: Block) -> bool:
    """Something that went wrong: a failed or unknown call, an end nobody wanted, damage."""
    if block.kind == "tool_call":
        return block.state in ("failed", "unknown")
    return block.kind == "notice" and block.notice in _ERRORS


class Outline:
    """The rows of prompts and of errors, kept up to date while blocks come."""

    def __init__(self) -> None:
        self.prompts: list[int] = []
        self.errors: list[int] = []

    def update(self, first: int, blocks: Sequence[Block]) -> None:
        """Blocks from ``first`` on are others now; ``blocks`` are all of them."""
        for rows in (self.prompts, self.errors):
            del rows[bisect_left(rows, first) :]
        for row in range(first, len(blocks)):
            block = blocks[row]
            kind = block.kind
            if kind in ("text", "thinking"):
                continue
            if kind in ("prompt", "follow_up"):
                self.prompts.append(row)
            elif is_error(block):
                self.errors.append(row)

    def prompt_at(self, row: int) -> int:
        """Which prompt a block belongs to: its rank from 0, -1 before the first."""
        return bisect_right(self.prompts, row) - 1


def step(rows: Sequence[int], row: int, direction: int) -> int | None:
    """The next (+1) or previous (-1) of ``rows``, seen from ``row``; None where there is none."""
    if direction > 0:
        place = bisect_right(rows, row)
        return rows[place] if place < len(rows) else None
    place = bisect_left(rows, row) - 1
    return rows[place] if place >= 0 else None
