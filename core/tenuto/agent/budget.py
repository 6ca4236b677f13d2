# SPDX-License-Identifier: Apache-2.0
"""What a run may spend: tokens over its whole life, iterations (run-journal.md, "other rules")."""

from __future__ import annotations

from dataclasses import dataclass

from tenuto.agent.providers.base import Usage


@dataclass
class Budget:
    """Counts against the limits of the configuration, from where the journal left off."""

    max_tokens: int
    max_iterations: int
    #: Tokens of all kinds, over all calls of the run.
    tokens: int = 0
    #: The next iteration number; also how many were used.
    iteration: int = 0
    #: The number at which the present allowance began: 0, but for a chat's follow-ups.
    allowance_from: int = 0

    @property
    def iterations_used_up(self) -> bool:
        return self.iteration - self.allowance_from >= self.max_iterations

    @property
    def tokens_used_up(self) -> bool:
        return self.tokens >= self.max_tokens

    def spend(self, usage: Usage) -> None:
        self.tokens += usage.total
        self.iteration += 1

    def fresh_allowance(self) -> None:
        """A chat's accepted follow-up starts counting iterations anew."""
        self.allowance_from = self.iteration

    def tokens_message(self) -> str:
        return f"token budget ({self.max_tokens}) exhausted after {self.iteration} iterations"

    def iterations_message(self) -> str:
        return f"iteration budget ({self.max_iterations}) exhausted"
