# SPDX-License-Identifier: Apache-2.0
"""Log records at WARNING or above that a test did not declare."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@contextmanager
def recording() -> Iterator[list[logging.LogRecord]]:
    """Collect what reaches the root logger at WARNING or above."""
    collector = _Collector()
    root = logging.getLogger()
    root.addHandler(collector)
    try:
        yield collector.records
    finally:
        root.removeHandler(collector)


def unexpected(records: Sequence[logging.LogRecord], allowed: Sequence[str]) -> list[str]:
    """Name each record whose ``logger: message`` none of the patterns matches."""
    lines = [f"{record.name}: {record.getMessage()}" for record in records]
    return [
        f"unexpected log record: {line}"
        for line in lines
        if not any(re.search(pattern, line) for pattern in allowed)
    ]
