# SPDX-License-Identifier: Apache-2.0
"""What the SDKs ask again by themselves is one turn of the run: one record, paid for once."""

from __future__ import annotations

import pytest

from tests.e2e.bench import Bench
from tests.e2e.messages_server import MessagesServer
from tests.e2e.runs import DONE, PANTRY, call, start, turn


@pytest.mark.parametrize(("provider", "status"), [("anthropic", 529), ("openai", 500)])
def test_an_error_that_passes_leaves_no_trace(bench: Bench, provider: str, status: int) -> None:
    bench.environment["OPENAI_API_KEY"] = bench.environment["ANTHROPIC_API_KEY"]
    busy = {"status": status, "text": "not now", "retry": True}
    look = turn(call("stock_list"))
    if provider == "openai":
        # The chat completions wire has a word of its own for it.
        look["stop"] = "tool_calls"
    with MessagesServer([busy, look, DONE]) as server:
        base = server.url if provider == "anthropic" else f"{server.url}/v1"
        config = bench.configure(
            {**PANTRY, "llm": {"model": "stub-model", "provider": provider}}, base_url=base
        )
        done = bench.tenuto(*start(config))
        assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
        # Nobody who watches has to guess why it takes so long.
        assert f"the model's side answered {status} " in done.stderr
        assert "asked again (attempt 2)" in done.stderr
    first, again, after = server.calls
    # The second request is the first one over again; the third goes on from its reply.
    assert first.body == again.body
    assert len(after.messages) > len(again.messages)
    assert bench.kinds("r1") == ["meta", "assistant", "tool_result", "assistant", "terminal"]
    turns = [r["assistant"]["iteration"] for r in bench.records("r1") if "assistant" in r]
    assert turns == [0, 1]
    assert bench.pantry.calls() == [["stock", "list"]]
