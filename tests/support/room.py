# SPDX-License-Identifier: Apache-2.0
"""Where the folders of the tests are: in memory, where a machine has enough of it.

The tests make some hundred thousand files, and a third of what that takes is the disk's file system
and waiting for it. None asks whether a file outlives a power cut of the real disk: stories of power
cuts play them (`test_store_power`), and those of full and foreign disks mount their own.
``PYTEST_DEBUG_TEMPROOT`` (or pytest's ``--basetemp``) names another place, such as ``/tmp``.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_VARIABLE = "PYTEST_DEBUG_TEMPROOT"
_MEMORY = "/dev/shm"
#: Bytes that must be free: several times what the tests have at once, those that failed included.
_ENOUGH = 4 << 30


def use_memory() -> None:
    """Let pytest make its folders in memory, unless somebody named a place."""
    with contextlib.suppress(OSError, LookupError, ValueError):
        if _VARIABLE not in os.environ and min(_free(), _available()) >= _ENOUGH:
            os.environ[_VARIABLE] = _MEMORY


def place() -> Path:
    """Where pytest makes its folders."""
    return Path(os.environ.get(_VARIABLE) or tempfile.gettempdir()).resolve()


def _free() -> int:
    if not os.access(_MEMORY, os.W_OK):
        return 0
    space = os.statvfs(_MEMORY)
    return space.f_bavail * space.f_frsize


def _available() -> int:
    """Bytes that can be had without swapping. Raises LookupError where that is not told."""
    rows = dict(row.split(":", 1) for row in Path("/proc/meminfo").read_text().splitlines())
    return int(rows["MemAvailable"].split()[0]) * 1024


@contextlib.contextmanager
def elsewhere(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """A folder on another file system than ``folder``, or skip where there is none."""
    here = os.stat(folder).st_dev
    for place in (tempfile.gettempdir(), "/var/tmp", _MEMORY):
        if os.access(place, os.W_OK) and os.stat(place).st_dev != here:
            with tempfile.TemporaryDirectory(dir=place, prefix="tenuto-test-") as found:
                yield Path(found)
            return
    pytest.skip("no second file system on this machine")
