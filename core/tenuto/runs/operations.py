# SPDX-License-Identifier: Apache-2.0
"""What was to be done with a file when the system said no: a whole sentence for each.

One sentence with a verb put into it would be none in a language that builds it otherwise.
"""

from __future__ import annotations

from typing import Final, Literal

from tenuto.sentences import Sentence, marked

Operation = Literal[
    "create",
    "create a run in",
    "delete",
    "empty",
    "export",
    "list",
    "lock",
    "look at",
    "make a sample in",
    "make durable",
    "make samples in",
    "make the demo in",
    "move to the trash:",
    "open",
    "open the trash",
    "purge",
    "read",
    "repair",
    "restore",
    "save",
    "sweep",
    "write",
]
_CANNOT: Final[dict[Operation, str]] = {
    "create": marked("cannot create {path}: {reason} ({name})"),
    "create a run in": marked("cannot create a run in {path}: {reason} ({name})"),
    "delete": marked("cannot delete {path}: {reason} ({name})"),
    "empty": marked("cannot empty {path}: {reason} ({name})"),
    "export": marked("cannot export {path}: {reason} ({name})"),
    "list": marked("cannot list {path}: {reason} ({name})"),
    "lock": marked("cannot lock {path}: {reason} ({name})"),
    "look at": marked("cannot look at {path}: {reason} ({name})"),
    "make a sample in": marked("cannot make a sample in {path}: {reason} ({name})"),
    "make durable": marked("cannot make durable {path}: {reason} ({name})"),
    "make samples in": marked("cannot make samples in {path}: {reason} ({name})"),
    "make the demo in": marked("cannot make the demo in {path}: {reason} ({name})"),
    "move to the trash:": marked("cannot move to the trash: {path}: {reason} ({name})"),
    "open": marked("cannot open {path}: {reason} ({name})"),
    "open the trash": marked("cannot open the trash {path}: {reason} ({name})"),
    "purge": marked("cannot purge {path}: {reason} ({name})"),
    "read": marked("cannot read {path}: {reason} ({name})"),
    "repair": marked("cannot repair {path}: {reason} ({name})"),
    "restore": marked("cannot restore {path}: {reason} ({name})"),
    "save": marked("cannot save {path}: {reason} ({name})"),
    "sweep": marked("cannot sweep {path}: {reason} ({name})"),
    "write": marked("cannot write {path}: {reason} ({name})"),
}


def cannot(operation: Operation, path: str, reason: Sentence, name: str) -> Sentence:
    """``cannot write PATH: REASON (ENOSPC)``. ``name``: the system's own for the reason."""
    return Sentence(_CANNOT[operation], {"path": path, "reason": reason, "name": name})
