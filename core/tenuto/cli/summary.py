# SPDX-License-Identifier: Apache-2.0
"""One session as the list has it, its preview made where there is none."""

from __future__ import annotations

from tenuto.cli.targets import Target
from tenuto.sources.base import SessionSummary
from tenuto.sources.runs import RunSource


def summary_of(item: Target) -> SessionSummary | None:
    """The session's row; None where there is no such session."""
    source = RunSource(item.directory)
    changed = source.changes([item.id])
    if changed.pending or changed.gone:
        # Gone may mean that the list has the file under another name: it is a session all the same.
        changed = source.build_pending([item.id])
    return next((row for row in changed.updated if row.id == item.id), None)
