# SPDX-License-Identifier: Apache-2.0
"""The ``anthropic`` provider: the official SDK, streaming, every block kept token for token.

The SDK makes the request, retries and times out; the stream's events are read raw, so that tool
inputs, signatures and server blocks reach the journal as they came. The SDK is imported on the
first call only: nothing but a worker ever pays for it.
"""

from __future__ import annotations

import http
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tenuto.agent.cancel import AbortError, CancelToken
from tenuto.agent.providers.anthropic_wire import Assembler, StreamCutError, request_body
from tenuto.agent.providers.base import Deltas, Reply, Request
from tenuto.errors import ProviderError

if TYPE_CHECKING:
    import anthropic

#: Where the SDK looks for credentials that a tool must never see.
KEY_VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
#: Output tokens of one reply unless the configuration says otherwise.
DEFAULT_OUTPUT_TOKENS = 16_384
#: Models from before adaptive thinking: they want a token budget for it.
_BUDGETED_THINKING = re.compile(
    r"claude-3|claude-(opus|sonnet)-4-(0|1|5)\b|claude-(opus|sonnet)-4-20|claude-haiku-4-5"
)
_KINDS = {
    400: "invalid_request",
    401: "authentication",
    403: "permission",
    404: "not_found",
    408: "timeout",
    413: "too_large",
    429: "rate_limit",
    529: "overloaded",
}


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


def credentials(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The SDK's credential argument, from the environment. Raises ProviderError without one."""
    for variable, argument in zip(KEY_VARIABLES, ("api_key", "auth_token"), strict=True):
        if value := environment.get(variable):
            return {argument: value}
    raise ProviderError(
        f"no key for the model: set {KEY_VARIABLES[0]} in the environment",
        provider="anthropic",
        status=None,
        retryable=False,
        cause="credentials",
    )


class AnthropicProvider:
    """One client for the life of a worker."""

    name = "anthropic"

    def __init__(self, settings: AnthropicSettings) -> None:
        # Asked for now, so that a missing key is known before anything is written.
        self._credentials = credentials()
        self._settings = settings
        self._client: anthropic.Anthropic | None = None

    def complete(self, request: Request, deltas: Deltas, cancel: CancelToken) -> Reply:
        import anthropic

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
            with client.messages.with_streaming_response.create(**body, stream=True) as response:
                assembler = Assembler(deltas)
                for event, data in _events(response.http_response):
                    cancel.check()
                    if event == "error":
                        raise self._error(f"the stream ended in an error: {data}", "stream", url)
                    assembler.feed(data)
                return assembler.reply()
        except (AbortError, ProviderError):
            raise
        except anthropic.APIStatusError as error:
            raise self._status_error(error) from None
        except anthropic.APITimeoutError:
            raise self._error("no answer in time", "timeout", url) from None
        except anthropic.APIConnectionError as error:
            reason = str(error.__cause__ or error)
            raise self._error(f"connection failed: {reason}", "connection", url) from None
        except StreamCutError as error:
            raise self._error(str(error), "cut", url) from None
        except Exception as error:  # noqa: BLE001
            # The transport's own errors while a stream is read: their classes are no API.
            reason = f"{type(error).__name__}: {error}"
            raise self._error(f"the stream broke off ({reason})", "cut", url) from None

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    def _connect(self) -> anthropic.Anthropic:
        if self._client is None:
            import anthropic

            arguments: dict[str, Any] = dict(self._credentials)
            self._client = anthropic.Anthropic(
                base_url=self._settings.base_url,
                timeout=self._settings.call_timeout,
                **arguments,
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

    def _status_error(self, error: anthropic.APIStatusError) -> ProviderError:
        status = error.status_code
        try:
            phrase = http.HTTPStatus(status).phrase
        except ValueError:
            phrase = error.response.reason_phrase
        request = error.response.request
        return ProviderError(
            f'{request.method} "{request.url}": {status} {phrase} {error.response.text}',
            provider=self.name,
            status=status,
            retryable=status in (408, 409, 429) or status >= 500,
            cause=_KINDS.get(status, "server" if status >= 500 else "invalid_request"),
        )

    def _error(self, reason: str, cause: str, url: str) -> ProviderError:
        return ProviderError(
            f'POST "{url}": {reason}',
            provider=self.name,
            status=None,
            retryable=True,
            cause=cause,
        )


def _events(response: Any) -> Iterator[tuple[str | None, str]]:
    from anthropic import Stream

    for event in Stream.raw_events(response):
        if event.event != "ping" and event.data:
            yield event.event, event.data
