# SPDX-License-Identifier: Apache-2.0
"""Reasonix sessions as the window sees them: rows, transcripts, what may be done."""

import json
import os
import threading
import time
from collections import Counter

import pytest

from tenuto.errors import RunNotFound
from tenuto.reasonix import Controller, load_session, save_session
from tenuto.runs.files import FileLayer
from tenuto.sources.base import BlocksChanged
from tenuto.sources.reasonix import ReasonixSource
from tenuto.sources.reasonix_rows import ReasonixSummary
from tests.support.reasonix import (
    ANSWER,
    ASK,
    CALL,
    REASONIX,
    RESULT,
    SESSION,
    SESSIONS_REAL_A,
    SYSTEM,
    batch,
    copy,
    log_line,
    said,
    v4_session,
    write,
)
from tests.support.store import FaultLayer, quick_folder, snapshot, wait_for

V4 = "3db33388d64bb551fa646e8762e8ffae"


@pytest.fixture
def root(tmp_path):
    """A state folder with every generation in it."""
    found = copy(SESSIONS_REAL_A / "projects", tmp_path / "state" / "projects").parent
    copy(REASONIX / "sessions", found / "sessions")
    copy(REASONIX / "sessions-v4", found / "projects" / "-srv-pantry" / "sessions-v4")
    folder = found / "sessions"
    write(folder / "b.jsonl", SESSION, revision=3, updated_at="2126-12-01T00:00:00Z")
    write(folder / "c.jsonl", [SYSTEM], custom_title="Counting", schema_version=2)
    (folder / "c.events.jsonl").write_bytes(log_line("replace", SESSION[:2]))
    return found


@pytest.fixture
def folder():
    with quick_folder() as found:
        yield found


@pytest.fixture
def source(root, tmp_path):
    return ReasonixSource(root, cache=tmp_path / "cache")


def built(source):
    source.list()
    source.build_pending()
    return {row.id: row for row in source.list().summaries}


def test_a_project_is_one_group(tmp_path):
    """Only some of its sessions say where it is; a v4 session never does."""
    folder = tmp_path / "projects" / "-srv-app" / "sessions"
    folder.mkdir(parents=True)
    write(folder / "named.jsonl", workspace_root="/srv/app")
    write(folder / "quiet.jsonl", updated_at="2026-06-01T10:10:10Z")
    v4_session(folder.parent / "sessions-v4" / V4, batch(1, said(SESSION[1])))
    other = tmp_path / "projects" / "-srv-moved" / "sessions"
    other.mkdir(parents=True)
    write(other / "moved.jsonl", workspace_root="/srv/where-it-was")
    write(other / "stayed.jsonl")
    source = ReasonixSource(tmp_path, cache=tmp_path / "cache")
    expected = {
        "named": "/srv/app",
        "quiet": "/srv/app",
        V4: "/srv/app",
        "moved": "/srv/where-it-was",
        "stayed": "-srv-moved",
    }
    groups = {row.id: row.group for row in source.list().summaries}
    assert {id.rpartition("/")[2]: group for id, group in groups.items()} == expected
    # A row that is looked at alone stays in its group.
    assert {row.id: row.group for row in source.build_pending().updated} == groups


def test_every_generation_is_in_the_list(source, root):
    listing = source.list()
    assert listing.pending == frozenset(row.id for row in listing.summaries)
    assert {row.status for row in listing.summaries} == {"pending"}
    rows = built(source)
    assert Counter(row.generation for row in rows.values()) == {"A": 13, "B": 1, "C": 1, "v4": 3}
    assert {row.project for row in rows.values()} == {"", "-srv-pantry"}
    assert {row.source for row in rows.values()} == {"reasonix"}
    assert source.list().pending == frozenset()
    reasons = {item.name: item.reason for item in source.list().skipped}
    assert reasons == {
        "sessions/20260604-091502.810895565-model-0.jsonl": "Reasonix is about to remove it",
        "sessions/x.events.jsonl": "an event log without its session",
    }
    logged = rows["sessions/c"]
    assert (logged.title, logged.turns, logged.prompt) == ("Counting", 1, "count the go files")
    newer = rows[f"projects/-srv-pantry/sessions-v4/{V4}"]
    assert (newer.model, newer.turns, newer.status) == ("stub/model-x", 3, "ready")
    assert newer.path == str(root / "projects" / "-srv-pantry" / "sessions-v4" / V4)
    assert newer.created == "2026-09-01T10:00:18Z"


def test_looking_writes_nothing_beside_the_sessions(source, root):
    before = snapshot(root)
    times = {path: os.stat(path).st_mtime_ns for path in before}
    for row in built(source).values():
        source.open(row.id).refresh()
        source.capabilities(row)
    assert snapshot(root) == before
    assert {path: os.stat(path).st_mtime_ns for path in before} == times


def test_a_status_says_why(source):
    rows = built(source)
    cut = rows["projects/-srv-pantry/sessions/20261130-184520.532259655-stub-model"]
    assert (cut.status, cut.evidence.kind) == ("interrupted", "outcome_unknown")
    assert cut.evidence.calls[0].id == "call_0_0"
    assert [call.name for call in cut.pending] == ["bash"]
    torn = rows["projects/-srv-pantry/sessions-v4/64b02461d185b3f92f9dd421e19cd2c6"]
    assert (torn.status, torn.integrity) == ("interrupted", "torn")
    asked = rows["sessions/c"]
    assert (asked.status, asked.evidence.kind) == ("interrupted", "between_turns")
    assert rows["sessions/b"].status == "ready"


def test_what_the_cache_knows_survives_and_what_changed_is_read_again(source, root, tmp_path):
    built(source)
    again = ReasonixSource(root, cache=tmp_path / "cache")
    assert again.list().pending == frozenset()
    path = root / "sessions" / "b.jsonl"
    save_session(path, [*SESSION, ASK])
    listing = again.list()
    assert listing.pending == {"sessions/b"}
    changed = again.build_pending()
    (row,) = changed.updated
    assert (row.id, row.turns, row.status) == ("sessions/b", 2, "interrupted")
    assert changed.pending == frozenset()
    for file in (tmp_path / "cache" / "reasonix").iterdir():
        file.write_bytes(b"garbage")
    assert len(ReasonixSource(root, cache=tmp_path / "cache").list().pending) == 18


def test_before_it_is_read_a_row_shows_its_sidecar(source):
    rows = {row.id: row for row in source.list().summaries}
    row = rows["sessions/20260611-091502.189940007-model-1"]
    assert (row.status, row.turns, row.model) == ("pending", 1, "stub/model-1")
    assert row.prompt.startswith("count count check")
    assert row.title == row.prompt
    assert row.updated == "2026-06-19T00:15:02Z"


def test_a_title_of_the_desktop_app_is_shown_and_followed(source, root):
    titles = root / "sessions" / ".titles.json"
    titles.write_text('{"b.jsonl": "Pantry"}')
    assert built(source)["sessions/b"].title == "Pantry"
    told = []
    watcher = source.watch(told.append)
    watcher.start()
    try:
        titles.write_text('{"b.jsonl": "Larder"}')
        wait_for(lambda: any("sessions/b" in changes.changed for changes in told), "the title")
    finally:
        watcher.stop()
    (row,) = source.changes(["sessions/b"]).updated
    assert row.title == "Larder"


def test_changes(source, root):
    built(source)
    (root / "sessions" / "b.jsonl").unlink()
    write(root / "sessions" / "new.jsonl")
    ids = ["sessions/b", "sessions/new", "sessions/c", "no/where", "sessions/..", f"sessions/{V4}"]
    changed = source.changes(ids)
    assert [row.id for row in changed.updated] == ["sessions/new", "sessions/c"]
    assert changed.gone == {"sessions/b", "no/where", "sessions/..", f"sessions/{V4}"}
    assert changed.pending == {"sessions/new"}
    seen = []
    source.build_pending(changed.pending, on_built=seen.append)
    assert [row.status for row in seen] == ["ready"]
    assert source.build_pending(["sessions/b"]).gone == {"sessions/b"}
    stopped = source.build_pending(["sessions/new"], stop=lambda: True)
    assert (stopped.updated, stopped.pending) == ([], {"sessions/new"})


def test_ids_and_paths(source, root):
    path = root / "projects" / "-srv-pantry" / "sessions-v4" / V4
    id = f"projects/-srv-pantry/sessions-v4/{V4}"
    assert source.id_of(path) == id
    assert source.path(id) == str(path)
    assert source.id_of(root / "sessions" / "b.jsonl") == "sessions/b"
    assert source.path("sessions/b") == str(root / "sessions" / "b.jsonl")
    assert source.id_of("/etc/passwd") is None
    for bad in ("../x", "sessions/../../x", "", "sessions/", "b"):
        with pytest.raises(RunNotFound):
            source.path(bad)


def test_a_folder_of_sessions_is_a_root_too(root, tmp_path):
    source = ReasonixSource(root / "sessions", cache=tmp_path / "cache")
    assert "b" in built(source)
    assert ReasonixSource(tmp_path / "none", cache=tmp_path).list().summaries == []


def test_what_is_wrong_with_a_folder_is_said_once(root, tmp_path):
    layer = FaultLayer(1, only=("scandir",))
    listing = ReasonixSource(root, cache=tmp_path / "cache", layer=layer).list()
    assert "cannot list" in str(listing.notice)
    assert len(listing.summaries) == 5


def test_rows_come_in_the_order_of_reasonix(source):
    rows = source.list().summaries
    assert rows == sorted(rows, key=lambda row: row.activity_key)
    assert rows[0].id == "sessions/b"


# --- what may be done ----------------------------------------------------------------------------


def test_capabilities(source, root):
    write(root / "sessions" / "damaged.jsonl", [ASK, 5])
    write(root / "sessions" / "none.jsonl", [])
    rows = built(source)

    def can(id):
        return source.capabilities(rows[id])

    plain = can("sessions/b")
    assert all((plain.resume.allowed, plain.fork.allowed, plain.rename.allowed))
    assert plain.delete.allowed
    assert not plain.force.allowed
    assert not plain.diff.allowed
    for id in ("sessions/c", f"projects/-srv-pantry/sessions-v4/{V4}"):
        found = can(id)
        assert found.resume.code == found.delete.code == "foreign"
        assert "fork" in found.resume.reason
        assert found.fork.allowed
    assert can("sessions/damaged").resume.code == "damaged"
    assert can("sessions/none").fork.code == "empty"
    assert rows["sessions/none"].status == "empty"


def test_a_session_that_is_open_is_running(source, root):
    path = root / "sessions" / "b.jsonl"
    built(source)
    with Controller(root / "sessions", "m") as controller:
        controller.resume(load_session(path), path)
        (row,) = source.changes(["sessions/b"]).updated
        assert isinstance(row, ReasonixSummary)
        assert (row.status, row.evidence.pid) == ("running", os.getpid())
        found = source.capabilities(row)
        assert found.delete.code == found.resume.code == "leased"
        assert f"process {os.getpid()}" in found.resume.reason
        assert found.fork.allowed
    assert {r.id: r for r in source.list().summaries}["sessions/b"].status == "ready"


# --- transcripts ---------------------------------------------------------------------------------


def shape(blocks):
    return [(block.kind, block.notice or block.state or block.text) for block in blocks]


def test_a_transcript(source):
    transcript = source.open("projects/-srv-pantry/sessions/20261130-184444.421648733-stub-model")
    assert transcript.refresh() == BlocksChanged(0, 0, 9)
    assert shape(transcript.blocks) == [
        ("notice", "system"),
        ("prompt", "what is on the shelves? <b> & 'c'"),
        ("thinking", "List the folder."),
        ("text", "I will look first. "),
        ("tool_call", "done"),
        ("text", "There are two files <a> & b. "),
        ("follow_up", "now run it"),
        ("tool_call", "failed"),
        ("text", "It ended with 3. "),
    ]
    call = next(block for block in transcript.blocks if block.state == "failed")
    assert (call.exit_code, call.name, call.call_id) == (3, "bash", "call_2_0")
    assert transcript.refresh() == BlocksChanged(9, 9, 9)


def test_a_transcript_of_v4_folds_what_the_host_said(source):
    transcript = source.open(f"projects/-srv-pantry/sessions-v4/{V4}")
    transcript.refresh()
    kinds = Counter(block.notice or block.kind for block in transcript.blocks)
    assert kinds["host"] == 3
    assert (kinds["prompt"], kinds["follow_up"]) == (1, 2)
    assert transcript.blocks[2].time == "2026-09-21T14:13:20Z"


def test_a_transcript_follows_every_kind_of_writer(tmp_path):
    source = ReasonixSource(tmp_path, cache=tmp_path / "cache")
    plain, logged = tmp_path / "sessions" / "p.jsonl", tmp_path / "sessions" / "l.jsonl"
    newer = tmp_path / "sessions-v4" / V4
    plain.parent.mkdir()
    write(logged, [])
    log, frames = logged.with_name("l.events.jsonl"), newer / "events.frames"
    log.write_bytes(log_line("replace", SESSION[:2]))
    write(plain, SESSION[:2])
    v4_session(newer, batch(1, said(SYSTEM), said(ASK)))
    opened = [source.open(id) for id in ("sessions/p", "sessions/l", f"sessions-v4/{V4}")]
    for transcript in opened:
        assert transcript.refresh(live=True) == BlocksChanged(0, 0, 2)
    save_session(plain, SESSION[:3])
    log.write_bytes(log.read_bytes() + log_line("append", [CALL], 2))
    frames.write_bytes(frames.read_bytes() + batch(3, said(CALL)))
    for transcript in opened:
        assert transcript.refresh(live=True) == BlocksChanged(2, 2, 3)
        assert transcript.blocks[2].state == "running"
        assert transcript.refresh(live=False).first == 2
        assert transcript.blocks[2].state == "unknown"
    save_session(plain, SESSION)
    log.write_bytes(log.read_bytes() + log_line("append", [RESULT, ANSWER], 3))
    frames.write_bytes(frames.read_bytes() + batch(4, said(RESULT), said(ANSWER)))
    for transcript in opened:
        assert transcript.refresh() == BlocksChanged(2, 4, 4)
        assert (transcript.blocks[2].state, transcript.blocks[2].result) == ("done", "12\n")
        assert transcript.messages() == SESSION
    # A rewrite of the middle, as a compaction makes it.
    save_session(plain, [SYSTEM, {"role": "user", "content": "<compaction-summary>"}, ANSWER])
    assert opened[0].refresh().first == 1
    assert [block.notice for block in opened[0].blocks] == ["system", "summary", ""]


def test_what_an_edit_changed_stands_with_its_result(tmp_path):
    diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n"
    edits = [
        {"id": f"c{n}", "name": "edit", "arguments": "{}", "diff": diff, "added": 1, "removed": 1}
        for n in range(4)
    ]
    results = [
        {"role": "tool", "tool_call_id": f"c{n}", "name": "edit", "content": content}
        for n, content in enumerate(["1 replacement\n", f"done:\n{diff}", ""])
    ]
    write(tmp_path / "s.jsonl", [SYSTEM, ASK, {"role": "assistant", "tool_calls": edits}, *results])
    transcript = ReasonixSource(tmp_path, cache=tmp_path / "cache").open("s")
    transcript.refresh()
    calls = [block for block in transcript.blocks if block.kind == "tool_call"]
    expected = [f"1 replacement\n\n{diff}", f"done:\n{diff}", diff, None]
    assert [block.result for block in calls] == expected


def test_damage_stands_in_its_place(tmp_path):
    source = ReasonixSource(tmp_path, cache=tmp_path / "cache")
    path = write(tmp_path / "s.jsonl", [*SESSION[:2], 5, *SESSION[2:]])
    path.write_bytes(path.read_bytes() + b'{"role":"us')
    transcript = source.open("s")
    transcript.refresh()
    assert shape(transcript.blocks) == [
        ("notice", "system"),
        ("prompt", "count the go files"),
        ("notice", "damaged"),
        ("tool_call", "done"),
        ("text", "There are 12."),
        ("notice", "torn"),
    ]
    assert (transcript.blocks[2].line, transcript.blocks[2].size) == (3, 2)
    (row,) = built(source).values()
    assert row.status == "damaged"
    assert "line 3" in row.problem
    path.unlink()
    with pytest.raises(RunNotFound):
        transcript.refresh()
    write(path, [])
    transcript.refresh()
    assert shape(transcript.blocks) == [("notice", "empty")]


# --- a lot ---------------------------------------------------------------------------------------


def test_five_thousand_sessions(folder):
    data = b"".join(json.dumps(message).encode() + b"\n" for message in SESSION)
    meta = {"schema_version": 1, "turns": 1, "preview": "p", "created_at": "2026-07-01T00:00:00Z"}
    for number in range(5000):
        (folder / f"s{number:04d}.jsonl").write_bytes(data)
        updated = f"2026-07-{number % 28 + 1:02d}T00:00:{number % 60:02d}.{number + 1}Z"
        text = json.dumps(meta | {"updated_at": updated})
        (folder / f"s{number:04d}.jsonl.meta").write_text(text)
    rows = ReasonixSource(folder, cache=folder / "cache").list().summaries
    assert len(rows) == 5000
    assert [row.activity_key for row in rows] == sorted(row.activity_key for row in rows)
    opened = []
    layer = FileLayer()
    real = layer.open
    layer.open = lambda at, name, flags: opened.append(name) or real(at, name, flags)
    ReasonixSource(folder, cache=folder / "cache", layer=layer).list()
    assert len(opened) >= 5000
    assert not [name for name in opened if name.endswith(".jsonl")]


def test_a_folder_is_not_read_for_each_of_its_sessions(root, tmp_path):
    looked = []

    class Layer(FileLayer):
        def scandir(self, folder):
            looked.append(folder.path)
            return super().scandir(folder)

    source = ReasonixSource(root, cache=tmp_path / "cache", layer=Layer())
    pending = source.list().pending
    assert len(pending) > 10
    looked.clear()
    found = source.build_pending()
    assert {row.id for row in found.updated} == pending
    rows = source.changes(pending).updated
    assert {row.generation for row in rows} == {"A", "B", "C", "v4"}
    assert looked == []


def test_a_source_is_shared_by_threads(source):
    problems = []

    def work():
        try:
            built(source)
        except BaseException as error:
            problems.append(error)
            raise

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    deadline = time.monotonic() + 10
    while source.list().pending and time.monotonic() < deadline:
        source.build_pending()
    assert source.list().pending == frozenset()
