# SPDX-License-Identifier: Apache-2.0
"""``tenuto session import``: verify an exported session, look at it, or put it into the folder."""

from __future__ import annotations

import argparse
import os
import tempfile

import msgspec

from tenuto.cli.common import folder_of, print_json
from tenuto.errors import UsageError
from tenuto.runs.bundle import Bundle, unpack
from tenuto.runs.ids import check_new_id
from tenuto.runs.notes import Notes


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "import",
        help="verify an exported session and put it into the folder of runs",
        description=(
            "Verify a session that was exported as `tenuto` and copy it into the folder of runs, "
            "under a new id where its own is taken. What the session names as its configuration "
            "and working directory is forgotten unless it is known here."
        ),
    )
    parser.add_argument("file", metavar="FILE", help="the exported session, *.tenuto")
    parser.add_argument("--as", dest="id", metavar="ID", help="the id that it gets here")
    parser.add_argument(
        "--show", action="store_true", help="only show it: nothing is put into the folder"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.show and args.id is not None:
        raise UsageError("--show puts nothing into the folder: it takes no --as")
    id = None if args.id is None else check_new_id(args.id)
    with Bundle(os.path.expanduser(args.file)) as bundle:
        if args.show:
            return _show(bundle, args)
        done = unpack(bundle, folder_of(args), id, change=_without_strange_paths)
    path = os.path.join(done.directory, f"{done.id}.json")
    if args.json:
        print_json({**msgspec.to_builtins(done), "path": path, "renamed": done.id != bundle.id})
    elif done.id != done.exported_id:
        print(f"{done.exported_id} is here as {done.id}")
    else:
        print(f"{done.id} is here")
    return 0


def _show(bundle: Bundle, args: argparse.Namespace) -> int:
    """As ``session show`` does, on a copy that is gone afterwards."""
    from tenuto.cli import session_show

    with tempfile.TemporaryDirectory(prefix="tenuto-") as folder:
        unpack(bundle, folder)
        args.ids = [os.path.join(folder, f"{bundle.id}.json")]
        args.transcript = args.records = False
        code = session_show.run(args, passing=True)
        if not args.json:
            print()
            args.transcript = True
            session_show.run(args)
        return code


def _without_strange_paths(_name: str, data: bytes) -> bytes:
    """Notes without a configuration that was never used on this machine.

    A resume offers it first, and a configuration says which commands run: that of a stranger's
    session may lie on a share of the stranger's.
    """
    from tenuto.agent import seen

    notes = Notes.from_bytes(data)
    if notes.problem is not None or (notes.config is None and notes.cwd is None):
        return data
    if notes.config is not None and os.path.abspath(notes.config) in map(str, seen.known()):
        return data
    return msgspec.structs.replace(notes, config=None, cwd=None).to_bytes()
