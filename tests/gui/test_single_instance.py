# SPDX-License-Identifier: Apache-2.0
"""One window per folder: who owns the name, what a second start may ask for, what it gets."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEventLoop
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto_gui.app import request_of
from tenuto_gui.single_instance import (
    MAX_REQUEST,
    Instance,
    claim,
    meeting_place,
    name_of,
    request,
)
from tests.gui.driver import PATIENCE, Driver
from tests.support.store import suspended_runs

BUNDLE = "/srv/a b.tenuto"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "runs"
    place.mkdir(mode=0o700)
    suspended_runs(FileRunStore(place), "one", "two")
    return place


@pytest.fixture
def owner(qtbot: QtBot, folder: Path) -> Iterator[Driver]:
    """An open window that owns the name of its folder."""
    claimed = claim(folder, "")
    assert claimed.lock is not None
    window = Driver(qtbot, folder)
    instance = Instance(claimed.lock, window.shell, folder)
    assert instance.listening
    window.until_listed("one", "two")
    yield window
    instance.close()


def later_start(window: Driver, folder: Path, *words: str) -> tuple[int, str]:
    """A second start in a process of its own, while the first window handles its events."""
    line = [sys.executable, "-m", "tenuto_gui", "--state-dir", str(folder), *words]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        window.until(lambda: process.poll() is not None, "the second start went on")
        out, _ = process.communicate()
    finally:
        process.kill()
    return process.returncode, out.decode()


def test_a_second_start_hands_over(owner: Driver, folder: Path) -> None:
    owner.click("one")
    owner.window.showMinimized()
    assert later_start(owner, folder, "two") == (0, "")
    owner.until(lambda: owner.window.detail.session_id == "two")
    assert not owner.window.isMinimized()
    assert later_start(owner, folder, str(folder / "one.json")) == (0, "")
    owner.until(lambda: owner.window.detail.session_id == "one")
    assert later_start(owner, folder) == (0, "")
    assert later_start(owner, folder, "no session is called that") == (0, "")
    assert owner.window.detail.session_id == "one"


def test_it_may_go_while_a_caller_is_on_the_line(qtbot: QtBot, folder: Path) -> None:
    """The answered socket is deleted after the one that answers has gone."""
    claimed = claim(folder, "")
    assert claimed.lock is not None
    window = Driver(qtbot, folder)
    window.until_listed("one", "two")
    instance = Instance(claimed.lock, window.shell, folder)
    gone = weakref.ref(instance)
    loop = QEventLoop()
    window.click("one")
    # It is shown from within the answer: the socket is not deleted yet.
    window.window.list.selectionModel().currentChanged.connect(loop.quit)
    with ThreadPoolExecutor(1) as later:
        second = later.submit(claim, folder, "two")
        loop.exec()
        instance.close()
        del instance
        assert gone() is None, "something of it holds it"
        QCoreApplication.processEvents()
        assert second.result().handed_over
    window.until(lambda: window.window.detail.session_id == "two")


def test_another_folder_is_another_window(owner: Driver, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir(mode=0o700)
    claimed = claim(other, "")
    assert claimed.lock is not None
    os.close(claimed.lock.fd)


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A second folder of runs."""
    place = tmp_path / "other"
    place.mkdir(mode=0o700)
    suspended_runs(FileRunStore(place), "three", "four")
    return place


def test_a_window_answers_for_the_folder_it_went_to(
    owner: Driver, folder: Path, other: Path
) -> None:
    owner.window.folder.switch(other)
    owner.until_listed("three", "four")
    assert later_start(owner, other, "four") == (0, "")
    owner.until(lambda: owner.window.detail.session_id == "four")
    left = claim(folder, "")
    assert left.lock is not None, "a start on the folder it left has a window of its own"
    os.close(left.lock.fd)
    owner.window.folder.switch(folder)
    owner.until_listed("one", "two")
    assert later_start(owner, folder, "two") == (0, "")
    owner.until(lambda: owner.window.detail.session_id == "two")


def test_a_folder_of_another_window_stays_that_ones(
    owner: Driver, folder: Path, other: Path
) -> None:
    theirs = claim(other, "")
    assert theirs.lock is not None
    owner.window.folder.switch(other)
    owner.until_listed("three", "four")
    assert later_start(owner, folder) == (0, ""), "it still has its own name"
    owner.until_listed("one", "two")
    os.close(theirs.lock.fd)


def test_starts_at_once_are_one_window(folder: Path) -> None:
    """The first of them listens once it is seen, which takes it a while beside the others."""
    line = [sys.executable, "-m", "tenuto_gui", "--state-dir", str(folder)]
    starts = [subprocess.Popen(line, stderr=subprocess.DEVNULL) for _ in range(5)]
    try:
        end = time.monotonic() + PATIENCE / 1000
        while sum(start.poll() is None for start in starts) > 1:
            assert time.monotonic() < end, [start.poll() for start in starts]
            time.sleep(0.05)
        codes = [start.poll() for start in starts]
        assert sorted(codes, key=str) == [0] * 4 + [None]
    finally:
        for start in starts:
            start.kill()
            start.wait()


def test_an_owner_that_begins_to_listen_late_is_waited_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenuto_gui.single_instance.PATIENCE", 2.0)
    place = meeting_place()
    assert place is not None
    name = name_of(folder)
    with (place / f"{name}.lock").open("wb") as lock, ThreadPoolExecutor(1) as pool:
        fcntl.flock(lock, fcntl.LOCK_EX)
        later = pool.submit(claim, folder, "one")
        with pytest.raises(TimeoutError):
            later.result(2.5)
        with socket.socket(socket.AF_UNIX) as owner:
            owner.bind(os.fspath(place / name))
            owner.listen()
            talk, _ = owner.accept()
            with talk:
                assert json.loads(talk.recv(1000))["open"] == "one"
                talk.sendall(b"ok\n")
            assert later.result().handed_over


def test_the_name_is_free_again_after_a_kill(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenuto_gui.single_instance.STARTING", 1.0)
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from tenuto_gui.single_instance import claim\n"
        "assert claim(Path(sys.argv[1]), '').lock\n"
        "print('mine', flush=True)\n"
        "time.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"mine\n"
        held = claim(folder, "one")
        assert (held.lock, held.handed_over, held.hung, held.pid) == (
            None, False, True, process.pid,
        )  # fmt: skip
        process.send_signal(signal.SIGKILL)
        process.wait()
        again = claim(folder, "one")
        assert again.lock is not None
        os.close(again.lock.fd)
    finally:
        process.kill()
        process.communicate()


def test_a_window_that_hangs_is_given_up_after_a_second(folder: Path) -> None:
    place = meeting_place()
    assert place is not None
    name = name_of(folder)
    with (place / f"{name}.lock").open("wb") as lock, socket.socket(socket.AF_UNIX) as silent:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write(b"77")
        lock.flush()
        silent.bind(os.fspath(place / name))
        silent.listen()
        start = time.monotonic()
        claimed = claim(folder, "one")
        assert (claimed.hung, claimed.pid) == (True, 77)
        assert time.monotonic() - start < 5


def test_only_sockets_are_taken_away(qtbot: QtBot, folder: Path) -> None:
    claimed = claim(folder, "")
    assert claimed.lock is not None
    claimed.lock.socket_path.write_text("somebody's file")
    window = Driver(qtbot, folder)
    instance = Instance(claimed.lock, window.shell, folder)
    assert claimed.lock.socket_path.read_text() == "somebody's file"
    assert not instance.listening
    instance.close()


def test_the_place_is_private(folder: Path) -> None:
    place = meeting_place()
    assert place is not None
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    place.chmod(0o777)
    assert meeting_place() == place
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    place.rmdir()
    place.symlink_to(folder)
    assert meeting_place() != place, "a link leads who knows where"


@pytest.mark.parametrize(
    "wanted", ["", "one", BUNDLE, "project/20260301-tea.jsonl", "a/b c/\u8336"]
)
def test_requests_that_are_understood(wanted: str) -> None:
    assert request(json.dumps({"version": 1, "open": wanted}).encode()) == wanted


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"version": 2, "open": ""}',
        b'{"version": 1, "open": ["one"]}',
        b'{"version": 1, "open": "../one"}',
        b'{"version": 1, "open": "relative.tenuto"}',
        b'{"version": 1, "open": "/etc/passwd"}',
        b'{"version": 1, "open": "a/../../passwd"}',
        b'{"version": 1, "open": "a/.."}',
        b'{"version": 1, "open": "./a"}',
        b'{"version": 1, "open": "a//b"}',
        b'{"version": 1, "open": "a/b\\u0000"}',
        b'{"version": 1, "open": "a/' + b"b" * 4096 + b'"}',
        b'{"version": 1, "open": "/x\\u0000.tenuto"}',
        b'{"version": 1, "open": "' + b"a" * MAX_REQUEST + b'"}',
        b"[" * 10_000,
    ],
)
def test_requests_that_are_not(line: bytes) -> None:
    assert request(line) is None


def test_nonsense_is_answered_and_changes_nothing(owner: Driver, folder: Path) -> None:
    place = meeting_place()
    assert place is not None
    with socket.socket(socket.AF_UNIX) as talk:
        talk.setblocking(False)
        talk.connect(os.fspath(place / name_of(folder)))
        talk.send(b'{"version": 1, "open": "/etc/passwd"}\n')
        answer: list[bytes] = []

        def answered() -> bool:
            try:
                answer.append(talk.recv(10))
            except BlockingIOError:
                return False
            return True

        owner.until(answered)
        assert answer == [b"no\n"]


def test_arguments_become_a_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tenuto import settings

    monkeypatch.chdir(tmp_path)
    loaded = settings.load()
    asked = request_of(["runs/two.json"], loaded)
    assert (asked.directory, asked.wanted) == (tmp_path / "runs", "two")
    asked = request_of(["--state-dir", "runs", "there.tenuto"], loaded)
    assert (asked.directory, asked.wanted) == (tmp_path / "runs", str(tmp_path / "there.tenuto"))
