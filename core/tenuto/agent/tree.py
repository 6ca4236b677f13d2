# SPDX-License-Identifier: Apache-2.0
"""A configuration file as a tree of nodes with positions, and a strict reader of such trees.

Scalars stay source text: what ``1_000`` or ``no`` means is decided by the key that it is given to
(agent-config.md, "Keys"), never by its looks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tenuto.errors import ConfigError
from tenuto.sentences import Sentence, sentence

#: Bytes of a file that is read at all. A prompt can be long; a configuration is no archive.
MAX_SIZE = 4 * 1024 * 1024
#: Nodes of a file, and nodes read from it with every alias followed.
MAX_NODES = 200_000
#: Mappings and lists inside one another.
MAX_DEPTH = 100

Style = Literal["plain", "quoted", "string", "number", "bool", "null"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A position, both counted from 1; columns in characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Scalar:
    mark: Mark
    text: str
    #: "plain" and "quoted" are YAML's; the others are JSON's types.
    style: Style

    @property
    def is_null(self) -> bool:
        if self.style == "plain":
            return self.text in ("", "~", "null", "Null", "NULL")
        return self.style == "null"


@dataclass(frozen=True, slots=True)
class Listing:
    mark: Mark
    items: list[Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Table:
    mark: Mark
    #: As written: repeated keys and ``<<`` are still in it.
    items: list[tuple[Scalar, Node]] = field(default_factory=list)


Node = Scalar | Listing | Table


class Problem(Exception):
    """One thing wrong with a file. Line and column are None where there is no place to name."""

    def __init__(self, said: Sentence, mark: Mark | None = None, key: str = "") -> None:
        super().__init__(str(said))
        self.said = said
        self.mark = mark
        self.key = key

    def as_row(self) -> dict[str, Any]:
        """The form of ``config check --json`` (design.md)."""
        return {
            "line": self.mark.line if self.mark else None,
            "column": self.mark.column if self.mark else None,
            "key": self.key,
            "message": str(self.said),
            **self.said.parts(),
        }


def config_error(path: str, problems: Sequence[Problem]) -> ConfigError:
    """One error for all that is wrong, in the order of the file; its sentence is the first one."""
    problems = sorted(
        problems, key=lambda p: (p.mark is None, (p.mark.line, p.mark.column) if p.mark else (0, 0))
    )
    first = problems[0]
    place = f"{path}:{first.mark.line}:{first.mark.column}" if first.mark else path
    more = len(problems) - 1
    if more:
        text = sentence("{place}: {what} (and {n} more)", place=place, what=first.said, n=more)
    else:
        text = sentence("{place}: {what}", place=place, what=first.said)
    return ConfigError(
        text,
        path=path,
        problems=[problem.as_row() for problem in problems],
    )


def unusable_config(said: Sentence, key: str, *, path: str = "") -> ConfigError:
    """An error of one problem that has no place in the file."""
    problems = [Problem(said, key=key).as_row()]
    return (
        ConfigError(said, path=path, problems=problems)
        if path
        else ConfigError(said, problems=problems)
    )


def not_a_mapping(key: str) -> Sentence:
    """What to say of a value that is no mapping; ``key``: "" for the whole file."""
    if not key:
        return sentence("the file must be a mapping")
    return sentence("{key} must be a mapping", key=key)


def join(prefix: str, key: str) -> str:
    """The dotted name of ``key`` inside ``prefix``."""
    return f"{prefix}.{key}" if prefix else key


_UNITS = {"ns": 1e-9, "us": 1e-6, "\u00b5s": 1e-6, "\u03bcs": 1e-6, "ms": 1e-3}
_UNITS |= {"s": 1.0, "m": 60.0, "h": 3600.0}
_AMOUNT = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)", re.ASCII)


def parse_duration(text: str) -> float:
    """Seconds of a Go duration (``1m30s``). Raises ValueError."""
    body = text[1:] if text[:1] in ("+", "-") else text
    sign = -1.0 if text.startswith("-") else 1.0
    if body == "0":
        return 0.0
    total, end = 0.0, 0
    while match := _AMOUNT.match(body, end):
        total += float(match[1]) * _UNITS[match[2]]
        end = match.end()
    if not body or end != len(body) or total >= 2**63 / 1e9:
        raise ValueError(f"{text!r} is no duration such as 90s or 1m30s")
    return sign * total


def parse_integer(text: str) -> int:
    """A YAML integer as Go reads it: ``1_000``, ``0x1f``, ``0o17``, ``0b11`` too. ValueError."""
    body = text.replace("_", "")
    if len(body) > 70 or not re.fullmatch(
        r"[-+]?(?:0x[0-9a-fA-F]+|0o?[0-7]+|0b[01]+|[1-9][0-9]*|0)", body
    ):
        raise ValueError(f"{text!r} is no whole number")
    sign = -1 if body.startswith("-") else 1
    digits = body.lstrip("+-")
    if re.fullmatch(r"0[0-7]+", digits):
        return sign * int(digits, 8)
    return sign * int(digits, 0)


class Reader:
    """Takes values out of a tree and gathers every problem instead of stopping at the first."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._visited = 0

    def complain(self, said: Sentence, mark: Mark | None, key: str) -> None:
        self.problems.append(Problem(said, mark, key))

    def require(self, value: str, mark: Mark | None, key: str) -> None:
        """Complain about a missing ``value``, unless something else was wrong with it already."""
        if not value and all(problem.key != key for problem in self.problems):
            self.complain(sentence("{key} is required and must not be empty", key=key), mark, key)

    def _visit(self, node: Node) -> None:
        # Aliases share nodes: a small file can stand for billions of them.
        self._visited += 1
        if self._visited > MAX_NODES:
            raise Problem(sentence("the aliases of this file expand to too much"), node.mark)

    def members(self, table: Table, key: str, depth: int = 0) -> dict[str, tuple[Scalar, Node]]:
        """Keys to (key node, value): merge keys followed, repeated keys complained about."""
        self._visit(table)
        if depth > MAX_DEPTH:
            raise Problem(sentence("merge keys nested too deeply"), table.mark, key)
        own: dict[str, tuple[Scalar, Node]] = {}
        merged: dict[str, tuple[Scalar, Node]] = {}
        for name, value in table.items:
            self._visit(value)
            if name.style == "plain" and name.text == "<<":
                for source in value.items if isinstance(value, Listing) else [value]:
                    if not isinstance(source, Table):
                        self.complain(
                            sentence("a merge key takes a mapping"), value.mark, join(key, "<<")
                        )
                        continue
                    for text, pair in self.members(source, key, depth + 1).items():
                        merged.setdefault(text, pair)
            elif name.text in own:
                first = own[name.text][0].mark.line
                self.complain(
                    sentence(
                        "{key!r} is given twice (first in line {first})",
                        key=join(key, name.text),
                        first=first,
                    ),
                    name.mark,
                    join(key, name.text),
                )
            else:
                own[name.text] = (name, value)
        return {**merged, **own}

    def section(self, node: Node | None, key: str, known: Sequence[str]) -> dict[str, Node]:
        """The members of a mapping. Absent and null are empty; unknown keys are problems."""
        if node is None or (isinstance(node, Scalar) and node.is_null):
            return {}
        if not isinstance(node, Table):
            self.complain(not_a_mapping(key), node.mark, key)
            return {}
        found: dict[str, Node] = {}
        for name, (mark, value) in self.members(node, key).items():
            if name in known:
                found[name] = value
            else:
                full = join(key, name)
                self.complain(_unknown(full, name, known), mark.mark, full)
        return found

    def items(self, node: Node | None, key: str) -> Iterator[Node]:
        """The items of a list. Absent and null are empty."""
        if node is None or (isinstance(node, Scalar) and node.is_null):
            return
        if not isinstance(node, Listing):
            self.complain(sentence("{key} must be a list", key=key), node.mark, key)
            return
        for item in node.items:
            self._visit(item)
            yield item

    def _scalar(self, node: Node | None, key: str, other: Sentence) -> Scalar | None:
        """``other``: what to say where it is none."""
        if node is None or (isinstance(node, Scalar) and node.is_null):
            return None
        if not isinstance(node, Scalar):
            self.complain(other, node.mark, key)
            return None
        return node

    def text(self, node: Node | None, key: str) -> str:
        """A text, "" where absent or null. In YAML any scalar will do, as it is written."""
        other = sentence("{key} must be a text", key=key)
        scalar = self._scalar(node, key, other)
        if scalar is None:
            return ""
        if scalar.style in ("number", "bool"):
            self.complain(other, scalar.mark, key)
            return ""
        return scalar.text

    def texts(self, node: Node | None, key: str) -> tuple[str, ...]:
        return tuple(self.text(item, key) for item in self.items(node, key))

    def boolean(self, node: Node | None, key: str) -> bool:
        """True or false; false where absent or null."""
        other = sentence("{key} must be true or false", key=key)
        scalar = self._scalar(node, key, other)
        if scalar is None:
            return False
        if scalar.style in ("bool", "plain"):
            if scalar.text in ("true", "True", "TRUE"):
                return True
            if scalar.text in ("false", "False", "FALSE"):
                return False
        self.complain(other, scalar.mark, key)
        return False

    def count(self, node: Node | None, key: str) -> int:
        """A whole number from 0; 0 where absent or null."""
        other = sentence("{key} must be a whole number", key=key)
        scalar = self._scalar(node, key, other)
        if scalar is None:
            return 0
        try:
            if scalar.style in ("string", "bool"):
                raise ValueError
            value = parse_integer(scalar.text)
        except ValueError:
            self.complain(other, scalar.mark, key)
            return 0
        if not 0 <= value < 2**63:
            large = sentence("{key} is too large", key=key)
            negative = sentence("{key} must not be negative", key=key)
            self.complain(negative if value < 0 else large, scalar.mark, key)
            return 0
        return value

    def seconds(self, node: Node | None, key: str) -> float:
        """A Go duration from 0, in seconds; 0 where absent, null or empty."""
        other = sentence("{key} must be a duration such as 90s or 1m30s", key=key)
        scalar = self._scalar(node, key, other)
        if scalar is None or scalar.text == "":
            return 0.0
        try:
            if scalar.style in ("number", "bool"):
                raise ValueError
            value = parse_duration(scalar.text)
        except ValueError:
            self.complain(other, scalar.mark, key)
            return 0.0
        if value < 0:
            self.complain(sentence("{key} must not be negative", key=key), scalar.mark, key)
            return 0.0
        return value

    def value(self, node: Node, key: str, free: Collection[str] | None = (), depth: int = 0) -> Any:
        """The whole value as dict, list and scalars.

        A YAML scalar stays the text it is written as (null is None), but under a member named in
        ``free``, and everywhere where that is None, it is what YAML 1.2's core schema makes of it.
        JSON's scalars keep their types.
        """
        if depth > MAX_DEPTH:
            raise Problem(sentence("nested too deeply"), node.mark, key)
        if isinstance(node, Table):
            found = {}
            for name, (_, value) in self.members(node, key).items():
                inner = None if free is None or name in free else free
                found[name] = self.value(value, join(key, name), inner, depth + 1)
            return found
        if isinstance(node, Listing):
            return [
                self.value(item, f"{key}.{index}", free, depth + 1)
                for index, item in enumerate(self.items(node, key))
            ]
        self._visit(node)
        if node.is_null:
            return None
        return node.text if free is not None and node.style == "plain" else _core_value(node)


def _core_value(node: Scalar) -> Any:
    if node.is_null:
        return None
    if node.style in ("quoted", "string"):
        return node.text
    if node.text in ("true", "True", "TRUE"):
        return True
    if node.text in ("false", "False", "FALSE"):
        return False
    try:
        if re.fullmatch(r"[-+]?[0-9]+|0x[0-9a-fA-F]+|0o[0-7]+", node.text):
            # A leading zero is decimal in the core schema.
            base = 0 if node.text[:2] in ("0x", "0o") else 10
            return int(node.text, base)
        if re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", node.text):
            return float(node.text)
    except ValueError:
        # Longer than the interpreter converts.
        return float(node.text)
    return node.text


def _unknown(key: str, name: str, known: Sequence[str]) -> Sentence:
    import difflib

    close = difflib.get_close_matches(name, known, 1)
    if close:
        return sentence("unknown key {key!r} (did you mean {close!r}?)", key=key, close=close[0])
    return sentence("unknown key {key!r}", key=key)
