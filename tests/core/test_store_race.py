# SPDX-License-Identifier: Apache-2.0
"""Processes and threads that race for one run (reliability.md, T9, T34, T35)."""

import contextlib
import json
import os
import threading
from pathlib import Path

import pytest

from tenuto.errors import Locked, RunExists, RunNotFound, StoreError
from tenuto.runs.file import FileRunStore
from tenuto.runs.lock import RunLock
from tests.support.store import end, make_run, meta, python, seqs, turn

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
