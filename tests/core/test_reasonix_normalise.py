# SPDX-License-Identifier: Apache-2.0
"""Repairs: every one of them, in order, without touching what was passed in."""

import copy
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tenuto.goparse import GoError, elements
from tenuto.messages import Block, Message, Text, Thinking, ToolResult, ToolUse
from tenuto.reasonix import normalize_session, preview, prune_stale
from tenuto.reasonix.arguments import close_json, valid_json
from tenuto.reasonix.convert import assistant_message, conversation, run_messages, system_text
from tenuto.reasonix.model import NO_RESULT
from tenuto.reasonix.normalise import normalize_wire
from tenuto.reasonix.previews import authored_preview, clean
from tenuto.records import Assistant, Terminal, ToolResultRecord, User
from tests.support.reasonix import ANSWER, ASK, CALL, RESULT, SESSION, SYSTEM, messages
from tests.support.store import meta

#: Values of any type under the keys that repairs look at.
odd = st.none() | st.integers() | st.text(max_size=3) | st.lists(st.integers(), max_size=2)
odd_calls = st.lists(
    st.dictionaries(st.sampled_from(["id", "name", "arguments"]), odd) | odd, max_size=3
)
odd_message = st.dictionaries(
    st.sampled_from(["content", "tool_call_id", "name", "local_only", "origin", "images"]), odd
).flatmap(
    lambda m: st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "tool", "system", "", 5])},
        optional={"tool_calls": odd_calls | odd},
    ).map(lambda more: m | more)
)


@given(messages() | st.lists(odd_message, max_size=8))
def test_repairs_never_raise_never_change_and_are_done_once(found):
    before = copy.deepcopy(found)
    for repair in (normalize_session, normalize_wire):
        once = repair(found)
        assert found == before
        assert repair(once) == once
    kept = normalize_session(found)
    # Everything that was stored is still there, in its order.
    left = iter(kept)
    for message in found:
        assert any(m.get("role") == message.get("role") for m in left)
    preview(found)
    authored_preview(found)
    prune_stale(found, 1000, 2)
    conversation(found)
    assert found == before


def test_the_example_of_the_format():
    calls = [
        {"id": "a", "name": "", "arguments": '{"p":"x'},
        {"id": "b", "name": "ls", "arguments": ""},
    ]
    result = {"role": "tool", "tool_call_id": "a", "name": "read_file", "content": "text"}
    found = normalize_session([{"role": "assistant", "tool_calls": calls}, result])
    assert found[0]["tool_calls"][0] == {"id": "a", "name": "read_file", "arguments": '{"p":"x"}'}
    assert found[1] is result
    assert found[2] == {
        "role": "tool",
        "content": NO_RESULT,
        "tool_call_id": "b",
        "name": "ls",
    }


def test_healthy_is_the_very_same_list():
    orphan = {"role": "tool", "content": "lost", "tool_call_id": "zz", "name": "bash"}
    for found in (SESSION, [SYSTEM, orphan, ASK], [], [ANSWER]):
        assert normalize_session(found) is found
    assert normalize_wire(SESSION) is SESSION
    assert normalize_wire([SYSTEM, orphan, ASK]) == [SYSTEM, ASK]


def test_the_wire_has_results_in_the_order_of_calls():
    calls = [{"id": i, "name": "ls", "arguments": ""} for i in "abc"]
    results = [
        {"role": "tool", "tool_call_id": i, "name": name, "content": i}
        for i, name in (("c", "ls"), ("x", "ls"), ("a", "other"))
    ]
    note = {"role": "user", "local_only": True, "content": "seen, not sent"}
    found = normalize_wire([{"role": "assistant", "tool_calls": calls}, *results, note, ASK])
    assert [(m["tool_call_id"], m["name"], m["content"]) for m in found[1:4]] == [
        ("a", "ls", "a"),
        ("b", "ls", NO_RESULT),
        ("c", "ls", "c"),
    ]
    assert found[4:] == [ASK]


def test_calls_without_ids_are_answered_by_place():
    calls = [{"id": "", "name": name, "arguments": ""} for name in ("", "ls", "")]
    result = {"role": "tool", "name": "bash", "content": "1"}
    found = normalize_session([{"role": "assistant", "tool_calls": calls}, result])
    assert [call["name"] for call in found[0]["tool_calls"]] == ["bash", "ls", ""]
    assert found[2:] == [
        {"role": "tool", "content": NO_RESULT, "name": "ls"},
        {"role": "tool", "content": NO_RESULT},
    ]


# --- arguments -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cut", "closed"),
    [
        ('{"a":"x', '{"a":"x"}'),
        ('{"a":"x\\', '{"a":"x"}'),
        ('{"a":"x\\\\', '{"a":"x\\\\"}'),
        ('{"a":[1,{"b":2', '{"a":[1,{"b":2}]}'),
        ('{"a":1, ', '{"a":1}'),
        ('{"a": ', '{"a":null}'),
        ('{"a', "{}"),
        ('{"a":tr', "{}"),
        ('{"a":"\\u12', "{}"),
        ("{", "{}"),
        ("[", "[]"),
        ("}", "{}"),
        ('{"a":1}}', "{}"),
        ("text", "{}"),
        ("  ", "{}"),
        ('{"a":"}{[', '{"a":"}{["}'),
    ],
)
def test_cut_arguments_are_closed(cut, closed):
    assert close_json(cut) == closed


json_text = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
).map(json.dumps)


@given(json_text, st.data())
def test_whatever_is_cut_becomes_valid(text, data):
    cut = text[: data.draw(st.integers(0, len(text)))]
    assert valid_json(text)
    assert valid_json(close_json(cut))
    json.loads(close_json(cut))


@given(json_text | st.text(alphabet='{}[]",:0123eE.+-truefalsn\\u" \x00\x7f\u00e9', max_size=12))
@example("1e999")
@example('"\\ud800"')
@example("NaN")
@example("[" * 9_999 + "]" * 9_999)
@example("[" * 10_001 + "]" * 10_001)
@example("\ufeff1")
def test_validity_is_that_of_go(text):
    try:
        elements(text.encode())
    except GoError:
        assert not valid_json(text)
    else:
        assert valid_json(text)


# --- previews ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("<active-goal id='1'>x</active-goal>\n <hook-context>y</hook-context> do it", "do it"),
        ("<active-goal>never closed", "<active-goal>never closed"),
        ("<active-goalie>x</active-goalie>", "<active-goalie>x</active-goalie>"),
        ("# Executor hand-off\n\nOriginal task:\ncount\n\nPlanner output:\n1. ls", "count"),
        ("# A heading\nOriginal task:\ncount", "# A heading\nOriginal task:\ncount"),
        ('<memory-compiler-execution>{"source_event":"top"}</memory-compiler-execution>', "top"),
        ("\u3000\x1f a \x85", "\x1f a"),
    ],
)
def test_what_was_put_around_a_prompt_comes_off(stored, shown):
    assert clean(stored) == shown


def test_what_the_host_wrote_is_neither_turn_nor_preview():
    host = {"role": "user", "origin": "host", "content": "context"}
    mine = {"role": "user", "origin": "user", "content": "sent so", "raw_content": "typed so"}
    summary = {"role": "user", "content": "<compaction-summary>old"}
    assert preview([host, mine, host]) == ("typed so", 1)
    assert preview([summary, mine]) == ("<compaction-summary>old", 2)
    assert authored_preview([summary, mine]) == ("typed so", 1)


# --- other forms of the same ---------------------------------------------------------------------


def test_a_conversation_for_a_provider():
    image = {"role": "user", "content": "see", "images": ["data:image/png;base64,iVBO", "file-1"]}
    thought = {
        "role": "assistant",
        "content": "so",
        "reasoning_content": "hm",
        "reasoning_signature": "c2ln",
    }
    failed = {**RESULT, "content": "error: command exited: exit status 3\n"}
    found = conversation([SYSTEM, ASK, CALL, failed, image, thought])
    assert system_text([SYSTEM, ASK]) == "Be brief."
    assert [message.role for message in found] == ["user", "assistant", "user", "assistant"]
    result, first, second, said = found[2].content
    assert result.tool_result == ToolResult("c1", failed["content"], True)
    assert json.loads(bytes(first.provider.raw))["source"]["media_type"] == "image/png"
    assert json.loads(bytes(second.provider.raw))["source"] == {"type": "url", "url": "file-1"}
    assert said == Block(text=Text("see"))
    assert found[3].content[0] == Block(thinking=Thinking("hm", "YzJsbg=="))
    assert bytes(found[1].content[0].tool_use.input) == b'{"command":"ls"}'
    assert assistant_message(found[3]) == thought


def test_a_run_as_a_session():
    use = ToolUse("c1", "bash", json.dumps({"command": "ls"}).encode())
    reply = Message("assistant", [Block(text=Text("look")), Block(tool_use=use)])
    both = Message(
        "user",
        [Block(tool_result=ToolResult("c1", "gone", True)), Block(text=Text("go on"))],
    )
    records = [
        meta(prompt="count"),
        Assistant(0, reply),
        ToolResultRecord("c1", ToolResult("c1", "12")),
        User(both),
        Terminal("suspended"),
    ]
    assert run_messages(records) == [
        {"role": "user", "content": "count"},
        {
            "role": "assistant",
            "content": "look",
            "tool_calls": [{"id": "c1", "name": "bash", "arguments": '{"command": "ls"}'}],
        },
        {"role": "tool", "content": "12", "tool_call_id": "c1", "name": "bash"},
        {"role": "tool", "content": "error: gone", "tool_call_id": "c1", "name": "bash"},
        {"role": "user", "content": "go on"},
    ]
