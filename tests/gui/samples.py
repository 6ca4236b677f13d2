# SPDX-License-Identifier: Apache-2.0
"""A folder of real journals in every state, for pictures and for looking at the window.

The runs marked as held are locked by this process for as long as `Samples` lives.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import msgspec

from tenuto.fingerprint import Fingerprint
from tenuto.messages import Block, Message, Text, Thinking, ToolResult, ToolUse
from tenuto.records import VERSION, Assistant, Meta, Terminal, ToolResultRecord
from tenuto.runs import ask as ask_file
from tenuto.runs.file import FileRunStore

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
HAIKU, SONNET = "claude-haiku-4-5", "claude-sonnet-5"

STATE = """State:
            Messages: 18,402,117
               Bytes: 41.6 GiB
    Active Consumers: 6
"""
REPORT = """## ORDERS, week 11

The stream grew by **3.1 GiB** (8 %) since last Monday. Two of its six consumers need a look:

- `billing-eu` was renamed to `billing-eu-2` on Tuesday; the dashboard still asks for the old name.
- `audit-archive` falls behind by about 9,000 messages an hour.

| Consumer | Owner | Pending | Oldest |
|---|---|---:|---:|
| `billing-eu-2` | Billing | 1,204 | 2 m |
| `audit-archive` | \u0645\u0633\u062a\u0648\u062f\u0639 | 412,880 | 3 d 4 h |

To let it catch up, raise what it may hold unacknowledged:

```sh
# 500 today; the archive acks in batches of 1,000
nats consumer edit --max-pending=2000 -- ORDERS audit-archive
```
"""


@dataclass(frozen=True)
class Turn:
    """One reply, and what its calls gave (None: no result)."""

    text: str = ""
    thinking: str = ""
    calls: tuple[tuple[str, dict[str, Any], str | None], ...] = ()
    failed: bool = False
    tokens: int = 4000


@dataclass(frozen=True)
class Sample:
    """One run; ``age`` in seconds."""

    id: str
    prompt: str
    age: int
    turns: tuple[Turn, ...] = field(default=())
    end: str = ""
    model: str = HAIKU
    message: str = ""
    held: bool = False
    ask: dict[str, Any] | None = None


def _plain(count: int, tokens: int) -> tuple[Turn, ...]:
    each = tokens // count
    looks = [
        Turn(f"Step {n + 1}.", calls=(("stock_list", {"shelf": n}, "ok"),), tokens=each)
        for n in range(count - 1)
    ]
    return (*looks, Turn("Done.", tokens=each))


ORDERS = (
    Turn(
        thinking="The review wants size and growth, so stream info first.\nThen a report.",
        calls=(
            ("stream_info", {"name": "ORDERS"}, STATE + "\n".join(f"  s{n}" for n in range(34))),
        ),
        tokens=9000,
    ),
    Turn(
        calls=(
            (
                "consumer_info",
                {"stream": "ORDERS", "consumer": "billing-eu"},
                'nats: error: consumer "billing-eu" not found on stream ORDERS (10014)',
            ),
        ),
        failed=True,
        tokens=9500,
    ),
    Turn(
        REPORT,
        thinking="billing-eu is gone, so list what is there.",
        calls=(
            ("consumer_report", {"stream": "ORDERS", "sort": "pending"}, "6 consumers\n" * 14),
            ("stream_subjects", {"stream": "ORDERS", "filter": "orders.eu.>"}, "orders.eu.de\n"),
        ),
        tokens=65000,
    ),
)
BACKUP = (
    Turn("The repository is reachable and unlocked. Next, what is older than the policy allows:"),
    Turn(
        "41 snapshots are past their 30 days: 18 on `db-1`, 23 on `files-2`. I prune one host at "
        "a time and check the repository after that.",
        calls=(
            ("backup_prune", {"host": "db-1"}, "removed 18 snapshots, freed 61.2 GiB"),
            ("backup_prune", {"host": "files-2"}, None),
            ("backup_check", {"subset": "5%"}, None),
        ),
        tokens=30000,
    ),
)
_APPROVE = {
    "type": "ask", "id": "q1", "kind": "approve", "tool": "stream_rm", "call_id": "t0_0",
    "argv": ["/usr/bin/nats", "stream", "rm", "--", "ORDERS_OLD"], "cwd": "/srv/agents",
    "tag": "ai:confirm", "digest": "0" * 64,
}  # fmt: skip
PRUNE = (
    Turn(
        "Three streams have had no reader for 90 days. I start with the smallest.",
        calls=(("stream_rm", {"name": "ORDERS_OLD"}, None),),
        tokens=96400,
    ),
)
JAPANESE = (
    "\u4ed5\u5165\u308c\u5148\u3054\u3068\u306b\u5728\u5eab\u3092\u68da\u5378\u3057\u3057\u3001"
    "\u6765\u9031\u307e\u3067\u306b\u767a\u6ce8\u304c\u5fc5\u8981\u306a\u3082\u306e\u3092\u4e00"
    "\u89a7\u306b\u3057\u3066\u304f\u3060\u3055\u3044"
)
ARABIC = (
    "\u062c\u0631\u062f \u0645\u062e\u0632\u0646 \u0627\u0644\u0645\u0624\u0646 "
    "\u0648\u0625\u0639\u062f\u0627\u062f \u0642\u0627\u0626\u0645\u0629 "
    "\u0627\u0644\u0645\u0634\u062a\u0631\u064a\u0627\u062a "
    "\u0644\u0644\u0623\u0633\u0628\u0648\u0639 \u0627\u0644\u0642\u0627\u062f\u0645"
)

SAMPLES = (
    Sample(
        "orders-report",
        "Report on the ORDERS stream for the weekly review: size, growth, and any consumer that "
        "lags. Change nothing without asking first.",
        5,
        ORDERS,
        model=SONNET,
        held=True,
    ),
    Sample("prune-streams", "Prune streams nobody reads", 40, PRUNE, model=SONNET, held=True,
           ask=_APPROVE),
    Sample("pantry-notes", "Reconcile pantry stock with the delivery notes", 12 * _MINUTE,
           _plain(11, 22_800), "suspended"),
    Sample("nightly-audit", "Catch up on the nightly backup audit", 2 * _HOUR, BACKUP),
    Sample("tana-oroshi", JAPANESE, 3 * _HOUR, _plain(4, 18_000)[:-1]),
    Sample("billing-move", "Move the consumers of BILLING to the new cluster", 5 * _HOUR,
           _plain(14, 260_000), "completed", SONNET),
    Sample("restic-verify", "Verify last week\u2019s restic snapshots", 6 * _HOUR,
           _plain(3, 9_700)[:-1], "error", message="provider overloaded, 6 tries"),
    Sample("incident-notes", "Summarise last quarter\u2019s incident notes", _DAY,
           _plain(9, 200_000), "budget", SONNET, "token budget (200000) exhausted after turn 9"),
    Sample("acks", "Find the consumer that drops its acks", _DAY + _HOUR, _plain(50, 173_000),
           "max_iterations", message="50 of 50"),
    Sample("depot", "Depot stocktake, cold room", _DAY + 2 * _HOUR, _plain(8, 27_500)),
    Sample("jard", ARABIC, _DAY + 3 * _HOUR, _plain(6, 12_400), "completed"),
    Sample("2ZqK0eVw8mR4yTnB1sXcLdPfG7h", "", 8 * _DAY),
    Sample("cow-jokes", "Tell me three cow jokes", 8 * _DAY + 1, (Turn("Why?", tokens=1100),),
           "completed"),
    Sample("tmp-check", "", 9 * _DAY),
    Sample("metrics", "Rename the METRICS subjects", 9 * _DAY + 1, _plain(3, 14_600), "suspended",
           SONNET),
    *(
        Sample(f"routine-{n}", f"Check the retention limits of stream {n + 1}", (10 + n) * _DAY,
               _plain(2 + n % 4, 1_800 + 700 * n), "completed")
        for n in range(27)
    ),
)  # fmt: skip


class Samples:
    """The folder. Use it as a context manager: locks are let go at its end."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder = folder
        self._store = FileRunStore(folder)
        self._held: list[Any] = []

    def __enter__(self) -> Self:
        for sample in SAMPLES:
            self._write(sample)
        self._spoil()
        for sample in SAMPLES:
            path = self.folder / f"{sample.id}.json"
            then = time.time() - sample.age
            os.utime(path, (then, then))
            if sample.held:
                self._held.append(self._store.open(sample.id))
                os.utime(path, (then, then))
            if sample.ask:
                ask_file.write(self.folder, sample.id, sample.ask)
        return self

    def __exit__(self, *_error: object) -> None:
        for journal in self._held:
            journal.close()

    def _write(self, sample: Sample) -> None:
        start = datetime.fromtimestamp(time.time() - sample.age - 900, UTC)
        print_of = Fingerprint("anthropic", sample.model, "a" * 64, "b" * 64, "off", 200_000, 50)
        meta = Meta(VERSION, sample.id, start.isoformat()[:19] + "Z", print_of, sample.prompt)
        with self._store.create(sample.id, meta) as journal:
            for number, turn in enumerate(sample.turns):
                journal.append(_assistant(number, turn))
                for place, (_name, _input, content) in enumerate(turn.calls):
                    if content is not None:
                        key = f"t{number}_{place}"
                        result = ToolResult(key, content, turn.failed)
                        journal.append(ToolResultRecord(key, result))
            if sample.end:
                journal.append(Terminal(sample.end, sample.message))

    def _spoil(self) -> None:
        """A damaged, an empty and a newer journal."""
        depot = self.folder / "depot.json"
        lines = depot.read_bytes().splitlines(keepends=True)
        lines[6] = lines[6][:40] + b"\xff\x00\n"
        depot.write_bytes(b"".join(lines))
        (self.folder / "tmp-check.json").write_bytes(b"")
        newer = self.folder / "2ZqK0eVw8mR4yTnB1sXcLdPfG7h.json"
        record = json.loads(newer.read_bytes())
        record["meta"]["version"] = 4
        newer.write_bytes(json.dumps(record).encode() + b"\n")


def _assistant(number: int, turn: Turn) -> Assistant:
    blocks = []
    if turn.thinking:
        blocks.append(Block(thinking=Thinking(turn.thinking, "c2lnbmVk")))
    if turn.text:
        blocks.append(Block(text=Text(turn.text)))
    for place, (name, arguments, _content) in enumerate(turn.calls):
        raw = msgspec.Raw(json.dumps(arguments).encode())
        blocks.append(Block(tool_use=ToolUse(f"t{number}_{place}", name, raw)))
    reading = turn.tokens * 9 // 10
    return Assistant(
        number,
        Message("assistant", blocks),
        "tool_use" if turn.calls else "end_turn",
        reading - reading * 71 // 100,
        turn.tokens - reading,
        reading * 71 // 100,
    )
