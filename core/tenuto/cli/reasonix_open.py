# SPDX-License-Identifier: Apache-2.0
"""``tenuto reasonix open``: hand a session over to the installed ``reasonix`` program."""

from __future__ import annotations

import argparse
import os
import shutil
import sys

from tenuto.cli.reasonix_targets import NAME, locate
from tenuto.errors import ConfigError, Leased
from tenuto.reasonix.folders import root_above, state
from tenuto.sentences import sentence
from tenuto.sources.reasonix_capabilities import PROGRAM


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "open",
        help="hand a session over to the installed reasonix program",
        description=(
            "Go on with a session in Reasonix itself, in this terminal: the way for generations "
            "that only Reasonix writes (C and v4). Tenuto's part ends there."
        ),
    )
    parser.add_argument("id", metavar="ID", help="the session, or its file or folder")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    args.source = NAME
    found = locate(args.id, args)
    row = found.row()
    if row.status == "running":
        raise Leased(
            sentence(
                "{id} is open in {who}",
                id=found.id,
                who=row.holder.who if row.holder is not None else sentence("another process"),
            ),
            id=found.id,
            path=found.path,
            pid=row.evidence.pid if row.evidence else None,
            hostname=None,
        )
    program = shutil.which(PROGRAM)
    if program is None:
        raise ConfigError(
            sentence(
                "there is no reasonix program on PATH. `tenuto session fork` makes a "
                "session of generation A of it (or, with --config, a run), which Tenuto "
                "resumes"
            ),
            path=found.path,
            problems=[],
        )
    # A v4 session is known by its id, an older one by its file.
    name = os.path.basename(found.path) if row.generation == "v4" else found.path
    sys.stdout.flush()
    sys.stderr.flush()
    if os.path.isdir(row.workspace_root):
        os.chdir(row.workspace_root)
    os.execve(program, [PROGRAM, "chat", "--resume", name], _environment(found.path))


def _environment(path: str) -> dict[str, str]:
    """Ours; where the session is in another state folder than usual, with that one."""
    root = root_above(os.path.dirname(path))
    if root is None or os.path.realpath(root) == os.path.realpath(state()):
        return dict(os.environ)
    return os.environ | {"REASONIX_STATE_HOME": str(root)}
