# SPDX-License-Identifier: Apache-2.0
"""JSON made readable: a line for each member, texts with their line ends, tokens coloured. Qt-free.

Numbers keep the token that was written. What is shown is for reading; what is copied is the source.
"""

from __future__ import annotations

import json
import re

from tenuto_gui.render.spans import Span

#: Longer JSON is shown as it is.
MAX_JSON = 50_000
_MAX_DEPTH = 200
#: Deeper members are indented no further.
_MAX_INDENT = 20

_token = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_words = {"true": "s_key", "false": "s_key", "null": "s_key"}


def is_json(text: str) -> bool:
    """Whether a text is a JSON object or array, of a size that is shown as one."""
    start = text.lstrip()[:1]
    if start not in ("{", "[") or len(text) > MAX_JSON:
        return False
    if text.count("[") + text.count("{") > 4 * _MAX_DEPTH and _depth(text) > _MAX_DEPTH:
        return False
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _depth(text: str) -> int:
    deepest = depth = 0
    for token in _token.finditer(text):
        if token[0] in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif token[0] in "}]":
            depth -= 1
    return deepest


def spans(text: str) -> list[Span]:
    """Keys, texts, numbers and words of JSON that is laid out already."""
    found = []
    tokens = list(_token.finditer(text))
    for rank, token in enumerate(tokens):
        is_key = rank + 1 < len(tokens) and tokens[rank + 1][0] == ":"
        ink = _ink(token[0], is_key)
        if ink:
            found.append(Span(token.start(), token.end(), ink))
    return found


def pretty(text: str) -> tuple[str, list[Span]]:
    """JSON (``is_json``) laid out with an indent of two, and its spans."""
    return _Printer().run(_token.findall(text))


def _ink(token: str, is_key: bool) -> str:
    if token[0] == '"':
        return "run" if is_key else "s_str"
    if token[0] in "-0123456789":
        return "s_num"
    return _words.get(token, "")


class _Printer:
    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._spans: list[Span] = []

    def _put(self, text: str, ink: str = "") -> None:
        if ink:
            self._spans.append(Span(self._length, self._length + len(text), ink))
        self._pieces.append(text)
        self._length += len(text)

    def run(self, tokens: list[str]) -> tuple[str, list[Span]]:
        depth = 0
        for rank, token in enumerate(tokens):
            following = tokens[rank + 1] if rank + 1 < len(tokens) else ""
            if token in "{[":
                self._put(token)
                if following not in ("}", "]"):
                    depth += 1
                    self._put(_line(depth))
            elif token in "}]":
                if rank and tokens[rank - 1] not in ("{", "["):
                    depth -= 1
                    self._put(_line(depth))
                self._put(token)
            elif token == ",":
                self._put("," + _line(depth))
            elif token == ":":
                self._put(": ")
            elif token[0] == '"':
                self._put(_text(token, depth), _ink(token, following == ":"))
            else:
                self._put(token, _ink(token, False))
        return "".join(self._pieces), self._spans


def _line(depth: int) -> str:
    return "\n" + "  " * min(depth, _MAX_INDENT)


def _text(token: str, depth: int) -> str:
    """A text with its line ends as lines and its letters as letters; quotes stay escaped."""
    if "\\" not in token:
        return token
    value: str = json.loads(token)
    shown = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + shown.replace("\r\n", "\n").replace("\n", _line(depth + 1)) + '"'
