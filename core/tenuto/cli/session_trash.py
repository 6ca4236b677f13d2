# SPDX-License-Identifier: Apache-2.0
"""``tenuto session trash``: what was deleted, and its way back."""

from __future__ import annotations

import argparse
import os
from typing import Any

import msgspec

from tenuto.cli.common import print_json, report
from tenuto.cli.targets import any_reasonix
from tenuto.errors import RunNotFound, SessionNotFound, StoreIO, TenutoError, UsageError
from tenuto.paths import trash_dir
from tenuto.runs.file import FileRunStore
from tenuto.runs.files import FileLayer
from tenuto.runs.ids import valid_id
from tenuto.runs.trash import Trash
from tenuto.sentences import sentence
from tenuto.sources.trashed import TrashItem, TrashListing, joined, trashed_runs
from tenuto.text import elide, one_line, pad, single_line, visible

#: Columns of a title in the table.
_TITLE = 50


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "trash",
        help="list, restore or empty the trash",
        description=(
            "Sessions that were deleted wait here until the trash is emptied: runs in Tenuto's own "
            "trash, Reasonix sessions in Reasonix's, beside them. --source names one of the two."
        ),
    )
    verbs = parser.add_subparsers(dest="action", required=True, metavar="ls | restore | empty")
    ls = verbs.add_parser("ls", help="list what is in the trash, newest first")
    ls.set_defaults(run=_ls)
    restore = verbs.add_parser(
        "restore",
        help="bring sessions back",
        description="Bring sessions back into the folder they came from, or into --state-dir.",
    )
    restore.add_argument(
        "entries",
        nargs="+",
        metavar="ID",
        help="what was deleted (its newest deletion), or the entry's name",
    )
    restore.add_argument(
        "--as", dest="new_id", metavar="ID", help="another id for one session, when it is taken"
    )
    restore.set_defaults(run=_restore)
    empty = verbs.add_parser(
        "empty",
        help="remove everything in the trash for good",
        description="Remove sessions in the trash for good: all, or those that are named.",
    )
    empty.add_argument("entries", nargs="*", metavar="ID", help="only these")
    empty.set_defaults(run=_empty)


def _ls(args: argparse.Namespace) -> int:
    """Of both sources, unless one is named. Raises StoreIO where one cannot be read."""
    found = _listing(args)
    if args.json:
        print_json([msgspec.to_builtins(item) for item in found.items])
    else:
        _print(found.items)
    if found.notice is not None:
        raise StoreIO(found.notice, path=str(trash_dir()))
    return 0


def _listing(args: argparse.Namespace) -> TrashListing:
    listings = []
    if args.source != "reasonix":
        listings.append(trashed_runs(trash_dir(), FileLayer()))
    if args.source != "fisk-ai":
        from tenuto.cli import reasonix_trash

        listings.append(reasonix_trash.listing(args))
    return joined(listings)


def _print(items: list[TrashItem]) -> None:
    if not items:
        print("the trash is empty")
        return
    rows = [
        (single_line(item.id), item.time[:19].replace("T", " "), _size(item.size), item.title)
        for item in items
    ]
    wide = max(len(id) for id, _, _, _ in rows)
    print(f"{'ID':<{wide}}  {'Deleted (UTC)':<19}  {'Size':>9}  Title")
    for id, time, size, title in rows:
        print(f"{pad(id, wide)}  {visible(time)}  {size:>9}  {elide(one_line(title, 200), _TITLE)}")


def _restore(args: argparse.Namespace) -> int:
    """Of several each by itself: one that stays keeps no other from coming; the highest code."""
    if len(args.entries) == 1:
        answer = _restore_one(args, args.entries[0])
        if args.json:
            print_json(answer)
        return 0
    if args.new_id is not None:
        raise UsageError("--as names one session")
    answers: list[dict[str, Any]] = []
    code = 0
    for word in dict.fromkeys(args.entries):
        try:
            answers.append({**_restore_one(args, word), "error": None})
        except TenutoError as error:
            code = max(code, error.exit_code)
            answers.append({"token": word, **error.told()})
            if not args.json:
                report(error, as_json=False)
    if args.json:
        print_json(answers)
    return code


def _restore_one(args: argparse.Namespace, word: str) -> dict[str, Any]:
    token = _token(args, word)
    if _is_path(token):
        from tenuto.cli import reasonix_trash

        if args.new_id is not None:
            raise UsageError("a Reasonix session comes back under its own name")
        return reasonix_trash.restore(token, args)
    store = FileRunStore(args.state_dir) if args.state_dir else None
    restored = Trash(trash_dir()).restore(token, args.new_id, store=store)
    if not args.json:
        print(f"{restored.id}: back in {visible(restored.directory)}")
    answer: dict[str, Any] = msgspec.to_builtins(restored)
    return answer


def _empty(args: argparse.Namespace) -> int:
    """Each entry by itself: one that stays keeps no other from going; the highest code."""
    words = args.entries or [item.token for item in _listing(args).items]
    purged: list[str] = []
    failed: list[dict[str, Any]] = []
    code = 0
    for word in dict.fromkeys(words):
        try:
            purged.append(_purge(args, word))
        except TenutoError as error:
            code = max(code, error.exit_code)
            failed.append({"token": word, **error.told()})
            report(error, as_json=False)
    if args.json:
        print_json({"purged": purged, "failed": failed})
    elif not failed or purged:
        sessions = "1 session" if len(purged) == 1 else f"{len(purged)} sessions"
        print(f"{sessions} removed for good" if purged else "the trash is empty")
    return code


def _purge(args: argparse.Namespace, word: str) -> str:
    """Remove one for good; its token."""
    token = _token(args, word)
    if _is_path(token):
        from tenuto.cli import reasonix_trash

        reasonix_trash.purge(token)
    else:
        Trash(trash_dir()).purge(token)
    return token


def _is_path(token: str) -> bool:
    """Whether an entry is a Reasonix session's: those are named by their paths."""
    return os.path.isabs(token)


def _token(args: argparse.Namespace, word: str) -> str:
    """The entry of that name, else the newest one of that session: of a run first.

    :raises RunNotFound: there is none; of a Reasonix session, SessionNotFound.
    """
    if os.path.isabs(word) or any_reasonix([word], args):
        from tenuto.cli import reasonix_trash

        return reasonix_trash.find(word, args)
    found = Trash(trash_dir()).list()
    for item in found:
        if item.token == word:
            return word
    for item in found:
        if valid_id(word) and item.id == word:
            return item.token
    if args.source != "fisk-ai":
        from tenuto.cli import reasonix_trash

        try:
            return reasonix_trash.find(word, args)
        except SessionNotFound:
            pass
    raise RunNotFound(sentence("nothing in the trash is called {word}", word=word), id=word)


def _size(size: int) -> str:
    value, unit = float(size), "B"
    for larger in ("KiB", "MiB", "GiB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
