# SPDX-License-Identifier: Apache-2.0
"""What a run did when: from real files of records and times."""

from __future__ import annotations

import itertools
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.runs import times
from tenuto.sources.activity import FOLDED, Activity
from tenuto.sources.activity_reader import RunActivity
from tests.support import journals as j
from tests.support.paths import FISK_REAL

#: What `journals.meta` says.
CREATED = datetime(2026, 1, 5, 9, 30, 0, 250_000, tzinfo=UTC)


class Run:
    """A journal that is written record by record, with the second each one was written at."""

    def __init__(self, folder: Path, id: str = "r") -> None:
        self.folder, self.id = folder, id
        self.path = folder / f"{id}.json"
        self.path.write_bytes(j.meta(run_id=id))
        self.path.chmod(0o600)
        self.seq = 1

    def _add(self, line: bytes, at: float | None, ms: int | None) -> None:
        with self.path.open("ab") as file:
            file.write(line)
        if at is not None:
            moment = (CREATED + timedelta(seconds=at)).isoformat().replace("+00:00", "Z")
            item = times.RecordTime(self.seq, moment, ms)
            assert times.append(self.folder, self.id, [item])

    def turn(self, at: float | None = None, ms: int | None = None, *calls: str, **usage: int):
        self.seq += 1
        content = [j.text("Look."), *(j.call(name) for name in calls)]
        line = j.assistant(self.seq, content, iteration=usage.pop("iteration", self.seq), **usage)
        self._add(line, at, ms)

    def result(self, id: str, at: float | None = None, ms: int | None = None, **what: object):
        self.seq += 1
        content = str(what.get("content", "done"))
        payload = {
            "tool_use_id": id,
            "result": {"tool_use_id": id, "content": content, "is_error": bool(what.get("error"))},
        }
        self._add(j.line(self.seq, "tool_result", payload), at, ms)

    def user(self, at: float | None = None) -> None:
        self.seq += 1
        message = {"role": "user", "content": [j.text("Go on.")]}
        self._add(j.line(self.seq, "user", {"message": message}), at, None)

    def end(self, at: float | None = None, reason: str = "suspended", message: str = "") -> None:
        self.seq += 1
        payload = {"reason": reason, **({"message": message} if message else {})}
        self._add(j.line(self.seq, "terminal", payload), at, None)

    def activity(self, **live: object) -> Activity:
        return RunActivity(self.path).refresh(**live)  # type: ignore[arg-type]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def spans(found: Activity) -> list[tuple[str, float, float]]:
    zero = CREATED.timestamp()
    return [(s.kind, round(s.start - zero, 3), round(s.end - zero, 3)) for s in found.spans]


def test_work_ends_when_its_record_was_written(run: Run) -> None:
    run.turn(5, 3000, "a")
    run.result("a", 6, 900)
    run.turn(10, 2000)
    run.end(10, "completed")
    found = run.activity()
    assert spans(found) == [("model", 2, 5), ("tool", 5.1, 6), ("model", 8, 10)]
    assert (found.model, found.tool, found.waited, found.suspended) == (
        pytest.approx(5),
        pytest.approx(0.9),
        0,
        0,
    )
    assert found.begun == CREATED.timestamp()
    assert found.ended == pytest.approx(CREATED.timestamp() + 10)
    assert found.unseen == []


def test_a_wait_before_a_call_is_the_operators(run: Run) -> None:
    run.turn(5, 3000, "a")
    run.result("a", 2525, 1000)
    run.turn(2530, 3000)
    run.turn(2540, 3000)
    found = run.activity()
    assert spans(found)[:3] == [("model", 2, 5), ("you", 5, 2524), ("tool", 2524, 2525)]
    # The cache may have expired by the next turn, and not by the one after it.
    assert [turn.after_break for turn in found.turns] == [False, True, False]
    assert found.waited == pytest.approx(2519)
    assert [gap.kind for gap in found.gaps] == ["wait"]
    assert found.turns[0].calls[0].ms == pytest.approx(1000)


def test_a_rest_between_suspend_and_resume_is_nobodys(run: Run) -> None:
    run.turn(5, 3000)
    run.end(6)
    run.turn(10_000, 2000)
    found = run.activity()
    assert spans(found) == [("model", 2, 5), ("model", 9998, 10_000)]
    assert found.suspended == pytest.approx(9992)
    assert [gap.kind for gap in found.gaps] == ["suspended"]
    assert [turn.after_break for turn in found.turns] == [False, True]


def test_a_follow_up_was_waited_for(run: Run) -> None:
    run.turn(5, 3000)
    run.user(95)
    run.turn(97, 1500)
    found = run.activity()
    assert spans(found) == [("model", 2, 5), ("you", 5, 95), ("model", 95.5, 97)]


def test_arrivals_alone_bound_the_work_between_them(run: Run) -> None:
    run.turn(5, None, "a")
    run.result("a", 9)
    run.end(9)
    run.turn(100)
    found = run.activity()
    # How long the turn after the rest took, nobody saw.
    assert spans(found) == [("model", 0, 5), ("tool", 5, 9)]
    assert found.suspended == pytest.approx(91)
    assert found.unseen == []


def test_what_nobody_saw_has_no_span(run: Run) -> None:
    run.turn(None, None, "a", iteration=0)
    run.result("a")
    run.turn(None, None, iteration=1)
    run.turn(50, 2000, iteration=2)
    run.turn(None, None, iteration=3)
    found = run.activity()
    assert spans(found) == [("model", 48, 50)]
    assert found.unseen == [(1, 2), (4, 4)]
    assert found.turns[0].calls[0].ms is None
    assert found.tools[0].longest is None


def test_without_any_times_there_are_turns_and_calls(run: Run) -> None:
    run.turn(None, None, "a", "b", cache_read_tokens=90, iteration=0)
    run.result("a", content='{"command":"x","exit_code":1,"output":"no\\nway"}')
    run.result("b", error=True, content="broken")
    found = run.activity()
    assert not found.timed
    assert (found.calls, found.errors) == (2, 2)
    assert [(f.call.exit_code, f.text) for f in found.failures if f.call] == [
        (1, "no\nway"),
        (None, "broken"),
    ]
    assert (found.turns[0].read, found.turns[0].total) == (100, 102)
    assert [(c.place.seq, c.place.index) for c in found.turns[0].calls] == [(2, 1), (2, 2)]
    assert found.unseen == []


def test_a_denial_is_no_error_and_a_failed_end_is_one(run: Run) -> None:
    run.turn(None, None, "a", iteration=0)
    run.result("a", content='{"allowed":false,"reason":"not today"}')
    run.end(None, "error", "overloaded")
    found = run.activity()
    assert (found.calls, found.errors) == (1, 0)
    assert found.turns[0].calls[0].state == "denied"
    assert [(f.call, f.text) for f in found.failures] == [(None, "overloaded")]


def test_tools_are_ordered_by_their_time(run: Run) -> None:
    run.turn(1, 500, "a")
    run.result("a", 2, 1000)
    made = run.path.read_bytes().replace(b"stock_list", b"slow_tool")
    run.path.write_bytes(made)
    run.turn(3, 500, "b", "c")
    run.result("b", 3.1, 100)
    run.result("c", 3.4, 300)
    found = run.activity()
    assert [(tool.name, tool.calls, round(tool.total_ms)) for tool in found.tools] == [
        ("slow_tool", 1, 1000),
        ("stock_list", 2, 400),
    ]
    longest = found.tools[1].longest
    assert longest is not None
    assert longest.id == "c"


def test_a_result_whose_call_is_lost_counts(run: Run) -> None:
    run.turn(1, 500, "a")
    run.result("other", 2, 100, error=True)
    found = run.activity()
    assert (found.calls, found.errors) == (2, 1)
    assert {tool.name for tool in found.tools} == {"stock_list", ""}


def test_only_new_bytes_are_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run.turn(1, 500, "a")
    reader = RunActivity(run.path)
    first = reader.refresh()
    held = first.turns[0].calls[0]
    run.result("a", 2, 700, error=True)
    second = reader.refresh()
    assert second.turns[0].calls[0].state == "failed"
    # What was handed out before stays as it was.
    assert (held.state, held.ms, first.errors) == ("", None, 0)
    assert second == run.activity()


def test_another_file_in_its_place_is_read_anew(run: Run, tmp_path: Path) -> None:
    run.turn(1, 500, "a")
    reader = RunActivity(run.path)
    assert len(reader.refresh().turns) == 1
    other = tmp_path / "new"
    other.write_bytes(j.meta(run_id="r"))
    other.chmod(0o600)
    os.replace(other, run.path)
    assert reader.refresh().turns == []


@pytest.mark.parametrize(
    ("live", "kind"), [("running", "tool"), ("waiting", "you"), ("", "")], ids=str
)
def test_what_a_live_run_is_at(run: Run, live: str, kind: str) -> None:
    run.turn(5, 3000, "a")
    found = run.activity(live=live)
    assert [span.kind for span in found.spans[1:]] == ([kind] if kind else [])
    assert [span.live for span in found.spans[1:]] == ([kind == "tool"] if kind else [])


def test_damage_does_not_end_it(run: Run) -> None:
    run.turn(None, None, "a", iteration=0)
    with run.path.open("ab") as file:
        file.write(b'{"seq":3,"prot\xff\n')
    run.seq = 3
    run.turn(None, None, iteration=1)
    reader = RunActivity(run.path)
    assert len(reader.refresh().turns) == 2
    assert reader.damaged == 1


@pytest.mark.parametrize("name", ["suspended", "killed-in-tool", "denied", "unicode", "completed"])
def test_a_real_run_adds_up(name: str) -> None:
    path = FISK_REAL / f"runs/{name}.json"
    found = RunActivity(path).refresh()
    records = [json.loads(line) for line in path.read_bytes().splitlines()]
    replies = [record["assistant"] for record in records if "assistant" in record]
    assert [turn.out_tokens for turn in found.turns] == [reply["out_tokens"] for reply in replies]
    assert not found.timed


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["turn", "call", "user", "end"]),
            st.one_of(st.none(), st.floats(-100, 10_000)),
            st.one_of(st.none(), st.integers(-5, 10**7)),
        ),
        max_size=25,
    )
)
def test_time_adds_up_whatever_the_clock_said(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[str, float | None, int | None]],
) -> None:
    run = Run(tmp_path_factory.mktemp("clock"))
    run.turn(0, 0, *(f"c{n}" for n in range(30)))
    for number, (what, at, ms) in enumerate(steps):
        match what:
            case "turn":
                run.turn(at, ms, f"t{number}")
            case "call":
                run.result(f"c{number}", at, ms)
            case "user":
                run.user(at)
                run.turn(at, ms)
            case _:
                run.end(at)
    found = run.activity()
    assert found.begun is not None
    assert found.ended is not None
    last = found.begun
    for span in found.spans:
        # One thing after another, each within the whole.
        assert last - 1e-6 <= span.start <= span.end <= found.ended
        last = span.end
    work = sorted((s.start, s.end) for s in found.spans if s.kind != "you")
    assert all(a[1] <= b[0] + 1e-6 for a, b in itertools.pairwise(work))
    for gap in found.gaps:
        assert gap.end - gap.start > FOLDED
        assert not any(s < gap.end - 1e-6 and e > gap.start + 1e-6 for s, e in work)
    assert found.model + found.tool == pytest.approx(sum(e - s for s, e in work))
    parts = found.model + found.tool + found.waited + found.suspended
    assert parts <= found.ended - found.begun + 1e-3
