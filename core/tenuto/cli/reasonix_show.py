# SPDX-License-Identifier: Apache-2.0
"""``session show`` and ``session doctor`` for Reasonix sessions. Nothing is changed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import msgspec

from tenuto.cli.common import print_json, report, write_out
from tenuto.cli.reasonix_targets import SessionTarget, locate, source_of
from tenuto.cli.session_show import status_words
from tenuto.errors import DamagedSession, TenutoError, UsageError
from tenuto.reasonix.model import Message
from tenuto.runs.listing import Skipped
from tenuto.sources.raw import Row, RowsChanged
from tenuto.sources.reasonix_doctor import examine
from tenuto.sources.reasonix_rows import ReasonixSummary
from tenuto.text import single_line, visible

CLEAN, FINDINGS = 0, 6


def show(args: argparse.Namespace) -> int:
    """With ``--json`` one object a line and session; the exit code is the highest of all."""
    return max(_one(word, args, first=word is args.ids[0]) for word in args.ids)


def _one(word: str, args: argparse.Namespace, *, first: bool) -> int:
    """One session; what is wrong with it does not keep the others from being shown."""
    try:
        found = locate(word, args)
        row = found.row()
        messages = found.messages()
    except TenutoError as error:
        if args.json:
            print_json(_answer(word, "", None, error, []))
        else:
            report(error, as_json=False)
        return error.exit_code
    problem = _problem(row)
    if args.json:
        print_json(_answer(found.id, found.path, row, problem, messages))
    else:
        if not first:
            print()
        if args.records:
            for line in records(found):
                write_out(line.encode("utf-8", "replace") + b"\n")
        for line in () if args.records else _text(found, row, args):
            print(line)
        if problem is not None:
            report(problem, as_json=False)
    return CLEAN if problem is None else problem.exit_code


def _problem(row: ReasonixSummary) -> DamagedSession | None:
    if row.integrity != "damaged":
        return None
    return DamagedSession(row.problem, path=row.path)


def _answer(
    id: str,
    path: str,
    row: ReasonixSummary | None,
    problem: TenutoError | None,
    messages: list[Message],
) -> dict[str, Any]:
    return {
        "id": id,
        "path": path,
        "error": problem.kind if problem else None,
        "message": problem.message if problem else None,
        "status": row.status if row else None,
        "evidence": msgspec.to_builtins(row.evidence) if row and row.evidence else None,
        "state": None,
        "generation": row.generation if row else None,
        "messages": messages,
    }


def _text(found: SessionTarget, row: ReasonixSummary, args: argparse.Namespace) -> Iterator[str]:
    return transcript(found) if args.transcript else _overview(row)


def _overview(row: ReasonixSummary) -> Iterator[str]:
    yield single_line(row.title or row.id)
    rows = [
        ("id", row.id),
        ("status", status_words(row)),
        ("model", row.model),
        ("created", row.created),
        ("updated", row.updated),
        ("turns", f"{row.turns}, {row.calls} tool calls"),
        ("stored", f"generation {row.generation}"),
        ("project", row.workspace_root or row.project),
        ("parent", row.parent_id),
        ("path", row.path),
    ]
    for name, value in rows:
        if value:
            yield f"  {name:<9}{visible(value)}"
    if row.prompt:
        yield ""
        yield f"> {visible(row.prompt)}"


def transcript(found: SessionTarget) -> Iterator[str]:
    """The conversation as text; what the program itself added is left out."""
    from tenuto.cli.transcript_text import render

    opened = found.source.open(found.id)
    try:
        opened.refresh()
        yield from render(b for b in opened.blocks if b.notice not in ("system", "host"))
    finally:
        opened.close()


def records(found: SessionTarget) -> Iterator[str]:
    """Each piece of what is on disk: where it is, then what is in it, as it stands."""
    reader = found.source.records(found.id)
    rows: list[Row] = []

    def take(change: RowsChanged) -> None:
        rows[change.first :] = change.rows

    reader.refresh(take)
    for row in rows:
        where = f"frame {row.line}" if row.unit == "frame" else f"line {row.line}"
        where += f", byte {row.offset}"
        if row.kind in ("damaged", "tail"):
            what = row.text if row.kind == "damaged" else "not written to its end"
            yield visible(f"{where}, damaged, {row.size} bytes: {what}")
            continue
        data = reader.read(row.offset, row.readable)
        yield visible(f"{where}, {row.record or row.role}: {data.decode('utf-8', 'replace')}")


# --- doctor --------------------------------------------------------------------------------------


def doctor(args: argparse.Namespace) -> int:
    """Exit code 0: all are clean; 6: there are findings; else the highest error."""
    if args.repair:
        raise UsageError(
            "a Reasonix session is repaired when it is loaded, and the next save keeps that: there "
            "is nothing for --repair to do"
        )
    code = CLEAN
    answers = []
    chosen, skipped = _chosen(args)
    bad = 0
    for found in chosen:
        try:
            findings = examine(found.path)
        except TenutoError as error:
            code = max(code, error.exit_code)
            bad += 1
            report(error, as_json=False)
            answers.append({"id": found.id, "findings": [], **error.told()})
            continue
        if any(not finding.harmless for finding in findings):
            code = max(code, FINDINGS)
        bad += bool(findings)
        answers.append({"id": found.id, "findings": msgspec.to_builtins(findings)})
        if not args.json:
            print(f"{single_line(found.id)}: {'clean' if not findings else ''}".rstrip())
            for finding in findings:
                print(f"  {visible(finding.message)}")
    if args.json:
        print_json(answers)
    elif not args.ids:
        print(f"{len(chosen)} sessions: {len(chosen) - bad} clean, {bad} with findings")
        for each in sorted(skipped, key=lambda each: each.name):
            print(f"not listed: {visible(each.name)} ({visible(each.reason)})")
    return code


def _chosen(args: argparse.Namespace) -> tuple[list[SessionTarget], list[Skipped]]:
    """The sessions that were named, or all of them, and what else lies beside those."""
    if args.ids:
        return [locate(word, args, any_file=True) for word in dict.fromkeys(args.ids)], []
    source = source_of(args)
    listing = source.list()
    return [SessionTarget(source, row.id, row.id) for row in listing.summaries], listing.skipped
