# SPDX-License-Identifier: Apache-2.0
"""Two runs as look.md's pictures tell them: one over a morning, one with a broken line."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tenuto.runs import times
from tests.support import journals as j

#: Tool, its subject, seconds it took.
_MOVES = (
    ("consumer_info", "BILLING", 0.5), ("consumer_report", "BILLING", 2.0),
    ("consumer_add", "invoices", 3.8), ("consumer_info", "invoices", 0.7),
    ("consumer_report", "BILLING", 12.0), ("consumer_rm", "invoices-old", 5.0),
    ("consumer_add", "dunning", 3.0), ("consumer_add", "dunning-eu", 5.0),
    ("consumer_report", "BILLING", 30.0), ("consumer_info", "dunning", 0.6),
    ("consumer_rm", "dunning-old", 6.0), ("consumer_add", "ledger", 4.2),
    ("consumer_report", "BILLING", 44.0),
)  # fmt: skip
#: Seconds before the call of this turn: somebody was asked, or the run rested.
_ASKED, _RESTED = {5: 42 * 60}, {9: 2 * 3600 + 50 * 60}
_FAILED = "consumer name already in use\nwith another configuration (10148)"


class _Teller:
    def __init__(self, folder: Path, id: str, prompt: str, start: datetime) -> None:
        self.lines = [j.meta(run_id=id, prompt=prompt).replace(
            b"2026-01-05T09:30:00.25Z", start.strftime("%Y-%m-%dT%H:%M:%SZ").encode())]  # fmt: skip
        self.times = [times.RecordTime(1, _text(start))]
        self._path, self._now = folder / f"{id}.json", start

    def add(
        self, kind: str, payload: dict[str, Any], took: float = 0.0, after: float = 0.1
    ) -> None:
        seq = len(self.lines) + 1
        self._now += timedelta(seconds=took + after)
        self.lines.append(j.line(seq, kind, payload))
        self.times.append(times.RecordTime(seq, _text(self._now), round(took * 1000) or None))

    def write(self) -> None:
        self._path.write_bytes(b"".join(self.lines))
        self._path.chmod(0o600)
        seen = self._path.with_name(f"{self._path.stem}.times.jsonl")
        seen.unlink(missing_ok=True)
        if self.times:
            times.append(self._path.parent, self._path.stem, self.times)


def _text(moment: datetime) -> str:
    return moment.astimezone().isoformat()


def _turn(number: int, calls: list[tuple[str, str, str]], usage: tuple[int, ...]) -> dict[str, Any]:
    content: list[dict[str, Any]] = [j.text(f"Step {number + 1} of the move.")]
    content += [
        {"tool_use": {"id": id, "name": name, "input": {"name": subject}}}
        for id, name, subject in calls
    ]
    plain, out, read, write = usage
    return {
        "iteration": number,
        "message": {"role": "assistant", "content": content},
        "stop_reason": "tool_use" if calls else "end_turn",
        "in_tokens": plain,
        "out_tokens": out,
        "cache_read_tokens": read,
        "cache_create_tokens": write,
    }


def _result(id: str, output: str, code: int = 0) -> dict[str, Any]:
    content = json.dumps({"command": "nats", "exit_code": code, "output": output})
    return {"tool_use_id": id, "result": {"tool_use_id": id, "content": content}}


def billing(folder: Path, prompt: str, start: datetime) -> None:
    """Fourteen turns, one wait, one rest, one error; the cache went cold twice."""
    dice = random.Random(4)
    teller = _Teller(folder, "billing-move", prompt, start)
    whole, cached = 7000, 0
    for turn in range(14):
        if turn in _RESTED:
            teller.add("terminal", {"reason": "suspended"})
            cached = 0
        if turn - 1 in _ASKED:
            cached = 0
        usage = (120, 300 + dice.randrange(600) + 150 * turn, cached, whole - cached)
        calls = [(f"c{turn}", *_MOVES[turn][:2])] if turn < 13 else []
        teller.add("assistant", _turn(turn, calls, usage), dice.uniform(6, 14),
                   _RESTED.get(turn, 0.1))  # fmt: skip
        cached, whole = whole, whole + 900 + dice.randrange(900)
        for id, name, _subject in calls:
            failed = turn == 6
            result = _result(id, _FAILED if failed else f"{name} done", int(failed))
            teller.add("tool_result", result, _MOVES[turn][2], _ASKED.get(turn, 0.1))
    teller.add("terminal", {"reason": "completed"})
    teller.write()


def depot(folder: Path, prompt: str, start: datetime) -> None:
    """Sixty-one lines; on the 42nd a record was cut off and the next one written behind it."""
    teller = _Teller(folder, "depot", prompt, start)
    for turn in range(30):
        lane = f"C-{turn:02}"
        usage = (900, 60, 400, 0)
        teller.add("assistant", _turn(turn, [(f"c{turn}", "lane_count", lane)], usage))
        output = f"LANE {lane}\nPARCEL     SINCE    WEIGHT\n" + "C-06-101   12 Mar   4.2 kg\n" * (
            turn % 9
        )
        failed = turn == 21
        result = _result(f"c{turn}", "lane D-01 is full" if failed else output, int(failed))
        teller.add("tool_result", result)
    teller.times = []
    teller.lines[41] = teller.lines[41][:87] + teller.lines[41]
    teller.write()
