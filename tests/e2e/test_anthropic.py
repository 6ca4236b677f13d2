# SPDX-License-Identifier: Apache-2.0
"""The anthropic provider against a server: what is sent, what becomes of what comes back."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from tenuto.agent.cancel import AbortError, CancelToken
from tenuto.agent.providers.anthropic import AnthropicProvider, AnthropicSettings
from tenuto.agent.providers.base import Reply, Request, Usage
from tenuto.errors import ProviderError
from tenuto.fingerprint import ToolDefinition
from tenuto.messages import Block, Message, Provider, Text, Thinking, ToolResult, ToolUse, user_text
from tests.e2e.heard import Heard, exchange
from tests.e2e.messages_server import SIGNATURE, MessagesServer

TOOL = ToolDefinition(
    "look", "Looks", {"type": "object", "properties": {"at": {"type": "string"}}}, True
)


@contextmanager
def provider(
    monkeypatch: pytest.MonkeyPatch, server: MessagesServer, **settings: Any
) -> Iterator[AnthropicProvider]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    made = AnthropicProvider(
        AnthropicSettings(**{"model": "stub-model", "base_url": server.url, **settings})
    )
    try:
        yield made
    finally:
        made.close()


def ask(
    monkeypatch: pytest.MonkeyPatch,
    turn: dict[str, Any],
    request: Request | None = None,
    **settings: Any,
) -> tuple[Reply, dict[str, Any], Heard]:
    request = request or Request([user_text("hello")], ["be kind"], [TOOL], 1)
    reply, call, heard = exchange(
        turn, request, lambda server: provider(monkeypatch, server, **settings)
    )
    return reply, call.body, heard


def raw(value: msgspec.Raw) -> str:
    return bytes(value).decode()


def test_a_whole_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = {
        "thinking": "hm, well",
        "text": "one two",
        "tools": [
            {"name": "look", "input": '{"b": 1.50,\n "a": 1e21, "c": "\\u00e8<"}'},
            {"name": "look", "input": None},
        ],
        "stop": "tool_use",
    }
    reply, _, heard = ask(monkeypatch, turn)
    thinking, text, first, second = reply.content
    signature = base64.b64encode(SIGNATURE.encode()).decode()
    assert thinking.thinking == Thinking("hm, well", signature)
    assert text.text == Text("one two")
    assert first.tool_use is not None
    assert (first.tool_use.id, first.tool_use.name) == ("toolu_0_0", "look")
    # Token for token as the model wrote it, compacted as Go compacts.
    assert raw(first.tool_use.input) == '{"b":1.50,"a":1e21,"c":"\\u00e8\\u003c"}'
    assert second.tool_use is not None
    assert raw(second.tool_use.input) == "null"
    assert (reply.stop_reason, reply.usage) == ("tool_use", Usage(100, 10, 5, 2))
    assert heard.said == [
        ("thinking", "hm,"), ("thinking", " well"), ("text", "one"), ("text", " two"),
    ]  # fmt: skip


def test_other_blocks_are_kept_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [
        {"type": "redacted_thinking", "data": "abc="},
        {"type": "server_tool_use", "id": "srv_1", "name": "find", "input": {"q": "x", "n": 1.0}},
        {"type": "find_result", "tool_use_id": "srv_1", "content": [{"z": 1, "a": [None, True]}]},
    ]
    reply, _, _ = ask(monkeypatch, {"blocks": blocks, "text": "found"})
    kept = [block.provider for block in reply.content if block.provider is not None]
    assert [block.kind for block in kept] == [block["type"] for block in blocks]
    assert [raw(block.raw) for block in kept] == [
        json.dumps(block, separators=(",", ":")) for block in blocks
    ]


def test_half_an_input_is_kept_but_is_no_object(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = {"tools": [{"name": "look", "input": '{"at": "the li'}], "stop": "max_tokens"}
    reply, _, _ = ask(monkeypatch, turn)
    call = reply.content[0].tool_use
    assert call is not None
    assert json.loads(raw(call.input)) == '{"at": "the li'
    assert reply.stop_reason == "max_tokens"


def test_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    signature = base64.b64encode(b"signed").decode()
    conversation = [
        user_text("first"),
        Message(
            "assistant",
            [
                Block(thinking=Thinking("unsigned")),
                Block(thinking=Thinking("signed", signature)),
                Block(text=Text(" \n")),
                Block(text=Text("seen \ud83d")),
                Block(provider=Provider("odd", msgspec.Raw(b'{"type":"odd","x":1}'))),
                Block(tool_use=ToolUse("t1", "look", msgspec.Raw(b"null"))),
                Block(tool_use=ToolUse("t2", "look", msgspec.Raw(b'"half"'))),
            ],
        ),
        Message(
            "user",
            [
                Block(tool_result=ToolResult("t1", "all well")),
                Block(tool_result=ToolResult("t2", "no", is_error=True)),
            ],
        ),
        Message("assistant", None),
    ]
    request = Request(conversation, ["fixed", "", "reminder"], [TOOL], 2)
    _, body, _ = ask(monkeypatch, {"text": "ok"}, request, max_output_tokens=77)
    cache = {"type": "ephemeral"}
    assert body["model"] == "stub-model"
    assert body["max_tokens"] == 77
    assert body["stream"] is True
    assert "thinking" not in body
    assert body["system"] == [
        {"type": "text", "text": "fixed", "cache_control": cache},
        {"type": "text", "text": "reminder"},
    ]
    assert body["tools"] == [
        {
            "input_schema": {
                "type": "object",
                "properties": {"at": {"type": "string", "description": "Optional."}},
            },
            "name": "look",
            "defer_loading": True,
            "description": "Looks",
            "type": "custom",
        },
        {"type": "tool_search_tool_bm25", "name": "tool_search_tool_bm25"},
    ]
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "first"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "signed", "signature": "signed"},
                {"type": "text", "text": "seen \ufffd"},
                {"type": "odd", "x": 1},
                {"type": "tool_use", "id": "t1", "name": "look", "input": {}},
                {"type": "tool_use", "id": "t2", "name": "look", "input": {"input": "half"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "is_error": False,
                    "content": [{"type": "text", "text": "all well"}],
                },
                {
                    "type": "tool_result",
                    "tool_use_id": "t2",
                    "is_error": True,
                    "content": [{"type": "text", "text": "no"}],
                    "cache_control": cache,
                },
            ],
        },
    ]


def test_a_reply_can_be_sent_back_as_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = {
        "thinking": "so",
        "blocks": [{"type": "redacted_thinking", "data": "abc="}],
        "text": "and so",
        "tools": [{"name": "look", "input": {"at": "this"}}],
    }
    reply, _, _ = ask(monkeypatch, turn)
    conversation = [user_text("x"), Message("assistant", list(reply.content)), user_text("y")]
    _, body, _ = ask(monkeypatch, {"text": "ok"}, Request(conversation, ["s"], [], 1))
    assert body["messages"][1]["content"] == [
        {"type": "redacted_thinking", "data": "abc="},
        {"type": "thinking", "thinking": "so", "signature": SIGNATURE},
        {"type": "text", "text": "and so"},
        {"type": "tool_use", "id": "toolu_0_0", "name": "look", "input": {"at": "this"}},
    ]
    assert "tools" not in body


def test_no_cache_marks_when_caching_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    _, body, _ = ask(monkeypatch, {"text": "ok"}, cache=False)
    assert "cache_control" not in json.dumps(body)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("claude-opus-4-6", {"type": "adaptive", "display": "summarized"}),
        ("some-newer-model", {"type": "adaptive", "display": "summarized"}),
        ("claude-sonnet-4-5-20250929", {"type": "enabled", "budget_tokens": 8192}),
        ("claude-haiku-4-5", {"type": "enabled", "budget_tokens": 8192}),
    ],
)
@pytest.mark.filterwarnings("ignore:The model:DeprecationWarning")
def test_thinking_as_the_model_wants_it(
    monkeypatch: pytest.MonkeyPatch, model: str, expected: dict[str, Any]
) -> None:
    _, body, _ = ask(monkeypatch, {"text": "ok"}, model=model, thinking=True)
    assert body["thinking"] == expected
    assert body["thinking"].get("budget_tokens", 0) < body["max_tokens"]


@pytest.mark.parametrize(
    ("status", "cause", "retryable", "phrase"),
    [
        (400, "invalid_request", False, "Bad Request"),
        (401, "authentication", False, "Unauthorized"),
        (403, "permission", False, "Forbidden"),
        (404, "not_found", False, "Not Found"),
        (413, "too_large", False, "Request Entity Too Large"),
        (429, "rate_limit", True, "Too Many Requests"),
        (500, "server", True, "Internal Server Error"),
        (529, "overloaded", True, ""),
    ],
)
def test_errors_by_kind(
    monkeypatch: pytest.MonkeyPatch, status: int, cause: str, retryable: bool, phrase: str
) -> None:
    turn = {"status": status, "text": "not now"}
    with (
        MessagesServer([turn]) as server,
        provider(monkeypatch, server) as made,
        pytest.raises(ProviderError) as caught,
    ):
        made.complete(Request([user_text("x")], ["s"]), Heard(), CancelToken())
    error = caught.value
    assert (error.fields["cause"], error.fields["status"]) == (cause, status)
    assert error.fields["retryable"] is retryable
    assert error.message.startswith(f'POST "{server.url}/v1/messages": {status} {phrase}')
    assert '"message": "not now"' in error.message


@pytest.mark.parametrize("turn", [{"text": "a b c d e f", "cut": True}, {"hang": True}])
def test_a_stream_that_breaks_off_is_no_reply(
    monkeypatch: pytest.MonkeyPatch, turn: dict[str, Any]
) -> None:
    with (
        MessagesServer([turn]) as server,
        provider(monkeypatch, server, call_timeout=0.5) as made,
        pytest.raises(ProviderError) as caught,
    ):
        made.complete(Request([user_text("x")], ["s"]), Heard(), CancelToken())
    assert caught.value.fields["cause"] == "cut"
    assert caught.value.fields["retryable"] is True


def test_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    with MessagesServer([{"text": "x"}]) as server:
        gone = server.url
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    made = AnthropicProvider(AnthropicSettings(model="m", base_url=gone))
    with pytest.raises(ProviderError, match="connection failed") as caught:
        made.complete(Request([user_text("x")], ["s"]), Heard(), CancelToken())
    made.close()
    assert caught.value.fields["cause"] == "connection"


def test_abort_between_two_words(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = {"text": "word " * 200, "word_delay": 0.05}
    cancel = CancelToken()
    with MessagesServer([turn]) as server, provider(monkeypatch, server) as made:
        timer = threading.Timer(0.5, cancel.abort)
        timer.start()
        began = time.monotonic()
        with pytest.raises(AbortError):
            made.complete(Request([user_text("x")], ["s"]), Heard(), cancel)
        assert time.monotonic() - began < 6
        timer.join()


def test_a_key_is_needed_and_an_empty_one_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")
    with pytest.raises(ProviderError, match="ANTHROPIC_API_KEY"):
        AnthropicProvider(AnthropicSettings(model="m"))
