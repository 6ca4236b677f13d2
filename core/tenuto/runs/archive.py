# SPDX-License-Identifier: Apache-2.0
"""Writing an exported session: a zip of a run's files and a manifest (design.md, ``*.tenuto``).

It is complete and byte-exact, secrets included: a run is moved with it, not shown around.
"""

from __future__ import annotations

import hashlib
import io
import os
import struct
import time
import zipfile
from collections.abc import Iterator

import msgspec

from tenuto.errors import RunNotFound
from tenuto.runs import removal
from tenuto.runs.companions import Kind, journal_name, renamed
from tenuto.runs.files import FileLayer, Folder, explained, what_is
from tenuto.runs.ids import check_id
from tenuto.sentences import sentence

FORMAT = 1
SOURCE = "fisk-ai"
MANIFEST = "manifest.json"
#: What goes along: not the lock, and neither what is made anew nor what a live worker asks.
PACKED: frozenset[Kind] = frozenset({"journal", "times", "notes", "torn", "backup"})

#: Unpacked bytes for each packed one that a reader puts up with; what a small file unpacks to is
#: no danger, however dense.
MAX_RATIO = 250
_RATIO_COUNTS_FROM = 64 * 1024 * 1024

_CHUNK = 1024 * 1024
#: What the zip format can hold as a time.
_FIRST_YEAR, _LAST_YEAR = 1980, 2107
#: Info-ZIP's extra field "UT": a flag for one time, and that in seconds of UTC. What the format
#: itself holds is the exporting computer's local time, of a zone that nobody knows elsewhere.
_TIME_ID, _TIME_SIZE, _TIME_IS_THERE = 0x5455, 5, 1
_TIME = struct.Struct("<HHBi")
_LAST_TIME = 2**31 - 1


class Manifest(msgspec.Struct, frozen=True):
    """``manifest.json``."""

    format: int
    source: str
    #: The id that the files are named after.
    id: str
    #: Name -> hex SHA-256.
    files: dict[str, str]


class Packed(msgspec.Struct, frozen=True):
    """What was written."""

    manifest: Manifest
    #: Names that stayed behind: no files of ours (a symlink, a folder, a file of another owner).
    left: tuple[str, ...]
    #: Bytes of the files together.
    size: int


def too_dense(total: int, packed: int) -> bool:
    """Whether a zip of ``packed`` bytes that unpacks to ``total`` looks like a trap."""
    return total > _RATIO_COUNTS_FROM and total > MAX_RATIO * packed


class _Out(io.RawIOBase):
    """An open file as ``zipfile`` writes to it, through the layer and forward only."""

    def __init__(self, layer: FileLayer, fd: int, path: str) -> None:
        self._layer, self._fd, self._path = layer, fd, path

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        whole = bytes(data)  # type: ignore[call-overload]
        self._layer.write_all(self._fd, whole, path=self._path)
        return len(whole)


def pack(layer: FileLayer, directory: str, id: str, fd: int, *, path: str) -> Packed:
    """Write the run ``id`` of ``directory`` to the new file behind ``fd``, named ``path``.

    No lock is taken: of a run that grows, what was there at the beginning is written.

    :raises RunNotFound: there is no such run.
    :raises NotAFile: its journal is not a file of ours.
    :raises StoreIO: the system said no.
    """
    check_id(id)
    with explained("export", os.path.join(directory, journal_name(id))):
        try:
            folder = layer.open_dir(os.path.realpath(directory))
        except FileNotFoundError:
            raise _not_found(id, directory) from None
        with folder:
            packed = _pack(layer, folder, id, fd, path, zipfile.ZIP_DEFLATED)
            if too_dense(packed.size, layer.fstat(fd).st_size):
                # The same few words millions of times: no reader would trust it compressed.
                layer.ftruncate(fd, 0)
                layer.seek(fd, 0)
                packed = _pack(layer, folder, id, fd, path, zipfile.ZIP_STORED)
    return packed


def _pack(
    layer: FileLayer, folder: Folder, id: str, fd: int, path: str, compression: int
) -> Packed:
    # The journal of a run of this name would be called as the manifest is.
    exported = id if journal_name(id) != MANIFEST else f"{id}-1"
    hashes: dict[str, str] = {}
    total = 0
    names, left = _names(layer, folder, id)
    with zipfile.ZipFile(_Out(layer, fd, path), "w", compression) as file:
        for name in names:
            new = renamed(name, id, exported)
            hashes[new], size = _add(layer, folder, name, new, file)
            total += size
        manifest = Manifest(FORMAT, SOURCE, exported, hashes)
        text = msgspec.json.format(msgspec.json.encode(manifest)) + b"\n"
        file.writestr(_info(MANIFEST, time.time(), compression), text)
    return Packed(manifest, tuple(left), total)


def _names(layer: FileLayer, folder: Folder, id: str) -> tuple[list[str], list[str]]:
    """The journal, then the others by name; and what is left out."""
    journal = journal_name(id)
    try:
        layer.check_regular(folder, journal, layer.lstat(folder, journal))
    except FileNotFoundError:
        raise _not_found(id, folder.path) from None
    names, left = [journal], []
    for name, kind in removal.files_of(layer, folder, id).items():
        if kind == "journal" or kind not in PACKED:
            continue
        if what_is(layer.lstat(folder, name)) is None:
            names.append(name)
        else:
            left.append(name)
    return names, left


def _add(
    layer: FileLayer, folder: Folder, name: str, new: str, file: zipfile.ZipFile
) -> tuple[str, int]:
    fd, status = layer.open_regular(folder, name)
    try:
        info = _info(new, status.st_mtime, file.compression)
        digest = hashlib.sha256()
        written = 0
        with file.open(info, "w", force_zip64=status.st_size >= zipfile.ZIP64_LIMIT // 2) as part:
            for chunk in _up_to(layer, fd, status.st_size):
                digest.update(chunk)
                part.write(chunk)
                written += len(chunk)
        return digest.hexdigest(), written
    finally:
        layer.drop(fd)


def _up_to(layer: FileLayer, fd: int, size: int) -> Iterator[bytes]:
    while size > 0 and (chunk := layer.read(fd, min(_CHUNK, size))):
        yield chunk
        size -= len(chunk)


def _info(name: str, seconds: float, compression: int) -> zipfile.ZipInfo:
    when = time.localtime(seconds)
    info = zipfile.ZipInfo(name, (min(max(when.tm_year, _FIRST_YEAR), _LAST_YEAR), *when[1:6]))
    info.compress_type = compression
    info.create_system = 3
    info.external_attr = 0o100600 << 16
    if 0 <= seconds <= _LAST_TIME:
        info.extra = _TIME.pack(_TIME_ID, _TIME_SIZE, _TIME_IS_THERE, int(seconds))
    return info


def modified(extra: bytes) -> int | None:
    """When a file was last written, in nanoseconds of UTC, by the extra fields of its entry."""
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        if kind == _TIME_ID and size == _TIME_SIZE and len(extra) >= _TIME.size:
            _, _, flags, seconds = _TIME.unpack_from(extra)
            return seconds * 10**9 if flags & _TIME_IS_THERE and seconds >= 0 else None
        extra = extra[4 + size :]
    return None


def _not_found(id: str, directory: str) -> RunNotFound:
    return RunNotFound(sentence("no run {id} in {directory}", id=id, directory=directory), id=id)
