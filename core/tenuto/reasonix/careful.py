# SPDX-License-Identifier: Apache-2.0
"""One message read by Go's rules: the reading that decides wherever the quick one is in doubt.

Keys match without regard to case and the last one wins, ``null`` leaves a field as it was, invalid
UTF-8 and lone surrogates become U+FFFD, a value of a wrong type is an error (reasonix.md 2.2).
Unknown keys, which Go ignores, are kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from tenuto.gojson import float_repr, replace_surrogates
from tenuto.goparse import GoError, elements, fold_key, members
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


class _Spec:
    """The keys of one kind of object."""

    def __init__(self, what: str, keys: Mapping[str, Kind], always: frozenset[str]) -> None:
        self.what, self.keys, self.always = what, keys, always
        self.folded = {fold_key(key): key for key in keys}


_MESSAGE: Final = _Spec("a message", MESSAGE_KEYS, MESSAGE_ALWAYS)
_CALL: Final = _Spec("a tool call", CALL_KEYS, CALL_ALWAYS)
_CITATION: Final = _Spec("a citation", CITATION_KEYS, CITATION_ALWAYS)
_INT64: Final = range(-(2**63), 2**63)


class BadValue(ValueError):
    """A value that is no message. ``str(error)`` says why."""


def decode_message(raw: bytes) -> Message:
    """The message in ``raw``, one JSON text. ``null`` is a message in which nothing is set.

    :raises BadValue: it is no JSON, no object, or a field has a wrong type.
    """
    try:
        return _object(raw, _MESSAGE)
    except GoError as error:
        raise BadValue(f"{error.reason} (byte {error.offset + 1} of the value)") from None


def unknown_value(raw: bytes) -> Any:
    """The value of a key that this generation does not know, such that it can be written again."""
    try:
        return json.loads(raw.decode("utf-8", "replace"), parse_float=_number, parse_int=_integer)
    except RecursionError:
        return msgspec.Raw(raw)


def _number(token: str) -> float:
    number = float(token)
    try:
        same = float_repr(number) == token
    except ValueError:
        same = False
    return number if same else Number(token)


def _integer(token: str) -> int | float:
    # int() refuses more than 4,300 digits; nobody counts that far, but nobody loses them either.
    return int(token) if len(token) < 400 and token != "-0" else Number(token)


def _object(raw: bytes, spec: _Spec) -> dict[str, Any]:
    found = members(raw)
    if found is None:
        if raw.strip(b" \t\r\n") != b"null":
            raise BadValue(f"{_shown(raw)} is not {spec.what}")
        found = []
    known = spec.keys
    fields: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for key, value in found:
        name = key if key in known else spec.folded.get(fold_key(key))
        if name is None:
            unknown[key] = unknown_value(value)
        elif value != b"null":
            fields[name] = _field(value, known[name], name)
        elif known[name] in ("strings", "calls", "objects"):
            fields.pop(name, None)
    kept = {name: fields.get(name, "") for name in known if name in spec.always or fields.get(name)}
    return kept | unknown


def _field(raw: bytes, kind: Kind, name: str) -> Any:
    match kind:
        case "string":
            if raw[:1] == b'"':
                return _string(raw)
        case "bool":
            if raw in (b"true", b"false"):
                return raw == b"true"
        case "int":
            digits = raw.removeprefix(b"-")
            if digits.isdigit() and len(digits) < 20 and int(raw) in _INT64:
                return int(raw)
        case _:
            items = elements(raw)
            if items is not None:
                return [_element(item, kind, name) for item in items]
    raise BadValue(f"{_shown(raw)} cannot be the {name} of a message")


def _element(raw: bytes, kind: Kind, name: str) -> Any:
    match kind:
        case "calls":
            return _object(raw, _CALL)
        case "objects":
            return _object(raw, _CITATION)
        case _:
            return "" if raw == b"null" else _field(raw, "string", name)


def _string(raw: bytes) -> str:
    # One U+FFFD for every byte that is no UTF-8, as Go has it.
    text: str = json.loads(raw.decode("utf-8", "surrogateescape"))
    return replace_surrogates(text)


def _shown(raw: bytes) -> str:
    text = raw.strip(b" \t\r\n")
    start = text[:1]
    if start in (b"{", b"["):
        return "an object" if start == b"{" else "an array"
    return f"the value {text[:20].decode('utf-8', 'replace')}"
