# SPDX-License-Identifier: Apache-2.0
"""What ``tenuto config check --json`` said of an agent configuration. Qt-free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from tenuto.text import one_line, visible
from tenuto_gui.command import Outcome, said
from tenuto_gui.core_words import in_parts
from tenuto_gui.diff.model import Problem

#: A tool's description on one line.
_DESCRIPTION = 200


class _Tool(msgspec.Struct, frozen=True):
    name: str
    description: str = ""
    confirm: bool = False
    source: str = ""


class _Parts(msgspec.Struct, frozen=True):
    """What a sentence of the core is made of."""

    sentence: str = ""
    facts: dict[str, Any] = {}


class _Problem(msgspec.Struct, frozen=True):
    message: str = ""
    sentence: str = ""
    facts: dict[str, Any] = {}
    key: str | None = None
    line: int | None = None
    column: int | None = None


class _Fingerprint(msgspec.Struct, frozen=True):
    model: str = ""
    provider: str = ""
    max_tokens: int = 0
    max_iterations: int = 0


class _Answer(msgspec.Struct, frozen=True):
    ok: bool
    errors: list[_Problem] = []
    warnings: list[str] = []
    warning_parts: list[_Parts] = []
    tools: list[_Tool] = []
    fingerprint: _Fingerprint | None = None


@dataclass(frozen=True)
class Tool:
    """A tool that a run will have; ``asks``: before each call of it."""

    name: str
    description: str
    asks: bool


@dataclass(frozen=True)
class Checked:
    """A configuration as it stands. Texts are fit to be shown."""

    ok: bool
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    model: str = ""

    @property
    def asking(self) -> int:
        """How many tools need approval."""
        return sum(tool.asks for tool in self.tools)


def checked(outcome: Outcome) -> Checked:
    """The answer of the command; its failure is a problem like any other."""
    try:
        answer = msgspec.convert(outcome.result, _Answer)
    except msgspec.ValidationError:
        return Checked(False, (Problem(0, 0, "", visible(said(outcome), prose=True)),))
    problems = tuple(
        Problem(
            each.line or 0,
            each.column or 0,
            visible(each.key or ""),
            visible(in_parts(each.sentence, each.facts) or each.message, prose=True),
        )
        for each in answer.errors
    )
    tools = tuple(
        Tool(visible(tool.name), _first_line(tool.description), tool.confirm)
        for tool in answer.tools
    )
    parts = answer.warning_parts or [_Parts() for _ in answer.warnings]
    warnings = tuple(
        visible(in_parts(made.sentence, made.facts) or text, prose=True)
        for text, made in zip(answer.warnings, parts, strict=False)
    )
    model = answer.fingerprint.model if answer.fingerprint is not None else ""
    return Checked(answer.ok, problems, warnings, tools, visible(model))


def _first_line(description: str) -> str:
    """What the tool is; its tags and the longer help come after that."""
    return one_line(description.strip().partition("\n")[0], _DESCRIPTION)
