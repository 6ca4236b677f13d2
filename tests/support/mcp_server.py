# SPDX-License-Identifier: Apache-2.0
"""A real MCP server for tests, on stdio or HTTP: ``python -m tests.support.mcp_server``.

Its tools: ``add``, ``fail``, ``slow`` (waits), ``tell`` (environment and folder as it sees them),
``large``, ``kinds`` (content that is no text), ``note`` (adds a line to a file), ``end`` (ends the
server). With ``--stubborn`` it ignores the end of its stdin and SIGTERM, and leaves a child behind;
``--broken`` says something and ends at once; ``--silent`` never answers.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TOKEN = "Bearer of good news"


def _server() -> Any:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import EmbeddedResource, ImageContent, TextContent, TextResourceContents

    server = MCPServer("pantry")

    @server.tool()
    def add(a: int, b: int = 1) -> str:
        """Adds numbers."""
        return str(a + b)

    @server.tool()
    def fail(why: str) -> str:
        raise ToolError(why)

    @server.tool()
    def slow(seconds: float) -> str:
        time.sleep(seconds)
        return "at last"

    @server.tool()
    def tell() -> str:
        """What the server sees of its surroundings."""
        return json.dumps({"environment": dict(os.environ), "cwd": os.getcwd()})

    @server.tool()
    def large(size: int) -> str:
        return "a" * size + "z"

    @server.tool(structured_output=False)
    def kinds() -> list[Any]:
        resource = TextResourceContents(uri="memo://1", text="two")
        return [
            TextContent(text="one"),
            ImageContent(data="eHh4" * 10, mime_type="image/png"),
            EmbeddedResource(resource=resource),
        ]

    @server.tool(name="file.note")
    def note(path: str, text: str) -> str:
        """Adds a line to a file."""
        with open(path, "a") as file:
            file.write(text + "\n")
        return "noted"

    @server.tool()
    def end() -> str:
        os._exit(3)

    return server


def _http(port: int) -> None:
    import uvicorn

    inner = _server().streamable_http_app(json_response=False)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope.get("headers", ()))
        if scope["type"] == "http" and headers.get(b"authorization") != TOKEN.encode():
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b"who are you?"})
            return
        await inner(scope, receive, send)

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int)
    parser.add_argument("--pid-file", type=Path)
    for way in ("stubborn", "broken", "silent"):
        parser.add_argument(f"--{way}", action="store_true")
    arguments = parser.parse_args()
    if arguments.pid_file:
        with arguments.pid_file.open("a") as file:
            file.write(f"{os.getpid()}\n")
    if arguments.broken:
        sys.exit("no configuration, no service")
    if arguments.stubborn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        subprocess.Popen(["sleep", "300"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    if arguments.silent:
        time.sleep(300)
    elif arguments.port:
        _http(arguments.port)
    else:
        _server().run("stdio")
    while arguments.stubborn:
        time.sleep(1)


def command(*arguments: str) -> list[str]:
    """The words that start it on stdio, for a configuration."""
    root = Path(__file__).parents[2]
    line = f"import sys; sys.path.insert(0, {str(root)!r}); "
    line += "from tests.support.mcp_server import main; main()"
    return [sys.executable, "-c", line, *arguments]


@contextmanager
def http_server() -> Iterator[str]:
    """The URL of one on HTTP that wants ``TOKEN``."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(command("--port", str(port)))
    try:
        deadline = time.monotonic() + 60
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, "the server ended"
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
