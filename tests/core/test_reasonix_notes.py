# SPDX-License-Identifier: Apache-2.0
"""Pins and notes on Reasonix sessions: kept in Tenuto's data, and never beside the sessions."""

from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path

import pytest

from tenuto.paths import data_dir
from tenuto.reasonix.own_notes import OwnNotes
from tenuto.sources.reasonix import ReasonixSource
from tenuto.watch import Changes
from tests.support import reasonix
from tests.support.cli import Capture, ask, held, tell

A = "sessions/20260601-101010.000000001-m"
B = "projects/-srv-app/sessions/20260602-101010.000000001-m"
C = "sessions/20260603-101010.000000001-m"
V4 = "sessions-v4/" + "a" * 32
NOTES = "reasonix-notes"


@pytest.fixture
def root(home: Path) -> Path:
    """A state folder with one session of each generation."""
    state = home / "state"
    for folder in ("sessions", "projects/-srv-app/sessions"):
        (state / folder).mkdir(parents=True)
    reasonix.write(file(state, A), updated_at="2026-06-01T10:10:10Z")
    reasonix.write(file(state, B), revision=3, content_digest="d")
    reasonix.write(file(state, C), [reasonix.SYSTEM])
    log = reasonix.log_line("replace", reasonix.SESSION)
    (state / f"{C}.events.jsonl").write_bytes(log)
    said = [reasonix.said(message) for message in reasonix.SESSION[1:]]
    reasonix.v4_session(state / V4, reasonix.batch(1, ("turn/start", {}), *said))
    return state


@pytest.fixture
def at(root: Path) -> list[str]:
    """What makes a command look there."""
    return ["--source", "reasonix", "--state-dir", str(root)]


def file(root: Path, id: str) -> Path:
    return root / f"{id}.jsonl"


def state_of(root: Path) -> dict[str, tuple[bytes, int]]:
    files = (path for path in root.rglob("*") if path.is_file())
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def rows(source: ReasonixSource) -> dict[str, tuple[object, object]]:
    return {row.id: (row.pinned or False, row.note or "") for row in source.list().summaries}


@pytest.mark.parametrize("id", [A, B, C, V4])
def test_a_session_of_any_generation_is_pinned_and_noted_without_a_trace_beside_it(
    root: Path, at: list[str], capsys: Capture, id: str
) -> None:
    before = state_of(root)
    code, answer = ask(capsys, "session", "note", id, "--pin", "--text", "look\nagain", *at)
    both = {"pinned": True, "note": "look\nagain"}
    assert (code, answer) == (0, {"id": id, **both, "changed": ["pinned", "note"]})
    assert state_of(root) == before
    _, listed = ask(capsys, "session", "ls", *at)
    found = {row["id"]: (row.get("pinned"), row.get("note")) for row in listed}
    assert found.pop(id) == (True, "look again")
    assert set(found.values()) == {(None, None)}
    # By its path, without saying which source it is of.
    path = root / V4 if id == V4 else file(root, id)
    code, out, err = tell(capsys, "session", "note", path)
    assert (code, out, err) == (0, "look\nagain\n", "")
    _, answer = ask(capsys, "session", "note", path, "--unpin")
    assert (answer["pinned"], answer["note"]) == (False, "look\nagain")
    _, answer = ask(capsys, "session", "note", path, "--text", "")
    assert (answer["note"], answer["changed"]) == (None, ["note"])
    assert os.listdir(data_dir() / NOTES) == []


def test_a_session_in_use_can_be_noted_and_one_that_is_not_there_cannot(
    root: Path, at: list[str], capsys: Capture
) -> None:
    with held(Path(f"{file(root, A)}.lease.lock")):
        assert ask(capsys, "session", "note", A, "--pin", *at)[0] == 0
    code, answer = ask(capsys, "session", "note", "sessions/none", "--pin", *at)
    assert (code, answer["error"]) == (3, "not_found")
    assert len(os.listdir(data_dir() / NOTES)) == 1


def test_a_rename_a_delete_and_a_restore_keep_them(
    root: Path, at: list[str], capsys: Capture
) -> None:
    ask(capsys, "session", "note", A, "--pin", "--text", "mine", *at)
    ask(capsys, "session", "rename", A, "Another title", *at)
    _, [gone] = ask(capsys, "session", "rm", A, *at)
    source = ReasonixSource(root)
    assert A not in rows(source)
    ask(capsys, "session", "trash", "restore", gone["token"])
    assert rows(source)[A] == (True, "mine")
    assert source.note(A) == "mine"


def test_one_that_is_read_through_a_symlink_is_the_same_session(root: Path) -> None:
    link = root.parent / "link"
    link.symlink_to(root)
    OwnNotes().update(file(link, A), note="once")
    assert rows(ReasonixSource(root))[A] == rows(ReasonixSource(link))[A] == (False, "once")


def test_the_watcher_tells_of_notes(root: Path, at: list[str], capsys: Capture) -> None:
    told = threading.Event()
    changed: set[str] = set()

    def on_change(changes: Changes) -> None:
        changed.update(changes.changed)
        told.set()

    source = ReasonixSource(root)
    watcher = source.watch(on_change)
    watcher.start()
    try:
        ask(capsys, "session", "note", B, "--pin", *at)
        assert told.wait(60)
    finally:
        watcher.stop()
    assert changed == {B}
    assert rows(source)[B] == (True, "")


def test_what_another_version_wrote_is_kept_and_what_is_broken_set_aside(root: Path) -> None:
    own = OwnNotes()
    own.update(file(root, A), pinned=True)
    place = data_dir() / NOTES
    [name] = os.listdir(place)
    held = json.loads((place / name).read_bytes())
    assert held == {"pinned": True, "path": str(file(root, A))}
    (place / name).write_text(json.dumps(held | {"colour": "red", "note": 5}))
    own.update(file(root, A), pinned=False)
    assert json.loads((place / name).read_bytes())["colour"] == "red"
    for broken in (b"{", b"[]", b"\xff", b""):
        (place / name).write_bytes(broken)
        assert own.all() == {}
        assert own.of(file(root, A)).problem
        assert rows(ReasonixSource(root))[A] == (False, "")
    own.update(file(root, A), note="new")
    assert own.all()[str(file(root, A))].note == "new"
    assert (place / f"{name}-1.bak").read_bytes() == b""
    # A copy under another name is of no session.
    shutil.copy(place / name, place / ("0" * 32 + ".json"))
    assert list(OwnNotes().all()) == [str(file(root, A))]


def test_two_writers_at_once_lose_nothing(root: Path) -> None:
    def write(field: str) -> None:
        own = OwnNotes()
        for number in range(20):
            own.update(file(root, A), **{field: number % 2 == 0 if field == "pinned" else "x"})
        own.update(file(root, A), **{field: True if field == "pinned" else "last"})

    threads = [threading.Thread(target=write, args=(field,)) for field in ("pinned", "note")]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    notes = OwnNotes().of(file(root, A))
    assert (notes.pinned, notes.note) == (True, "last")
