# SPDX-License-Identifier: Apache-2.0
"""A failing system, one call at a time (reliability.md, T5 to T7): R1, R2, R5.

Each operation runs again and again with its n-th system call failing, until none fails any more.
"""

import errno
import os
from pathlib import Path

import pytest

from tenuto.errors import JournalDead, StoreError, StoreIO
from tenuto.runs import notes
from tenuto.runs.file import FileRunStore
from tests.support.small_process import in_small_child
from tests.support.store import (
    FaultLayer,
    end,
    make_run,
    meta,
    quick_folder,
    result,
    seqs,
    snapshot,
    turn,
)

ERRNOS = [
    errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EMFILE, errno.EAGAIN,
]  # fmt: skip
sweep = pytest.mark.parametrize("number", ERRNOS, ids=[errno.errorcode[n] for n in ERRNOS])
once_or_always = pytest.mark.parametrize("forever", [False, True], ids=["once", "always"])


@pytest.fixture
def tmp_path():
    with quick_folder() as folder:
        yield folder


def faults(number, forever, *, limit=500, **options):
    """Layers that fail at the first, second, ... call, until one got through without failing."""
    for nth in range(1, limit):
        layer = FaultLayer(nth, number, forever=forever, **options)
        yield layer
        if not layer.fired:
            assert nth > 1
            return
    raise AssertionError(f"still failing at call {limit}")


def says(error, number, words):
    """The error carries the number, and its sentence names what it should."""
    assert error.fields["errno"] == number
    assert words in str(error)


@sweep
@once_or_always
def test_append(tmp_path, number, forever):
    store = FileRunStore(tmp_path / "runs")
    make_run(store, turns=1)
    # Fails within the appends only: the layer is switched on once the journal is open.
    for layer in faults(number, forever, only=("fstat", "write", "fsync", "ftruncate")):
        nth, layer.nth = layer.nth, 0
        acknowledged = seqs(store)
        with FileRunStore(store.directory, layer=layer).open("run") as journal:
            layer.calls.clear()
            layer.nth = nth
            try:
                for payload in (turn(1), result(1), end()):
                    acknowledged.append(journal.append(payload))
            except StoreIO as error:
                says(error, number, f"records 1 to {acknowledged[-1]} are on disk")
                assert journal.last_seq == acknowledged[-1]
                before = Path(store.path("run")).read_bytes()
                with pytest.raises(JournalDead):
                    journal.append(end())
                assert Path(store.path("run")).read_bytes() == before
                if not forever:
                    # What was not acknowledged was taken back.
                    assert seqs(store) == acknowledged
            layer.nth = 0
        # Nothing acknowledged is missing; at most one record more is there (R2).
        found = seqs(store)
        assert found[: len(acknowledged)] == acknowledged
        assert len(found) <= len(acknowledged) + 1
        with store.open("run") as again:
            again.append(end())
        assert seqs(store) == list(range(1, len(found) + 2))


def test_a_failed_fsync_is_not_tried_again(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    layer = FaultLayer(only=("fsync",))
    with FileRunStore(store.directory, layer=layer).create("run", meta()) as journal:
        layer.calls.clear()
        layer.nth = 1
        with pytest.raises(StoreIO, match="make durable"):
            journal.append(end())
        for _ in range(3):
            with pytest.raises(JournalDead):
                journal.append(end())
    assert layer.calls == ["fsync"]
    assert seqs(store) == [1]


@pytest.mark.parametrize("taken", [0, 1, 50, -1], ids=["none", "one", "some", "all_but_one"])
def test_a_short_write_is_taken_back(tmp_path, taken):
    store = FileRunStore(tmp_path / "runs")
    before = make_run(store)
    layer = FaultLayer()
    short = False

    def write(fd, data):
        nonlocal short
        short = True
        return os.write(fd, data[:taken]) if taken else 0

    with FileRunStore(store.directory, layer=layer).open("run") as journal:
        layer.write = write
        with pytest.raises(StoreIO, match=r"of \d+ bytes written"):
            journal.append(end())
        assert short
        with pytest.raises(JournalDead):
            journal.append(end())
    assert Path(store.path("run")).read_bytes() == before


@sweep
@once_or_always
def test_create_leaves_nothing_that_blocks_the_id(tmp_path, number, forever):
    store = FileRunStore(tmp_path / "runs")
    os.mkdir(store.directory, 0o700)
    for layer in faults(number, forever):
        try:
            with FileRunStore(store.directory, layer=layer).create("run", meta()) as journal:
                journal.append(end())
        except StoreIO as error:
            says(error, number, store.directory)
        if Path(store.path("run")).exists():
            # Either acknowledged, or the system did not even let us take it away.
            assert seqs(store)[:1] == [1] or forever
            store.delete("run")
        store.create("run", meta()).close()
        store.delete("run")
        store.sweep()
        assert os.listdir(store.directory) == []


@sweep
def test_open_fails_without_a_change(tmp_path, number):
    store = FileRunStore(tmp_path / "runs")
    before = make_run(store)
    for layer in faults(number, forever=False):
        try:
            FileRunStore(store.directory, layer=layer).open("run").close()
        except StoreIO as error:
            says(error, number, store.directory)
        assert Path(store.path("run")).read_bytes() == before
        # Whatever failed, the run is free again.
        store.open("run").close()


@sweep
@once_or_always
def test_delete_is_done_or_can_be_done_again(tmp_path, number, forever):
    store = FileRunStore(tmp_path / "runs")
    for layer in faults(number, forever):
        whole = make_run(store)
        for suffix in (".notes.json", ".preview.json", ".torn", ".v1.bak"):
            Path(store.directory, "run" + suffix).write_bytes(b"{}")
        try:
            FileRunStore(store.directory, layer=layer).delete("run")
        except StoreError as error:
            says(error, number, store.directory)
            if Path(store.path("run")).exists():
                assert Path(store.path("run")).read_bytes() == whole
                store.delete("run")
            else:
                store.sweep()
                # Only where not even the lock could be marked does a backup need a second look.
                for name in store.sweep().kept:
                    assert forever or number == errno.ENOSPC or layer.nth
                    os.unlink(Path(store.directory, name))
        assert [n for n in os.listdir(store.directory) if n.endswith(".json")] == []
        for name in os.listdir(store.directory):
            os.unlink(Path(store.directory, name))


def test_a_delete_killed_at_any_call_is_ended_by_the_next_sweep(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    nth = 0
    while True:
        nth += 1
        whole = make_run(store)
        for suffix in (".notes.json", ".preview.json", ".torn", ".v1.bak"):
            Path(store.directory, "run" + suffix).write_bytes(b"{}")
        layer = FaultLayer(nth, die=True)
        code = in_small_child(FileRunStore(store.directory, layer=layer).delete, "run")
        assert code in (0, 9)
        if Path(store.path("run")).exists():
            # It had not begun: the run is whole, and can be gone on with.
            assert Path(store.path("run")).read_bytes() == whole
            with store.open("run") as journal:
                journal.append(end())
            assert Path(store.directory, "run.lock").read_bytes() == b""
            store.delete("run")
        else:
            # It is gone and stays gone, and a new one of its id inherits nothing.
            assert store.list() == []
            if nth % 2:
                store.sweep()
            else:
                store.create("run", meta()).close()
                store.delete("run")
        assert os.listdir(store.directory) == []
        if code == 0:
            break
    assert nth > 15


@sweep
@once_or_always
def test_notes_are_the_old_or_the_new_ones(tmp_path, number, forever):
    store = FileRunStore(tmp_path / "runs")
    make_run(store)
    notes.update(store.directory, "run", title="old")
    for layer in faults(number, forever):
        try:
            notes.update(store.directory, "run", title="new", layer=layer)
        except StoreIO as error:
            says(error, number, store.directory)
        assert notes.load(store.directory, "run").title in ("old", "new")
        notes.update(store.directory, "run", title="old")
        left = snapshot(store.directory)
        assert forever or len(left) in (4, 5), left.keys()


def test_times_that_fail_stop_no_append(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    make_run(store)

    class NoTimes(FaultLayer):
        def open(self, folder, name, flags):
            if name.endswith(".times.jsonl"):
                raise OSError(errno.ENOSPC, "full")
            return super().open(folder, name, flags)

    with FileRunStore(store.directory, layer=NoTimes(only=())).open("run") as journal:
        assert journal.append(end()) == 6
        assert journal.append(end()) == 7


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "disk full at .* bytes free"),
        (errno.EDQUOT, "quota"),
        (errno.EROFS, "read-only file system"),
        (errno.EACCES, "permission denied"),
        (errno.EMFILE, "too many files open"),
        (errno.ENFILE, "too many files open"),
        (errno.EFBIG, "size limit"),
        (errno.EIO, "device .* failed"),
        (errno.ENOLCK, "no locks"),
        (errno.ESTALE, "Stale"),
    ],
)
def test_what_the_system_says_is_one_clear_sentence(tmp_path, number, words):
    layer = FaultLayer(1, number, only=("open",))
    with pytest.raises(StoreIO, match=words) as caught:
        FileRunStore(tmp_path / "runs", layer=layer).create("run", meta())
    fields = caught.value.fields
    assert (fields["errno"], fields["name"]) == (number, errno.errorcode[number])
    assert "\n" not in str(caught.value)
