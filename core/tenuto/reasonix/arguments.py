# SPDX-License-Identifier: Apache-2.0
"""The arguments of a tool call: JSON in a string, sometimes cut off in the middle."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from tenuto.goparse import GoError, elements

_BROKEN: Final = (msgspec.MsgspecError, UnicodeError, RecursionError)
_decode = msgspec.json.Decoder().decode
_SPACE: Final = " \t\r\n"
#: A whole string, an open one, or a bracket.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|"|[{}\[\]]', re.DOTALL)
_CLOSERS: Final = {"{": "}", "[": "]"}


def valid_json(text: str) -> bool:
    """Whether Go's ``json.Valid`` takes ``text``."""
    try:
        _decode(text)
    except _BROKEN:
        # Numbers beyond float64, lone surrogates, deep nesting: Go takes those.
        try:
            elements(text.encode("utf-8", "replace"))
        except GoError:
            return False
    return True


def close_json(text: str) -> str:
    """``text`` made valid JSON by closing what is open in it; ``{}`` where that is not enough.

    A dangling escape is dropped, an open string closed, a trailing comma stripped, a trailing colon
    given ``null``, then brackets are closed, the last one first (reasonix.md 3, step 2).
    """
    closers: list[str] = []
    open_string = False
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign in _CLOSERS:
            closers.append(_CLOSERS[sign])
        elif sign in ("}", "]"):
            if closers:
                closers.pop()
        elif sign == '"':
            open_string = True
            break
    if open_string:
        if _escaped_end(text):
            text = text[:-1]
        text += '"'
    text = text.rstrip(_SPACE)
    if text.endswith(","):
        text = text[:-1]
    elif text.endswith(":"):
        text += "null"
    text += "".join(reversed(closers))
    return text if valid_json(text) else "{}"


def _escaped_end(text: str) -> bool:
    """Whether an odd number of backslashes ends ``text``."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1
