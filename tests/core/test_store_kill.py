# SPDX-License-Identifier: Apache-2.0
"""Writers that are killed, and readers beside writers (reliability.md, T1, T10): R1 to R3."""

import io
import itertools
import json
import os
import random
import shutil
import signal
import threading
import time
from pathlib import Path

import pytest

from tenuto.errors import JournalError
from tenuto.runs.file import FileRunStore
from tenuto.runs.reader import scan
from tests.support import small_process
from tests.support.store import (
    FaultLayer,
    end,
    in_child,
    make_run,
    meta,
    python,
    result,
    seqs,
    turn,
)


def write_for_ever(store, size, pipe):
    tell = os.open(pipe, os.O_WRONLY)
    with store.create("run", meta()) as journal:
        os.write(tell, b"1\n")
        for number in itertools.count():
            for payload in (turn(number, "x" * size), result(number, "y" * size)):
                os.write(tell, b"%d\n" % journal.append(payload))


def start_writer(store, size):
    """A process that appends for ever; what it was told is on disk comes through a pipe."""
    pipe = f"{store.directory}.told"
    os.mkfifo(pipe)
    writer = small_process.start(write_for_ever, store, size, pipe)
    return writer, open(pipe, "rb")


def kill_while_writing(folder: Path, rounds: int, sizes: list[int]) -> int:
    """Kill a writer at random moments; how many of the journals were torn."""
    dice, torn = random.Random(7), 0
    for number in range(rounds):
        store = FileRunStore(folder / str(number))
        size = sizes[number % len(sizes)]
        writer, told = start_writer(store, size)
        with told:
            acknowledged = [int(told.readline()) for _ in range(1 + dice.randrange(12))]
            # A random moment behind a random record: whole milliseconds would favour some calls.
            time.sleep(dice.random() * 0.002)
            os.kill(writer.pid, signal.SIGKILL)
            assert writer.wait() == -signal.SIGKILL
            acknowledged += [int(line) for line in told if line.endswith(b"\n")]

        found = seqs(store)
        last = acknowledged[-1]
        assert acknowledged == list(range(1, last + 1))
        # All that was acknowledged, in order, and at most one record more (R2).
        assert found in (acknowledged, [*acknowledged, last + 1])
        torn += store.load("run").tail is not None
        with store.open("run") as journal:
            assert journal.last_seq == found[-1]
            journal.append(turn(90))
            journal.append(result(90))
        assert seqs(store) == list(range(1, found[-1] + 3))
        store.delete("run")
        assert os.listdir(store.directory) == []
    return torn


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_writer_killed_two_hundred_times_loses_nothing(tmp_path):
    kill_while_writing(tmp_path, 200, [100, 20_000, 400_000])


@pytest.mark.soak
@pytest.mark.timeout(36_000)
def test_a_writer_killed_ten_thousand_times_loses_nothing(tmp_path):
    assert kill_while_writing(tmp_path, 10_000, [100, 20_000, 2_000_000, 8_000_000]) > 0


# --- readers ------------------------------------------------------------------------------------

STEADY_WRITER = """
import sys
from tenuto.runs.file import FileRunStore
from tenuto.runs.reader import scan
from tests.support.store import meta, turn
with FileRunStore(sys.argv[1]).create("run", meta()) as journal:
    for number in range(int(sys.argv[2])):
        journal.append(turn(number, "x" * int(sys.argv[3]), call=False))
"""


def read_while_writing(folder: Path, records: int, size: int) -> tuple[int, int]:
    """Read while another process appends; how many reads there were, and met half a record."""
    store = FileRunStore(folder)
    writer = python(STEADY_WRITER, folder, records, size)
    reads, halves, last = 0, 0, 0
    while not os.path.exists(store.path("run")) and writer.poll() is None:
        time.sleep(0.001)
    while True:
        done = writer.poll() is not None
        found = store.load("run")
        reads += 1
        assert [record.seq for record in found] == list(range(1, len(found) + 1))
        assert len(found) >= last, "a later look shows less"
        last = len(found)
        halves += found.tail is not None
        if done:
            break
    writer.communicate()
    assert writer.returncode == 0
    assert last == records + 1
    assert found.tail is None
    return reads, halves


@pytest.mark.slow
def test_a_reader_never_takes_half_a_record_for_damage(tmp_path):
    read_while_writing(tmp_path, 300, 200)
    read_while_writing(tmp_path / "big", 30, 1_000_000)


@pytest.mark.soak
@pytest.mark.timeout(36_000)
def test_a_reader_never_takes_half_a_record_for_damage_long(tmp_path):
    """100,000 reads: many of short journals, and enough of long records to meet halves of them."""
    reads, halves, rounds = 0, 0, 0
    while reads < 100_000:
        records, size = [(40, 4_000_000), (1_000, 200), (1_000, 200)][rounds % 3]
        folder = tmp_path / str(rounds)
        more = read_while_writing(folder, records, size)
        shutil.rmtree(folder)
        reads, halves, rounds = reads + more[0], halves + more[1], rounds + 1
    assert halves > 0


@pytest.mark.slow
def test_a_reader_beside_repairs_never_sees_damage(tmp_path):
    """A repair cuts and the next record follows at once: old bytes and new must not mix."""
    store = FileRunStore(tmp_path)
    make_run(store, turns=1)
    path, stop, problems = Path(store.path("run")), threading.Event(), []

    def read():
        while not stop.is_set():
            try:
                found = [record.seq for record in store.load("run")]
            except JournalError as error:
                problems.append(repr(error))
                return
            if found != list(range(1, len(found) + 1)):
                problems.append(found)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(200):
        with path.open("ab") as file:
            file.write(b'{"seq":4,"protocol":"io.choria.fisk-ai.v1.session.ter' + b"x" * 3000)
        with store.open("run") as journal:
            journal.append(turn(number, "z" * 4000, call=False))
    stop.set()
    reader.join()
    assert problems == []


class Growing(io.BytesIO):
    """A file whose last line is finished by its writer as soon as the reader has met half of it."""

    def readline(self, limit=-1):
        data = super().readline(limit)
        if not data.endswith(b"\n"):
            here = self.tell()
            self.write(b',"more":1}\n{"seq":99}\n')
            self.seek(here)
        return data


def test_half_a_record_stays_a_tail_when_it_is_finished_behind_the_reader(tmp_path):
    good = make_run(FileRunStore(tmp_path), turns=1)
    found = scan(Growing(good + b'{"seq":4'))
    assert found.error is None
    assert len(found.records) == 3
    assert (found.tail.kind, found.tail.offset, found.tail.size) == ("torn", len(good), 8)


def test_a_torn_record_is_shown_not_fatal(tmp_path):
    store = FileRunStore(tmp_path)
    good = make_run(store, turns=1)
    Path(store.path("run")).write_bytes(good + b'{"seq":4,"pro')
    found = store.load("run")
    assert len(found) == 3
    assert (found.tail.kind, found.tail.offset, found.tail.size) == ("torn", len(good), 13)
    # Looking repaired nothing.
    assert Path(store.path("run")).stat().st_size == len(good) + 13


# --- killed exactly at a call -------------------------------------------------------------------


def test_a_process_killed_at_any_call_of_a_create_blocks_no_id(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    nth = 0
    while True:
        nth += 1
        layer = FaultLayer(nth, die=True)

        def create(layer=layer):
            with FileRunStore(store.directory, layer=layer).create("run", meta()) as journal:
                journal.append(end())

        code = in_child(create)
        assert code in (0, 9)
        if os.path.exists(store.path("run")):
            # Never started, begun, or done: in any case listed, readable and removable.
            assert [entry.id for entry in store.list()] == ["run"]
            assert seqs(store) in ([], [1], [1, 2])
            store.delete("run")
        if os.path.exists(store.directory):
            store.sweep()
            assert os.listdir(store.directory) == []
        store.create("run", meta()).close()
        store.delete("run")
        if code == 0:
            break
        os.rmdir(store.directory)
    assert nth > 15


def test_a_run_killed_between_records_can_be_gone_on_with(tmp_path):
    code = """
import os, sys
from tenuto.runs.file import FileRunStore
from tenuto.runs.reader import scan
from tests.support.store import meta, turn
journal = FileRunStore(sys.argv[1]).create("run", meta())
journal.append(turn(0))
os.kill(os.getpid(), 9)
"""
    process = python(code, tmp_path)
    assert process.wait() == -9
    process.stdout.close()
    store = FileRunStore(tmp_path)
    with store.open("run") as journal:
        assert journal.repaired is None
        assert [use.id for use in journal.state.pending.unanswered] == ["call_0"]
        assert journal.append(result(0)) == 3
    assert json.loads(Path(store.path("run")).read_bytes().splitlines()[2])["seq"] == 3
