# SPDX-License-Identifier: Apache-2.0
"""Whether a run has used up what it may spend, said before it spends more."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from tenuto.sources.base import SessionSummary
from tenuto_gui import format as figures
from tenuto_gui.i18n import translate


class _Row(msgspec.Struct, frozen=True):
    field: str
    current: str | int | float | None = None


class _Answer(msgspec.Struct, frozen=True):
    rows: list[_Row]


@dataclass(frozen=True)
class UsedUp:
    """A budget that is used up: what is so, what a resume would do, and the key to raise."""

    title: str
    effect: str
    key: str


def ended_at_limit(summary: SessionSummary) -> bool:
    """Whether a budget is why the run rests."""
    return summary.status in ("budget", "max_iterations")


def used_up(summary: SessionSummary, answer: object) -> list[UsedUp]:
    """The budgets of today's configuration that the run has used up already.

    ``answer``: what ``session diff --json`` said; empty where it says no limits.
    """
    try:
        rows = msgspec.convert(answer, _Answer).rows
    except msgspec.ValidationError:
        return []
    limits = {row.field: row.current for row in rows if isinstance(row.current, int)}
    found = []
    tokens = limits.get("max_tokens", 0)
    if tokens and summary.tokens >= tokens:
        title = translate("budget", "The token budget is used up: {used} of {limit}")
        found.append(
            UsedUp(
                title.format(used=figures.short(summary.tokens), limit=figures.short(tokens)),
                translate("budget", "One more call of the model would end the run again."),
                "llm.budget.max_tokens",
            )
        )
    turns = limits.get("max_iterations", 0)
    # A chat begins to count anew with each prompt.
    if turns and not summary.interactive and summary.next_iteration >= turns:
        title = translate("budget", "The iteration budget is used up: {used} of {limit}")
        found.append(
            UsedUp(
                title.format(
                    used=figures.exact(summary.next_iteration), limit=figures.exact(turns)
                ),
                translate("budget", "The run would end again without a call."),
                "llm.budget.max_iterations",
            )
        )
    return found
