# SPDX-License-Identifier: Apache-2.0
"""The session tools over all sources: runs, and Reasonix sessions of every generation.

They only read, and only below the folders they were given.
"""

from __future__ import annotations

import os
from collections import Counter

from tenuto.errors import SessionNotFound, TenutoError
from tenuto.fingerprint import ToolDefinition
from tenuto.reasonix.convert import run_messages
from tenuto.reasonix.model import Message
from tenuto.reasonix.names import SESSION, is_session_name, model_of
from tenuto.reasonix.normalise import normalize_session
from tenuto.reasonix.session_tools import (
    LIST_TOOL,
    READ_TOOL,
    ReadArguments,
    Row,
    refusal,
    table,
    transcript,
)
from tenuto.reasonix.store import load_session
from tenuto.reasonix.v4 import FRAMES, read_v4
from tenuto.runs.companions import JOURNAL, journal_name
from tenuto.runs.file import FileRunStore
from tenuto.sentences import sentence
from tenuto.sources.base import SessionSummary
from tenuto.sources.reasonix import ReasonixSource
from tenuto.sources.runs import RunSource


class SessionTools:
    """``list_sessions`` and ``read_session`` for a folder of runs, a Reasonix root, or both."""

    def __init__(
        self,
        *,
        runs: str | os.PathLike[str] | None = None,
        reasonix: str | os.PathLike[str] | None = None,
        cache: str | os.PathLike[str] | None = None,
    ) -> None:
        self._runs = None if runs is None else RunSource(runs, cache=cache)
        self._reasonix = None if reasonix is None else ReasonixSource(reasonix, cache=cache)

    @property
    def definitions(self) -> list[ToolDefinition]:
        """Names, descriptions and schemas of both tools."""
        return [LIST_TOOL, READ_TOOL]

    def call(self, name: str, raw: bytes | str) -> str:
        """Answer a call. Raises ToolInputError with what to tell the model."""
        return self.read_session(raw) if name == READ_TOOL.name else self.list_sessions()

    def list_sessions(self) -> str:
        """All sessions of all folders, newest first, as a Markdown table."""
        found: list[SessionSummary] = []
        for source in (self._runs, self._reasonix):
            if source is not None:
                found += _counted(source)
        found.sort(key=lambda row: (row.updated[:-1], row.id), reverse=True)
        names = Counter(_file(row) for row in found)
        return table(_row(row, alone=names[_file(row)] == 1) for row in found)

    def read_session(self, raw: bytes | str) -> str:
        """One session as Markdown. ``raw``: the arguments, as a model wrote them.

        :raises ToolInputError: what was asked for cannot be read, and why.
        """
        arguments = ReadArguments.parse(raw)
        folder, path = self._find(arguments.session or "")
        try:
            messages = self._messages(folder, path)
        except TenutoError as error:
            raise refusal(error.message) from error
        return transcript(os.path.basename(path), messages, arguments)

    def _folders(self) -> list[str]:
        folders = [] if self._runs is None else [self._runs.directory]
        if self._reasonix is not None:
            folders += [os.path.realpath(where.path) for where in self._reasonix.folders()]
        return folders

    def _find(self, session: str) -> tuple[str, str]:
        """The folder and the path that ``session`` names; symlinks are resolved, then judged."""
        bare = os.sep not in session and "/" not in session
        folders = self._folders()
        for folder in folders:
            try:
                path = os.path.realpath(os.path.join(folder, session) if bare else session)
            except ValueError:
                break
            if os.path.dirname(path) == folder and (os.path.lexists(path) or not bare):
                return folder, path
        if bare and folders and session not in ("", ".", ".."):
            raise refusal(f"there is no session {session!r}")
        raise refusal(f"path {session!r} is outside the session directory")

    def _messages(self, folder: str, path: str) -> list[Message]:
        name = os.path.basename(path)
        if self._runs is not None and folder == self._runs.directory and name.endswith(JOURNAL):
            records = FileRunStore(folder).load(name[: -len(JOURNAL)])
            return normalize_session(run_messages(record.payload for record in records))
        if os.path.isfile(os.path.join(path, FRAMES)):
            return normalize_session([found.message for found in read_v4(path).messages])
        if not is_session_name(name):
            raise SessionNotFound(sentence("{path} is not a session", path=path), path=path)
        return load_session(path)


def _counted(source: RunSource | ReasonixSource) -> list[SessionSummary]:
    """The sessions of a source with their counts; Reasonix's are read where no sidecar counts."""
    listing = source.list()
    unknown = [
        row.id
        for row in listing.summaries
        if row.id in listing.pending and (row.source == "fisk-ai" or not row.turns)
    ]
    if unknown:
        source.build_pending(unknown)
        listing = source.list()
    return listing.summaries


def _file(row: SessionSummary) -> str:
    return journal_name(row.id) if row.source == "fisk-ai" else os.path.basename(row.path)


def _row(row: SessionSummary, *, alone: bool) -> Row:
    file = _file(row)
    model = row.model or (model_of(file) if file.endswith(SESSION) else "")
    return Row(row.updated, model, row.turns, row.prompt, file if alone else row.path)
