# SPDX-License-Identifier: Apache-2.0
"""A JSON file as a tree of nodes with positions (agent-config.md, "Keys": JSON is read as JSON)."""

from __future__ import annotations

import bisect
import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]

from tenuto import gojson
from tenuto.agent.tree import MAX_DEPTH, MAX_NODES, Listing, Mark, Node, Problem, Scalar, Table
from tenuto.sentences import Sentence, others_words, sentence

_SPACES = (" ", "\t", "\r", "\n")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


def compose(text: str) -> Node:
    """Parse one JSON text. Repeated keys are kept for the reader to see. Raises Problem."""
    return _Parser(text).document()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._nodes = 0
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]

    def document(self) -> Node:
        node = self._value(0)
        self._skip()
        if self._at != len(self._text):
            raise self._problem(sentence("something follows the end of the JSON value"))
        return node

    def _mark(self, at: int) -> Mark:
        line = bisect.bisect_right(self._lines, at)
        return Mark(line, at - self._lines[line - 1] + 1)

    def _problem(self, said: Sentence) -> Problem:
        return Problem(said, self._mark(min(self._at, len(self._text))))

    def _skip(self) -> str:
        """Step over white space; the next character, or ""."""
        while self._text[self._at : self._at + 1] in _SPACES:
            self._at += 1
        return self._text[self._at : self._at + 1]

    def _value(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self._problem(sentence("nested too deeply"))
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise self._problem(sentence("too many values for a configuration"))
        first = self._skip()
        mark = self._mark(self._at)
        if first == "{":
            return self._table(mark, depth)
        if first == "[":
            return self._listing(mark, depth)
        if first == '"':
            return self._string(mark)
        for word in ("true", "false", "null"):
            if self._text.startswith(word, self._at):
                self._at += len(word)
                return Scalar(mark, word, "null" if word == "null" else "bool")
        match = _NUMBER.match(self._text, self._at)
        if match is None:
            raise self._problem(sentence("a JSON value is expected here"))
        self._at = match.end()
        return Scalar(mark, match[0], "number")

    def _string(self, mark: Mark) -> Scalar:
        try:
            text, self._at = scanstring(self._text, self._at + 1, True)
        except json.JSONDecodeError as error:
            self._at = error.pos
            raise self._problem(others_words(error.msg.removesuffix(" at"))) from None
        return Scalar(mark, gojson.replace_surrogates(text), "string")

    def _table(self, mark: Mark, depth: int) -> Table:
        table = Table(mark)
        self._at += 1
        if self._skip() == "}":
            self._at += 1
            return table
        while True:
            if self._skip() != '"':
                raise self._problem(sentence("a key in double quotes is expected here"))
            key = self._string(self._mark(self._at))
            if self._skip() != ":":
                raise self._problem(sentence("':' is expected here"))
            self._at += 1
            table.items.append((key, self._value(depth + 1)))
            if self._more("}"):
                return table

    def _listing(self, mark: Mark, depth: int) -> Listing:
        listing = Listing(mark)
        self._at += 1
        if self._skip() == "]":
            self._at += 1
            return listing
        while True:
            listing.items.append(self._value(depth + 1))
            if self._more("]"):
                return listing

    def _more(self, end: str) -> bool:
        """True at the end of a container, False after a comma."""
        found = self._skip()
        if found not in (end, ","):
            raise self._problem(sentence("',' or '{end}' is expected here", end=end))
        self._at += 1
        return found == end
