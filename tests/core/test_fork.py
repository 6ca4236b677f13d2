# SPDX-License-Identifier: Apache-2.0
"""Forks: everything up to a record, verified, suspended; the parent as it was."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from pathlib import Path

import pytest

from tenuto.errors import (
    CannotFork,
    CorruptJournal,
    EmptyJournal,
    InvalidId,
    NewerVersion,
    NoSuchRecord,
    RunExists,
    RunNotFound,
    StoreError,
)
from tenuto.fold import fold, state_json
from tenuto.runs import notes, times
from tenuto.runs.companions import was_upgraded
from tenuto.runs.file import FileRunStore
from tenuto.runs.fork import fork
from tests.support import journals as j
from tests.support.cli import put
from tests.support.paths import CONFORMANCE
from tests.support.small_process import in_small_child
from tests.support.store import FaultLayer, quick_folder, snapshot


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    return folder


def story(runs: Path, id: str = "r", *, version: int = 3) -> Path:
    """A batch of two calls, then one call that was interrupted, then an end."""
    if version < 3:

        def call(id: str) -> dict:
            return {"type": "tool_use", "id": id, "name": "list", "input": {"n": 1, "é": "<"}}

        def result(seq: int, id: str) -> bytes:
            content = [{"type": "text", "text": "done"}]
            block = {"type": "tool_result", "tool_use_id": id, "content": content}
            return j.line(seq, "tool_result", {"tool_use_id": id, "result": block})

        words = {"type": "text", "text": "Look."}
    else:
        call, result, words = j.call, j.result, j.text("Look.")
    return put(
        runs,
        id,
        j.meta(run_id=id, version=version),
        j.assistant(2, [words, call("a"), call("b")], stop_reason="tool_use"),
        result(3, "a"),
        result(4, "b"),
        j.terminal(5),
        j.assistant(6, [words], iteration=1),
        j.terminal(7, "completed"),
    )


@pytest.mark.parametrize(("at", "taken"), [(1, 1), (2, 4), (3, 4), (4, 4), (5, 4), (6, 6), (7, 6)])
def test_a_fork_holds_its_batch_complete_and_is_suspended(runs: Path, at: int, taken: int) -> None:
    before = story(runs).read_bytes()
    store = FileRunStore(runs)
    made = fork(store, "r", at)
    # What lies before stays, an earlier terminal record too; one at the end is the parent's.
    expected = list(range(1, taken + 1))
    records = store.load(made.id)
    assert [r.seq for r in records] == [*expected, taken + 1]
    assert (made.parent.id, made.parent.seq, made.asked) == ("r", taken, at)
    lines = before.split(b"\n")
    assert [r.line for r in records[1:-1]] == lines[1:taken]
    meta = records[0].payload
    assert (meta.run_id, meta.version, meta.prompt) == (made.id, 3, "Count the rice")
    assert meta.created > store.load("r")[0].payload.created
    assert meta.fingerprint == store.load("r")[0].payload.fingerprint
    state = fold(records)
    assert state.terminal_in_force is not None
    assert state.terminal_in_force.reason == "suspended"
    assert state.pending is None
    assert notes.load(runs, made.id).parent == notes.Parent("r", taken)
    assert (runs / "r.json").read_bytes() == before
    for name in made.files:
        assert stat.S_IMODE((runs / name).stat().st_mode) == 0o600
    with store.open(made.id) as journal:
        assert journal.last_seq == taken + 1


@pytest.mark.parametrize("source", sorted((CONFORMANCE / "fisk-real" / "runs").glob("*.json")))
def test_a_fork_of_a_real_run_folds_as_its_beginning_did(runs: Path, source: Path) -> None:
    shutil.copy(source, runs)
    (runs / source.name).chmod(0o600)
    store = FileRunStore(runs)
    records = store.load(source.stem)
    forked = 0
    for record in records:
        try:
            made = fork(store, source.stem, record.seq)
        except CannotFork as error:
            made = fork(store, source.stem, error.fields["nearest"])
        forked += 1
        taken = [r for r in records if r.seq <= made.parent.seq]
        mine, theirs = state_json(fold(store.load(made.id))), state_json(fold(taken))
        for key in ("run_id", "terminal"):
            del mine[key], theirs[key]
        assert mine == theirs
    assert forked == len(records)


def test_a_call_that_both_runs_could_make_is_refused(runs: Path) -> None:
    put(
        runs,
        "r",
        j.meta(run_id="r"),
        j.assistant(2, [j.text("Hello.")]),
        j.terminal(3),
        j.line(4, "user", {"message": {"role": "user", "content": [j.text("Go on")]}}),
        j.assistant(5, [j.call("a"), j.call("b")], iteration=1),
        j.result(6, "a"),
    )
    store, before = FileRunStore(runs), snapshot(runs)
    for at in (5, 6):
        with pytest.raises(CannotFork) as caught:
            fork(store, "r", at)
        assert caught.value.fields == {"id": "r", "seq": at, "nearest": 4}
        assert caught.value.exit_code == 4
    assert snapshot(runs) == before
    assert fork(store, "r", 4).parent.seq == 4


def test_calls_of_a_cut_reply_are_never_run_and_stop_no_fork(runs: Path) -> None:
    put(
        runs,
        "r",
        j.meta(run_id="r"),
        j.assistant(2, [j.call("a")], stop_reason="max_tokens"),
        j.terminal(3, "error"),
    )
    store = FileRunStore(runs)
    state = fold(store.load(fork(store, "r", 2).id))
    assert state.pending is not None
    assert state.pending.stop_reason == "max_tokens"


@pytest.mark.parametrize("version", [1, 2])
def test_an_old_run_is_converted_and_can_be_compared(runs: Path, version: int) -> None:
    before = story(runs, version=version).read_bytes()
    store = FileRunStore(runs)
    made = fork(store, "r", 4)
    assert made.version == version
    old, new = fold(store.load("r")[:4]), fold(store.load(made.id))
    assert new.version == 3
    assert new.fingerprint.provider == "anthropic"
    mine, theirs = state_json(new), state_json(old)
    for key in ("run_id", "terminal", "version", "fingerprint"):
        del mine[key], theirs[key]
    assert mine == theirs
    # Its hashes are of the old form, and what lies beside it says so.
    assert was_upgraded(str(runs), made.id)
    backup = (runs / f"{made.id}.v{version}.bak").read_bytes()
    assert backup == b"".join(line + b"\n" for line in before.split(b"\n")[:4])
    with store.open(made.id) as journal:
        assert journal.upgraded is None
    # A fork of an upgraded run, and of a fork, knows it as well.
    again = fork(store, made.id, 2)
    assert (runs / f"{again.id}.v{version}.bak").read_bytes() == backup


def test_before_damage_a_fork_works_and_behind_it_it_says_how_far(runs: Path) -> None:
    path = story(runs)
    lines = path.read_bytes().split(b"\n")
    lines[5] = lines[5][:40]
    path.write_bytes(b"\n".join(lines))
    store = FileRunStore(runs)
    assert fork(store, "r", 4).parent.seq == 4
    with pytest.raises(CorruptJournal, match="record 5 is the last"):
        fork(store, "r", 6)


def test_an_incomplete_last_record_is_left_out(runs: Path) -> None:
    path = story(runs)
    path.write_bytes(path.read_bytes()[:-5])
    store = FileRunStore(runs)
    assert [r.seq for r in store.load(fork(store, "r", 6).id)] == [1, 2, 3, 4, 5, 6, 7]


def test_what_cannot_be_forked(runs: Path) -> None:
    story(runs)
    put(runs, "empty")
    put(runs, "newer", j.line(1, "meta", {"version": 9, "run_id": "newer"}))
    put(runs, "gap", *j.three_records()[:1], j.assistant(5, [j.text("x")]))
    store, before = FileRunStore(runs), snapshot(runs)
    for id, at, error in (
        ("none", 1, RunNotFound),
        ("../r", 1, InvalidId),
        ("r", 8, NoSuchRecord),
        ("gap", 3, NoSuchRecord),
        ("empty", 1, EmptyJournal),
        ("newer", 1, NewerVersion),
    ):
        with pytest.raises(error):
            fork(store, id, at)
    for name, error in (("r", RunExists), ("R", RunExists), ("a.b", InvalidId), ("nul", InvalidId)):
        with pytest.raises(error):
            fork(store, "r", 4, name)
    assert snapshot(runs) == before


def test_a_fork_remembers_times_and_configuration_but_no_title(runs: Path) -> None:
    story(runs)
    notes.update(runs, "r", title="Mine", pinned=True, config="/c/agent.yaml", cwd="/w")
    assert times.append(
        runs, "r", [times.RecordTime(n, f"2026-01-0{n}T00:00:00Z", n) for n in (1, 4, 6)]
    )
    made = fork(FileRunStore(runs), "r", 4, "new")
    kept = notes.load(runs, "new")
    assert (kept.title, kept.pinned, kept.config, kept.cwd) == (None, False, "/c/agent.yaml", "/w")
    assert sorted(times.read(runs, "new")) == [1, 4]
    assert made.files == ("new.notes.json", "new.times.jsonl", "new.json")


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
def test_a_fork_that_fails_leaves_the_folder_as_it_was(number: int) -> None:
    with quick_folder() as folder:
        runs = folder / "runs"
        runs.mkdir(mode=0o700)
        story(runs)
        before = snapshot(runs)
        for nth in range(1, 500):
            layer = FaultLayer(nth, number)
            try:
                fork(FileRunStore(runs, layer=layer), "r", 3, "new")
            except StoreError:
                # A lock that could not be taken is an empty file; it goes with the next sweep.
                assert {**before, f"{runs}/new.lock": b""} | snapshot(runs) == {
                    **before,
                    f"{runs}/new.lock": b"",
                }
                FileRunStore(runs).sweep()
                assert snapshot(runs) == before
                continue
            if not layer.fired:
                assert nth > 20
                return
            for path in runs.glob("new.*"):
                path.unlink()
        raise AssertionError("still failing")


@pytest.mark.slow
def test_a_fork_killed_at_any_call_is_whole_or_swept() -> None:
    with quick_folder() as folder:
        runs = folder / "runs"
        runs.mkdir(mode=0o700)
        story(runs)
        before = snapshot(runs)
        for nth in range(1, 500):
            layer = FaultLayer(nth, die=True)
            code = in_small_child(fork, FileRunStore(runs, layer=layer), "r", 3, "new")
            assert code in (0, 9)
            store = FileRunStore(runs)
            if (runs / "new.json").exists():
                state = fold(store.load("new"))
                assert state.terminal_in_force is not None
                assert notes.load(runs, "new").parent == notes.Parent("r", 4)
                store.delete("new")
            store.sweep()
            assert snapshot(runs) == before
            assert os.listdir(runs) == ["r.json"]
            if code == 0:
                assert nth > 20
                return
        raise AssertionError("still dying")
