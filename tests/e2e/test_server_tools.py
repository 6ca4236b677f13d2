# SPDX-License-Identifier: Apache-2.0
"""Whole runs with tools of Anthropic's own side: the search for deferred tools, and its pauses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.e2e.bench import Bench
from tests.e2e.messages_server import MessagesServer
from tests.e2e.runs import DONE, PANTRY, call, resume, start, turn

SEARCH = {"type": "tool_search_tool_bm25", "name": "tool_search_tool_bm25"}
#: With these there are more than ten tools.
HARNESS = {"memory": {"enabled": True}, "human_in_the_loop": {"enabled": True}}


def searched(number: int) -> list[dict[str, Any]]:
    """What the other side did by itself in a reply: it looked for a tool, and found one."""
    found = {"type": "tool_reference", "tool_name": "stock_add"}
    return [
        {
            "type": "server_tool_use",
            "id": f"srvtoolu_{number}",
            "name": SEARCH["name"],
            "input": {"query": "put away", "limit": 1.0},
        },
        {
            "type": "tool_search_tool_result",
            "tool_use_id": f"srvtoolu_{number}",
            "content": {"type": "tool_search_tool_search_result", "tool_references": [found]},
        },
    ]


PAUSED = {"text": "Still looking.", "blocks": searched(0), "stop": "pause_turn"}
FOUND = {**turn(call("stock_add", item="salt")), "blocks": searched(1)}


def test_a_pause_is_no_end_and_what_the_other_side_did_goes_back_as_it_was(bench: Bench) -> None:
    config = bench.configure({**PANTRY, "harness": HARNESS})
    memory = bench.folder / "memory" / "pantry"
    memory.mkdir(parents=True)
    (memory / "tea.md").write_text("---\ndescription: 'Green: of course'\n---\nx")
    with MessagesServer([PAUSED, *[FOUND, DONE] * 3]) as server:
        bench.use(server)
        done = bench.tenuto(*start(config))
        assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
        assert bench.pantry.calls() == [["stock", "add", "--", "salt"]]
        assert bench.kinds("r1") == [
            "meta", "assistant", "assistant", "tool_result", "assistant", "terminal",
        ]  # fmt: skip
        instructed = json.dumps(server.calls[0].body["system"])
        assert "- tea: Green: of course" in instructed
        assert "- rice: " not in instructed
        *tools, search = server.calls[0].body["tools"]
        assert search == SEARCH
        deferred = {tool["name"]: tool["defer_loading"] for tool in tools}
        assert len(deferred) > 10
        # The application's are, but for the one that asks not to be.
        assert [name for name, yes in deferred.items() if yes] == [
            "stock_add", "stock_remove", "import", "wait",
        ]  # fmt: skip
        kept = bench.records("r1")[1]["assistant"]["message"]["content"][:2]
        assert [block["provider"]["raw"] for block in kept] == searched(0)
        assert b'"limit":1.0' in (bench.runs / "r1.json").read_bytes()
        said = {"type": "text", "text": "Still looking."}
        for number in (1, 2):
            again = server.calls[number].messages[1]
            assert again == {"role": "assistant", "content": [*searched(0), said]}
        assert [m["role"] for m in server.calls[1].messages] == ["user", "assistant"]
        (memory / "rice.md").write_text("Written by hand.")
        for name in ("r2", "r3"):
            line = ("session", "fork", "r1", "--at", "2", "--name", name)
            assert bench.tenuto(*line).returncode == 0
        resumed_from_a_pause(bench, server, config)
        resumed_without_the_search(bench, server)


def resumed_from_a_pause(bench: Bench, server: MessagesServer, config: Path) -> None:
    """A resume asks the same, tells what may have expired, and knows what is remembered since."""
    with bench.worker("resume", "r2", *resume(config)[2:]) as worker:
        worker.until("warning", kind="server_state")
        assert worker.wait() == 0
    assert server.calls[3].messages == server.calls[1].messages
    assert server.calls[3].body["tools"] == server.calls[1].body["tools"]
    assert "- rice: " in json.dumps(server.calls[3].body["system"])
    assert bench.kinds("r2")[2:] == ["terminal", *bench.kinds("r1")[2:]]


def resumed_without_the_search(bench: Bench, server: MessagesServer) -> None:
    """Every tool is told at once; and that is another tool set: it goes on by force only."""
    llm = {**PANTRY["llm"], "no_tool_search": True}
    config = bench.configure({**PANTRY, "harness": HARNESS, "llm": llm})
    line = ("resume", "r3", "--config", str(config), "--no-replay", "--json")
    asked = len(server.calls)
    refused = bench.tenuto(*line)
    assert refused.returncode == 4
    changed = [row for row in json.loads(refused.stdout)["diff"] if row["changed"]]
    assert [row["field"] for row in changed] == ["tools_hash"]
    assert {"change": "changed", "name": "wait", "what": ["deferred"]} in changed[0]["details"]
    assert len(server.calls) == asked
    assert bench.tenuto(*line, "--force").returncode == 0
    tools = server.calls[asked].body["tools"]
    assert SEARCH not in tools
    assert not any(tool["defer_loading"] for tool in tools)
