# SPDX-License-Identifier: Apache-2.0
"""Moving a file to another folder: by rename, across file systems by copy, compare, remove."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets

from tenuto.errors import StoreIO
from tenuto.runs.companions import temp_name
from tenuto.runs.files import FileLayer, Folder
from tenuto.sentences import sentence

_CHUNK = 1024 * 1024


def copy_bytes(layer: FileLayer, source: int, target: int, *, path: str) -> None:
    """Copy the whole of ``source`` to ``target``; ``path`` names the target in errors."""
    layer.seek(source, 0)
    while part := layer.read(source, _CHUNK):
        layer.write_all(target, part, path=path)


def same_bytes(layer: FileLayer, one: int, other: int) -> bool:
    """Whether two open files hold the same bytes."""
    return layer.fstat(one).st_size == layer.fstat(other).st_size and begins_with(layer, one, other)


def begins_with(layer: FileLayer, whole: int, part: int) -> bool:
    """Whether the file behind ``whole`` begins with all bytes of the one behind ``part``."""
    layer.seek(whole, 0)
    layer.seek(part, 0)
    while wanted := _read_full(layer, part, _CHUNK):
        if _read_full(layer, whole, len(wanted)) != wanted:
            return False
    return True


def _read_full(layer: FileLayer, fd: int, size: int) -> bytes:
    parts = []
    while size and (part := layer.read(fd, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def contains(layer: FileLayer, folder: Folder, name: str, other: Folder, other_name: str) -> bool:
    """Whether the file ``name`` is there and begins with all bytes of ``other_name``."""
    try:
        whole, _ = layer.open_regular(folder, name)
    except FileNotFoundError:
        return False
    try:
        part, _ = layer.open_regular(other, other_name)
        try:
            return begins_with(layer, whole, part)
        finally:
            layer.drop(part)
    finally:
        layer.drop(whole)


def rename(layer: FileLayer, source: Folder, name: str, target: Folder, new: str) -> bool:
    """Rename ``name`` if both folders are on one file system; whether they are."""
    try:
        layer.rename(source, name, target, new)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        return False
    return True


def copy(layer: FileLayer, source: Folder, name: str, target: Folder, new: str) -> None:
    """Copy ``name``: it appears under ``new`` whole, durable and compared, or not at all.

    Its time of change is copied too.

    What has the name ``new`` already is replaced. The target folder is not synced here.

    :raises StoreIO: the copy is not the same.
    :raises OSError: the system said no.
    """
    path = target.file(new)
    original, status = layer.open_regular(source, name)
    try:
        temp = temp_name(new, secrets.token_hex(8))
        fd = layer.open(target, temp, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        try:
            try:
                copy_bytes(layer, original, fd, path=path)
                layer.set_mtime(fd, status.st_mtime_ns)
                layer.fsync(fd)
                if not same_bytes(layer, original, fd):
                    raise StoreIO(
                        sentence(
                            "{path} is no true copy of {name}", path=path, name=source.file(name)
                        ),
                        path=path,
                    )
            finally:
                layer.close(fd)
            layer.rename(target, temp, target, new)
        except BaseException:
            with contextlib.suppress(OSError):
                layer.unlink(target, temp)
            raise
    finally:
        layer.drop(original)


def move(layer: FileLayer, source: Folder, name: str, target: Folder, new: str) -> None:
    """Move one file; across file systems the original goes when its copy's name is durable."""
    if not rename(layer, source, name, target, new):
        copy(layer, source, name, target, new)
        layer.fsync_dir(target)
        layer.unlink(source, name)
