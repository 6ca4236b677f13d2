# SPDX-License-Identifier: Apache-2.0
"""The tools that Tenuto has itself, and the notes that it adds to the prompt for them.

They come after all others, and in this order: human-in-the-loop, memory (agent-config.md, "Tools"),
saved sessions.
"""

from __future__ import annotations

from tenuto.agent.memory import MemoryStore
from tenuto.agent.schema import AgentConfig
from tenuto.agent.tools import human, memory, sessions
from tenuto.agent.tools.base import Tool


def tools(config: AgentConfig) -> list[Tool]:
    """The built-in tools that a configuration turns on."""
    found: list[Tool] = []
    if config.harness.human_in_the_loop:
        found += human.tools()
    if config.harness.memory.enabled:
        found += memory.tools(MemoryStore(config.memory_directory))
    if config.tenuto.session_tools:
        found += sessions.tools(config.runs_directory)
    return found


def notes(config: AgentConfig) -> tuple[str, ...]:
    """The parts of the system prompt that go with them."""
    found = []
    if config.harness.human_in_the_loop:
        found.append(human.NOTE)
    if config.harness.memory.enabled:
        found.append(memory.NOTE)
    return tuple(found)


def differs_from_fisk(config: AgentConfig) -> str | None:
    """Why a run that fisk-ai began has other hashes than this configuration; None: no reason."""
    features = []
    if config.harness.human_in_the_loop:
        features.append("harness.human_in_the_loop")
    if config.harness.memory.enabled:
        features.append("harness.memory")
    if config.harness.knowledge:
        features.append("harness.knowledge")
    if not features:
        return None
    words = " and ".join(features)
    return (
        f"if fisk-ai began this run: with {words} the two programs word their tools and their note"
        " in the prompt each in their own way, which is the likely reason"
    )
