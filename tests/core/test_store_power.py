# SPDX-License-Identifier: Apache-2.0
"""Power cuts (reliability.md, T2): ext4 on a loop device, shut down without writing its log out.

What was not synced is lost as on a real machine. Needs the right to mount; skipped with the reason
where there is none.
"""

import contextlib
import fcntl
import itertools
import os
import random
import signal
import struct
import subprocess
import time
from pathlib import Path

import pytest

from tenuto.errors import RunNotFound
from tenuto.runs import notes
from tenuto.runs.file import FileRunStore
from tenuto.runs.files import FileLayer
from tenuto.runs.trash import Trash
from tests.support.small_process import in_small_child
from tests.support.store import (
    FaultLayer,
    end,
    make_run,
    meta,
    need,
    result,
    seqs,
    snapshot,
    turn,
)

_SHUTDOWN = 0x8004587D  # EXT4_IOC_SHUTDOWN
_NO_LOG_FLUSH = struct.pack("I", 2)


class Disk:
    """A file system that can lose its power."""

    def __init__(self, folder: Path) -> None:
        self.image, self.mount = folder / "image", folder / "mount"
        self.mount.mkdir()
        with self.image.open("wb") as file:
            file.truncate(64 * 1024 * 1024)
        self._run("mkfs.ext4", "-q", str(self.image))
        self._mount()
        (self.mount / "alive").touch()
        os.sync()

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run([need(program), *arguments], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"{program} is not allowed here: {done.stderr.strip()}")

    def _mount(self) -> None:
        self._run("mount", "-o", "loop", str(self.image), str(self.mount))

    def on(self) -> None:
        """Mount it again, new: a process in another mount namespace can keep the old one alive."""
        deadline = time.monotonic() + 60
        while True:
            self._mount()
            try:
                (self.mount / "alive").read_bytes()
            except OSError as error:
                if time.monotonic() > deadline:
                    pytest.skip(f"something else on this machine keeps the disk mounted: {error}")
                self.off()
                time.sleep(0.05)
                continue
            return

    def cut(self) -> None:
        """Lose the power, and come back."""
        fd = os.open(self.mount, os.O_RDONLY)
        try:
            fcntl.ioctl(fd, _SHUTDOWN, _NO_LOG_FLUSH)
        except OSError as error:
            pytest.skip(f"this file system cannot be shut down: {error}")
        finally:
            os.close(fd)
        self.off()
        self.on()

    def off(self) -> None:
        for _ in range(100):
            done = subprocess.run([need("umount"), str(self.mount)], capture_output=True)
            if done.returncode == 0:
                return
            time.sleep(0.05)
        subprocess.run([need("umount"), "-l", str(self.mount)], check=True)


@pytest.fixture
def disk(tmp_path):
    disk = Disk(tmp_path)
    try:
        yield disk
    finally:
        disk.off()


class NoSync(FileLayer):
    """The control: what these tests would miss if the store did not sync."""

    def fsync(self, fd):
        pass

    def fsync_dir(self, folder):
        pass


def start(action) -> tuple[int, int]:
    """A process that does ``action(tell)``; ``tell`` writes a number into the pipe."""
    told, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            action(lambda number: os.write(tell, b"%d\n" % number))
            os.kill(os.getpid(), signal.SIGSTOP)
        finally:
            os._exit(1)
    os.close(tell)
    return pid, told


def cut_under(disk: Disk, pid: int, told: int) -> list[int]:
    """Stop the process, cut the power, and give what it had been told is on disk."""
    os.kill(pid, signal.SIGSTOP)
    assert os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1])
    fd = os.open(disk.mount, os.O_RDONLY)
    try:
        fcntl.ioctl(fd, _SHUTDOWN, _NO_LOG_FLUSH)
    except OSError as error:
        pytest.skip(f"this file system cannot be shut down: {error}")
    finally:
        os.close(fd)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    disk.off()
    disk.on()
    with open(told, "rb") as file:
        return [int(line) for line in file if line.endswith(b"\n")]


def write_for_ever(store: FileRunStore, id: str, size: int):
    def action(tell):
        with store.create(id, meta(id)) as journal:
            tell(1)
            for number in itertools.count():
                tell(journal.append(turn(number, "x" * size)))
                tell(journal.append(result(number, "y" * size)))

    return action


def cut_while_writing(disk: Disk, cuts: int, *, layer: FileLayer | None = None) -> int:
    """Cut the power under a writer; how many acknowledged records are gone."""
    dice, lost = random.Random(11), 0
    for number in range(cuts):
        id = f"run-{number}"
        store = FileRunStore(disk.mount / "runs", layer=layer)
        pid, told = start(write_for_ever(store, id, [100, 5000, 60_000][number % 3]))
        time.sleep(0.02 + dice.random() * 0.05)
        acknowledged = cut_under(disk, pid, told)
        store = FileRunStore(disk.mount / "runs")
        found = []
        with contextlib.suppress(RunNotFound):
            found = seqs(store, id)
        assert found == list(range(1, len(found) + 1))
        lost += max(0, len(acknowledged) - len(found))
        if layer is not None:
            continue
        assert found in (acknowledged, list(range(1, len(acknowledged) + 2)))
        if found:
            with store.open(id) as journal:
                assert journal.append(end()) == found[-1] + 1
            assert seqs(store, id)[-1] == found[-1] + 1
        with contextlib.suppress(RunNotFound):
            store.delete(id)
    return lost


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_twenty_power_cuts_lose_nothing(disk):
    assert cut_while_writing(disk, 20) == 0


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_cut_is_real(disk):
    """Without a sync the same cuts do lose records, or the test above would prove nothing."""
    assert cut_while_writing(disk, 3, layer=NoSync()) > 0


@pytest.mark.soak
@pytest.mark.timeout(36_000)
def test_two_thousand_power_cuts_lose_nothing(disk):
    assert cut_while_writing(disk, 2000) == 0


def cut_with_half_a_record(disk: Disk, cuts: int) -> None:
    for number in range(cuts):
        id = f"half-{number}"
        store = FileRunStore(disk.mount / "runs")

        def action(tell, store=store, id=id, number=number):
            with store.create(id, meta(id)) as journal:
                journal.append(turn(0))
                fd = os.open(store.path(id), os.O_WRONLY | os.O_APPEND)
                os.write(fd, b'{"seq":3,"protocol":"' + b"x" * (3000 * number))
                if number % 2:
                    with open(disk.mount / "unrelated", "wb") as other:
                        other.write(b"u")
                        os.fsync(other.fileno())
                tell(2)
                signal.pause()

        pid, told = start(action)
        assert os.read(told, 2) == b"2\n"
        cut_under(disk, pid, told)
        store = FileRunStore(disk.mount / "runs")
        assert seqs(store, id) == [1, 2]
        with store.open(id) as journal:
            assert journal.append(result(0)) == 3
            assert journal.append(end()) == 4
        assert seqs(store, id) == [1, 2, 3, 4]
        store.delete(id)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_half_a_record_that_was_never_synced_is_cut_off(disk):
    cut_with_half_a_record(disk, 6)


@pytest.mark.soak
@pytest.mark.timeout(36_000)
def test_half_a_record_that_was_never_synced_is_cut_off_long(disk):
    cut_with_half_a_record(disk, 100)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_what_returned_stays_done(disk, tmp_path):
    """Delete, create, notes, trash, restore: each is cut off right behind its return (R1, R9)."""
    runs = disk.mount / "runs"
    make_run(FileRunStore(runs), "deleted")
    make_run(FileRunStore(runs), "kept")
    make_run(FileRunStore(runs), "binned")
    notes.update(runs, "kept", title="old")
    os.sync()

    FileRunStore(runs).delete("deleted")
    disk.cut()
    assert not [name for name in os.listdir(runs) if name.startswith("deleted")]

    FileRunStore(runs).create("created", meta("created")).close()
    disk.cut()
    assert seqs(FileRunStore(runs), "created") == [1]

    notes.update(runs, "kept", title="new")
    disk.cut()
    assert notes.load(runs, "kept").title == "new"

    trash = Trash(disk.mount / "trash")
    whole = Path(runs, "binned.json").read_bytes()
    token = trash.move(FileRunStore(runs), "binned").token
    disk.cut()
    assert not Path(runs, "binned.json").exists()
    assert [item.token for item in trash.list()] == [token]
    trash.restore(token)
    disk.cut()
    assert Path(runs, "binned.json").read_bytes() == whole
    assert trash.list() == []

    # Across file systems: the other one keeps its power, this one loses it.
    outer = Trash(tmp_path / "trash")
    token = outer.move(FileRunStore(runs), "binned").token
    disk.cut()
    assert not Path(runs, "binned.json").exists()
    outer.restore(token)
    disk.cut()
    assert Path(runs, "binned.json").read_bytes() == whole


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_repair_that_returned_stays_done(disk):
    store = FileRunStore(disk.mount / "runs")
    good = make_run(store)
    path = Path(store.path("run"))
    for tail, kept in ((b'{"seq":6,"pro', 13), (b"\0" * 5000, 5000)):
        path.write_bytes(good + tail)
        os.sync()
        store.open("run").close()
        disk.cut()
        assert path.read_bytes() == good
        assert f", {kept} bytes," in path.with_suffix(".torn").read_text()
    path.write_bytes(good[:-1])
    os.sync()
    store.open("run").close()
    disk.cut()
    assert path.read_bytes() == good


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("settled", [False, True], ids=["lost", "settled"])
def test_a_power_cut_inside_a_delete_leaves_all_of_the_run_or_nothing(disk, settled):
    """T35: before every call; ``settled``: what the calls so far did is on disk, synced or not."""
    runs = disk.mount / "runs"
    outcomes = set()
    for nth in itertools.count(1):
        make_run(FileRunStore(runs))
        for suffix in (".notes.json", ".preview.json", ".torn", ".v1.bak"):
            Path(runs, "run" + suffix).write_bytes(b"{}")
        os.sync()
        before = snapshot(runs)
        del before[str(runs / "run.lock")]
        layer = FaultLayer(nth, die=True)
        code = in_small_child(FileRunStore(runs, layer=layer).delete, "run")
        assert code in (0, 9)
        if settled:
            os.sync()
        disk.cut()
        store = FileRunStore(runs)
        store.sweep()
        whole = (runs / "run.json").exists()
        outcomes.add(whole)
        if whole:
            assert code == 9, "a delete that returned was undone"
            after = snapshot(runs)
            after.pop(str(runs / "run.lock"), None)
            assert after == before, nth
            assert seqs(store) == [1, 2, 3, 4, 5]
            with store.open("run") as journal:
                assert journal.append(end()) == 6
            store.delete("run")
        assert os.listdir(runs) == [], nth
        if code == 0:
            break
    assert nth > 15
    assert outcomes == {True, False}
