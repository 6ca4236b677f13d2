# SPDX-License-Identifier: Apache-2.0
"""Saving and loading a session: nothing is lost, whatever fails or dies in the middle."""

import contextlib
import errno
import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenuto.errors import (
    DamagedSession,
    NotAFile,
    PendingCleanup,
    SessionNotFound,
    StoreError,
    StoreIO,
)
from tenuto.gojson import replace_surrogates
from tenuto.reasonix import load_session, save_session
from tenuto.reasonix.store import read_session_file, sweep_temps
from tests.support.reasonix import SESSION, any_text, lines, messages, write
from tests.support.store import FaultLayer, in_child, python, quick_folder

NEW = [*SESSION, {"role": "user", "content": "and the python files"}]


@pytest.fixture
def folder():
    with quick_folder() as found:
        yield found


def no_sleep(_seconds):
    """Retries without the waiting."""


def names(folder):
    return sorted(os.listdir(folder))


# --- round trip ----------------------------------------------------------------------------------


@given(messages())
def test_what_was_saved_is_loaded(found):
    with quick_folder() as folder:
        path = folder / "s.jsonl"
        save_session(path, found)
        reading, state = read_session_file(str(path))
        assert reading.messages == found
        assert reading.damage == []
        assert state.size == path.stat().st_size
        save_session(folder / "again.jsonl", reading.messages)
        assert (folder / "again.jsonl").read_bytes() == path.read_bytes()


@given(any_text, any_text)
def test_any_text_survives_but_for_lone_surrogates(content, arguments):
    message = {
        "role": "assistant",
        "content": content + "!",
        "tool_calls": [{"id": "c1", "name": "bash", "arguments": arguments}],
    }
    with quick_folder() as folder:
        save_session(folder / "s.jsonl", [message])
        reading, _ = read_session_file(str(folder / "s.jsonl"))
    (found,) = reading.messages
    assert found["content"] == replace_surrogates(content) + "!"
    assert found["tool_calls"][0]["arguments"] == replace_surrogates(arguments)


def test_the_bytes_are_those_of_go(folder):
    message = {
        "zzz": {"b": [1, 1.5, None, True], "a": "<&>"},
        "name": "bash",
        "content": "a<b>&\u2028 é\t\x01",
        "role": "tool",
        "reasoning_content": "",
        "images": [],
    }
    save_session(folder / "s.jsonl", [message, {"role": "assistant", "tool_calls": [{}]}])
    assert (folder / "s.jsonl").read_bytes() == (
        b'{"role":"tool","content":"a\\u003cb\\u003e\\u0026\\u2028 \xc3\xa9\\t\\u0001",'
        b'"name":"bash","zzz":{"b":[1,1.5,null,true],"a":"\\u003c\\u0026\\u003e"}}\n'
        b'{"role":"assistant","tool_calls":[{"id":"","name":"","arguments":""}]}\n'
    )


@pytest.mark.parametrize(
    "value",
    [
        b'{"a":[1e400,1.50,-0,0.1,12345678901234567890123],"b":{"c":null}}',
        b"1e400",
        b'{"deep":' + b"[" * 3000 + b"]" * 3000 + b"}",
        b"-0",
        b"1E5",
        b"1" * 5000,
    ],
    ids=["numbers", "beyond float64", "deep", "minus nought", "exponent", "long"],
)
def test_keys_of_other_generations_survive_token_for_token(folder, value):
    raw = b'{"role":"user","content":"q","origin":"user","receipt":' + value + b"}\n"
    (folder / "s.jsonl").write_bytes(raw)
    save_session(folder / "t.jsonl", load_session(folder / "s.jsonl"))
    assert (folder / "t.jsonl").read_bytes() == raw


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": ["text"]},
        {"role": "user", "content": 0},
        {"role": 5},
        {"role": "assistant", "tool_calls": "none"},
        {"role": "assistant", "tool_calls": ["call"]},
        {"role": "assistant", "tool_calls": [{"added": "1"}]},
        {"role": "user", "images": [5]},
        {"role": "user", "edited": 1},
        {"role": "user", "zzz": b"bytes"},
        {"role": "user", "zzz": float("nan")},
        "not a message",
    ],
    ids=str,
)
def test_what_no_reader_would_take_is_not_written(folder, message):
    save_session(folder / "s.jsonl", SESSION)
    before = (folder / "s.jsonl").read_bytes()
    with pytest.raises((TypeError, ValueError)):
        save_session(folder / "s.jsonl", [*SESSION, message])
    assert names(folder) == ["s.jsonl"]
    assert (folder / "s.jsonl").read_bytes() == before


def test_a_folder_is_made_and_everything_is_private(folder):
    save_session(folder / "a" / "b" / "s.jsonl", SESSION)
    assert (folder / "a" / "b" / "s.jsonl").stat().st_mode & 0o777 == 0o600
    assert (folder / "a" / "b").stat().st_mode & 0o777 == 0o700


def test_no_path_is_an_error():
    with pytest.raises(ValueError, match="path"):
        save_session("", SESSION)


# --- loading -------------------------------------------------------------------------------------


def test_a_session_that_is_not_there(folder):
    for kind in (FileNotFoundError, SessionNotFound, StoreError):
        with pytest.raises(kind):
            load_session(folder / "none.jsonl")
        with pytest.raises(kind):
            load_session(folder / "no" / "none.jsonl")


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda p: os.symlink("/etc/hostname", p)])
def test_what_is_no_file_is_never_opened(folder, make):
    make(folder / "s.jsonl")
    with pytest.raises(NotAFile, match="not a session"):
        load_session(folder / "s.jsonl")


def test_a_session_that_waits_for_its_cleanup_is_refused(folder):
    path = write(folder / "s.jsonl")
    (folder / "s.cleanup-pending.json").touch()
    with pytest.raises(PendingCleanup) as caught:
        load_session(path)
    assert caught.value.exit_code == 4


def test_loading_changes_nothing_and_tells_what_was_repaired(folder):
    path = write(folder / "s.jsonl", SESSION[:3])
    before = path.read_bytes(), path.stat().st_mtime_ns
    session = load_session(path)
    assert session.dirty
    assert session[-1]["content"].startswith("[no result: ")
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert not load_session(write(folder / "t.jsonl")).dirty


def test_damage_says_where(folder):
    path = folder / "s.jsonl"
    path.write_bytes(b'{"role":"user","content":"a"}\n\n{"role":"user","content":5}\n')
    with pytest.raises(DamagedSession) as caught:
        load_session(path)
    fields = caught.value.fields
    assert (fields["damage"], fields["line"], fields["offset"]) == ("corrupt", 3, 31)
    assert fields["index"] == 1
    assert "line 3" in str(caught.value)


# --- failing, dying ------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EACCES, errno.EMFILE])
@pytest.mark.parametrize("forever", [False, True], ids=["once", "always"])
def test_a_save_that_fails_leaves_the_old_session_or_the_new(folder, number, forever):
    path = folder / "s.jsonl"
    save_session(path, SESSION)
    old = path.read_bytes()
    for nth in range(1, 50):
        layer = FaultLayer(nth, number, forever=forever)
        with contextlib.suppress(StoreIO):
            save_session(path, NEW, layer=layer, sleep=no_sleep)
        # Only what follows the rename may fail and leave the new one.
        renamed = layer.calls[-1] in ("fsync_dir", "close")
        assert path.read_bytes() == (lines(NEW) if renamed and "rename" in layer.calls else old)
        # Where nothing works any more, the temporary file cannot be removed either.
        left = set(names(folder)) - {"s.jsonl"}
        assert not left or forever
        for name in left:
            (folder / name).unlink()
        if not layer.fired:
            assert nth > 5
            return
        save_session(path, SESSION)
    raise AssertionError("still failing")


@pytest.mark.parametrize("only", FaultLayer.PRIMITIVES)
def test_a_save_killed_at_any_call_leaves_one_session_whole(folder, only):
    path = folder / "s.jsonl"
    save_session(path, SESSION)
    for nth in range(1, 20):
        layer = FaultLayer(nth, only=(only,), die=True)
        died = in_child(lambda layer=layer: save_session(path, NEW, layer=layer))
        assert load_session(path) in (SESSION, NEW)
        if died == 0:
            return
        assert died == 9
    raise AssertionError("still dying")


def test_a_busy_file_is_tried_again_for_a_while(folder):
    waits = []
    layer = FaultLayer(1, errno.EBUSY, only=("rename",))
    save_session(folder / "s.jsonl", SESSION, layer=layer, sleep=waits.append)
    assert waits == [0.02]
    waits.clear()
    layer = FaultLayer(1, errno.EACCES, only=("rename",), forever=True)
    with pytest.raises(StoreIO):
        save_session(folder / "s.jsonl", NEW, layer=layer, sleep=waits.append)
    assert sum(waits) == pytest.approx(1.56)
    assert load_session(folder / "s.jsonl") == SESSION
    assert names(folder) == ["s.jsonl"]


def test_what_broken_off_saves_left_is_swept_when_it_is_old(folder):
    for name in (".session.old.tmp", ".session.new.tmp", ".session.other", "s.jsonl"):
        (folder / name).touch()
    (folder / ".session.folder.tmp").mkdir()
    long_ago = time.time() - 7200
    for name in names(folder):
        if "new" not in name:
            os.utime(folder / name, (long_ago, long_ago))
    assert sweep_temps(str(folder)) == [".session.old.tmp"]
    assert ".session.old.tmp" not in names(folder)
    assert len(names(folder)) == 4
    assert sweep_temps(str(folder / "none")) == []


# --- more than one, and a lot --------------------------------------------------------------------

WRITER = """
import sys
from tenuto.reasonix import save_session
path, word = sys.argv[1:]
for number in range(40):
    text = f"{word} " * 2000
    save_session(path, [{"role": "user", "content": text}] * (number % 5 + 1))
"""


def test_two_writers_and_a_reader_see_whole_sessions_only(folder):
    path = folder / "s.jsonl"
    save_session(path, [{"role": "user", "content": "first"}])
    writers = [python(WRITER, path, word) for word in ("one", "two")]
    reads = 0
    while any(writer.poll() is None for writer in writers):
        contents = {message["content"][:3] for message in load_session(path)}
        assert len(contents) == 1
        reads += 1
    assert [writer.wait() for writer in writers] == [0, 0]
    for writer in writers:
        writer.stdout.close()
    assert reads > 5
    assert names(folder) == ["s.jsonl"]


def test_a_message_of_20_megabytes(folder):
    text = "line <one>\n" * 2_000_000
    found = [*SESSION[:2], {"role": "assistant", "content": text}, *SESSION[2:]]
    save_session(folder / "s.jsonl", found)
    session = load_session(folder / "s.jsonl")
    assert session == found
    assert not session.dirty


@settings(max_examples=25)
@given(st.data())
def test_a_file_cut_anywhere_gives_what_was_whole(data):
    with quick_folder() as folder:
        path = write(folder / "s.jsonl", data.draw(messages().filter(bool)))
        whole = path.read_bytes()
        cut = data.draw(st.integers(0, len(whole)))
        path.write_bytes(whole[:cut])
        reading, _ = read_session_file(str(path))
        complete = whole[:cut].count(b"\n")
        expected = [json.loads(line) for line in whole.split(b"\n")[: complete + 1] if line]
        assert len(reading.messages) >= complete
        assert len(reading.messages) == complete or whole[cut : cut + 1] == b"\n"
        assert reading.damage == [] or reading.damage[0].kind == "torn"
        assert [m["role"] for m in reading.messages] == [
            m["role"] for m in expected[: len(reading.messages)]
        ]
        assert Path(path).read_bytes() == whole[:cut]
