# SPDX-License-Identifier: Apache-2.0
"""Which block stands for a record: how other views lead into the transcript."""

from __future__ import annotations

from collections.abc import Sequence

from tenuto.sources.base import Block


def row_of(blocks: Sequence[Block], seq: int, index: int = 0) -> int:
    """The block of record ``seq``, and of that place in its content where it has one there.

    A tool result is shown with its call. -1 when nothing of the record is shown.
    """
    first = -1
    for row, block in enumerate(blocks):
        if block.seq == seq:
            if block.index == index and block.notice != "damaged":
                return row
            first = row if first < 0 else first
        elif block.result_seq == seq and first < 0:
            first = row
    return first
