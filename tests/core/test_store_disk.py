# SPDX-License-Identifier: Apache-2.0
"""Real failures of a real system: full and read-only disks, size limits (T6 to T8).

What a machine does not allow is skipped with the reason; test_store_calls.py fails single calls,
test_store_faults.py plays the same failures in the store's own layer everywhere.
"""

import errno
import os
import re
import subprocess
from pathlib import Path

import pytest

from tenuto.errors import JournalDead, StoreIO
from tenuto.runs import doctor, notes
from tenuto.runs.file import FileRunStore
from tenuto.runs.trash import Trash
from tests.support import room
from tests.support.small_process import in_small_child
from tests.support.store import (
    end,
    make_run,
    meta,
    mounted,
    need,
    python,
    result,
    seqs,
    snapshot,
    turn,
)

# --- size limits: real short writes (T6) --------------------------------------------------------


def limit_size(limit):
    """This process may write no byte beyond ``limit``."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


def append_limited(store, limit):
    limit_size(limit)
    with store.open("run") as journal:
        before = journal.last_seq
        try:
            journal.append(end("suspended", "x" * 100))
        except StoreIO as error:
            told = error.fields["last_seq"] == before and error.fields["restored"]
            try:
                journal.append(end())
            except JournalDead:
                os._exit(3 if told else 4)
            os._exit(5)


def append_below(store, limit):
    """In a process that may write no byte beyond ``limit``: 0 written, 3 refused and said so."""
    return in_small_child(append_limited, store, limit)


@pytest.mark.slow
def test_every_size_limit_across_one_record(tmp_path):
    store = FileRunStore(tmp_path)
    good = make_run(store, turns=1)
    path = Path(store.path("run"))
    store.open("run").close()
    with store.open("run") as journal:
        journal.append(end("suspended", "x" * 100))
    length = path.stat().st_size - len(good)
    for limit in range(len(good), len(good) + length + 1):
        path.write_bytes(good)
        fits = limit == len(good) + length
        assert append_below(store, limit) == (0 if fits else 3), limit - len(good)
        assert seqs(store) == [1, 2, 3, 4][: 4 if fits else 3]
        if not fits:
            assert path.read_bytes() == good, limit - len(good)


def create_limited(store, limit):
    limit_size(limit)
    try:
        store.create("run", meta())
    except StoreIO as error:
        os._exit(3 if error.fields["name"] == "EFBIG" else 4)


def test_a_size_limit_on_create_blocks_no_id(tmp_path):
    store = FileRunStore(tmp_path)
    for limit in (0, 1, 100):
        assert in_small_child(create_limited, store, limit) == 3
        assert os.listdir(tmp_path) == []


# --- a full disk (T7) ---------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path):
    with mounted(tmp_path / "small", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs") as folder:
        yield folder


def fill_up(folder: Path, leave: int = 0) -> Path:
    """Fill the disk but for ``leave`` bytes (whole pages)."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        while True:
            try:
                file.write(b"f" * 4096)
            except OSError as error:
                assert error.errno == errno.ENOSPC  # noqa: PT017
                break
    if leave:
        os.truncate(filler, filler.stat().st_size - leave)
    return filler


def test_a_disk_that_fills_up_while_a_run_goes_on(small_disk):
    store = FileRunStore(small_disk / "runs")
    with store.create("run", meta()) as journal:
        acknowledged = [1]
        with pytest.raises(StoreIO) as caught:
            while True:
                number = journal.append(turn(journal.last_seq, "x" * 500))
                acknowledged.append(number)
        assert caught.value.fields["name"] == "ENOSPC"
        said = str(caught.value)
        assert re.search(rf"disk full at {re.escape(str(small_disk))}, \d+ bytes free", said), said
        assert f"records 1 to {acknowledged[-1]} are on disk" in said
        with pytest.raises(JournalDead):
            journal.append(result(0))
    assert seqs(store) == acknowledged
    assert store.load("run").tail is None
    # Readable and listed on the full disk, and gone on with once there is room.
    assert [entry.id for entry in store.list()] == ["run"]
    os.unlink(small_disk / "runs" / "run.times.jsonl")
    store.open("run").close()
    subprocess.run(
        [need("mount"), "-o", "remount,size=256k", str(small_disk)], check=True, capture_output=True
    )
    with store.open("run") as journal:
        assert journal.append(end()) == acknowledged[-1] + 1


def test_a_full_disk_refuses_a_new_run_and_keeps_no_trace_of_it(small_disk):
    store = FileRunStore(small_disk / "runs")
    make_run(store, "old")
    fill_up(small_disk)
    before = snapshot(store.directory)
    with pytest.raises(StoreIO, match="disk full"):
        store.create("new", meta("new"))
    assert snapshot(store.directory) == before
    # The other entry points on the full disk.
    with pytest.raises(StoreIO, match="disk full"):
        notes.update(store.directory, "old", title="a title")
    with store.open("old") as journal, pytest.raises(StoreIO, match="disk full"):
        for number in range(100):
            journal.append(turn(number))
    torn = Path(store.path("old"))
    assert len(store.load("old")) >= 5
    # Deleting is how one makes room.
    store.delete("old")
    assert not torn.exists()
    assert sorted(os.listdir(store.directory)) == []
    (small_disk / "filler").unlink()
    store.create("new", meta("new")).close()


def test_a_torn_tail_on_a_full_disk_stays_until_it_can_be_kept(small_disk):
    store = FileRunStore(small_disk / "runs")
    good = make_run(store)
    tail = b'{"seq":6,' + b"x" * 5000
    Path(store.path("run")).write_bytes(good + tail)
    fill_up(small_disk)
    before = snapshot(store.directory)
    with pytest.raises(StoreIO, match="disk full"):
        store.open("run")
    assert snapshot(store.directory) == before
    assert len(store.load("run")) == 5
    (small_disk / "filler").unlink()
    with store.open("run") as journal:
        assert journal.append(end()) == 6


@pytest.mark.parametrize("damage", ["torn", "between"])
def test_a_doctor_on_a_full_disk_changes_nothing_and_leaves_no_half_file(small_disk, damage):
    """From room for nothing, a page more each time, until there is room for all of it."""
    store = FileRunStore(small_disk / "runs")
    good = make_run(store)
    path, aside = Path(store.path("run")), b"x" * 5000
    lines = good.splitlines(keepends=True)
    torn = [*lines, b'{"seq":6,' + aside]
    broken = b"".join(torn if damage == "torn" else [*lines[:3], aside + b"\n", *lines[3:]])
    path.write_bytes(broken)
    before, pages = set(os.listdir(store.directory)), 0
    while True:
        filler, error = fill_up(small_disk, leave=pages * 4096), None
        try:
            doctor.repair(store.directory, "run")
        except StoreIO as caught:
            error = caught
        filler.unlink()
        if error is None:
            break
        assert error.fields["name"] == "ENOSPC"
        assert "disk full" in str(error)
        assert path.read_bytes() == broken
        for kept in set(os.listdir(store.directory)) - before:
            # Only what is whole may stay: bytes set aside, and the journal as it was.
            data = Path(store.directory, kept).read_bytes()
            assert kept.endswith((".bak", ".torn", ".lock")), kept
            assert data == broken or not kept.endswith(".bak"), (pages, kept, len(data))
            assert aside in data or not kept.endswith(".torn"), (pages, kept, len(data))
            Path(store.directory, kept).unlink()
        pages += 1
    assert pages > 2
    assert path.read_bytes() == good
    assert Path(store.directory, "run.doctor-1.bak").read_bytes() == broken
    assert aside in Path(store.directory, "run.torn").read_bytes()


def test_a_trash_on_a_full_disk_takes_nothing_away(small_disk, tmp_path):
    store = FileRunStore(tmp_path / "runs")
    make_run(store)
    trash = Trash(small_disk / "trash")
    trash.move(store, "run")
    make_run(store)
    before = snapshot(store.directory)
    fill_up(small_disk)
    with pytest.raises(StoreIO, match="disk full"):
        trash.move(store, "run")
    assert snapshot(store.directory) == before
    assert len(trash.list()) == 1
    (small_disk / "filler").unlink()
    trash.move(store, "run")
    assert len(trash.list()) == 2


# --- a read-only folder (T8) --------------------------------------------------------------------

READ_ONLY = """
import os, sys
from tenuto.errors import RunNotFound, StoreIO
from tenuto.runs import notes
from tenuto.runs.file import FileRunStore
from tenuto.runs.trash import Trash
from tests.support.store import meta
store, word = FileRunStore(sys.argv[1]), sys.argv[2]
assert [entry.id for entry in store.list()] == ["run"]
assert len(store.load("run")) == 5
calls = {
    "create": lambda: store.create("new", meta("new")),
    "open": lambda: store.open("run"),
    "delete": lambda: store.delete("run"),
    "notes": lambda: notes.update(store.directory, "run", title="x"),
    "trash": lambda: Trash(sys.argv[3]).move(store, "run"),
}
for name, call in calls.items():
    try:
        call()
    except StoreIO as error:
        assert store.directory in str(error), (name, str(error))
        assert error.fields["name"] == word, (name, error.fields)
    else:
        raise AssertionError(name + " went through")
print("refused")
"""


def test_a_read_only_mount_is_browsed_and_nothing_attempted(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    make_run(store)
    before = snapshot(store.directory)
    with mounted(Path(store.directory), "--bind", store.directory):
        done = subprocess.run(
            [need("mount"), "-o", "remount,ro,bind", store.directory], capture_output=True
        )
        if done.returncode:
            pytest.skip("read-only mounts are not allowed here")
        process = python(READ_ONLY, store.directory, "EROFS", tmp_path / "trash")
        assert process.communicate()[0] == b"refused\n"
    assert snapshot(store.directory) == before
    assert Trash(tmp_path / "trash").list() == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_folder_one_may_not_write_is_browsed_and_nothing_attempted(tmp_path):
    """As a user without root's rights: the files are theirs, the folder's rights are not."""
    setpriv = need("setpriv")
    store = FileRunStore(tmp_path / "runs")
    make_run(store)
    for path in [store.directory, *Path(store.directory).iterdir()]:
        os.chown(path, 65534, 65534)
    os.unlink(Path(store.directory, "run.lock"))
    os.chmod(store.directory, 0o500)
    elsewhere = tmp_path / "trash"
    elsewhere.mkdir()
    os.chown(elsewhere, 65534, 65534)
    before = snapshot(store.directory)
    prefix = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"]
    probe = subprocess.run(
        [*prefix, "ls", store.directory, str(Path(__file__).parents[2] / "core")],
        capture_output=True,
    )
    if probe.returncode:
        # Folders above are closed to others, as pytest's own are: open the way for this test.
        for parent in [*Path(store.directory).parents]:
            if parent.stat().st_uid == 0 and room.place() in parent.parents:
                os.chmod(parent, parent.stat().st_mode | 0o011)
        probe = subprocess.run([*prefix, "ls", store.directory], capture_output=True)
    if probe.returncode:
        pytest.skip("another user cannot reach this test's folder")
    process = python(READ_ONLY, store.directory, "EACCES", elsewhere, prefix=prefix)
    answer = process.communicate()[0]
    if process.returncode in (126, 127):
        pytest.skip("another user cannot run this Python")
    assert answer == b"refused\n"
    assert snapshot(store.directory) == before
