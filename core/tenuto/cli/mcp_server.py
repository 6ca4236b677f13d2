# SPDX-License-Identifier: Apache-2.0
"""The session tools as an MCP server, by the official package."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import msgspec
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    TextContent,
    Tool,
    ToolAnnotations,
)

from tenuto import gojson
from tenuto.errors import TenutoError
from tenuto.fingerprint import ToolDefinition
from tenuto.sources.session_tools import SessionTools
from tenuto.version import VERSION


async def serve(tools: SessionTools) -> None:
    """Answer on stdin and stdout until the input ends. What else is printed goes to stderr."""
    async with stdio_server() as (read, write):
        server = make_server(tools)
        await server.run(read, write, server.create_initialization_options())


def make_server(tools: SessionTools) -> Server[Any]:
    """The server, not yet bound to any streams."""
    known = {definition.name: definition for definition in tools.definitions}
    # The sources keep what they read: one call at a time.
    guard = threading.Lock()

    def answer(name: str, raw: bytes) -> CallToolResult:
        try:
            with guard:
                return _result(tools.call(name, raw))
        except TenutoError as error:
            return _result(error.message, is_error=True)

    async def list_tools(*_: object) -> ListToolsResult:
        return ListToolsResult(tools=[_tool(definition) for definition in known.values()])

    async def call_tool(_: object, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in known:
            return _result(f"there is no tool {params.name!r}", is_error=True)
        raw = msgspec.json.encode(params.arguments or {})
        # Reading takes its time; the server answers other requests meanwhile.
        return await asyncio.to_thread(answer, params.name, raw)

    return Server(
        "tenuto",
        version=VERSION,
        title="Tenuto",
        instructions="Saved sessions of AI agents: list them, then read the one that matters.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _tool(definition: ToolDefinition) -> Tool:
    schema = definition.schema()
    assert isinstance(schema, dict)
    hints = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    return Tool(
        name=definition.name,
        description=definition.description,
        input_schema=schema,
        annotations=hints,
    )


def _result(text: str, *, is_error: bool = False) -> CallToolResult:
    content = TextContent(type="text", text=gojson.replace_surrogates(text))
    return CallToolResult(content=[content], is_error=is_error)
