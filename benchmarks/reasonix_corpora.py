# SPDX-License-Identifier: Apache-2.0
"""Reasonix sessions to measure on: always the same bytes, written without the code under test."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from benchmarks.corpora import go, prose


def messages(turns: int, text_size: int, *, seed: int) -> Iterator[dict[str, object]]:
    """A session: per turn a prompt, a call with its result, and an answer."""
    source = random.Random(seed)
    yield {"role": "system", "content": prose(source, 400)}
    for turn in range(turns):
        arguments = json.dumps({"command": prose(source, 60), "page": turn})
        call = {"id": f"call_{turn}_0", "name": "bash", "arguments": arguments}
        yield {"role": "user", "content": prose(source, 120)}
        yield {
            "role": "assistant",
            "content": prose(source, text_size // 6),
            "reasoning_content": prose(source, text_size // 6),
            "tool_calls": [call],
        }
        content = prose(source, text_size // 2)
        yield {"role": "tool", "content": content, "tool_call_id": call["id"], "name": "bash"}
        yield {"role": "assistant", "content": prose(source, text_size // 6)}


def _write(path: Path, turns: int, text_size: int, seed: int) -> None:
    lines = (go(message) + b"\n" for message in messages(turns, text_size, seed=seed))
    path.write_bytes(b"".join(lines))
    path.chmod(0o600)


def many_sessions(folder: Path, count: int) -> Path:
    """A folder of sessions of about 4 KB, each with a sidecar that is to be trusted."""
    folder.mkdir(mode=0o700, parents=True)
    for number in range(count):
        day, second = divmod(number, 1000)
        id = f"202607{day + 1:02d}-0915{second % 60:02d}.{number:09d}-deepseek-v4"
        _write(folder / f"{id}.jsonl", 2, 1500, number)
        meta = {
            "id": id,
            "created_at": f"2026-07-{day + 1:02d}T09:15:{second % 60:02d}.5Z",
            "updated_at": f"2026-07-{day + 1:02d}T10:{second // 60:02d}:{second % 60:02d}.25Z",
            "model": "deepseek/deepseek-v4",
            "schema_version": 1,
            "turns": 2,
            "preview": "count the go files",
        }
        text = json.dumps(meta, indent=2) + "\n"
        (folder / f"{id}.jsonl.meta").write_text(text, encoding="utf-8")
    return folder


def large_session(folder: Path, turns: int) -> Path:
    """One session; of about 50 MB in 36,000 messages by default."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "20260702-091502.000000001-deepseek-v4.jsonl"
    _write(path, turns, 5_100, 1)
    return path
