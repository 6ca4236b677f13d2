# SPDX-License-Identifier: Apache-2.0
"""Reading what a model wrote as a tool's input, numbers token for token."""

from __future__ import annotations

import json
from typing import Any

from tenuto import gojson


class Number(str):
    """A JSON number as it was written: ``1.50`` stays ``1.50``."""

    __slots__ = ()


def _refuse(token: str) -> None:
    raise ValueError(f"{token} is not JSON")


def parse_object(raw_input: bytes) -> dict[str, Any]:
    """The input's members. Absent, ``null`` and ``{}`` are no members. Raises ValueError.

    Strings have U+FFFD where they had lone surrogates or invalid UTF-8; of a repeated key the last
    value counts.
    """
    if not raw_input.strip():
        return {}
    text = raw_input.decode("utf-8", "replace")
    try:
        value = json.loads(text, parse_int=Number, parse_float=Number, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("invalid JSON arguments: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"invalid JSON arguments: {error}") from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError(f"the arguments must be a JSON object, not {kind_of(value)}")
    return {gojson.replace_surrogates(key): item for key, item in value.items()}


def kind_of(value: Any) -> str:
    """The JSON kind of a parsed value, for messages."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, Number):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def scalar_text(value: Any) -> str:
    """A scalar as it goes on a command line. Raises ValueError for arrays and objects."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return gojson.replace_surrogates(value)
    raise ValueError(f"unsupported value type {kind_of(value)}")


def check_arguments(arguments: list[str]) -> list[str]:
    """``arguments``, unless one holds a NUL, which no system can pass. Raises ValueError."""
    if any("\0" in argument for argument in arguments):
        raise ValueError("an argument contains a NUL character")
    return arguments


def quote(text: str) -> str:
    """``text`` in double quotes as Go's ``%q`` writes it."""
    out = []
    for character in text:
        code = ord(character)
        if character in '"\\':
            out.append("\\" + character)
        elif character == " " or character.isprintable():
            out.append(character)
        elif character in _SHORT:
            out.append(_SHORT[character])
        elif code < 0x80:
            out.append(f"\\x{code:02x}")
        else:
            out.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
    return '"' + "".join(out) + '"'


_SHORT = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}
