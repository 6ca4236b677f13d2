# SPDX-License-Identifier: Apache-2.0
"""The watcher where the system gives less than usual: in processes of their own (T30)."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.store import need, python

LIMIT = 5.0

#: Watches a folder and prints, after each report, what the reports add up to.
WATCHER = """
import json, os, sys, threading
from tenuto.watch import SessionWatcher
ids = set()
def say(said):
    os.write(1, json.dumps(said).encode() + b"\\n")
def seen(changes):
    global ids
    ids = (ids | changes.appeared) - changes.gone
    notice = None if changes.notice is None else str(changes.notice)
    said = {"count": len(ids), "overflow": changes.overflow, "notice": notice}
    if len(ids) < 100: said["ids"] = sorted(ids)
    say(said)
watcher = SessionWatcher(sys.argv[1], seen)
watcher.start()
say({"mode": watcher.mode, "count": 0})
sys.stdin.read()
watcher.stop()
say({"left": [thread.name for thread in threading.enumerate()]})
"""


class Watcher:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.said: list[dict] = []
        self.mode: str = self.wait_for(lambda said: "mode" in said, 20)["mode"]

    def wait_for(self, condition, seconds: float = LIMIT) -> dict:
        """The next report that fits; it must come within the time."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + seconds
        while True:
            left = max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select([self.process.stdout], [], [], left)
            assert ready, f"not in time: {self.said[-3:]}"
            self.said.append(json.loads(self.process.stdout.readline()))
            if condition(self.said[-1]):
                return self.said[-1]


@contextmanager
def watching(folder: Path, **options) -> Iterator[Watcher]:
    # Unbuffered: select must see every line that was not read yet.
    with python(WATCHER, folder, stdin=subprocess.PIPE, bufsize=0, **options) as process:
        try:
            watcher = Watcher(process)
            yield watcher
            out, _ = process.communicate(b"", timeout=20)
            assert json.loads(out.splitlines()[-1]) == {"left": ["MainThread"]}
        finally:
            process.kill()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "runs"
    path.mkdir()
    return path


def touch(folder: Path, name: str) -> None:
    os.close(os.open(folder / f"{name}.json", os.O_CREAT | os.O_WRONLY))


@pytest.mark.slow
def test_events_lost_to_a_full_queue_are_made_up_for(folder: Path) -> None:
    with watching(folder) as watcher:
        watcher.process.send_signal(signal.SIGSTOP)
        for number in range(20_000):
            touch(folder, f"r{number}")
        watcher.process.send_signal(signal.SIGCONT)
        watcher.wait_for(lambda said: said["count"] == 20_000)
        # A rescan may have been quicker than the reading of the queue.
        if not any(said.get("overflow") for said in watcher.said):
            watcher.wait_for(lambda said: said.get("overflow"))
        # And it is awake: a new file is an event again.
        touch(folder, "last")
        watcher.wait_for(lambda said: said["count"] == 20_001)


def test_without_inotify_instances_it_polls_and_says_so(folder: Path) -> None:
    limit = 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"'
    probe = [need("unshare"), "-Ur", "sh", "-c", limit, "sh", "true"]
    if subprocess.run(probe, capture_output=True).returncode:
        pytest.skip("user namespaces are not allowed here")
    with watching(folder, prefix=probe[:-1]) as watcher:
        assert watcher.mode == "polling"
        if not watcher.said[0].get("notice"):
            watcher.wait_for(lambda said: said.get("notice"))
        notice = next(said["notice"] for said in watcher.said if said.get("notice"))
        assert "every 1 s" in notice
        assert "inotify" in notice
        touch(folder, "a")
        watcher.wait_for(lambda said: said.get("ids") == ["a"])
        (folder / "a.json").unlink()
        watcher.wait_for(lambda said: said.get("ids") == [])


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can come to (pytest keeps its own ones closed)."""
    with tempfile.TemporaryDirectory() as base:
        os.chmod(base, 0o755)
        path = Path(base) / "runs"
        path.mkdir()
        path.chmod(0o755)
        yield path
        path.chmod(0o755)


def test_a_folder_that_cannot_be_read_for_a_while_loses_no_session(open_folder: Path) -> None:
    folder = open_folder
    other_user: list[str] = []
    if os.geteuid() == 0:
        other_user = [need("setpriv"), "--reuid=65534", "--regid=65534", "--clear-groups"]
    if subprocess.run([*other_user, sys.executable, "-c", ""], capture_output=True).returncode:
        pytest.skip("another user cannot run this Python")
    touch(folder, "a")
    with watching(folder, prefix=other_user) as watcher:
        touch(folder, "b")
        watcher.wait_for(lambda said: said.get("ids") == ["b"])
        folder.chmod(0o700 if other_user else 0)
        said = watcher.wait_for(lambda said: said.get("notice"), LIMIT + 1)
        assert "ermission denied" in said["notice"]
        assert said["ids"] == ["b"]
        folder.chmod(0o755)
        touch(folder, "c")
        watcher.wait_for(lambda said: said.get("ids") == ["b", "c"], LIMIT + 1)
        if watcher.said[-1]["notice"] != "":
            watcher.wait_for(lambda said: said.get("notice") == "", LIMIT + 1)
