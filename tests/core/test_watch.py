# SPDX-License-Identifier: Apache-2.0
"""The watcher on real folders: what it reports adds up to what is there (reliability.md, T30)."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenuto.watch import Changes, SessionWatcher

#: Seconds after the last change within which the list must be right, whatever happened (T30).
LIMIT = 5.0


class Seen:
    """What the reports add up to."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self.reports: list[Changes] = []
        self.times: list[float] = []
        self.fail_next = 0
        self.also: Callable[[], None] = lambda: None

    def __call__(self, changes: Changes) -> None:
        self.times.append(time.monotonic())
        if self.fail_next:
            self.fail_next -= 1
            raise RuntimeError("a window that is being torn down")
        assert not changes.appeared & changes.gone
        assert not changes.appeared & changes.changed
        assert not changes.changed & changes.gone
        self.reports.append(changes)
        self.ids |= changes.appeared
        self.ids -= changes.gone
        self.also()

    @property
    def notices(self) -> list[str]:
        return [str(report.notice) for report in self.reports if report.notice is not None]

    def changed(self, run: str) -> bool:
        return any(run in report.changed for report in self.reports)


def until(condition: Callable[[], bool], seconds: float = LIMIT) -> float:
    """Wait for a condition; how long it took. Fails when it does not come true in time."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, "not in time"
        time.sleep(0.005)
    return time.monotonic() - began


def sessions(folder: Path) -> set[str]:
    return {name.removesuffix(".json") for name in os.listdir(folder) if name.count(".") == 1}


@contextlib.contextmanager
def watching(folder: Path, seen: Seen, **options: float) -> Iterator[SessionWatcher]:
    watcher = SessionWatcher(folder, seen, **options)  # type: ignore[arg-type]
    watcher.start()
    try:
        yield watcher
    finally:
        watcher.stop()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "state" / "runs"
    path.mkdir(parents=True)
    return path


def write(folder: Path, run: str, content: bytes = b"{}\n") -> None:
    (folder / f"{run}.json").write_bytes(content)


def replace(folder: Path, run: str, content: bytes) -> None:
    temporary = folder / f".{run}.tmp"
    temporary.write_bytes(content)
    temporary.rename(folder / f"{run}.json")


def test_sessions_appear_change_and_go(folder: Path) -> None:
    write(folder, "before")
    seen = Seen()
    with watching(folder, seen) as watcher:
        assert watcher.mode == "inotify"
        write(folder, "one")
        assert until(lambda: "one" in seen.ids) < 1.0
        assert "before" not in seen.ids
        with (folder / "one.json").open("ab") as file:
            file.write(b"more\n")
            file.flush()
            assert until(lambda: seen.changed("one")) < 1.0
        replace(folder, "before", b"replaced")
        assert until(lambda: seen.changed("before")) < 1.0
        (folder / "one.json").unlink()
        until(lambda: "one" not in seen.ids)


def test_the_first_event_is_reported_at_once_then_at_most_every_100_ms(folder: Path) -> None:
    seen = Seen()
    with watching(folder, seen):
        began = time.monotonic()
        write(folder, "a")
        until(lambda: bool(seen.reports))
        assert seen.times[0] - began < 0.09
        with (folder / "a.json").open("ab", buffering=0) as file:
            while time.monotonic() - began < 1.0:
                file.write(b"x")
                time.sleep(0.002)
        until(lambda: time.monotonic() - seen.times[-1] > 0.3)
    gaps = [after - before for before, after in zip(seen.times, seen.times[1:], strict=False)]
    assert len(gaps) >= 4
    assert min(gaps) > 0.09


def test_notes_and_questions_count_and_caches_do_not(folder: Path) -> None:
    write(folder, "a")
    seen = Seen()
    with watching(folder, seen, rescan=0.2, poll=0.2):
        for name in (
            "a.preview.json",
            "a.times.jsonl",
            ".a.json.tmp",
            "a.torn",
            "b.c.json",
            "-x.json",
        ):
            (folder / name).write_bytes(b"x")
        time.sleep(0.6)
        assert seen.reports == []
        (folder / "a.ask.json").write_bytes(b"{}")
        until(lambda: seen.changed("a"))
        seen.reports.clear()
        (folder / "a.notes.json").write_bytes(b"{}")
        until(lambda: seen.changed("a"))
        seen.reports.clear()
        (folder / "a.ask.json").unlink()
        until(lambda: seen.changed("a"))


def test_a_lock_that_is_taken_and_let_go_changes_its_session(folder: Path) -> None:
    write(folder, "a")
    seen = Seen()
    with watching(folder, seen):
        with (folder / "a.lock").open("wb") as lock:
            until(lambda: not seen.changed("a"))
            fcntl.flock(lock, fcntl.LOCK_EX)
            until(lambda: seen.changed("a"))
            seen.reports.clear()
        until(lambda: seen.changed("a"), seconds=2.5)


def test_reading_the_folder_in_the_callback_is_no_event(folder: Path) -> None:
    seen = Seen()

    def read() -> None:
        for path in folder.iterdir():
            path.read_bytes()

    seen.also = read
    with watching(folder, seen):
        write(folder, "a")
        until(lambda: "a" in seen.ids)
        time.sleep(0.5)
        # Created and written may be two reports; reading must not go on making more.
        assert len(seen.reports) <= 2


@pytest.mark.slow
def test_a_burst_of_20_000_files(folder: Path) -> None:
    seen = Seen()
    with watching(folder, seen):
        for number in range(20_000):
            os.close(os.open(folder / f"r{number}.json", os.O_CREAT | os.O_WRONLY))
        until(lambda: len(seen.ids) == 20_000)
        assert seen.ids == sessions(folder)


@pytest.mark.slow
@pytest.mark.allow_log("Inotify queue overflowed")
def test_a_storm_of_replacements(folder: Path) -> None:
    names = [f"r{number}" for number in range(100)]
    for name in names:
        write(folder, name)
    seen = Seen()
    with watching(folder, seen):
        for turn in range(50):
            for name in names:
                replace(folder, name, b"x" * turn)
        seen.reports.clear()
        for name in names:
            replace(folder, name, b"the last one")
        until(lambda: all(seen.changed(name) for name in names))


def test_a_change_without_an_event_is_found_by_the_rescan(folder: Path, tmp_path: Path) -> None:
    write(folder, "a")
    os.link(folder / "a.json", tmp_path / "outside")
    seen = Seen()
    with watching(folder, seen):
        with (tmp_path / "outside").open("ab") as file:
            file.write(b"through another name")
        until(lambda: seen.changed("a"), seconds=LIMIT + 0.5)


@pytest.mark.parametrize("how", ["deleted", "renamed", "symlinked"])
def test_a_folder_that_was_replaced_is_followed(folder: Path, tmp_path: Path, how: str) -> None:
    write(folder, "old")
    seen = Seen()
    seen.ids = {"old"}
    with watching(folder, seen) as watcher:
        if how == "deleted":
            shutil.rmtree(folder)
            until(lambda: not seen.ids)
            folder.mkdir()
        elif how == "renamed":
            folder.rename(tmp_path / "elsewhere")
            folder.mkdir()
        else:
            folder.rename(tmp_path / "elsewhere")
            (tmp_path / "target").mkdir()
            folder.symlink_to(tmp_path / "target")
        write(folder, "new")
        until(lambda: seen.ids == {"new"})
        assert watcher.mode == "inotify"
        # And it is events again, not only the rescan.
        write(folder, "newer")
        assert until(lambda: "newer" in seen.ids) < 1.0
        if how != "deleted":
            write(tmp_path / "elsewhere", "stray")
            time.sleep(0.3)
            assert "stray" not in seen.ids


def test_a_symlinked_folder_is_watched(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder, target_is_directory=True)
    seen = Seen()
    with watching(link, seen) as watcher:
        assert watcher.mode == "inotify"
        write(folder, "a")
        assert until(lambda: "a" in seen.ids) < 1.0


def test_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    seen = Seen()
    path = tmp_path / "not" / "yet"
    with watching(path, seen) as watcher:
        path.mkdir(parents=True)
        write(path, "first")
        until(lambda: seen.ids == {"first"})
        assert watcher.mode == "inotify"
        assert seen.notices == []


def test_other_things_in_the_folder_do_not_disturb(folder: Path) -> None:
    (folder / "sub").mkdir(mode=0)
    os.mkfifo(folder / "pipe.json")
    (folder / "dangling.json").symlink_to("nowhere")
    seen = Seen()
    with watching(folder, seen):
        write(folder, "a")
        until(lambda: seen.ids == {"a"})


@pytest.mark.allow_log("callback failed")
def test_a_callback_that_raises_is_called_again(folder: Path) -> None:
    seen = Seen()
    seen.fail_next = 2
    with watching(folder, seen, rescan=0.3, poll=0.3):
        write(folder, "a")
        until(lambda: seen.ids == {"a"})
        assert len(seen.times) == 3
        write(folder, "b")
        assert until(lambda: seen.ids == {"a", "b"}) < 1.0


@pytest.mark.allow_log("callback failed")
def test_changes_of_failed_callbacks_add_up(folder: Path) -> None:
    write(folder, "stays")
    write(folder, "goes")
    seen = Seen()
    seen.ids = {"stays", "goes"}
    seen.fail_next = 3
    with watching(folder, seen, rescan=60):
        write(folder, "brief")
        until(lambda: seen.fail_next < 3)
        (folder / "brief.json").unlink()
        (folder / "goes.json").unlink()
        until(lambda: seen.fail_next < 2)
        write(folder, "late")
        until(lambda: seen.fail_next == 0)
        replace(folder, "stays", b"new")
        until(lambda: seen.changed("stays"))
        assert seen.ids == {"stays", "late"}


def test_without_events_it_polls(folder: Path) -> None:
    seen = Seen()
    watcher = SessionWatcher(folder, seen, events=False, poll=0.1)
    watcher.start()
    try:
        assert watcher.mode == "polling"
        write(folder, "a")
        until(lambda: seen.ids == {"a"})
    finally:
        watcher.stop()


def test_rescan_looks_at_once(folder: Path) -> None:
    seen = Seen()
    watcher = SessionWatcher(folder, seen, events=False, poll=60, rescan=60)
    watcher.start()
    try:
        write(folder, "a")
        watcher.rescan()
        assert until(lambda: seen.ids == {"a"}) < 1.0
    finally:
        watcher.stop()


def test_stopping_leaves_no_thread_and_no_descriptor(folder: Path) -> None:
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    with watching(folder, Seen()):
        pass
    threads, before = threading.active_count(), descriptors()
    for _ in range(10):
        with watching(folder, Seen()):
            write(folder, "a")
    assert threading.active_count() == threads
    assert descriptors() == before


def test_stopping_from_within_the_callback(folder: Path) -> None:
    seen = Seen()
    watcher = SessionWatcher(folder, seen)
    seen.also = watcher.stop
    watcher.start()
    write(folder, "a")
    until(lambda: bool(seen.reports))
    watcher.stop()
    write(folder, "b")
    time.sleep(0.3)
    assert seen.ids == {"a"}
