# SPDX-License-Identifier: Apache-2.0
"""Threads and processes that a test started and did not end."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path

#: Seconds that a thread or process has to end after its test. Long, because only those that leak
#: cost it: two cores under load may schedule a dying process late.
GRACE = float(os.environ.get("LEAK_GRACE", "3"))
_PROC = Path("/proc")
#: Processes that serve all tests and end with them.
KEPT: set[int] = set()
#: Processes that tests have started, though none is our child (`tests.support.warm`).
STARTED: set[int] = set()


@dataclass(frozen=True)
class Snapshot:
    threads: frozenset[threading.Thread]
    processes: frozenset[int]
    home: bytes


def snapshot(home: Path) -> Snapshot:
    return Snapshot(frozenset(threading.enumerate()), _processes(), os.fsencode(home))


def _processes() -> frozenset[int]:
    with contextlib.suppress(OSError):
        return frozenset(int(name) for name in os.listdir(_PROC) if name.isdigit())
    return frozenset()


def _new_threads(before: Snapshot) -> list[threading.Thread]:
    return [
        thread
        for thread in threading.enumerate()
        # A dummy stands for a thread that Qt started and that ran Python once. Python never drops
        # it; tests/gui/conftest.py looks at Qt's threads themselves.
        if thread not in before.threads and not isinstance(thread, threading._DummyThread)
    ]


def _belongs(pid: int, home: bytes) -> bool:
    """Tell a process of this test: our child, or one that carries the test's home folder.

    The home is in the environment of everything a test starts, also of tools in a process group of
    their own whose parent has died.
    """
    folder = _PROC / str(pid)
    try:
        parent = int((folder / "stat").read_bytes().rpartition(b")")[2].split()[1])
        return parent == os.getpid() or home in (folder / "environ").read_bytes()
    except (OSError, IndexError, ValueError):
        return False  # ended meanwhile


def _new_processes(before: Snapshot) -> list[int]:
    found = _processes() - before.processes - KEPT
    return [pid for pid in found if pid in STARTED or _belongs(pid, before.home)]


def _describe(pid: int) -> str:
    folder = _PROC / str(pid)
    with contextlib.suppress(OSError):
        words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return words.strip() or (folder / "comm").read_text().strip()
    return "?"


def wait_and_collect(before: Snapshot) -> list[str]:
    """Give what is left the grace time; then name it, and kill the processes."""
    deadline = time.monotonic() + GRACE
    while True:
        threads, processes = _new_threads(before), _new_processes(before)
        if not (threads or processes) or time.monotonic() > deadline:
            break
        time.sleep(0.01)
    problems = [f"leaked thread: {thread.name}" for thread in threads]
    for pid in processes:
        problems.append(f"leaked process {pid}: {_describe(pid)}")
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.waitpid(pid, 0)
    return problems
