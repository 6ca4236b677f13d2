# SPDX-License-Identifier: Apache-2.0
"""Linux's own events about one folder: which names, how often, and when they end."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("inotify is Linux's", allow_module_level=True)

from tenuto.watch_inotify import FolderEvents

PATIENCE = 60.0


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


STORM = """
import os, sys
names = [f"{sys.argv[1]}/{sys.argv[2]}-{number}.json" for number in range(50)]
files = [os.open(name, os.O_CREAT | os.O_WRONLY, 0o600) for name in names]
while True:
    for file in files:
        os.pwrite(file, b"x", 0)
"""


class Noted:
    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.lost = 0

    @property
    def names(self) -> set[str]:
        return {name for call in self.calls for name in call}

    def count_loss(self) -> None:
        self.lost += 1


@contextmanager
def events(folder: Path, noted: Noted) -> Iterator[FolderEvents]:
    source = FolderEvents(str(folder), noted.calls.append, noted.count_loss)
    try:
        yield source
    finally:
        source.stop()


def test_what_is_made_written_renamed_and_removed_is_named(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_bytes(b"")
    (tmp_path / "gone.json").write_bytes(b"")
    noted = Noted()
    with events(tmp_path, noted):
        (tmp_path / "new \N{SNOWMAN}.json").touch()
        (tmp_path / "gone.json").unlink()
        (tmp_path / "old.json").rename(tmp_path / "moved.json")
        os.close(os.open(os.fsencode(tmp_path) + b"/\xff.json", os.O_CREAT))
        wanted = {"new \N{SNOWMAN}.json", "gone.json", "old.json", "moved.json", "\udcff.json"}
        until(lambda: noted.names == wanted)


def test_reading_is_no_event(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"x")
    noted = Noted()
    with events(tmp_path, noted):
        (tmp_path / "a.json").read_bytes()
        list(tmp_path.iterdir())
        (tmp_path / "last.json").touch()
        until(lambda: noted.calls)
    assert noted.names == {"last.json"}


def test_a_thousand_events_of_a_name_are_few_calls_with_one_name(tmp_path: Path) -> None:
    noted = Noted()
    with events(tmp_path, noted):
        begun = time.monotonic()
        for _ in range(500):
            for name in ("a.json", "b.json"):
                with (tmp_path / name).open("ab") as file:
                    file.write(b"x")
        (tmp_path / "last").touch()
        until(lambda: "last" in noted.names)
        # It rests for 50 ms after each.
        assert len(noted.calls) <= 1 + (time.monotonic() - begun) / 0.05
    assert all(len(call) == len(set(call)) for call in noted.calls)


def test_it_ends_with_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    with events(folder, Noted()) as source:
        assert source.is_alive()
        shutil.rmtree(folder)
        until(lambda: not source.is_alive())


def test_a_folder_that_is_not_there_has_none_and_costs_no_descriptor(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")
    with pytest.raises(FileNotFoundError):
        FolderEvents(str(tmp_path / "none"), print, print)
    assert os.listdir("/proc/self/fd") == before


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("what", ["eventfd", "thread"])
def test_what_is_refused_half_way_leaves_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A watcher that is refused tries again every half minute, and instances are few."""
    before = open_files()
    if what == "eventfd":
        # The last number that is allowed is for the events.
        files = [os.open(os.devnull, os.O_RDONLY)]
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        try:
            while True:
                files.append(os.dup(files[0]))
        except OSError:
            os.close(files.pop())
        try:
            with pytest.raises(OSError, match="open files"):
                FolderEvents(str(tmp_path), print, print)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            for file in files:
                os.close(file)
    else:

        def refuse(_: threading.Thread) -> None:
            raise RuntimeError("can't start new thread")

        monkeypatch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError):
            FolderEvents(str(tmp_path), print, print)
    assert open_files() == before


def test_a_writer_that_never_rests_is_told_of_while_it_writes(tmp_path: Path) -> None:
    """Its events are not waited for to end, and what is dropped of them is told."""
    noted = Noted()
    writers = [
        subprocess.Popen([sys.executable, "-c", STORM, str(tmp_path), str(number)])
        for number in range(2)
    ]
    try:
        with events(tmp_path, noted):
            until(lambda: noted.lost > 2 and len(noted.calls) > 2)
            assert all(writer.poll() is None for writer in writers)
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()


def test_stopping_in_the_middle_of_a_storm(tmp_path: Path) -> None:
    over = threading.Event()

    def storm() -> None:
        while not over.is_set():
            (tmp_path / "a.json").touch()

    writer = threading.Thread(target=storm)
    writer.start()
    try:
        for _ in range(5):
            with events(tmp_path, Noted()) as source:
                time.sleep(0.02)
            assert not source.is_alive()
    finally:
        over.set()
        writer.join()
