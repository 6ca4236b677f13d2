# SPDX-License-Identifier: Apache-2.0
"""What a word on the command line names among Reasonix's sessions: an id, or a path."""

from __future__ import annotations

import argparse
import os

import msgspec

from tenuto.cli.common import folder_of, reasonix_dir_of
from tenuto.errors import SessionNotFound, TenutoError, UsageError
from tenuto.reasonix.folders import root_above, sessions_root
from tenuto.reasonix.model import Message
from tenuto.reasonix.names import SESSION
from tenuto.reasonix.v4 import FRAMES
from tenuto.sources.reasonix import ReasonixSource
from tenuto.sources.reasonix_rows import ReasonixSummary

NAME = "reasonix"


class SessionTarget(msgspec.Struct, frozen=True):
    """One session. The word that named it is kept for messages."""

    source: ReasonixSource
    id: str
    word: str

    @property
    def path(self) -> str:
        """Its file, or the folder of a v4 session. Raises RunNotFound."""
        return self.source.path(self.id)

    def row(self) -> ReasonixSummary:
        """The session as a list has it, read where need be. Raises SessionNotFound."""
        changed = self.source.changes([self.id])
        if changed.pending:
            changed = self.source.build_pending(changed.pending)
        for row in changed.updated:
            if row.id == self.id and isinstance(row, ReasonixSummary):
                return row
        raise SessionNotFound(f"there is no session {self.word}", path=self.word)

    def messages(self) -> list[Message]:
        """All that can be read of it, as it is stored. Raises RunNotFound, NotAFile, StoreIO."""
        return self.numbered()[0]

    def numbered(self) -> tuple[list[Message], list[int]]:
        """As :meth:`messages`, and the number of each in the transcript."""
        opened = self.source.open(self.id)
        opened.refresh()
        return opened.messages(), opened.numbers()


def names_session(word: str, args: argparse.Namespace) -> bool:
    """Whether ``word`` is about Reasonix: by ``--source``, or as the path of such a session."""
    if args.source:
        return bool(args.source == NAME)
    return word.endswith(SESSION) or os.path.isfile(os.path.join(word, FRAMES))


def any_session(words: list[str], args: argparse.Namespace) -> bool:
    """As :func:`names_session` for several words, of which all must be of one source."""
    found = {names_session(word, args) for word in words}
    if len(found) > 1:
        raise UsageError("runs and Reasonix sessions need a command each")
    return args.source == NAME if not words else True in found


def source_of(args: argparse.Namespace) -> ReasonixSource:
    """All sessions: below ``--state-dir`` with ``--source reasonix``, else Reasonix's own.

    A folder of runs that are samples has sessions of its own.
    """
    if args.source == NAME and args.state_dir:
        return ReasonixSource(os.path.expanduser(args.state_dir))
    return ReasonixSource(sessions_root(folder_of(args), reasonix_dir_of(args)))


def source_above(path: str, args: argparse.Namespace) -> ReasonixSource:
    """The source that has the session at ``path``, wherever that is.

    That of all sessions, of those of another state folder, or of the sessions beside it alone.
    """
    source = source_of(args)
    if source.id_of(path) is not None:
        return source
    folder = os.path.dirname(path)
    return ReasonixSource(root_above(folder) or folder)


def locate(word: str, args: argparse.Namespace) -> SessionTarget:
    """Find out what ``word`` names.

    A path; an id as ``session ls`` prints it; or its last part, where that names one session only.

    :raises SessionNotFound: there is none.
    :raises UsageError: several are called so.
    """
    source = source_of(args)
    path = os.path.abspath(os.path.expanduser(word))
    if word.endswith(SESSION) or os.path.isfile(os.path.join(path, FRAMES)):
        found = source_above(path, args)
        id = found.id_of(path)
        if id is None or not _is_there(found, id):
            raise SessionNotFound(f"there is no session {word}", path=path)
        return SessionTarget(found, id, word)
    if _is_there(source, word):
        return SessionTarget(source, word, word)
    ids = [row.id for row in source.list().summaries if row.id.rpartition("/")[2] == word]
    if len(ids) > 1:
        raise UsageError(f"several sessions are called {word}: {', '.join(ids)}")
    if not ids:
        raise SessionNotFound(f"there is no session {word}", path=word)
    return SessionTarget(source, ids[0], word)


def _is_there(source: ReasonixSource, id: str) -> bool:
    try:
        return os.path.lexists(source.path(id))
    except (TenutoError, ValueError):
        return False
