# SPDX-License-Identifier: Apache-2.0
"""Reading a session file: values, not lines; Go's rules; and what is left of a damaged one."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tenuto.reasonix import load_session, preview, quick, save_session, stream
from tenuto.reasonix.careful import BadValue, decode_message
from tenuto.reasonix.convert import conversation
from tenuto.reasonix.stream import read_messages
from tests.support.reasonix import SESSION, lines, messages


def reading(data, *, read_on=False, step=None):
    """Read ``data``, given in parts of ``step`` bytes."""
    rest = bytearray(data)

    def read(size):
        part = bytes(rest[: step or size])
        del rest[: step or size]
        return part

    return read_messages(read, read_on=read_on)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks so small that every value is cut somewhere."""
    monkeypatch.setattr(stream, "BLOCK", 64)


FORMS = {
    "lines": lines,
    "pretty": lambda ms: b"\n".join(json.dumps(m, indent=2).encode() for m in ms),
    "one line": lambda ms: b"".join(json.dumps(m).encode() for m in ms),
    "crlf": lambda ms: lines(ms).replace(b"\n", b"\r\n"),
    "blank lines": lambda ms: b"\n\n \t" + lines(ms).replace(b"\n", b"\n \n\r\n"),
    "no last line end": lambda ms: lines(ms).rstrip(b"\n"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("step", [1, 7, None])
def test_values_may_stand_in_any_form(form, step):
    found = reading(FORMS[form](SESSION), step=step)
    assert found.messages == SESSION
    assert found.damage == []


@given(messages(), st.sampled_from(sorted(FORMS)), st.integers(1, 100))
def test_any_messages_in_any_form_and_blocks(given_messages, form, step):
    found = reading(FORMS[form](given_messages), step=step)
    assert found.messages == given_messages
    assert found.damage == []


def test_nothing_is_a_session_without_messages():
    for data in (b"", b"\n", b" \r\n\t"):
        assert (reading(data).messages, reading(data).damage) == ([], [])


# --- Go's rules ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'{"ROLE":"user","Content":"a"}', {"role": "user", "content": "a"}),
        (b'{"role":"user","content":"a","content":"b"}', {"role": "user", "content": "b"}),
        (b'{"role":"user","content":"a","CONTENT":"b"}', {"role": "user", "content": "b"}),
        (b'{"role":"user","content":"a","content":null}', {"role": "user", "content": "a"}),
        (b'{"role":"user","images":["a"],"images":null}', {"role": "user"}),
        (b'{"role":"user","content":null,"name":""}', {"role": "user"}),
        (b'{"content":"a"}', {"role": "", "content": "a"}),
        (b"null", {"role": ""}),
        (b'{"role":"user","content":"\\ud83d"}', {"role": "user", "content": "\ufffd"}),
        (b'{"role":"user","content":"\xff\xfe"}', {"role": "user", "content": "\ufffd\ufffd"}),
        (b'{"role":"user","edited":false}', {"role": "user"}),
        (b'{"role":"user","edited":true}', {"role": "user", "edited": True}),
        (
            b'{"role":"assistant","tool_calls":[{"ID":"c","added":3}]}',
            {
                "role": "assistant",
                "tool_calls": [{"id": "c", "name": "", "arguments": "", "added": 3}],
            },
        ),
        (b'{"role":"assistant","tool_calls":[]}', {"role": "assistant"}),
        (
            b'{"role":"a","memoryCitations":[{"linestart":4,"x":1},null]}',
            {
                "role": "a",
                "memoryCitations": [{"source": "", "lineStart": 4, "x": 1}, {"source": ""}],
            },
        ),
        (
            b'{"role":"user","origin":"host","raw":[1]}',
            {"role": "user", "origin": "host", "raw": [1]},
        ),
    ],
    ids=str,
)
def test_a_message_by_the_rules_of_go(raw, expected):
    assert decode_message(raw) == expected
    assert quick.message(raw) == expected
    assert reading(raw + b"\n").messages == [expected]


@pytest.mark.parametrize(
    "raw",
    [
        b"42", b'"text"', b"[]", b"true", b'{"role":5}', b'{"role":"user","content":["a"]}',
        b'{"role":"user","edited":"yes"}', b'{"role":"user","images":"a"}',
        b'{"role":"user","images":[1]}', b'{"role":"a","tool_calls":{}}',
        b'{"role":"a","tool_calls":[{"added":1.5}]}', b'{"role":"a","tool_calls":["a"]}',
        b'{"role":"a","tool_calls":[{"added":9223372036854775808}]}',
        b'{"role":"user",}', b'{"role" "user"}', b'{"role":"user","zzz":NaN}',
        b'{"role":"user","zzz":01}', b"\xef\xbb\xbf{}", b'{"role":"a","memoryCitations":[5]}',
    ],
)  # fmt: skip
def test_what_is_no_message(raw):
    with pytest.raises(BadValue):
        decode_message(raw)
    with pytest.raises(BadValue):
        quick.message(raw)
    found = reading(lines(SESSION[:1]) + raw + b"\n" + lines(SESSION[1:]))
    assert found.messages == SESSION[:1]
    (damage,) = found.damage
    assert (damage.kind, damage.line, damage.index) == ("corrupt", 2, 1)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "Role", "content", "tool_calls", "id", "name", "zzz"]), inner
        )
    ),
    max_leaves=8,
)


@given(json_values)
@example({"role": "user", "zzz": 0})
@example({"role": "assistant", "tool_calls": [{"id": "", "name": "", "arguments": "", "x": 0}]})
def test_the_quick_way_only_differs_towards_doubt(value):
    raw = json.dumps(value).encode()
    if quick.certain(json.loads(raw)):
        assert decode_message(raw) == json.loads(raw)


def test_a_header_of_another_branch_is_kept_and_is_nobodys_message(tmp_path):
    header = {"schema_version": 1, "kind": "session"}
    path = tmp_path / "s.jsonl"
    path.write_bytes(lines([header, *SESSION]))
    session = load_session(path)
    assert session == [{"role": "", **header}, *SESSION]
    assert preview(session) == ("count the go files", 1)
    assert [message.role for message in conversation(session)] == ["user", "assistant"] * 2
    save_session(path, session)
    assert load_session(path) == session


# --- damage --------------------------------------------------------------------------------------


def test_reading_on_gives_what_lies_behind_damage():
    whole = lines(SESSION)
    for broken in (b'{"role":"assis', b"42", b"}}", b'{"role":5}', b"\0\0\0\0", b'{"a":\n\n'):
        data = lines(SESSION[:2]) + broken + b"\n" + lines(SESSION[2:])
        for step in (1, 10, None):
            found = reading(data, read_on=True, step=step)
            assert found.messages == SESSION
            (damage,) = found.damage
            assert (damage.index, damage.line) == (2, 3)
            assert damage.offset == len(lines(SESSION[:2]))
            assert damage.offset + damage.size == len(data) - len(lines(SESSION[2:]))
            assert reading(data, step=step).messages == SESSION[:2]
    assert reading(whole + b"x\n", read_on=True).messages == SESSION


@pytest.mark.parametrize("tail", [b'{"role":"us', b'{"role":"user","content":"a\\', b"\0" * 50])
def test_a_torn_tail_is_told_from_damage(tail):
    for read_on in (False, True):
        found = reading(lines(SESSION) + tail, read_on=read_on)
        assert found.messages == SESSION
        assert [damage.kind for damage in found.damage] == ["torn"]
        assert found.damage[0].size == len(tail)


@given(st.binary(max_size=60), st.booleans())
def test_no_bytes_at_all_raise(data, read_on):
    found = reading(data + b"\n" + lines(SESSION), read_on=read_on, step=5)
    assert all(damage.size > 0 for damage in found.damage)
    if not found.damage:
        assert found.messages[-len(SESSION) :] == SESSION


def test_a_value_of_many_blocks_is_read_once_or_twice(monkeypatch):
    monkeypatch.setattr(stream, "BLOCK", 4096)
    message = {"role": "user", "content": "a\n" * 300_000}
    pretty = json.dumps(message, indent=2).encode()
    calls = []
    real = stream.value_end
    monkeypatch.setattr(stream, "value_end", lambda *a, **k: calls.append(1) or real(*a, **k))
    assert reading(pretty * 2).messages == [message, message]
    assert len(calls) < 40
