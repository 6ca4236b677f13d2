# SPDX-License-Identifier: Apache-2.0
"""The names of a run's files, and the small files beside its journal."""

import json
import os
import threading
from pathlib import Path

import pytest

from tenuto.errors import InvalidId, NotAFile, RunNotFound
from tenuto.runs import ask, notes, times
from tenuto.runs.companions import owner_of, renamed, temp_name
from tenuto.runs.file import FileRunStore
from tenuto.runs.holders import Holder
from tenuto.runs.lock import RunLock
from tests.support.store import in_child, make_run


@pytest.fixture
def store(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    make_run(store, turns=1)
    return store


NAMES = {
    "a.json": "journal",
    "a.lock": "lock",
    "a.preview.json": "preview",
    "a.times.jsonl": "times",
    "a.ask.json": "ask",
    "a.notes.json": "notes",
    "a.torn": "torn",
    "a.v1.bak": "backup",
    "a.v2-3.bak": "backup",
    "a.doctor-12.bak": "backup",
    "a.notes-1.bak": "backup",
}


@pytest.mark.parametrize(("name", "kind"), NAMES.items())
def test_every_file_of_a_run_is_known(name, kind):
    assert owner_of(name) == ("a", kind)
    assert owner_of(temp_name(name, "0123456789abcdef")) == ("a", "temp")
    assert renamed(name, "a", "b") == "b" + name[1:]


@pytest.mark.parametrize(
    "name",
    ["", "a", "a.txt", ".json", "-a.json", "a.v3.bak", "a.doctor-.bak", "a.json.json", ".a.tmp",
     ".a.json.xyz.tmp", "a b.json", "a.json\n", ".entry.json"],
)  # fmt: skip
def test_no_other_name_is(name):
    assert owner_of(name) is None


# --- notes --------------------------------------------------------------------------------------


def on_disk(store, id="run"):
    return json.loads(Path(store.directory, f"{id}.notes.json").read_bytes())


def test_notes_have_designs_keys_in_order_and_no_absent_ones(store):
    changed = notes.update(
        store.directory,
        "run",
        cwd="/w",
        note="n",
        title="T",
        pinned=True,
        config="/c.yaml",
        parent=notes.Parent("old", 7),
        forced=(notes.Forced("2026-01-01T00:00:00Z", "/c.yaml", [{"field": "model"}]),),
    )
    assert list(on_disk(store)) == ["title", "pinned", "note", "parent", "config", "cwd", "forced"]
    assert on_disk(store)["parent"] == {"id": "old", "seq": 7}
    assert on_disk(store)["forced"][0]["diff"] == [{"field": "model"}]
    assert changed.fields == ("title", "pinned", "note", "parent", "config", "cwd", "forced")
    assert notes.load(store.directory, "run") == changed.notes

    changed = notes.update(store.directory, "run", title=None, pinned=False)
    assert changed.fields == ("title", "pinned")
    assert list(on_disk(store)) == ["note", "parent", "config", "cwd", "forced"]


def test_an_update_without_a_change_writes_nothing(store):
    assert notes.update(store.directory, "run", title=None).fields == ()
    assert not Path(store.directory, "run.notes.json").exists()


def test_unknown_keys_and_wrong_types_survive(store):
    path = Path(store.directory, "run.notes.json")
    path.write_text('{"colour": {"r": 1}, "title": 7, "pinned": true}')
    found = notes.load(store.directory, "run")
    assert (found.title, found.pinned) == (None, True)
    notes.update(store.directory, "run", note="x")
    assert on_disk(store) == {"pinned": True, "note": "x", "colour": {"r": 1}, "title": 7}
    notes.update(store.directory, "run", title="seven")
    assert on_disk(store)["title"] == "seven"


@pytest.mark.parametrize("bad", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 5000, b"null"])
def test_broken_notes_are_no_error_and_not_lost(store, bad):
    path = Path(store.directory, "run.notes.json")
    path.write_bytes(bad)
    assert notes.load(store.directory, "run").problem
    notes.update(store.directory, "run", title="new")
    assert on_disk(store) == {"title": "new"}
    assert Path(store.directory, "run.notes-1.bak").read_bytes() == bad


def test_notes_of_no_run_are_not_made(store):
    with pytest.raises(RunNotFound):
        notes.update(store.directory, "gone", title="x")
    with pytest.raises(RunNotFound):
        notes.update(store.directory + "-none", "run", title="x")
    with pytest.raises(InvalidId):
        notes.load(store.directory, "../run")
    assert "gone.notes.json" not in os.listdir(store.directory)


def test_notes_that_are_no_file_are_not_touched(store, tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("{}")
    os.symlink(outside, Path(store.directory, "run.notes.json"))
    assert notes.load(store.directory, "run").problem
    with pytest.raises(NotAFile):
        notes.update(store.directory, "run", title="x")
    assert outside.read_text() == "{}"


def test_notes_can_be_written_while_the_run_is_in_use(store):
    with store.open("run"):
        notes.update(store.directory, "run", title="renamed")
    assert notes.load(store.directory, "run").title == "renamed"


def test_no_change_of_two_writers_is_lost(store):
    def write(field):
        for number in range(30):
            notes.update(store.directory, "run", **{field: f"{field} {number}"})

    threads = [threading.Thread(target=write, args=[f]) for f in ("title", "note", "config", "cwd")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert on_disk(store) == {f: f"{f} 29" for f in ("title", "note", "config", "cwd")}


def test_forced_resumes_add_up(store):
    notes.add_forced(store.directory, "run", notes.Forced("2026-01-01T00:00:00Z", "a", []))
    notes.add_forced(store.directory, "run", notes.Forced("2026-01-02T00:00:00Z", "b", []))
    assert [item["config"] for item in on_disk(store)["forced"]] == ["a", "b"]


# --- times --------------------------------------------------------------------------------------


def test_every_append_leaves_its_time(store):
    with store.open("run") as journal:
        journal.append({"seq": 0, "protocol": "io.choria.fisk-ai.v1.session.terminal",
                        "terminal": {"reason": "suspended"}}, ms=41)  # fmt: skip
    found = times.read(store.directory, "run")
    assert sorted(found) == [1, 2, 3, 4]
    assert (found[4].ms, found[2].ms) == (41, None)
    assert found[4].t.endswith("Z")


def test_times_are_never_needed(store):
    path = Path(store.directory, "run.times.jsonl")
    path.unlink()
    path.mkdir()
    with store.open("run") as journal:
        assert journal.append({"protocol": "io.choria.fisk-ai.v1.session.terminal",
                               "terminal": {"reason": "suspended"}}) == 4  # fmt: skip
    assert times.read(store.directory, "run") == {}
    assert not times.append(store.directory, "run", [times.RecordTime(4, "x")])
    assert not times.append(store.directory + "-none", "run", [times.RecordTime(4, "x")])


def test_lines_that_make_no_sense_are_passed_over(store):
    path = Path(store.directory, "run.times.jsonl")
    path.write_bytes(b'{"seq":1,"t":"a"}\n\0\0\0\n{"seq":"x"}\n{"seq":2,"t":"b"}\n{"seq":3,"t')
    assert sorted(times.read(store.directory, "run")) == [1, 2]
    # The torn last line swallows nothing of what follows.
    assert times.append(store.directory, "run", [times.RecordTime(3, "c", 5)])
    assert times.read(store.directory, "run")[3] == times.RecordTime(3, "c", 5)


def test_the_first_time_counts_unless_a_later_one_knows_how_long(store):
    times.append(store.directory, "run", [times.RecordTime(9, "a"), times.RecordTime(9, "b")])
    assert times.read(store.directory, "run")[9].t == "a"
    times.append(store.directory, "run", [times.RecordTime(9, "c", 3)])
    assert times.read(store.directory, "run")[9] == times.RecordTime(9, "c", 3)


# --- questions ----------------------------------------------------------------------------------


def test_a_question_is_believed_while_its_process_holds_the_lock(store):
    question = {"id": "q1", "kind": "input", "text": "Which?"}
    assert ask.read(store.directory, "run") is None
    with store.open("run"):
        written = ask.write(store.directory, "run", question)
        assert ask.current(store.directory, "run") == written
        assert written.pid == os.getpid()
    assert ask.current(store.directory, "run") is None
    assert ask.read(store.directory, "run") == written
    assert ask.remove(store.directory, "run")
    assert not ask.remove(store.directory, "run")


def test_the_question_of_a_dead_process_is_not_believed(store):
    assert in_child(lambda: ask.write(store.directory, "run", {"id": "q"})) == 0
    with RunLock(store.directory, "run"):
        assert ask.read(store.directory, "run") is not None
        assert ask.current(store.directory, "run") is None
    assert ask.believed(ask.Ask(7, "", {}), Holder(8, None)) is None
    assert ask.believed(ask.Ask(7, "", {}), Holder(7, None)) is not None


def test_a_question_that_makes_no_sense_is_none(store):
    Path(store.directory, "run.ask.json").write_bytes(b'{"pid": "x"}')
    assert ask.read(store.directory, "run") is None


@pytest.mark.skipif(os.name != "posix", reason="modes are a thing of POSIX")
def test_all_of_them_are_private(store):
    old = os.umask(0)
    try:
        notes.update(store.directory, "run", title="x")
        ask.write(store.directory, "run", {})
    finally:
        os.umask(old)
    for name in os.listdir(store.directory):
        assert Path(store.directory, name).stat().st_mode & 0o777 == 0o600, name
