# SPDX-License-Identifier: Apache-2.0
"""The ``anthropic`` provider: the official SDK, streaming, every block kept token for token.

The SDK makes the request, retries and times out; the stream's events are read raw, so that tool
inputs, signatures and server blocks reach the journal as they came. The SDK is imported on the
first call only: nothing but a worker ever pays for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenuto.agent.cancel import AbortError, CancelToken
from tenuto.agent.providers.anthropic_wire import Assembler, request_body
from tenuto.agent.providers.attempts import Attempts
from tenuto.agent.providers.base import Deltas, Reply, Request
from tenuto.agent.providers.credentials import find_key
from tenuto.agent.providers.failures import Failures
from tenuto.agent.providers.sdk import load_sdk

if TYPE_CHECKING:
    import anthropic

#: Where the key is looked for -> the SDK's argument for it.
_KEYS = {"ANTHROPIC_API_KEY": "api_key", "ANTHROPIC_AUTH_TOKEN": "auth_token"}
#: Output tokens of one reply unless the configuration says otherwise.
DEFAULT_OUTPUT_TOKENS = 16_384
#: Models from before adaptive thinking: they want a token budget for it.
_BUDGETED_THINKING = re.compile(
    r"claude-3|claude-(opus|sonnet)-4-(0|1|5)\b|claude-(opus|sonnet)-4-20|claude-haiku-4-5"
)


@dataclass(frozen=True)
class AnthropicSettings:
    """What of a configuration a call depends on."""

    model: str
    #: None: the SDK's environment variable, else its default.
    base_url: str | None = None
    max_output_tokens: int | None = None
    #: Seconds of silence after which a call fails.
    call_timeout: float = 120.0
    thinking: bool = False
    cache: bool = True
    #: The environment variable that holds the key; None: one of the SDK's own.
    key_variable: str | None = None
    #: Files of ``KEY=value`` lines that may hold it instead.
    key_files: tuple[Path, ...] = ()


class AnthropicProvider:
    """One client for the life of a worker."""

    name = "anthropic"

    def __init__(self, settings: AnthropicSettings) -> None:
        # Asked for now, so that a missing key is known before anything is written.
        named = settings.key_variable
        variables = (named,) if named else tuple(_KEYS)
        variable, key = find_key(self.name, variables, files=settings.key_files)
        self._credentials = {_KEYS.get(variable, "api_key"): key}
        self._failures = Failures(self.name, (key,))
        self._settings = settings
        self._client: anthropic.Anthropic | None = None
        self._attempts = Attempts()

    def complete(self, request: Request, deltas: Deltas, cancel: CancelToken) -> Reply:
        client = self._connect()
        body = request_body(
            request,
            model=self._settings.model,
            max_tokens=self._settings.max_output_tokens or DEFAULT_OUTPUT_TOKENS,
            thinking=self._thinking(),
            cache=self._settings.cache,
        )
        url = f"{str(client.base_url).rstrip('/')}/v1/messages"
        try:
            with (
                self._attempts.told(deltas.trouble),
                client.messages.with_streaming_response.create(**body, stream=True) as response,
            ):
                assembler = Assembler(deltas)
                for event, data in _events(response.http_response):
                    cancel.check()
                    if event == "error":
                        reason = f"the stream ended in an error: {data}"
                        raise self._failures.broken(reason, "stream", url)
                    assembler.feed(data)
                return assembler.reply()
        except AbortError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it was, it is told as one kind
            raise self._failures.of(load_sdk(self.name), error, url) from None

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    def _connect(self) -> anthropic.Anthropic:
        if self._client is None:
            sdk = load_sdk(self.name)
            self._client = sdk.Anthropic(
                base_url=self._settings.base_url,
                timeout=self._settings.call_timeout,
                **self._credentials,
                http_client=self._attempts.client(sdk),
            )
        return self._client

    def _thinking(self) -> dict[str, Any] | None:
        if not self._settings.thinking:
            return None
        if _BUDGETED_THINKING.search(self._settings.model):
            limit = self._settings.max_output_tokens or DEFAULT_OUTPUT_TOKENS
            # At least 1,024 and less than the reply's limit (the SDK's own documentation).
            return {"type": "enabled", "budget_tokens": max(1024, min(8192, limit // 2))}
        return {"type": "adaptive", "display": "summarized"}


def _events(response: Any) -> Iterator[tuple[str | None, str]]:
    from anthropic import Stream

    for event in Stream.raw_events(response):
        if event.event != "ping" and event.data:
            yield event.event, event.data
