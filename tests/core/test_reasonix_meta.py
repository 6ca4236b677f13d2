# SPDX-License-Identifier: Apache-2.0
"""Sidecars: what they say, what of them is trusted, and what a rewrite keeps."""

import hashlib
import json
import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.clock import rfc3339
from tenuto.errors import StoreIO
from tenuto.reasonix import Controller, list_sessions, load_session
from tenuto.reasonix.listing import newest
from tenuto.reasonix.meta import (
    BadMeta,
    Meta,
    decode_full,
    decode_meta,
    encode_meta,
    nanoseconds,
    utc,
)
from tenuto.reasonix.sidecar import WRITER, counted, load_meta, rename_session, update_meta
from tests.support.reasonix import ASK, SESSION, SESSIONS_REAL_A, write
from tests.support.store import FaultLayer


def sidecar(path):
    return json.loads(Path(f"{path}.meta").read_text())


@pytest.mark.parametrize("real", sorted(SESSIONS_REAL_A.rglob("*.meta")), ids=lambda p: p.name)
def test_a_real_sidecar_is_written_byte_for_byte(real):
    data = real.read_bytes()
    meta, unknown = decode_full(data)
    assert unknown == {}
    assert meta == decode_meta(data)
    assert encode_meta(meta, unknown) == data


def test_keys_of_later_generations_survive_in_their_order():
    data = (
        b'{\n  "id": "s",\n  "created_at": "2026-07-01T00:00:00Z",\n'
        b'  "updated_at": "2026-07-01T00:00:00Z",\n  "schema_version": 2,\n'
        b'  "revision": 7,\n  "token_mode": "lean",\n  "recovery_depth": 1.50,\n'
        b'  "nested": {\n    "b": [\n      1,\n      {}\n    ],\n    "a": []\n  }\n}\n'
    )
    meta, unknown = decode_full(data)
    assert (meta.revision, meta.schema_version) == (7, 2)
    assert list(unknown) == ["token_mode", "recovery_depth", "nested"]
    assert encode_meta(meta, unknown) == data
    assert decode_meta(data) == meta


@pytest.mark.parametrize(
    "data",
    [
        b"", b"not json", b"[]", b'{"turns":"3"}', b'{"turns":1.5}', b'{"updated_at":"yesterday"}',
        b'{"updated_at":5}', b'{"created_at":"2026-02-30T00:00:00Z"}', b'{"id":5}', b"{} {}",
    ],
)  # fmt: skip
def test_what_is_no_sidecar(data):
    with pytest.raises(BadMeta):
        decode_meta(data)


def test_keys_match_as_in_go():
    meta = decode_meta(b'{"ID":"a","Turns":3,"turns":null,"topic_title":"t\xff"}')
    assert (meta.id, meta.turns, meta.topic_title) == ("a", 3, "t\ufffd")


@given(st.integers(-62_135_596_800 * 10**9, 253_402_300_799 * 10**9))
def test_times_are_read_to_the_nanosecond(ns):
    text = rfc3339(ns)
    assert nanoseconds(text) == ns
    assert utc(text) == text


def test_times_of_other_zones_are_put_into_utc():
    assert utc("2026-07-02T09:22:11.50+02:00") == "2026-07-02T07:22:11.5Z"
    assert utc("2026-07-02T09:22:11-00:30") == "2026-07-02T09:52:11Z"
    for bad in ("2026-07-02 09:22:11Z", "2026-07-02T09:22:11", "2026-W27-4T09:22:11Z", ""):
        with pytest.raises(BadMeta):
            utc(bad)


# --- trust ---------------------------------------------------------------------------------------


def test_only_a_versioned_sidecar_is_trusted(tmp_path):
    times = {"created_at": "2026-07-01T00:00:00Z", "updated_at": "2026-07-02T00:00:00Z"}
    write(tmp_path / "a.jsonl", schema_version=1, turns=9, preview="theirs", **times)
    write(tmp_path / "b.jsonl", turns=9, preview="theirs", **times)
    write(tmp_path / "c.jsonl", schema_version=1, **times)
    found = {i.name: (i.preview, i.turns) for i in list_sessions(tmp_path)}
    assert found == {"a": ("theirs", 9), "b": ("count the go files", 1), "c": ("", 0)}
    assert [i.name for i in newest(list_sessions(tmp_path))] == ["a", "b"]
    assert [i.name for i in newest(list_sessions(tmp_path), 1)] == ["a"]


def test_listing_changes_nothing(tmp_path):
    path = write(tmp_path / "a.jsonl")
    before = os.stat(path), os.stat(tmp_path), os.listdir(tmp_path)
    (info,) = list_sessions(tmp_path)
    assert (os.stat(path).st_mtime_ns, os.listdir(tmp_path)) == (before[0].st_mtime_ns, before[2])
    assert info.created == info.last_activity == rfc3339(before[0].st_mtime_ns)
    assert list_sessions(tmp_path / "none") == []


def test_a_folder_that_cannot_be_read(tmp_path):
    with pytest.raises(StoreIO):
        list_sessions(tmp_path, layer=FaultLayer(1, only=("scandir",)))


# --- writing -------------------------------------------------------------------------------------


def test_a_sidecar_is_made_with_the_times_of_its_session(tmp_path):
    path = write(tmp_path / "s.jsonl")
    os.utime(path, ns=(0, 1_780_000_000_250_000_000))
    meta = update_meta(str(path), counted("m", "p", 2))
    assert meta.created_at == meta.updated_at == rfc3339(1_780_000_000_250_000_000)
    assert (meta.id, meta.turns, meta.counted) == ("s", 2, True)
    assert load_meta(str(path)) == meta
    again = update_meta(str(path), counted(" ", "q", 3), touch=True)
    assert (again.model, again.created_at) == ("m", meta.created_at)
    assert again.updated_at > meta.updated_at
    assert Path(f"{path}.meta").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("data", [b"", b"\0" * 40, b" \n"])
def test_what_a_crash_leaves_counts_as_no_sidecar(tmp_path, data):
    path = write(tmp_path / "s.jsonl")
    Path(f"{path}.meta").write_bytes(data)
    assert load_meta(str(path)) is None
    assert update_meta(str(path), counted("m", "", 0)).model == "m"


def test_garbage_is_left_as_it_is(tmp_path):
    path = write(tmp_path / "s.jsonl")
    Path(f"{path}.meta").write_bytes(b"{")
    with pytest.raises(BadMeta):
        update_meta(str(path), counted("m", "", 0))
    assert Path(f"{path}.meta").read_bytes() == b"{"


def test_generation_b_keeps_its_count_of_revisions(tmp_path):
    path = write(tmp_path / "s.jsonl", revision=4, content_digest="old", writer_id="w", x=[1])
    with Controller(tmp_path, "m") as controller:
        controller.resume(load_session(path), path)
        controller.append(ASK)
        controller.snapshot()
    found = sidecar(path)
    assert (found["revision"], found["writer_id"], found["x"]) == (5, WRITER, [1])
    assert found["content_digest"] == hashlib.sha256(path.read_bytes()).hexdigest()
    # A turn that broke off in Reasonix would be cut out there, with all that was said since.
    broken = {"start_message_index": 1, "started_at": "2026-07-01T00:00:00Z"}
    cut = write(tmp_path / "u.jsonl", id="u", revision=1, in_flight_turn=broken)
    with Controller(tmp_path, "m") as controller:
        controller.resume(load_session(cut), cut)
        controller.snapshot()
        assert sidecar(cut)["in_flight_turn"] == broken
        controller.append(ASK)
        controller.snapshot()
        assert "in_flight_turn" not in sidecar(cut)
    # Of generation A nothing of the kind is written.
    plain = write(tmp_path / "t.jsonl", id="t")
    with Controller(tmp_path, "m") as controller:
        controller.resume(load_session(plain), plain)
        controller.append(ASK)
        controller.snapshot()
    assert not {"revision", "content_digest", "writer_id"} & set(sidecar(plain))


def test_a_title_goes_where_its_program_looks_for_it(tmp_path):
    path = write(tmp_path / "s.jsonl", id="s", updated_at="2026-07-01T00:00:00Z")
    meta = rename_session(str(path), "Mine <1>")
    assert (meta.topic_title, meta.custom_title) == ("Mine <1>", "")
    assert meta.updated_at > "2026-07-01T00:00:00Z"
    later = write(
        tmp_path / "t.jsonl", revision=1, topic_title="x", updated_at="2026-07-01T00:00:00Z"
    )
    meta = rename_session(str(later), "Mine")
    assert (meta.topic_title, meta.custom_title) == ("x", "Mine")
    assert {info.path: info.title for info in list_sessions(tmp_path)} == {
        str(path): "Mine <1>",
        str(later): "Mine",
    }
    assert meta.updated_at == "2026-07-01T00:00:00Z"
    meta = rename_session(str(later), "")
    assert (meta.topic_title, meta.custom_title) == ("x", "")
    assert load_session(path) == SESSION
    assert not (tmp_path / ".titles.json").exists()


def test_a_title_of_the_desktop_app_counts_and_is_replaced_where_it_stands(tmp_path):
    plain = write(tmp_path / "a.jsonl", topic_title="the topic")
    later = write(tmp_path / "b.jsonl", revision=1, custom_title="its own")
    write(tmp_path / "c.jsonl", topic_title="the topic")
    titles = tmp_path / ".titles.json"
    titles.write_text(json.dumps({"a.jsonl": "theirs", "b.jsonl": "theirs", "gone.jsonl": "x"}))

    def listed():
        return {info.name: info.title for info in list_sessions(tmp_path)}

    assert listed() == {"a": "theirs", "b": "its own", "c": "the topic"}
    rename_session(str(plain), "mine")
    assert json.loads(titles.read_text())["a.jsonl"] == "mine"
    assert listed()["a"] == "mine"
    for path in (plain, later):
        rename_session(str(path), "")
    assert json.loads(titles.read_text()) == {"gone.jsonl": "x"}
    assert listed() == {"a": "", "b": "", "c": "the topic"}
    # What makes no sense is nobody's title, and stays for whoever can make some of it.
    titles.write_text("{garbage")
    rename_session(str(plain), "again")
    assert (listed()["a"], titles.read_text()) == ("again", "{garbage")


@given(st.builds(dict, topic_title=st.text(), preview=st.text(), turns=st.integers(0, 2**31)))
def test_what_was_written_is_read(fields):
    meta = msgspec.structs.replace(Meta(id="s"), **fields)
    found, unknown = decode_full(encode_meta(meta, {}))
    assert unknown == {}
    assert found == decode_meta(encode_meta(meta, {}))
    assert found.turns == meta.turns
