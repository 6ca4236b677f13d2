# SPDX-License-Identifier: Apache-2.0
"""JSON as Go's ``encoding/json`` writes it (run-journal.md, "Byte form").

The journal's bytes and the guard's hashes are Go's bytes, so every writer of either goes through
here. Decoding is elsewhere: this module only makes bytes.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import msgspec

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_STRING_OR_SPACE = re.compile(rb'"(?:[^"\\]|\\.)*"|[ \t\r\n]+', re.DOTALL)


def html_escape(text: bytes) -> bytes:
    """A JSON text with what Go escapes beyond the minimum: HTML's three and JavaScript's two."""
    # None of the five can be part of an escape sequence or of another character's UTF-8 bytes.
    if b"<" in text or b">" in text or b"&" in text:
        text = text.replace(b"<", b"\\u003c").replace(b">", b"\\u003e").replace(b"&", b"\\u0026")
    if not text.isascii() and b"\xe2\x80" in text:
        text = text.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")
    return text


def replace_surrogates(text: str) -> str:
    """``text`` with every lone surrogate as U+FFFD, as Go's decoder leaves it."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def encode_any(value: Any) -> bytes:
    """Plain JSON, not Go's, of what msgspec takes; lone surrogates become U+FFFD.

    They stand for the bytes of a file name that is no UTF-8 and so cannot be in JSON.
    """
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        text = json.dumps(
            msgspec.to_builtins(value, order=None), ensure_ascii=False, separators=(",", ":")
        )
        return replace_surrogates(text).encode()


def encode_string(text: str) -> bytes:
    """The JSON string for ``text``, quotes included. Lone surrogates become U+FFFD."""
    try:
        raw = msgspec.json.encode(text)
    except UnicodeEncodeError:
        raw = msgspec.json.encode(replace_surrogates(text))
    # Asked of the text, not of its bytes: that is much cheaper, and most texts hold none.
    if "<" in text or ">" in text or "&" in text or "\u2028" in text or "\u2029" in text:
        return html_escape(raw)
    return raw


def compact(raw: bytes) -> bytes:
    """``raw`` (one valid JSON text) as Go re-writes a raw message.

    White space between tokens goes and the five characters are escaped; every token otherwise
    stays as it was written, numbers, escapes, key order and invalid UTF-8 included.
    Raises ValueError where a line break is left, since it would end a journal line.
    """
    parts = raw.split()
    if len(parts) == 1:
        # No white space inside at all, as most of what a model sends.
        return html_escape(parts[0])
    out = _STRING_OR_SPACE.sub(lambda m: m[0] if m[0][:1] == b'"' else b"", raw)
    if b"\n" in out:
        raise ValueError("a raw line break inside a JSON string")
    return html_escape(out)


def float_repr(number: float) -> str:
    """A float64 as Go prints it in JSON: shortest digits, no ``.0``, ``-0`` kept.

    The exponent form is used only below 1e-6 or from 1e21 (``1e-7``, ``1e+21``).
    Raises ValueError for an infinity or NaN, which JSON does not have.
    """
    if not math.isfinite(number):
        raise ValueError(f"{number} is not a JSON number")
    sign, mantissa, exponent = _parts(repr(number))
    # value = 0.DIGITS * 10**point
    digits = mantissa.replace(".", "").lstrip("0")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole.lstrip("0")) + exponent
    if not whole.lstrip("0"):
        point -= len(fraction) - len(fraction.lstrip("0"))
    digits = digits.rstrip("0")
    if not digits:
        return sign + "0"
    magnitude = abs(number)
    if magnitude < 1e-6 or magnitude >= 1e21:
        tail = "." + digits[1:] if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{tail}e{point - 1:+d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if point >= len(digits):
        return sign + digits + "0" * (point - len(digits))
    return f"{sign}{digits[:point]}.{digits[point:]}"


def _parts(text: str) -> tuple[str, str, int]:
    sign = "-" if text.startswith("-") else ""
    mantissa, _, exponent = text.lstrip("-").partition("e")
    return sign, mantissa, int(exponent or "0")


def canonical(value: Any) -> bytes:
    """Go's bytes for a decoded JSON value: keys sorted at every level, numbers as float64.

    Raises ValueError for what JSON or float64 cannot hold, and for nesting beyond what the
    interpreter can follow; TypeError for anything that is no JSON value.
    """
    out: list[bytes] = []
    try:
        _write(value, out)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return b"".join(out)


def _write(value: Any, out: list[bytes]) -> None:
    if value is None:
        out.append(b"null")
    elif value is True:
        out.append(b"true")
    elif value is False:
        out.append(b"false")
    elif isinstance(value, str):
        out.append(encode_string(value))
    elif isinstance(value, int | float):
        try:
            out.append(float_repr(float(value)).encode())
        except OverflowError:
            raise ValueError("a number beyond float64") from None
    elif isinstance(value, Mapping):
        # A key that only differs by a lone surrogate is the same key to Go: the last one wins.
        members = {replace_surrogates(key): item for key, item in value.items()}
        out.append(b"{")
        # Code point order is the order of the UTF-8 bytes, by which Go sorts.
        for index, key in enumerate(sorted(members)):
            out.append(b"," if index else b"")
            out.append(encode_string(key))
            out.append(b":")
            _write(members[key], out)
        out.append(b"}")
    elif isinstance(value, list | tuple):
        out.append(b"[")
        for index, item in enumerate(value):
            out.append(b"," if index else b"")
            _write(item, out)
        out.append(b"]")
    else:
        raise TypeError(f"{type(value).__name__} is no JSON value")


def parse(raw: bytes) -> Any:
    """Decode ``raw`` for :func:`canonical`: numbers as float64, whatever their length.

    Raises ValueError for what is not one JSON text. Invalid UTF-8 becomes U+FFFD.
    """

    def refuse(token: str) -> None:
        raise ValueError(f"{token} is not JSON")

    try:
        return json.loads(raw.decode("utf-8", "replace"), parse_int=float, parse_constant=refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None
