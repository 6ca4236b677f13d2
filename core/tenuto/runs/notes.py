# SPDX-License-Identifier: Apache-2.0
"""``<id>.notes.json``: what is remembered of a run (design.md, "The files of a run").

It is not the journal: it may be written while the run is in use by somebody else. Keys that this
version does not know are kept on save, and a file that cannot be read is never overwritten unkept.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import Any, Self

import msgspec

from tenuto import gojson
from tenuto.errors import NotAFile, RunNotFound, StoreIO
from tenuto.runs.companions import NOTES, journal_name
from tenuto.runs.files import FileLayer, Folder, explained
from tenuto.runs.ids import check_id
from tenuto.runs.removal import set_aside
from tenuto.sentences import sentence

_KEYS = ("title", "pinned", "note", "parent", "config", "cwd", "forced", "begun")
#: How long a second writer of notes waits for the first, in seconds; then it goes on without.
_PATIENCE = 5.0


class Parent(msgspec.Struct, frozen=True):
    """The run that this one was forked from, and the last record that was taken over."""

    id: str
    seq: int


class Forced(msgspec.Struct, frozen=True):
    """A resume that was forced under a changed configuration."""

    #: RFC 3339, UTC.
    time: str
    config: str
    #: Rows as in ``session diff``.
    diff: list[dict[str, Any]] = []


class Notes(msgspec.Struct, frozen=True, omit_defaults=True):
    """The notes of a run; every field may be absent (None, False, empty)."""

    #: The operator's name for the run; None: the prompt's first line serves.
    title: str | None = None
    pinned: bool = False
    note: str | None = None
    parent: Parent | None = None
    #: The agent configuration of the last run or resume, and its working directory.
    config: str | None = None
    cwd: str | None = None
    forced: tuple[Forced, ...] = ()
    #: The terminal record behind which a resume began to run the open batch. While it is the last
    #: one, the first call of that batch may have happened.
    begun: int = 0
    #: What the file held besides: kept as it is.
    other: dict[str, Any] = msgspec.field(default_factory=dict)
    #: Why the file could not be read, or None.
    problem: str | None = None

    def to_bytes(self) -> bytes:
        """The file: keys in design.md's order, absent ones left out, unknown ones behind."""
        mine = msgspec.to_builtins(self)
        data = {key: mine[key] for key in _KEYS if key in mine}
        data |= {key: value for key, value in self.other.items() if key not in data}
        return gojson.encode_any(data) + b"\n"

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read the file; a value of the wrong type is kept as unknown until it is replaced."""
        try:
            found = msgspec.json.decode(data, type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            return cls(problem=str(error))
        values: dict[str, Any] = {}
        other: dict[str, Any] = {}
        for key, value in found.items():
            kind = _TYPES.get(key)
            if kind is None:
                other[key] = value
                continue
            try:
                values[key] = msgspec.convert(value, kind)
            except msgspec.ValidationError:
                other[key] = value
        return cls(**values, other=other)


_TYPES: dict[str, Any] = {
    "title": str | None,
    "pinned": bool,
    "note": str | None,
    "parent": Parent | None,
    "config": str | None,
    "cwd": str | None,
    "forced": tuple[Forced, ...],
    "begun": int,
}


class NotesChanged(msgspec.Struct, frozen=True):
    """What :func:`update` changed."""

    id: str
    notes: Notes
    #: Names of the fields whose value is another one now.
    fields: tuple[str, ...]


def load(directory: str | os.PathLike[str], id: str, *, layer: FileLayer | None = None) -> Notes:
    """The notes of a run; empty where there are none, ``problem`` set where unreadable."""
    layer = layer or FileLayer()
    check_id(id)
    try:
        with layer.open_dir(os.path.realpath(directory)) as folder:
            return _read(layer, folder, id)
    except OSError:
        return Notes()


def _read(layer: FileLayer, folder: Folder, id: str) -> Notes:
    try:
        return Notes.from_bytes(layer.read_all(folder, id + NOTES))
    except FileNotFoundError:
        return Notes()
    except (OSError, StoreIO, NotAFile) as error:
        return Notes(problem=str(error))


def update(
    directory: str | os.PathLike[str], id: str, *, layer: FileLayer | None = None, **changes: Any
) -> NotesChanged:
    """Change some fields and keep the others, as they are on disk now; durable on return.

    ``changes``: fields of :class:`Notes` by name; None (False, empty) takes a field away.

    :raises RunNotFound: there is no such run.
    :raises NotAFile: the name of the notes, or the run's own, is taken by something that is not a
        file of ours.
    :raises StoreIO: the notes cannot be written.
    """
    return _change(directory, id, layer, lambda old: msgspec.structs.replace(old, **changes))


def add_forced(
    directory: str | os.PathLike[str], id: str, forced: Forced, *, layer: FileLayer | None = None
) -> NotesChanged:
    """Note that a resume was forced. Raises as :func:`update` does."""

    def add(old: Notes) -> Notes:
        return msgspec.structs.replace(old, forced=(*old.forced, forced))

    return _change(directory, id, layer, add)


def _change(
    directory: str | os.PathLike[str],
    id: str,
    layer: FileLayer | None,
    change: Callable[[Notes], Notes],
) -> NotesChanged:
    layer = layer or FileLayer()
    check_id(id)
    path = os.path.join(directory, id + NOTES)
    with explained("write", path):
        try:
            folder = layer.open_dir(os.path.realpath(directory))
        except FileNotFoundError:
            raise _not_found(id, directory) from None
        with folder, alone(folder):
            try:
                name = journal_name(id)
                layer.check_regular(folder, name, layer.lstat(folder, name))
            except FileNotFoundError:
                raise _not_found(id, directory) from None
            try:
                old = Notes.from_bytes(layer.read_all(folder, id + NOTES))
            except FileNotFoundError:
                old = Notes()
            if old.problem is not None:
                set_aside(layer, folder, id + NOTES)
                old = Notes()
            new = change(old)
            fields = tuple(key for key in _KEYS if getattr(old, key) != getattr(new, key))
            if fields:
                layer.atomic_write(folder, id + NOTES, new.to_bytes())
            return NotesChanged(id, new, fields)


def _not_found(id: str, directory: str | os.PathLike[str]) -> RunNotFound:
    return RunNotFound(
        sentence("no run {id} in {directory}", id=id, directory=os.fspath(directory)), id=id
    )


@contextlib.contextmanager
def alone(folder: Folder) -> Iterator[None]:
    """Let two writers of notes in one folder follow each other, so that neither's change is lost.

    The folder itself is locked: no further file is needed, and no other program minds. Where that
    does not work, or takes too long, the notes are written all the same.
    """
    if folder.fd is None:
        yield
        return
    import fcntl

    end = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(folder.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() < end:
                time.sleep(0.01)
                continue
        except OSError:
            pass
        break
    # Closing the folder unlocks it.
    yield
