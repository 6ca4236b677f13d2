# SPDX-License-Identifier: Apache-2.0
"""What the system says, as one clear sentence with fields: disk full where, read-only what, ..."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator

from tenuto.errors import StoreIO
from tenuto.runs.mounts import mount_of
from tenuto.runs.operations import Operation, cannot
from tenuto.sentences import Sentence, others_words, sentence, system_said


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


def _full(path: str) -> Sentence:
    free, mount = free_bytes(path), mount_point(path)
    if free is None:
        return sentence("disk full at {mount}, unknown bytes free", mount=mount)
    return sentence("disk full at {mount}, {free} bytes free", mount=mount, free=free)


def _reason(name: str, number: int, error: OSError, path: str) -> Sentence:
    match name:
        case "ENOSPC":
            return _full(path)
        case "EDQUOT":
            return sentence("disk quota used up at {mount}", mount=mount_point(path))
        case "EROFS":
            return sentence("read-only file system at {mount}", mount=mount_point(path))
        case "EACCES" | "EPERM":
            return sentence("permission denied")
        case "EMFILE":
            return sentence("this program has too many files open")
        case "ENFILE":
            return sentence("the system has too many files open")
        case "EFBIG":
            return sentence(
                "the file would grow over the size limit of this process or file system"
            )
        case "EIO":
            return sentence("the device under {mount} failed", mount=mount_point(path))
        case "ENOLCK" | "EOPNOTSUPP" | "ENOTSUP":
            return sentence("the file system has no locks, so nothing is written there")
    # Not in the error's own words: tests and libraries make some without any.
    return system_said(OSError(number, os.strerror(number))) if number else others_words(str(error))


def explain(error: OSError, operation: Operation, path: str) -> StoreIO:
    """One clear sentence for what the system said. ``operation``: "write", "create", ..."""
    number = error.errno or 0
    name = errno.errorcode.get(number, "unknown")
    what = cannot(operation, path, _reason(name, number, error, path), name)
    return StoreIO(what, path=path, errno=number, name=name, operation=operation)


def short_write(path: str, written: int, wanted: int) -> StoreIO:
    """What to say when the system took only a part of the bytes and gave no reason."""
    free = free_bytes(path)
    if free is not None and free < wanted:
        number, reason = errno.ENOSPC, _full(path)
    else:
        number, reason = 0, sentence("the system gave no reason")
    return StoreIO(
        sentence(
            "cannot write {path}: {written} of {wanted} bytes written, {reason}",
            path=path, written=written, wanted=wanted, reason=reason,
        ),
        path=path, errno=number, name=errno.errorcode.get(number, "short write"), operation="write",
    )  # fmt: skip


@contextlib.contextmanager
def explained(operation: Operation, path: str) -> Iterator[None]:
    """Turn what the system says inside the block into :class:`StoreIO`."""
    try:
        yield
    except OSError as error:
        raise explain(error, operation, path) from error
