# SPDX-License-Identifier: Apache-2.0
"""``tenuto session ls``: the sessions of a folder, newest activity first.

The table is drawn from sidecars; what is missing of them is built before the command ends, so that
the next one reads no journal. Everything imported here is paid for by every listing.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, get_args

from tenuto.cli.common import folder_of, print_json, say, write_out, wrong_use
from tenuto.collector import collector_off
from tenuto.errors import StoreIO
from tenuto.runs.status import Status
from tenuto.sources.base import Listing, SessionSource, SessionSummary, Skipped
from tenuto.text import headline, one_line, single_line, visible, width

if TYPE_CHECKING:
    from tenuto.watch import Changes

HEADER = ("ID", "Model", "Status", "Updated", "Prompt", "Turns", "Tokens", "Age")
_MINUTE = 60 * 10**9
_PROMPT = 50
_MODEL = 40
#: From so many missing previews on, a terminal is told why it waits.
_WORTH_A_WORD = 500
#: Seconds between two tables of ``--watch``, and at most between them on a terminal (ages).
_SOONEST = 0.25
_LATEST = 10.0
_STATUSES: tuple[str, ...] = tuple(name for name in get_args(Status) if name != "pending")


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "ls",
        help="list the sessions of a folder",
        description="List sessions, newest activity first. No lock is taken, no journal changed.",
    )
    parser.add_argument(
        "--status",
        action="append",
        default=[],
        metavar="STATUS[,STATUS]",
        help=f"only these: {', '.join(_STATUSES)}",
    )
    parser.add_argument(
        "--watch",
        action="store_true",
        help="go on until interrupted: a new table, or with --json a new array, after each change",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print a table, or with ``--json`` one array of summaries."""
    wanted = _statuses(args.status)
    source = _source(args)
    if args.watch:
        return _watch(source, wanted, as_json=args.json)
    with collector_off():
        _print(_look(source), source.directory, wanted, as_json=args.json)
    return 0


def _source(args: argparse.Namespace) -> SessionSource:
    if args.source == "reasonix":
        from tenuto.cli.reasonix_targets import source_of

        return source_of(args)
    from tenuto.sources.runs import RunSource

    return RunSource(folder_of(args))


def _statuses(given: Iterable[str]) -> frozenset[str]:
    names = [name.strip() for words in given for name in words.split(",")]
    for name in names:
        if name not in _STATUSES:
            raise wrong_use(f"no such status: {name}", f"one of {', '.join(_STATUSES)}")
    return frozenset(names)


def _look(source: SessionSource) -> Listing:
    """A complete listing: with all previews. Raises StoreIO where the folder cannot be read."""
    listing = source.list()
    if listing.notice is not None:
        raise StoreIO(listing.notice, path=source.directory)
    if len(listing.pending) >= _WORTH_A_WORD and sys.stderr.isatty():
        say(f"reading {len(listing.pending)} sessions, once")
    changed = source.build_pending()
    if not changed.updated and not changed.gone:
        return listing
    rows = {row.id: row for row in listing.summaries}
    rows.update((row.id, row) for row in changed.updated)
    summaries = [row for row in rows.values() if row.id not in changed.gone]
    summaries.sort(key=lambda row: row.activity_key)
    return Listing(summaries, listing.skipped, changed.pending)


def _nothing(folder: str) -> str:
    """A folder that is not there is a fresh machine, or a mistyped word."""
    known = os.path.isdir(folder)
    return visible(f"no sessions in {folder}" if known else f"no sessions: there is no {folder}")


def _print(listing: Listing, folder: str, wanted: frozenset[str], *, as_json: bool) -> None:
    rows = listing.summaries
    if wanted:
        rows = [row for row in rows if row.status in wanted]
    if as_json:
        print_json(rows)
    elif rows:
        write_out(_table(rows, time.time_ns()).encode(sys.stdout.encoding, "backslashreplace"))
    else:
        say("no such sessions" if listing.summaries else _nothing(folder))
    for line in _footer(rows, listing.skipped):
        say(line)


def _footer(rows: Iterable[SessionSummary], skipped: Sequence[Skipped]) -> list[str]:
    lines = []
    for row in rows:
        evidence = row.evidence
        if evidence is not None and evidence.kind == "outcome_unknown" and evidence.calls:
            name = one_line(evidence.calls[0].name, _MODEL)
            lines.append(f"outcome unknown: {single_line(row.id)}: {name} may have happened")
    if skipped:
        reasons: dict[str, int] = {}
        for item in skipped:
            reasons[item.reason] = reasons.get(item.reason, 0) + 1
        told = "; ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        lines.append(f"not listed: {len(skipped)} ({one_line(told, 1000)})")
    return lines


# --- the table -----------------------------------------------------------------------------------


def _table(rows: Sequence[SessionSummary], now_ns: int) -> str:
    # The sidecar says its texts are harmless; but it is a file like any other.
    models = {name: one_line(name, _MODEL) for name in {row.model for row in rows}}
    cells = [
        HEADER,
        *(
            (
                # One that is a file's name can hold anything.
                row.id if row.id.isprintable() and row.id.isascii() else single_line(row.id),
                models[row.model],
                row.status,
                local_time(-row.activity_key[0]),
                headline(row.prompt, _PROMPT),
                str(row.turns),
                amount(row.tokens),
                age(-row.activity_key[0], now_ns),
            )
            for row in rows
        ),
    ]
    columns: list[Sequence[str]] = list(zip(*cells, strict=True))
    # Only these can hold what is not ASCII, and must be counted by columns.
    columns[1], columns[4] = _padded(columns[1]), _padded(columns[4])
    status, updated, turns, tokens = (max(map(len, columns[at])) for at in (2, 3, 5, 6))
    id = "%s"
    if all(map(str.isascii, columns[0])):
        id = f"%-{max(map(len, columns[0]))}s"
    else:
        columns[0] = _padded(columns[0])
    line = f"{id}  %s  %-{status}s  %-{updated}s  %s  %{turns}s  %{tokens}s  %s\n"
    return "".join([line % row for row in zip(*columns, strict=True)])


def _padded(cells: Sequence[str]) -> list[str]:
    """The cells with spaces behind them, so that all need the same number of columns."""
    widths = list(map(width, cells))
    widest = max(widths)
    return [cell + " " * (widest - columns) for cell, columns in zip(cells, widths, strict=True)]


def local_time(time_ns: int) -> str:
    """Local date and time to the minute; "-" for a time that no calendar has."""
    return _local_minute(time_ns // _MINUTE)


@functools.lru_cache(maxsize=1024)
def _local_minute(number: int) -> str:
    # Kept, since runs come in batches; the offset of every clock in use is whole minutes.
    try:
        year, month, day, hour, minute, *_ = time.localtime(number * 60)
    except (OverflowError, OSError, ValueError):
        return "-"
    return f"{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}"


def amount(number: int) -> str:
    """A count in about five characters: 950, 12.4k, 3.1M."""
    if number < 1_000:
        return str(number)
    if number < 999_950:
        return f"{number / 1_000:.1f}k"
    if number < 999_950_000:
        return f"{number / 1_000_000:.1f}M"
    return f"{number / 1_000_000_000:.1f}G"


def age(time_ns: int, now_ns: int) -> str:
    """How long ago, in its largest unit; a time in the future is a date."""
    seconds = (now_ns - time_ns) // 10**9
    if seconds < -60:
        return local_time(time_ns).partition(" ")[0]
    if seconds < 60:
        return "now"
    if seconds < 3_600:
        return f"{seconds // 60}m"
    if seconds < 86_400:
        return f"{seconds // 3_600}h"
    return f"{seconds // 86_400}d"


# --- watching ------------------------------------------------------------------------------------


def _watch(source: SessionSource, wanted: frozenset[str], *, as_json: bool) -> int:
    """A table after each change, until interrupted; that is how it ends, so it ends well."""
    import threading

    changed = threading.Event()
    notices: list[str] = []

    def on_change(changes: Changes) -> None:
        if changes.notice:
            notices.append(str(changes.notice))
        changed.set()

    live = sys.stdout.isatty() and not as_json
    watcher = source.watch(on_change)
    watcher.start()
    try:
        while True:
            changed.clear()
            listing = _look(source)
            if live:
                # Home, then clear to the end: no flicker, and the scrollback stays.
                sys.stdout.write("\x1b[H\x1b[J")
            _print(listing, source.directory, wanted, as_json=as_json)
            sys.stdout.flush()
            while notices:
                say(one_line(notices.pop(0), 1000))
            time.sleep(_SOONEST)
            changed.wait(_LATEST if live else None)
    except KeyboardInterrupt:
        return 0
    finally:
        watcher.stop()
