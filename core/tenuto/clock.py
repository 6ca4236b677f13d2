# SPDX-License-Identifier: Apache-2.0
"""Time as the formats write it."""

from __future__ import annotations

import time


def rfc3339(nanoseconds: int) -> str:
    """RFC 3339 in UTC, the zeros at the end of the fraction trimmed, as Go writes it."""
    seconds, fraction = divmod(nanoseconds, 1_000_000_000)
    moment = time.gmtime(seconds)
    # Four digits, also before the year 1000: strftime gives as many as there are.
    text = f"{moment.tm_year:04d}" + time.strftime("-%m-%dT%H:%M:%S", moment)
    digits = f"{fraction:09d}".rstrip("0")
    return f"{text}.{digits}Z" if digits else f"{text}Z"


def rfc3339_now() -> str:
    return rfc3339(time.time_ns())
