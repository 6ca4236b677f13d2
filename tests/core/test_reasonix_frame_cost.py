# SPDX-License-Identifier: Apache-2.0
"""What a frame of few bytes and many values costs: its raw size a few times, and nothing is lost.

Untyped, an empty object of three bytes takes more than sixty.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.reasonix.frame_records import FREE_VALUES, most_values, too_many_values
from tenuto.reasonix.frames import encode_frame
from tenuto.reasonix.v4 import message_of, read_v4
from tenuto.runs.files import FileLayer
from tenuto.sources.reasonix_raw import records_of
from tests.support.reasonix import ANSWER, ASK, batch, said, v4_session

#: Three bytes each; the records below are of twelve million bytes and more.
VALUES = 4_000_000
JUNK = "[" + "{}," * VALUES + "{}]"
#: Kilobytes at most for each raw one, over what a session of nothing takes: a generous bound, of
#: which untyped decoding would take several times as many.
RATIO = 8
WORDS = "hello"
MESSAGE = {"role": "user", "content": WORDS}


def event(payload: str, kind: str = "message/complete", more: str = "", inside: str = "") -> bytes:
    packed = base64.b64encode(payload.encode()).decode()
    return (
        f'{{"recordType":"batch/event"{more},"event":{{"id":"e","seq":1{inside},'
        f'"kind":"{kind}","payload":"{packed}"}}}}'
    ).encode()


def session(path: Path, record: bytes) -> Path:
    begin = b'{"recordType":"batch/begin","commitId":"c","eventCount":1,"createdAt":"t"}'
    end = b'{"recordType":"batch/end","commitId":"c","eventCount":1}'
    return v4_session(path / ("a" * 32), *map(encode_frame, [begin, record, end]))


COMPLETE = json.dumps({"message": MESSAGE})
BESIDE = {
    "a record": lambda: event(COMPLETE, more=f',"later":{JUNK}'),
    "an event": lambda: event(COMPLETE, inside=f',"later":{JUNK}'),
    "a payload": lambda: event(f'{{"later":{JUNK},{COMPLETE[1:]}'),
}
INSIDE = {
    "a key nobody knows": lambda: event(f'{{"message":{{"role":"user","later":{JUNK}}}}}'),
    "a key of messages": lambda: event(f'{{"message":{{"role":"user","images":{JUNK}}}}}'),
    "many keys": lambda: event(
        '{"message":{' + "".join(f'"{at}":0,' for at in range(VALUES // 3)) + '"role":"user"}}'
    ),
    "no JSON to its end": lambda: event(f'{{"message":{{"role":"user","later":{JUNK}}}}}x'),
}

#: Reads the session, and lists its frames; prints messages, problems, and its greatest size in KiB.
CHILD = """
import json, resource, sys
from tenuto.reasonix.v4 import read_v4
from tenuto.runs.files import FileLayer
from tenuto.sources.reasonix_raw import records_of
found = read_v4(sys.argv[1])
rows = []
index = records_of(sys.argv[1], FileLayer())
index.refresh(lambda change: rows.extend(change.rows))
index.read(rows[1].offset, 1000)
size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
if sys.platform == "darwin":
    size //= 1024
print(json.dumps([[m.message for m in found.messages], [d.reason for d in found.damage], size]))
"""


def looked_at(path: Path) -> tuple[list[dict[str, str]], list[str], int]:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(path)], capture_output=True, text=True, check=True
    )
    messages, problems, size = json.loads(done.stdout)
    return messages, problems, size


@pytest.fixture(scope="module")
def least(tmp_path_factory: pytest.TempPathFactory) -> int:
    """KiB of a process that looks at a small session."""
    return looked_at(session(tmp_path_factory.mktemp("least"), event(COMPLETE)))[2]


def check_size(size: int, least: int, raw: int, record_property: object) -> None:
    assert callable(record_property)
    ratio = (size - least) * 1024 / raw
    record_property("memory_by_raw_bytes", round(ratio, 2))
    assert ratio < RATIO


@pytest.mark.skipif(sys.platform == "win32", reason="the size of a process is asked of getrusage")
@pytest.mark.parametrize("where", BESIDE)
def test_what_nobody_knows_costs_next_to_nothing(
    tmp_path: Path, where: str, least: int, record_property: object
) -> None:
    record = BESIDE[where]()
    path = session(tmp_path, record)
    assert (path / "events.frames").stat().st_size < len(record) // 1000
    messages, problems, size = looked_at(path)
    assert (messages, problems) == ([MESSAGE], [])
    check_size(size, least, len(record), record_property)


@pytest.mark.skipif(sys.platform == "win32", reason="the size of a process is asked of getrusage")
@pytest.mark.parametrize("where", INSIDE)
def test_a_message_of_more_values_than_it_may_hold_is_told(
    tmp_path: Path, where: str, least: int, record_property: object
) -> None:
    record = INSIDE[where]()
    messages, problems, size = looked_at(session(tmp_path, record))
    assert messages == []
    (problem,) = problems
    assert problem.startswith("not a message: it holds more than ")
    check_size(size, least, len(record), record_property)


def test_long_texts_are_no_values() -> None:
    """Of the same signs, as a text in which a tool printed them: a message like any other."""
    message = {"role": "tool", "content": '[{"a":1},' * VALUES, "tool_call_id": "c", "name": "cat"}
    assert message_of(json.dumps({"message": message}).encode()) == message


def test_other_messages_of_the_session_are_there(tmp_path: Path) -> None:
    bomb = session(tmp_path / "bomb", INSIDE["a key of messages"]())
    frames = (bomb / "events.frames").read_bytes()
    path = v4_session(tmp_path / ("b" * 32), batch(1, said(ASK)), frames, batch(3, said(ANSWER)))
    assert [found.message for found in read_v4(path).messages] == [ASK, ANSWER]
    rows: list[object] = []
    records_of(str(path), FileLayer()).refresh(lambda change: rows.extend(change.rows))
    assert [getattr(row, "kind", "") for row in rows].count("damaged") == 1
    assert len(rows) == 9


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=4), inner, max_size=6)
    ),
    max_leaves=30,
)


def begun(value: object) -> int:
    """Values counted as the bound counts them: what opens a container or follows a comma."""
    if isinstance(value, dict | list):
        inner = list(value.values()) if isinstance(value, dict) else value
        return 1 + max(len(inner) - 1, 0) + sum(map(begun, inner))
    return 0


@given(json_values, st.integers(-1, 1))
def test_values_are_counted_and_what_is_in_strings_is_not(value: object, over: int) -> None:
    """At the bound, one below and one above it: filled up with noughts to be just there."""
    text = json.dumps([value, "fill"], ensure_ascii=False).encode()
    count = begun([value, "fill"])
    fill = 0
    while count + fill < most_values(len(text) + 2 * fill) + over:
        fill += most_values(len(text) + 2 * fill) + over - count - fill
    whole = text[:-1] + b",0" * fill + b"]"
    assert count + fill >= FREE_VALUES - 1
    assert too_many_values(whole) == (count + fill > most_values(len(whole)))
