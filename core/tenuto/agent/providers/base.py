# SPDX-License-Identifier: Apache-2.0
"""The one face of every model provider: a request in, a whole reply out, deltas on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tenuto.agent.cancel import CancelToken
from tenuto.fingerprint import ToolDefinition
from tenuto.messages import Block, Message

#: The most that a journal can hold: a reader takes a record with a larger number for damage.
_MOST_TOKENS = 2**63 - 1


@dataclass(frozen=True)
class Usage:
    """Tokens of one call, as the provider counted them, within what a journal can hold."""

    in_tokens: int = 0
    out_tokens: int = 0
    cache_read_tokens: int = 0
    cache_create_tokens: int = 0

    def __post_init__(self) -> None:
        # Less than nothing would add to the budget.
        for name, count in vars(self).items():
            object.__setattr__(self, name, min(max(count, 0), _MOST_TOKENS))

    @property
    def total(self) -> int:
        """What counts against the token budget: all four (run-journal.md, "other rules")."""
        return self.in_tokens + self.out_tokens + self.cache_read_tokens + self.cache_create_tokens


@dataclass(frozen=True)
class Request:
    """One model call, in neutral terms."""

    messages: Sequence[Message]
    #: The fingerprinted parts of the system prompt, then what was added after it.
    system: Sequence[str]
    tools: Sequence[ToolDefinition] = ()
    #: How many of ``system`` are fixed for the run and worth caching.
    fixed_system: int = 0


@dataclass(frozen=True)
class Reply:
    """A whole answer. A stream that broke off never becomes one."""

    content: tuple[Block, ...]
    stop_reason: str
    usage: Usage = field(default_factory=Usage)


class Deltas(Protocol):
    """Where unfinished text goes while the model writes."""

    def text(self, delta: str) -> None: ...

    def thinking(self, delta: str) -> None: ...

    def trouble(self, kind: str, text: str, facts: dict[str, Any]) -> None:
        """Something went wrong on the way to the reply, and the call goes on.

        ``facts``: what ``text`` is made of, for those who word it themselves.
        """


class Provider(Protocol):
    """Raises ProviderError for whatever goes wrong on the model's side, and AbortError."""

    #: The provider's own id, as the fingerprint has it.
    name: str

    def complete(self, request: Request, deltas: Deltas, cancel: CancelToken) -> Reply: ...

    def close(self) -> None: ...


#: Makes the provider that a configuration asks for.
ProviderFactory = Callable[[], Provider]
