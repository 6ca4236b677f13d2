# SPDX-License-Identifier: Apache-2.0
"""Messages by the quick decoder, and whether they are certainly what Go's rules would make of them.

It may be wrong only towards doubt: whatever is unusual goes to :mod:`tenuto.reasonix.careful`.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from tenuto.goparse import fold_key
from tenuto.reasonix.careful import decode_message
from tenuto.reasonix.model import (
    CALL_ALWAYS,
    CALL_KEYS,
    MESSAGE_KEYS,
    Kind,
    Message,
)

decode_lines = msgspec.json.Decoder().decode_lines
_decode = msgspec.json.Decoder().decode
#: What the decoder raises; RecursionError for deep nesting.
BROKEN: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

_TYPES: Final[dict[Kind, type]] = {"string": str, "bool": bool, "int": int}
_FOLDED: Final = frozenset(fold_key(key) for key in (*MESSAGE_KEYS, *CALL_KEYS))
_CALL: Final = tuple(CALL_KEYS)[:3]
#: Keys in the order they came -> the types of their values; None: never certain.
_shapes: dict[tuple[str, ...], tuple[type, ...] | None] = {}
#: Files are somebody else's: the number of shapes that are remembered has an end.
_MOST_SHAPES: Final = 4096


def certain(value: Any) -> bool:
    """Whether ``value`` is a message as it stands: known types, nothing empty, nothing to merge."""
    if type(value) is not dict:
        return False
    keys = tuple(value)
    shape = _shapes.get(keys, ())
    if shape == ():
        shape = _shape(keys)
    if shape is None:
        return False
    values = value.values()
    if tuple(map(type, values)) != shape:
        return _with_unknown(value)
    if not all(values):
        return False
    calls = value.get("tool_calls")
    return calls is None or all(map(_certain_call, calls))


def message(raw: bytes) -> Message:
    """One message, by the quick way where it is certain, else by Go's rules. Raises BadValue."""
    try:
        value = _decode(raw)
    except BROKEN:
        return decode_message(raw)
    if certain(value):
        found: Message = value
        return found
    return decode_message(raw)


def _shape(keys: tuple[str, ...]) -> tuple[type, ...] | None:
    types: list[type] = []
    known = "role" in keys
    for key in keys:
        kind = MESSAGE_KEYS.get(key)
        if kind in ("string", "bool"):
            types.append(_TYPES[kind])
        elif kind == "calls":
            types.append(list)
        elif kind is None and fold_key(key) not in _FOLDED:
            # Of another generation: text, most often. Anything else is looked at one by one.
            types.append(str)
        else:
            known = False
    found = tuple(types) if known else None
    if len(_shapes) < _MOST_SHAPES:
        _shapes[keys] = found
    return found


def _with_unknown(value: dict[str, Any]) -> bool:
    """As :func:`certain`, for messages whose unknown keys hold something else than text."""
    for key, item in value.items():
        kind = MESSAGE_KEYS.get(key)
        if kind is None:
            # A nought may have been written as -0, which is another token.
            if type(item) not in (str, bool, int) or (item == 0 and item is not False):
                return False
        elif kind == "calls":
            if type(item) is not list or not item or not all(map(_certain_call, item)):
                return False
        elif type(item) is not _TYPES[kind] or not item:
            return False
    return True


def _certain_call(call: Any) -> bool:
    if type(call) is not dict:
        return False
    if tuple(call) == _CALL:
        return type(call["id"]) is type(call["name"]) is type(call["arguments"]) is str
    for key, item in call.items():
        kind = CALL_KEYS.get(key)
        if kind is None:
            if fold_key(key) in _FOLDED or type(item) not in (str, bool, int):
                return False
        elif type(item) is not _TYPES[kind] or (not item and key not in CALL_ALWAYS):
            return False
    return call.keys() >= CALL_ALWAYS
