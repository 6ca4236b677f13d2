# SPDX-License-Identifier: Apache-2.0
"""``tenuto session fork``: a new run out of the beginning of an old one."""

from __future__ import annotations

import argparse
import os

import msgspec

from tenuto.cli.common import print_json, say
from tenuto.cli.targets import any_reasonix, target
from tenuto.errors import UsageError
from tenuto.runs.file import FileRunStore
from tenuto.runs.fork import fork
from tenuto.runs.ids import check_new_id


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "fork",
        help="make a new run that goes on from a record of an old one",
        description=(
            "Make a new, suspended run out of the records of an old one up to SEQ; the old one "
            "stays as it is. Inside a batch of tool calls the results to its end are taken too; a "
            "batch that lacks results is refused. `tenuto resume` goes on with the new run. Of a "
            "Reasonix session of any generation a fork makes one of generation A, which Tenuto "
            "resumes, or a run (--config)."
        ),
    )
    parser.add_argument("id", metavar="ID", help="the old session, or its file")
    parser.add_argument(
        "--at",
        type=_seq,
        metavar="SEQ",
        help="the last record to take; of a Reasonix session the last message (default: all)",
    )
    parser.add_argument("--name", metavar="N", help="the id of the new run (default: a new one)")
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="Reasonix only: make a run of the session, to be resumed with this configuration",
    )
    parser.set_defaults(run=run)


def _seq(word: str) -> int:
    if not (word.isascii() and word.isdecimal()) or len(word) > 20 or int(word) < 1:
        raise argparse.ArgumentTypeError(f"not the number of a record: {word}")
    return int(word)


def run(args: argparse.Namespace) -> int:
    if any_reasonix([args.id], args):
        from tenuto.cli import reasonix_fork

        return reasonix_fork.run(args)
    if args.at is None:
        raise UsageError("name the last record to take with --at SEQ")
    if args.config is not None:
        raise UsageError("--config is for Reasonix sessions: a run has its configuration")
    item = target(args.id, args)
    name = None if args.name is None else check_new_id(args.name)
    made = fork(FileRunStore(item.directory), item.id, args.at, name)
    if args.json:
        path = os.path.join(made.directory, f"{made.id}.json")
        print_json({**msgspec.to_builtins(made), "path": path})
        return 0
    print(made.id)
    if made.parent.seq > made.asked:
        say(f"tenuto: up to record {made.parent.seq}, where the batch of tool calls ends")
    return 0
