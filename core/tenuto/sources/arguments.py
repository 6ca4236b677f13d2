# SPDX-License-Identifier: Apache-2.0
"""A tool's input as it goes on a command line, for the header of a call."""

from __future__ import annotations

import json
import re
from functools import lru_cache

import msgspec

from tenuto.text import single_line

#: A header shows one line; whatever is longer is in the tooltip up to here.
MAX_ARGUMENTS = 2_000

_plain_word = re.compile(r"[\w@%+=:,./\\^-]+")
_raw_fields = msgspec.json.Decoder(dict[str, msgspec.Raw])
_Scalar = str | bool | float | None
_value = msgspec.json.Decoder(str | bool | float | list[_Scalar] | dict[str, _Scalar] | None)


@lru_cache(maxsize=2048)
def arguments(raw: bytes) -> str:
    """``--name=value`` for each argument where all are simple, else the compact JSON.

    Numbers keep the token the model wrote. Control and bidirectional characters are made visible.
    """
    if not raw or len(raw) > MAX_ARGUMENTS * 4:
        return _compact(raw)
    try:
        words = [
            word for name, value in _raw_fields.decode(raw).items() for word in _words(name, value)
        ]
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _compact(raw)
    return _shown(" ".join(words))


def _words(name: str, raw: msgspec.Raw) -> list[str]:
    value = _value.decode(raw)
    if value is True:
        return [f"--{name}"]
    if isinstance(value, list):
        return [f"--{name}={_word(item, None)}" for item in value]
    if isinstance(value, dict):
        # A map goes as one pair a word.
        return [f"--{name}={key}={_word(item, None)}" for key, item in value.items()]
    return [f"--{name}={_word(value, raw)}"]


def _word(value: str | bool | float | None, raw: msgspec.Raw | None) -> str:
    match value:
        case str():
            return value if _plain_word.fullmatch(value) else json.dumps(value, ensure_ascii=False)
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
        case float() if raw is not None:
            return bytes(raw).decode("utf-8", "replace")
        case _:
            return f"{value:g}"


def _compact(raw: bytes) -> str:
    text = raw[: MAX_ARGUMENTS * 4].decode("utf-8", "replace")
    return "" if text in ("{}", "null") else _shown(text)


def _shown(text: str) -> str:
    """One line: line ends and tabs are pictures too."""
    return single_line(text)[:MAX_ARGUMENTS]
