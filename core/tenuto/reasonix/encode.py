# SPDX-License-Identifier: Apache-2.0
"""Messages as Reasonix writes them: Go's compact JSON, a line each (reasonix.md 2.1).

Known keys come first, in their order, and are left out when they are empty; keys of other
generations follow as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from tenuto.gojson import compact, encode_string, float_repr
from tenuto.reasonix.model import (
    CALL_ALWAYS,
    CALL_KEYS,
    CITATION_ALWAYS,
    CITATION_KEYS,
    MESSAGE_ALWAYS,
    MESSAGE_KEYS,
    Kind,
    Message,
    Number,
)

_KEYS: Final = {
    key: b'"' + key.encode() + b'":' for key in (*MESSAGE_KEYS, *CALL_KEYS, *CITATION_KEYS)
}
_WHAT: Final[dict[Kind, tuple[type, str]]] = {
    "string": (str, "a string"),
    "strings": (list, "a list of strings"),
    "bool": (bool, "true or false"),
    "int": (int, "an integer"),
    "calls": (list, "a list of objects"),
    "objects": (list, "a list of objects"),
}


def encode_message(message: Message) -> bytes:
    """One line, its newline included. Lone surrogates become U+FFFD.

    :raises TypeError: a key holds what no reader would take there.
    :raises ValueError: a number or a depth that JSON cannot hold.
    """
    try:
        return _object(message, MESSAGE_KEYS, MESSAGE_ALWAYS) + b"\n"
    except RecursionError:
        raise ValueError("a message is nested too deeply") from None


def _object(value: Any, known: Mapping[str, Kind], always: frozenset[str]) -> bytes:
    if not isinstance(value, dict):
        raise TypeError(f"a message or a part of it is {type(value).__name__}, not a dict")
    parts = []
    for key, kind in known.items():
        item = value.get(key)
        if item:
            parts.append(_KEYS[key] + _known(key, item, kind))
        elif key in always:
            parts.append(_KEYS[key] + b'""')
        elif item is not None and not isinstance(item, _WHAT[kind][0]):
            raise _wrong(key, kind)
    parts += [
        encode_string(key) + b":" + encode_value(value[key]) for key in value if key not in known
    ]
    return b"{" + b",".join(parts) + b"}"


def _known(key: str, item: Any, kind: Kind) -> bytes:
    if kind == "string":
        if isinstance(item, str):
            return encode_string(item)
    elif kind == "bool":
        if item is True:
            return b"true"
    elif kind == "int":
        if type(item) is int:
            return b"%d" % item
    elif isinstance(item, list | tuple):
        return b"[" + b",".join(_element(key, one, kind) for one in item) + b"]"
    raise _wrong(key, kind)


def _element(key: str, item: Any, kind: Kind) -> bytes:
    if kind == "calls":
        return _object(item, CALL_KEYS, CALL_ALWAYS)
    if kind == "objects":
        return _object(item, CITATION_KEYS, CITATION_ALWAYS)
    if isinstance(item, str):
        return encode_string(item)
    raise _wrong(key, kind)


def _wrong(key: str, kind: Kind) -> TypeError:
    return TypeError(f"the key {key} of a message must be {_WHAT[kind][1]}")


def encode_value(value: Any) -> bytes:
    """Any JSON value, the order of keys kept."""
    if value is None or isinstance(value, bool):
        return b"null" if value is None else b"true" if value else b"false"
    if isinstance(value, str):
        return encode_string(value)
    if isinstance(value, int):
        return b"%d" % value
    if isinstance(value, Number):
        return value.token.encode()
    if isinstance(value, float):
        return float_repr(value).encode()
    if isinstance(value, msgspec.Raw):
        return compact(bytes(value))
    if isinstance(value, Mapping):
        parts = (encode_string(key) + b":" + encode_value(item) for key, item in value.items())
        return b"{" + b",".join(parts) + b"}"
    if isinstance(value, list | tuple):
        return b"[" + b",".join(map(encode_value, value)) + b"]"
    raise TypeError(f"{type(value).__name__} is no JSON value")
