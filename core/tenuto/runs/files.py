# SPDX-License-Identifier: Apache-2.0
"""The one place of the run store that talks to the operating system.

Names are relative to an open folder, so that a folder swapped under us cannot redirect a write or
a removal; only regular files of our own are ever opened. Tests replace single calls of
:class:`FileLayer` to see what a failing disk does.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from tenuto.errors import NotAFile, StoreIO
from tenuto.runs.companions import temp_name
from tenuto.runs.syserrors import explain, explained, short_write
from tenuto.sentences import Sentence, marked, sentence

__all__ = ["FileLayer", "Folder", "explain", "explained", "short_write", "what_is"]

NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
CLOEXEC: int = getattr(os, "O_CLOEXEC", 0)
#: No symlink followed, no wait on a FIFO, not inherited, never a controlling terminal.
SAFE: int = (
    NOFOLLOW
    | getattr(os, "O_NONBLOCK", 0)
    | CLOEXEC
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
FILE_MODE = 0o600
FOLDER_MODE = 0o700
_HAS_DIR_FD = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")


class Folder:
    """An open directory. ``fd`` is None where the system has no directory descriptors."""

    __slots__ = ("fd", "path")

    def __init__(self, path: str, fd: int | None) -> None:
        self.path = path
        self.fd = fd

    def file(self, name: str) -> str:
        """The full path of ``name``, for messages."""
        return os.path.join(self.path, name)

    def at(self, name: str) -> str:
        """``name`` as the system calls below take it together with ``fd``."""
        return name if self.fd is not None else os.path.join(self.path, name)

    def close(self) -> None:
        """Close the descriptor; once is enough, twice does no harm."""
        fd, self.fd = self.fd, None
        if fd is not None:
            os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _path_of(fd: int) -> str:
    return f"/proc/self/fd/{fd}"


class FileLayer:
    """System calls by name, and the few safe steps made of them.

    The first block is the seam for fault injection: everything else goes through it.
    """

    #: The methods that are one system call each.
    PRIMITIVES = (
        "open", "close", "lstat", "fstat", "seek", "read", "write", "fsync", "ftruncate", "fchmod",
        "set_mtime", "rename", "link", "unlink", "mkdir", "rmdir", "fsync_dir", "scandir",
        "open_unnamed", "name_file",
    )  # fmt: skip

    # --- one system call each ---------------------------------------------------------------

    def open(self, folder: Folder, name: str, flags: int) -> int:
        return os.open(folder.at(name), flags | SAFE, FILE_MODE, dir_fd=folder.fd)

    def close(self, fd: int) -> None:
        os.close(fd)

    def lstat(self, folder: Folder, name: str) -> os.stat_result:
        return os.stat(folder.at(name), dir_fd=folder.fd, follow_symlinks=False)

    def fstat(self, fd: int) -> os.stat_result:
        return os.fstat(fd)

    def seek(self, fd: int, offset: int) -> None:
        os.lseek(fd, offset, os.SEEK_SET)

    def read(self, fd: int, size: int) -> bytes:
        return os.read(fd, size)

    def write(self, fd: int, data: bytes | memoryview) -> int:
        return os.write(fd, data)

    def fsync(self, fd: int) -> None:
        os.fsync(fd)

    def ftruncate(self, fd: int, size: int) -> None:
        os.ftruncate(fd, size)

    def fchmod(self, fd: int, mode: int) -> None:
        if hasattr(os, "fchmod"):
            os.fchmod(fd, mode)

    def set_mtime(self, fd: int, mtime_ns: int) -> None:
        if os.utime in os.supports_fd:
            os.utime(fd, ns=(mtime_ns, mtime_ns))

    def rename(self, source: Folder, name: str, target: Folder, new: str) -> None:
        """Rename, replacing what is there."""
        if source.fd is None:
            os.replace(source.at(name), target.at(new))
        else:
            os.rename(name, new, src_dir_fd=source.fd, dst_dir_fd=target.fd)

    def link(self, folder: Folder, name: str, new: str) -> None:
        """A second name in the same folder. Raises FileExistsError where it is taken."""
        os.link(folder.at(name), folder.at(new), src_dir_fd=folder.fd, dst_dir_fd=folder.fd)

    def open_unnamed(self, folder: Folder) -> int | None:
        """A file without a name, gone with its descriptor unless `name_file` gives it one.

        None where the system has no such files, or no way to name one.
        """
        flag = getattr(os, "O_TMPFILE", 0)
        if not flag or folder.fd is None:
            return None
        try:
            fd = os.open(".", flag | os.O_RDWR | CLOEXEC, FILE_MODE, dir_fd=folder.fd)
        except OSError as error:
            if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL):
                return None
            raise
        if os.path.lexists(_path_of(fd)):
            return fd
        os.close(fd)
        return None

    def name_file(self, fd: int, folder: Folder, name: str) -> None:
        """Give a file of `open_unnamed` its name. Raises FileExistsError where it is taken."""
        os.link(_path_of(fd), name, dst_dir_fd=folder.fd)

    def unlink(self, folder: Folder, name: str) -> None:
        os.unlink(folder.at(name), dir_fd=folder.fd)

    def mkdir(self, folder: Folder, name: str) -> None:
        os.mkdir(folder.at(name), FOLDER_MODE, dir_fd=folder.fd)

    def rmdir(self, folder: Folder, name: str) -> None:
        os.rmdir(folder.at(name), dir_fd=folder.fd)

    def fsync_dir(self, folder: Folder) -> None:
        if folder.fd is not None:
            os.fsync(folder.fd)

    def scandir(
        self, folder: Folder
    ) -> contextlib.AbstractContextManager[Iterator[os.DirEntry[str]]]:
        if folder.fd is None:
            return os.scandir(folder.path)
        return os.scandir(folder.fd)

    # --- steps made of them -----------------------------------------------------------------

    def open_dir(self, path: str) -> Folder:
        """Open an existing folder that is not a symlink itself.

        :raises FileNotFoundError: there is none.
        :raises NotAFile: it is something else than a folder.
        """
        if not _HAS_DIR_FD:
            if not os.path.isdir(path):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
            return Folder(path, None)
        try:
            fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | NOFOLLOW | CLOEXEC)
        except OSError as error:
            if error.errno in (errno.ENOTDIR, errno.ELOOP):
                raise NotAFile(
                    sentence("not a folder: {path}", path=path), path=path, what="not a folder"
                ) from error
            raise
        return Folder(path, fd)

    def make_dir(self, path: str) -> Folder:
        """Open a folder, making it and the parents it lacks, each 0700, one by one."""
        try:
            return self.open_dir(path)
        except FileNotFoundError:
            parent, name = os.path.split(path)
            if not name:
                raise
        with self.make_dir(parent) as folder:
            with contextlib.suppress(FileExistsError):
                self.mkdir(folder, name)
                self.fsync_dir(folder)
            return self.open_dir(path)

    def drop(self, fd: int) -> None:
        """Close a file whose content is safe, or no longer wanted, whatever the system says."""
        with contextlib.suppress(OSError):
            self.close(fd)

    def check_regular(self, folder: Folder, name: str, status: os.stat_result) -> None:
        """:raises NotAFile: anything but a regular file of this user."""
        what = what_is(status)
        if what is not None:
            path = folder.file(name)
            raise NotAFile(
                sentence(
                    "not a file of a run: {path} is a {what}", path=path, what=Sentence(what, {})
                ),
                path=path,
                what=what,
            )

    def open_regular(
        self, folder: Folder, name: str, flags: int = os.O_RDONLY
    ) -> tuple[int, os.stat_result]:
        """Open a regular file of this user; it is looked at before it is opened, and again after.

        :raises FileNotFoundError: there is none (and ``flags`` do not create it).
        :raises NotAFile: a symlink, FIFO, socket, directory, device, or a file of another owner.
        """
        try:
            self.check_regular(folder, name, self.lstat(folder, name))
        except FileNotFoundError:
            if not flags & os.O_CREAT:
                raise
        try:
            fd = self.open(folder, name, flags)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):
                path = folder.file(name)
                raise NotAFile(
                    sentence("not a file of a run: {path}", path=path),
                    path=path,
                    what="special file",
                ) from error
            raise
        try:
            status = self.fstat(fd)
            self.check_regular(folder, name, status)
        except BaseException:
            self.drop(fd)
            raise
        return fd, status

    def tighten(self, fd: int, status: os.stat_result, mode: int = FILE_MODE) -> bool:
        """Take the rights of group and others away (R10); whether there were any."""
        if os.name != "posix" or stat.S_IMODE(status.st_mode) == mode:
            return False
        self.fchmod(fd, mode)
        return True

    def write_all(self, fd: int, data: bytes, *, path: str) -> None:
        """Write every byte of a file that is not yet in use.

        :raises StoreIO: the system took only a part.
        """
        view = memoryview(data)
        while view:
            written = self.write(fd, view)
            if written <= 0:
                raise short_write(path, len(data) - len(view), len(data))
            view = view[written:]

    def read_all(self, folder: Folder, name: str, *, limit: int = 64 * 1024 * 1024) -> bytes:
        """The bytes of a small file.

        :raises StoreIO: it is larger than ``limit`` bytes.
        """
        fd, status = self.open_regular(folder, name)
        try:
            if status.st_size > limit:
                path = folder.file(name)
                raise StoreIO(
                    sentence(
                        "too large: {path} ({size} bytes, at most {limit})",
                        path=path,
                        size=status.st_size,
                        limit=limit,
                    ),
                    path=path,
                )
            parts = []
            while part := self.read(fd, 1024 * 1024):
                parts.append(part)
            return b"".join(parts)
        finally:
            self.drop(fd)

    def atomic_write(
        self, folder: Folder, name: str, data: bytes, *, sync_dir: bool = True
    ) -> None:
        """Replace ``name`` whole or not at all: a new file, fsync, rename, fsync of the folder."""
        temp = self._write_temp(folder, name, data)
        try:
            self.rename(folder, temp, folder, name)
        except BaseException:
            with contextlib.suppress(OSError):
                self.unlink(folder, temp)
            raise
        if sync_dir:
            self.fsync_dir(folder)

    def atomic_create(self, folder: Folder, name: str, data: bytes) -> bool:
        """Make ``name`` whole or not at all; False where it is taken, and stays what it is."""
        temp = self._write_temp(folder, name, data)
        try:
            self.link(folder, temp, name)
        except FileExistsError:
            return False
        finally:
            with contextlib.suppress(OSError):
                self.unlink(folder, temp)
        self.fsync_dir(folder)
        return True

    def _write_temp(self, folder: Folder, name: str, data: bytes) -> str:
        """A new file with all of ``data`` on disk, to be given its name; the one it has now."""
        temp = temp_name(name, os.urandom(8).hex())
        fd = self.open(folder, temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            try:
                self.write_all(fd, data, path=folder.file(name))
                self.fsync(fd)
            finally:
                self.close(fd)
        except BaseException:
            with contextlib.suppress(OSError):
                self.unlink(folder, temp)
            raise
        return temp

    def exists(self, folder: Folder, name: str) -> bool:
        """Whether the name is taken, by whatever it may be."""
        try:
            self.lstat(folder, name)
        except FileNotFoundError:
            return False
        return True


def what_is(status: os.stat_result) -> str | None:
    """None for a regular file of this user, else what it is, in a word or two."""
    mode = status.st_mode
    if stat.S_ISREG(mode):
        if os.name == "posix" and status.st_uid != os.geteuid():
            return marked("file of another owner")
        return None
    for test, what in (
        (stat.S_ISLNK, marked("symlink")),
        (stat.S_ISDIR, marked("folder")),
        (stat.S_ISFIFO, marked("FIFO")),
        (stat.S_ISSOCK, marked("socket")),
        (stat.S_ISCHR, marked("device")),
        (stat.S_ISBLK, marked("device")),
    ):
        if test(mode):
            return what
    return marked("special file")
