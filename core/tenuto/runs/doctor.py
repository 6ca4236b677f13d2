# SPDX-License-Identifier: Apache-2.0
"""``tenuto session doctor``: what is wrong with a run's files, and the repair of what can be saved.

Looking is read-only and takes no lock. A repair takes the run's lock, keeps the journal as it was
in ``<id>.doctor-N.bak``, sets the bytes that belong to no record aside in ``<id>.torn``, and
replaces the journal whole. A second repair finds nothing to do.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from collections.abc import Iterator
from typing import Literal

import msgspec

from tenuto.errors import HardLinked, JournalError, RunNotFound, StoreIO
from tenuto.records import VERSION, Meta, decode_record
from tenuto.runs import companions, rescue
from tenuto.runs.files import FileLayer, Folder, explain, explained
from tenuto.runs.ids import check_id
from tenuto.runs.lock import RunLock, holder
from tenuto.runs.tail import keep
from tenuto.sentences import sentence, system_said

Health = Literal["clean", "findings", "newer", "empty"]
NoteKind = Literal["mode", "hard_linked", "foreign_id"]

#: A journal is taken into memory to be looked at; more than this is refused, with its size.
MAX_SIZE = 2 * 1024**3


class FileNote(msgspec.Struct, frozen=True):
    """Something about the file rather than its records: worth knowing, and no damage."""

    kind: NoteKind
    message: str


class Report(msgspec.Struct, frozen=True):
    """What was found. ``records``: how many whole records there are."""

    id: str
    path: str
    health: Health
    size: int
    records: int
    findings: list[rescue.Finding]
    notes: list[FileNote]
    message: str = ""
    #: Who holds the run's lock, where the system tells: its last line may be half written.
    pid: int | None = None

    @property
    def repairable(self) -> bool:
        """Whether a repair would leave a journal that can be resumed."""
        return self.health in ("clean", "findings") and all(
            finding.repairable for finding in self.findings
        )


class Repaired(msgspec.Struct, frozen=True):
    """What a repair changed; ``changed`` false means that nothing was to do or could be done."""

    id: str
    changed: bool
    #: Records in the journal now, and those of them that no reader saw before.
    records: int
    rescued: int
    #: Bytes that belong to no record; they are in ``<id>.torn``.
    aside_pieces: int
    aside_bytes: int
    #: The journal as it was, by name, or None.
    backup: str | None
    #: Modes taken back to 0600.
    tightened: bool
    report: Report


def examine(
    directory: str | os.PathLike[str], id: str, *, layer: FileLayer | None = None
) -> Report:
    """Look at one run. Nothing is changed, no lock is taken.

    Raises InvalidId, RunNotFound, NotAFile, StoreIO.
    """
    layer = layer or FileLayer()
    check_id(id)
    with _folder(layer, directory) as folder, _opened(layer, folder, id) as (fd, status):
        data = _read(layer, folder, id, fd, status)
        report = _report(folder, id, status, data, rescue.plan(data))
        held = holder(folder.file(companions.lock_name(id)))
        return report if held is None else _while_running(report, held.pid)


def repair(
    directory: str | os.PathLike[str], id: str, *, layer: FileLayer | None = None
) -> Repaired:
    """Rescue what can be rescued, under the run's lock.

    A journal of a newer version, an empty one, and one in which records are truly missing stay
    byte for byte as they are; the report says why.

    Raises Locked (a running run is never touched), InvalidId, RunNotFound, NotAFile, HardLinked,
    StoreIO.
    """
    layer = layer or FileLayer()
    check_id(id)
    with _folder(layer, directory) as folder:
        # Without a run there is nothing to lock: a lock would only leave its file behind.
        name = companions.journal_name(id)
        try:
            layer.check_regular(folder, name, layer.lstat(folder, name))
        except FileNotFoundError:
            raise _not_found(folder, id) from None
        with RunLock(folder, id, layer=layer), _opened(layer, folder, id) as (fd, status):
            return _repair(layer, folder, id, fd, status)


def _repair(layer: FileLayer, folder: Folder, id: str, fd: int, status: os.stat_result) -> Repaired:
    path = folder.file(companions.journal_name(id))
    if status.st_nlink > 1:
        raise HardLinked(
            sentence(
                "{path} has {count} names (a backup by hard links?): it is not changed",
                path=path,
                count=status.st_nlink,
            ),
            path=path,
            nlink=status.st_nlink,
        )
    data = _read(layer, folder, id, fd, status)
    plan = rescue.plan(data)
    report = _report(folder, id, status, data, plan)
    with explained("repair", path):
        tightened = layer.tighten(fd, status)
        if report.health != "findings" or not plan.findings or not plan.repairable:
            return Repaired(id, tightened, report.records, 0, 0, 0, None, tightened, report)
        backup = _back_up(layer, folder, id, data)
        for piece in plan.aside:
            keep(layer, folder, id, fd, piece.offset, len(piece.data))
        layer.atomic_write(folder, companions.journal_name(id), plan.output)
    return Repaired(
        id,
        changed=True,
        records=plan.records,
        rescued=plan.rescued,
        aside_pieces=len(plan.aside),
        aside_bytes=sum(len(piece.data) for piece in plan.aside),
        backup=backup,
        tightened=tightened,
        report=report,
    )


def _report(
    folder: Folder, id: str, status: os.stat_result, data: bytes, plan: rescue.Plan
) -> Report:
    path = folder.file(companions.journal_name(id))
    notes = _file_notes(id, status, data)
    health: Health = "findings" if plan.findings else "clean"
    message = ""
    never_begun = not plan.records and all(found.kind in ("torn", "nul") for found in plan.findings)
    if never_begun or not data.strip(b" \t\r\n\x00"):
        health = "empty"
        torn = sum(found.size for found in plan.findings if found.kind == "torn")
        part = f" ({torn} bytes of an incomplete one)" if torn else ""
        message = f"no record was ever written{part}: the run never started and can be removed"
        return Report(id, path, health, len(data), 0, [], notes, message)
    version = _version(data)
    if version > VERSION:
        message = f"written by a newer program: version {version}, this Tenuto reads 1 to {VERSION}"
        return Report(id, path, "newer", len(data), 0, [], notes, message)
    return Report(id, path, health, len(data), plan.records, plan.findings, notes, message)


def _while_running(report: Report, pid: int | None) -> Report:
    """The report of a run that somebody writes: a line without an end is still being written."""
    end = ("torn", "unterminated")
    findings = [finding for finding in report.findings if finding.kind not in end]
    health = report.health
    if health == "findings" and not findings:
        health = "clean"
    return msgspec.structs.replace(report, findings=findings, health=health, pid=pid)


def _version(data: bytes) -> int:
    """The schema version that the first line names; 0 where it names none."""
    with contextlib.suppress(JournalError):
        record = decode_record(data.lstrip().split(b"\n", 1)[0])
        if isinstance(record.payload, Meta):
            return record.payload.version
    return 0


def _file_notes(id: str, status: os.stat_result, data: bytes) -> list[FileNote]:
    found = []
    mode = stat.S_IMODE(status.st_mode)
    if os.name == "posix" and mode & 0o077:
        text = f"mode {mode:04o}: other users of this machine may reach it; repair makes it 0600"
        found.append(FileNote("mode", text))
    if status.st_nlink > 1:
        text = (
            f"{status.st_nlink} names for one file (a backup by hard links?): "
            "it is read, but nothing is appended to it; make a copy of its own to go on"
        )
        found.append(FileNote("hard_linked", text))
    with contextlib.suppress(JournalError):
        record = decode_record(data.split(b"\n", 1)[0])
        if isinstance(record.payload, Meta) and record.payload.run_id not in ("", id):
            inside = record.payload.run_id
            text = f"the journal says it is run {inside}: the file was renamed or copied"
            found.append(FileNote("foreign_id", text))
    return found


def _back_up(layer: FileLayer, folder: Folder, id: str, data: bytes) -> str:
    """Write the journal as it was under the first free ``<id>.doctor-N.bak``; durable on return."""
    fd, name = _create_backup(layer, folder, id)
    try:
        try:
            layer.write_all(fd, data, path=folder.file(name))
            layer.fsync(fd)
        finally:
            layer.close(fd)
    except BaseException:
        # Half a copy helps nobody, and the journal is still as it was.
        with contextlib.suppress(OSError):
            layer.unlink(folder, name)
        raise
    layer.fsync_dir(folder)
    return name


def _create_backup(layer: FileLayer, folder: Folder, id: str) -> tuple[int, str]:
    for number in itertools.count(1):
        name = f"{id}.doctor-{number}.bak"
        with contextlib.suppress(FileExistsError):
            return layer.open(folder, name, os.O_WRONLY | os.O_CREAT | os.O_EXCL), name
    raise AssertionError("itertools.count ends")


@contextlib.contextmanager
def _folder(layer: FileLayer, directory: str | os.PathLike[str]) -> Iterator[Folder]:
    path = os.path.realpath(directory)
    try:
        folder = layer.open_dir(path)
    except FileNotFoundError:
        raise RunNotFound(
            sentence("there is no runs folder at {path}", path=path), path=path
        ) from None
    except OSError as error:
        raise StoreIO(
            sentence("cannot open {path}: {reason}", path=path, reason=system_said(error)),
            path=path,
            errno=error.errno,
        ) from error
    with folder:
        yield folder


@contextlib.contextmanager
def _opened(layer: FileLayer, folder: Folder, id: str) -> Iterator[tuple[int, os.stat_result]]:
    name = companions.journal_name(id)
    path = folder.file(name)
    try:
        fd, status = layer.open_regular(folder, name)
    except FileNotFoundError:
        raise _not_found(folder, id) from None
    except OSError as error:
        raise explain(error, "open", path) from error
    try:
        yield fd, status
    finally:
        layer.close(fd)


def _not_found(folder: Folder, id: str) -> RunNotFound:
    return RunNotFound(
        sentence("there is no run {id} in {path}", id=id, path=folder.path), id=id, path=folder.path
    )


def _read(layer: FileLayer, folder: Folder, id: str, fd: int, status: os.stat_result) -> bytes:
    path = folder.file(companions.journal_name(id))
    if status.st_size > MAX_SIZE:
        raise StoreIO(
            sentence(
                "{path} holds {size} bytes, more than doctor looks at",
                path=path,
                size=status.st_size,
            ),
            path=path,
        )
    with explained("read", path):
        layer.seek(fd, 0)
        parts = []
        while part := layer.read(fd, 1024 * 1024):
            parts.append(part)
    return b"".join(parts)
