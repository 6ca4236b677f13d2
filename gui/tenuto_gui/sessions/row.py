# SPDX-License-Identifier: Apache-2.0
"""A row of the list: a session with what painting, ordering and filtering it need."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from tenuto.sources.base import SessionSummary
from tenuto_gui import format as fmt
from tenuto_gui.i18n import enumerated, translate
from tenuto_gui.sessions.order import fold_text
from tenuto_gui.sessions.words import evidence_text, mark_of, word

#: In front of the source, for sessions of no project.
LOOSE = "source:"


class Row:
    """One session with what painting, ordering and filtering it need, each made once."""

    __slots__ = ("_cells", "_haystack", "depth", "id", "key", "project", "summary")

    def __init__(self, summary: SessionSummary, key: Any) -> None:
        self.id = summary.id
        self.summary = summary
        self.key = key
        #: Its group in a list by project; kept, as every keystroke shares all sessions out.
        self.project = summary.group or LOOSE + summary.source
        #: How many sessions that it was forked from stand above it in the tree.
        self.depth = 0
        self._haystack: str | None = None
        self._cells: tuple[str, str, str, str, str, str, str] | None = None

    @property
    def haystack(self) -> str:
        if self._haystack is None:
            s = self.summary
            parts = (s.title, s.prompt, s.last_text, s.model, s.id, s.group)
            self._haystack = fold_text("\n".join(parts))
        return self._haystack

    @property
    def cells(self) -> tuple[str, str, str, str, str, str, str]:
        """Title ("" = untitled), mark, word, evidence, evidence in mono, model, tokens."""
        if self._cells is None:
            s = self.summary
            mark = mark_of(s)
            plain, mono = evidence_text(s)
            tokens = fmt.short(s.tokens) if s.tokens else ""
            self._cells = (s.title, mark, word(mark), plain, mono, fmt.model_name(s.model), tokens)
        return self._cells


def time_of(row: Row) -> datetime:
    """When its session changed last."""
    return datetime.fromtimestamp(-row.summary.activity_key[0] / 1e9, UTC)


def age_of(row: Row) -> str:
    """The age of the last change, in today's words."""
    if not row.summary.mtime_ns:
        return ""
    return fmt.age(time_of(row), datetime.now(UTC))


def spoken(row: Row) -> str:
    """The row for a screen reader, in the order of what matters: what it is, how it stands."""
    title, _mark, state, plain, mono, model, tokens = row.cells
    pinned = translate("status", "pinned") if row.summary.pinned else ""
    fork = translate("status", "a fork") if row.depth else ""
    evidence = plain or mono
    parts = (title or row.id, state, evidence, age_of(row), pinned, fork, model, tokens)
    return enumerated(part for part in parts if part)
