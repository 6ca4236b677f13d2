# SPDX-License-Identifier: Apache-2.0
"""Locks: who excludes whom, what children inherit, and files swapped under us (T9, T34, T35)."""

import contextlib
import errno
import fcntl
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tenuto.errors import Locked, NotAFile, RunNotFound, StoreIO
from tenuto.runs.file import FileRunStore
from tenuto.runs.holders import can_tell, holder, lock_table
from tenuto.runs.lock import RunLock
from tests.support.store import (
    FaultLayer,
    end,
    in_child,
    make_run,
    meta,
    python,
    seqs,
    snapshot,
    wait_for,
)

HOLD = """
import sys
from tenuto.runs.file import FileRunStore
journal = FileRunStore(sys.argv[1]).open("run")
print("held", flush=True)
sys.stdin.read()
"""
# As fisk-ai locks: open, then a plain flock, no look at the inode.
HOLD_AS_GO = """
import fcntl, os, sys
fd = os.open(sys.argv[1] + "/run.lock", os.O_CREAT | os.O_RDWR, 0o600)
fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def store(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    make_run(store)
    return store


@contextlib.contextmanager
def holding(code, store):
    process = python(code, store.directory, stdin=subprocess.PIPE)
    try:
        assert process.stdout.readline() == b"held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def is_free(store) -> bool:
    """Whether a plain flock, as fisk-ai takes it, is to be had."""
    fd = os.open(Path(store.directory, "run.lock"), os.O_RDWR)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(fd)
    return True


# --- exclusion ----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [HOLD, HOLD_AS_GO], ids=["tenuto", "flock"])
def test_the_second_is_told_at_once_by_whom_the_run_is_used(store, code):
    with holding(code, store) as process:
        before = snapshot(store.directory)
        for call in (store.open, store.delete):
            began = time.monotonic()
            with pytest.raises(Locked) as caught:
                call("run")
            # The promise is 100 ms (R8); the limit leaves room for load, not for a wait.
            assert time.monotonic() - began < 2
            assert caught.value.fields == {"id": "run", "pid": process.pid}
            assert f"process {process.pid}" in str(caught.value)
        assert snapshot(store.directory) == before
        held = holder(Path(store.directory, "run.lock"))
        assert held.pid == process.pid
        assert abs(held.since - time.time()) < 3600
    # The kernel drops the lock of a process that was killed.
    wait_for(lambda: is_free(store), "free lock")
    assert holder(Path(store.directory, "run.lock")) is None
    store.open("run").close()


def test_we_exclude_a_plain_flock_and_release_for_it(store):
    with store.open("run"):
        assert not is_free(store)
    assert is_free(store)


def test_one_process_excludes_itself(store):
    with store.open("run"), pytest.raises(Locked) as caught:
        store.open("run")
    assert caught.value.fields["pid"] == os.getpid()


def test_opening_and_closing_the_file_elsewhere_drops_nothing(store):
    with store.open("run"):
        os.close(os.open(Path(store.directory, "run.lock"), os.O_RDWR))
        assert not is_free(store)


def test_asking_who_holds_a_lock_takes_none(store):
    assert can_tell(store.directory)
    with store.open("run"):
        for _ in range(100):
            assert holder(Path(store.directory, "run.lock")).pid == os.getpid()
        assert len(lock_table()) >= 1
    assert holder(Path(store.directory, "none.lock")) is None
    assert holder(Path(store.directory)) is None


# --- children -----------------------------------------------------------------------------------


def test_a_tool_inherits_no_descriptor(store):
    with store.open("run") as journal:
        journal.append(end())
        listing = """
import os
for number in os.listdir("/proc/self/fd"):
    if os.path.lexists("/proc/self/fd/" + number):
        print(os.readlink("/proc/self/fd/" + number))
"""
        tool = subprocess.run(
            [sys.executable, "-c", listing],
            capture_output=True,
            text=True,
            close_fds=False,
            check=True,
        )
    assert "pipe:" in tool.stdout
    assert store.directory not in tool.stdout


@pytest.mark.parametrize("close_fds", [True, False])
def test_a_tool_that_outlives_its_run_keeps_no_lock(store, close_fds):
    code = f"""
import subprocess, sys
from tenuto.runs.file import FileRunStore
journal = FileRunStore(sys.argv[1]).open("run")
tool = subprocess.Popen(["sleep", "60"], stdout=subprocess.DEVNULL, close_fds={close_fds})
print(tool.pid, flush=True)
sys.stdin.read()
"""
    process = python(code, store.directory, stdin=subprocess.PIPE)
    tool = int(process.stdout.readline())
    try:
        assert not is_free(store)
        process.kill()
        process.communicate()
        assert Path(f"/proc/{tool}").exists()
        wait_for(lambda: is_free(store), "free lock")
    finally:
        os.kill(tool, 9)


def test_a_forked_child_neither_keeps_nor_drops_the_lock(store):
    lock = RunLock(store.directory, "run")
    lock.acquire()
    ready, go = os.pipe()
    pid = os.fork()
    if pid == 0:
        lock.release()
        os.close(go)
        os.read(ready, 1)  # until the parent has looked
        os._exit(0)
    try:
        assert not is_free(store)
        lock.release()
        assert is_free(store), "the forked child keeps the lock"
    finally:
        os.close(go)
        os.waitpid(pid, 0)
        os.close(ready)


def test_multiprocessing_takes_no_lock_along(store):
    context = multiprocessing.get_context("fork")
    with store.open("run"):
        process = context.Process(target=time.sleep, args=[60])
        process.start()
    try:
        assert is_free(store)
    finally:
        process.kill()
        process.join()
        process.close()


# --- files swapped or strange -------------------------------------------------------------------


def test_a_lock_file_swapped_between_open_and_flock_is_not_believed(store):
    path = Path(store.directory, "run.lock")
    swaps = []

    class Swapping(FaultLayer):
        def open(self, folder, name, flags):
            fd = super().open(folder, name, flags)
            if name == "run.lock" and len(swaps) < 3:
                swaps.append(path.stat().st_ino)
                path.rename(path.with_suffix(f".old{len(swaps)}"))
                if len(swaps) != 2:
                    path.touch()
            return fd

    with FileRunStore(store.directory, layer=Swapping(only=())).open("run") as journal:
        assert len(swaps) == 3
        assert not is_free(store), "the lock that was taken is not the one with the name"
        assert journal.append(end()) == 6


def test_a_lock_file_that_is_swapped_for_ever_is_an_error(store):
    path = Path(store.directory, "run.lock")

    class Swapping(FaultLayer):
        def open(self, folder, name, flags):
            fd = super().open(folder, name, flags)
            if name == "run.lock":
                path.unlink()
            return fd

    with pytest.raises(StoreIO, match="replaced again and again"):
        FileRunStore(store.directory, layer=Swapping(only=())).open("run")


@pytest.mark.parametrize("kind", ["symlink", "dangling", "fifo", "folder", "socket"])
def test_a_lock_that_is_no_file_is_neither_followed_nor_waited_for(store, tmp_path, kind):
    path = Path(store.directory, "run.lock")
    path.unlink()
    outside = tmp_path / "outside"
    match kind:
        case "symlink":
            outside.write_bytes(b"precious")
            path.symlink_to(outside)
        case "dangling":
            path.symlink_to(outside)
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "socket":
            os.mknod(path, 0o140600)
    for call in (store.open, store.delete):
        with pytest.raises(NotAFile):
            call("run")
    assert seqs(store) == [1, 2, 3, 4, 5]
    assert outside.exists() == (kind == "symlink")


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_not_written_to(store, monkeypatch, number):
    def flock(fd, flags):
        raise OSError(number, os.strerror(number))

    import portalocker.portalocker

    before = snapshot(store.directory)
    monkeypatch.setattr(portalocker.portalocker, "LOCKER", flock)
    with pytest.raises(StoreIO, match="no locks"):
        store.open("run")
    with pytest.raises(StoreIO, match="no locks"):
        store.create("new", meta("new"))
    assert not Path(store.path("new")).exists()
    assert {k: v for k, v in snapshot(store.directory).items() if "new" not in k} == before


def test_a_run_deleted_between_look_and_lock_leaves_no_lock_behind(store):
    class Deleting(FaultLayer):
        def open(self, folder, name, flags):
            if name == "run.lock":
                os.unlink(store.path("run"))
            return super().open(folder, name, flags)

    with pytest.raises(RunNotFound):
        FileRunStore(store.directory, layer=Deleting(only=())).open("run")
    assert sorted(os.listdir(store.directory)) == ["run.times.jsonl"]


def test_in_child_is_what_it_says():
    # The other tests rest on it.
    assert in_child(lambda: None) == 0
    assert in_child(lambda: 1 / 0) == 1


FULL_DISK = """
import resource, sys
# No file takes a byte, wherever it is: what a disk is like that is full.
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
from tenuto.runs.file import FileRunStore
print(FileRunStore(sys.argv[1]).delete("run").id)
"""


def test_a_full_disk_keeps_nobody_from_deleting(store: FileRunStore) -> None:
    """portalocker looks for a folder of temporary files that it can write to when it is loaded."""
    process = python(FULL_DISK, store.directory, stderr=subprocess.PIPE)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out.strip()) == (0, b"run"), err
    assert not list(Path(store.directory).glob("run*"))
