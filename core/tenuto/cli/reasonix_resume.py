# SPDX-License-Identifier: Apache-2.0
"""``tenuto reasonix resume [N]``: one of the ten newest sessions, as in Reasonix's own menu.

They are those of the current folder's project, where it has any, else all that belong to none. A
number counts in the list as it is at that moment (reasonix.md 6.1).
"""

from __future__ import annotations

import argparse
import os
import time
from functools import partial

from tenuto.agent import tty
from tenuto.agent.cancel import CancelToken
from tenuto.agent.worker import Worker, work
from tenuto.cli.common import message_of, print_json
from tenuto.cli.reasonix_targets import NAME, SessionTarget, source_of
from tenuto.errors import Refused, SessionNotFound, UsageError
from tenuto.reasonix.folders import project_slug
from tenuto.reasonix.meta import nanoseconds
from tenuto.sentences import sentence
from tenuto.sources.reasonix import ReasonixSource
from tenuto.sources.reasonix_rows import ReasonixSummary
from tenuto.text import elide, one_line

#: How many sessions are offered.
OFFERED = 10
_PREVIEW = 60


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "resume",
        help="go on with one of the newest Reasonix sessions",
        description=(
            "Without N: show the ten newest sessions of this folder's project, and ask for one. "
            "With N: go on with the Nth of them, as they are at that moment. The conversation so "
            "far is printed first. Only sessions of generations A and B are written by Tenuto."
        ),
    )
    parser.add_argument("number", nargs="?", metavar="N", help="which one, from 1")
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="the agent configuration (default: the one of the last time, else Reasonix's own)",
    )
    parser.add_argument("--say", metavar="TEXT", help="a message of yours; the answer ends it")
    parser.add_argument("--all", action="store_true", help="the sessions of all projects")
    parser.add_argument(
        "--list", action="store_true", help="only print the list; with --json as an array"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    args.source = NAME
    source = source_of(args)
    rows = offered(source, every=args.all)
    if args.list:
        if args.json:
            print_json(rows)
        else:
            for line in _lines(rows) or ["no sessions"]:
                print(line)
        return 0
    if not rows:
        raise SessionNotFound(sentence("nothing to resume"), path=source.directory)
    row = rows[_index(args.number, len(rows)) if args.number is not None else _ask(rows)]
    found = SessionTarget(source, row.id, row.id)
    return work(partial(_go_on, args, found), remote=False, as_json=args.json)


def _go_on(args: argparse.Namespace, found: SessionTarget, worker: Worker) -> int:
    from tenuto.cli import reasonix_going

    return reasonix_going.go_on(
        found, worker, config=args.config, say=message_of(args), replay=True
    )


def offered(source: ReasonixSource, *, every: bool = False) -> list[ReasonixSummary]:
    """The newest sessions with a turn, or that cannot be read: at most ten.

    ``every``: of all projects.
    """
    listing = source.list()
    rows = [r for r in listing.summaries if isinstance(r, ReasonixSummary)]
    slug = project_slug(os.getcwd())
    project = slug if any(row.project == slug for row in rows) else ""
    if not every and any(row.project == project for row in rows):
        rows = [row for row in rows if row.project == project]
    found: list[ReasonixSummary] = []
    # Read are those that may be offered, not all that there are.
    while rows and len(found) < OFFERED:
        some, rows = rows[:OFFERED], rows[OFFERED:]
        built = source.build_pending(row.id for row in some if row.id in listing.pending)
        known = {row.id: row for row in built.updated if isinstance(row, ReasonixSummary)}
        some = [known.get(row.id, row) for row in some if row.id not in built.gone]
        found += (row for row in some if row.turns or row.integrity == "damaged")
    return found[:OFFERED]


def _index(word: str, count: int) -> int:
    """The place in the list. Raises UsageError."""
    if not (word.isascii() and word.isdecimal() and len(word) < 4 and 1 <= int(word) <= count):
        raise UsageError(f"there is no session {word}: pick 1-{count}")
    return int(word) - 1


def _ask(rows: list[ReasonixSummary]) -> int:
    """Show the list on the terminal, and read a number there. Raises Refused, UsageError."""
    if not tty.attended():
        raise UsageError("nobody can pick here: name a number, or see them with --list")
    with tty.opened() as descriptor:
        # On the terminal itself: what goes to stdout is answers.
        tty.show(descriptor, "".join(line + "\n" for line in _lines(rows)))
        tty.show(descriptor, f"Which one (1-{len(rows)}, Enter for none)? ")
        try:
            typed = (tty.read_line(descriptor, CancelToken()) or "").strip()
        except tty.StoppedError:
            typed = ""
    if not typed:
        raise Refused(
            sentence("nothing was picked; nothing has been changed"), reason="mode", diff=[]
        )
    return _index(typed, len(rows))


def _lines(rows: list[ReasonixSummary]) -> list[str]:
    wide = len(str(len(rows)))
    return [f"{number:>{wide}}  {line_of(row)}" for number, row in enumerate(rows, 1)]


def line_of(row: ReasonixSummary) -> str:
    """A session in a line: when, turns and preview, and why it cannot be resumed here."""
    when = time.strftime("%m-%d %H:%M", time.localtime(nanoseconds(row.updated) // 10**9))
    text = elide(one_line(row.title or row.prompt, 1000), _PREVIEW) or "(no user message yet)"
    marks = [f"[{row.generation}]"] if row.generation not in ("A", "B") else []
    if row.status == "running":
        marks.append(f"(open in {row.leased_by})")
    elif row.integrity == "damaged":
        marks.append("(damaged)")
    return " ".join([f"{when}  {row.turns} turns \u00b7 {text}", *marks])
