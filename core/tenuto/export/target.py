# SPDX-License-Identifier: Apache-2.0
"""The file that an export goes to: private, whole or not there, nobody else's overwritten."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Callable, Iterator
from typing import TypeVar

from tenuto.errors import NotAFile, TargetExists
from tenuto.runs.companions import temp_name
from tenuto.runs.files import FileLayer, Folder, explained
from tenuto.runs.leftovers import sweep_leftovers
from tenuto.sentences import Sentence, sentence

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
            raise NotAFile(
                sentence("no folder {parent}", parent=parent), path=parent, what="missing"
            ) from None
        with folder:
            _check_free(layer, folder, name, force=force)
            fd = layer.open_unnamed(folder)
            if fd is not None:
                result = _write_unnamed(layer, folder, name, fd, write, force=force)
            else:
                result = _write_named(layer, folder, name, write, force=force)
            layer.fsync_dir(folder)
            # They hold what the export does, secrets too.
            sweep_leftovers(layer, folder, name)
    return result


def _fill(layer: FileLayer, fd: int, write: Callable[[int], T]) -> T:
    layer.tighten(fd, layer.fstat(fd))
    result = write(fd)
    layer.fsync(fd)
    return result


def _write_unnamed(
    layer: FileLayer, folder: Folder, name: str, fd: int, write: Callable[[int], T], *, force: bool
) -> T:
    """A writer that is killed leaves nothing: until it is whole, the file has no name at all."""
    try:
        result = _fill(layer, fd, write)
        temp = temp_name(name, secrets.token_hex(8)) if force else name
        try:
            layer.name_file(fd, folder, temp)
        except FileExistsError:
            raise _exists(folder.file(name)) from None
    finally:
        layer.close(fd)
    if force:
        with _removed_on_error(layer, folder, temp):
            _replace(layer, folder, temp, name)
    return result


def _write_named(
    layer: FileLayer, folder: Folder, name: str, write: Callable[[int], T], *, force: bool
) -> T:
    """Where every file has a name: a hidden one, until it is whole."""
    temp = temp_name(name, secrets.token_hex(8))
    fd = layer.open(folder, temp, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    with _removed_on_error(layer, folder, temp):
        try:
            result = _fill(layer, fd, write)
        finally:
            layer.close(fd)
        _give_name(layer, folder, temp, name, force=force)
    return result


@contextlib.contextmanager
def _removed_on_error(layer: FileLayer, folder: Folder, temp: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            layer.unlink(folder, temp)
        raise


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
        _check_free(layer, folder, name, force=False)
        layer.rename(folder, temp, folder, name)
        return
    _replace(layer, folder, temp, name)


def _replace(layer: FileLayer, folder: Folder, temp: str, name: str) -> None:
    _check_free(layer, folder, name, force=True)
    layer.rename(folder, temp, folder, name)


def _exists(path: str) -> TargetExists:
    return TargetExists(
        sentence("{path} is there already; --force replaces it", path=path), path=path
    )


def warnings_for(path: str | os.PathLike[str]) -> list[Sentence]:
    """What to know about the place of an export: one sentence each."""
    found = []
    folder = os.path.dirname(os.path.realpath(path))
    tree = _above(folder, lambda place: os.path.lexists(os.path.join(place, ".git")))
    if tree is not None:
        found.append(
            sentence(
                "{folder} is a git work tree: the export may be committed with it", folder=tree
            )
        )
    synced = _above(folder, lambda place: os.path.basename(place).startswith(_SYNCED))
    if synced is not None:
        found.append(
            sentence(
                "{folder} looks like a folder that is copied to other computers", folder=synced
            )
        )
    return found


def _above(folder: str, test: Callable[[str], bool]) -> str | None:
    while True:
        if test(folder):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
