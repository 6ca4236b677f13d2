# SPDX-License-Identifier: Apache-2.0
"""The file that an export goes to: private, whole or not there, nobody else's overwritten."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Callable
from typing import TypeVar

from tenuto.errors import NotAFile, TargetExists
from tenuto.runs.companions import temp_name
from tenuto.runs.files import FileLayer, Folder, explained
from tenuto.runs.leftovers import sweep_leftovers

T = TypeVar("T")
#: Folders that a program of this name copies to somebody else's computer.
_SYNCED = ("Dropbox", "Google Drive", "GoogleDrive", "iCloud Drive", "Nextcloud", "OneDrive")


def write_target(
    path: str | os.PathLike[str],
    write: Callable[[int], T],
    *,
    force: bool = False,
    layer: FileLayer | None = None,
) -> T:
    """Make the file ``path`` (0600) of what ``write`` puts into the descriptor it is given.

    It appears whole and durable, or not at all. ``force``: it may replace a file.

    :raises TargetExists: there is something of that name, and not ``force``.
    :raises NotAFile: that is a folder, or the folder it should lie in is none.
    :raises StoreIO: the system said no.
    """
    layer = layer or FileLayer()
    whole = os.path.abspath(os.path.expanduser(path))
    parent, name = os.path.split(whole)
    with explained("write", whole):
        try:
            folder = layer.open_dir(os.path.realpath(parent))
        except FileNotFoundError:
            raise NotAFile(f"no folder {parent}", path=parent, what="missing") from None
        with folder:
            _check_free(layer, folder, name, force=force)
            temp = temp_name(name, secrets.token_hex(8))
            fd = layer.open(folder, temp, os.O_RDWR | os.O_CREAT | os.O_EXCL)
            try:
                try:
                    layer.tighten(fd, layer.fstat(fd))
                    result = write(fd)
                    layer.fsync(fd)
                finally:
                    layer.close(fd)
                _give_name(layer, folder, temp, name, force=force)
            except BaseException:
                with contextlib.suppress(OSError):
                    layer.unlink(folder, temp)
                raise
            layer.fsync_dir(folder)
            # They hold what the export does, secrets too.
            sweep_leftovers(layer, folder, name)
    return result


def _check_free(layer: FileLayer, folder: Folder, name: str, *, force: bool) -> None:
    path = folder.file(name)
    try:
        status = layer.lstat(folder, name)
    except FileNotFoundError:
        return
    if not force:
        raise _exists(path)
    # A symlink would be replaced, not what it points to: that is somebody else's surprise.
    layer.check_regular(folder, name, status)


def _give_name(layer: FileLayer, folder: Folder, temp: str, name: str, *, force: bool) -> None:
    """Rename; without ``force`` by a second name, which never replaces a file."""
    if not force:
        try:
            layer.link(folder, temp, name)
        except FileExistsError:
            raise _exists(folder.file(name)) from None
        except OSError as error:
            # File systems without second names: looked at again, then renamed.
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
                raise
        else:
            layer.unlink(folder, temp)
            return
    _check_free(layer, folder, name, force=force)
    layer.rename(folder, temp, folder, name)


def _exists(path: str) -> TargetExists:
    return TargetExists(f"{path} is there already; --force replaces it", path=path)


def warnings_for(path: str | os.PathLike[str]) -> list[str]:
    """What to know about the place of an export: one sentence each."""
    found = []
    folder = os.path.dirname(os.path.realpath(path))
    tree = _above(folder, lambda place: os.path.lexists(os.path.join(place, ".git")))
    if tree is not None:
        found.append(f"{tree} is a git work tree: the export may be committed with it")
    synced = _above(folder, lambda place: os.path.basename(place).startswith(_SYNCED))
    if synced is not None:
        found.append(f"{synced} looks like a folder that is copied to other computers")
    return found


def _above(folder: str, test: Callable[[str], bool]) -> str | None:
    while True:
        if test(folder):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
