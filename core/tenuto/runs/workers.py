# SPDX-License-Identifier: Apache-2.0
"""A run that another process works on: whether that is a worker of ours, and asking it to rest.

What is signalled is the process that holds the run's lock, and only after its owner and its command
line were looked at (Linux: ``/proc``); elsewhere nobody tells, and nothing is signalled.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Literal

from tenuto.runs.companions import lock_name
from tenuto.runs.holders import holder
from tenuto.runs.ids import check_id

#: ``gone``: nobody holds the run any more; ``foreign``: no worker of this user's; ``cannot``: the
#: system does not let us.
Asked = Literal["asked", "gone", "foreign", "cannot"]

_VERBS = frozenset({"run", "resume"})
_MAX_COMMAND_LINE = 1 << 20


def is_worker(pid: int) -> bool:
    """Whether process ``pid`` is a ``tenuto run`` or ``tenuto resume`` of this user."""
    if sys.platform == "win32":
        return False
    return _owner(pid) == os.getuid() and names_worker(_words(pid))


def names_worker(words: list[str]) -> bool:
    """Whether a command line is a worker's: tenuto, however it is started, and such a verb."""
    for place, word in enumerate(words):
        name = os.path.basename(word)
        if name in ("tenuto", "tenuto-gui", "tenuto.exe") or "tenuto.cli." in word:
            return not _VERBS.isdisjoint(words[place + 1 :])
    return False


def ask_to_suspend(directory: str | os.PathLike[str], id: str) -> Asked:
    """SIGINT, once, to the worker that holds the lock of run ``id``: it ends its step and rests.

    A second SIGINT would abort it: whoever calls this twice means that.
    """
    path = os.path.join(directory, lock_name(check_id(id)))
    held = holder(path)
    if held is None:
        return "gone"
    if sys.platform != "linux":
        return "cannot"
    try:
        # From here on it is this process that is meant, and no later one with its number.
        process = os.pidfd_open(held.pid)
    except ProcessLookupError:
        return "gone"
    except OSError:
        return "cannot"
    try:
        if (now := holder(path)) is None or now.pid != held.pid:
            return "gone"
        if not is_worker(held.pid):
            return "foreign"
        signal.pidfd_send_signal(process, signal.SIGINT)
    except ProcessLookupError:
        return "gone"
    except OSError:
        return "cannot"
    finally:
        os.close(process)
    return "asked"


def _owner(pid: int) -> int | None:
    """The real user of a process. A worker hides its memory, so its folder is the system's."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            line = next(line for line in file if line.startswith(b"Uid:"))
        return int(line.split()[1])
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def _words(pid: int) -> list[str]:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            data = file.read(_MAX_COMMAND_LINE)
    except OSError:
        return []
    return [os.fsdecode(word) for word in data.split(b"\0")]
