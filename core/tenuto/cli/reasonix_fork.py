# SPDX-License-Identifier: Apache-2.0
"""``session fork`` for Reasonix sessions: into a session of generation A, or into a run."""

from __future__ import annotations

import argparse

import msgspec

from tenuto.agent.session_fork import fork_to_run, fork_to_session, taken
from tenuto.cli.common import folder_of, print_json
from tenuto.cli.reasonix_change import check
from tenuto.cli.reasonix_targets import NAME, locate
from tenuto.runs.file import FileRunStore
from tenuto.runs.ids import check_new_id
from tenuto.text import single_line


def run(args: argparse.Namespace) -> int:
    """Print the new id; with ``--json`` the whole of what was made."""
    found = locate(args.id, args)
    row = found.row()
    check(found.source.capabilities(row).fork, found)
    messages = taken(*found.numbered(), args.at, found.id)
    if args.config is None:
        made = fork_to_session(found.path, messages, row.model, args.name or "")
        # The id under which it is listed.
        made = msgspec.structs.replace(made, id=found.source.id_of(made.path) or made.id)
    else:
        name = None if args.name is None else check_new_id(args.name)
        from tenuto.agent.config import load_config, resolve

        resolved = resolve(load_config(args.config))
        folder = resolved.config.runs_directory
        if folder is None:
            # With --source, --state-dir names Reasonix's folder.
            lone = args.source != NAME
            folder = str(folder_of(args if lone else argparse.Namespace(state_dir="")))
        made = fork_to_run(
            FileRunStore(folder), found.path, messages, resolved, name, row.workspace_root
        )
    if args.json:
        print_json(msgspec.to_builtins(made))
    else:
        print(single_line(made.id))
    return 0
