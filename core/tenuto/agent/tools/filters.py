# SPDX-License-Identifier: Apache-2.0
"""``include`` and ``exclude`` with Go's regular expressions.

RE2 is Go's dialect: under another one a filter can mean something else, and expose a tool.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import re2

#: Bytes of compiled patterns; RE2 bounds time by itself.
_MAX_MEMORY = 8 * 1024 * 1024


@lru_cache(maxsize=512)
def _compile(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    return re2.compile(pattern, options)


def fault(pattern: str) -> str | None:
    """What is wrong with ``pattern``, or None."""
    try:
        _compile(pattern)
    except re2.error as error:
        reason = error.args[0] if error.args else "invalid"
        return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    return None


class Matcher:
    """One filter, compiled. Raises ValueError for a pattern that is none."""

    def __init__(self, patterns: Iterable[str], tags: Iterable[str]) -> None:
        patterns = list(patterns)
        for pattern in patterns:
            reason = fault(pattern)
            if reason is not None:
                raise ValueError(f"{pattern!r} is not a regular expression (RE2): {reason}")
        self._patterns = [_compile(pattern) for pattern in patterns]
        self._tags = frozenset(tags)

    def __bool__(self) -> bool:
        return bool(self._patterns or self._tags)

    def matches(self, name: str, tags: Iterable[str]) -> bool:
        """Any pattern found in the name, or any tag among the tags; ``""`` means untagged."""
        tags = tuple(tags)
        if any(pattern.search(name) for pattern in self._patterns):
            return True
        return any(tag in self._tags for tag in tags) or (not tags and "" in self._tags)
