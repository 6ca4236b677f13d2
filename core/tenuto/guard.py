# SPDX-License-Identifier: Apache-2.0
"""The resume guard: may this run go on under that configuration (run-journal.md). Pure.

Nothing is read here: the caller folds the journal, resolves the configuration, and looks whether a
backup of an upgraded journal lies beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from tenuto.fingerprint import DEFAULT_PROVIDER, FIELDS, Field, FieldChange, Fingerprint
from tenuto.records import Terminal

Reason = Literal["completed", "provider", "configuration", "mode"]

#: What people call the fields.
NAMES: dict[Field, str] = {
    "provider": "provider",
    "model": "model",
    "system_hash": "system prompt",
    "tools_hash": "tool set",
    "thinking_mode": "thinking",
    "max_tokens": "token budget",
    "max_iterations": "iteration budget",
}
_HASHES = ("system_hash", "tools_hash")
#: The first version whose hashes are over the neutral form.
_NEUTRAL_VERSION = 3


class GuardWarning(msgspec.Struct, frozen=True):
    """Something to know before going on. ``kind`` is stable, ``text`` a sentence."""

    kind: Literal["server_state", "forced"]
    text: str


class GuardVerdict(msgspec.Struct, frozen=True):
    """The answer. ``resumable``: without force; ``forceable``: with force it would be."""

    resumable: bool
    forceable: bool
    #: None where it is resumable.
    reason: Reason | None
    #: What to say when it is refused; one line for each changed field.
    message: str
    saved: Fingerprint
    #: Today's fingerprint in the form that the saved one has.
    current: Fingerprint
    #: All seven fields, changed or not.
    rows: list[FieldChange]
    warnings: list[GuardWarning]
    #: Whether force was given.
    force: bool = False

    @property
    def equal(self) -> bool:
        """Whether nothing differs, whatever else stands in the way."""
        return not self.changes

    @property
    def changes(self) -> list[FieldChange]:
        return [row for row in self.rows if row.changed]

    @property
    def allowed(self) -> bool:
        """Whether to go on: resumable, or forced where that helps."""
        return self.resumable or (self.force and self.forceable)

    @property
    def forced(self) -> bool:
        """Whether it only goes on because of force."""
        return self.allowed and not self.resumable

    def as_json(self, details: Mapping[str, Sequence[Any]] | None = None) -> dict[str, Any]:
        """The form of ``session diff --json`` (design.md); ``details`` by field."""
        return {
            "equal": self.equal,
            "resumable": self.resumable,
            "forceable": self.forceable,
            "reason": self.reason,
            "saved": fields(self.saved),
            "current": fields(self.current),
            "rows": self.rows_json(details),
        }

    def rows_json(self, details: Mapping[str, Sequence[Any]] | None = None) -> list[dict[str, Any]]:
        """The rows alone: what the ``diff`` of an event holds."""
        return [
            {
                "field": row.field,
                "saved": row.saved,
                "current": row.current,
                "changed": row.changed,
                "details": list((details or {}).get(row.field, ())),
            }
            for row in self.rows
        ]


def fields(fingerprint: Fingerprint) -> dict[str, str | int]:
    """All seven fields by name, the provider of an old run filled in."""
    values: dict[str, str | int] = {name: getattr(fingerprint, name) for name in FIELDS}
    values["provider"] = fingerprint.provider or DEFAULT_PROVIDER
    return values


def check(
    saved: Fingerprint,
    current: Fingerprint,
    *,
    version: int,
    wire: Sequence[Fingerprint] = (),
    has_backup: bool = False,
    interactive: bool = False,
    as_chat: bool | None = None,
    terminal: Terminal | None = None,
    last_stop_reason: str = "",
    pending: bool = False,
    force: bool = False,
) -> GuardVerdict:
    """Compare and judge.

    :param saved: the journal's fingerprint, and ``version`` its schema version.
    :param current: today's, in the neutral form; ``wire``: the same in the form of versions 1 and
        2, and what early builds would have made of it.
    :param has_backup: the journal was upgraded (``<id>.v1.bak`` or ``.v2.bak`` is there), so its
        hashes may be of either form.
    :param interactive: the run is a chat; ``as_chat``: what it is to be resumed as, None for
        whatever it is.
    :param terminal: the terminal record in force, if any.
    :param last_stop_reason: of the last reply, with ``pending`` for an open batch.
    """
    candidates: list[Fingerprint]
    if version < _NEUTRAL_VERSION:
        # With nothing in the right form the comparison still names what can be compared.
        candidates = list(wire) or [current]
    elif has_backup:
        candidates = [current, *wire]
    else:
        candidates = [current]
    compared = min(candidates, key=lambda candidate: len(saved.diff(candidate)))
    rows = saved.compare(compared)
    changed = [row for row in rows if row.changed]

    reason: Reason | None = None
    message = ""
    if terminal is not None and terminal.reason == "completed":
        reason, message = "completed", "the run is completed: there is nothing to go on with"
    elif any(not row.forceable for row in changed):
        reason = "provider"
        row = next(row for row in changed if not row.forceable)
        message = (
            f"the run belongs to the provider {row.saved}, the configuration to {row.current}:"
            " a run never changes its provider"
        )
    elif as_chat is not None and as_chat != interactive:
        reason = "mode"
        message = (
            "the run is a chat and can only be resumed as one"
            if interactive
            else "the run is not a chat and cannot be resumed as one"
        )
    elif changed:
        reason = "configuration"
        message = "\n".join(["the configuration has changed:", *map(describe, changed)])
    forceable = reason is None or reason == "configuration"
    return GuardVerdict(
        reason is None,
        forceable,
        reason,
        message,
        saved,
        compared,
        rows,
        _warnings(last_stop_reason, pending, forced=force and reason == "configuration"),
        force,
    )


def describe(row: FieldChange) -> str:
    """One line for a changed field: values, but only "changed" for the hashes."""
    name = NAMES[row.field]
    return f"{name}: changed" if row.field in _HASHES else f"{name}: {row.saved} -> {row.current}"


def _warnings(last_stop_reason: str, pending: bool, *, forced: bool) -> list[GuardWarning]:
    warnings = []
    if last_stop_reason == "pause_turn" and not pending:
        warnings.append(
            GuardWarning(
                "server_state",
                "the run paused inside a tool of the provider's own: what the provider kept of it"
                " may have expired",
            )
        )
    if forced:
        warnings.append(
            GuardWarning(
                "forced",
                "the saved fingerprint stays as it is: the run must be forced again with this"
                " configuration",
            )
        )
    return warnings
