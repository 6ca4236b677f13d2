# SPDX-License-Identifier: Apache-2.0
"""The look that a copy of the process takes while the window is loaded: what becomes of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tenuto.runs.file import FileRunStore
from tests.support.store import make_run

pytestmark = pytest.mark.skipif(
    sys.platform in {"win32", "darwin"}, reason="processes are copied on Linux only"
)

_COUNT = 4

_BEGIN = f"""
import os, signal, sys, threading, time
from pathlib import Path
from tenuto.sources.ahead import look_ahead
from tenuto.sources.runs import RunSource
from tenuto.sources.together import sessions_with
folder = Path(sys.argv[1])

def left():
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return "nobody"
    return "a process"

def descriptors():
    return len(os.listdir("/proc/self/fd"))

count = {_COUNT}
before = descriptors()
"""


def _answer(folder: Path, code: str) -> list[str]:
    """What a process says that has loaded nothing but what ``code`` asks for."""
    done = subprocess.run(
        [sys.executable, "-c", _BEGIN + code, str(folder)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = FileRunStore(tmp_path / "runs")
    for number in range(_COUNT * 6):
        make_run(store, f"r{number:02}", turns=number % 3)
    # A pinned one comes first however old it is, and a title in any script.
    (tmp_path / "runs" / "r00.notes.json").write_text('{"title": "\u8bf7\u6c42", "pinned": true}')
    return tmp_path / "runs"


def test_its_rows_are_those_that_the_source_has(folder: Path) -> None:
    code = """
ahead = look_ahead(folder, count)
rows = ahead.take()
print(rows == RunSource(folder).newest(count), len(rows), rows[0].title)
print(left(), descriptors() - before)
"""
    assert _answer(folder, code) == [f"True {_COUNT + 1} \u8bf7\u6c42", "nobody 0"]


def test_many_long_rows_come_whole(tmp_path: Path) -> None:
    """More than a pipe holds, also where it cannot be made larger."""
    store = FileRunStore(tmp_path)
    for number in range(60):
        make_run(store, f"r{number:03}", turns=1)
    for number in range(60):
        title = "\u8bf7" * 200 + str(number)
        notes = f'{{"title": "{title}", "note": "{title * 3}"}}'
        (tmp_path / f"r{number:03}.notes.json").write_text(notes)
    code = """
import tenuto.sources.ahead as module
module._enlarge = lambda pipe: None
rows = look_ahead(folder, 11).take()
more = look_ahead(folder, 11)
print(len(rows), rows == more.take() == RunSource(folder).newest(11))
"""
    # Eleven, and eleven others with notes, which have no pin.
    assert _answer(tmp_path, code) == ["11 True"]


@pytest.mark.parametrize("kind", ["nowhere", "a file", "few"])
def test_where_a_list_is_as_quick_it_brings_none(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "folder"
    if kind == "a file":
        folder.write_bytes(b"")
    elif kind == "few":
        make_run(FileRunStore(folder), "r0")
    assert _answer(folder, "print(look_ahead(folder, count).take())\n") == ["[]"]


def test_the_folder_is_looked_at_all_the_same_when_that_process_dies(folder: Path) -> None:
    code = """
class Slow(RunSource):
    def newest(self, count):
        time.sleep(600)

import tenuto.sources.ahead as module
module.RunSource = Slow
ahead = look_ahead(folder, count)
os.kill(ahead._pid, signal.SIGKILL)
print(len(sessions_with(folder, ahead=ahead).newest(count)), left())

ahead = look_ahead(folder, count)
module.PATIENCE_S = 0.05
source = sessions_with(folder, ahead=ahead)
print(len(source.newest(count)), len(source.newest(count)), descriptors() - before, left())
"""
    rows = _COUNT + 1
    assert _answer(folder, code) == [f"{rows} nobody", f"{rows} {rows} 0 nobody"]


def test_a_fault_in_it_is_no_second_start_of_the_program(folder: Path) -> None:
    """Not a word, no exit handler, no traceback: it has the original's output and its handlers."""
    code = """
import atexit
atexit.register(lambda: print("the end", flush=True))

class Broken(RunSource):
    def newest(self, count):
        print("said by the copy", flush=True)
        raise KeyboardInterrupt

import tenuto.sources.ahead as module
module.RunSource = Broken
print("begun", end=" ")
ahead = look_ahead(folder, count)
print(ahead.take(), left())
"""
    assert _answer(folder, code) == ["begun None nobody", "the end"]


def test_it_ends_with_a_window_that_never_asks(folder: Path) -> None:
    code = """
class Slow(RunSource):
    def newest(self, count):
        time.sleep(0.3)
        return super().newest(count)

import tenuto.sources.ahead as module
module.RunSource = Slow
print(look_ahead(folder, count)._pid, flush=True)
os._exit(0)
"""
    # The pipe of its output is not held open by the copy, which is told by the end of this process.
    (pid,) = _answer(folder, code)
    _until_gone(int(pid))


def test_it_does_not_outlive_a_window_that_was_killed_for_long(folder: Path) -> None:
    """The folder may never answer: nobody is there who would give up."""
    code = """
class Hanging(RunSource):
    def newest(self, count):
        while True:
            time.sleep(600)

import tenuto.sources.ahead as module
module.RunSource = Hanging
module.PATIENCE_S = 0.2
print(look_ahead(folder, count)._pid, flush=True)
os.kill(os.getpid(), signal.SIGTERM)
time.sleep(60)
"""
    words = [sys.executable, "-c", _BEGIN + code, str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == -15
    _until_gone(int(done.stdout))


def test_it_is_not_begun_without_descriptors_or_processes(folder: Path) -> None:
    code = """
import resource
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (before, hard))
print(look_ahead(folder, count))
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

def refused():
    raise BlockingIOError(11, "no more processes")
os.fork = refused
print(look_ahead(folder, count), descriptors() - before)
"""
    assert _answer(folder, code) == ["None", "None 0"]


def _until_gone(pid: int) -> None:
    import time

    while Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes():
        time.sleep(0.02)


def test_a_process_with_threads_is_not_copied(folder: Path) -> None:
    code = """
rest = threading.Event()
thread = threading.Thread(target=rest.wait)
thread.start()
print(look_ahead(folder, count))
rest.set()
thread.join()
"""
    assert _answer(folder, code) == ["None"]
