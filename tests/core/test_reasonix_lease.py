# SPDX-License-Identifier: Apache-2.0
"""Leases: one program writes a session, everybody else is told which."""

import json
import os
import signal
import socket
from pathlib import Path

import pytest

from tenuto.clock import rfc3339
from tenuto.errors import Leased, NotAFile
from tenuto.reasonix import Controller, load_session
from tenuto.reasonix.lease import Lease, SessionLock, save_lock, who_has
from tenuto.reasonix.names import LEASE_LOCK, SAVE_LOCK
from tenuto.runs.holders import process_start
from tests.support.reasonix import ASK, SESSION, write
from tests.support.store import in_child, python

HOLD = """
import sys
from tenuto.reasonix import Controller, load_session
path = sys.argv[1]
with Controller("", "m") as controller:
    controller.resume(load_session(path), path)
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path):
    return write(tmp_path / "s.jsonl")


@pytest.fixture
def other(path):
    """A process that has the session open."""
    process = python(HOLD, path, stdin=-1)
    assert process.stdout.readline() == b"held\n"
    yield process
    process.stdin.close()
    process.wait()
    process.stdout.close()


def note(path, **fields):
    value = {"session_path": str(path), "writer_id": "w", "hostname": socket.gethostname()}
    path.with_name("s.jsonl.lease.json").write_text(json.dumps(value | fields))


def test_a_session_that_is_open_elsewhere_is_read_only_and_says_where(path, other):
    with Controller(path.parent, "m") as controller:
        resumed = controller.resume(load_session(path), path)
        assert resumed.read_only.fields["pid"] == other.pid
        assert f"process {other.pid}" in str(resumed.read_only)
        assert controller.history() == SESSION
        controller.append(ASK)
        with pytest.raises(Leased) as caught:
            controller.snapshot()
        assert caught.value.exit_code == 5
        assert load_session(path) == SESSION
        copied = controller.branch()
        assert load_session(copied) == [*SESSION, ASK]
    found = who_has(str(path))
    assert (found.pid, found.hostname) == (other.pid, socket.gethostname())
    assert found.since


def test_a_lease_ends_with_its_process(path, other):
    other.send_signal(signal.SIGKILL)
    other.wait()
    assert who_has(str(path)) is None
    with Controller(path.parent, "m") as controller:
        assert controller.resume(load_session(path), path).read_only is None
        mine = json.loads(path.with_name("s.jsonl.lease.json").read_bytes())
        assert mine["pid"] == os.getpid()
    assert sorted(os.listdir(path.parent)) == ["s.jsonl", "s.jsonl.lease.lock"]


def test_within_a_process_a_lease_is_shared(path):
    first, second = Lease.acquire(str(path)), Lease.acquire(str(path))
    assert first is second
    first.release()
    assert who_has(str(path)).pid == os.getpid()
    second.release()
    assert who_has(str(path)) is None


def test_who_forgets_a_lease_lets_it_go(path):
    Controller(path.parent, "m").resume(load_session(path), path)
    assert who_has(str(path)) is None


def test_many_who_want_it_one_has_it(path):
    children = [python(HOLD, path, stdin=-1) for _ in range(4)]
    try:
        for child in children:
            assert child.stdout.readline() == b"held\n"
        holder = who_has(str(path))
        assert holder.pid in {child.pid for child in children}
    finally:
        for child in children:
            child.stdin.close()
            child.wait()
            child.stdout.close()


# --- what other programs leave or hold -----------------------------------------------------------


def test_a_note_of_a_live_process_counts_without_its_lock(path):
    started = process_start(os.getppid())
    note(path, pid=os.getppid(), acquired_at=rfc3339(int((started + 60) * 1e9)))
    assert who_has(str(path)).pid == os.getppid()
    with pytest.raises(Leased, match=f"process {os.getppid()}"):
        Lease.acquire(str(path))


@pytest.mark.parametrize(
    "fields",
    [
        {"pid": 2**22 + 1, "acquired_at": "2026-07-01T00:00:00Z"},
        # The number belongs to another process by now.
        {"pid": os.getppid(), "acquired_at": "2001-07-01T00:00:00Z"},
        {"pid": os.getpid(), "acquired_at": "2026-07-01T00:00:00Z"},
        {"pid": 1, "hostname": "elsewhere", "acquired_at": "2026-07-01T00:00:00Z"},
        {"pid": 0},
        {"pid": "text"},
    ],
    ids=["gone", "number used again", "mine of long ago", "another host", "none", "garbage"],
)
def test_a_note_that_was_left_over_does_not_count(path, fields):
    note(path, **fields)
    assert who_has(str(path)) is None
    Lease.acquire(str(path)).release()


def test_a_note_without_a_time_counts_as_long_as_its_process_lives(path):
    note(path, pid=os.getppid(), acquired_at="not a time")
    assert who_has(str(path)).pid == os.getppid()


def test_what_is_no_lock_file_is_not_locked(path):
    path.with_name("s.jsonl.lease.lock").symlink_to("/etc/hostname")
    with pytest.raises(NotAFile):
        Lease.acquire(str(path))


def test_a_read_only_folder_opens_read_only(path, monkeypatch):
    def refuse(*_args, **_options):
        raise PermissionError(13, "no")

    monkeypatch.setattr("tenuto.runs.files.FileLayer.open", refuse)
    with Controller("", "m") as controller:
        resumed = controller.resume(SESSION, path)
    assert "permission denied" in str(resumed.read_only)


# --- the lock of a save --------------------------------------------------------------------------


def test_a_save_waits_for_a_program_that_locks_its_saves(path, monkeypatch):
    monkeypatch.setattr("tenuto.reasonix.lease._PATIENCE", 0.1)
    folder = str(path.parent)
    with save_lock(str(path)):
        assert os.listdir(folder) == ["s.jsonl"]
    Path(folder, "s" + SAVE_LOCK).touch()
    with SessionLock(folder, "s", SAVE_LOCK):

        def save():
            with save_lock(str(path)):
                pass

        assert in_child(save) == 1
    assert in_child(save) == 0


def test_a_lock_names_its_session(tmp_path):
    with (
        SessionLock(str(tmp_path), "s", LEASE_LOCK),
        pytest.raises(Leased, match="session s is open in process"),
        SessionLock(str(tmp_path), "s", LEASE_LOCK),
    ):
        pass
