# SPDX-License-Identifier: Apache-2.0
"""The demo: every state is there; what can go on does, with no network and no key."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from tenuto.demo.make import Demo, make_demo
from tenuto.demo.stories import load_stories, scripts
from tenuto.reasonix.folders import SAMPLES
from tests.e2e.bench import Bench

STATES = {
    "orders-report": "suspended",
    "prune-streams": "suspended",
    "nightly-audit": "interrupted",
    "stocktake-ja": "interrupted",
    "billing-move": "completed",
    "restic-verify": "failed",
    "incident-notes": "budget",
    "drops-acks-2": "suspended",
    "drops-acks": "max_iterations",
    "cold-room": "damaged",
    "shopping-ar": "completed",
    "pantry-chat": "suspended",
    "warehouse-mondays": "completed",
    "retention-plan": "completed",
    "mail-quiet": "completed",
    "packlist-fr": "completed",
    "mirror-check": "completed",
    "2ZqK0eVw8mR4yTnB1sXcLdPfG7h": "newer",
    "cow-jokes": "completed",
    "tmp-check": "empty",
    "rename-metrics": "suspended",
    "unlimited-streams": "interrupted",
    "lanes-v2": "suspended",
    "first-run-v1": "completed",
}


@pytest.fixture
def demo(bench: Bench) -> Demo:
    made = make_demo(bench.folder / "demo")
    bench.runs = made.runs
    del bench.environment["ANTHROPIC_API_KEY"]
    hurry(made)
    return made


def hurry(demo: Demo) -> None:
    """Take the pauses out of the scripts: they are for people."""
    for script in demo.folder.glob("*.json"):
        told = json.loads(script.read_bytes())
        for turn in told["turns"]:
            turn.pop("delay", None)
            turn.pop("word_delay", None)
        script.write_text(json.dumps(told))


def test_every_state_is_there(bench: Bench, demo: Demo) -> None:
    done = bench.tenuto("session", "ls", "--json")
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    assert {row["id"]: row["status"] for row in rows} == STATES
    assert [row["id"] for row in rows] == list(STATES)
    by_id = {row["id"]: row for row in rows}
    assert by_id["nightly-audit"]["evidence"]["kind"] == "outcome_unknown"
    assert by_id["stocktake-ja"]["evidence"]["kind"] == "between_turns"
    assert by_id["unlimited-streams"]["integrity"] == "torn"
    assert by_id["orders-report"]["pinned"]
    assert by_id["orders-report"]["note"].startswith("For the review")
    assert demo.made == list(STATES)


@pytest.mark.parametrize(
    ("id", "answers"),
    [
        ("orders-report", {}),
        ("prune-streams", {"approve": "once"}),
        ("nightly-audit", {"outcome": "run"}),
        ("stocktake-ja", {}),
        ("restic-verify", {}),
        ("unlimited-streams", {"approve": "deny"}),
        ("drops-acks-2", {}),
    ],
)
@pytest.mark.usefixtures("demo")
def test_it_goes_on_to_the_end(bench: Bench, id: str, answers: dict[str, str]) -> None:
    asked = []
    with bench.worker("resume", id) as worker:
        while (event := worker.next(lambda e: e["type"] in ("ask", "finished")))["type"] == "ask":
            asked.append(event["kind"])
            worker.send(type="answer", id=event["id"], decision=answers[event["kind"]])
        assert worker.wait() == 0
        assert worker.events[-1]["reason"] == "completed"
    assert asked == list(answers)


@pytest.mark.usefixtures("demo")
def test_the_changed_configuration_is_refused_with_details_and_forced(bench: Bench) -> None:
    done = bench.tenuto("resume", "rename-metrics", "--json")
    assert done.returncode == 4
    refused = json.loads(done.stdout)
    assert refused["reason"] == "configuration"
    details = {row["field"]: row["details"] for row in refused["diff"] if row["changed"]}
    assert list(details) == ["system_hash", "tools_hash", "max_tokens"]
    assert {"change": "added", "name": "notes_read"} in details["tools_hash"]
    done = bench.tenuto("resume", "rename-metrics")
    assert done.returncode == 4
    # In words: what changed, what it came from, and what can be done.
    for words in ("system prompt: changed", "+ 3: Answer in the language", "+ notes_read",
                  "token budget: 120000 -> 200000", "Nothing was done", "--force"):  # fmt: skip
        assert words in done.stderr
    done = bench.tenuto("resume", "rename-metrics", "--force", "--no-replay")
    assert done.returncode == 0
    assert "dry run is through" in done.stdout


@pytest.mark.parametrize(
    ("id", "reason"),
    [("billing-move", "completed"), ("lanes-v2", "provider"), ("pantry-chat", "mode")],
)
def test_what_cannot_go_on_says_why(bench: Bench, demo: Demo, id: str, reason: str) -> None:
    before = bench.snapshot()
    done = bench.tenuto("resume", id, "--config", str(demo.config), "--json", "--force")
    assert (done.returncode, json.loads(done.stdout)["reason"]) == (4, reason)
    assert bench.snapshot() == before


@pytest.mark.parametrize(
    ("id", "code", "told"),
    [
        ("billing-move", 4, "session fork billing-move --at SEQ"),
        ("lanes-v2", 2, "no known configuration matches run lanes-v2"),
        ("tmp-check", 6, "was never started"),
        ("cold-room", 6, "session doctor cold-room"),
        ("2ZqK0eVw8mR4yTnB1sXcLdPfG7h", 6, "reads versions 1 to 3"),
    ],
)
@pytest.mark.usefixtures("demo")
def test_what_cannot_go_on_says_so_in_words(bench: Bench, id: str, code: int, told: str) -> None:
    done = bench.tenuto("resume", id)
    assert (done.returncode, told in done.stderr) == (code, True), done.stderr
    assert ("session doctor" in done.stderr) == (id == "cold-room")


@pytest.mark.usefixtures("demo")
def test_the_chat_goes_on_in_a_window(bench: Bench) -> None:
    with bench.worker("resume", "pantry-chat") as worker:
        worker.until("ready")
        worker.send(type="prompt", text="What is there now?")
        worker.until("ready")
        worker.hang_up()
        assert worker.wait() == 0


@pytest.mark.usefixtures("demo")
def test_the_budget_is_warned_about_before_it_is_spent_again(bench: Bench) -> None:
    with bench.worker("resume", "incident-notes") as worker:
        worker.until("warning", kind="budget")
        assert worker.wait() == 1
        assert worker.events[-1]["reason"] == "budget"


def test_a_new_run_begins_the_same_way(bench: Bench, demo: Demo) -> None:
    with bench.worker("run", "Which streams keep everything?", "--config", str(demo.config)) as w:
        w.send(type="answer", id=w.until("ask")["id"], decision="deny")
        assert w.wait() == 0
        assert w.events[-1]["reason"] == "completed"


def test_a_fork_is_a_true_copy_of_the_beginning_of_its_parent(demo: Demo) -> None:
    """As `session fork` makes one: the same records, the same times, and a mark at its end."""
    whole, fork = ((demo.runs / f"{id}.json").read_bytes().splitlines()
                   for id in ("drops-acks", "drops-acks-2"))  # fmt: skip
    assert fork[1:-1] == whole[1 : len(fork) - 1]
    assert b"forked from drops-acks at record 21" in fork[-1]
    notes = json.loads((demo.runs / "drops-acks-2.notes.json").read_bytes())
    assert notes["parent"] == {"id": "drops-acks", "seq": 21}
    times = [
        (demo.runs / f"{id}.times.jsonl").read_bytes().splitlines()
        for id in ("drops-acks", "drops-acks-2")
    ]
    assert times[1] == times[0][:21]


def test_the_forced_one_tells_where_it_was_forced(bench: Bench, demo: Demo) -> None:
    done = bench.tenuto("session", "show", "billing-move", "--transcript")
    lines = done.stdout.splitlines()
    [place] = [at for at, line in enumerate(lines) if "forced: token budget" in line]
    assert lines[place].startswith("-- suspended")
    # In the middle of it: it went on after the force, and to its end.
    assert any("Next is `dashboard`" in line for line in lines[place:])
    assert any("Next is `audit-archive`" in line for line in lines[:place])


@pytest.mark.usefixtures("demo")
def test_making_it_again_changes_nothing(bench: Bench) -> None:
    folder = bench.folder / "demo"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    again = make_demo(folder)
    assert (again.made, again.sessions) == ([], [])
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "name", ["bin/depot", "runs/mine.json", "reasonix/sessions/mine.jsonl", "x"]
)
def test_samples_are_never_mixed_with_something_else(bench: Bench, name: str) -> None:
    mine = bench.folder / "home" / name
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    before = sorted((bench.folder / "home").rglob("*"))
    done = bench.tenuto("demo", "--no-window", "--dir", str(bench.folder / "home"))
    assert done.returncode == 2
    assert "holds something else than samples" in done.stderr
    assert sorted((bench.folder / "home").rglob("*")) == before
    assert mine.read_text() == "mine"


def test_samples_that_were_broken_off_are_made_whole(bench: Bench, demo: Demo) -> None:
    """Wherever it was; and samples of a version that had no sessions yet are samples, too."""
    first = bench.folder / "first"
    (first / "reasonix").mkdir(parents=True)
    assert make_demo(first).made == demo.made
    begun = bench.folder / "begun"
    (begun / "reasonix").mkdir(parents=True)
    (begun / "reasonix" / SAMPLES).write_bytes(b"\xff")
    (begun / "bin").mkdir()
    (begun / "bin" / "depot").write_text("half")
    assert make_demo(begun).made == demo.made
    shutil.rmtree(first / "reasonix")
    again = make_demo(first)
    assert (again.made, len(again.sessions)) == ([], len(demo.sessions))


def test_the_command_says_where_it_is(bench: Bench) -> None:
    done = bench.tenuto("demo", "--no-window", "--dir", str(bench.folder / "here"), "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["runs"] == str(bench.folder / "here" / "runs")
    names = {path.name for path in Path(said["runs"]).iterdir()}
    assert said["made"] == list(STATES)
    assert {f"{id}.json" for id in said["made"]} <= names
    assert all(path.startswith(said["reasonix"]) for path in said["sessions"])
    told = bench.tenuto("demo", "--no-window", "--dir", str(bench.folder / "there")).stdout
    assert f"{len(STATES)} runs and {len(said['sessions'])} Reasonix sessions made in" in told
    # What it says to type can be typed.
    [listing] = [line for line in told.splitlines() if "--source reasonix" in line]
    program, *words = shlex.split(listing)
    assert program == "tenuto"
    bench.runs = Path(words[-1])
    done = bench.tenuto(*words[:-2], "--json")
    assert len(json.loads(done.stdout)) == len(said["sessions"])


def test_no_two_stories_want_the_same_turn() -> None:
    stories = load_stories()
    told = scripts(stories)
    assert set(told) == {"script", "chat"}
    with pytest.raises(ValueError, match="two stories"):
        scripts([*stories, stories[0]])
