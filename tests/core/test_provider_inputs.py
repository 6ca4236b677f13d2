# SPDX-License-Identifier: Apache-2.0
"""Tool inputs that a journal holds and a request cannot: the conversation goes on all the same."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from tenuto.agent.providers.anthropic_wire import Assembler, wire_message
from tenuto.agent.providers.failures import StreamCutError
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


class Nobody:
    """Deltas that nobody looks at."""

    def text(self, delta: str) -> None: ...

    def thinking(self, delta: str) -> None: ...

    def trouble(self, kind: str, text: str, facts: dict[str, Any]) -> None: ...


def test_half_a_surrogate_pair_may_end_a_chunk_of_anthropics_stream() -> None:
    """An emoji cut in two by the server: each half is an event that msgspec refuses."""
    assembler = Assembler(Nobody())
    start = r'{"type":"content_block_start","index":%d,"content_block":%s}'
    delta = r'{"type":"content_block_delta","index":%d,"delta":{"type":"%s","%s":"%s"}}'
    assembler.feed(start % (0, r'{"type":"text","text":""}'))
    assembler.feed(delta % (0, "text_delta", "text", r"a\ud83d"))
    assembler.feed(delta % (0, "text_delta", "text", r"\uDE00b\ud83d"))
    assembler.feed('{"type":"content_block_stop","index":0}')
    assembler.feed(start % (1, r'{"type":"tool_use","id":"c","name":"act","input":{}}'))
    assembler.feed(delta % (1, "input_json_delta", "partial_json", r"{\"x\":\"\ud83d"))
    assembler.feed(delta % (1, "input_json_delta", "partial_json", r"\ude00\"}"))
    assembler.feed('{"type":"content_block_stop","index":1}')
    assembler.feed('{"type":"message_stop"}')
    text, call = assembler.reply().content
    assert text.text is not None
    assert text.text.text == "a\U0001f600b\ufffd"
    assert call.tool_use is not None
    assert json.loads(bytes(call.tool_use.input)) == {"x": "\U0001f600"}


@pytest.mark.parametrize("event", [r'{"type":"x\ud83d"', "[1]", r'{"type":1,"x":"\ud83d"}'])
def test_what_is_no_event_ends_the_stream(event: str) -> None:
    with pytest.raises(StreamCutError, match="cannot be read"):
        Assembler(Nobody()).feed(event)
