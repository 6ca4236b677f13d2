# SPDX-License-Identifier: Apache-2.0
"""``session trash`` for Reasonix sessions.

Their trash is Reasonix's own: a folder beside the sessions. An entry is named by its path there, so
that it can be brought back without saying which source it is of.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

from tenuto.cli.reasonix_targets import source_above, source_of
from tenuto.errors import NotAFile, SessionNotFound
from tenuto.reasonix.names import SESSION
from tenuto.reasonix.own_notes import OwnNotes
from tenuto.reasonix.trash import TRASH, TrashedSession, purge_session, restore_session
from tenuto.sentences import sentence
from tenuto.sources.trashed import TrashListing
from tenuto.text import single_line


def token_of(trashed: TrashedSession) -> str:
    """The entry's name: its path."""
    return os.path.join(trashed.directory, TRASH, trashed.key)


def is_token(word: str) -> bool:
    """Whether ``word`` names an entry of a Reasonix trash."""
    parent, key = os.path.split(word)
    return os.path.isabs(word) and key.endswith(SESSION) and os.path.basename(parent) == TRASH


def listing(args: argparse.Namespace) -> TrashListing:
    """What is in the trashes of all projects."""
    return source_of(args).trashed()


def find(word: str, args: argparse.Namespace) -> str:
    """The token of an entry: named by its path, by where the session was, or by its id.

    Of an id, or the last part of one, it is the newest deletion.

    :raises SessionNotFound: there is none of that id.
    """
    full = os.path.abspath(os.path.expanduser(word))
    if is_token(full):
        return full
    if os.sep in word and word.endswith(SESSION):  # where the session was
        return os.path.join(os.path.dirname(full), TRASH, os.path.basename(full))
    for item in listing(args).items:
        if word in (item.id, item.id.rpartition("/")[2]):
            return item.token
    raise SessionNotFound(sentence("nothing in the trash is called {word}", word=word), path=word)


def restore(word: str, args: argparse.Namespace) -> dict[str, Any]:
    """Bring an entry back.

    :raises SessionNotFound: there is no such entry.
    """
    token = find(word, args)
    trash, key = os.path.split(token)
    directory = os.path.dirname(trash)
    try:
        restored = restore_session(directory, key)
    except NotAFile as error:
        raise SessionNotFound(error.message, path=token) from error
    source = source_above(os.path.join(directory, key), args)
    id = source.id_of(os.path.join(directory, key)) or key.removesuffix(SESSION)
    if not args.json:
        print(f"{single_line(id)}: back in {single_line(directory)}")
    return {"id": id, "token": token, "directory": directory, "path": restored}


def purge(token: str) -> None:
    """Remove an entry for good, and what Tenuto keeps on the session, if no other took its place.

    :raises SessionNotFound: there is no such entry.
    :raises StoreIO: the system said no.
    """
    trash, key = os.path.split(token)
    directory = os.path.dirname(trash)
    purge_session(directory, key)
    path = os.path.join(directory, key)
    if not os.path.lexists(path):
        OwnNotes().forget(path)
