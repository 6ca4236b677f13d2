# SPDX-License-Identifier: Apache-2.0
"""Reading an exported session (``*.tenuto``): it may come from anybody, so nothing is believed.

A zip is only taken as this program writes it: plain files with the names of one run's files, a
manifest that names them all, no more bytes than the caps allow, each with the hash it should have.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Self

import msgspec

from tenuto.errors import BadBundle, NotAFile, RunExists, RunNotFound
from tenuto.runs.archive import FORMAT, MANIFEST, PACKED, SOURCE, Manifest, modified, too_dense
from tenuto.runs.companions import journal_name, owner_of, renamed
from tenuto.runs.files import SAFE, FileLayer, explained
from tenuto.runs.ids import new_id, valid_id
from tenuto.runs.staging import staged
from tenuto.sentences import Sentence, others_words, sentence

#: A run has one file of each kind and a few backups.
MAX_FILES = 200
MAX_MANIFEST = 1024 * 1024
MAX_NOTES = 16 * 1024 * 1024
#: Bytes of all files together, unpacked.
MAX_TOTAL = 16 * 1024**3

_CHUNK = 1024 * 1024
_END = b"PK\x05\x06"
_END_SIZE = 22
_LOCATOR_64 = b"PK\x06\x07"
_LOCATOR_64_SIZE = 20
#: A directory entry of a name of ours, with room for what other programs add.
_MAX_ENTRY = 1024
_ENCRYPTED = 0x1

#: Given a file's name and all its bytes: what is written instead.
Change = Callable[[str, bytes], bytes]


class Imported(msgspec.Struct, frozen=True):
    """What an import brought into the folder."""

    id: str
    #: The id in the exported session; another one where that was taken.
    exported_id: str
    directory: str
    files: tuple[str, ...]


class Bundle:
    """An exported session, open for reading; a context manager.

    :raises RunNotFound: there is no such file.
    :raises NotAFile: it is no regular file.
    :raises BadBundle: it is no exported session, one of a newer format, or a dangerous one.
    :raises StoreIO: it cannot be read.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        with explained("read", self.path):
            self._file = _open(self.path)
            try:
                _check_directory(self._file, self.path)
                with _as_bad(self.path):
                    self._zip = zipfile.ZipFile(self._file)
                self._entries = self._check_entries()
                self.manifest = self._read_manifest()
            except BaseException:
                self._file.close()
                raise

    def close(self) -> None:
        self._zip.close()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def id(self) -> str:
        """The id of the session it was exported from."""
        return self.manifest.id

    @property
    def names(self) -> tuple[str, ...]:
        """The files in it, the journal last."""
        journal = journal_name(self.id)
        return (*sorted(name for name in self.manifest.files if name != journal), journal)

    def chunks(self, name: str) -> Iterator[bytes]:
        """The bytes of one file. Raises BadBundle at the end where they are not the right ones."""
        digest = hashlib.sha256()
        with _as_bad(self.path), self._zip.open(self._entries[name]) as part:
            while chunk := part.read(_CHUNK):
                digest.update(chunk)
                yield chunk
        if digest.hexdigest() != self.manifest.files[name]:
            raise self._bad(
                sentence("{name} is not what was exported: its hash differs", name=name)
            )

    def modified(self, name: str) -> int | None:
        """When one file was last written, in nanoseconds; None where that is not told, or to come.

        A run's last activity is the time of its journal.
        """
        when = modified(self._entries[name].extra)
        return when if when is not None and when <= time.time_ns() else None

    def verify(self) -> None:
        """Read everything once. Raises BadBundle."""
        for name in self.names:
            for _ in self.chunks(name):
                pass

    # --- checks ---------------------------------------------------------------------------------

    def _bad(self, reason: Sentence) -> BadBundle:
        return _bad(self.path, reason)

    def _check_entries(self) -> dict[str, zipfile.ZipInfo]:
        entries: dict[str, zipfile.ZipInfo] = {}
        total = packed = 0
        for info in self._zip.infolist():
            name = info.filename
            if info.orig_filename != name or (name != MANIFEST and owner_of(name) is None):
                raise self._bad(
                    sentence(
                        "{name} is no file of a run",
                        name=ascii(info.orig_filename[:200]),
                    )
                )
            if name in entries:
                raise self._bad(sentence("{name} is in it twice", name=name))
            # Many programs give a mode without a type.
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind not in (0, stat.S_IFREG) or info.is_dir():
                raise self._bad(sentence("{name} is no plain file", name=name))
            if info.flag_bits & _ENCRYPTED:
                raise self._bad(sentence("{name} is encrypted", name=name))
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise self._bad(
                    sentence("{name} is compressed in a way that is not used here", name=name)
                )
            entries[name] = info
            total += info.file_size
            packed += info.compress_size
        # ``zipfile`` gives no more bytes of an entry than its size says.
        if total > MAX_TOTAL or too_dense(total, packed):
            raise self._bad(
                sentence(
                    "it would unpack to {total} bytes from {packed}", total=total, packed=packed
                )
            )
        return entries

    def _read_manifest(self) -> Manifest:
        info = self._entries.pop(MANIFEST, None)
        if info is None:
            raise self._bad(sentence("it has no {manifest}", manifest=MANIFEST))
        if info.file_size > MAX_MANIFEST:
            raise self._bad(sentence("its {manifest} is too large", manifest=MANIFEST))
        with _as_bad(self.path):
            data = self._zip.read(info)
        try:
            number = msgspec.json.decode(data, type=_Format).format
            if number > FORMAT:
                raise self._bad(
                    sentence(
                        "it is of format {number}; this program reads formats up to {format}",
                        number=number,
                        format=FORMAT,
                    )
                )
            manifest = msgspec.json.decode(data, type=Manifest)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise self._bad(
                sentence(
                    "its {manifest} makes no sense: {reason}",
                    manifest=MANIFEST,
                    reason=others_words(str(error)),
                )
            ) from error
        if manifest.source != SOURCE:
            raise self._bad(
                sentence(
                    "it holds a session of {other}, not {source}",
                    other=ascii(manifest.source[:40]),
                    source=SOURCE,
                )
            )
        if manifest.format < 1 or not valid_id(manifest.id):
            raise self._bad(
                sentence("its {manifest} makes no sense: no id of a run", manifest=MANIFEST)
            )
        self._check_files(manifest)
        return manifest

    def _check_files(self, manifest: Manifest) -> None:
        missing = sorted(manifest.files.keys() - self._entries.keys())
        unnamed = sorted(self._entries.keys() - manifest.files.keys())
        if missing or unnamed:
            raise self._bad(
                sentence(
                    "its {manifest} does not name what it holds: {names}",
                    manifest=MANIFEST,
                    names=str([*missing, *unnamed]),
                )
            )
        if journal_name(manifest.id) not in manifest.files:
            raise self._bad(sentence("it has no {manifest}", manifest=journal_name(manifest.id)))
        for name in manifest.files:
            owner = owner_of(name)
            if owner is None or owner[0] != manifest.id or owner[1] not in PACKED:
                raise self._bad(
                    sentence(
                        "{name} does not belong to an export of {id}", name=name, id=manifest.id
                    )
                )
            if owner[1] == "notes" and self._entries[name].file_size > MAX_NOTES:
                raise self._bad(sentence("{name} is too large", name=name))


class _Format(msgspec.Struct, frozen=True):
    format: int


def _bad(path: str, reason: Sentence) -> BadBundle:
    return BadBundle(
        sentence(
            "{path} is no exported session that can be used: {reason}", path=path, reason=reason
        ),
        path=path,
        reason=str(reason),
    )


@contextlib.contextmanager
def _as_bad(path: str) -> Iterator[None]:
    """What ``zipfile`` says of a file that is none, as our error."""
    try:
        yield
    except OSError as error:
        # It was sent to a place before the file's beginning.
        if error.errno != errno.EINVAL:
            raise
        raise _bad(path, sentence("its parts are not where it says")) from error
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        UnicodeDecodeError,
        ValueError,
    ) as error:
        raise _bad(path, others_words(str(error) or type(error).__name__)) from error


def _open(path: str) -> IO[bytes]:
    try:
        # A link to an export is as good as the file; a FIFO must not keep us waiting.
        fd = os.open(os.path.realpath(path), os.O_RDONLY | SAFE)
    except FileNotFoundError:
        raise RunNotFound(sentence("there is no file {path}", path=path), id=path) from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise NotAFile(sentence("not a file: {path}", path=path), path=path, what="special file")
    return os.fdopen(fd, "rb")


def _check_directory(file: IO[bytes], path: str) -> None:
    """Refuse a directory of contents that is too large before ``zipfile`` reads all of it."""
    size = file.seek(0, os.SEEK_END)
    reach = min(size, _END_SIZE + _LOCATOR_64_SIZE)
    file.seek(size - reach)
    tail = file.read(reach)
    end = tail[-_END_SIZE:]
    if len(end) < _END_SIZE or not end.startswith(_END) or end[-2:] != b"\0\0":
        raise _bad(path, sentence("it is no zip file, or is cut off"))
    if tail[:-_END_SIZE].startswith(_LOCATOR_64):
        raise _bad(path, sentence("it is too large"))
    count = int.from_bytes(end[10:12], "little")
    if count > MAX_FILES or int.from_bytes(end[12:16], "little") > MAX_FILES * _MAX_ENTRY:
        raise _bad(path, sentence("it holds more than {most} files", most=MAX_FILES))
    file.seek(0)


# --- into a folder -------------------------------------------------------------------------------


def unpack(
    bundle: Bundle,
    directory: str | os.PathLike[str],
    id: str | None = None,
    *,
    change: Change | None = None,
    layer: FileLayer | None = None,
) -> Imported:
    """Put the session into a runs folder: whole, verified and durable, or not at all.

    Its bytes stay as they are, the ``run_id`` in its meta record included. ``id``: the one that it
    gets; without it its own, or a new one where that is taken. ``change`` may replace its notes.

    :raises RunExists: ``id`` is taken.
    :raises BadBundle: a file is not what was exported; nothing stays.
    :raises StoreIO: the system said no; nothing stays.
    """
    layer = layer or FileLayer()
    directory = os.path.realpath(directory)
    if id is not None:
        return _unpack(layer, bundle, directory, id, change)
    try:
        return _unpack(layer, bundle, directory, bundle.id, change)
    except RunExists:
        return _unpack(layer, bundle, directory, new_id(), change)


def _unpack(
    layer: FileLayer, bundle: Bundle, directory: str, id: str, change: Change | None
) -> Imported:
    with staged(layer, directory, id) as stage:
        for name in bundle.names:
            chunks = bundle.chunks(name)
            owner = owner_of(name)
            if change is not None and owner is not None and owner[1] == "notes":
                chunks = iter([change(name, b"".join(chunks))])
            stage.add(renamed(name, bundle.id, id), chunks, mtime_ns=bundle.modified(name))
        return Imported(id, bundle.id, directory, stage.names)
