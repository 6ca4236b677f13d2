# SPDX-License-Identifier: Apache-2.0
"""Who holds which lock, asked of the system without taking any (Linux: ``/proc/locks``).

Where nobody tells (other systems, network file systems, whose locks may be held on another
machine), :func:`can_tell` says so, and a caller must not read "no holder" as "free".
"""

from __future__ import annotations

import contextlib
import os
import stat

import msgspec

from tenuto.runs.mounts import mount_of

_LOCKS = "/proc/locks"
LockTable = dict[tuple[int, int], int]


class Holder(msgspec.Struct, frozen=True):
    """Who holds a lock."""

    pid: int
    #: When that process began, in seconds since 1970; None where nobody tells.
    since: float | None


def lock_table() -> LockTable:
    """(device, inode) -> pid of every ``flock`` that is held; empty where the system has no table.

    Devices are numbered as :func:`lock_device` says. A table read while it changes may hold a line
    that makes no sense, which is passed over.
    """
    table: LockTable = {}
    try:
        with open(_LOCKS, "rb") as file:
            lines = file.read().splitlines()
    except OSError:
        return table
    for line in lines:
        # "4: FLOCK  ADVISORY  WRITE 812 fe:00:1573 0 EOF"; a waiter has "->" in second place.
        fields = line.split()
        if len(fields) < 6 or fields[1] != b"FLOCK":
            continue
        try:
            major, minor, inode = fields[5].split(b":")
            device = os.makedev(int(major, 16), int(minor, 16))
            table[(device, int(inode))] = int(fields[4])
        except ValueError:
            continue
    return table


def holder(path: str | os.PathLike[str], table: LockTable | None = None) -> Holder | None:
    """Who holds the lock file at ``path`` (``<id>.lock``), as far as the system tells.

    ``table`` saves reading the system's table once per file. None: nobody, or nobody tells.
    """
    try:
        status = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    device = lock_device(os.path.dirname(os.path.abspath(path)))
    if device is None:
        return None
    pid = (lock_table() if table is None else table).get((device, status.st_ino))
    return None if pid is None else Holder(pid, process_start(pid))


def process_start(pid: int) -> float | None:
    """When a process began, in seconds since 1970, to the clock tick; None where nobody tells."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The command's name may hold anything, parentheses too: fields count from the last one.
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        with open("/proc/stat", "rb") as file:
            boot = next(int(line.split()[1]) for line in file if line.startswith(b"btime "))
        return boot + ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def can_tell(directory: str | os.PathLike[str] | None = None) -> bool:
    """Whether this system tells who holds a lock in ``directory`` without taking it."""
    if directory is None:
        return os.access(_LOCKS, os.R_OK)
    return lock_device(directory) is not None


def lock_device(directory: str | os.PathLike[str]) -> int | None:
    """The device under which the lock table names files of ``directory``; None: nobody tells.

    Some file systems number their devices otherwise in the table than in ``stat`` (Btrfs gives
    every subvolume a number of its own). So the folder itself is locked, shared, for an instant (no
    file of a run is) and looked up. A folder that is not there has no locks: its parent answers.
    """
    try:
        device = os.stat(directory).st_dev
    except OSError:
        parent = os.path.dirname(os.path.abspath(directory))
        return lock_device(parent) if parent != os.path.abspath(directory) else None
    found = _known.get(device)
    if found is None:
        found = _find(directory, device)
        if found is not None:
            _known[device] = found
    return found


#: ``st_dev`` -> device in the lock table. "Nobody tells" is not kept: it may be for the moment
#: only (a folder that cannot be read, a lock let go between our try and our look).
_known: dict[int, int] = {}


def _find(directory: str | os.PathLike[str], device: int) -> int | None:
    mount = mount_of(directory)
    if not os.access(_LOCKS, os.R_OK) or (mount is not None and mount.network):
        return None
    import fcntl

    try:
        fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        # Whoever holds the folder already stands in the table as well, so a refusal is no matter.
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        inode = os.fstat(fd).st_ino
        table = lock_table()
    except OSError:
        return None
    finally:
        os.close(fd)
    candidates = [device] if mount is None else [device, mount.device]
    return next((found for found in candidates if (found, inode) in table), None)
