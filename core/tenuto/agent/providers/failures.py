# SPDX-License-Identifier: Apache-2.0
"""What an SDK raises, told as one kind of error.

The SDKs of both providers come from one generator: their errors have the same names and members.
What a server answers is told word for word, but for the key, should it repeat that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tenuto.agent.providers.attempts import status_words
from tenuto.errors import ProviderError, cause_of

#: Characters from which on something can be a secret and is not just a word ("none").
_SHORTEST_SECRET = 8


class StreamCutError(Exception):
    """The stream ended before the reply did, or holds what is no reply."""


@dataclass(frozen=True)
class Failures:
    """Makes the errors of one provider's calls."""

    provider: str
    #: What must be in no message.
    secrets: tuple[str, ...] = ()

    def of(self, sdk: Any, error: Exception, url: str) -> ProviderError:
        """``error`` as it came out of a call to ``url`` through ``sdk`` (the module)."""
        if isinstance(error, ProviderError):
            return error
        if isinstance(error, sdk.APIStatusError):
            return self._status(error)
        if isinstance(error, sdk.APITimeoutError):
            return self.broken("no answer in time", "timeout", url)
        if isinstance(error, sdk.APIConnectionError):
            reason = str(error.__cause__ or error)
            return self.broken(f"connection failed: {reason}", "connection", url)
        if isinstance(error, StreamCutError):
            return self.broken(str(error), "cut", url)
        # The transport's own errors while a stream is read: their classes are no API.
        reason = f"{type(error).__name__}: {error}"
        return self.broken(f"the stream broke off ({reason})", "cut", url)

    def broken(self, reason: str, cause: str, url: str) -> ProviderError:
        """A call that came to no whole answer."""
        return ProviderError(
            self._clean(f'POST "{url}": {reason}'),
            provider=self.provider,
            status=None,
            retryable=True,
            cause=cause,
        )

    def _status(self, error: Any) -> ProviderError:
        status: int = error.status_code
        words = status_words(status, error.response.reason_phrase)
        request = error.response.request
        return ProviderError(
            self._clean(f'{request.method} "{request.url}": {words} {error.response.text}'),
            provider=self.provider,
            status=status,
            retryable=status in (408, 409, 429) or status >= 500,
            cause=cause_of(status),
        )

    def _clean(self, text: str) -> str:
        for secret in self.secrets:
            if len(secret) >= _SHORTEST_SECRET:
                text = text.replace(secret, "[key]")
        return text
