# SPDX-License-Identifier: Apache-2.0
"""Reading JSON as Go's ``encoding/json`` reads it into structs.

The journal's first reader is a Go program, and what that program takes, drops or refuses decides
what a line means (reliability.md, "Reader conformance"). Python's parsers differ in both
directions, so every line on which a fast parser has the slightest doubt comes here:

* known keys match without regard to case, the last occurrence wins, a repeated object is merged
  into the first one, unknown keys are checked for syntax and ignored;
* invalid UTF-8 and lone surrogates become U+FFFD, one for each byte or escape;
* ``null`` leaves a field as it was; a number for an integer field must be written as an integer
  that fits; raw JSON is kept byte for byte;
* objects and arrays nest up to 10,000 deep, which is followed without recursion.
"""

from __future__ import annotations

import base64
import calendar
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Final, Literal

#: Go's limit on nesting, counted over the whole text.
MAX_DEPTH: Final = 10_000

Scalar = Literal["string", "int64", "uint64", "bool", "base64", "time", "raw"]


@dataclass(frozen=True)
class Struct:
    """A Go struct: its JSON keys and what each holds."""

    fields: dict[str, Kind]


@dataclass(frozen=True)
class Pointer:
    """A Go pointer to a struct: ``null`` clears it."""

    to: Struct


@dataclass(frozen=True)
class Slice:
    """A Go slice of structs: ``null`` clears it, ``[]`` does not."""

    of: Struct


Kind = Scalar | Struct | Pointer | Slice


class GoError(ValueError):
    """What Go would refuse. ``offset`` is in bytes of the text."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


class _RefusedError(Exception):
    """Inside one parse: the offset is still one of characters."""

    def __init__(self, reason: str, at: int) -> None:
        # Python's own words for a string may end "(starting) at", as the place follows there.
        self.reason = reason.removesuffix(" at").removesuffix(" starting")
        super().__init__(self.reason)
        self.at = at


_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LITERALS = {"t": "true", "f": "false", "n": "null"}
_SURROGATE = re.compile("[\ud800-\udfff]")
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-](\d\d):(\d\d))", re.ASCII
)


def _no_constant(token: str) -> Any:
    raise ValueError(f"{token} is not JSON")


# Numbers are only looked at where a field wants one: what is skipped may be 1e400 or 5,000 digits.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=_no_constant)
_scan_once = _DECODER.scan_once  # type: ignore[attr-defined]


def fold_key(key: str) -> str:
    """``key`` as Go compares it: Unicode simple folding, which for ASCII names adds two letters."""
    return key.replace("\u017f", "s").lower()


def parse(line: bytes, spec: Struct) -> dict[str, Any] | None:
    """Read one JSON text into ``spec``. None for the text ``null``, which sets nothing.

    Only fields that were there are in the result: strings, ints, bools, bytes for ``raw`` (exactly
    as they stand in ``line``) and for ``base64`` (decoded), dicts, lists of dicts.
    Raises GoError where Go would return an error.
    """
    text = line.decode("utf-8", "surrogateescape")
    parser = _Parser(text)
    try:
        start = parser.space(0)
        target: dict[str, Any] = {}
        end = parser.struct(start, spec, target, 0)
        parser.finish(end)
        return None if text.startswith("null", start) else target
    except _RefusedError as error:
        raise _located(text, error) from None


def members(line: bytes) -> list[tuple[str, bytes]] | None:
    """The keys and raw values of one JSON object in their order; None if the text is no object.

    Raises GoError for what is not JSON.
    """
    text = line.decode("utf-8", "surrogateescape")
    parser = _Parser(text)
    try:
        start = parser.space(0)
        if not text.startswith("{", start):
            parser.finish(parser.skip(start, 0))
            return None
        found = []
        end = start
        for key, value, after in parser.object_members(start, 0):
            if value >= 0:
                found.append((key, _raw(text[value:after])))
            end = after
        parser.finish(end)
        return found
    except _RefusedError as error:
        raise _located(text, error) from None


def elements(line: bytes) -> list[bytes] | None:
    """The raw elements of one JSON array; None if the text is no array. Raises GoError."""
    text = line.decode("utf-8", "surrogateescape")
    parser = _Parser(text)
    try:
        start = parser.space(0)
        if not text.startswith("[", start):
            parser.finish(parser.skip(start, 0))
            return None
        found = []
        end = start
        for value, after in parser.array_elements(start, 0):
            if value >= 0:
                found.append(_raw(text[value:after]))
            end = after
        parser.finish(end)
        return found
    except _RefusedError as error:
        raise _located(text, error) from None


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _located(text: str, error: _RefusedError) -> GoError:
    return GoError(error.reason, len(_raw(text[: error.at])))


class _Parser:
    """One text. Every method takes and returns positions in characters."""

    def __init__(self, text: str) -> None:
        self._text = text

    def space(self, at: int) -> int:
        # Nearly always there is none: the pattern is for the rest.
        if self._text[at : at + 1] > " ":
            return at
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def finish(self, at: int) -> None:
        end = self.space(at)
        if end != len(self._text):
            raise self._unexpected(end, "after the value")

    def _unexpected(self, at: int, where: str) -> _RefusedError:
        if at >= len(self._text):
            return _RefusedError("unexpected end of JSON input", at)
        char = self._text[at]
        shown = _raw(char).hex() if _SURROGATE.match(char) or ord(char) < 0x20 else repr(char)
        return _RefusedError(f"invalid character {shown} {where}", at)

    # --- values that are only checked ----------------------------------------------------------

    def skip(self, at: int, depth: int) -> int:
        """The end of the value at ``at``, which lies ``depth`` containers deep."""
        try:
            _, end = _scan_once(self._text, at)
        except StopIteration as error:
            place = error.value if isinstance(error.value, int) else at
            raise self._unexpected(place, "looking for a value") from None
        except RecursionError:
            return self._skip_deep(at, depth)
        except json.JSONDecodeError as error:
            raise _RefusedError(error.msg, error.pos) from None
        except ValueError as error:
            raise _RefusedError(str(error), at) from None
        return int(end)

    def _skip_deep(self, at: int, depth: int) -> int:
        """As :meth:`skip`, with a stack of our own where the interpreter's does not reach."""
        text = self._text
        closers: list[str] = []
        while True:
            at = self.space(at)
            char = text[at : at + 1]
            if char in ("{", "["):
                closers.append("}" if char == "{" else "]")
                if depth + len(closers) > MAX_DEPTH:
                    raise _RefusedError("exceeded max depth", at)
                at = self.space(at + 1)
                if text[at : at + 1] != closers[-1]:
                    at = self._key(at)[1] if char == "{" else at
                    continue
            else:
                at = self._skip_scalar(at)
            # A value has ended (or an empty container stands at its closer): close what closes.
            while closers:
                at = self.space(at)
                char = text[at : at + 1]
                if char == closers[-1]:
                    closers.pop()
                    at += 1
                    continue
                if char != ",":
                    raise self._unexpected(at, "after a value")
                at = self.space(at + 1)
                at = self._key(at)[1] if closers[-1] == "}" else at
                break
            if not closers:
                return at

    def _skip_scalar(self, at: int) -> int:
        char = self._text[at : at + 1]
        if char == '"':
            return self._string(at)[1]
        literal = _LITERALS.get(char)
        if literal and self._text.startswith(literal, at):
            return at + len(literal)
        number = _NUMBER.match(self._text, at)
        if number is None:
            raise self._unexpected(at, "looking for a value")
        return number.end()

    def _string(self, at: int) -> tuple[str, int]:
        if self._text[at : at + 1] != '"':
            raise self._unexpected(at, "looking for a string")
        try:
            value, end = scanstring(self._text, at + 1, True)
        except json.JSONDecodeError as error:
            raise _RefusedError(error.msg, error.pos) from None
        try:
            # The quickest way to see that there is no lone surrogate.
            value.encode()
        except UnicodeEncodeError:
            value = _SURROGATE.sub("\ufffd", value)
        return value, end

    def _key(self, at: int) -> tuple[str, int]:
        """The key at ``at`` and where its value starts."""
        key, end = self._string(at)
        end = self.space(end)
        if self._text[end : end + 1] != ":":
            raise self._unexpected(end, "after an object key")
        return key, self.space(end + 1)

    # --- containers ----------------------------------------------------------------------------

    def object_members(self, at: int, depth: int) -> Iterator[tuple[str, int, int]]:
        """(key, start, end) of each value; last of all ("", -1, the object's end)."""
        self._deeper(at, depth)
        at = self.space(at + 1)
        if self._text[at : at + 1] == "}":
            yield "", -1, at + 1
            return
        while True:
            key, start = self._key(at)
            end = self.skip(start, depth + 1)
            yield key, start, end
            at = self.space(end)
            char = self._text[at : at + 1]
            if char == "}":
                yield "", -1, at + 1
                return
            if char != ",":
                raise self._unexpected(at, "after object key:value pair")
            at = self.space(at + 1)

    def array_elements(self, at: int, depth: int) -> Iterator[tuple[int, int]]:
        """(start, end) of each element; last of all (-1, the array's end)."""
        self._deeper(at, depth)
        at = self.space(at + 1)
        if self._text[at : at + 1] == "]":
            yield -1, at + 1
            return
        while True:
            end = self.skip(at, depth + 1)
            yield at, end
            at = self.space(end)
            char = self._text[at : at + 1]
            if char == "]":
                yield -1, at + 1
                return
            if char != ",":
                raise self._unexpected(at, "after array element")
            at = self.space(at + 1)

    def _deeper(self, at: int, depth: int) -> None:
        if depth + 1 > MAX_DEPTH:
            raise _RefusedError("exceeded max depth", at)

    # --- values that are read ------------------------------------------------------------------

    def struct(self, at: int, spec: Struct, target: dict[str, Any], depth: int) -> int:
        """Read the object at ``at`` into ``target``; ``null`` changes nothing."""
        text = self._text
        if text.startswith("null", at):
            return at + 4
        if text[at : at + 1] != "{":
            end = self.skip(at, depth)
            raise _RefusedError(f"cannot read {text[at:end][:20]!r} as an object", at)
        self._deeper(at, depth)
        at = self.space(at + 1)
        if text[at : at + 1] == "}":
            return at + 1
        while True:
            key, start = self._key(at)
            name = key if key in spec.fields else fold_key(key)
            kind = spec.fields.get(name)
            if kind is None:
                end = self.skip(start, depth + 1)
            else:
                end = self._field(start, name, kind, target, depth + 1)
            at = self.space(end)
            char = text[at : at + 1]
            if char == "}":
                return at + 1
            if char != ",":
                raise self._unexpected(at, "after object key:value pair")
            at = self.space(at + 1)

    def _field(self, at: int, name: str, kind: Kind, target: dict[str, Any], depth: int) -> int:
        text = self._text
        if kind == "raw":
            end = self.skip(at, depth)
            target[name] = _raw(text[at:end])
            return end
        if text.startswith("null", at):
            if isinstance(kind, Pointer | Slice) or kind == "base64":
                target.pop(name, None)
            return at + 4
        if isinstance(kind, Struct):
            return self.struct(at, kind, target.setdefault(name, {}), depth)
        if isinstance(kind, Pointer):
            return self.struct(at, kind.to, target.setdefault(name, {}), depth)
        if isinstance(kind, Slice):
            return self._slice(at, name, kind, target, depth)
        if text[at : at + 1] == '"' and kind == "string":
            target[name], end = self._string(at)
            return end
        end = self.skip(at, depth)
        target[name] = self._scalar(at, end, kind)
        return end

    def _slice(self, at: int, name: str, kind: Slice, target: dict[str, Any], depth: int) -> int:
        text = self._text
        if text[at : at + 1] != "[":
            raise _RefusedError("cannot read this value as an array", at)
        self._deeper(at, depth)
        # A second array under the same key is read over the first one's elements, as Go does.
        items: list[dict[str, Any]] = target.get(name) or []
        count = 0
        at = self.space(at + 1)
        if text[at : at + 1] == "]":
            target[name] = []
            return at + 1
        while True:
            if count == len(items):
                items.append({})
            end = self.struct(at, kind.of, items[count], depth + 1)
            count += 1
            at = self.space(end)
            char = text[at : at + 1]
            if char == "]":
                target[name] = items[:count]
                return at + 1
            if char != ",":
                raise self._unexpected(at, "after array element")
            at = self.space(at + 1)

    def _scalar(self, at: int, end: int, kind: Scalar) -> Any:
        text = self._text
        if kind in ("int64", "uint64"):
            return self._integer(text[at:end], at, kind == "int64")
        if kind == "bool":
            if text[at] in "tf":
                return text[at] == "t"
            raise _RefusedError("cannot read this value as true or false", at)
        if text[at] != '"':
            raise _RefusedError("cannot read this value as a string", at)
        value, _ = self._string(at)
        if kind == "base64":
            value = value.replace("\r", "").replace("\n", "")
            if not _BASE64.fullmatch(value):
                raise _RefusedError("illegal base64 data", at)
            return base64.b64decode(value)
        if kind == "time" and not valid_time(value):
            raise _RefusedError(f"cannot read {value[:40]!r} as an RFC 3339 time", at)
        return value

    def _integer(self, token: str, at: int, signed: bool) -> int:
        digits = token[1:] if signed and token[:1] == "-" else token
        # The length is looked at first: int() refuses more than 4,300 digits in its own way.
        if digits.isdigit() and digits.isascii() and len(digits) <= 20:
            number = int(token)
            low, high = (-(2**63), 2**63) if signed else (0, 2**64)
            if low <= number < high:
                return number
        raise _RefusedError(f"cannot read {token[:30]!r} as an integer", at)


def valid_time(text: str) -> bool:
    """Whether Go's ``time.Time`` takes ``text`` from JSON: strict RFC 3339, years 0000 to 9999."""
    found = _TIME.fullmatch(text)
    if found is None:
        return False
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    zone_hour, zone_minute = (int(part or 0) for part in found.groups()[6:])
    if not 1 <= month <= 12 or hour > 23 or minute > 59 or second > 59:
        return False
    if zone_hour > 23 or zone_minute > 59:
        return False
    # Years repeat every 400; the calendar module has no year 0.
    return 1 <= day <= calendar.monthrange(year % 400 + 400, month)[1]
