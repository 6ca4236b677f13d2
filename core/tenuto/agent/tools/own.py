# SPDX-License-Identifier: Apache-2.0
"""``commands`` among Tenuto's own keys: one command, one tool."""

from __future__ import annotations

import os
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from tenuto.agent.tools.base import Tool, confirm_tag
from tenuto.agent.tools.inputs import check_arguments, parse_object, quote, scalar_text
from tenuto.agent.tools.introspection import find_program
from tenuto.agent.tree import unusable_config
from tenuto.errors import ToolInputError
from tenuto.fingerprint import ToolDefinition
from tenuto.sentences import sentence

if TYPE_CHECKING:
    from tenuto.agent.own import Command
    from tenuto.agent.schema import AgentConfig

_PLACE = re.compile(r"\{([^{}]+)\}")


def tools(config: AgentConfig) -> list[Tool]:
    """The tools of ``commands``, in the order of the file. Raises ConfigError."""
    if not config.tenuto.commands:
        return []
    path = config.tool_environment().get("PATH")
    found = []
    for index, command in enumerate(config.tenuto.commands):
        tags = command.tags
        description = command.description
        if tags:
            line = "Tags: " + ", ".join(tags)
            description = f"{description}\n\n{line}" if description else line
        found.append(
            Tool(
                ToolDefinition(command.name, description, command.input_schema),
                "command",
                find_program(command.command[0], str(config.directory), path),
                command.name,
                partial(_arguments, command),
                tags,
                confirm_tag(tags, config.harness.confirm_tags),
                command.read_only
                or command.name in config.tenuto.read_only
                or any(tag in config.tenuto.read_only_tags for tag in tags),
                command.timeout,
                cwd=_folder(config, index, command),
            )
        )
    return found


def _folder(config: AgentConfig, index: int, command: Command) -> str:
    """Where the command runs; "" where it does not say. Raises ConfigError."""
    if not command.working_directory:
        return ""
    folder = str(config.relative(command.working_directory))
    if not os.path.isdir(folder):
        text = sentence(
            "{name}: the working directory {folder} is not there", name=command.name, folder=folder
        )
        raise unusable_config(text, f"commands.{index}.working_directory")
    return folder


def _arguments(command: Command, raw_input: bytes) -> list[str]:
    """The program's arguments with the input's values in their places."""
    properties = command.input_schema.get("properties", {})
    try:
        given = parse_object(raw_input)
        for name in given:
            if name not in properties:
                raise ValueError(f"unknown property {quote(name)}")
        line: list[str] = []
        for pattern in command.command[1:]:
            line += _fill(pattern, properties, given)
        return check_arguments(line)
    except ValueError as error:
        raise ToolInputError(
            f"building command line for {quote(command.name)}: {error}", tool=command.name
        ) from None


def _fill(pattern: str, properties: dict[str, Any], given: dict[str, Any]) -> list[str]:
    """One argument of the pattern: as it is, filled, left out, or one for each item."""
    names = [name for name in _PLACE.findall(pattern) if name in properties]
    if any(name not in given for name in names):
        return []
    if len(names) == 1 and pattern == f"{{{names[0]}}}" and isinstance(given[names[0]], list):
        return [scalar_text(item) for item in given[names[0]]]
    return [_PLACE.sub(lambda m: scalar_text(given[m[1]]) if m[1] in properties else m[0], pattern)]
