# SPDX-License-Identifier: Apache-2.0
"""``tenuto session diff``: a run's saved configuration beside another one, and what it means."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import msgspec

from tenuto import guard
from tenuto.cli.common import print_json, say
from tenuto.cli.targets import Target, any_reasonix, target
from tenuto.errors import (
    ConfigError,
    EmptyJournal,
    JournalError,
    NewerVersion,
    NoMeta,
    UsageError,
)
from tenuto.fingerprint import FIELDS, FieldChange, Fingerprint
from tenuto.fold import Folder, RunState
from tenuto.runs.companions import was_upgraded
from tenuto.runs.file import FileRunStore
from tenuto.sentences import others_words, sentence, system_said
from tenuto.text import elide, pad, single_line, visible

if TYPE_CHECKING:
    from tenuto.agent.resolve import ResolvedAgent

EQUAL, DIFFERS = 0, 1
_MAX_FILE = 1 << 20
_WIDTH = 28
#: Characters of a hash that are enough to tell two apart.
_HASH = 11


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "diff",
        help="what changed in the configuration since a run was saved",
        description=(
            "Compare the configuration that a run was saved with to an agent configuration, to a "
            "fingerprint, or to another run's. Exits 0 when they are equal, 1 when they differ."
        ),
    )
    parser.add_argument("id", metavar="ID", help="the run, or its journal file")
    other = parser.add_mutually_exclusive_group(required=True)
    other.add_argument("--config", metavar="FILE", help="an agent configuration")
    other.add_argument("--fingerprint", metavar="FILE", help="a fingerprint as JSON")
    other.add_argument("--with", dest="other", metavar="ID", help="another run")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if any_reasonix([args.id], args):
        raise UsageError(
            "a Reasonix session holds no configuration to compare with: any may go on with it"
        )
    item = target(args.id, args)
    state, damage = _read(item)
    details: dict[str, list[Any]] = {}
    if args.config is not None:
        resolved = _resolved(args.config)
        verdict = _check(item, state, resolved.fingerprint, resolved.wire_forms)
        details = _details(verdict, resolved)
    else:
        current, wire = _other(args)
        verdict = _check(item, state, current, wire)
        details = _between(verdict)
    answer = verdict.as_json(details)
    if damage is not None:
        answer |= {"resumable": False, "forceable": False}
    if args.json:
        print_json(answer)
    else:
        _show(verdict, details, readable=damage is None)
        if damage is not None:
            say(f"tenuto: {visible(damage.message)}; it can be read, not resumed")
    return EQUAL if verdict.equal else DIFFERS


def _read(item: Target) -> tuple[RunState, JournalError | None]:
    """The fold of the run; of a damaged one the fold up to the damage, and what is wrong."""
    found = FileRunStore(item.directory).scan(item.id)
    damage = found.error
    if not found.records:
        raise damage or EmptyJournal(
            sentence("run {id} was never started: its journal is empty", id=item.id)
        )
    folder = Folder()
    try:
        for record in found.records:
            folder.feed(record)
    except (NewerVersion, NoMeta):
        raise
    except JournalError as error:
        damage = damage or error
    return folder.state(), damage


def _resolved(path: str) -> ResolvedAgent:
    from tenuto.agent import digests, seen
    from tenuto.agent.config import load_config, resolve

    resolved = resolve(load_config(path))
    seen.remember(resolved.config.path, resolved)
    digests.record(resolved)
    return resolved


def _details(verdict: guard.GuardVerdict, resolved: ResolvedAgent) -> dict[str, list[Any]]:
    from tenuto.agent import digests

    return dict(digests.details(verdict.changes, resolved))


def _between(verdict: guard.GuardVerdict) -> dict[str, list[Any]]:
    from tenuto.agent import digests

    return dict(digests.between(verdict.changes))


def _other(args: argparse.Namespace) -> tuple[Fingerprint, tuple[Fingerprint, ...]]:
    """The fingerprint to compare with, and the same as one in the form of versions 1 and 2.

    A saved fingerprint does not say which form its hashes have, so it stands for both.
    """
    if args.other is not None:
        found = _read(target(args.other, args))[0].fingerprint
    else:
        found = _read_fingerprint(args.fingerprint)
    return found, (found,)


def _read_fingerprint(path: str) -> Fingerprint:
    try:
        with open(path, "rb") as file:
            data = file.read(_MAX_FILE)
        return msgspec.json.decode(data, type=Fingerprint)
    except OSError as error:
        raise ConfigError(
            sentence("cannot read {path}: {reason}", path=path, reason=system_said(error)),
            path=path,
            problems=[],
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(
            sentence(
                "{path} is no fingerprint: {reason}; it is a JSON object with the fields {fields}",
                path=path,
                reason=others_words(str(error)),
                fields=", ".join(FIELDS),
            ),
            path=path,
            problems=[],
        ) from None


def _check(
    item: Target, state: RunState, current: Fingerprint, wire: tuple[Fingerprint, ...]
) -> guard.GuardVerdict:
    store = FileRunStore(item.directory)
    return guard.check(
        state.fingerprint,
        current,
        version=state.version,
        wire=wire,
        has_backup=was_upgraded(store.directory, item.id),
        interactive=state.interactive,
        terminal=state.terminal_in_force,
        last_stop_reason=state.last_stop_reason,
        pending=state.pending is not None,
    )


_TITLES = ("Field", "Saved", "Now")


def _show(
    verdict: guard.GuardVerdict, details: dict[str, list[Any]], *, readable: bool = True
) -> None:
    wide = max(len(name) for name in guard.NAMES.values())
    print(f"{_TITLES[0]:<{wide}}  {_TITLES[1]:<{_WIDTH}}  {_TITLES[2]}")
    for row in verdict.rows:
        saved, current = _value(row, row.saved), _value(row, row.current)
        mark = "" if not row.changed else "  changed" if row.forceable else "  cannot be forced"
        line = f"{guard.NAMES[row.field]:<{wide}}  {pad(saved, _WIDTH)}  {current}"
        print(pad(line, wide + 2 * _WIDTH + 4) + mark if mark else line)
        for detail in details.get(row.field, ()):
            print("  " + detail_line(detail))
    print()
    if not readable:
        return
    if verdict.resumable:
        print("The run resumes with it as it is.")
    else:
        print(visible(verdict.message).split("\n", 1)[0].rstrip(":").capitalize() + ".")
        if verdict.forceable:
            print("It resumes with it only when forced (tenuto resume --force).")
    for warning in verdict.warnings:
        print(visible(warning.text).capitalize() + ".")


def _value(row: FieldChange, value: str | int) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return elide(single_line(value), _HASH if row.field.endswith("_hash") else _WIDTH)


def refusal(rows: list[dict[str, Any]]) -> list[str]:
    """The rows of a refused resume that differ, for a terminal, and what each came from."""
    lines = []
    for row in rows:
        if not row["changed"]:
            continue
        name, details = guard.NAMES[row["field"]], row.get("details") or []
        if row["field"].endswith("_hash"):
            lines.append(f"  {name}: changed")
        else:
            lines.append(
                f"  {name}: {visible(str(row['saved']))} -> {visible(str(row['current']))}"
            )
        lines += ["    " + detail_line(detail) for detail in details]
    return lines


def detail_line(detail: dict[str, Any]) -> str:
    """One line of what changed inside of a field."""
    match detail:
        case {"change": "added", "text": text, "line": line}:
            return f"+ {line}: {visible(text)}"
        case {"change": "added" | "removed" as change, "count": count}:
            sign, word = ("+", "new") if change == "added" else ("-", "gone")
            lines = "line" if count == 1 else "lines"
            return f"{sign} {count} {lines} {word} (only digests are kept of them)"
        case {"change": "added", "name": name}:
            return f"+ {visible(name)}"
        case {"change": "removed", "name": name}:
            return f"- {visible(name)}"
        case {"change": "reason", "text": text}:
            return f"  {visible(text)}"
        case {"change": "changed", "name": name, "what": what}:
            return f"! {visible(name)}: {', '.join(what)}"
        case _:
            return "  only the order or the white space differs"
