# SPDX-License-Identifier: Apache-2.0
"""One entry of the trash: a folder ``<time>-<id>`` with the files of a run and ``.entry.json``.

``.entry.json`` is written before the first file moves and says what is going on, so that whatever
breaks off in the middle is brought to an end by the next command: a run is then either whole in its
folder or whole in the trash.
"""

from __future__ import annotations

import contextlib
import re
from datetime import UTC, datetime
from typing import Literal

import msgspec

from tenuto.errors import CorruptJournal, NotAFile, StoreError, StoreIO
from tenuto.records import Meta, decode_record
from tenuto.runs import companions
from tenuto.runs.companions import journal_name, owner_of, renamed
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.ids import valid_id
from tenuto.runs.lock import RunLock
from tenuto.runs.moving import contains, move
from tenuto.sentences import sentence

INFO = ".entry.json"
#: In front of the name of an entry that is being removed for good.
PURGING = ".purging-"
_TOKEN = re.compile(r"(?P<time>[0-9]{8}T[0-9]{6}\.[0-9]{6}Z)-(?P<id>.+)")
_TIME = "%Y%m%dT%H%M%S.%fZ"
#: Of a prompt or title, in characters.
_TITLE = 200


class Place(msgspec.Struct, frozen=True):
    """A folder of runs, and an id in it."""

    directory: str
    id: str


class Info(msgspec.Struct, frozen=True, omit_defaults=True):
    """What ``.entry.json`` holds."""

    id: str
    #: The folder the run came from.
    origin: str
    #: RFC 3339, UTC.
    time: str
    title: str
    #: Names of the files that belong to the entry, as they were in the folder of runs.
    files: tuple[str, ...]
    #: ``moving`` and ``copying`` until the last file is here.
    state: Literal["moving", "copying", "kept"] = "moving"
    #: Where a restore is taking it to.
    restoring: Place | None = None

    def places(self) -> list[Place]:
        """Where files of the entry may be besides the entry itself."""
        origin = Place(self.origin, self.id)
        if self.restoring is None or self.restoring == origin:
            return [origin]
        return [origin, self.restoring]


def token_for(id: str, when: datetime) -> str:
    """The name of an entry."""
    return f"{when.astimezone(UTC).strftime(_TIME)}-{id}"


def parse_token(token: str) -> tuple[str, datetime] | None:
    """The id and the time in an entry's name; None for any other name."""
    match = _TOKEN.fullmatch(token)
    if match is None or not valid_id(match["id"]):
        return None
    try:
        when = datetime.strptime(match["time"], _TIME).replace(tzinfo=UTC)
    except ValueError:
        return None
    return match["id"], when


def read_info(layer: FileLayer, entry: Folder, token: str) -> Info:
    """What the entry says of itself, or what its name says where it says nothing of sense.

    :raises OSError: it cannot be read.
    """
    with contextlib.suppress(
        FileNotFoundError, NotAFile, msgspec.MsgspecError, UnicodeDecodeError, RecursionError
    ):
        info = msgspec.json.decode(layer.read_all(entry, INFO), type=Info)
        if valid_id(info.id):
            return info
    return info_of_name(token)


def info_of_name(token: str) -> Info:
    """What the name of an entry says."""
    parsed = parse_token(token)
    if parsed is None:
        raise StoreIO(sentence("{token} is no entry of the trash", token=token), path=token)
    id, when = parsed
    return Info(id, "", when.isoformat().replace("+00:00", "Z"), "", (), "kept")


def write_info(layer: FileLayer, entry: Folder, info: Info) -> None:
    """Make ``info`` durable.

    :raises StoreIO: it names a folder that JSON cannot name, and nobody would find again.
    """
    try:
        data = msgspec.json.encode(info)
    except UnicodeEncodeError as error:
        path = info.origin if info.restoring is None else info.restoring.directory
        text = sentence(
            "the name of {path} is no UTF-8, so the trash cannot keep it: rename the folder",
            path=path,
        )
        raise StoreIO(text, path=path) from error
    layer.atomic_write(entry, INFO, data + b"\n")


def files_in(layer: FileLayer, entry: Folder, id: str) -> list[str]:
    """The names in the entry that belong to run ``id``, by name."""
    with layer.scandir(entry) as found:
        names = [item.name for item in found]
    return sorted(name for name in names if (owner_of(name) or ("", ""))[0] == id)


def title_of(layer: FileLayer, folder: Folder, id: str) -> str:
    """The operator's title, else the prompt's first line, else nothing; at most 200 characters."""
    from tenuto.runs.notes import Notes

    with contextlib.suppress(OSError, StoreError):
        title = Notes.from_bytes(layer.read_all(folder, id + companions.NOTES)).title
        if title:
            return title[:_TITLE]
    # A journal without a first record, or with a damaged one, goes to the trash as any other.
    with contextlib.suppress(OSError, StoreError, CorruptJournal):
        fd, _ = layer.open_regular(folder, journal_name(id))
        try:
            line = layer.read(fd, 1024 * 1024).split(b"\n")[0]
        finally:
            layer.drop(fd)
        payload = decode_record(line, None).payload
        if isinstance(payload, Meta):
            return next(iter(payload.prompt.strip().splitlines()), "")[:_TITLE]
    return ""


def complete(layer: FileLayer, entry: Folder, info: Info) -> bool:
    """Bring an entry whose move or restore was broken off to one end; whether it is still one.

    The trash is locked. The run's own lock is taken for what happens in its folder; while somebody
    holds it (:class:`Locked`) nothing is changed. A folder that is not there may be back tomorrow,
    with its disk, and files of the run in it: until then the entry stays broken off, so that the
    run is not in both places for good.
    """
    if info.state == "kept" and info.restoring is None:
        return True
    away = False
    for place in info.places():
        try:
            folder = layer.open_dir(place.directory)
        except (FileNotFoundError, NotAFile):
            away = True
            continue
        with folder, RunLock(folder, place.id, layer=layer) as lock:
            there = layer.exists(folder, journal_name(place.id))
            if there and _is_elsewhere(layer, entry, info, folder, place.id):
                drop(layer, entry, files_in(layer, entry, info.id))
                return False
            if not there:
                if layer.exists(entry, journal_name(info.id)):
                    gather(layer, entry, info, folder, place.id)
                lock.unlink()
                layer.fsync_dir(folder)
    if not away:
        write_info(layer, entry, msgspec.structs.replace(info, state="kept", restoring=None))
    return True


def _is_elsewhere(layer: FileLayer, entry: Folder, info: Info, folder: Folder, id: str) -> bool:
    """Whether every byte of the entry is in ``folder`` too: then the entry is one too many."""
    for name in files_in(layer, entry, info.id):
        if (owner_of(name) or ("", ""))[1] in companions.CACHES:
            continue
        if not contains(layer, folder, renamed(name, info.id, id), entry, name):
            return False
    return True


def gather(layer: FileLayer, entry: Folder, info: Info, folder: Folder, id: str) -> None:
    """Bring those files of the entry that are still, or already, in a folder of runs into it."""
    for name in info.files:
        there = renamed(name, info.id, id)
        if not layer.exists(folder, there):
            continue
        with contextlib.suppress(NotAFile):
            if not layer.exists(entry, name):
                move(layer, folder, there, entry, name)
            elif contains(layer, entry, name, folder, there):
                layer.unlink(folder, there)
                # From here on the run is gone from the folder, whatever happens to the others.
                layer.fsync_dir(folder)
    layer.fsync_dir(entry)
    layer.fsync_dir(folder)


def drop(layer: FileLayer, entry: Folder, names: list[str]) -> None:
    """Remove files of an entry, what it says of itself last."""
    with layer.scandir(entry) as found:
        # An ``.entry.json`` that was never finished.
        unfinished = [item.name for item in found if item.name.startswith(f".{INFO}.")]
    for name in [*names, *unfinished, INFO]:
        with contextlib.suppress(FileNotFoundError):
            layer.unlink(entry, name)
