# SPDX-License-Identifier: Apache-2.0
"""The ``openai`` provider: chat completions through the official SDK, at any compatible server.

The SDK makes the request, retries and times out; the stream's events are read raw, so that tool
inputs reach the journal as they came. The SDK is imported on the first call only.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tenuto.agent.cancel import AbortError, CancelToken
from tenuto.agent.providers.attempts import Attempts
from tenuto.agent.providers.base import Deltas, Reply, Request
from tenuto.agent.providers.credentials import find_key
from tenuto.agent.providers.failures import Failures
from tenuto.agent.providers.openai_wire import Assembler, request_body
from tenuto.agent.providers.sdk import load_sdk
from tenuto.errors import ProviderError

if TYPE_CHECKING:
    import openai

KEY_VARIABLE = "OPENAI_API_KEY"
_OWN_HOST = "api.openai.com"


@dataclass(frozen=True)
class OpenAISettings:
    """What of a configuration a call depends on."""

    model: str
    #: None: the SDK's environment variable, else its default.
    base_url: str | None = None
    max_output_tokens: int | None = None
    #: Seconds of silence after which a call fails.
    call_timeout: float = 120.0
    thinking: bool = False
    #: The environment variable that holds the key.
    key_variable: str = KEY_VARIABLE
    #: Files of ``KEY=value`` lines that may hold it instead.
    key_files: tuple[Path, ...] = ()


class OpenAIProvider:
    """One client for the life of a worker."""

    name = "openai"

    def __init__(self, settings: OpenAISettings) -> None:
        self._settings = settings
        # Asked for now, so that a missing key is known before anything is written.
        self._key = self._find_key()
        self._failures = Failures(self.name, (self._key,))
        self._client: openai.OpenAI | None = None
        self._attempts = Attempts()

    def complete(self, request: Request, deltas: Deltas, cancel: CancelToken) -> Reply:
        client = self._connect()
        url = f"{str(client.base_url).rstrip('/')}/chat/completions"
        body = request_body(
            request,
            model=self._settings.model,
            max_tokens=self._settings.max_output_tokens,
            # OpenAI's newer models refuse the old name, other servers do not know the new one.
            limit_name=(
                "max_completion_tokens" if client.base_url.host == _OWN_HOST else "max_tokens"
            ),
            thinking=self._settings.thinking,
        )
        try:
            with (
                self._attempts.told(deltas.trouble),
                client.chat.completions.with_streaming_response.create(
                    **body, stream=True
                ) as response,
            ):
                assembler = Assembler(deltas, self.name)
                if response.headers.get("content-type", "").startswith("application/json"):
                    raise assembler.refuse(response.read())
                for data in _events(response.iter_bytes()):
                    cancel.check()
                    assembler.feed(data)
                return assembler.reply()
        except AbortError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it was, it is told as one kind
            raise self._failures.of(load_sdk(self.name), error, url) from None

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    def _find_key(self) -> str:
        try:
            variables = (self._settings.key_variable,)
            return find_key(self.name, variables, files=self._settings.key_files)[1]
        except ProviderError:
            # A server on this machine wants no key, as a rule; the SDK wants some text for one.
            if _is_local(self._settings.base_url or os.environ.get("OPENAI_BASE_URL") or ""):
                return "none"
            raise

    def _connect(self) -> openai.OpenAI:
        if self._client is None:
            sdk = load_sdk(self.name)
            self._client = sdk.OpenAI(
                api_key=self._key,
                base_url=self._settings.base_url,
                timeout=self._settings.call_timeout,
                http_client=self._attempts.client(sdk),
            )
        return self._client


def _is_local(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _events(pieces: Iterator[bytes]) -> Iterator[str]:
    """The data of each event until ``[DONE]``; other fields and comments say nothing here."""
    data: list[str] = []
    for line in _lines(pieces):
        if line.startswith(b"data:"):
            data.append(line[5:].decode("utf-8", "replace").removeprefix(" "))
        elif not line and data:
            event = "\n".join(data)
            data.clear()
            if event.strip() == "[DONE]":
                return
            yield event


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Lines as event streams have them: text may hold what Python takes for line breaks, too."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r")
    # What stands in no whole line was cut off; the end of a stream ends an event.
    yield rest
    yield b""
