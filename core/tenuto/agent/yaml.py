# SPDX-License-Identifier: Apache-2.0
"""A YAML 1.2 file as a tree of nodes with positions.

The tree is built from parser events, so that depth, size and aliases are bounded here and no tag
ever makes an object. Scalars keep their source text.
"""

from __future__ import annotations

import re
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    Event,
    MappingEndEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.scanner import Scanner

from tenuto.agent.tree import MAX_DEPTH, MAX_NODES, Listing, Mark, Node, Problem, Scalar, Table
from tenuto.sentences import others_words, sentence

#: What YAML's c-printable leaves out.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff]")
_TAGS = {
    Scalar: {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null")},
    Listing: {"tag:yaml.org,2002:seq"},
    Table: {"tag:yaml.org,2002:map"},
}


def compose(text: str) -> Node:
    """Parse the one document of ``text``. Raises Problem."""
    control = _CONTROL.search(text)
    if control is not None:
        before = text[: control.start()]
        mark = Mark(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
        raise Problem(
            sentence(
                "a raw control character U+{code}, which YAML forbids: write it as an "
                "escape in double quotes",
                code=f"{ord(control[0]):04X}",
            ),
            mark,
        )
    text, restore = _hide_breaks(text)
    builder = _Builder(restore)
    try:
        parser = YAML(typ="safe", pure=True)
        parser.Scanner = _Scanner
        for event in parser.parse(text):
            builder.feed(event)
    except MarkedYAMLError as error:
        raise _problem(error) from None
    except (YAMLError, ValueError, OverflowError, RecursionError) as error:
        # Escapes beyond Unicode and bad version directives are not wrapped by the parser.
        raise Problem(
            sentence(
                "not valid YAML: {reason}",
                reason=others_words(str(error) or type(error).__name__),
            )
        ) from None
    return builder.root or Scalar(Mark(1, 1), "", "plain")


def _hide_breaks(text: str) -> tuple[str, dict[int, str]]:
    """``text`` with U+0085, U+2028 and U+2029 replaced, and the table that brings them back.

    They end no line in YAML 1.2, but the parser still has 1.1's rule, and a prompt is verbatim.
    """
    present = [character for character in "\x85\u2028\u2029" if character in text]
    if not present:
        return text, {}
    used = set(text)
    free = (number for number in range(0xF0000, 0xFFFFE) if chr(number) not in used)
    table = dict(zip(present, free, strict=False))
    return text.translate({ord(c): n for c, n in table.items()}), {n: c for c, n in table.items()}


def _problem(error: MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    words = " ".join(part for part in (error.context, error.problem) if part)
    place = Mark(mark.line + 1, mark.column + 1) if mark is not None else None
    return Problem(sentence("not valid YAML: {reason}", reason=others_words(words)), place)


class _Scanner(Scanner):
    """Takes tabs for white space where YAML 1.2 and Go's parser do: everywhere but to indent."""

    def scan_to_next_token(self) -> None:
        while True:
            super().scan_to_next_token()
            if self.reader.peek() != "\t" or self.allow_simple_key:
                return
            self._pass_white_space()

    def scan_plain_spaces(self, indent: Any, start_mark: Any) -> Any:
        passed = self._pass_white_space()
        if self.reader.peek() not in "\0\r\n#":
            # Inside of the text: part of it.
            return [passed] if passed else []
        return super().scan_plain_spaces(indent, start_mark)

    def _pass_white_space(self) -> str:
        length = 0
        while self.reader.peek(length) in " \t":
            length += 1
        passed: str = self.reader.prefix(length)
        self.reader.forward(length)
        return passed


class _Builder:
    """Turns events into nodes, without recursion and within bounds."""

    def __init__(self, restore: dict[int, str]) -> None:
        self._restore = restore
        self.root: Node | None = None
        self._stack: list[Listing | Table] = []
        self._key: list[Scalar | None] = []
        self._anchors: dict[str, Node] = {}
        self._nodes = 0
        self._documents = 0

    def feed(self, event: Event) -> None:
        if isinstance(event, DocumentEndEvent):
            self._documents += 1
        elif isinstance(event, MappingEndEvent | SequenceEndEvent):
            self._stack.pop()
            self._key.pop()
        elif isinstance(event, NodeEvent):
            self._node(event)

    def _node(self, event: NodeEvent) -> None:
        mark = Mark(event.start_mark.line + 1, event.start_mark.column + 1)
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise Problem(sentence("too many values for a configuration"), mark)
        if self._documents:
            raise Problem(sentence("a second document: a configuration is one YAML document"), mark)
        node = self._make(event, mark)
        if event.anchor is not None and not isinstance(event, AliasEvent):
            self._anchors[event.anchor] = node
        self._add(node, mark)
        if isinstance(node, Listing | Table) and not isinstance(event, AliasEvent):
            if len(self._stack) >= MAX_DEPTH:
                raise Problem(sentence("nested too deeply"), mark)
            self._stack.append(node)
            self._key.append(None)

    def _make(self, event: NodeEvent, mark: Mark) -> Node:
        node: Node
        if isinstance(event, AliasEvent):
            found = self._anchors.get(event.anchor)
            if found is None:
                raise Problem(
                    sentence("no anchor {anchor!r} before this alias", anchor=event.anchor), mark
                )
            if any(found is outer for outer in self._stack):
                raise Problem(
                    sentence("the alias {anchor!r} stands inside itself", anchor=event.anchor), mark
                )
            return found
        if isinstance(event, ScalarEvent):
            text: str = event.value
            if not text.isascii():
                text = text.translate(self._restore)
                # An escaped surrogate pair is one character; half of one is none.
                text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            node = Scalar(mark, text, "quoted" if event.style else "plain")
        elif isinstance(event, SequenceStartEvent):
            node = Listing(mark)
        else:
            node = Table(mark)
        tag = getattr(event, "tag", None)
        if tag in ("!", "tag:yaml.org,2002:str") and isinstance(node, Scalar):
            return Scalar(mark, node.text, "quoted")
        if tag is not None and tag not in _TAGS[type(node)]:
            raise Problem(
                sentence("the tag {tag!r} has no meaning in a configuration", tag=tag), mark
            )
        return node

    def _add(self, node: Node, mark: Mark) -> None:
        if not self._stack:
            self.root = node
            return
        parent = self._stack[-1]
        if isinstance(parent, Listing):
            parent.items.append(node)
            return
        key = self._key[-1]
        if key is not None:
            if isinstance(node, Scalar) and node.text == "" and node.style == "plain":
                # Nothing is written there: the key is what can be pointed at.
                node = Scalar(key.mark, "", "plain")
            parent.items.append((key, node))
            self._key[-1] = None
        elif isinstance(node, Scalar):
            self._key[-1] = node
        else:
            raise Problem(sentence("a key must be a plain text"), mark)
