# SPDX-License-Identifier: Apache-2.0
"""Folders of runs to measure on: always the same bytes, for the seed is fixed.

They are written as plain bytes, not through the store: a corpus must not depend on what it
measures. Records look like those of a real run: tools that print indented JSON, which a journal
holds as JSON in JSON, and tool inputs that are objects of their own.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: With what JSON escapes, and letters of two and three bytes, as transcripts have them.
WORDS = tuple(
    (
        "the stream holds orders and consumer reads them in batches while a report gathers totals "
        "per region so that nobody waits for more than one page of figures <tidy> & current "
        '"quoted" path\\\\name Überblick naïve 東京 ✓'
    ).split(" ")
)
FINGERPRINT = {
    "provider": "anthropic",
    "model": "claude-sonnet-5",
    "system_hash": "0" * 64,
    "tools_hash": "1" * 64,
    "thinking_mode": "off",
    "max_tokens": 200000,
    "max_iterations": 40,
}


def go(value: object) -> bytes:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.encode()


def line(seq: int, kind: str, payload: dict[str, object]) -> bytes:
    protocol = f"io.choria.fisk-ai.v1.session.{kind}"
    return go({"seq": seq, "protocol": protocol, kind: payload}) + b"\n"


def prose(source: random.Random, size: int) -> str:
    """About ``size`` bytes of words, a line end after nine."""
    words = source.choices(WORDS, k=max(1, size // 6))
    return "\n".join(" ".join(words[start : start + 9]) for start in range(0, len(words), 9))


def _printed(source: random.Random, size: int) -> str:
    """What a fisk command printed, about ``size`` bytes in the journal, as its result holds it."""
    rows = [
        {
            "name": f"{source.choice(WORDS)}-{number}",
            "messages": source.randrange(10**6),
            "bytes": source.randrange(10**9),
            "subjects": source.choices(WORDS, k=3),
            "leader": None,
            "healthy": source.random() < 0.9,
        }
        for number in range(max(1, size // 330))
    ]
    output = json.dumps({"rows": rows}, indent=2, ensure_ascii=False)
    return json.dumps({"command": "stream ls --json", "exit_code": 0, "output": output})


def _input(source: random.Random, turn: int) -> dict[str, object]:
    return {
        "stream": "ORDERS",
        "page": turn,
        "filter": {"subjects": source.choices(WORDS, k=2), "after": {"seq": turn * 7}},
        "columns": ["name", "messages", "bytes"],
        "format": "json",
    }


def journal(run_id: str, turns: int, text_size: int, *, seed: int = 1) -> Iterator[bytes]:
    """The lines of a completed run: per turn an assistant record and one tool result.

    ``text_size`` is about the bytes of each tool result; an assistant record has half of it.
    """
    source = random.Random(f"{seed} {run_id}")
    meta = {
        "version": 3,
        "run_id": run_id,
        "created": "2026-01-05T09:30:00.25Z",
        "fingerprint": FINGERPRINT,
        "prompt": f"report on {run_id}: {prose(source, 120)}",
    }
    yield line(1, "meta", meta)
    seq = 1
    for turn in range(turns):
        call = f"toolu_{turn:06d}"
        content = [
            {"thinking": {"text": prose(source, text_size // 4), "signature": "c2lnbmVk" * 8}},
            {"text": {"text": prose(source, text_size // 4)}},
            {"tool_use": {"id": call, "name": "stream_ls", "input": _input(source, turn)}},
        ]
        assistant = {
            "iteration": turn,
            "message": {"role": "assistant", "content": content},
            "stop_reason": "tool_use",
            "in_tokens": 900 + turn,
            "out_tokens": 120,
            "cache_read_tokens": 800,
        }
        result = {"tool_use_id": call, "content": _printed(source, text_size)}
        yield line(seq + 1, "assistant", assistant)
        yield line(seq + 2, "tool_result", {"tool_use_id": call, "result": result})
        seq += 2
    last = {
        "iteration": turns,
        "message": {"role": "assistant", "content": [{"text": {"text": "Done."}}]},
        "stop_reason": "end_turn",
        "in_tokens": 1000,
        "out_tokens": 3,
    }
    yield line(seq + 1, "assistant", last)
    yield line(seq + 2, "terminal", {"reason": "completed"})


def write_journal(path: Path, turns: int, text_size: int) -> int:
    """Write one journal; its size in bytes."""
    with path.open("wb") as file:
        path.chmod(0o600)
        return sum(file.write(line) for line in journal(path.stem, turns, text_size))


def many_runs(folder: Path, count: int, *, size: int = 4096) -> Path:
    """A runs folder of ``count`` journals of about ``size`` bytes each."""
    folder.mkdir(mode=0o700, parents=True)
    turns = 3
    for number in range(count):
        write_journal(folder / f"run-{number:05d}.json", turns, (size - 1600) * 2 // (3 * turns))
    return folder


def large_runs(folder: Path, count: int, *, turns: int = 250, text_size: int = 1300) -> Path:
    """A runs folder of ``count`` journals of about 0.5 MB each."""
    folder.mkdir(mode=0o700, parents=True)
    for number in range(count):
        write_journal(folder / f"large-{number:03d}.json", turns, text_size)
    return folder


def huge_run(folder: Path, turns: int = 27_000) -> Path:
    """One journal; of about 100 MB in 54,000 records by default."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "huge.json"
    write_journal(path, turns, 2080)
    return path


def suspended_run(folder: Path, saved: dict[str, Any], turns: int = 27_000) -> Path:
    """As :func:`huge_run`, but suspended, and saved under the fingerprint ``saved``."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "huge.json"
    lines = journal(path.stem, turns, 2080)
    meta = json.loads(next(lines))["meta"] | {"fingerprint": saved}
    with path.open("wb") as file:
        path.chmod(0o600)
        file.write(line(1, "meta", meta))
        file.writelines(itertools.islice(lines, 2 * turns))
        file.write(line(2 * turns + 2, "terminal", {"reason": "suspended"}))
    return path
