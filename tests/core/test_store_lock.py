# SPDX-License-Identifier: Apache-2.0
"""Locks: who excludes whom, what children inherit, and files swapped under us (T9, T34, T35)."""

import contextlib
import errno
import fcntl
import json
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tenuto.errors import Locked, NotAFile, RunExists, RunNotFound, StoreError, StoreIO
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
    turn,
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


# --- races --------------------------------------------------------------------------------------

RACER = """
import json, random, sys
from tenuto.errors import StoreError
from tenuto.records import Terminal
from tenuto.runs.file import FileRunStore
from tests.support.store import meta, end
folder, seed, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
store, dice, mine, unexpected = FileRunStore(folder), random.Random(seed), [], []
MAY = {"locked", "exists", "not_found", "deleted"}
for round in range(rounds):
    verb = dice.choice(["create", "open", "open", "open", "delete"])
    try:
        if verb == "delete":
            store.delete("run")
            continue
        journal = store.create("run", meta()) if verb == "create" else store.open("run")
        with journal:
            for _ in range(dice.randrange(3)):
                # What it says it wrote, it wrote alone.
                before = journal.last_seq
                number = journal.append(end("suspended", f"{seed}.{round}"))
                found = [record.seq for record in journal.records()]
                if number != before + 1 or found != list(range(1, number + 1)):
                    unexpected.append(["sequence", number])
    except StoreError as error:
        if error.kind not in MAY:
            unexpected.append([error.kind, str(error)])
    except Exception as error:
        unexpected.append([type(error).__name__, str(error)])
print(json.dumps(unexpected))
"""


def race(folder: Path, processes: int, rounds: int) -> None:
    running = [python(RACER, folder, seed, rounds) for seed in range(processes)]
    answers = [json.loads(process.communicate()[0]) for process in running]
    assert answers == [[]] * processes
    store = FileRunStore(folder)
    for entry in store.list():
        found = seqs(store, entry.id)
        assert found == list(range(1, len(found) + 1))
    with contextlib.suppress(RunNotFound):
        store.delete("run")
    store.sweep()
    assert os.listdir(folder) == []


@pytest.mark.slow
def test_processes_that_create_open_append_and_delete_one_run(tmp_path):
    race(tmp_path, processes=3, rounds=150)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_processes_that_create_open_append_and_delete_one_run_long(tmp_path):
    race(tmp_path, processes=4, rounds=2500)


AS_GO = """
import fcntl, json, os, sys
from tests.support.store import end
from tenuto.records import encode_record, Record
folder, rounds = sys.argv[1], int(sys.argv[2])
path, wrote = folder + "/run.json", 0
for _ in range(rounds):
    lock = os.open(folder + "/run.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        continue
    # fisk-ai's open: read the last number, append behind it.
    last = json.loads(open(path, "rb").read().splitlines()[-1])["seq"]
    fd = os.open(path, os.O_WRONLY | os.O_APPEND)
    for number in (last + 1, last + 2):
        os.write(fd, encode_record(Record(number, end("suspended", "go")), number))
        os.fsync(fd)
        wrote += 1
    os.close(fd)
    os.close(lock)
print(wrote)
"""


def race_with_go(folder: Path, rounds: int) -> None:
    store = FileRunStore(folder)
    make_run(store, turns=0)
    go = python(AS_GO, folder, rounds)
    wrote = 0
    while go.poll() is None:
        with contextlib.suppress(Locked), store.open("run") as journal:
            journal.append(turn(0, call=False))
            journal.append(end("suspended", "tenuto"))
            wrote += 2
    wrote += int(go.communicate()[0])
    assert seqs(store) == list(range(1, wrote + 2))


@pytest.mark.slow
def test_a_writer_that_locks_as_fisk_ai_does(tmp_path):
    race_with_go(tmp_path / "runs", 200)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_writer_that_locks_as_fisk_ai_does_long(tmp_path):
    race_with_go(tmp_path / "runs", 5000)


def swap_races(folder: Path, rounds: int) -> None:
    """Two holders of the lock at once, while a third removes it: never."""
    store = FileRunStore(folder)
    make_run(store, turns=0)
    inside, worst, stop = [0], [0], threading.Event()
    errors: list[str] = []

    def hold():
        while not stop.is_set():
            try:
                with RunLock(folder, "run") as lock:
                    inside[0] += 1
                    worst[0] = max(worst[0], inside[0])
                    inside[0] -= 1
                    # The last thing a holder does: the next one locks a new file.
                    lock.unlink()
            except Locked:
                pass
            except StoreError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=hold) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(rounds):
        with contextlib.suppress(Locked), RunLock(folder, "run"):
            inside[0] += 1
            worst[0] = max(worst[0], inside[0])
            inside[0] -= 1
    stop.set()
    for thread in threads:
        thread.join()
    assert errors == []
    assert worst[0] == 1


@pytest.mark.slow
def test_a_lock_removed_while_others_take_it_has_one_holder(tmp_path):
    swap_races(tmp_path, 500)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_lock_removed_while_others_take_it_has_one_holder_long(tmp_path):
    swap_races(tmp_path, 10_000)


def test_two_creators_of_one_id_make_one_run(tmp_path):
    for number in range(20):
        store = FileRunStore(tmp_path / str(number))
        os.mkdir(store.directory)
        barrier = threading.Barrier(4)
        made = []

        def create(store=store, barrier=barrier, made=made):
            barrier.wait()
            with contextlib.suppress(Locked, RunExists), store.create("run", meta()) as journal:
                made.append(journal.append(end()))

        threads = [threading.Thread(target=create) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [2]
        assert seqs(store) == [1, 2]


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
