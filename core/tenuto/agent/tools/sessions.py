# SPDX-License-Identifier: Apache-2.0
"""``list_sessions`` and ``read_session``: what was said before, in runs and Reasonix sessions."""

from __future__ import annotations

import threading
from typing import Any

import msgspec

from tenuto import paths
from tenuto.agent.tools.base import Tool, direct_tool
from tenuto.agent.tools.direct import Answer, Context, Handler
from tenuto.fingerprint import ToolDefinition
from tenuto.reasonix.folders import sessions_root
from tenuto.settings import load
from tenuto.sources.session_tools import SessionTools


def saved_sessions(runs: str | None = None) -> SessionTools:
    """The session tools over both sources. ``runs``: another runs folder than the usual one."""
    settings = load().settings
    folder = paths.runs_dir(config=runs, settings=settings)
    return SessionTools(runs=folder, reasonix=sessions_root(folder, settings.reasonix_dir))


def tools(runs: str | None) -> list[Tool]:
    """Both of them; they only read."""
    found = saved_sessions(runs)
    # One look at the folders at a time: the sources keep what they read.
    guard = threading.Lock()
    return [_tool(found, definition, guard) for definition in found.definitions]


def _tool(found: SessionTools, definition: ToolDefinition, guard: threading.Lock) -> Tool:
    def handle(given: dict[str, Any], context: Context) -> Answer:  # noqa: ARG001
        with guard:
            return Answer(found.call(definition.name, msgspec.json.encode(given)))

    handler: Handler = handle
    schema = definition.schema()
    assert isinstance(schema, dict)
    return direct_tool(
        definition.name,
        definition.description,
        schema,
        handler,
        read_only=True,
    )
