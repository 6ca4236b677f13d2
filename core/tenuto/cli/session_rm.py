# SPDX-License-Identifier: Apache-2.0
"""``tenuto session rm``: to the trash, from which a session comes back, or away for good."""

from __future__ import annotations

import argparse
from typing import Any

import msgspec

from tenuto.cli.common import print_json, report
from tenuto.cli.targets import Target, any_reasonix, target
from tenuto.errors import TenutoError
from tenuto.paths import trash_dir
from tenuto.runs.file import FileRunStore
from tenuto.runs.trash import Trash
from tenuto.text import visible


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "rm",
        help="move sessions to the trash, or remove them for good",
        description=(
            "Move sessions to Tenuto's trash with all their files; `tenuto session trash restore` "
            "brings them back. A session that is in use is refused. Reasonix sessions go to the "
            "trash beside them, where Reasonix itself looks for it."
        ),
    )
    parser.add_argument("ids", nargs="+", metavar="ID", help="sessions, or their files")
    parser.add_argument(
        "--purge", action="store_true", help="remove for good instead, with no way back"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Each session by itself: one that stays keeps no other from going; the highest code."""
    if any_reasonix(args.ids, args):
        from tenuto.cli import reasonix_change

        return reasonix_change.remove(args)
    answers: list[dict[str, Any]] = []
    code = 0
    for word in dict.fromkeys(args.ids):
        item: Target | None = None
        try:
            item = target(word, args)
            answers.append(_purge(item) if args.purge else _move(item))
        except TenutoError as error:
            code = max(code, error.exit_code)
            id = item.id if item else word
            answers.append({"id": id, **error.told()})
            if not args.json:
                report(error, as_json=False)
            continue
        if not args.json:
            print(_text(answers[-1]))
    if args.json:
        print_json(answers)
    return code


def _move(item: Target) -> dict[str, Any]:
    trashed = Trash(trash_dir()).move(FileRunStore(item.directory), item.id)
    return {**msgspec.to_builtins(trashed), "error": None, "purged": False}


def _purge(item: Target) -> dict[str, Any]:
    deleted = FileRunStore(item.directory).delete(item.id)
    return {**msgspec.to_builtins(deleted), "error": None, "purged": True}


def _text(answer: dict[str, Any]) -> str:
    if answer["purged"]:
        text = f"{answer['id']}: removed for good"
    else:
        text = f"{answer['id']}: in the trash as {answer['token']}"
    if answer["left"]:
        text += f"; left where they are, as no files of ours: {visible(', '.join(answer['left']))}"
    return text
