# SPDX-License-Identifier: Apache-2.0
"""``tenuto session export``: a session as a file, complete to move it or readable to show it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from tenuto.cli.common import print_json, say, wrong_use
from tenuto.cli.summary import summary_of
from tenuto.cli.targets import Target, any_reasonix, target
from tenuto.errors import RunNotFound, UsageError
from tenuto.sentences import sentence
from tenuto.text import visible

if TYPE_CHECKING:
    from tenuto.cli.reasonix_targets import SessionTarget
    from tenuto.redact import Redactor
    from tenuto.runs.archive import Packed

_SUFFIXES = {
    ".tenuto": "tenuto",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
}
FORMATS = ("tenuto", "markdown", "html", "json")


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "export",
        help="write a session to a file",
        description=(
            "Write a session to a file that only you can read. `tenuto` is complete, byte for byte "
            "and with every secret in it, for `tenuto session import`. `markdown`, `html` and "
            "`json` are for reading: keys, passwords and tokens are taken out and counted. A "
            "Reasonix session is exported for reading only."
        ),
    )
    parser.add_argument(
        "id", metavar="ID", help="the run or its journal file, or a Reasonix session"
    )
    parser.add_argument("--to", required=True, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--format", choices=FORMATS, help="what to write (default: by the ending of FILE)"
    )
    parser.add_argument(
        "--no-redact", action="store_true", help="leave secrets in what is for reading"
    )
    parser.add_argument("--force", action="store_true", help="replace FILE if it is there")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from tenuto.export.target import warnings_for

    item, directory = _find(args)
    form = args.format or _SUFFIXES.get(os.path.splitext(args.to)[1].lower())
    if form is None:
        raise wrong_use(
            f"what should {args.to} hold? Its ending does not tell", f"--format {'|'.join(FORMATS)}"
        )
    place = os.path.abspath(os.path.expanduser(args.to))
    if os.path.realpath(os.path.dirname(place)) == os.path.realpath(directory):
        kind = "runs" if isinstance(item, Target) else "its sessions"
        raise UsageError(f"{os.path.dirname(place)} is the folder of {kind}: write it elsewhere")
    warnings = warnings_for(place)
    answer = {"id": item.id, "path": place, "format": form}
    if form == "tenuto":
        if not isinstance(item, Target):
            from tenuto.cli.reasonix_export import refuse_complete

            raise refuse_complete(item)
        answer |= _complete(item, place, force=args.force)
        warnings.append(sentence("it holds everything the session has, secrets too"))
    else:
        answer |= _readable(item, place, form, force=args.force, redacting=not args.no_redact)
    answer["size"] = os.stat(place).st_size
    if args.json:
        said = [str(warning) for warning in warnings]
        parts = [warning.parts() for warning in warnings]
        print_json({**answer, "warnings": said, "warning_parts": parts})
        return 0
    print(_text(answer))
    for warning in warnings:
        say("tenuto: " + visible(str(warning)))
    return 0


def _find(args: argparse.Namespace) -> tuple[Target | SessionTarget, str]:
    """What is exported, and the folder that it lies in."""
    if any_reasonix([args.id], args):
        from tenuto.cli.reasonix_targets import locate

        session = locate(args.id, args)
        return session, os.path.dirname(session.path)
    item = target(args.id, args)
    return item, item.directory


def _text(answer: dict[str, Any]) -> str:
    lines = [f"{answer['id']}: {visible(answer['path'])}, {answer['size']:,} bytes"]
    if answer["left"]:
        lines.append(f"left out, as no files of ours: {visible(', '.join(answer['left']))}")
    redacted = answer["redacted"]
    if redacted:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(redacted.items()))
        lines.append(f"redacted: {kinds}")
    elif redacted is not None:
        lines.append("redacted: nothing was found")
    return "\n".join(lines)


def _complete(item: Target, place: str, *, force: bool) -> dict[str, Any]:
    from tenuto.export.target import write_target
    from tenuto.runs.archive import pack
    from tenuto.runs.files import FileLayer

    layer = FileLayer()

    def write(fd: int) -> Packed:
        return pack(layer, item.directory, item.id, fd, path=place)

    packed = write_target(place, write, force=force, layer=layer)
    return {"files": list(packed.manifest.files), "left": list(packed.left), "redacted": None}


def _readable(
    item: Target | SessionTarget, place: str, form: str, *, force: bool, redacting: bool
) -> dict[str, Any]:
    from tenuto.export.target import write_target
    from tenuto.redact import Redactor
    from tenuto.runs.files import FileLayer

    redactor = Redactor(off=not redacting)
    layer = FileLayer()
    if isinstance(item, Target):
        pieces = _pieces(item, form, redactor)
    else:
        from tenuto.cli import reasonix_export

        pieces = reasonix_export.pieces(item, form, redactor)

    def write(fd: int) -> None:
        for piece in pieces():
            layer.write_all(fd, piece.encode("utf-8", "replace"), path=place)

    write_target(place, write, force=force, layer=layer)
    counts = dict(sorted(redactor.found.items())) if redacting else None
    return {"files": [], "left": [], "redacted": counts}


def _pieces(item: Target, form: str, redactor: Redactor) -> Callable[[], Iterator[str]]:
    """What writes the document; whatever can go wrong with the session goes wrong before."""
    from tenuto.runs import notes
    from tenuto.runs.file import FileRunStore

    summary = summary_of(item)
    if summary is None:
        raise RunNotFound(
            sentence("no run {id} in {directory}", id=item.id, directory=item.directory), id=item.id
        )
    kept = notes.load(item.directory, item.id)
    if form == "json":
        from tenuto.export.document import Damaged, document

        found = FileRunStore(item.directory).scan(item.id, read_on=True)
        lines = ((record.line or b"").decode("utf-8", "replace") for record in found.records)
        damage = [Damaged(each.line, each.offset, each.size, each.reason) for each in found.damage]
        return lambda: document(summary, kept, lines, damage, redactor)
    from tenuto.export.story import story
    from tenuto.sources.transcript import RunTranscript

    transcript = RunTranscript(item.path)
    transcript.refresh(live=summary.status in ("running", "waiting"))
    told = story(summary, kept, transcript.blocks, redactor)
    if form == "html":
        from tenuto.export.page import page

        return lambda: page(told)
    from tenuto.export.markdown import markdown

    return lambda: markdown(told)
