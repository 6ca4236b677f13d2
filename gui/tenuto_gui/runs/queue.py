# SPDX-License-Identifier: Apache-2.0
"""The open questions of all runs of the window, oldest first. Qt-free."""

from __future__ import annotations

from typing import NamedTuple

from tenuto_gui.runs.protocol import Ask


class Open(NamedTuple):
    """One open question."""

    run_id: str
    ask: Ask


class Questions:
    """In the order in which they were asked."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Open] = {}
        #: What was typed or chosen, and not sent, for the questions that are open.
        self._drafts: dict[tuple[str, str], str] = {}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, run_id: str, ask: Ask) -> None:
        """A run asks."""
        self._open[run_id, ask.id] = Open(run_id, ask)

    def remove(self, run_id: str, ask_id: str) -> Open | None:
        """Answered or withdrawn; None where nobody asked that."""
        self._drafts.pop((run_id, ask_id), None)
        return self._open.pop((run_id, ask_id), None)

    def remove_run(self, run_id: str) -> None:
        """The run asks nothing any more."""
        for key in [key for key in self._open if key[0] == run_id]:
            self.remove(*key)

    def keep_draft(self, question: Open, draft: str) -> None:
        """Hold half an answer until its question is shown again; of one that is over, nothing."""
        key = (question.run_id, question.ask.id)
        if key in self._open:
            self._drafts[key] = draft

    def draft(self, question: Open) -> str | None:
        """Half an answer, None where nobody began one."""
        return self._drafts.get((question.run_id, question.ask.id))

    def of(self, run_id: str) -> list[Open]:
        """The questions of one run."""
        return [each for each in self._open.values() if each.run_id == run_id]

    def first(self, run_id: str) -> Open | None:
        """The oldest question of a run, or where it has none the oldest of all."""
        own = self.of(run_id)
        return own[0] if own else next(iter(self._open.values()), None)

    def rank(self, question: Open) -> int:
        """Which of all open questions this one is, from 1; 0 where it is open no more."""
        keys = list(self._open)
        key = (question.run_id, question.ask.id)
        return keys.index(key) + 1 if key in self._open else 0
