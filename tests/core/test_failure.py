# SPDX-License-Identifier: Apache-2.0
"""Causes read from the message of a terminal record: those that are written, and no others."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from tenuto.agent.providers.failures import Failures, StreamCutError
from tenuto.agent.providers.sdk import load_sdk
from tenuto.sources.failure import FailureCause, cause_in

URL = "https://models.example/v1/messages"


class Sdk:
    """The SDK. Loading it takes a second: a process that runs none of these tests does without."""

    def __init__(self) -> None:
        self.anthropic = load_sdk("anthropic")
        #: The HTTP library that this version of the SDK is built on.
        library = self.anthropic.DefaultHttpxClient.__mro__[1].__module__.split(".")[0]
        self.httpx: Any = importlib.import_module(library)
        self.request = self.httpx.Request("POST", URL)


@pytest.fixture(scope="module")
def sdk() -> Sdk:
    return Sdk()


def written(sdk: Sdk, error: Exception) -> tuple[str, str]:
    """What the loop writes of an error of the SDK, and the cause that it knew."""
    told = Failures("anthropic").of(sdk.anthropic, error, URL)
    return f"llm call: {told.message}", told.fields["cause"]


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 408, 413, 418, 429, 500, 503, 529])
def test_an_answer_of_the_server(sdk: Sdk, status: int) -> None:
    response = sdk.httpx.Response(status, request=sdk.request, text='{"type": "error"}')
    error = sdk.anthropic.APIStatusError("no", response=response, body=None)
    message, cause = written(sdk, error)
    assert cause_in(message) == FailureCause(cause, status=status)


@pytest.mark.parametrize(
    "error_of",
    [
        lambda sdk: sdk.anthropic.APITimeoutError(request=sdk.request),
        lambda sdk: sdk.anthropic.APIConnectionError(request=sdk.request),
        lambda sdk: sdk.httpx.ReadError("reset"),
        lambda _sdk: StreamCutError("the stream ended before the reply was complete"),
        lambda _sdk: StreamCutError("the server gave up the reply (error)"),
    ],
)
def test_a_call_without_an_answer(sdk: Sdk, error_of: Callable[[Sdk], Exception]) -> None:
    message, cause = written(sdk, error_of(sdk))
    assert cause_in(message) == FailureCause(cause)


@pytest.mark.parametrize(
    ("message", "tries"),
    [
        ("llm call: the provider is overloaded (tried 6 times)", 6),
        ("provider overloaded", 0),
        ("the provider is overloaded (tried 1 time).", 1),
    ],
)
def test_a_sentence_that_says_it_all(message: str, tries: int) -> None:
    assert cause_in(message) == FailureCause("overloaded", tries=tries, whole=True)


@pytest.mark.parametrize(
    "message",
    [
        "",
        "llm call: ",
        "llm call: come back later",
        "llm call: the provider is overloaded (tried 6 times) and the key is not accepted",
        'POST "https://models.example": 529 Overloaded',
        'llm call: POST "https://models.example": 200 OK',
        'llm call: POST "https://models.example": 5290',
        "tool provider overloaded",
    ],
)
def test_what_is_not_known_stays_unknown(message: str) -> None:
    assert cause_in(message) is None


def test_a_reply_without_an_end_stays_unknown(sdk: Sdk) -> None:
    assert cause_in(written(sdk, StreamCutError("a reply without an end"))[0]) is None
