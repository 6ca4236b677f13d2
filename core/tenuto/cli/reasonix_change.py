# SPDX-License-Identifier: Apache-2.0
"""``session rm`` and ``rename`` for Reasonix sessions."""

from __future__ import annotations

import argparse
from typing import Any

from tenuto.cli.common import print_json, report
from tenuto.cli.reasonix_targets import SessionTarget, locate
from tenuto.cli.reasonix_trash import token_of
from tenuto.errors import (
    CannotFork,
    DamagedSession,
    Leased,
    NewerGeneration,
    StoreIO,
    TenutoError,
    UsageError,
)
from tenuto.reasonix.meta import BadMeta
from tenuto.reasonix.sidecar import rename_session
from tenuto.reasonix.trash import TrashedSession, trash_session
from tenuto.sentences import others_words, sentence
from tenuto.sources.base import Capability
from tenuto.text import single_line, visible


def check(capability: Capability, found: SessionTarget) -> None:
    """Raise what a capability says: NewerGeneration, Leased, DamagedSession, StoreIO."""
    if capability.allowed:
        return
    path = found.path
    message = sentence("{id}: {what}", id=found.id, what=capability.said)
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
            answers.append({"id": id, **error.told()})
            if not args.json:
                report(error, as_json=False)
            continue
        if not args.json:
            print(f"{single_line(id)}: in the trash as {single_line(answers[-1]['token'])}")
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


def rename(args: argparse.Namespace, title: str) -> int:
    """Give a session a title by Reasonix's own rule."""
    found = locate(args.id, args)
    check(found.source.capabilities(found.row()).rename, found)
    try:
        rename_session(found.path, title)
    except BadMeta as error:
        raise StoreIO(
            sentence(
                "the metadata of {id} makes no sense ({reason}) and is left as it is",
                id=found.id,
                reason=others_words(str(error)),
            ),
            path=found.path,
        ) from None
    if args.json:
        print_json({"id": found.id, "title": title or None, "changed": ["title"]})
    elif title:
        print(f"{single_line(found.id)} is now called {visible(title)}")
    else:
        print(f"{single_line(found.id)} is called by its prompt again")
    return 0
