# SPDX-License-Identifier: Apache-2.0
"""The Anthropic wire form of journal versions 1 and 2, to the neutral model and back."""

from __future__ import annotations

import base64
import json

import msgspec
import pytest

from tenuto import wire
from tenuto.errors import CorruptJournal
from tenuto.fold import fold, state_json
from tenuto.goparse import GoError
from tenuto.messages import Block, Message, Provider, Text, Thinking, ToolResult, ToolUse
from tenuto.records import Record, ToolResultRecord, decode_record, encode_record
from tenuto.runs.reader import scan
from tests.support import journals
from tests.support.journals import line, meta
from tests.support.paths import FISK_REAL

SEARCH = (
    '{"type":"server_tool_use","id":"srv_1","name":"web_search","input":{"q": 1.50,"n":"\\u00e8"}}'
)
REDACTED = '{"type":"redacted_thinking","data":"AAAA=="}'
TEXT = '{"type":"text","text":"no"}'
IMAGE = '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0K"}}'


def signed(signature: str) -> str:
    return base64.b64encode(signature.encode()).decode()


@pytest.mark.parametrize(
    ("raw", "block"),
    [
        ('{"type":"text","text":"hi"}', Block(text=Text("hi"))),
        ('{"text":"hi","type":"text","citations":null}', Block(text=Text("hi"))),
        (
            '{"signature":"c2ln","thinking":"hm","type":"thinking"}',
            Block(thinking=Thinking("hm", signed("c2ln"))),
        ),
        (
            '{"type":"thinking","thinking":"","signature":"\u00e9\\ud83d"}',
            Block(thinking=Thinking("", signed("\u00e9\ufffd"))),
        ),
        (
            '{"id":"t","input":{"a": 1e+21,"b":"\\u00e8"},"name":"n","type":"tool_use"}',
            Block(tool_use=ToolUse("t", "n", msgspec.Raw(b'{"a": 1e+21,"b":"\\u00e8"}'))),
        ),
        (
            f'{{"type":"tool_result","tool_use_id":"t","is_error":true,"content":[{TEXT}]}}',
            Block(tool_result=ToolResult("t", "no", True)),
        ),
        (
            '{"type":"tool_result","tool_use_id":"t","content":"plain"}',
            Block(tool_result=ToolResult("t", "plain")),
        ),
        (REDACTED, Block(provider=Provider("redacted_thinking", msgspec.Raw(REDACTED.encode())))),
        (SEARCH, Block(provider=Provider("server_tool_use", msgspec.Raw(SEARCH.encode())))),
        (IMAGE, Block(provider=Provider("image", msgspec.Raw(IMAGE.encode())))),
    ],
)
def test_a_wire_block_in_the_neutral_model(raw: str, block: Block) -> None:
    assert wire.block(raw.encode()) == block


@pytest.mark.parametrize(
    "raw",
    [
        '{"text":"hi"}',
        '{"type":"text","text":7}',
        '{"type":"tool_result","tool_use_id":"t","content":7}',
        '{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":7}]}',
        '{"type":7}',
        "7",
    ],
)
def test_what_is_no_wire_block(raw: str) -> None:
    with pytest.raises(GoError):
        wire.block(raw.encode())


def test_content_may_be_a_string_an_array_or_nothing() -> None:
    assert wire.message(b'{"role":"user","content":"hi \\ud83d"}') == Message(
        "user", [Block(text=Text("hi \ufffd"))]
    )
    assert wire.message(b'{"role":"assistant","content":[]}') == Message("assistant", [])
    assert wire.message(b'{"role":"assistant"}') == Message("assistant", None)
    with pytest.raises(GoError):
        wire.message(b'{"role":"user","content":{}}')


@pytest.mark.parametrize(
    ("content", "result"),
    [
        ('[{"type":"text","text":"one"},{"type":"text","text":"two"}]', "one\ntwo"),
        ("[]", ""),
        (f'[{{"type":"text","text":"see"}}, {IMAGE}]', f'[{{"type":"text","text":"see"}},{IMAGE}]'),
    ],
)
def test_a_result_of_more_than_one_text_is_kept_whole(content: str, result: str) -> None:
    block = f'{{"type":"tool_result","tool_use_id":"t","content":{content}}}'
    answer = f'{{"tool_use_id":"t","result":{block}}}'
    call = {"type": "tool_use", "id": "t", "name": "n", "input": {}}
    data = (
        meta(version=2)
        + journals.assistant(2, [call])
        + f'{{"seq":3,"protocol":"{journals.PREFIX}tool_result","tool_result":{answer}}}\n'.encode()
    )
    old = scan(data)
    assert old.error is None
    state = fold(old.records)
    kept = state_json(state)["messages"][2]["content"]
    assert kept == [{"provider": {"kind": "tool_result", "raw": json.loads(block)}}]

    # Upgraded, it is still whole for Tenuto, and has the text as its result for fisk-ai.
    payload = old.records[2].payload
    assert isinstance(payload, ToolResultRecord)
    assert payload.result == ToolResult("t", result)
    upgraded = decode_record(encode_record(Record(3, payload), 3))
    again = fold([*old.records[:2], upgraded])
    assert state_json(again)["messages"] == state_json(state)["messages"]
    assert json.loads(upgraded.line or b"")["tool_result"]["result"]["content"] == result


@pytest.mark.parametrize(
    "name", ["completed", "killed-in-tool", "missing-required", "suspended", "unicode"]
)
def test_the_wire_form_written_is_the_wire_form_read(name: str) -> None:
    found = scan((FISK_REAL / "v2" / "runs" / f"{name}.json").read_bytes())
    turns = 0
    for record in found.records:
        payload = record.payload
        if record.kind == "assistant":
            written = wire.to_wire(payload.message)  # type: ignore[union-attr]
            assert record.line is not None
            assert b'"message":' + written + b"," in record.line
            turns += 1
        elif isinstance(payload, ToolResultRecord):
            written = wire.block_to_wire(Block(tool_result=payload.result))
            assert record.line is not None
            assert b'"result":' + written + b"}" in record.line
    assert turns > 0


def test_every_neutral_block_goes_to_the_wire() -> None:
    blocks = [
        Block(text=Text("a <b> \u2028")),
        Block(thinking=Thinking("hm", signed("sig"))),
        Block(tool_use=ToolUse("t", "n", msgspec.Raw(b""))),
        Block(tool_result=ToolResult("t", "no", True)),
        Block(provider=Provider("image", msgspec.Raw(IMAGE.encode()))),
    ]
    message = Message("user", blocks)
    again = wire.message(wire.to_wire(message))
    assert again.role == "user"
    assert again.content is not None
    blocks[2] = Block(tool_use=ToolUse("t", "n", msgspec.Raw(b"null")))
    assert again.content == blocks
    assert wire.to_wire(Message("assistant", None)) == b'{"content":[],"role":"assistant"}'
    with pytest.raises(ValueError, match="nothing"):
        wire.block_to_wire(Block())


@pytest.mark.parametrize("version", [1, 2])
def test_old_journals_are_damaged_where_the_wire_form_is_not_met(version: int) -> None:
    neutral = journals.assistant(2, [journals.text("neutral")])
    found = scan(meta(version=version) + neutral + journals.terminal(3))
    assert isinstance(found.error, CorruptJournal)
    assert found.error.fields["line"] == 2
    assert "type" in str(found.error)


def test_a_version_1_journal_folds() -> None:
    wire_text = [{"type": "text", "text": "Hello."}]
    data = meta(version=1) + journals.assistant(2, wire_text) + journals.terminal(3, "completed")
    state = state_json(fold(scan(data).records))
    assert state["version"] == 1
    assert "provider" not in state["fingerprint"]
    assert state["messages"][1] == {"role": "assistant", "content": [{"text": {"text": "Hello."}}]}


def test_an_old_record_is_written_in_the_new_form() -> None:
    old = line(2, "user", {"message": {"role": "user", "content": [{"type": "text", "text": "x"}]}})
    record = decode_record(old, 2)
    assert record.version == 2
    assert encode_record(record, 2) == line(
        2, "user", {"message": {"role": "user", "content": [journals.text("x")]}}
    )
