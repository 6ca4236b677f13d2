# SPDX-License-Identifier: Apache-2.0
"""What a tool is to the loop: a definition for the model, and what comes of each input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from tenuto.agent.tools.direct import Handler, direct_input
from tenuto.errors import ToolInputError
from tenuto.fingerprint import ToolDefinition, wire_schema

#: Always asks before a call runs; ``harness.confirm_tags`` adds to it.
CONFIRM_TAG = "ai:confirm"

Source = Literal["application", "command", "mcp", "builtin"]


@dataclass(frozen=True)
class Tool:
    """A tool that is a command of some program, or one that a handler answers."""

    definition: ToolDefinition
    source: Source
    #: Absolute path of the program; "" where there is a handler.
    program: str
    #: What the journal and people call it: ``stock add``.
    display: str
    #: The program's arguments for an input. Raises ToolInputError.
    build: Callable[[bytes], list[str]]
    tags: tuple[str, ...] = ()
    #: The tag because of which each call is asked about first; "" where none does.
    confirm: str = ""
    #: Whether a call whose outcome is unknown may simply run again.
    read_only: bool = False
    #: Seconds for a call; None is no limit.
    timeout: float | None = None
    #: What answers a call that is no command.
    handler: Handler | None = None
    #: All that a call does is ask the operator.
    asks: bool = False
    #: Where its program runs, absolute; "" is where all tools do.
    cwd: str = ""

    @property
    def name(self) -> str:
        return self.definition.name

    def arguments(self, raw_input: bytes) -> list[str]:
        """The program's arguments for this input. Raises ToolInputError for what must not run."""
        message = missing_required(self, raw_input)
        if message is not None:
            raise ToolInputError(message, tool=self.name)
        return self.build(raw_input)

    def command(self, raw_input: bytes) -> str:
        """The call as one line for people; the bare command where the input makes none."""
        try:
            return " ".join(self.build(raw_input))
        except ToolInputError:
            return self.display


def direct_tool(
    name: str,
    description: str,
    schema: dict[str, Any],
    handler: Handler,
    *,
    source: Source = "builtin",
    tags: tuple[str, ...] = (),
    confirm: str = "",
    read_only: bool = False,
    asks: bool = False,
) -> Tool:
    """A tool that a handler answers."""

    def build(raw_input: bytes) -> list[str]:
        text = direct_input(name, raw_input)
        return [name] if text == "{}" else [name, text]

    return Tool(
        ToolDefinition(name, description, schema),
        source,
        "",
        name,
        build,
        tags,
        confirm,
        read_only,
        handler=handler,
        asks=asks,
    )


def missing_required(tool: Tool, raw_input: bytes) -> str | None:
    """What to answer to an input that leaves out required properties; None where it does not.

    The sentence is the one that fisk-ai journals. An input that is no object passes: making the
    command line refuses it.
    """
    from tenuto.agent.tools.inputs import parse_object

    schema = tool.definition.schema()
    required = list(schema.get("required") or []) if isinstance(schema, dict) else []
    if not required:
        return None
    try:
        given = parse_object(raw_input)
    except ValueError:
        return None
    missing = [name for name in required if name not in given]
    if not missing:
        return None
    optional = sorted(name for name in schema.get("properties") or {} if name not in required)
    message = (
        f'tool "{tool.name}" was called without required parameter(s): {", ".join(missing)}.'
        f" required: {', '.join(required)}"
    )
    return message + (f"; optional: {', '.join(optional)}" if optional else "")


def anthropic_tool(tool: ToolDefinition | Tool) -> dict[str, Any]:
    """A definition as it is sent to Anthropic (agent-config.md, "What is sent to Anthropic")."""
    definition = tool.definition if isinstance(tool, Tool) else tool
    sent: dict[str, Any] = {
        "input_schema": wire_schema(definition.schema()),
        "name": definition.name,
        "defer_loading": definition.defer_loading,
    }
    if definition.description:
        sent["description"] = definition.description
    sent["type"] = "custom"
    return sent


def confirm_tag(tags: tuple[str, ...], more: tuple[str, ...]) -> str:
    """The tag that asks for a confirmation, "" where none does; ``ai:confirm`` goes first."""
    if CONFIRM_TAG in tags:
        return CONFIRM_TAG
    return next((tag for tag in tags if tag in more), "")
