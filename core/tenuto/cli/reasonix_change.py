# SPDX-License-Identifier: Apache-2.0
"""``session rm``, ``rename`` and ``trash`` for Reasonix sessions.

The trash of a Reasonix session is Reasonix's own: a folder beside the sessions. An entry is named
by its path there, so that it can be brought back without saying which source it is of.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

from tenuto.cli.common import print_json, report
from tenuto.cli.reasonix_targets import SessionTarget, locate, source_above, source_of
from tenuto.errors import (
    CannotFork,
    DamagedSession,
    Leased,
    NewerGeneration,
    NotAFile,
    SessionNotFound,
    StoreIO,
    TenutoError,
    UsageError,
)
from tenuto.reasonix.meta import BadMeta
from tenuto.reasonix.names import SESSION
from tenuto.reasonix.sidecar import rename_session
from tenuto.reasonix.trash import (
    TRASH,
    TrashedSession,
    restore_session,
    trash_session,
    trashed_sessions,
)
from tenuto.runs.preview import timestamp
from tenuto.sources.base import Capability
from tenuto.sources.reasonix import ReasonixSource
from tenuto.text import pad, visible


def check(capability: Capability, found: SessionTarget) -> None:
    """Raise what a capability says: NewerGeneration, Leased, DamagedSession, StoreIO."""
    if capability.allowed:
        return
    message, path = f"{found.id}: {capability.reason}", found.path
    match capability.code:
        case "foreign":
            raise NewerGeneration(message, path=path)
        case "leased":
            raise Leased(message, id=found.id, path=path, pid=None, hostname=None)
        case "damaged":
            raise DamagedSession(message, path=path)
        case "empty":
            raise CannotFork(message, id=found.id, seq=0)
    raise StoreIO(message, path=path)


def remove(args: argparse.Namespace) -> int:
    """Each session by itself: one that stays keeps no other from going; the highest code."""
    if args.purge:
        raise UsageError("Reasonix sessions go to the trash beside them; --purge is for runs")
    answers: list[dict[str, Any]] = []
    code = 0
    for word in dict.fromkeys(args.ids):
        id = word
        try:
            found = locate(word, args)
            id = found.id
            check(found.source.capabilities(found.row()).delete, found)
            answers.append(_moved(id, trash_session(found.path)))
        except TenutoError as error:
            code = max(code, error.exit_code)
            answers.append({"id": id, "error": error.kind, "message": error.message})
            if not args.json:
                report(error, as_json=False)
            continue
        if not args.json:
            print(f"{visible(id)}: in the trash as {visible(answers[-1]['token'])}")
    if args.json:
        print_json(answers)
    return code


def _moved(id: str, trashed: TrashedSession) -> dict[str, Any]:
    return {
        "id": id,
        "directory": trashed.directory,
        "token": token_of(trashed),
        "files": list(trashed.files),
        "left": [],
        "error": None,
        "purged": False,
    }


def token_of(trashed: TrashedSession) -> str:
    """The entry's name: its path."""
    return os.path.join(trashed.directory, TRASH, trashed.key)


def is_token(word: str) -> bool:
    """Whether ``word`` names an entry of a Reasonix trash."""
    parent, key = os.path.split(word)
    return os.path.isabs(word) and key.endswith(SESSION) and os.path.basename(parent) == TRASH


def rename(args: argparse.Namespace, title: str) -> int:
    """Give a session a title by Reasonix's own rule."""
    found = locate(args.id, args)
    check(found.source.capabilities(found.row()).rename, found)
    try:
        rename_session(found.path, title)
    except BadMeta as error:
        raise StoreIO(
            f"the metadata of {found.id} makes no sense ({error}) and is left as it is",
            path=found.path,
        ) from None
    if args.json:
        print_json({"id": found.id, "title": title or None, "changed": ["title"]})
    elif title:
        print(f"{visible(found.id)} is now called {visible(title)}")
    else:
        print(f"{visible(found.id)} is called by its prompt again")
    return 0


# --- trash ---------------------------------------------------------------------------------------


def list_trash(args: argparse.Namespace) -> int:
    """What is in the trashes of all projects, newest first."""
    rows = [_entry(source_of(args), item) for item in _all(args)]
    if args.json:
        print_json(rows)
        return 0
    if not rows:
        print("the trash is empty")
        return 0
    wide = max(len(row["id"]) for row in rows)
    print(f"{'ID':<{wide}}  {'Deleted (UTC)':<19}  Entry")
    for row in rows:
        time = row["time"][:19].replace("T", " ")
        print(f"{pad(visible(row['id']), wide)}  {time:<19}  {visible(row['token'])}")
    return 0


def _all(args: argparse.Namespace) -> list[TrashedSession]:
    found = [
        item
        for where in source_of(args).folders()
        if not where.v4
        for item in trashed_sessions(where.path)
    ]
    return sorted(found, key=lambda item: (item.deleted_at, item.key), reverse=True)


def _entry(source: ReasonixSource, item: TrashedSession) -> dict[str, Any]:
    return {
        "id": _id(source, item.directory, item.key),
        "token": token_of(item),
        "directory": item.directory,
        "time": timestamp(item.deleted_at * 1_000_000),
        "files": list(item.files),
    }


def _id(source: ReasonixSource, directory: str, key: str) -> str:
    return source.id_of(os.path.join(directory, key)) or key.removesuffix(SESSION)


def restore(word: str, args: argparse.Namespace) -> dict[str, Any]:
    """Bring an entry back: by its path, or the newest deletion of a session of that id or path.

    :raises SessionNotFound: there is no such entry.
    """
    full = os.path.abspath(os.path.expanduser(word))
    if is_token(full):
        word = full
    elif os.sep in word and word.endswith(SESSION):  # where the session was
        word = os.path.join(os.path.dirname(full), TRASH, os.path.basename(full))
    else:
        source = source_of(args)
        for item in _all(args):
            if word in (_id(source, item.directory, item.key), item.key.removesuffix(SESSION)):
                word = token_of(item)
                break
        else:
            raise SessionNotFound(f"nothing in the trash is called {word}", path=word)
    trash, key = os.path.split(word)
    directory = os.path.dirname(trash)
    try:
        restored = restore_session(directory, key)
    except NotAFile as error:
        raise SessionNotFound(error.message, path=word) from error
    id = _id(source_above(os.path.join(directory, key), args), directory, key)
    if not args.json:
        print(f"{visible(id)}: back in {visible(directory)}")
    return {"id": id, "token": word, "directory": directory, "path": restored}
