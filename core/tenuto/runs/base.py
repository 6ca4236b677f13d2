# SPDX-License-Identifier: Apache-2.0
"""What every run store is: the faces, and the rule for numbers on append.

The rule (run-journal.md, "Records"): a writer writes last_seq + 1; a lower or equal number is a
duplicate and ignored, a higher one is a gap and an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from tenuto.errors import SequenceGap
from tenuto.records import Meta, Payload, Record
from tenuto.sentences import sentence

#: What ``append`` takes: a record, its payload alone, or the JSON object of either as a mapping.
Appendable = Record | Payload | Mapping[str, Any]


class Journal(Protocol):
    """A run that is open for appending; the lock is held until :meth:`close`."""

    @property
    def id(self) -> str: ...

    @property
    def last_seq(self) -> int: ...

    def append(self, record: Appendable, seq: int | None = None) -> int: ...

    def records(self) -> list[Record]: ...

    def close(self) -> None: ...


class RunStore(Protocol):
    """Where runs live."""

    def create(self, id: str, meta: Meta | Mapping[str, Any]) -> Journal: ...

    def open(self, id: str) -> Journal: ...

    def load(self, id: str) -> list[Record]: ...

    def list(self) -> Iterable[Any]: ...

    def delete(self, id: str) -> Any: ...


def next_seq(last: int, seq: int | None) -> int | None:
    """The number to write, or None for a duplicate that is ignored.

    :raises SequenceGap: ``seq`` lies beyond ``last + 1``.
    """
    if seq is None or seq == last + 1:
        return last + 1
    if seq <= last:
        return None
    raise SequenceGap(
        sentence("record {seq} does not follow record {last}", seq=seq, last=last),
        seq=seq,
        expected=last + 1,
    )
