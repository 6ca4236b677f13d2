# SPDX-License-Identifier: Apache-2.0
"""The demo's Reasonix sessions: every generation, for real, and nobody else's beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tenuto.demo.make import Demo, make_demo
from tenuto.demo.sessions import load_sessions
from tests.e2e.bench import Bench
from tests.e2e.test_demo import hurry
from tests.e2e.test_mcp_server import ask, text
from tests.support import reasonix

#: Key -> generation, status, integrity.
STATES = {
    "courier-backoff": ("A", "ready", "ok"),
    "courier-retry": ("A", "ready", "ok"),
    "stock-search": ("B", "ready", "ok"),
    "label-printer": ("v4", "ready", "ok"),
    "flaky-import": ("A", "interrupted", "ok"),
    "parcel-weights": ("v4", "interrupted", "ok"),
    "release-notes": ("C", "ready", "ok"),
    "old-invoices": ("v4", "interrupted", "torn"),
    "shelf-map": ("A", "damaged", "damaged"),
    "errno-28": ("A", "ready", "ok"),
}
FOREIGN = ("release-notes", "label-printer", "parcel-weights", "old-invoices")


@pytest.fixture
def demo(bench: Bench) -> Demo:
    made = make_demo(bench.folder / "demo")
    bench.runs = made.runs
    hurry(made)
    return made


def place(demo: Demo, key: str) -> Path:
    """The file of a sample, or its folder."""
    known = json.loads((demo.reasonix / ".tenuto-samples").read_bytes())
    return demo.reasonix / str(known[key])


def rows(bench: Bench, demo: Demo) -> list[dict[str, Any]]:
    bench.runs = demo.reasonix
    done = bench.tenuto("session", "ls", "--source", "reasonix", "--json")
    bench.runs = demo.runs
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def said(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_every_generation_is_there(bench: Bench, demo: Demo) -> None:
    found = rows(bench, demo)
    states = [(row["generation"], row["status"], row["integrity"]) for row in found]
    assert states == list(STATES.values())
    assert [row["path"] for row in found] == [str(place(demo, key)) for key in STATES]
    assert sorted(demo.sessions) == sorted(row["path"] for row in found)
    by_key = dict(zip(STATES, found, strict=True))
    assert {row["workspace_root"] for row in found} == {
        "", str(demo.folder / "depot-tools"), str(demo.folder / "仓库网站")
    }  # fmt: skip
    assert by_key["stock-search"]["title"] == "给库存页面加上搜索"
    assert by_key["courier-backoff"]["parent_id"] == place(demo, "courier-retry").stem
    for key in ("flaky-import", "parcel-weights"):
        assert by_key[key]["evidence"]["kind"] == "outcome_unknown"
    # What the host program said is no turn and no title.
    assert by_key["label-printer"]["turns"] == 1
    assert by_key["label-printer"]["prompt"].startswith("Labels for Riyadh")
    assert by_key["flaky-import"]["prompt"].startswith("TestImportWeek")
    # A branch holds what was said before it, word for word.
    parent, branch = (said(place(demo, key)) for key in ("courier-retry", "courier-backoff"))
    at = json.loads(Path(f"{place(demo, 'courier-backoff')}.meta").read_text())
    assert branch[: at["fork_message_index"]] == parent[: at["fork_message_index"]]
    assert (at["fork_turn"], at["fork_message_index"]) == (-1, len(branch) - 3)


def test_doctor_finds_what_was_broken_on_purpose_and_nothing_else(bench: Bench, demo: Demo) -> None:
    bench.runs = demo.reasonix
    done = bench.tenuto("session", "doctor", "--source", "reasonix", "--json")
    told = {row["id"]: row for row in json.loads(done.stdout)}
    found = {key: told[_id(demo, key)]["findings"] for key in STATES}
    assert {key for key, findings in found.items() if findings} == {
        "shelf-map", "old-invoices", "flaky-import"
    }  # fmt: skip


def _id(demo: Demo, key: str) -> str:
    return str(place(demo, key).relative_to(demo.reasonix)).removesuffix(".jsonl")


def test_nobody_else_s_sessions_are_touched_or_asked_for(
    bench: Bench, demo: Demo, home: Path
) -> None:
    own = home / ".reasonix"
    (own / "sessions").mkdir(parents=True)
    (own / "config.toml").write_text('default_model = "dear/model"\n')
    reasonix.write(own / "sessions" / "20260601-101010.000000001-m.jsonl")
    table = text(ask(bench, lambda client: client.call_tool("list_sessions", {})))
    assert "20260601-101010" not in table
    assert all(place(demo, key).name in table for key in STATES)
    # A sample without a configuration of its own does not go on with the user's.
    copy = place(demo, "errno-28").with_name("20260601-101010.000000001-copy.jsonl")
    copy.write_bytes(place(demo, "errno-28").read_bytes())
    done = bench.tenuto("resume", str(copy), "--say", "x")
    assert (done.returncode, "no configuration is known" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("courier-backoff", "falling behind"),
        ("stock-search", "茶叶已经用完"),
        ("flaky-import", "keep everything"),
        ("errno-28", "keep everything"),
    ],
)
def test_it_goes_on_to_its_end_and_stays_what_it_was(
    bench: Bench, demo: Demo, key: str, answer: str
) -> None:
    path = place(demo, key)
    before = said(path)
    done = bench.tenuto("resume", str(path), "--say", "And now?")
    assert done.returncode == 0, done.stderr
    assert answer in done.stdout
    # What was said so far was told first, and nothing of the configuration was worth a warning.
    assert str(before[1]["content"]).rpartition("\n")[2] in done.stderr
    assert "before they ran in" not in done.stderr
    after = said(path)
    assert after[: len(before)] == before
    added = [message["role"] for message in after[len(before) :]]
    closed = ["tool"] if key == "flaky-import" else []
    assert added == [*closed, "user", "assistant", "tool", "assistant"]
    [row] = [row for row in rows(bench, demo) if row["path"] == str(path)]
    assert (row["status"], row["model"]) == ("ready", "demo/demo-coder")


def test_it_is_a_chat_that_asks_before_it_changes_something(bench: Bench, demo: Demo) -> None:
    path = place(demo, "courier-retry")
    with bench.worker("resume", str(path)) as worker:
        for words in ("How are the consumers?", "Then let it hold more."):
            worker.until("ready")
            worker.send(type="prompt", text=words)
        asked = worker.until("ask")
        assert (asked["kind"], asked["tool"]) == ("approve", "consumer_edit")
        worker.send(type="answer", id=asked["id"], decision="once")
        worker.until("ready")
        worker.hang_up()
        assert worker.wait() == 0
    assert "+max_ack_pending: 2000" in json.loads(said(path)[-2]["content"])["output"]


@pytest.mark.parametrize("key", FOREIGN)
def test_what_only_reasonix_writes_goes_on_as_a_fork(bench: Bench, demo: Demo, key: str) -> None:
    path = place(demo, key)
    done = bench.tenuto("resume", str(path), "--say", "x")
    assert (done.returncode, "session fork" in done.stderr) == (4, True)
    made = json.loads(bench.tenuto("session", "fork", str(path), "--json").stdout)
    assert made["id"] == str(Path(made["path"]).relative_to(demo.reasonix)).removesuffix(".jsonl")
    # Nobody has to say with which configuration.
    done = bench.tenuto("resume", made["path"], "--say", "And now?")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_damaged_one_is_read_and_not_resumed(bench: Bench, demo: Demo) -> None:
    path = place(demo, "shelf-map")
    shown = bench.tenuto("session", "show", str(path), "--transcript")
    assert "I'll read the stock list." in shown.stdout
    done = bench.tenuto("resume", str(path), "--say", "x")
    assert (done.returncode, "after 3 messages" in done.stderr) == (6, True)


def test_delete_restore_and_rename(bench: Bench, demo: Demo) -> None:
    path, id = place(demo, "errno-28"), _id(demo, "errno-28")
    before = path.read_bytes()
    [gone] = json.loads(bench.tenuto("session", "rm", str(path), "--json").stdout)
    assert (gone["id"], path.exists()) == (id, False)
    # With or without a word on where the samples are, it comes back under its id.
    line = ["session", "trash", "restore", gone["token"], "--json"]
    back = json.loads(bench.tenuto(*line).stdout)
    assert ([back] if isinstance(back, dict) else back)[0]["id"] == id
    assert path.read_bytes() == before
    bench.tenuto("session", "rename", str(path), "Errno")
    assert [row["title"] for row in rows(bench, demo) if row["path"] == str(path)] == ["Errno"]


def test_what_was_thrown_away_is_made_anew_and_the_rest_stays(bench: Bench, demo: Demo) -> None:
    bench.tenuto("session", "rm", str(place(demo, "courier-retry")))
    branch = place(demo, "courier-backoff").read_bytes()
    again = make_demo(demo.folder)
    assert again.sessions == [str(place(demo, "courier-retry"))]
    assert place(demo, "courier-backoff").read_bytes() == branch
    assert len(rows(bench, demo)) == len(STATES)


def test_both_tools_answer_over_mcp(bench: Bench, demo: Demo) -> None:
    async def questions(client: Any) -> Any:
        read = {
            key: await client.call_tool("read_session", {"session": place(demo, key).name})
            for key in STATES
        }
        run = await client.call_tool("read_session", {"session": "orders-report.json"})
        return await client.call_tool("list_sessions", {}), read, run

    listed, read, run = ask(bench, questions)
    runs = len(list(demo.runs.glob("*.times.jsonl")))
    assert runs > 20
    table = text(listed)
    for key in STATES:
        assert place(demo, key).name in table
    told = {key: text(result) for key, result in read.items() if not result.is_error}
    assert set(STATES) - set(told) == {"shelf-map"}
    assert "Twice is once too often" in told["label-printer"]
    assert "## User (turn 1)\nWrite the release notes" in told["release-notes"]
    assert "No steps are needed to upgrade" in told["release-notes"]
    assert "session-context" not in told["release-notes"]
    assert "Report on the ORDERS stream" in text(run)


def test_a_session_that_would_resume_out_of_step_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The scripts ask at even turns and answer at odd ones."""
    convert = msgspec.convert

    def shorter(value: Any, kind: Any) -> Any:
        value["stories"][0]["said"].pop()
        return convert(value, kind)

    monkeypatch.setattr(msgspec, "convert", shorter)
    with pytest.raises(ValueError, match="courier-backoff rests after"):
        load_sessions.__wrapped__()
