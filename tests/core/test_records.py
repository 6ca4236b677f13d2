# SPDX-License-Identifier: Apache-2.0
"""Single records: Go's bytes out, every token kept, the fast reading equal to the careful one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto import careful
from tenuto.errors import CorruptJournal
from tenuto.fingerprint import Fingerprint
from tenuto.messages import Block, Message, Provider, Text, Thinking, ToolResult, ToolUse
from tenuto.records import (
    Assistant,
    BadRecord,
    Meta,
    Payload,
    Record,
    Terminal,
    ToolResultRecord,
    UnparsableLine,
    User,
    as_record,
    decode_record,
    encode_record,
)
from tests.support import journals
from tests.support.journals import assistant, call, line, meta, result, terminal, text
from tests.support.paths import CONFORMANCE, FISK_REAL

HEALTHY = [
    *sorted((CONFORMANCE / "fold" / "journals").glob("*-healthy.json")),
    *sorted((FISK_REAL / "runs").iterdir()),
]


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("path", HEALTHY, ids=lambda path: path.stem)
def test_every_line_is_written_as_it_was(path: Path) -> None:
    for item in lines(path):
        record = decode_record(item)
        assert record.line == item[:-1]
        assert encode_record(record, record.seq) == item
        # From the model alone, too: these are Go's bytes.
        assert encode_record(Record(record.seq, record.payload), record.seq) == item


def test_there_is_something_to_write() -> None:
    assert len(HEALTHY) == 69 + 12


@pytest.mark.parametrize("path", HEALTHY, ids=lambda path: path.stem)
def test_the_fast_reading_is_the_careful_reading(path: Path) -> None:
    for item in lines(path):
        fast, slow = decode_record(item), careful.decode_record(item, 3)
        assert (fast.seq, fast.kind, fast.line) == (slow.seq, slow.kind, slow.line)
        assert fast.payload == slow.payload
        for name in ("iteration", "stop_reason", "in_tokens", "tool_use_id", "remote", "reason"):
            if hasattr(slow.payload, name):
                assert getattr(fast.facts, name) == getattr(slow.payload, name)


def test_what_writers_write_is_read_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    slow: list[bytes] = []
    monkeypatch.setattr(careful, "decode_record", lambda item, version: slow.append(item))
    every = [item for path in HEALTHY for item in lines(path)]
    for item in every:
        decode_record(item)
    assert slow == []


# --- bytes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (Terminal("completed"), b'"terminal":{"reason":"completed"}'),
        (Terminal("error", "a<b"), b'"terminal":{"reason":"error","message":"a\\u003cb"}'),
        (User(Message("user", [])), b'"user":{"message":{"role":"user","content":[]}}'),
        (
            Assistant(0, Message("assistant", None)),
            (
                b'"assistant":{"iteration":0,"message":{"role":"assistant","content":null},'
                b'"in_tokens":0,"out_tokens":0}'
            ),
        ),
        (
            Assistant(2, Message("assistant", [Block(thinking=Thinking())]), "refusal", 1, 2, 3, 4),
            (
                b'"assistant":{"iteration":2,"message":{"role":"assistant","content":[{"thinking":{}}]},'
                b'"stop_reason":"refusal","in_tokens":1,"out_tokens":2,'
                b'"cache_read_tokens":3,"cache_create_tokens":4}'
            ),
        ),
        (
            User(Message("user", [Block(tool_use=ToolUse("t", "n", msgspec.Raw(b"")))])),
            (
                b'"user":{"message":{"role":"user","content":'
                b'[{"tool_use":{"id":"t","name":"n","input":null}}]}}'
            ),
        ),
        (
            User(Message("user", [Block(provider=Provider("k", msgspec.Raw(b'{ "a" : 1e+21 }')))])),
            (
                b'"user":{"message":{"role":"user","content":'
                b'[{"provider":{"kind":"k","raw":{"a":1e+21}}}]}}'
            ),
        ),
        (
            ToolResultRecord("t", ToolResult("t", "\u2028\ud83d", True), remote=True),
            (
                b'"tool_result":{"tool_use_id":"t","result":{"tool_use_id":"t",'
                b'"content":"\\u2028\xef\xbf\xbd","is_error":true},"remote":true}'
            ),
        ),
    ],
)
def test_what_a_payload_is_written_as(payload: Payload, expected: bytes) -> None:
    record = Record(7, payload)
    protocol = f'"protocol":"{journals.PREFIX}{record.kind}",'.encode()
    assert encode_record(record, 7) == b'{"seq":7,' + protocol + expected + b"}\n"


def test_a_fingerprint_is_written_with_every_field_but_a_missing_provider() -> None:
    first = Meta(3, "r", "2026-01-05T09:30:00Z", Fingerprint(model="m"), "p", interactive=True)
    assert encode_record(Record(1, first), 1).endswith(
        b'"fingerprint":{"model":"m","system_hash":"","tools_hash":"","thinking_mode":"",'
        b'"max_tokens":0,"max_iterations":0},"prompt":"p","interactive":true}}\n'
    )


texts = st.text(max_size=6) | st.sampled_from(["<&>", "\u2028\u2029", "\x00\x1f\x7f", '"\\/'])
raws = st.sampled_from(
    [b"{}", b"[1.50,1e+21]", b'{"b":1,"a":"\\u00e8<"}', b"null", b"", b'"\\ud83d"']
)
made_blocks = st.one_of(
    st.builds(lambda words: Block(text=Text(words)), texts),
    st.builds(lambda words, sign: Block(thinking=Thinking(words, sign)), texts, st.just("c2ln")),
    st.builds(lambda id, raw: Block(tool_use=ToolUse(id, "n", msgspec.Raw(raw))), texts, raws),
    st.builds(lambda id, words: Block(tool_result=ToolResult(id, words)), texts, texts),
    st.builds(lambda raw: Block(provider=Provider("k", msgspec.Raw(raw))), raws),
    st.just(Block()),
)
messages = st.builds(Message, texts, st.none() | st.lists(made_blocks, max_size=3))
counts = st.integers(-(2**63), 2**63 - 1)
payloads: st.SearchStrategy[Payload] = st.one_of(
    st.builds(Assistant, counts, messages, texts, counts, counts, counts, counts),
    st.builds(
        ToolResultRecord, texts, st.builds(ToolResult, texts, texts, st.booleans()), st.booleans()
    ),
    st.builds(User, messages),
    st.builds(Terminal, texts, texts),
    st.builds(
        lambda version, words, chat: Meta(
            version, words, "2026-01-05T09:30:00.5Z", Fingerprint(model=words), words, chat
        ),
        counts,
        texts,
        st.booleans(),
    ),
)


@given(payloads, st.integers(1, 2**64 - 1))
def test_what_is_written_is_read_back(payload: Payload, seq: int) -> None:
    data = encode_record(Record(seq, payload), seq)
    assert data.count(b"\n") == 1
    record = decode_record(data)
    assert record.seq == seq
    assert encode_record(Record(seq, record.payload), seq) == data
    assert encode_record(record, seq) == data
    slow = careful.decode_record(data, 3)
    assert slow.payload == record.payload


@pytest.mark.parametrize("seq", [0, -1, 2**64])
def test_no_record_has_such_a_number(seq: int) -> None:
    with pytest.raises(ValueError, match="record number"):
        encode_record(Record(1, Terminal("completed")), seq)


# --- tokens of a line that was read -------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'{"seq":3,"zz":1.50}', b'{"seq":9,"zz":1.50}'),
        (b'  {"seq":3,"zz":1.50}\r', b'{"seq":9,"zz":1.50}'),
        (b'{"zz":"\\u00e8<","seq":3}', b'{"seq":9,"zz":"\\u00e8<"}'),
        (b'{"seq":1,"zz":[1, 2],"seq":3}', b'{"seq":9,"zz":[1, 2]}'),
        (b'{"SEQ":3,"zz":{"seq":1}}', b'{"seq":9,"zz":{"seq":1}}'),
        (b'{"seq":3,"zz":{"seq":1}}', b'{"seq":9,"zz":{"seq":1}}'),
        (b'{"seq":3,"s\\u0065q":3}', b'{"seq":9}'),
        ('{"seq":3,"\u017feq":3,"z":"\u017f"}'.encode(), '{"seq":9,"z":"\u017f"}'.encode()),
        (b'{"seq":3,"zz":"\xff"}', b'{"seq":9,"zz":"\xff"}'),
        (b'{"seq" : 3}', b'{"seq":9}'),
    ],
)
def test_a_new_number_leaves_every_other_token(old: bytes, new: bytes) -> None:
    record = Record(3, Terminal("completed"), old)
    assert encode_record(record, 9) == new + b"\n"
    assert encode_record(record, 3) == old.strip() + b"\n"


def test_unknown_fields_survive_reading_and_appending() -> None:
    odd = (
        result(3, "t").replace(b'"result":', b'"ms": 12.0,"result":')[:-2] + b',"later":[1e400]}\n'
    )
    record = decode_record(odd)
    assert encode_record(record, 3) == odd
    assert encode_record(record, 8) == odd.replace(b'{"seq":3', b'{"seq":8')


def test_a_line_of_two_lines_is_never_written() -> None:
    with pytest.raises(ValueError, match="line break"):
        encode_record(Record(1, Terminal("x"), b'{"seq":1,\n"zz":1}'), 2)


# --- mappings -----------------------------------------------------------------------------------


def test_a_mapping_is_the_record_it_spells() -> None:
    given_line = assistant(2, [text("a<b"), call("t", {"n": 1.5})], stop_reason="tool_use")
    record = as_record(json.loads(given_line))
    assert record.line is None
    assert record.seq == 2
    assert encode_record(record, 4) == decode_and_move(given_line, 4).replace(b"<", b"\\u003c")
    assert as_record(record) is record


def decode_and_move(data: bytes, seq: int) -> bytes:
    return encode_record(decode_record(data), seq)


def test_a_mapping_needs_no_number_and_may_hold_structs() -> None:
    protocol = f"{journals.PREFIX}user"
    record = as_record(
        {"protocol": protocol, "user": User(Message("user", [Block(text=Text("x"))]))}
    )
    assert record.seq == 0
    assert encode_record(record, 5) == line(
        5, "user", {"message": {"role": "user", "content": [text("x")]}}
    )


def test_a_mapping_keeps_fields_that_the_model_has_not() -> None:
    value = {
        "seq": 2,
        "protocol": f"{journals.PREFIX}terminal",
        "terminal": {"reason": "x", "by": "<me>"},
    }
    record = as_record(value)
    assert record.payload == Terminal("x")
    assert b'"by":"\\u003cme\\u003e"' in encode_record(record, 2)
    top = as_record({**json.loads(terminal(2)), "host": "h"})
    assert json.loads(encode_record(top, 3))["host"] == "h"


@pytest.mark.parametrize(
    "number", [float("nan"), float("-inf"), 10**5_000], ids=["nan", "infinity", "huge"]
)
def test_a_mapping_with_a_number_that_json_has_not(number: float) -> None:
    value = json.loads(assistant(2, [call("t")]))
    value["assistant"]["message"]["content"][0]["tool_use"]["input"] = {"n": [number]}
    with pytest.raises(UnparsableLine):
        as_record(value)


def test_a_mapping_with_a_lone_surrogate() -> None:
    value = json.loads(assistant(2, [text("cut")]))
    value["assistant"]["message"]["content"][0]["text"]["text"] = "cut \ud83d"
    assert b"cut \xef\xbf\xbd" in encode_record(as_record(value), 2)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"protocol": "x"}, BadRecord),
        ({"seq": 1, "protocol": f"{journals.PREFIX}meta"}, BadRecord),
        ({"seq": 1.0, "protocol": f"{journals.PREFIX}terminal", "terminal": {}}, UnparsableLine),
    ],
)
def test_a_mapping_that_is_no_record(value: dict[str, Any], kind: type[CorruptJournal]) -> None:
    with pytest.raises(kind):
        as_record(value)


# --- what the typed decode must not decide alone ------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        # Go merges a repeated object into the first one.
        result(2, "t").replace(b'"result":{', b'"result":{"is_error":true},"result":{'),
        result(2, "t" * 90).replace(b'"result":{', b'"result":{"is_error":true},"result":{'),
        terminal(2).replace(
            b'"terminal":{', b'"terminal":{"message":"m","reason":"x"},"terminal":{'
        ),
        assistant(2, [text("a")]).replace(
            b'"message":{', b'"message":{"role":"x","content":null},"message":{'
        ),
        assistant(2, [{"thinking": {"text": "a"}}]).replace(
            b'{"thinking":', b'{"thinking":{"signature":"c2ln"},"thinking":'
        ),
        meta().replace(b'"fingerprint":{', b'"fingerprint":{"model":"m"},"fingerprint":{'),
        meta().replace(b'"meta":{', b'"meta":{"interactive":true},"meta":{'),
        meta().replace(b'"created":', b'"created":"","created":'),
        # Go checks a value also when a later one takes its place.
        result(2, "t").replace(b'"content":', b'"content":0,"content":'),
        assistant(2, [text("a")]).replace(b'{"text":"a"}', b'{"text":"b","text":0,"text":"a"}'),
        assistant(2, [{"thinking": {"text": "a", "signature": "c2ln"}}]).replace(
            b'"signature":', b'"signature":"?","signature":'
        ),
        assistant(2, [{"thinking": {"text": "a"}}]).replace(b'"text":', b'"text":0,"text":'),
        # Base64 that decodes to the same bytes in another spelling.
        assistant(2, [{"thinking": {"text": "", "signature": "YR=="}}]),
        # Fields left out, nulls, other case, all of a block's kinds at once.
        b'{"seq":2,"protocol":"io.choria.fisk-ai.v1.session.assistant","assistant":{}}\n',
        b'{"seq":2,"protocol":"io.choria.fisk-ai.v1.session.tool_result","tool_result":{}}\n',
        b'{"seq":2,"protocol":"io.choria.fisk-ai.v1.session.user","user":{}}\n',
        b'{"seq":2,"protocol":"io.choria.fisk-ai.v1.session.terminal","terminal":{}}\n',
        b'{"seq":1,"protocol":"io.choria.fisk-ai.v1.session.meta","meta":{}}\n',
        assistant(2, [text("a")]).replace(b'"role"', b'"ROLE"'),
        assistant(2, [{**text("a"), **call("t")}, {}, None]),
        assistant(2, [{"text": None, "thinking": None}]),
        terminal(2, "x")[:-2] + b',"meta":null,"user":{"message":{}}}\n',
    ],
)
def test_odd_lines_are_read_by_gos_rules(data: bytes) -> None:
    try:
        slow = careful.decode_record(data, 3)
    except UnparsableLine:
        with pytest.raises(UnparsableLine):
            decode_record(data)
        return
    record = decode_record(data)
    assert (record.seq, record.kind) == (slow.seq, slow.kind)
    assert record.payload == slow.payload
    assert encode_record(record, record.seq) == data


def test_a_repeated_object_is_merged() -> None:
    data = result(2, "t").replace(b'"result":{', b'"result":{"is_error":true},"result":{')
    payload = decode_record(data).payload
    assert isinstance(payload, ToolResultRecord)
    assert payload.result == ToolResult("t", "done", True)


@pytest.mark.parametrize("created", ["yesterday", "2026-01-05T24:00:00Z", "", 7])
def test_a_meta_with_no_time_does_not_parse(created: object) -> None:
    value = json.loads(meta())
    value["meta"]["created"] = created
    with pytest.raises(UnparsableLine):
        decode_record(json.dumps(value).encode())
