# SPDX-License-Identifier: Apache-2.0
"""What a word on the command line names among Reasonix's sessions: an id, or a path."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Sequence

import msgspec

from tenuto.cli.common import folder_of, reasonix_dir_of
from tenuto.errors import NotAFile, SessionNotFound, TenutoError, UsageError
from tenuto.reasonix.folders import root_above, sessions_root
from tenuto.reasonix.model import Message
from tenuto.reasonix.names import SESSION
from tenuto.reasonix.v4 import FRAMES
from tenuto.runs.files import what_is
from tenuto.runs.listing import Skipped
from tenuto.sentences import Sentence, sentence
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
        raise SessionNotFound(
            sentence("there is no session {word}", word=self.word), path=self.word
        )

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


def locate(word: str, args: argparse.Namespace, *, any_file: bool = False) -> SessionTarget:
    """Find out what ``word`` names. ``any_file``: whoever reads it says what is no session.

    A path; an id as ``session ls`` prints it; or its last part, where that names one session only.

    :raises SessionNotFound: there is none.
    :raises NotAFile: it is there, and no file of a session: of another owner, for example.
    :raises UsageError: several are called so.
    """
    source = source_of(args)
    path = os.path.abspath(os.path.expanduser(word))
    if word.endswith(SESSION) or os.path.isfile(os.path.join(path, FRAMES)):
        found = source_above(path, args)
        id = found.id_of(path)
        if id is None or not _is_there(found, id):
            raise SessionNotFound(sentence("there is no session {word}", word=word), path=path)
        if not any_file:
            _check_own(found.path(id))
        return SessionTarget(found, id, word)
    if _is_there(source, word):
        if not any_file:
            _check_own(source.path(word))
        return SessionTarget(source, word, word)
    listing = source.list()
    ids = [row.id for row in listing.summaries if row.id.rpartition("/")[2] == word]
    if len(ids) > 1:
        raise UsageError(f"several sessions are called {word}: {', '.join(ids)}")
    if not ids:
        _check_passed_over(source, listing.skipped, word)
        raise SessionNotFound(sentence("there is no session {word}", word=word), path=word)
    return SessionTarget(source, ids[0], word)


def _check_own(path: str) -> None:
    """Raises NotAFile where a session's file is none of this user, as lists pass over it."""
    with contextlib.suppress(OSError):
        what = what_is(os.lstat(path)) if path.endswith(SESSION) else None
        if what is not None:
            raise NotAFile(
                sentence("not a session: {path} is a {what}", path=path, what=Sentence(what, {})),
                path=path,
                what=what,
            )


def _check_passed_over(source: ReasonixSource, skipped: Sequence[Skipped], word: str) -> None:
    """Raises NotAFile where ``word`` names something that is there and no session for all that."""
    for found in skipped:
        name = found.name.removesuffix(SESSION)
        if word in (name, name.rpartition("/")[2]):
            raise NotAFile(
                sentence("{name} is passed over: {reason}", name=found.name, reason=found.reason),
                path=os.path.join(source.directory, found.name),
                what=found.reason.removeprefix("not a session: "),
            )


def _is_there(source: ReasonixSource, id: str) -> bool:
    try:
        return os.path.lexists(source.path(id))
    except (TenutoError, ValueError):
        return False
