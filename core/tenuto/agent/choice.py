# SPDX-License-Identifier: Apache-2.0
"""Which configuration a run goes on with when nobody names one: the same answer for all who ask."""

from __future__ import annotations

import os
from pathlib import Path

from tenuto.agent import folder_choice, reasonix_config, seen, session_notes
from tenuto.agent.config import load_config
from tenuto.errors import ConfigError
from tenuto.paths import runs_dir
from tenuto.payloads import Meta
from tenuto.runs import notes
from tenuto.runs.companions import JOURNAL, was_upgraded
from tenuto.runs.file import FileRunStore
from tenuto.runs.files import FileLayer
from tenuto.runs.reader import scan
from tenuto.settings import Settings
from tenuto.sources.base import SessionSummary

#: Bytes of a journal that are read for its first record, which holds the fingerprint.
_HEAD = 64 << 20


def last_used(directory: str | os.PathLike[str], id: str) -> str | None:
    """The configuration of the last run or resume, if it still is a file."""
    config = notes.load(directory, id).config
    return config if config and os.path.isfile(config) else None


def last_used_in(directory: str | os.PathLike[str]) -> str | None:
    """The configuration last used in a folder of runs, whichever run it was."""
    return folder_choice.recall(directory)


def known_in(directory: str | os.PathLike[str]) -> list[str]:
    """All known configurations, the last one used in this folder first."""
    here = last_used_in(directory)
    known = [str(path) for path in seen.known()]
    return list(dict.fromkeys([here, *known] if here else known))


def matching(directory: str | os.PathLike[str], id: str) -> str | None:
    """A known configuration whose fingerprint is the one saved; also for a damaged journal.

    Resolves configurations whose files changed: call it where a program may be run and waited for.
    :raises StoreError: the journal cannot be read.
    """
    meta = _first_record(directory, id)
    if meta is None:
        return None
    found = seen.matching(
        meta.fingerprint,
        version=meta.version,
        has_backup=was_upgraded(os.fspath(directory), id),
    )
    return str(found[0]) if found else None


def configuration_for(directory: str | os.PathLike[str], id: str) -> str | None:
    """What a resume offers first: the last one used, else one that matches."""
    return last_used(directory, id) or matching(directory, id)


def configuration_of(summary: SessionSummary) -> str | None:
    """What a resume of a listed session offers first, of whatever source it is.

    For a Reasonix session that is the last one used, else Reasonix's own.
    """
    if summary.source == "reasonix":
        return configuration_of_session(summary.path)
    directory, name = os.path.split(summary.path)
    return configuration_for(directory, name.removesuffix(JOURNAL))


def last_used_of(summary: SessionSummary) -> str | None:
    """The configuration that a listed session was last resumed with, if it still is a file."""
    if summary.source == "reasonix":
        config = session_notes.recall(summary.path).config
        return config if os.path.isfile(config) else None
    directory, name = os.path.split(summary.path)
    return last_used(directory, name.removesuffix(JOURNAL))


def configuration_of_session(path: str) -> str | None:
    """As :func:`configuration_of`, for the Reasonix session at ``path``."""
    config = session_notes.recall(path).config
    if os.path.isfile(config):
        return config
    found = reasonix_config.find(path)
    return None if found is None else str(found)


def runs_dir_with(config: str, settings: Settings) -> Path | None:
    """The runs folder of a ``tenuto resume --config`` that names none; None: that cannot be told.

    Reads the configuration's file.
    """
    try:
        named = load_config(config).runs_directory
    except ConfigError:
        return None
    return runs_dir(config=named, settings=settings)


def working_directory_of(summary: SessionSummary) -> str:
    """Where a listed session last ran its tools; "" where nobody knows."""
    if summary.source == "reasonix":
        return session_notes.recall(summary.path).cwd
    directory, name = os.path.split(summary.path)
    return notes.load(directory, name.removesuffix(JOURNAL)).cwd or ""


def _first_record(directory: str | os.PathLike[str], id: str) -> Meta | None:
    path = Path(FileRunStore(directory).path(id))
    layer = FileLayer()
    with layer.open_dir(str(path.parent)) as folder:
        descriptor, _status = layer.open_regular(folder, path.name)
        with open(descriptor, "rb") as file:
            records = scan(file.readline(_HEAD)).records
    payload = records[0].payload if records else None
    return payload if isinstance(payload, Meta) else None
