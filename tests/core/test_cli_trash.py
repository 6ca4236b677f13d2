# SPDX-License-Identifier: Apache-2.0
"""One trash for whoever looks: runs and Reasonix sessions, listed, restored, removed for good."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tenuto.reasonix.own_notes import OwnNotes
from tenuto.runs.file import FileRunStore
from tenuto.sources.reasonix import ReasonixSource
from tenuto.sources.runs import RunSource
from tenuto.sources.trashed import joined
from tests.support import reasonix
from tests.support.cli import Capture, ask, tell
from tests.support.store import FaultLayer, make_run

PLAIN = "sessions/20260601-101010.000000001-m"
PROJECT = "projects/-srv-app/sessions/20260602-101010.000000001-m"


@pytest.fixture
def runs(home: Path) -> Path:
    """The usual folder of runs, with two."""
    store = FileRunStore(home / ".local" / "state" / "fisk-ai" / "runs")
    for id in ("r1", "r2"):
        make_run(store, id)
    return Path(store.directory)


@pytest.fixture
def state(home: Path) -> Path:
    """This user's Reasonix sessions: one of no project, one of a project, with a job's output."""
    root = home / ".reasonix"
    for id in (PLAIN, PROJECT):
        (root / id).parent.mkdir(parents=True)
    reasonix.write(root / f"{PLAIN}.jsonl")
    reasonix.write(
        root / f"{PROJECT}.jsonl",
        topic_title="\u5929\u6c14\u9884\u62a5",
        workspace_root="/srv/app",
        schema_version=1,
        turns=1,
        preview="p",
    )
    jobs = root / f"{PROJECT}.jobs" / "inner"
    jobs.mkdir(parents=True)
    (jobs / "out.log").write_bytes(b"x" * 4000)
    return root


def ids(capsys: Capture, *words: str) -> list[str]:
    return [item["id"] for item in ask(capsys, "session", "trash", "ls", *words)[1]]


def test_a_list_holds_both_and_says_what_each_is(runs: Path, state: Path, capsys: Capture) -> None:
    for words in (["r1"], [state / f"{PROJECT}.jsonl"], [state / f"{PLAIN}.jsonl"]):
        assert ask(capsys, "session", "rm", *words)[0] == 0
    code, found = ask(capsys, "session", "trash", "ls")
    assert code == 0
    assert [item["id"] for item in found] == [PLAIN, PROJECT, "r1"], "newest first"
    by_id = {item["id"]: item for item in found}
    assert {id: item["source"] for id, item in by_id.items()} == {
        PLAIN: "reasonix", PROJECT: "reasonix", "r1": "fisk-ai",
    }  # fmt: skip
    item = by_id[PROJECT]
    assert (item["title"], item["project"]) == ("\u5929\u6c14\u9884\u62a5", "/srv/app")
    assert item["origin"] == str((state / PROJECT).parent)
    assert item["size"] > 4000
    assert by_id[PLAIN]["title"] == "count the go files"
    assert by_id["r1"]["origin"] == str(runs)
    assert ids(capsys, "--source", "reasonix") == [PLAIN, PROJECT]
    assert ids(capsys, "--source", "fisk-ai") == ["r1"]
    code, out, err = tell(capsys, "session", "trash", "ls")
    assert (code, err) == (0, "")
    assert "\u5929\u6c14\u9884\u62a5" in out
    assert len(out.splitlines()) == 4


def test_each_comes_back_by_its_id_or_its_token(runs: Path, state: Path, capsys: Capture) -> None:
    tokens = {}
    for id, word in (("r1", "r1"), (PROJECT, state / f"{PROJECT}.jsonl")):
        [gone] = ask(capsys, "session", "rm", word)[1]
        tokens[id] = gone["token"]
    code, back = ask(capsys, "session", "trash", "restore", *tokens.values())
    assert code == 0
    assert {each["id"]: each["directory"] for each in back} == {
        "r1": str(runs), PROJECT: str((state / PROJECT).parent),
    }  # fmt: skip
    assert ids(capsys) == []
    ask(capsys, "session", "rm", state / f"{PROJECT}.jsonl")
    # As the list names it, or by the end of that, whichever source it is of.
    assert ask(capsys, "session", "trash", "restore", PROJECT)[0] == 0
    ask(capsys, "session", "rm", state / f"{PROJECT}.jsonl")
    assert ask(capsys, "session", "trash", "restore", os.path.basename(PROJECT))[0] == 0
    code, answer = ask(capsys, "session", "trash", "restore", PROJECT)
    assert (code, answer["error"]) == (3, "not_found")
    ask(capsys, "session", "rm", state / f"{PROJECT}.jsonl")
    assert ask(capsys, "session", "trash", "restore", PROJECT, "--as", "x")[0] == 2


def test_removed_for_good_is_gone_with_all_of_it_and_with_its_notes(
    runs: Path, state: Path, capsys: Capture, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "keep").write_text("mine")
    (state / f"{PROJECT}.jobs" / "link").symlink_to(outside)
    for id in (PLAIN, PROJECT):
        OwnNotes().update(state / f"{id}.jsonl", pinned=True)
    for word in ("r1", "r2", state / f"{PLAIN}.jsonl", state / f"{PROJECT}.jsonl"):
        ask(capsys, "session", "rm", word)
    token = ask(capsys, "session", "trash", "ls")[1][0]["token"]
    code, answer = ask(capsys, "session", "trash", "empty", token, "r1")
    assert (code, answer["purged"][0], answer["failed"]) == (0, token, [])
    assert ids(capsys) == [PLAIN, "r2"]
    trash = (state / PROJECT).parent / ".trash"
    assert os.listdir(trash) == []
    assert (outside / "keep").read_text() == "mine", "links are removed, never followed"
    assert list(OwnNotes().all()) == [str(state / f"{PLAIN}.jsonl")]
    code, answer = ask(capsys, "session", "trash", "empty", "none", PLAIN)
    assert (code, answer["purged"]) == (
        3,
        [str(state / "sessions/.trash" / Path(PLAIN).name) + ".jsonl"],
    )
    assert [each["error"] for each in answer["failed"]] == ["not_found"]
    code, out, _ = tell(capsys, "session", "trash", "empty")
    assert (code, out) == (0, "1 session removed for good\n")
    assert ids(capsys) == []
    assert tell(capsys, "session", "trash", "empty")[1] == "the trash is empty\n"


def test_emptying_one_trash_leaves_the_other(runs: Path, state: Path, capsys: Capture) -> None:
    for word in ("r1", state / f"{PLAIN}.jsonl"):
        ask(capsys, "session", "rm", word)
    ask(capsys, "session", "trash", "empty", "--source", "fisk-ai")
    assert ids(capsys) == [PLAIN]
    ask(capsys, "session", "rm", "r2")
    ask(capsys, "session", "trash", "empty", "--source", "reasonix")
    assert ids(capsys) == ["r2"]


def test_what_reasonix_itself_put_there_is_listed(state: Path, capsys: Capture) -> None:
    """An entry without a word on it: when it was deleted is not known."""
    path = state / f"{PLAIN}.jsonl"
    entry = path.parent / ".trash" / path.name
    entry.mkdir(parents=True)
    path.rename(entry / path.name)
    (path.parent / ".trash" / "stray.jsonl").write_text("no folder")
    (path.parent / ".trash" / "link.jsonl").symlink_to(state)
    [item] = ask(capsys, "session", "trash", "ls")[1]
    assert (item["id"], item["time"]) == (PLAIN, "")
    assert ask(capsys, "session", "trash", "empty", str(path.parent / ".trash/link.jsonl"))[0] == 3
    assert state.is_dir()
    assert ask(capsys, "session", "trash", "restore", PLAIN)[0] == 0
    assert [row.id for row in ReasonixSource(state).list().summaries if row.id == PLAIN] == [PLAIN]


def test_a_trash_that_cannot_be_read_is_told_and_hides_no_other(
    runs: Path, state: Path, capsys: Capture
) -> None:
    ask(capsys, "session", "rm", "r1")
    ask(capsys, "session", "rm", state / f"{PLAIN}.jsonl")
    broken = FaultLayer(1, errno.EIO, only=("scandir",), forever=True)
    both = joined([RunSource(runs).trashed(), ReasonixSource(state, layer=broken).trashed()])
    assert [item.id for item in both.items] == ["r1"]
    assert both.notice is not None
    assert str(state) in str(both.notice)
    # What is no folder is no trash, and nothing is wrong with that.
    trash = state / "sessions" / ".trash"
    trash.rename(trash.with_name("away"))
    trash.symlink_to("/dev/null")
    code, out, err = tell(capsys, "session", "trash", "ls")
    assert (code, "r1" in out, err) == (0, True, "")
