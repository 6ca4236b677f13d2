# SPDX-License-Identifier: Apache-2.0
"""Time as the formats write it."""

from __future__ import annotations

import functools
import time


def rfc3339(nanoseconds: int) -> str:
    """RFC 3339 in UTC, the zeros at the end of the fraction trimmed, as Go writes it."""
    seconds, fraction = divmod(nanoseconds, 1_000_000_000)
    text = _to_the_second(seconds)
    digits = f"{fraction:09d}".rstrip("0")
    return f"{text}.{digits}Z" if digits else f"{text}Z"


@functools.lru_cache(maxsize=16)
def _to_the_second(seconds: int) -> str:
    # Kept, since records come in bursts: many of them have the same second.
    moment = time.gmtime(seconds)
    # Four digits, also before the year 1000: strftime gives as many as there are.
    return f"{moment.tm_year:04d}" + time.strftime("-%m-%dT%H:%M:%S", moment)


def rfc3339_now() -> str:
    return rfc3339(time.time_ns())
