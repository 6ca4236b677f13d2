# SPDX-License-Identifier: Apache-2.0
"""``tenuto session show``: what a session came to, its transcript, or its raw records."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import msgspec

from tenuto.cli.common import print_json, report
from tenuto.cli.summary import summary_of
from tenuto.cli.targets import Target, any_reasonix, target
from tenuto.errors import JournalError, StoreError, TenutoError
from tenuto.fold import RunState, fold, state_json
from tenuto.runs.file import FileRunStore
from tenuto.runs.reader import Damage
from tenuto.sources.arguments import arguments
from tenuto.sources.base import Call, SessionSummary
from tenuto.text import single_line, visible


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "show",
        help="show sessions: counters, transcript or raw records",
        description="Show what sessions came to. Nothing is changed and no lock is taken.",
    )
    parser.add_argument("ids", nargs="+", metavar="ID", help="sessions, or their files")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--transcript", action="store_true", help="the whole conversation as text")
    form.add_argument("--records", action="store_true", help="the raw records, damage in its place")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, *, passing: bool = False) -> int:
    """With ``--json`` one object a line and session; the exit code is the highest of all.

    Of a ``passing`` copy its path is not told, nor its prompt: the transcript that follows has it.
    """
    if any_reasonix(args.ids, args):
        from tenuto.cli import reasonix_show

        return reasonix_show.show(args)
    return max(_one(word, args, first=word is args.ids[0], passing=passing) for word in args.ids)


def _one(word: str, args: argparse.Namespace, *, first: bool, passing: bool) -> int:
    """One session; what is wrong with it is told and does not keep the others from being shown."""
    found: Target | None = None
    state: RunState | None = None
    problem: TenutoError | None = None
    try:
        found = target(word, args)
        state = fold(FileRunStore(found.directory).load(found.id))
    except (JournalError, StoreError) as error:
        problem = error
    readable = found is not None and (problem is None or isinstance(problem, JournalError))
    summary = _summary(found, state) if readable and found else None
    if args.json:
        print_json(_answer(word, found, state, problem, summary))
    elif readable and found:
        if not first:
            print()
        for line in _text(found, state, summary, args, passing=passing):
            print(line)
    if problem is None:
        return 0
    if not args.json:
        report(problem, as_json=False)
    return problem.exit_code


def _text(
    item: Target,
    state: RunState | None,
    summary: SessionSummary | None,
    args: argparse.Namespace,
    *,
    passing: bool,
) -> Iterator[str]:
    if args.transcript:
        return _transcript(item)
    return _records(item) if args.records else _overview(item, state, summary, passing=passing)


def _summary(item: Target, state: RunState | None) -> SessionSummary | None:
    summary = summary_of(item)
    evidence = summary.evidence if summary else None
    if summary and state and state.pending and evidence and evidence.kind == "outcome_unknown":
        # A sidecar has the call's name only; here the journal was read.
        call = state.pending.unanswered[0]
        display = f"{call.name} {arguments(bytes(call.input))}".rstrip()
        evidence = msgspec.structs.replace(evidence, calls=[Call(call.id, call.name, display)])
        summary = msgspec.structs.replace(summary, evidence=evidence)
    return summary


def _answer(
    word: str,
    item: Target | None,
    state: RunState | None,
    problem: TenutoError | None,
    summary: SessionSummary | None,
) -> dict[str, Any]:
    evidence = summary.evidence if summary else None
    return {
        "id": item.id if item else word,
        "path": item.path if item else "",
        "error": problem.kind if problem else None,
        "message": problem.message if problem else None,
        "status": summary.status if summary else None,
        "evidence": msgspec.to_builtins(evidence) if evidence else None,
        "state": state_json(state) if state else None,
    }


def _overview(
    item: Target, state: RunState | None, summary: SessionSummary | None, *, passing: bool
) -> Iterator[str]:
    if summary is None:
        yield item.id
        return
    yield single_line(summary.title or item.id)
    rows = [("id", item.id), ("status", status_words(summary))]
    if summary.version:
        chat = " (chat)" if summary.interactive else ""
        rows += [
            ("model", f"{summary.model} ({summary.provider or 'anthropic'}){chat}"),
            ("created", summary.created),
        ]
    rows += [("updated", summary.updated)]
    counters = summary.counters
    if summary.version:
        cached = f", {counters.cache_read_tokens:,} read from cache" if summary.tokens else ""
        rows += [
            ("turns", f"{summary.turns}, {summary.calls} tool calls"),
            ("tokens", f"{summary.tokens:,}{cached}"),
        ]
    if state is not None:
        saved = state.fingerprint
        rows += [
            ("budget", f"{saved.max_tokens:,} tokens, {saved.max_iterations} iterations"),
            ("records", f"{state.last_seq} (journal version {state.version})"),
        ]
    if not passing:
        rows.append(("path", item.path))
    for name, value in rows:
        yield f"  {name:<9}{single_line(value)}"
    if state is not None and not passing:
        yield ""
        yield from (("> " + line).rstrip() for line in visible(state.prompt).split("\n"))


def status_words(summary: SessionSummary) -> str:
    """The status and its evidence in a line of English."""
    evidence = summary.evidence
    if evidence is None:
        return summary.status
    parts = []
    match evidence.kind:
        case "lock" | "ask":
            parts += [f"process {evidence.pid}"] if evidence.pid else []
            parts += [f"since {evidence.time}"] if evidence.time else []
        case "terminal":
            parts += [f"record {evidence.seq}"]
        case "between_turns":
            parts += ["between turns"]
        case "outcome_unknown":
            names = ", ".join(call.display for call in evidence.calls or [])
            parts += [f"outcome unknown: {names}"]
        case "lock_unknown":
            parts += ["or running: this system does not tell who holds a lock"]
        case "problem":
            pass
    if evidence.text:
        parts.append(evidence.text)
    return ", ".join([summary.status, *parts])


def _transcript(item: Target) -> Iterator[str]:
    from tenuto.cli.transcript_text import render
    from tenuto.sources.transcript import RunTranscript

    transcript = RunTranscript(item.path)
    transcript.refresh()
    yield from render(transcript.blocks)


def _records(item: Target) -> Iterator[str]:
    """Every line of the journal: number and offset, then the record as it stands."""
    from tenuto.runs.files import FileLayer
    from tenuto.runs.reader import scan

    layer = FileLayer()
    with layer.open_dir(item.directory) as folder:
        fd, _ = layer.open_regular(folder, item.id + ".json")
        with open(fd, "rb") as file:
            found = scan(file, read_on=True)
    damage: dict[int, Damage] = {piece.line: piece for piece in found.damage}
    at = iter(zip(found.line_numbers, found.offsets, found.records, strict=True))
    rows: list[tuple[int, str]] = []
    for number, offset, record in at:
        text = (record.line or b"").decode("utf-8", "replace")
        rows.append((number, f"line {number}, byte {offset}, {record.kind}: {visible(text)}"))
    for number, piece in damage.items():
        text = f"line {number}, byte {piece.offset}, damaged, {piece.size} bytes: {piece.reason}"
        rows.append((number, visible(text)))
    if found.tail is not None and found.tail.kind != "unterminated":
        tail = found.tail
        rows.append((1 << 62, f"byte {tail.offset}, incomplete record, {tail.size} bytes"))
    yield from (text for _, text in sorted(rows, key=lambda row: row[0]))
