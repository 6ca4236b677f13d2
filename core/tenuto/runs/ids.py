# SPDX-License-Identifier: Apache-2.0
"""Run ids: what is one, and how a new one is made (run-journal.md, "Where it lives").

An id becomes a file name, so it is checked before it is ever part of a path.
"""

from __future__ import annotations

import os
import re
import time

from tenuto.errors import InvalidId
from tenuto.sentences import sentence

MAX_LENGTH = 128
# Explicit ASCII classes and fullmatch: ``\w`` takes accented letters, ``$`` takes a newline.
_is_id = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_-]*").fullmatch

#: Names that Windows gives to devices, whatever the extension. fisk-ai accepts them; a folder
#: that is ever copied to such a system could not hold them, so none is made here.
DEVICE_NAMES = frozenset(
    ["con", "prn", "aux", "nul"] + [f"com{n}" for n in range(10)] + [f"lpt{n}" for n in range(10)]
)

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_KSUID_EPOCH = 1_400_000_000
_KSUID_LENGTH = 27


def valid_id(text: object) -> bool:
    """Whether ``text`` is a run id."""
    return isinstance(text, str) and len(text) <= MAX_LENGTH and _is_id(text) is not None


def check_id(text: str) -> str:
    """``text`` itself, if it is a run id.

    :raises InvalidId: with what is wrong and what an id looks like.
    """
    if valid_id(text):
        return text
    shown = ascii(text if len(text) <= 140 else text[:140] + "...")
    if len(text) > MAX_LENGTH:
        raise InvalidId(
            sentence(
                "not a run id: {shown} has {count} characters, at most {most}",
                shown=shown,
                count=len(text),
                most=MAX_LENGTH,
            ),
            id=text,
        )
    raise InvalidId(
        sentence(
            "not a run id: {shown} (letters, digits, '-' and '_', beginning with a "
            "letter or digit)",
            shown=shown,
        ),
        id=text,
    )


def check_new_id(text: str) -> str:
    """``text`` itself, if a run of that id may be made.

    :raises InvalidId: also for device names, which stay readable where another program made them.
    """
    check_id(text)
    if text.casefold() in DEVICE_NAMES:
        raise InvalidId(
            sentence(
                "{text!r} is the name of a device on some systems: choose another id", text=text
            ),
            id=text,
        )
    return text


def new_id(now: float | None = None) -> str:
    """A new KSUID: 27 base-62 characters that sort by time (seconds), 128 random bits.

    ``now`` is in seconds since 1970; a clock outside of the KSUID range is clamped to it.
    """
    seconds = int(time.time() if now is None else now) - _KSUID_EPOCH
    stamp = min(max(seconds, 0), 2**32 - 1)
    number = int.from_bytes(stamp.to_bytes(4, "big") + os.urandom(16), "big")
    digits = []
    for _ in range(_KSUID_LENGTH):
        number, digit = divmod(number, 62)
        digits.append(_BASE62[digit])
    return "".join(reversed(digits))
