# SPDX-License-Identifier: Apache-2.0
"""The command line as data: what the manual page and the completions are made from.

Read from the parsers themselves, so neither can say anything that the program does not.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
for root in ("core", "gui", "resources"):
    sys.path.insert(0, str(REPOSITORY / root))

from tenuto.cli.common import SOURCES, Parser  # noqa: E402 - found by the path above
from tenuto.cli.main import _GROUPS, VERBS  # noqa: E402


@dataclass(frozen=True)
class Option:
    """``-x``, ``--xyz``, or an argument (no flags)."""

    flags: tuple[str, ...]
    metavar: str
    help: str
    choices: tuple[str, ...] = ()

    @property
    def takes_value(self) -> bool:
        return bool(self.metavar)


@dataclass(frozen=True)
class Command:
    """A command that can be typed, or a group of them (with ``children``)."""

    words: tuple[str, ...]
    help: str
    usage: str = ""
    description: str = ""
    options: tuple[Option, ...] = ()
    arguments: tuple[Option, ...] = ()
    children: tuple[Command, ...] = ()

    @property
    def name(self) -> str:
        return " ".join(self.words)

    @property
    def takes_sessions(self) -> bool:
        return any(argument.metavar.split()[0] == "ID" for argument in self.arguments)

    @property
    def takes_files(self) -> bool:
        return any(argument.metavar in {"FILE", "DIR"} for argument in self.arguments)


#: What may stand anywhere (tenuto.cli.common).
EVERYWHERE = (
    Option(("--json",), "", "one JSON document instead of text"),
    Option(("--state-dir",), "DIR", "the runs folder"),
    Option(("--source",), "NAME", "whose sessions", SOURCES),
)


def commands() -> tuple[Command, ...]:
    """Every group and every verb without one, in the order of ``tenuto --help``."""
    found: list[Command] = []
    for group, verbs in VERBS.items():
        inner = tuple(_command(group, verb, *verbs[verb]) for verb in verbs)
        if group:
            found.append(Command((group,), _GROUPS[group], children=inner))
        else:
            found += inner
    return tuple(found)


def leaves(found: tuple[Command, ...]) -> list[Command]:
    """What can be typed, groups left out."""
    flat: list[Command] = []
    for command in found:
        flat += leaves(command.children) if command.children else [command]
    return flat


def _command(group: str, verb: str, module: str, what: str) -> Command:
    parent = Parser(prog=f"tenuto {group}".rstrip())
    subparsers = parent.add_subparsers(prog=parent.prog, dest="verb", parser_class=Parser)
    importlib.import_module(f"tenuto.cli.{module}").register(subparsers)
    words = (group, verb) if group else (verb,)
    return _read(subparsers.choices[verb], words, what)


def _read(parser: argparse.ArgumentParser, words: tuple[str, ...], what: str) -> Command:
    options: list[Option] = []
    arguments: list[Option] = []
    children: list[Command] = []
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to ask
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            texts = {each.dest: each.help or "" for each in action._choices_actions}  # noqa: SLF001
            children = [
                _read(child, (*words, name), texts.get(name, ""))
                for name, child in action.choices.items()
            ]
        elif action.help != argparse.SUPPRESS:
            (options if action.option_strings else arguments).append(_option(action))
    return Command(
        words,
        what,
        " ".join(parser.format_usage().split()[1:]),
        parser.description or "",
        tuple(options),
        tuple(arguments),
        tuple(children),
    )


def _option(action: argparse.Action) -> Option:
    choices = tuple(str(choice) for choice in action.choices or ())
    metavar = ""
    if action.nargs != 0:
        given = action.metavar if isinstance(action.metavar, str) else None
        metavar = given or ("|".join(choices) if choices else action.dest.upper())
    text = (action.help or "").replace("%%", "%")
    return Option(tuple(action.option_strings), metavar, text, choices)
