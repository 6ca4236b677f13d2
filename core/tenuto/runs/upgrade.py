# SPDX-License-Identifier: Apache-2.0
"""Rewriting a version 1 or 2 journal as version 3 before a resume (run-journal.md, "Versions").

One journal holds one shape, so nothing of version 3 is appended behind old records. The original is
kept, byte for byte, before the new file takes its name in one step.
"""

from __future__ import annotations

import contextlib
import os
import secrets

import msgspec

from tenuto.errors import NotAFile, StoreIO
from tenuto.fingerprint import Fingerprint
from tenuto.records import VERSION, Meta, Record, encode_record
from tenuto.runs.companions import journal_name, temp_name
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.moving import copy, same_bytes
from tenuto.runs.reader import JournalScan
from tenuto.runs.tail import refuse_hidden
from tenuto.sentences import sentence


class Upgraded(msgspec.Struct, frozen=True):
    """What a rewrite changed."""

    id: str
    #: The version the journal had.
    version: int
    #: The name of the file that holds the original.
    backup: str
    records: int
    #: Bytes of an incomplete last record, which are in the backup only.
    left_out: int


def rewrite(
    layer: FileLayer,
    folder: Folder,
    id: str,
    fd: int,
    found: JournalScan,
    fingerprint: Fingerprint | None,
) -> tuple[Upgraded, int]:
    """Replace the journal behind ``fd`` by one of version 3; what changed, and the new descriptor.

    The caller holds the run's lock and has checked ``found``. Record numbers stay. Without a new
    ``fingerprint`` the old one stays but for its provider, which was always anthropic.

    :raises CorruptJournal: another program appended behind a torn record; doctor saves it.
    :raises OSError: the system said no; the journal is then either the old or the new one, whole.
    """
    meta = found.records[0].payload
    if not isinstance(meta, Meta):
        raise StoreIO(
            sentence("run {id} has no meta record", id=id), path=folder.file(journal_name(id))
        )
    kept = fingerprint or msgspec.structs.replace(
        meta.fingerprint, provider=meta.fingerprint.provider or "anthropic"
    )
    first = msgspec.structs.replace(meta, version=VERSION, fingerprint=kept)
    payloads = [first, *(record.payload for record in found.records[1:])]
    numbers = [record.seq for record in found.records]
    data = b"".join(encode_record(Record(n, p), n) for n, p in zip(numbers, payloads, strict=True))

    refuse_hidden(layer, fd, found, folder.file(journal_name(id)))
    left_out = 0
    if found.tail is not None and found.tail.kind != "unterminated":
        left_out = layer.fstat(fd).st_size - found.good_end
    backup = keep_original(layer, folder, id, fd, f"v{meta.version}")
    new = _replace(layer, folder, journal_name(id), data)
    return Upgraded(id, meta.version, backup, len(numbers), left_out), new


def _replace(layer: FileLayer, folder: Folder, name: str, data: bytes) -> int:
    """Put a new file of ``data`` in place of ``name``; it stays open for reading and appending."""
    temp = temp_name(name, secrets.token_hex(8))
    new = layer.open(folder, temp, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL)
    try:
        try:
            layer.tighten(new, layer.fstat(new))
            layer.write_all(new, data, path=folder.file(name))
            layer.fsync(new)
            layer.rename(folder, temp, folder, name)
        except BaseException:
            with contextlib.suppress(OSError):
                layer.unlink(folder, temp)
            raise
        layer.fsync_dir(folder)
    except BaseException:
        layer.drop(new)
        raise
    return new


def keep_original(layer: FileLayer, folder: Folder, id: str, fd: int, label: str) -> str:
    """Copy the journal behind ``fd`` to ``<id>.<label>.bak``, compared and durable; its name.

    A file that is there is never overwritten: if it holds these bytes already it serves (an earlier
    rewrite was broken off behind the copy), else the copy gets a number.
    """
    number = 1
    name = f"{id}.{label}.bak"
    while layer.exists(folder, name):
        if _holds(layer, folder, name, fd):
            layer.fsync_dir(folder)
            return name
        number += 1
        name = f"{id}.{label}-{number}.bak"
    copy(layer, folder, journal_name(id), folder, name)
    layer.fsync_dir(folder)
    return name


def _holds(layer: FileLayer, folder: Folder, name: str, fd: int) -> bool:
    try:
        other, _ = layer.open_regular(folder, name)
    except (FileNotFoundError, NotAFile):
        return False
    try:
        return same_bytes(layer, fd, other)
    finally:
        layer.drop(other)
