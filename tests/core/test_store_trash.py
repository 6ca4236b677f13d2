# SPDX-License-Identifier: Apache-2.0
"""The trash: a run goes there whole and comes back whole, whatever breaks off in the middle."""

import os
import threading
from pathlib import Path

import pytest

from tenuto.errors import InvalidId, Locked, NotAFile, RunExists, RunNotFound, StoreError
from tenuto.runs import notes
from tenuto.runs.file import FileRunStore
from tenuto.runs.trash import Trash
from tests.support.room import elsewhere
from tests.support.store import (
    end,
    make_run,
    meta,
    quick_folder,
    seqs,
    snapshot,
)
from tests.support.trash import EXTRA, LAYERS, fill, made, whole

ways = pytest.mark.parametrize("way", LAYERS)


@pytest.fixture
def tmp_path():
    with quick_folder() as folder:
        yield folder


@pytest.fixture
def store(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    fill(store)
    return store


@pytest.fixture
def place(tmp_path):
    return tmp_path / "data" / "trash"


# --- there and back -----------------------------------------------------------------------------


@ways
def test_there_and_back(store, place, way):
    before = whole(store)
    mtime = os.stat(store.path("run")).st_mtime_ns
    trash = Trash(place, layer=made(way))
    gone = trash.move(store, "run")
    assert store.list() == []
    assert os.listdir(store.directory) == []
    assert (gone.id, gone.origin, gone.title) == ("run", store.directory, "My run")
    assert gone.token.endswith("Z-run")
    assert gone.size == sum(map(len, before.values()))
    assert len(gone.files) == len(before) == 4
    assert gone.complete
    assert trash.list() == [gone]
    back = trash.restore(gone.token)
    assert (back.id, back.directory) == ("run", store.directory)
    assert whole(store) == before
    assert os.stat(store.path("run")).st_mtime_ns == mtime
    assert trash.list() == []
    assert os.listdir(place) == [".lock"]
    with store.open("run") as journal:
        assert journal.append(end()) == 6


@ways
def test_under_a_new_id_the_bytes_stay(store, place, way):
    before = whole(store)
    trash = Trash(place, layer=made(way))
    token = trash.move(store, "run").token
    fill(store, "run")
    with pytest.raises(RunExists):
        trash.restore(token)
    with pytest.raises(RunExists):
        trash.restore(token, "RUN")
    with pytest.raises(InvalidId):
        trash.restore(token, "../run")
    assert len(trash.list()) == 1
    assert trash.restore(token, "other").id == "other"
    assert whole(store, "other") == before
    assert store.load("other")[0].payload.run_id == "run"
    assert notes.load(store.directory, "other").title == "My run"


def test_into_another_folder(store, place, tmp_path):
    before = whole(store)
    other = FileRunStore(tmp_path / "new" / "runs")
    trash = Trash(place)
    token = trash.move(store, "run").token
    assert trash.restore(token, store=other).directory == other.directory
    assert whole(other) == before
    assert Path(other.directory).stat().st_mode & 0o777 == 0o700


def test_on_another_real_file_system(store):
    with elsewhere(store.directory) as other:
        before = whole(store)
        trash = Trash(other / "trash")
        token = trash.move(store, "run").token
        assert os.listdir(store.directory) == []
        trash.restore(token)
        assert whole(store) == before


def test_the_same_run_many_times(store, place):
    trash = Trash(place)
    tokens = []
    for _ in range(5):
        tokens.append(trash.move(store, "run").token)
        make_run(store)
    assert [item.token for item in trash.list()] == sorted(tokens, reverse=True)
    assert len(set(tokens)) == 5


def test_the_title_is_the_prompts_first_line_where_there_is_no_other(store, place):
    store.create("plain", meta("plain", "\n  count <stars>\nand more")).close()
    assert Trash(place).move(store, "plain").title == "count <stars>"


@pytest.mark.parametrize("data", [b"", b"garbage\n", b"\xff" * 100, b'{"seq":1,"pro'])
@pytest.mark.parametrize("titled", [True, False])
def test_damaged_and_empty_runs_go_and_come_too(store, place, data, titled):
    Path(store.path("run")).write_bytes(data)
    if not titled:
        Path(store.directory, "run.notes.json").unlink()
    trash = Trash(place)
    token = trash.move(store, "run").token
    trash.restore(token)
    assert Path(store.path("run")).read_bytes() == data


def test_an_old_question_and_temporary_files_do_not_move(store, place):
    for name in ("run.ask.json", ".run.notes.json.0123456789abcdef.tmp"):
        Path(store.directory, name).touch()
    trash = Trash(place)
    gone = trash.move(store, "run")
    assert "run.ask.json" not in gone.files
    assert os.listdir(store.directory) == []


# --- what is refused ----------------------------------------------------------------------------


def test_a_run_in_use_is_not_moved(store, place):
    with store.open("run") as journal:
        before = snapshot(store.directory)
        with pytest.raises(Locked):
            Trash(place).move(store, "run")
        assert snapshot(store.directory) == before
        assert Trash(place).list() == []
        journal.append(end())
    assert os.listdir(place) == [".lock"]


def test_what_is_not_there_is_not_moved_restored_or_purged(store, place):
    trash = Trash(place)
    with pytest.raises(RunNotFound):
        trash.move(store, "gone")
    with pytest.raises(RunNotFound):
        trash.move(FileRunStore(store.directory + "-none"), "run")
    assert not place.exists()
    for token in ("x", "../runs", "20260101T000000.000000Z-gone", ".lock", ""):
        for call in (trash.restore, trash.purge):
            with pytest.raises(RunNotFound):
                call(token)
    assert "gone.lock" not in os.listdir(store.directory)


def test_strange_files_stay_where_they_are(store, place, tmp_path):
    outside = tmp_path / "outside"
    outside.write_bytes(b"precious")
    for suffix in EXTRA:
        Path(store.directory, "run" + suffix).unlink()
    Path(store.directory, "run.torn").symlink_to(outside)
    Path(store.directory, "run.notes.json").mkdir()
    gone = Trash(place).move(store, "run")
    assert sorted(gone.left) == ["run.notes.json", "run.torn"]
    assert outside.read_bytes() == b"precious"
    Path(store.path("link")).symlink_to(outside)
    with pytest.raises(NotAFile):
        Trash(place).move(store, "link")


def test_purge_and_empty_remove_for_good(store, place):
    trash = Trash(place)
    assert trash.empty().tokens == ()
    tokens = []
    for _ in range(3):
        tokens.append(trash.move(store, "run").token)
        make_run(store)
    assert trash.purge(tokens[1]).tokens == (tokens[1],)
    with pytest.raises(RunNotFound):
        trash.purge(tokens[1])
    assert trash.empty().tokens == (tokens[0], tokens[2])
    assert trash.list() == []
    assert os.listdir(place) == [".lock"]
    assert seqs(store) == [1, 2, 3, 4, 5]


def test_an_entry_that_says_nothing_of_itself_is_listed_and_restored_elsewhere(store, place):
    before = whole(store)
    trash = Trash(place)
    token = trash.move(store, "run").token
    for bad in (b"", b"{}", b"\xff"):
        Path(place, token, ".entry.json").write_bytes(bad)
        found = trash.list()[0]
        assert (found.id, found.origin) == ("run", "")
        assert found.time.startswith(f"{token[:4]}-{token[4:6]}-{token[6:8]}T")
    with pytest.raises(StoreError, match="which folder"):
        trash.restore(token)
    trash.restore(token, store=store)
    assert whole(store) == before


def test_it_is_private(store, place):
    old = os.umask(0)
    try:
        Trash(place).move(store, "run")
    finally:
        os.umask(old)
    for folder, _, files in os.walk(place):
        assert Path(folder).stat().st_mode & 0o777 == 0o700
        for name in files:
            if name not in {"run" + suffix for suffix in EXTRA}:
                assert Path(folder, name).stat().st_mode & 0o777 == 0o600, name


def test_several_at_once_follow_each_other(store, place):
    ids = [f"run-{n}" for n in range(12)]
    for id in ids:
        fill(store, id)
    gone = []

    def move(id):
        gone.append(Trash(place).move(store, id).token)

    threads = [threading.Thread(target=move, args=[id]) for id in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(gone) == 12
    assert sorted(item.id for item in Trash(place).list()) == sorted(ids)
