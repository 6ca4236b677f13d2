# SPDX-License-Identifier: Apache-2.0
"""A local HTTP server that speaks both wire protocols and plays turns from a list.

Anthropic's Messages API is spoken here, OpenAI's chat completions in ``completions``.

A turn is ``{"text", "thinking", "tools": [{"name", "input"}], "stop"}`` as in the conformance data,
or ``{"status": N, "text"}`` for an error (with ``retry`` one that the SDK may ask again about: it
is told not to, else); besides, ``delay`` (seconds before it), ``word_delay``
(seconds between deltas), ``cut`` (true: the connection breaks in the middle), ``blocks`` (content
blocks sent as they are, before the others), ``hang`` (true: headers, then nothing). Past the end
the last turn repeats, with its own number in the ids of its calls.
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.e2e import completions

SIGNATURE = "c2ln"


@dataclass
class Call:
    """One request as the server saw it."""

    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages without cache marks, a string content read as one text block."""
        found = []
        for message in self.body["messages"]:
            content = message["content"]
            if isinstance(content, str):
                content = [{"type": "text", "text": content}]
            blocks = [{k: v for k, v in b.items() if k != "cache_control"} for b in content]
            found.append({"role": message["role"], "content": blocks})
        return found


@dataclass
class MessagesServer:
    """``with MessagesServer(turns) as server: server.url``; ``server.calls`` afterwards."""

    turns: Sequence[dict[str, Any]]
    port: int = 0
    calls: list[Call] = field(default_factory=list)
    #: Speak TLS with it. The handshake is a handler's: a client that walks off ends only that.
    tls: ssl.SSLContext | None = None
    #: A bound socket to listen on from now on, in place of one of its own.
    taken: socket.socket | None = None

    def __enter__(self) -> Self:
        server = self

        class Handler(_Handler):
            owner = server

        address = ("127.0.0.1", self.port)
        self._http = ThreadingHTTPServer(address, Handler, bind_and_activate=self.taken is None)
        if self.taken is not None:
            self._http.socket.close()
            self._http.socket = self.taken
            self._http.server_address = self.taken.getsockname()
            self._http.server_activate()
        if self.tls is not None:
            self._http.socket = self.tls.wrap_socket(
                self._http.socket, server_side=True, do_handshake_on_connect=False
            )
        self._http.daemon_threads = False
        self._http.block_on_close = True
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, name="messages"
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def sleep(self, seconds: float) -> None:
        self._stop.wait(seconds)

    def hang(self) -> None:
        self._stop.wait()


class _Handler(BaseHTTPRequestHandler):
    owner: MessagesServer
    protocol_version = "HTTP/1.1"
    timeout = 30

    def log_message(self, *_: object) -> None:
        """Say nothing: the calls are kept."""

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        body = json.loads(self.rfile.read(length))
        # One request a connection: server_close waits for the handler threads.
        self.close_connection = True
        endpoint = self.path.partition("?")[0]
        if endpoint not in ("/v1/messages", completions.ENDPOINT):
            self._fail(404, {"text": f"no such endpoint: {self.path}"})
            return
        number = len(self.owner.calls)
        self.owner.calls.append(Call(body, {k.lower(): v for k, v in self.headers.items()}))
        index = min(number, len(self.owner.turns) - 1)
        turn = self.owner.turns[index]
        self.owner.sleep(turn.get("delay", 0))
        if "status" in turn:
            self._fail(turn["status"], turn)
        elif endpoint == completions.ENDPOINT:
            self._stream_lines(completions.lines(turn, index, body["model"]), turn)
        elif body.get("stream"):
            self._stream(turn, index, body["model"])
        else:
            self._send_json(200, _message(turn, index, body["model"]))

    def _fail(self, status: int, turn: dict[str, Any]) -> None:
        error = {"type": turn.get("type", "api_error"), "message": turn["text"]}
        self._send_json(status, {"type": "error", "error": error}, retry=turn.get("retry", False))

    def _send_json(self, status: int, value: Any, *, retry: bool = False) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        if retry:
            # The decision is the SDK's own; only its pause is cut short.
            self.send_header("retry-after-ms", "20")
        else:
            self.send_header("x-should-retry", "false")
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, turn: dict[str, Any], index: int, model: str) -> None:
        events = _events(turn, index, model)
        lines = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self._stream_lines(lines, turn)

    def _stream_lines(self, lines: Iterator[str], turn: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        try:
            if turn.get("hang"):
                self.wfile.flush()
                self.owner.hang()
                return
            whole = list(lines)
            for line in whole[: len(whole) // 2] if turn.get("cut") else whole:
                self.wfile.write(line.encode())
                self.wfile.flush()
                if "delta" in line:
                    self.owner.sleep(turn.get("word_delay", 0))
        except OSError:
            # The caller went away in the middle: what an abort looks like from here.
            return


def _content(turn: dict[str, Any], index: int) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = list(turn.get("blocks", []))
    if turn.get("thinking"):
        blocks.append({"type": "thinking", "thinking": turn["thinking"], "signature": SIGNATURE})
    if turn.get("text"):
        blocks.append({"type": "text", "text": turn["text"]})
    for position, tool in enumerate(turn.get("tools", [])):
        blocks.append(
            {
                "type": "tool_use",
                "id": f"toolu_{index}_{position}",
                "name": tool["name"],
                "input": tool["input"],
            }
        )
    return blocks


def _usage(index: int) -> dict[str, int]:
    return {
        "input_tokens": 100 + index,
        "output_tokens": 10 + index,
        "cache_read_input_tokens": 5,
        "cache_creation_input_tokens": 2,
    }


def _message(turn: dict[str, Any], index: int, model: str) -> dict[str, Any]:
    return {
        "id": f"msg_{index}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": _content(turn, index),
        "stop_reason": turn.get("stop", "end_turn"),
        "stop_sequence": None,
        "usage": _usage(index),
    }


def _events(turn: dict[str, Any], index: int, model: str) -> Iterator[dict[str, Any]]:
    start = {**_message(turn, index, model), "content": [], "stop_reason": None}
    start["usage"] = {**_usage(index), "output_tokens": 1}
    yield {"type": "message_start", "message": start}
    for position, block in enumerate(_content(turn, index)):
        opened, deltas = _pieces(block)
        yield {"type": "content_block_start", "index": position, "content_block": opened}
        yield {"type": "ping"}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": position, "delta": delta}
        yield {"type": "content_block_stop", "index": position}
    delta = {"stop_reason": turn.get("stop", "end_turn"), "stop_sequence": None}
    usage = {"output_tokens": _usage(index)["output_tokens"]}
    yield {"type": "message_delta", "delta": delta, "usage": usage}
    yield {"type": "message_stop"}


def _pieces(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block's start without its content, and the deltas that bring it."""
    match block["type"]:
        case "text":
            words = [{"type": "text_delta", "text": part} for part in _halves(block["text"])]
            return {**block, "text": ""}, words
        case "thinking":
            words = [
                {"type": "thinking_delta", "thinking": part} for part in _halves(block["thinking"])
            ]
            signature = {"type": "signature_delta", "signature": block["signature"]}
            return {**block, "thinking": "", "signature": ""}, [*words, signature]
        case "tool_use":
            # The text of the input, not its value: a model writes its own tokens. A string is
            # sent as it is, so that a test can have any text for an input.
            raw = block["input"]
            text = raw if isinstance(raw, str) else json.dumps(raw)
            parts = [{"type": "input_json_delta", "partial_json": part} for part in _halves(text)]
            return {**block, "input": {}}, parts
    return block, []


def _halves(text: str) -> list[str]:
    words = text.split(" ")
    return [word if i == 0 else f" {word}" for i, word in enumerate(words)]


def wait_for_calls(server: MessagesServer, count: int, timeout: float = 20.0) -> None:
    """Until the server saw ``count`` calls."""
    deadline = time.monotonic() + timeout
    while len(server.calls) < count:
        if time.monotonic() > deadline:
            raise AssertionError(f"{len(server.calls)} calls after {timeout} s, not {count}")
        time.sleep(0.01)
