# SPDX-License-Identifier: Apache-2.0
"""``tenuto session doctor``: what is wrong with journals, and the rescue of what can be saved."""

from __future__ import annotations

import argparse
from typing import Any

import msgspec

from tenuto.cli.common import folder_of, print_json
from tenuto.cli.targets import Target, any_reasonix, targets
from tenuto.errors import TenutoError
from tenuto.runs import doctor
from tenuto.runs.file import FileRunStore
from tenuto.text import visible

CLEAN, FINDINGS = 0, 6


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "doctor",
        help="find what is wrong with journals, and rescue what can be",
        description=(
            "Say what is wrong with each journal, by line and byte offset. Nothing is changed "
            "without --repair. A repair keeps the journal as it was in ID.doctor-N.bak, sets bytes "
            "that belong to no record aside in ID.torn, and never touches a run in use."
        ),
    )
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="sessions or their files; default: all"
    )
    parser.add_argument("--repair", action="store_true", help="rescue what can be rescued")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Exit code 0: all clean (or made so); 6: findings are left; else the highest error."""
    if any_reasonix(args.ids, args):
        from tenuto.cli import reasonix_show

        return reasonix_show.doctor(args)
    chosen, skipped = _choose(args)
    answers = [_one(item, args.repair) for item in chosen]
    if args.json:
        print_json([answer for answer, _, _ in answers])
    else:
        for _, text, _ in answers:
            print(text)
        if not args.ids:
            _summary(chosen, [code for _, _, code in answers], skipped)
    return max((code for _, _, code in answers), default=CLEAN)


def _choose(args: argparse.Namespace) -> tuple[list[Target], dict[str, str]]:
    if args.ids:
        return targets(args.ids, args), {}
    store = FileRunStore(folder_of(args))
    entries = store.list()
    skipped = {entry.name: entry.reason for entry in store.skipped()}
    return [
        Target(store.directory, entry.id, entry.id)
        for entry in sorted(entries, key=lambda entry: entry.id)
    ], skipped


def _one(item: Target, wants_repair: bool) -> tuple[dict[str, Any], str, int]:
    """The answer for one run: as JSON, as text, as exit code."""
    repaired: doctor.Repaired | None = None
    try:
        if wants_repair:
            repaired = doctor.repair(item.directory, item.id)
            report = repaired.report
        else:
            report = doctor.examine(item.directory, item.id)
    except TenutoError as error:
        problem = {"id": item.id, "path": item.path, **error.told()}
        return problem, f"{item.id}: {visible(error.message)}", error.exit_code
    answer: dict[str, Any] = {
        "id": report.id,
        "path": report.path,
        "error": None,
        "health": report.health,
        "repairable": report.repairable,
        "size": report.size,
        "records": report.records,
        "pid": report.pid,
        "message": report.message,
        "findings": msgspec.to_builtins(report.findings),
        "notes": msgspec.to_builtins(report.notes),
        "repaired": _repaired_json(repaired) if repaired else None,
    }
    return answer, _text(report, repaired), _code(report, repaired)


def _repaired_json(repaired: doctor.Repaired) -> dict[str, Any]:
    made: dict[str, Any] = msgspec.to_builtins(repaired)
    for key in ("report", "id"):
        del made[key]
    return made


def _code(report: doctor.Report, repaired: doctor.Repaired | None) -> int:
    if report.health == "clean":
        return CLEAN
    if report.health in ("newer", "empty"):
        return FINDINGS
    return CLEAN if repaired is not None and repaired.changed else FINDINGS


def _text(report: doctor.Report, repaired: doctor.Repaired | None) -> str:
    held = f" (in use by process {report.pid})" if report.pid else ""
    if report.health == "clean":
        lines = [f"{report.id}: clean, {report.records} records{held}"]
    else:
        lines = [f"{report.id}: {visible(report.message) or _verdict(report)}{held}"]
    for finding in report.findings:
        where = f"line {finding.line}, byte {finding.offset}"
        lines.append(f"  {where}: {visible(finding.message)}")
    lines += [f"  {visible(finding.message)}" for finding in report.notes]
    if repaired is not None and repaired.changed:
        lines.append("  " + _what_was_done(repaired))
    elif repaired is not None and report.findings and not report.repairable:
        lines.append("  nothing was changed: what is missing cannot be made up")
    return "\n".join(lines)


def _verdict(report: doctor.Report) -> str:
    count = len(report.findings)
    what = f"{count} finding{'s' if count > 1 else ''} in {report.records} records"
    if report.repairable:
        return f"{what}; every whole record can be kept"
    return f"{what}; it can be read, not resumed"


def _what_was_done(repaired: doctor.Repaired) -> str:
    if repaired.backup is None:
        return "repaired: the file is 0600 now"
    parts = [f"repaired: {repaired.records} records"]
    if repaired.rescued:
        parts.append(f"{repaired.rescued} of them rescued")
    if repaired.aside_bytes:
        parts.append(f"{repaired.aside_bytes} bytes set aside in {repaired.id}.torn")
    parts.append(f"the journal as it was is {repaired.backup}")
    return ", ".join(parts)


def _summary(chosen: list[Target], codes: list[int], skipped: dict[str, str]) -> None:
    bad = sum(code != CLEAN for code in codes)
    print(f"{len(chosen)} runs: {len(chosen) - bad} clean, {bad} with findings")
    for name, reason in sorted(skipped.items()):
        print(f"not a run: {visible(name)} ({visible(reason)})")
