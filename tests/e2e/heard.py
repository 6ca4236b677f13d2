# SPDX-License-Identifier: Apache-2.0
"""One request to a provider, and what is heard until its reply."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from tenuto.agent.cancel import CancelToken
from tenuto.agent.providers.base import Provider, Reply, Request
from tests.e2e.messages_server import MessagesServer


class Heard:
    """Collects deltas."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []
        self.troubles: list[tuple[str, str]] = []

    def text(self, delta: str) -> None:
        self.said.append(("text", delta))

    def thinking(self, delta: str) -> None:
        self.said.append(("thinking", delta))

    def trouble(self, kind: str, text: str, facts: dict[str, Any]) -> None:
        self.troubles.append((kind, text))


def exchange(
    turn: dict[str, Any],
    request: Request,
    provider: Callable[[MessagesServer], AbstractContextManager[Provider]],
) -> tuple[Reply, Any, Heard]:
    """Ask a provider of a server that answers with ``turn``: reply, the call it took, deltas."""
    heard = Heard()
    with MessagesServer([turn]) as server, provider(server) as made:
        reply = made.complete(request, heard, CancelToken())
    return reply, server.calls[0], heard
