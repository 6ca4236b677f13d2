# SPDX-License-Identifier: Apache-2.0
"""What OpenAI's chat completions stream for a turn of the tests' server.

Besides the keys that ``messages_server`` names: ``chunks`` (sent as they are, in place of all
others), ``stop`` in OpenAI's own words, ``usage``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

ENDPOINT = "/v1/chat/completions"


def usage(index: int) -> dict[str, Any]:
    return {
        "prompt_tokens": 100 + index,
        "completion_tokens": 10 + index,
        "total_tokens": 110 + 2 * index,
        "prompt_tokens_details": {"cached_tokens": 5},
    }


def lines(turn: dict[str, Any], index: int, model: str) -> Iterator[str]:
    chunks = turn.get("chunks") or [
        {
            "id": f"chatcmpl-{index}",
            "object": "chat.completion.chunk",
            "model": model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
        }
        for delta, reason in _deltas(turn, index)
    ]
    yield ": a comment\n\n"
    for chunk in chunks:
        yield f"data: {json.dumps(chunk)}\n\n"
    if "chunks" not in turn:
        yield f"data: {json.dumps({'choices': [], 'usage': turn.get('usage', usage(index))})}\n\n"
    yield "data: [DONE]\n\n"


def _deltas(turn: dict[str, Any], index: int) -> Iterator[tuple[dict[str, Any], str | None]]:
    yield {"role": "assistant", "content": ""}, None
    for word in _words(turn.get("thinking", "")):
        yield {"reasoning_content": word}, None
    for word in _words(turn.get("text", "")):
        yield {"content": word}, None
    tools = turn.get("tools", [])
    for position, tool in enumerate(tools):
        call = {"index": position, "id": f"call_{index}_{position}", "type": "function"}
        yield {"tool_calls": [{**call, "function": {"name": tool["name"], "arguments": ""}}]}, None
        raw = tool["input"]
        for word in _words(raw if isinstance(raw, str) else json.dumps(raw)):
            yield {"tool_calls": [{"index": position, "function": {"arguments": word}}]}, None
    yield {}, turn.get("stop", "tool_calls" if tools else "stop")


def _words(text: str) -> list[str]:
    return [word if i == 0 else f" {word}" for i, word in enumerate(text.split(" "))]
