# SPDX-License-Identifier: Apache-2.0
"""Where the loop's records go, and the sums over them that a worker reports at the end."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from tenuto.fold import Counters
from tenuto.records import Assistant, Payload, ToolResultRecord


class Sink(Protocol):
    """A journal, as far as a recorder needs one."""

    def append(self, record: Payload, *, ms: int | None = None) -> int: ...


class MemoryJournal:
    """For a run that is not checkpointed: numbers, but no file."""

    def __init__(self) -> None:
        self.last_seq = 1  # the meta record that a journal would begin with

    def append(self, record: Payload, *, ms: int | None = None) -> int:
        self.last_seq += 1
        return self.last_seq


class CountingRecorder:
    """Passes records on and keeps the fold's counters, from where the journal left off."""

    def __init__(self, sink: Sink, counters: Counters | None = None) -> None:
        self._sink = sink
        self.counters = counters or Counters()

    def append(self, record: Payload, *, ms: int | None = None) -> int:
        seq = self._sink.append(record, ms=ms)
        sums = self.counters
        if isinstance(record, Assistant):
            self.counters = msgspec.structs.replace(
                sums,
                llm_calls=sums.llm_calls + 1,
                in_tokens=sums.in_tokens + record.in_tokens,
                out_tokens=sums.out_tokens + record.out_tokens,
                cache_read_tokens=sums.cache_read_tokens + record.cache_read_tokens,
                cache_create_tokens=sums.cache_create_tokens + record.cache_create_tokens,
            )
        elif isinstance(record, ToolResultRecord):
            self.counters = msgspec.structs.replace(sums, tool_calls=sums.tool_calls + 1)
        return seq

    def as_json(self) -> dict[str, Any]:
        """The seven sums, as ``finished`` reports them."""
        found: dict[str, Any] = msgspec.to_builtins(self.counters)
        return found
