# SPDX-License-Identifier: Apache-2.0
"""The orders of the list, as keys to sort by; and text as it is compared."""

from __future__ import annotations

import unicodedata
from datetime import UTC
from functools import lru_cache
from typing import Any, Literal

from tenuto.sources.base import SessionSummary
from tenuto_gui import format as fmt

Sort = Literal["activity", "created", "name", "tokens"]


def fold_text(text: str) -> str:
    """Text as the filter compares it: compatibility forms unified, case folded."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).casefold()


def order_key(summary: SessionSummary, sort: Sort) -> tuple[bool, Any, str]:
    """Pinned sessions come first in every order."""
    place: Any
    if sort == "activity":
        place = summary.activity_key[0]
    elif sort == "created":
        place = -_moment(summary.created)
    elif sort == "name":
        place = fold_text(summary.title or summary.id)
    else:
        place = -summary.tokens
    return (summary.pinned is not True, place, summary.id)


@lru_cache(maxsize=1 << 15)
def _moment(text: str) -> float:
    """A number that grows with the time; 0 for what is none.

    Times in UTC, as all are that programs write, are read without a parser that takes every form:
    10,000 calls of that would be most of a sort.
    """
    if text[10:11] == "T" and text[-1:] == "Z" and text[17:18].isdecimal():
        try:
            days = 372 * int(text[:4]) + 31 * int(text[5:7]) + int(text[8:10])
            return (
                86400 * days + 3600 * int(text[11:13]) + 60 * int(text[14:16]) + float(text[17:-1])
            )
        except ValueError:
            return 0
    then = fmt.parse_time(text)
    return _moment(f"{then.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z") if then is not None else 0
