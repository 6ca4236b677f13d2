# SPDX-License-Identifier: Apache-2.0
"""What an SDK does by itself when a call fails: it waits, and asks again. This tells of it.

Both SDKs say with each request how often they asked before, and let a caller look at what goes
through their HTTP client. Nothing here decides anything.
"""

from __future__ import annotations

import contextlib
import http
from collections.abc import Callable, Iterator
from typing import Any

#: (kind, text, facts): ``provider``, an answer that is an error; ``retry``, the call is made once
#: more. Facts are ``failure``, the status in words, and ``attempt``.
Tell = Callable[[str, str, dict[str, Any]], None]
#: The SDKs' own header; 0 with the first request of a call.
_COUNT = "x-stainless-retry-count"
#: Statuses of model servers that no standard names.
_UNOFFICIAL = {529: "Overloaded"}


class Attempts:
    """Follows the requests of one client."""

    def __init__(self) -> None:
        self._tell: Tell | None = None
        self._failure = ""

    def client(self, sdk: Any) -> Any:
        """An HTTP client as the SDK makes its own, which reports here."""
        hooks = {"request": [self._on_request], "response": [self._on_response]}
        return sdk.DefaultHttpxClient(event_hooks=hooks)

    @contextlib.contextmanager
    def told(self, tell: Tell) -> Iterator[None]:
        """While one call is made."""
        self._tell, self._failure = tell, ""
        try:
            yield
        finally:
            self._tell = None

    def _on_request(self, request: Any) -> None:
        count = request.headers.get(_COUNT, "0")
        if self._tell is None or not count.isdecimal() or int(count) == 0:
            return
        failure, attempt = self._failure, int(count) + 1
        self._failure = ""
        self._tell(
            "retry",
            f"{failure or 'no answer'}: asked again (attempt {attempt})",
            {"failure": failure, "attempt": attempt},
        )

    def _on_response(self, response: Any) -> None:
        if self._tell is None or response.status_code < 400:
            return
        status = response.status_code
        self._failure = status_words(status, response.reason_phrase or _UNOFFICIAL.get(status, ""))
        facts = {"failure": self._failure}
        self._tell("provider", f"the model's side answered {self._failure}", facts)


def status_words(status: int, given: str) -> str:
    """``429 Too Many Requests``; ``given``: what the server called a status that nobody knows."""
    try:
        return f"{status} {http.HTTPStatus(status).phrase}"
    except ValueError:
        return f"{status} {given}".strip()
