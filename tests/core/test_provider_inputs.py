# SPDX-License-Identifier: Apache-2.0
"""Tool inputs that a journal holds and a request cannot: the conversation goes on all the same."""

from __future__ import annotations

import json

import msgspec
import pytest

from tenuto.agent.providers.anthropic_wire import wire_message
from tenuto.agent.providers.inputs import raw_input
from tenuto.messages import Block, Message, ToolUse

DEEP = b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}"


def sent(raw: bytes) -> object:
    """The input as it goes over the wire, encoded as strictly as the SDK does it."""
    call = Block(tool_use=ToolUse("c1", "act", msgspec.Raw(raw)))
    message = wire_message(Message("assistant", [call]))
    body = json.dumps(message, ensure_ascii=False, allow_nan=False).encode()
    return json.loads(body)["content"][0]["input"]


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'{"a":1.50,"b":"\\u00e8"}', {"a": 1.5, "b": "\u00e8"}),
        (b"null", {}),
        (b"[1]", {"input": [1]}),
        # Half of an emoji, as a cut leaves it: an API refuses the request, now and at every resume.
        (b'{"a":"\\ud83d","\\uDE00":["x\\ud83d"]}', {"a": "\ufffd", "\ufffd": ["x\ufffd"]}),
        (b'{"a":"\\ud83d\\ude00"}', {"a": "\U0001f600"}),
        (b'{"a":"\xff"}', {"a": "\ufffd"}),
        (b'{"a":1e400,"b":-1e400}', {"a": "1e400", "b": "-1e400"}),
        (b'{"a":' + b"9" * 5000 + b"}", {"a": "9" * 5000}),
        (DEEP, {"input": DEEP.decode()}),
    ],
)
def test_what_a_request_cannot_hold_is_sent_as_near_as_can_be(raw: bytes, value: object) -> None:
    assert sent(raw) == value


@pytest.mark.parametrize("text", ['{"a":NaN}', '{"a":-Infinity}', '{"a":', "\x00"])
def test_what_is_no_json_is_kept_as_a_string(text: str) -> None:
    """The journal could not hold it otherwise, and no tool takes a string for its arguments."""
    assert msgspec.json.decode(bytes(raw_input(text))) == text
