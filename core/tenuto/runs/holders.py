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

_LOCKS = "/proc/locks"
#: A lock taken on another machine is in no table of this one.
_NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "virtiofs", "lustre"})

LockTable = dict[tuple[int, int], int]


class Holder(msgspec.Struct, frozen=True):
    """Who holds a lock."""

    pid: int
    #: When that process began, in seconds since 1970; None where nobody tells.
    since: float | None


def lock_table() -> LockTable:
    """(device, inode) -> pid of every ``flock`` that is held; empty where the system has no table.

    Devices are numbered as ``os.stat`` numbers them. A table read while it changes may hold a line
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
    pid = (lock_table() if table is None else table).get((status.st_dev, status.st_ino))
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
    """Whether this system tells who holds a lock in ``directory`` without taking it.

    Some file systems number their devices otherwise in the table than in ``stat``. So the folder
    itself is locked, shared, for an instant (no file of a run is) and looked up.
    """
    if not os.access(_LOCKS, os.R_OK):
        return False
    if directory is None:
        return True
    try:
        device = os.stat(directory).st_dev
    except OSError:
        return True
    known = _known.get(device)
    if known is None:
        known = _known[device] = _file_system(device) not in _NETWORK and _finds_itself(directory)
    return known


_known: dict[int, bool] = {}


def _file_system(device: int) -> str | None:
    wanted = f"{os.major(device)}:{os.minor(device)}"
    with contextlib.suppress(OSError), open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            fields = line.split()
            if len(fields) > 6 and fields[2] == wanted and "-" in fields:
                return fields[fields.index("-") + 1]
    return None


def _finds_itself(directory: str | os.PathLike[str]) -> bool:
    import fcntl

    try:
        fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        # Whoever holds the folder already stands in the table as well, so a refusal is no matter.
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        status = os.fstat(fd)
        return (status.st_dev, status.st_ino) in lock_table()
    except OSError:
        return False
    finally:
        os.close(fd)
