# SPDX-License-Identifier: Apache-2.0
"""Causes read from the message of a terminal record: those that are written, and no others."""

from __future__ import annotations

import importlib

import anthropic
import pytest

from tenuto.agent.providers.failures import Failures, StreamCutError
from tenuto.sources.failure import FailureCause, cause_in

#: The HTTP library that this version of the SDK is built on.
httpx = importlib.import_module(anthropic.DefaultHttpxClient.__mro__[1].__module__.split(".")[0])
URL = "https://models.example/v1/messages"
REQUEST = httpx.Request("POST", URL)


def written(error: Exception) -> tuple[str, str]:
    """What the loop writes of an error of the SDK, and the cause that it knew."""
    told = Failures("anthropic").of(anthropic, error, URL)
    return f"llm call: {told.message}", told.fields["cause"]


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 408, 413, 418, 429, 500, 503, 529])
def test_an_answer_of_the_server(status: int) -> None:
    response = httpx.Response(status, request=REQUEST, text='{"type": "error"}')
    message, cause = written(anthropic.APIStatusError("no", response=response, body=None))
    assert cause_in(message) == FailureCause(cause, status=status)


@pytest.mark.parametrize(
    "error",
    [
        anthropic.APITimeoutError(request=REQUEST),
        anthropic.APIConnectionError(request=REQUEST),
        httpx.ReadError("reset"),
        StreamCutError("the stream ended before the reply was complete"),
        StreamCutError("the server gave up the reply (error)"),
    ],
)
def test_a_call_without_an_answer(error: Exception) -> None:
    message, cause = written(error)
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
        written(StreamCutError("a reply without an end"))[0],
    ],
)
def test_what_is_not_known_stays_unknown(message: str) -> None:
    assert cause_in(message) is None
