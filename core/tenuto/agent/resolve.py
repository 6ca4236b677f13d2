# SPDX-License-Identifier: Apache-2.0
"""What a configuration comes to: tools, system prompt, fingerprint, and whether it can run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from tenuto.agent.cancel import CancelToken
from tenuto.agent.schema import FILE_BACKEND, AgentConfig
from tenuto.agent.tools import builtin, fisk, own
from tenuto.agent.tools.base import Tool
from tenuto.agent.tree import unusable_config
from tenuto.errors import ConfigError
from tenuto.fingerprint import (
    Fingerprint,
    ToolDefinition,
    system_hash,
    tools_hash,
    wire_system_hash,
    wire_tools_hash,
)
from tenuto.sentences import Sentence, marked, sentence

if TYPE_CHECKING:
    from tenuto.agent.servers import Servers

#: The providers that Tenuto has.
PROVIDERS = ("anthropic", "openai", "scripted")
#: Those with a search on their side, for which a large tool set is deferred.
_SEARCHING = frozenset({"anthropic"})
#: From so many tools on, application tools are only found by that search.
DEFER_FROM = 10


@dataclass(frozen=True)
class ResolvedAgent:
    """A configuration, resolved."""

    config: AgentConfig
    tools: tuple[Tool, ...]
    #: The parts that the fingerprint is over.
    system_parts: tuple[str, ...]
    #: As a version 3 journal has it.
    fingerprint: Fingerprint
    #: As version 1 and 2 journals have it: hashes over the tools as sent, no provider.
    wire_fingerprint: Fingerprint
    #: What the first builds of version 2 would have journaled, where that differs.
    wire_alternatives: tuple[Fingerprint, ...] = ()
    warnings: tuple[Sentence, ...] = ()
    #: Why ``run`` and ``resume`` must refuse it (exit 2); None when they need not.
    unusable: Sentence | None = None

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """The tools as the model is told of them, in the order sent."""
        return tuple(tool.definition for tool in self.tools)

    @property
    def wire_forms(self) -> tuple[Fingerprint, ...]:
        """All fingerprints that a version 1 or 2 journal of this configuration may hold."""
        return (self.wire_fingerprint, *self.wire_alternatives)

    def tool(self, name: str) -> Tool | None:
        return next((tool for tool in self.tools if tool.name == name), None)

    def check_usable(self) -> None:
        """Raise ConfigError when ``run`` and ``resume`` must refuse this configuration."""
        if self.unusable is not None:
            raise unusable_config(self.unusable, "", path=str(self.config.path))


def resolve(config: AgentConfig, servers: Servers | None = None) -> ResolvedAgent:
    """Run the introspection and put everything together.

    :param servers: the MCP servers of ``config``, which go on running; without them they are
        started to say which tools they have, and ended.
    :raises ConfigError: it cannot be put together.
    """
    try:
        application = fisk.introspect(config)
        if servers is not None:
            return resolve_with(config, application, servers.tools())
        if not config.tenuto.mcp_servers:
            return resolve_with(config, application)
        from tenuto.agent.servers import Servers

        with Servers(config, CancelToken()) as started:
            return resolve_with(config, application, started.tools())
    except ConfigError as error:
        # The messages of tools do not know the file.
        error.fields["path"] = str(config.path)
        raise


def resolve_with(
    config: AgentConfig, application: fisk.Application | None, served: Sequence[Tool] = ()
) -> ResolvedAgent:
    """As :func:`resolve`, with what the application and the MCP servers said before."""
    tools = _tools(config, application, served)
    parts = (config.system_prompt, *builtin.notes(config))
    definitions = [tool.definition for tool in tools]
    fingerprint = Fingerprint(
        config.llm.provider,
        config.llm.model,
        system_hash(parts),
        tools_hash(definitions),
        "summarized" if config.llm.thinking else "off",
        config.llm.budget.max_tokens,
        config.llm.budget.max_iterations,
    )
    wire = msgspec.structs.replace(
        fingerprint,
        # Versions 1 and 2 ran on one provider and did not name it.
        provider="" if config.llm.provider == "anthropic" else config.llm.provider,
        system_hash=wire_system_hash(parts),
        tools_hash=wire_tools_hash(definitions),
    )
    earlier = _tools(config, application, served, required_globals=False)
    alternative = msgspec.structs.replace(
        wire, tools_hash=wire_tools_hash(tool.definition for tool in earlier)
    )
    return ResolvedAgent(
        config,
        tuple(tools),
        parts,
        fingerprint,
        wire,
        () if alternative == wire else (alternative,),
        config.warnings,
        _unusable(config),
    )


def _tools(
    config: AgentConfig,
    application: fisk.Application | None,
    served: Sequence[Tool],
    *,
    required_globals: bool = True,
) -> list[Tool]:
    tools = (
        []
        if application is None
        else fisk.tools(application, config, required_globals=required_globals)
    )
    tools += own.tools(config)
    tools += served
    tools += builtin.tools(config)
    _check_names(tools)
    if (
        len(tools) < DEFER_FROM
        or config.llm.no_tool_search
        or config.llm.provider not in _SEARCHING
    ):
        return tools
    # Only the application's: there is no end to those, and Tenuto's own are few.
    return [
        replace(tool, definition=msgspec.structs.replace(tool.definition, defer_loading=True))
        if tool.source == "application" and fisk.NO_DEFER_TAG not in tool.tags
        else tool
        for tool in tools
    ]


#: What tools come from, and the key that is to blame.
_ORIGINS = {
    "application": (marked("the application"), "application_path"),
    "command": (marked("'commands'"), "commands"),
    "mcp": (marked("'mcp_servers'"), "mcp_servers"),
    "builtin": (marked("Tenuto itself"), "harness"),
}


def _check_names(tools: Sequence[Tool]) -> None:
    """No two tools may have one name. Raises ConfigError."""
    seen: dict[str, Tool] = {}
    for tool in tools:
        other = seen.setdefault(tool.name, tool)
        if other is tool:
            continue
        (first, _), (second, key) = _ORIGINS[other.source], _ORIGINS[tool.source]
        one, two = Sentence(first, {}), Sentence(second, {})
        if first == second:
            text = sentence("{one} has twice a tool {name!r}", one=one, name=tool.name)
        else:
            text = sentence(
                "{one} and {two} both have a tool {name!r}", one=one, two=two, name=tool.name
            )
        raise unusable_config(text, key)


def _unusable(config: AgentConfig) -> Sentence | None:
    backend = config.harness.sessions.backend
    if backend != FILE_BACKEND:
        return sentence(
            "the session backend {backend!r} is not available in Tenuto: only {ours!r} is",
            backend=backend,
            ours=FILE_BACKEND,
        )
    memory = config.harness.memory
    if memory.enabled and memory.backend != FILE_BACKEND:
        return sentence(
            "the memory backend {backend!r} is not available in Tenuto: only {ours!r} is",
            backend=memory.backend,
            ours=FILE_BACKEND,
        )
    if config.llm.provider not in PROVIDERS:
        return sentence(
            "the provider {provider!r} is not one that Tenuto has ({known})",
            provider=config.llm.provider,
            known=PROVIDERS,
        )
    if config.llm.provider == "scripted" and not config.tenuto.script:
        return sentence("the provider 'scripted' needs 'script: FILE' among Tenuto's own keys")
    return None
