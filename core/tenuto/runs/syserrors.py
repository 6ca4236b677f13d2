# SPDX-License-Identifier: Apache-2.0
"""What the system says, as one clear sentence with fields: disk full where, read-only what, ..."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator

from tenuto.errors import StoreIO
from tenuto.runs.mounts import mount_of


def mount_point(path: str) -> str:
    """The mount that holds ``path``."""
    path = os.path.abspath(path)
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    # Asked first, since of one folder that is mounted at two places ``ismount`` sees neither.
    if (mount := mount_of(path)) is not None:
        return mount.point
    while not os.path.ismount(path):
        path = os.path.dirname(path)
    return path


def free_bytes(path: str) -> int | None:
    """Bytes that this user can still write where ``path`` lies; None where nobody tells."""
    if not hasattr(os, "statvfs"):
        return None
    while True:
        try:
            found = os.statvfs(path)
            return found.f_bavail * found.f_frsize
        except FileNotFoundError:
            path = os.path.dirname(path)
        except OSError:
            return None


def _full(path: str) -> str:
    free = free_bytes(path)
    return f"disk full at {mount_point(path)}, {'unknown' if free is None else free} bytes free"


def explain(error: OSError, operation: str, path: str) -> StoreIO:
    """One clear sentence for what the system said. ``operation``: "write", "create", ..."""
    number = error.errno or 0
    name = errno.errorcode.get(number, "unknown")
    match name:
        case "ENOSPC":
            reason = _full(path)
        case "EDQUOT":
            reason = f"disk quota used up at {mount_point(path)}"
        case "EROFS":
            reason = f"read-only file system at {mount_point(path)}"
        case "EACCES" | "EPERM":
            reason = "permission denied"
        case "EMFILE":
            reason = "this program has too many files open"
        case "ENFILE":
            reason = "the system has too many files open"
        case "EFBIG":
            reason = "the file would grow over the size limit of this process or file system"
        case "EIO":
            reason = f"the device under {mount_point(path)} failed"
        case "ENOLCK" | "EOPNOTSUPP" | "ENOTSUP":
            reason = "the file system has no locks, so nothing is written there"
        case _:
            reason = os.strerror(number) if number else str(error)
    return StoreIO(
        f"cannot {operation} {path}: {reason} ({name})",
        path=path,
        errno=number,
        name=name,
        operation=operation,
    )


def short_write(path: str, written: int, wanted: int) -> StoreIO:
    """What to say when the system took only a part of the bytes and gave no reason."""
    free = free_bytes(path)
    if free is not None and free < wanted:
        number, reason = errno.ENOSPC, _full(path)
    else:
        number, reason = 0, "the system gave no reason"
    return StoreIO(
        f"cannot write {path}: {written} of {wanted} bytes written, {reason}",
        path=path, errno=number, name=errno.errorcode.get(number, "short write"), operation="write",
    )  # fmt: skip


@contextlib.contextmanager
def explained(operation: str, path: str) -> Iterator[None]:
    """Turn what the system says inside the block into :class:`StoreIO`."""
    try:
        yield
    except OSError as error:
        raise explain(error, operation, path) from error
