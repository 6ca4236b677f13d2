# SPDX-License-Identifier: Apache-2.0
"""``tenuto session note``: the operator's own words on a session, and whether it is pinned."""

from __future__ import annotations

import argparse
from typing import Any

from tenuto.cli.common import print_json
from tenuto.cli.targets import any_reasonix, target
from tenuto.errors import RunNotFound, UsageError
from tenuto.runs import notes
from tenuto.runs.file import FileRunStore
from tenuto.sentences import sentence
from tenuto.text import visible

#: A note is read beside a session; what is longer is a document.
MAX_NOTE = 10_000


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "note",
        help="pin a session, or keep a note on it",
        description=(
            "Pin a session, or keep a note on it; both are in ID.notes.json, never in the journal, "
            "and of a Reasonix session in Tenuto's own data. "
            "Without an option the note is printed. An empty text takes it away."
        ),
    )
    parser.add_argument("id", metavar="ID", help="the session, or its file")
    pin = parser.add_mutually_exclusive_group()
    pin.add_argument("--pin", dest="pinned", action="store_true", default=None, help="pin it")
    pin.add_argument("--unpin", dest="pinned", action="store_false", help="take the pin away")
    parser.add_argument("--text", metavar="TEXT", help="the note; '' for none")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    changes = _changes(args)
    if any_reasonix([args.id], args):
        from tenuto.cli import reasonix_note

        return reasonix_note.run(args, changes)
    item = target(args.id, args)
    changed: list[str] = []
    if changes:
        done = notes.update(item.directory, item.id, **changes)
        found, changed = done.notes, list(done.fields)
    else:
        if not any(entry.id == item.id for entry in FileRunStore(item.directory).list()):
            raise RunNotFound(
                sentence("no run {id} in {directory}", id=item.id, directory=item.directory),
                id=item.id,
            )
        found = notes.load(item.directory, item.id)
    if args.json:
        print_json({"id": item.id, "pinned": found.pinned, "note": found.note, "changed": changed})
    elif changes:
        state = "pinned" if found.pinned else "not pinned"
        print(f"{item.id}: {state}, {'with a note' if found.note else 'no note'}")
    elif found.note:
        print(visible(found.note))
    return 0


def _changes(args: argparse.Namespace) -> dict[str, Any]:
    """What is asked for, by field. Raises UsageError."""
    changes: dict[str, Any] = {}
    if args.pinned is not None:
        changes["pinned"] = args.pinned
    if args.text is not None:
        text = args.text.strip().encode("utf-8", "replace").decode()
        if len(text) > MAX_NOTE:
            raise UsageError(f"the note has {len(text)} characters; at most {MAX_NOTE}")
        changes["note"] = text or None
    return changes
