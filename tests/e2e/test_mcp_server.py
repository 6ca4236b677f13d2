# SPDX-License-Identifier: Apache-2.0
"""``tenuto mcp`` asked by the official client, and the same tools inside a run."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.e2e.bench import TIMEOUT, Bench
from tests.support import reasonix
from tests.support.cli import suspended

A = "20260601-101010.000000001-deepseek-v4.jsonl"
V4 = "a" * 32


@pytest.fixture
def state(bench: Bench) -> Path:
    root = bench.folder / "reasonix"
    (root / "sessions").mkdir(parents=True)
    reasonix.write(root / "sessions" / A)
    said = [reasonix.said(m) for m in reasonix.SESSION[1:]]
    reasonix.v4_session(root / "sessions-v4" / V4, reasonix.batch(1, *said))
    suspended(bench.runs, "r1", "Count | the rice")
    bench.environment["REASONIX_STATE_HOME"] = str(root)
    return root


def ask(bench: Bench, questions: Callable[[ClientSession], Awaitable[Any]], *words: str) -> Any:
    """What the official client is told by a server of its own."""
    line = bench.command("mcp", *words)
    server = StdioServerParameters(command=line[0], args=line[1:], env=bench.environment)

    async def session() -> Any:
        async with stdio_client(server) as streams, ClientSession(*streams) as client:
            await client.initialize()
            return await questions(client)

    return asyncio.run(asyncio.wait_for(session(), TIMEOUT))


def text(result: Any) -> str:
    [content] = result.content
    return str(content.text)


def test_both_tools_answer_over_both_sources(bench: Bench, state: Path) -> None:
    async def questions(client: ClientSession) -> Any:
        tools = (await client.list_tools()).tools
        listed = await client.call_tool("list_sessions", {})
        read = [
            await client.call_tool("read_session", {"session": name, "show_tool_results": True})
            for name in (A, V4, "r1.json")
        ]
        refused = [
            await client.call_tool("read_session", {"session": name})
            for name in ("../../secret.jsonl", str(bench.folder / "agent.yaml"), "none.jsonl", "")
        ]
        unknown = await client.call_tool("delete_session", {})
        return tools, listed, read, [*refused, unknown]

    before = bench.snapshot()
    tools, listed, read, refused = ask(bench, questions)
    assert [tool.name for tool in tools] == ["list_sessions", "read_session"]
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert tools[1].input_schema["required"] == ["session"]
    table = text(listed)
    assert table.startswith("# Saved Sessions (3 total)")
    for part in (f"`{A}`", f"`{V4}`", "`r1.json`", "Count \\| the rice"):
        assert part in table
    for result in read[:2]:
        assert not result.is_error
        assert "## User (turn 1)\ncount the go files" in text(result)
        assert "### Tool Result: bash\n\n12" in text(result)
        assert "Be brief." not in text(result)
    assert "Count | the rice" in text(read[2])
    assert all(result.is_error for result in refused)
    assert "outside the session directory" in text(refused[0])
    # Previews are made; of the journals nothing changes.
    assert {k: v for k, v in bench.snapshot().items() if k in before} == before


def test_one_source_alone(bench: Bench, state: Path) -> None:
    async def listed(client: ClientSession) -> str:
        return text(await client.call_tool("list_sessions", {}))

    assert "(1 total)" in ask(bench, listed, "--source", "fisk-ai")
    bench.runs = state
    assert "(2 total)" in ask(bench, listed, "--source", "reasonix")


def test_it_ends_with_its_input(bench: Bench) -> None:
    done = subprocess.run(
        bench.command("mcp"),
        env=bench.environment,
        input=b"",
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_configuration_gives_them_to_its_own_model(bench: Bench, state: Path) -> None:
    calls = [
        {"name": "list_sessions", "input": {}},
        {"name": "read_session", "input": {"session": A}},
        {"name": "read_session", "input": {"session": "/etc/passwd"}},
    ]
    bench.script([{"text": "", "tools": calls}, {"text": "So that was it."}], tools="")
    own = bench.folder / "agent.tenuto.yaml"
    own.write_text(json.dumps({**json.loads(own.read_text()), "session_tools": True}))
    config = str(bench.folder / "agent.yaml")
    checked = json.loads(bench.tenuto("config", "check", config, "--json").stdout)
    assert [tool["name"] for tool in checked["tools"]] == ["list_sessions", "read_session"]
    done = bench.tenuto("run", "What was said?", "--config", config, "--checkpoint", "--name", "r2")
    assert done.stdout == "So that was it.\n", done.stderr
    records = [r["tool_result"] for r in bench.records("r2") if "tool_result" in r]
    results = [record["result"] for record in records]
    assert [result.get("is_error", False) for result in results] == [False, False, True]
    assert f"`{A}`" in results[0]["content"]
    assert "count the go files" in results[1]["content"]
    assert "outside the session directory" in results[2]["content"]
