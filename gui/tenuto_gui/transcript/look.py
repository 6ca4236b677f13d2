# SPDX-License-Identifier: Apache-2.0
"""What painting a block depends on besides the block and its shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """A block at this moment."""

    #: Its turn is the one that is going on.
    live: bool = False
    #: The worker asks about this call.
    waiting: bool = False
    #: Seconds since this call was seen to start.
    seconds: float | None = None
    #: "" none, "stream" text comes in, "hold" the run holds for the operator.
    caret: str = ""
    #: Selected offsets of the body.
    selected: tuple[int, int] | None = None
    #: The words of the header are selected, too.
    header_selected: bool = False
    #: The block has the keyboard focus.
    focused: bool = False
    #: What was looked for: offsets of the body, and of the words of the header.
    hits: Sequence[tuple[int, int]] = ()
    header_hits: Sequence[tuple[int, int]] = ()
    #: The hit that is stepped to: its rank among those of the header, then of the body; -1: none.
    hit_now: int = -1
