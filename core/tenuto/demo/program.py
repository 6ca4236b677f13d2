# SPDX-License-Identifier: Apache-2.0
"""The program behind the demo's tools, and what a configuration says of it on each system.

Where a script can be a program it is a fisk application, as most tools are. On Windows it cannot
be: there each of its commands is a command of Tenuto's own keys, run by this Python or by the
frozen app, and the model is told of the same tools.
"""

from __future__ import annotations

import json
import runpy
import shlex
import sys
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from tenuto.demo.journals import Answer
from tenuto.program import DEMO_SWITCH, command_line, is_frozen

_RESOURCE = "depot.py"
#: Where the program is, as the configurations name it.
APPLICATION = "bin/depot"


class Program:
    """The program as it is installed in ``folder`` on ``system`` (a name of ``sys.platform``)."""

    def __init__(self, folder: Path, system: str = sys.platform) -> None:
        resource = files("tenuto_resources").joinpath("demo", _RESOURCE)
        with as_file(resource) as path:
            self._module: dict[str, Any] = runpy.run_path(str(path))
            self._text = path.read_text(encoding="utf-8")
        self._file = folder / APPLICATION
        self._is_application = system != "win32"

    def install(self) -> None:
        """Write it; a frozen app holds it, and needs a file for it only where it is a program."""
        if self._is_application:
            text = self._script()
        elif is_frozen():
            return
        else:
            self._file, text = self._file.with_suffix(".py"), self._text
        self._file.parent.mkdir(exist_ok=True)
        self._file.write_text(text, encoding="utf-8")
        self._file.chmod(0o755)

    def _script(self) -> str:
        if is_frozen():
            line = shlex.join([*command_line(), DEMO_SWITCH])
            return f'#!/bin/sh\nexec {line} "$@"\n'
        return f"#!{sys.executable} -IS\n{self._text}"

    def configuration(self, text: str) -> str:
        """An ``agent.yaml`` as it can be used here."""
        return (
            text if self._is_application else text.replace(f"application_path: {APPLICATION}\n", "")
        )

    def own_keys(self, text: str) -> str:
        """Its ``agent.tenuto.yaml``."""
        if self._is_application:
            return text
        # JSON is YAML, too.
        lines = [json.dumps(command, ensure_ascii=False) for command in self._commands()]
        return text + "commands:\n" + "".join(f"  - {line}\n" for line in lines)

    def answer(self) -> Answer:
        """The function that answers to the arguments of a call as the program does."""
        known: Answer = self._module["answer"]
        skipped = 0 if self._is_application else len(self._line()) - 1
        return lambda arguments: known(arguments[skipped:])

    def _line(self) -> list[str]:
        """What stands before the arguments where the program is none of its own."""
        if is_frozen():
            return [*command_line(), DEMO_SWITCH]
        return [sys.executable, "-IS", str(self._file.with_suffix(".py"))]

    def _commands(self) -> Iterator[dict[str, Any]]:
        for path, leaf in _leaves(self._module["introspection"]()["commands"], ()):
            flags = [f"--{flag['name']}={{{flag['name']}}}" for flag in leaf["flags"]]
            places = [f"{{{argument['name']}}}" for argument in leaf["args"]]
            yield {
                "name": "_".join(path),
                "description": leaf["help"],
                "command": [*self._line(), *path, *flags, *(["--"] if places else []), *places],
                "input_schema": leaf["restricted_schema"],
                "tags": leaf["tags"],
            }


def _leaves(
    commands: list[dict[str, Any]], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    for command in commands:
        here = (*path, command["name"])
        if "commands" in command:
            yield from _leaves(command["commands"], here)
        else:
            yield here, command
