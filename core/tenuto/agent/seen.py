# SPDX-License-Identifier: Apache-2.0
"""The agent configurations that Tenuto has met, and which of them fits a run.

The list lies in the data folder. Each entry keeps the fingerprints it last came to, with the size
and times of the files and of the application that they came from, so that asking again costs a few
``stat`` calls. It is a convenience and never an authority: a resume resolves afresh.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from tenuto import guard, paths
from tenuto.errors import ConfigError, StoreError
from tenuto.fingerprint import Fingerprint
from tenuto.runs.files import FileLayer

if TYPE_CHECKING:
    from tenuto.agent.resolve import ResolvedAgent

_NAME = "known_configs.json"
#: Entries kept, the last used first.
MOST = 100


class _Stamp(msgspec.Struct, frozen=True):
    path: str
    size: int
    mtime_ns: int


class _Entry(msgspec.Struct):
    path: str
    #: What the fingerprints came from; empty where the configuration could not be resolved.
    stamps: list[_Stamp] = []
    fingerprint: Fingerprint = Fingerprint()
    wire: list[Fingerprint] = []


class _Known(msgspec.Struct):
    configs: list[_Entry] = []
    schema: int = 1


def remember(
    path: str | os.PathLike[str],
    resolved: ResolvedAgent | None = None,
    *,
    directory: Path | None = None,
) -> bool:
    """Put a configuration first in the list; ``resolved`` saves resolving it later.

    False, and nothing else, where the list cannot be written.
    """
    absolute = os.path.abspath(path)
    known = _load(directory)
    entry = next((e for e in known.configs if e.path == absolute), _Entry(absolute))
    if resolved is not None:
        _fill(entry, resolved)
    known.configs = [entry, *(e for e in known.configs if e.path != absolute)][:MOST]
    return _save(known, directory)


def forget(path: str | os.PathLike[str], *, directory: Path | None = None) -> bool:
    """Take a configuration off the list; False where that cannot be written."""
    absolute = os.path.abspath(path)
    known = _load(directory)
    known.configs = [entry for entry in known.configs if entry.path != absolute]
    return _save(known, directory)


def known(*, directory: Path | None = None) -> list[Path]:
    """The remembered configurations that are there, the last used first."""
    return [Path(e.path) for e in _load(directory).configs if os.path.isfile(e.path)]


def matching(
    fingerprint: Fingerprint,
    *,
    version: int = 3,
    has_backup: bool = False,
    directory: Path | None = None,
) -> list[Path]:
    """The remembered configurations under which such a run resumes without force.

    Missing and broken ones are skipped. One whose files changed is resolved again, which runs its
    application's introspection.
    """
    known = _load(directory)
    found: list[Path] = []
    changed = False
    for entry in known.configs:
        if not os.path.isfile(entry.path):
            continue
        if not _fresh(entry):
            changed = True
            if not _resolve(entry):
                continue
        verdict = guard.check(
            fingerprint,
            entry.fingerprint,
            version=version,
            wire=entry.wire,
            has_backup=has_backup,
        )
        if verdict.equal:
            found.append(Path(entry.path))
    if changed:
        _save(known, directory)
    return found


def _resolve(entry: _Entry) -> bool:
    from tenuto.agent.config import load_config, resolve

    try:
        config = load_config(entry.path)
        if config.tenuto.mcp_servers:
            # Servers are started for a run or a check, not for looking around.
            return False
        _fill(entry, resolve(config))
    except ConfigError:
        entry.stamps = []
        return False
    return True


def _fill(entry: _Entry, resolved: ResolvedAgent) -> None:
    programs = [tool.program for tool in resolved.tools if tool.source == "application"]
    stamps = [_stamp(str(file)) for file in (*resolved.config.files, *dict.fromkeys(programs))]
    entry.stamps = [stamp for stamp in stamps if stamp is not None]
    if len(entry.stamps) != len(stamps):
        entry.stamps = []
    # That no file of its own keys lies beside it is part of what was read.
    beside = _beside(entry.path)
    if entry.stamps and beside not in {stamp.path for stamp in entry.stamps}:
        entry.stamps.append(_Stamp(beside, -1, 0))
    entry.fingerprint = resolved.fingerprint
    entry.wire = [resolved.wire_fingerprint, *resolved.wire_alternatives]


def _beside(path: str) -> str:
    return str(Path(path).with_name(Path(path).stem + ".tenuto.yaml"))


def _fresh(entry: _Entry) -> bool:
    return bool(entry.stamps) and all(
        (_stamp(stamp.path) or _Stamp(stamp.path, -1, 0)) == stamp for stamp in entry.stamps
    )


def _stamp(path: str) -> _Stamp | None:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return _Stamp(path, status.st_size, status.st_mtime_ns)


def _load(directory: Path | None) -> _Known:
    layer = FileLayer()
    try:
        with layer.open_dir(_path(directory)) as folder:
            return msgspec.json.decode(layer.read_all(folder, _NAME), type=_Known)
    except (OSError, StoreError, msgspec.DecodeError, UnicodeDecodeError):
        # Missing or not readable: the list begins anew, nothing else depends on it.
        return _Known()


def _save(known: _Known, directory: Path | None) -> bool:
    layer = FileLayer()
    try:
        with layer.make_dir(_path(directory)) as folder:
            layer.atomic_write(folder, _NAME, msgspec.json.encode(known))
    except (OSError, StoreError, UnicodeEncodeError):
        # The last: a path that is no UTF-8, which JSON cannot hold.
        return False
    return True


def _path(directory: Path | None) -> str:
    return os.path.realpath(directory or paths.data_dir())


__all__: Sequence[str] = ("MOST", "forget", "known", "matching", "remember")
