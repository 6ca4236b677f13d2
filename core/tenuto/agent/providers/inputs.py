# SPDX-License-Identifier: Apache-2.0
"""Texts and tool inputs on their way between a provider's wire and the journal."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

import msgspec

from tenuto import gojson

#: Of a whole number; Python reads no more.
_MOST_DIGITS = 4300


def joined(pieces: Iterable[str]) -> str:
    """A streamed text; a surrogate pair that two chunks share becomes its character."""
    text = "".join(pieces)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def raw_input(text: str) -> msgspec.Raw:
    """A streamed tool input as the journal keeps it.

    A reply cut at the output limit may leave half a JSON text: that is kept as a JSON string, which
    no tool takes for its arguments.
    """
    text = joined([text])
    raw = text.encode()
    try:
        json.loads(raw, parse_constant=_refuse)
        return msgspec.Raw(gojson.compact(raw))
    except (ValueError, RecursionError):
        return msgspec.Raw(gojson.encode_string(text))


def plain(raw: bytes) -> Any:
    """The value of a JSON text, in what any request can hold.

    A journal keeps a model's tokens as they came. Lone surrogates and bytes that are no UTF-8
    become U+FFFD, numbers beyond what a program counts with stay as text, and so does the whole
    where it is nested too deeply.
    """
    text = raw.decode("utf-8", "replace")
    try:
        value = json.loads(text, parse_int=_whole, parse_float=_fraction)
        if "\\u" in text:
            whole = json.dumps(value, ensure_ascii=False)
            value = json.loads(gojson.replace_surrogates(whole))
    except (ValueError, RecursionError):
        return text
    return value


def _whole(token: str) -> int | str:
    return int(token) if len(token) <= _MOST_DIGITS else token


def _fraction(token: str) -> float | str:
    number = float(token)
    return number if math.isfinite(number) else token


def _refuse(token: str) -> None:
    raise ValueError(f"{token} is not JSON")


def object_input(value: Any) -> dict[str, Any]:
    """An input as APIs take it: an object; whatever else the model wrote, it sees inside one."""
    if isinstance(value, dict):
        return value
    return {} if value is None else {"input": value}
