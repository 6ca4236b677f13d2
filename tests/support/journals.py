# SPDX-License-Identifier: Apache-2.0
"""Journal lines for tests, as plain bytes: what is tested does not make its own yardstick."""

from __future__ import annotations

import json
from typing import Any

PREFIX = "io.choria.fisk-ai.v1.session."
FINGERPRINT: dict[str, Any] = {
    "provider": "anthropic",
    "model": "claude-sonnet-5",
    "system_hash": "0" * 64,
    "tools_hash": "1" * 64,
    "thinking_mode": "off",
    "max_tokens": 200000,
    "max_iterations": 50,
}


def line(seq: int, kind: str, payload: object) -> bytes:
    """One line, newline included."""
    value = {"seq": seq, "protocol": PREFIX + kind, kind: payload}
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def meta(*, version: int = 3, run_id: str = "run", prompt: str = "Count the rice") -> bytes:
    fingerprint = {k: v for k, v in FINGERPRINT.items() if version == 3 or k != "provider"}
    payload = {
        "version": version,
        "run_id": run_id,
        "created": "2026-01-05T09:30:00.25Z",
        "fingerprint": fingerprint,
        "prompt": prompt,
    }
    return line(1, "meta", payload)


def assistant(
    seq: int, content: object, *, iteration: int = 0, stop_reason: str = "", **fields: object
) -> bytes:
    payload = {
        "iteration": iteration,
        "message": {"role": "assistant", "content": content},
        **({"stop_reason": stop_reason} if stop_reason else {}),
        "in_tokens": 10,
        "out_tokens": 2,
        **fields,
    }
    return line(seq, "assistant", payload)


def call(id: str, arguments: object = None) -> dict[str, Any]:
    return {"tool_use": {"id": id, "name": "stock_list", "input": arguments or {}}}


def text(words: str) -> dict[str, Any]:
    return {"text": {"text": words}}


def result(seq: int, id: str, content: str = "done") -> bytes:
    payload = {"tool_use_id": id, "result": {"tool_use_id": id, "content": content}}
    return line(seq, "tool_result", payload)


def terminal(seq: int, reason: str = "suspended") -> bytes:
    return line(seq, "terminal", {"reason": reason})


def three_records() -> list[bytes]:
    """The journal that reliability.md's reader table speaks of: meta, assistant, tool result."""
    return [meta(), assistant(2, [text("Look."), call("toolu_1")]), result(3, "toolu_1")]
