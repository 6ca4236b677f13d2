# SPDX-License-Identifier: Apache-2.0
"""What the window asks of a folder of runs besides its sessions: names, notes, workers.

Everything here reads; the one thing that acts is the signal that asks a worker to suspend. What
changes a file is a command.
"""

from __future__ import annotations

from tenuto.runs.ids import MAX_LENGTH, check_new_id, new_id, valid_id
from tenuto.runs.notes import Forced, Notes
from tenuto.runs.notes import load as load_notes
from tenuto.runs.workers import Asked, ask_to_suspend, is_worker

__all__ = [
    "MAX_LENGTH",
    "Asked",
    "Forced",
    "Notes",
    "ask_to_suspend",
    "check_new_id",
    "is_worker",
    "load_notes",
    "new_id",
    "valid_id",
]
