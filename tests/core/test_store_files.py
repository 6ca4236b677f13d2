# SPDX-License-Identifier: Apache-2.0
"""Names that are no files of ours, hard links, and folders that ignore case (T13, T28)."""

import os
import threading
import time
from pathlib import Path

import pytest

from tenuto.errors import HardLinked, NotAFile, RunExists, RunNotFound, StoreIO
from tenuto.runs.file import FileRunStore
from tests.support.store import FaultLayer, end, in_child, make_run, meta, seqs, snapshot

KINDS = ["symlink", "dangling", "fifo", "folder", "socket", "device"]
WHAT = {"dangling": "symlink", "fifo": "FIFO"}


@pytest.fixture
def store(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    make_run(store, "good")
    return store


@pytest.fixture
def outside(tmp_path):
    """A journal outside of the folder, which nothing may reach through a link."""
    other = FileRunStore(tmp_path / "outside")
    make_run(other, "x")
    return Path(other.path("x"))


def place(path: Path, kind: str, outside: Path) -> None:
    match kind:
        case "symlink":
            path.symlink_to(outside)
        case "dangling":
            path.symlink_to(outside.parent / "new")
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "socket":
            os.mknod(path, 0o140600)
        case "device":
            try:
                os.mknod(path, 0o020600, os.makedev(1, 3))
            except PermissionError:
                pytest.skip("only root makes devices")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_never_opened_locked_deleted_or_followed(store, outside, kind):
    path = Path(store.path("x"))
    place(path, kind, outside)
    before = os.lstat(path)
    outer = snapshot(outside.parent)
    began = time.monotonic()
    assert [entry.id for entry in store.list()] == ["good"]
    what = WHAT.get(kind, kind)
    assert [(item.name, item.reason) for item in store.skipped()] == [
        ("x.json", f"not a run file: {what}")
    ]
    for call in (store.load, store.open, store.delete):
        with pytest.raises(NotAFile) as caught:
            call("x")
        assert caught.value.fields == {"path": str(path), "what": what}
    with pytest.raises(RunExists):
        store.create("x", meta("x"))
    # A FIFO would block for ever.
    assert time.monotonic() - began < 30
    assert os.lstat(path) == before
    assert snapshot(outside.parent) == outer
    assert not (outside.parent / "new").exists()
    assert not Path(store.directory, "x.lock").exists()


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "symlink"])
def test_companions_that_are_no_files_stay_and_harm_nothing(store, outside, kind):
    for suffix in (".notes.json", ".times.jsonl", ".preview.json", ".torn"):
        Path(store.directory, "good" + suffix).unlink(missing_ok=True)
        place(Path(store.directory, "good" + suffix), kind, outside)
    outer = snapshot(outside.parent)
    with store.open("good") as journal:
        journal.append(end())
    deleted = store.delete("good")
    assert sorted(deleted.left) == [
        "good.notes.json", "good.preview.json", "good.times.jsonl", "good.torn",
    ]  # fmt: skip
    assert snapshot(outside.parent) == outer
    assert not (outside.parent / "new").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_files_of_another_owner_are_left_alone(store):
    make_run(store, "theirs")
    os.chown(store.path("theirs"), 65534, 65534)
    assert [entry.id for entry in store.list()] == ["good"]
    assert store.skipped()[0].reason == "not a run file: file of another owner"
    for call in (store.load, store.open, store.delete):
        with pytest.raises(NotAFile):
            call("theirs")


def test_a_file_swapped_for_a_fifo_after_the_look_is_not_read(store, outside):
    path = Path(store.path("good"))

    class Swapping(FaultLayer):
        def open(self, folder, name, flags):
            if name == "good.json":
                path.unlink()
                os.mkfifo(path)
            return super().open(folder, name, flags)

    with pytest.raises(NotAFile):
        FileRunStore(store.directory, layer=Swapping(only=())).load("good")


def test_a_file_swapped_for_a_symlink_after_the_look_is_not_followed(store, outside):
    path = Path(store.path("good"))

    class Swapping(FaultLayer):
        def open(self, folder, name, flags):
            if name == "good.json":
                path.unlink()
                path.symlink_to(outside)
            return super().open(folder, name, flags)

    for call in ("load", "open"):
        make = FileRunStore(store.directory, layer=Swapping(only=()))
        path.unlink()
        path.write_bytes(outside.read_bytes())
        with pytest.raises(NotAFile):
            getattr(make, call)("good")


def test_a_folder_swapped_under_a_call_does_not_redirect_it(store, outside, tmp_path):
    """Between the look and the removal the folder's name leads elsewhere: the right file goes."""
    make_run(FileRunStore(outside.parent), "good")
    outer = snapshot(outside.parent)
    moved = tmp_path / "moved"

    class Swapping(FaultLayer):
        def unlink(self, folder, name):
            if not moved.exists():
                os.rename(store.directory, moved)
                os.symlink(outside.parent, store.directory)
            super().unlink(folder, name)

    FileRunStore(store.directory, layer=Swapping(only=())).delete("good")
    assert snapshot(outside.parent) == outer
    assert os.listdir(moved) == []


def test_a_folder_that_became_a_symlink_or_a_file_is_refused(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    make_run(store)
    os.rename(store.directory, tmp_path / "moved")
    os.symlink(tmp_path / "moved", store.directory)
    for call in (store.list, lambda: store.load("run"), lambda: store.create("x", meta())):
        with pytest.raises(NotAFile):
            call()
    os.unlink(store.directory)
    Path(store.directory).touch()
    for call in (store.list, lambda: store.load("run"), lambda: store.create("x", meta())):
        with pytest.raises(NotAFile):
            call()


# --- hard links ---------------------------------------------------------------------------------


def test_a_hard_linked_journal_is_read_with_a_mark_and_never_appended_to(store, tmp_path):
    """As ``cp -al`` makes backups: an append would change the backup too."""
    backup = tmp_path / "backup.json"
    os.link(store.path("good"), backup)
    data = backup.read_bytes()
    assert store.list()[0].nlink == 2
    assert seqs(store, "good") == [1, 2, 3, 4, 5]
    with pytest.raises(HardLinked) as caught:
        store.open("good")
    assert caught.value.fields["nlink"] == 2
    assert backup.read_bytes() == data
    # Removing one name takes nothing from the backup.
    store.delete("good")
    assert backup.read_bytes() == data


def test_a_hard_linked_lock_still_locks(store, tmp_path):
    os.link(Path(store.directory, "good.lock"), tmp_path / "backup.lock")
    with store.open("good") as journal:
        journal.append(end())


# --- names and case -----------------------------------------------------------------------------


def test_open_wants_the_exact_name(store):
    for call in (store.load, store.open, store.delete):
        with pytest.raises(RunNotFound):
            call("GOOD")


def test_on_a_folder_that_ignores_case_too(store):
    """A folder that answers to both spellings: the layer stands for it."""

    class IgnoresCase(FaultLayer):
        def lstat(self, folder, name):
            return super().lstat(folder, name.lower())

        def open(self, folder, name, flags):
            return super().open(folder, name.lower(), flags)

    other = FileRunStore(store.directory, layer=IgnoresCase(only=()))
    for call in (other.load, other.open):
        with pytest.raises(RunNotFound):
            call("GOOD")
    with pytest.raises(RunExists):
        other.create("GOOD", meta())
    assert len(other.load("good")) == 5
    other.open("good").close()


def test_device_names_made_by_another_program_are_readable(store):
    os.rename(store.path("good"), store.path("CON"))
    assert len(store.load("CON")) == 5
    with store.open("CON") as journal:
        journal.append(end())
    store.delete("CON")


# --- many, gone and many at once ----------------------------------------------------------------


@pytest.mark.slow
def test_ten_thousand_runs_are_listed_without_opening_one(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    data = make_run(store)
    for number in range(10_000):
        Path(store.directory, f"r{number}.json").write_bytes(data)
    layer = FaultLayer()
    entries = FileRunStore(store.directory, layer=layer).list()
    assert len(entries) == 10_001
    assert {"open", "read", "lstat"}.isdisjoint(layer.calls)
    assert layer.calls.count("scandir") == 1


def test_runs_that_vanish_while_they_are_listed_are_no_error(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    make_run(store)
    stop = threading.Event()

    def churn():
        number = 0
        while not stop.is_set():
            number += 1
            path = Path(store.directory, f"r{number % 50}.json")
            path.touch(0o600)
            path.unlink()

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for _ in range(200):
            assert "run" in {entry.id for entry in store.list()}
    finally:
        stop.set()
        thread.join()


def with_few_files(free: int, action) -> int:
    """Run ``action`` in a process that can open ``free`` files more.

    0: done; 3: it was said that there are too many; 1: anything else.
    """

    def limited():
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
        spare = []
        try:
            while True:
                spare.append(os.open("/dev/null", os.O_RDONLY))
        except OSError:
            pass
        for fd in spare[:free]:
            os.close(fd)
        try:
            action()
        except StoreIO as error:
            if error.fields["name"] == "EMFILE" and "too many files open" in str(error):
                os._exit(3)
            raise

    return in_child(limited)


def test_too_many_open_files_is_said_and_passes(store):
    calls = {
        "list": store.list,
        "load": lambda: store.load("good"),
        "open": lambda: store.open("good").append(end()),
        "create": lambda: store.create("new", meta()),
        "delete": lambda: store.delete("good"),
    }
    store.open("good").close()  # imports what is imported late
    for name, call in calls.items():
        codes = []
        while 0 not in codes:
            codes.append(with_few_files(len(codes), call))
            assert len(codes) < 20, (name, codes)
        assert set(codes) <= {0, 3}, (name, codes)
        assert codes[0] == 3, (name, codes)
        for id in ("good", "new"):
            if os.path.exists(store.path(id)):
                found = seqs(store, id)
                assert found == list(range(1, len(found) + 1))
                assert found
                store.open(id).close()
            elif id == "good":
                store.sweep()
                make_run(store, "good")
        if name == "create":
            store.delete("new")
    assert [entry.id for entry in store.list()] == ["good"]
