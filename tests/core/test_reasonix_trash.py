# SPDX-License-Identifier: Apache-2.0
"""Deleting a session of generation A with a way back."""

import contextlib
import errno
import json
import os

import pytest

from tenuto.errors import Leased, NotAFile, RunExists, SessionNotFound, StoreIO
from tenuto.reasonix import Controller, list_sessions, load_session
from tenuto.reasonix.folders import SessionFolder
from tenuto.reasonix.trash import (
    purge_session,
    restore_session,
    trash_session,
    trashed_sessions,
)
from tenuto.runs.files import FileLayer
from tenuto.sources.trashed import trashed_reasonix
from tests.support.reasonix import SESSION, write
from tests.support.store import FaultLayer, in_child, quick_folder, snapshot


@pytest.fixture
def folder():
    with quick_folder() as found:
        yield found


@pytest.fixture
def path(folder):
    """A session with everything that may belong to one."""
    write(folder / "s2.jsonl")
    return fill(folder)


def fill(folder):
    for name in ("s.ckpt", "s.jobs"):
        (folder / name).mkdir()
        (folder / name / "inner").write_text(name)
    for name in ("goal-state.json", "guardian.jsonl", "guardian.cursor.json"):
        (folder / f"s.{name}").write_text("{}")
    (folder / "s.jsonl.telemetry.json").write_text("{}")
    agents = folder / "subagents"
    agents.mkdir(exist_ok=True)
    for name, parent in (("a1", "s"), ("a2", "s"), ("b1", "s2")):
        write(agents / f"{name}.jsonl", SESSION[:2])
        (agents / f"{name}.meta.json").write_text(json.dumps({"parentSession": parent}))
    (agents / "odd.meta.json").write_text("no JSON")
    return write(folder / "s.jsonl", SESSION, id="s", schema_version=1, turns=1, preview="p")


def without_locks(found):
    return {name: data for name, data in found.items() if not name.endswith(".lease.lock")}


def test_there_and_back(path, folder):
    before = snapshot(folder)
    trashed = trash_session(path)
    assert trashed.key == "s.jsonl"
    assert len(trashed.files) == 9
    assert [info.name for info in list_sessions(folder)] == ["s2"]
    entry = folder / ".trash" / "s.jsonl"
    info = json.loads((entry / ".trash-meta.json").read_bytes())
    assert info == {"key": "s.jsonl", "deletedAt": trashed.deleted_at}
    assert (entry / "s.ckpt" / "inner").read_text() == "s.ckpt"
    own = {"a1.jsonl", "a1.meta.json", "a2.jsonl", "a2.meta.json"}
    assert set(os.listdir(entry / "subagents")) == own
    assert set(os.listdir(folder / "subagents")) == {"b1.jsonl", "b1.meta.json", "odd.meta.json"}
    (found,) = trashed_sessions(folder)
    assert (found.key, found.deleted_at) == ("s.jsonl", trashed.deleted_at)
    assert set(found.files) == set(trashed.files)
    assert restore_session(folder, "s.jsonl") == str(path)
    assert without_locks(snapshot(folder)) == before
    assert trashed_sessions(folder) == []
    assert os.listdir(folder / ".trash") == []


def test_an_open_session_stays(path, folder):
    with Controller(folder, "m") as controller:
        controller.resume(load_session(path), path)
        with pytest.raises(Leased):
            trash_session(path)
    assert load_session(path) == SESSION
    trash_session(path)


def test_nothing_in_the_trash_is_replaced(path, folder):
    trash_session(path)
    write(path, SESSION[:2])
    with pytest.raises(RunExists, match="in the trash already"):
        trash_session(path)
    with pytest.raises(RunExists, match="in the way"):
        restore_session(folder, "s.jsonl")
    # So is one that a sub-agent of it would come back to.
    path.unlink()
    (folder / "subagents" / "a2.jsonl").touch()
    before = snapshot(folder)
    with pytest.raises(RunExists, match=r"a2\.jsonl is in the way"):
        restore_session(folder, "s.jsonl")
    assert snapshot(folder) == before
    (folder / "subagents" / "a2.jsonl").unlink()
    write(path, SESSION[:2])
    # Unless Reasonix itself has begun to remove it.
    (folder / "s.cleanup-pending.json").touch()
    trash_session(path)
    (folder / "s.cleanup-pending.json").unlink()
    assert load_session(restore_session(folder, "s.jsonl")) == SESSION[:2]


def test_what_is_no_session_is_not_moved(path, folder):
    for name, error in (
        ("none.jsonl", SessionNotFound),
        ("s.guardian.jsonl", NotAFile),
        ("s.ckpt", NotAFile),
    ):
        with pytest.raises(error):
            trash_session(folder / name)
    (folder / "link.jsonl").symlink_to(path)
    (folder / "folder.jsonl").mkdir()
    for name in ("link.jsonl", "folder.jsonl"):
        with pytest.raises(NotAFile):
            trash_session(folder / name)
    for key in ("none.jsonl", "", "..", "../s.jsonl", "a/b", "a\0"):
        with pytest.raises(SessionNotFound):
            restore_session(folder, key)


def test_newest_first_and_foreign_entries(path, folder):
    trash_session(folder / "s2.jsonl")
    trash_session(path)
    (folder / ".trash" / "empty.jsonl").mkdir()
    (folder / ".trash" / "file.jsonl").touch()
    old = folder / ".trash" / "old.jsonl"
    old.mkdir()
    write(old / "old.jsonl")
    (old / ".trash-meta.json").write_text("garbage")
    assert [item.key for item in trashed_sessions(folder)][-1] == "old.jsonl"
    assert len(trashed_sessions(folder)) == 3
    assert load_session(restore_session(folder, "old.jsonl")) == SESSION
    assert trashed_sessions(folder / "none") == []


def test_a_delete_that_fails_anywhere_is_ended_by_the_next(path, folder):
    for nth in range(1, 200):
        layer = FaultLayer(nth, errno.EIO)
        with contextlib.suppress(StoreIO):
            trash_session(path, layer=layer)
        if path.exists():
            assert load_session(path) == SESSION
            trash_session(path)
        assert {item.key for item in trashed_sessions(folder)} == {"s.jsonl"}
        restore_session(folder, "s.jsonl")
        assert load_session(path) == SESSION
        assert (folder / "s.ckpt" / "inner").exists()
        assert len(os.listdir(folder / "subagents")) == 7
        if not layer.fired:
            assert nth > 10
            return
    raise AssertionError("still failing")


def test_what_is_kept_by_name_goes_with_a_purge_alone(path, folder):
    kept = {".titles.json": {"s.jsonl": "Mine", "s2.jsonl": "x"}, ".display.json": {"s.jsonl": {}}}

    def stored():
        return {name: json.loads((folder / name).read_text()) for name in kept}

    for name, value in kept.items():
        (folder / name).write_text(json.dumps(value))
    where = SessionFolder(str(folder), "", False)
    trash_session(path)
    listing = trashed_reasonix([("", where)], {}, FileLayer())
    assert [item.title for item in listing.items] == ["Mine"]
    assert stored() == kept
    # A session that has come to that name meanwhile keeps it.
    write(path, SESSION[:2])
    purge_session(folder, "s.jsonl")
    assert stored() == kept
    trash_session(path)
    purge_session(folder, "s.jsonl")
    assert stored() == {".titles.json": {"s2.jsonl": "x"}, ".display.json": {}}


def test_a_purge_killed_at_any_call_is_ended_by_the_next(path, folder):
    """What it began is no entry any more, and what it did not begin is whole."""

    def own():
        found = without_locks(snapshot(folder))
        return {name: data for name, data in found.items() if name.startswith(f"{folder}/s.")}

    nth = 0
    while True:
        nth += 1
        write(folder / "t.jsonl")
        trash_session(folder / "t.jsonl")
        if path.exists():
            before = own()
            trash_session(path)
        layer = FaultLayer(nth=nth, die=True)
        code = in_child(lambda each=layer: purge_session(folder, "s.jsonl", layer=each))
        listed = [item.key for item in trashed_sessions(folder)]
        assert "t.jsonl" in listed
        if "s.jsonl" in listed:
            assert restore_session(folder, "s.jsonl") == str(path)
            assert own() == before
            trash_session(path)
        else:
            with pytest.raises(SessionNotFound):
                restore_session(folder, "s.jsonl")
            assert not path.exists()
            fill(folder)
        purge_session(folder, "t.jsonl")
        assert [name for name in os.listdir(folder / ".trash") if name != "s.jsonl"] == []
        if code == 0:
            break
    assert nth > 15
