# SPDX-License-Identifier: Apache-2.0
"""The openai provider against a server: what is sent, what becomes of what comes back."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from tenuto.agent.cancel import AbortError, CancelToken
from tenuto.agent.providers.base import Reply, Request, Usage
from tenuto.agent.providers.openai import OpenAIProvider, OpenAISettings
from tenuto.errors import ProviderError
from tenuto.fingerprint import ToolDefinition
from tenuto.messages import Block, Message, Text, Thinking, ToolResult, ToolUse, user_text
from tests.e2e.heard import Heard, exchange
from tests.e2e.messages_server import MessagesServer

SCHEMA = {"type": "object", "properties": {"at": {"type": "string"}}}
TOOL = ToolDefinition("look", "Looks", SCHEMA)
KEY = "sk-a-key-that-nobody-may-see"


@contextmanager
def provider(
    monkeypatch: pytest.MonkeyPatch, server: MessagesServer, **settings: Any
) -> Iterator[OpenAIProvider]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    made = OpenAIProvider(
        OpenAISettings(**{"model": "stub-model", "base_url": f"{server.url}/v1", **settings})
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
    assert call.headers["authorization"] == f"Bearer {KEY}"
    return reply, call.body, heard


def refused(
    monkeypatch: pytest.MonkeyPatch, turn: dict[str, Any], **settings: Any
) -> tuple[ProviderError, str]:
    with (
        MessagesServer([turn]) as server,
        provider(monkeypatch, server, **settings) as made,
        pytest.raises(ProviderError) as caught,
    ):
        made.complete(Request([user_text("x")], ["s"]), Heard(), CancelToken())
    return caught.value, server.url


def chunk(reason: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def piece(**call: Any) -> dict[str, Any]:
    return chunk(tool_calls=[call])


def calls_of(reply: Reply) -> list[tuple[str, str, str]]:
    calls = [block.tool_use for block in reply.content if block.tool_use]
    return [(call.id, call.name, bytes(call.input).decode()) for call in calls]


def test_a_whole_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = {
        "thinking": "hm, well",
        "text": "one two",
        "tools": [
            {"name": "look", "input": '{"b": 1.50,\n "a": 1e21, "c": "\\u00e8<"}'},
            {"name": "look", "input": ""},
        ],
    }
    reply, _, heard = ask(monkeypatch, turn)
    thinking, text, *_ = reply.content
    assert thinking.thinking == Thinking("hm, well")
    assert text.text == Text("one two")
    # Token for token as the model wrote it, compacted as Go compacts.
    assert calls_of(reply) == [
        ("call_0_0", "look", '{"b":1.50,"a":1e21,"c":"\\u00e8\\u003c"}'),
        ("call_0_1", "look", "{}"),
    ]
    # Cached tokens are part of the prompt's on the wire, and counted apart in the journal.
    assert (reply.stop_reason, reply.usage) == ("tool_use", Usage(95, 10, 5, 0))
    assert heard.said == [
        ("thinking", "hm,"), ("thinking", " well"), ("text", "one"), ("text", " two"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("stop", "end_turn"),
        ("length", "max_tokens"),
        ("content_filter", "refusal"),
        ("something new", "something new"),
    ],
)
def test_why_it_stopped(monkeypatch: pytest.MonkeyPatch, told: str, kept: str) -> None:
    reply, _, _ = ask(monkeypatch, {"text": "so", "stop": told})
    assert (reply.stop_reason, reply.content) == (kept, (Block(text=Text("so")),))


def test_half_an_input_is_kept_but_is_no_object(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = {"tools": [{"name": "look", "input": '{"at": "the li'}], "stop": "length"}
    reply, _, _ = ask(monkeypatch, turn)
    assert json.loads(calls_of(reply)[0][2]) == '{"at": "the li'
    assert reply.stop_reason == "max_tokens"


def test_what_a_filter_cut_off_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = {"text": "I", "tools": [{"name": "look", "input": {}}], "stop": "content_filter"}
    reply, _, _ = ask(monkeypatch, turn)
    assert (calls_of(reply), reply.stop_reason) == ([], "refusal")


def test_a_refusal_is_said_in_words_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    reply, _, _ = ask(monkeypatch, {"chunks": [chunk(refusal="I will not."), chunk("stop")]})
    assert reply.stop_reason == "refusal"
    assert reply.content == (Block(text=Text("I will not.")),)


def test_servers_that_differ_in_the_small_things(monkeypatch: pytest.MonkeyPatch) -> None:
    chunks = [
        chunk(reasoning="so "),
        chunk(content="\ud83d"),
        chunk(content="\ude00\u2028end"),
        # No index; the name with every piece; one index for two calls; an id twice; no id.
        piece(id="a", function={"name": "look", "arguments": '{"at"'}),
        piece(id="a", function={"name": "look", "arguments": ':"x"}'}),
        piece(index=0, id="b", function={"name": "look", "arguments": "{}"}),
        piece(index=0, id="c", function={"name": "look", "arguments": "{}"}),
        piece(index=3, id="a", function={"name": "look", "arguments": "{}"}),
        piece(index=4, function={"name": "look", "arguments": "{}"}),
        chunk("stop"),
        {"usage": {"prompt_tokens": 9, "completion_tokens": 1, "prompt_cache_hit_tokens": 4}},
    ]
    reply, _, _ = ask(monkeypatch, {"chunks": chunks})
    assert reply.content[0].thinking == Thinking("so ")
    assert reply.content[1].text == Text("\U0001f600\u2028end")
    ids = [id for id, _, _ in calls_of(reply)]
    assert ids[:3] == ["a", "b", "c"]
    assert len(set(ids)) == 5
    assert all(ids)
    assert [(name, raw) for _, name, raw in calls_of(reply)] == [
        ("look", '{"at":"x"}'), *[("look", "{}")] * 4,
    ]  # fmt: skip
    assert (reply.stop_reason, reply.usage) == ("tool_use", Usage(5, 1, 4, 0))


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"prompt_tokens": None, "completion_tokens": None}, Usage()),
        ({"prompt_tokens": 7, "prompt_tokens_details": {"cached_tokens": None}}, Usage(7)),
        ({"prompt_tokens": 3, "prompt_tokens_details": {"cached_tokens": 5}}, Usage(0, 0, 5)),
        (None, Usage()),
    ],
)
def test_a_server_that_counts_nothing(
    monkeypatch: pytest.MonkeyPatch, usage: dict[str, Any] | None, counted: Usage
) -> None:
    reply, _, _ = ask(monkeypatch, {"chunks": [chunk("stop", content="ok"), {"usage": usage}]})
    assert (reply.content, reply.usage) == ((Block(text=Text("ok")),), counted)


def test_an_error_in_place_of_a_stream_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some servers answer so with status 200: what they say is not to be lost."""
    with pytest.raises(ProviderError, match="no such model here") as caught:
        ask(monkeypatch, {"status": 200, "text": "no such model here"})
    assert caught.value.fields["cause"] == "stream"


CONVERSATION = [
    user_text("first"),
    Message(
        "assistant",
        [
            Block(thinking=Thinking("about the first")),
            Block(tool_use=ToolUse("t0", "look", msgspec.Raw(b'{"at":1.50}'))),
        ],
    ),
    Message("user", [Block(tool_result=ToolResult("t0", "all well")), Block(text=Text("second"))]),
    Message(
        "assistant",
        [
            Block(thinking=Thinking("about the second")),
            Block(text=Text("seen \ud83d")),
            Block(tool_use=ToolUse("t1", "look", msgspec.Raw(b"null"))),
            Block(tool_use=ToolUse("t2", "look", msgspec.Raw(b'"half"'))),
        ],
    ),
    Message(
        "user",
        [
            Block(tool_result=ToolResult("t1", "fine")),
            Block(tool_result=ToolResult("t2", "no", is_error=True)),
        ],
    ),
    Message("assistant", None),
]


def test_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    request = Request(CONVERSATION, ["fixed", "", "reminder"], [TOOL], 2)
    _, body, _ = ask(monkeypatch, {"text": "ok"}, request, max_output_tokens=77)

    def call(id: str, arguments: str) -> dict[str, Any]:
        function = {"name": "look", "arguments": arguments}
        return {"id": id, "type": "function", "function": function}

    assert body == {
        "model": "stub-model",
        "stream": True,
        "stream_options": {"include_usage": True},
        # Not OpenAI's own server: it may know the old name only.
        "max_tokens": 77,
        "tools": [
            {
                "type": "function",
                "function": {"name": "look", "parameters": SCHEMA, "description": "Looks"},
            }
        ],
        "messages": [
            {"role": "system", "content": "fixed\n\nreminder"},
            {"role": "user", "content": "first"},
            {"role": "assistant", "content": None, "tool_calls": [call("t0", '{"at":1.50}')]},
            {"role": "tool", "tool_call_id": "t0", "content": "all well"},
            {"role": "user", "content": "second"},
            {
                "role": "assistant",
                "content": "seen \ufffd",
                "tool_calls": [call("t1", "{}"), call("t2", '{"input": "half"}')],
                # Thinking goes back within the turn that it belongs to, and no further.
                "reasoning_content": "about the second",
            },
            {"role": "tool", "tool_call_id": "t1", "content": "fine"},
            {"role": "tool", "tool_call_id": "t2", "content": "error: no"},
        ],
    }


def test_thinking_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    _, body, _ = ask(monkeypatch, {"text": "ok"}, Request([user_text("x")], []), thinking=True)
    assert body["reasoning_effort"] == "medium"
    assert "tools" not in body
    assert "max_tokens" not in body
    assert body["messages"] == [{"role": "user", "content": "x"}]


@pytest.mark.parametrize(
    ("status", "cause", "retryable", "phrase"),
    [
        (400, "invalid_request", False, "Bad Request"),
        (401, "authentication", False, "Unauthorized"),
        (402, "billing", False, "Payment Required"),
        (404, "not_found", False, "Not Found"),
        (429, "rate_limit", True, "Too Many Requests"),
        (500, "server", True, "Internal Server Error"),
        (503, "overloaded", True, "Service Unavailable"),
        (529, "overloaded", True, ""),
    ],
)
def test_errors_by_kind(
    monkeypatch: pytest.MonkeyPatch, status: int, cause: str, retryable: bool, phrase: str
) -> None:
    error, url = refused(monkeypatch, {"status": status, "text": f"no use for {KEY} now"})
    assert (error.fields["cause"], error.fields["status"]) == (cause, status)
    assert error.fields["retryable"] is retryable
    assert error.message.startswith(f'POST "{url}/v1/chat/completions": {status} {phrase}')
    # A server may repeat the key; the journal may not.
    assert "no use for [key] now" in error.message
    assert KEY not in error.message


@pytest.mark.parametrize(
    ("turn", "cause"),
    [
        ({"text": "a b c d e f", "cut": True}, "cut"),
        ({"hang": True}, "cut"),
        ({"text": "half", "stop": "insufficient_system_resource"}, "cut"),
        ({"chunks": [chunk(content="half")]}, "cut"),
        ({"chunks": [["no chunk"]]}, "cut"),
        ({"chunks": [chunk(content="half"), {"error": {"message": "full", "code": 503}}]},
         "overloaded"),
        ({"chunks": [{"error": "no more"}]}, "stream"),
    ],
)  # fmt: skip
def test_what_breaks_off_is_no_reply(
    monkeypatch: pytest.MonkeyPatch, turn: dict[str, Any], cause: str
) -> None:
    error, _ = refused(monkeypatch, turn, call_timeout=0.5)
    assert (error.fields["cause"], error.fields["retryable"]) == (cause, True)


def test_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    with MessagesServer([{"text": "x"}]) as gone:
        pass
    with (
        provider(monkeypatch, gone) as made,
        pytest.raises(ProviderError, match="connection failed") as caught,
    ):
        made.complete(Request([user_text("x")], ["s"]), Heard(), CancelToken())
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


def test_a_server_elsewhere_needs_a_key_and_one_here_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ProviderError, match="OPENAI_API_KEY") as caught:
        OpenAIProvider(OpenAISettings("m", "https://api.example.com/v1"))
    assert caught.value.fields["cause"] == "credentials"
    with MessagesServer([{"text": "ok"}]) as server:
        made = OpenAIProvider(OpenAISettings("m", f"{server.url}/v1"))
        reply = made.complete(Request([user_text("x")], []), Heard(), CancelToken())
        made.close()
    assert reply.content == (Block(text=Text("ok")),)
