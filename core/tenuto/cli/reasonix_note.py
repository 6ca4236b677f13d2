# SPDX-License-Identifier: Apache-2.0
"""``session note`` for Reasonix sessions: kept in Tenuto's data folder, whatever the generation."""

from __future__ import annotations

import argparse
from typing import Any

from tenuto.cli.common import print_json
from tenuto.cli.reasonix_targets import locate
from tenuto.reasonix.own_notes import OwnNotes
from tenuto.text import single_line, visible


def run(args: argparse.Namespace, changes: dict[str, Any]) -> int:
    """Change what is given, else tell what there is; answers as for a run."""
    found = locate(args.id, args)
    own = OwnNotes()
    changed: tuple[str, ...] = ()
    if changes:
        notes, changed = own.update(found.path, **changes)
    else:
        notes = own.of(found.path)
    if args.json:
        answer = {"id": found.id, "pinned": notes.pinned, "note": notes.note}
        print_json(answer | {"changed": list(changed)})
    elif changes:
        state = "pinned" if notes.pinned else "not pinned"
        print(f"{single_line(found.id)}: {state}, {'with a note' if notes.note else 'no note'}")
    elif notes.note:
        print(visible(notes.note))
    return 0
