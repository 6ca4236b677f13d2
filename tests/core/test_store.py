# SPDX-License-Identifier: Apache-2.0
"""The file store through its public face: create, open, append, load, list, delete, sweep."""

import os
import threading
from pathlib import Path

import msgspec
import pytest

from tenuto.errors import (
    ChangedMeanwhile,
    CorruptJournal,
    DeletedMeanwhile,
    EmptyJournal,
    InvalidId,
    JournalClosed,
    JournalDead,
    Locked,
    NewerVersion,
    NoMeta,
    RunExists,
    RunNotFound,
    SequenceGap,
    StoreError,
)
from tenuto.records import PROTOCOL_PREFIX, Meta, Record
from tenuto.runs.file import FileRunStore
from tenuto.runs.lock import RunLock
from tests.support.store import end, in_child, make_run, meta, result, seqs, snapshot, turn


@pytest.fixture
def store(tmp_path):
    return FileRunStore(tmp_path / "runs")


def line(seq, kind="terminal", payload='{"reason":"suspended"}'):
    return f'{{"seq":{seq},"protocol":"{PROTOCOL_PREFIX}{kind}","{kind}":{payload}}}\n'.encode()


# --- create, append, load -----------------------------------------------------------------------


def test_what_was_appended_is_what_is_loaded(store):
    payloads = [turn(0), result(0), turn(1, call=False), end("completed")]
    with store.create("run", meta()) as journal:
        assert journal.last_seq == 1
        numbers = [journal.append(payload) for payload in payloads]
        assert numbers == [2, 3, 4, 5]
        assert journal.last_seq == 5
        assert [record.payload for record in journal.records()][1:] == payloads
        assert journal.state.counters.llm_calls == 2
    found = store.load("run")
    assert [record.seq for record in found] == [1, 2, 3, 4, 5]
    assert found[0].payload == meta()
    assert found.tail is None
    assert Path(store.path("run")).read_bytes().count(b"\n") == 5


def test_a_record_keeps_every_token_but_its_number(store):
    raw = line(77, "terminal", '{"reason":"suspended","extra":[1e+21,"\\u00e8"]}')
    Path(store.directory).mkdir()
    Path(store.path("other")).write_bytes(b"".join([line(1, "meta", '{"version":3}'), raw]))
    record = store.load("other")[1]
    make_run(store, turns=0)
    with store.open("run") as journal:
        assert journal.append(record) == 2
    assert Path(store.path("run")).read_bytes().splitlines()[1] == raw.strip().replace(b"77", b"2")


def test_create_takes_the_meta_record_in_any_form(store):
    as_mapping = msgspec.to_builtins(meta("b"))
    del as_mapping["run_id"]
    store.create("a", meta("a")).close()
    store.create("b", as_mapping).close()
    store.create("c", {"seq": 1, "protocol": PROTOCOL_PREFIX + "meta",
                       "meta": msgspec.to_builtins(meta("c"))}).close()  # fmt: skip
    store.create("d", msgspec.structs.replace(meta(), run_id="")).close()
    for id in "abcd":
        payload = store.load(id)[0].payload
        assert isinstance(payload, Meta)
        assert payload.run_id == id


@pytest.mark.parametrize(
    "bad", [msgspec.structs.replace(meta(), version=2), {"terminal": {"reason": "error"}}, end()]
)
def test_create_refuses_what_does_not_begin_a_run(store, bad):
    with pytest.raises((StoreError, CorruptJournal)):
        store.create("run", bad)
    assert not os.path.exists(store.directory)


def test_the_rule_for_numbers(store):
    make_run(store, turns=1)
    with store.open("run") as journal:
        before = Path(store.path("run")).read_bytes()
        assert journal.append(end(), seq=3) == 3
        assert journal.append(end(), seq=1) == 3
        with pytest.raises(SequenceGap) as caught:
            journal.append(end(), seq=5)
        assert caught.value.fields == {"seq": 5, "expected": 4}
        assert Path(store.path("run")).read_bytes() == before
        assert journal.append(end(), seq=4) == 4
        assert journal.append(Record(900, end())) == 5
    assert seqs(store) == [1, 2, 3, 4, 5]


def test_what_would_make_the_journal_unreadable_is_not_written(store):
    make_run(store, turns=0)
    with store.open("run") as journal:
        before = Path(store.path("run")).read_bytes()
        with pytest.raises(StoreError):
            journal.append(meta())
        with pytest.raises(StoreError):
            journal.append(result(0))
        with pytest.raises(CorruptJournal):
            journal.append({"protocol": PROTOCOL_PREFIX + "meta"})
        assert Path(store.path("run")).read_bytes() == before
        assert journal.append(turn(0)) == 2
        assert journal.append(result(0)) == 3


def test_a_closed_journal_says_so_and_the_run_is_free_again(store):
    journal = store.create("run", meta())
    journal.close()
    journal.close()
    with pytest.raises(JournalClosed):
        journal.append(end())
    with pytest.raises(JournalClosed):
        journal.records()
    with store.open("run") as again:
        assert again.append(end()) == 2


def test_appends_of_several_threads_follow_each_other(store):
    with store.create("run", meta()) as journal:
        threads = [
            threading.Thread(
                target=lambda: [journal.append(turn(n, call=False)) for n in range(25)]
            )
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert seqs(store) == list(range(1, 102))


def test_a_forked_child_cannot_append(store):
    with store.create("run", meta()) as journal:

        def child():
            with pytest.raises(JournalDead):
                journal.append(end())
            journal.close()

        assert in_child(child) == 0
        # The child's close took nothing from the parent.
        with pytest.raises(Locked):
            RunLock(store.directory, "run").acquire()
        assert journal.append(end()) == 2


# --- what is refused ----------------------------------------------------------------------------


def test_an_id_is_taken_once(store):
    before = make_run(store, "Run1")
    for id in ("Run1", "run1", "RUN1"):
        with pytest.raises(RunExists) as caught:
            store.create(id, meta())
        assert caught.value.fields == {"id": id, "existing": "Run1"}
    assert Path(store.path("Run1")).read_bytes() == before
    assert sorted(os.listdir(store.directory)) == ["Run1.json", "Run1.lock", "Run1.times.jsonl"]


def test_ids_are_checked_before_they_are_paths(store):
    for call in (store.load, store.open, store.delete, store.path):
        with pytest.raises(InvalidId):
            call("../outside")
    with pytest.raises(InvalidId):
        store.create("../outside", meta())
    with pytest.raises(InvalidId):
        store.create("con", meta())
    assert not os.path.exists(store.directory)


def test_what_is_not_there_is_not_made(store):
    for call in (store.load, store.open, store.delete):
        with pytest.raises(RunNotFound):
            call("gone")
    assert store.list() == []
    assert not os.path.exists(store.directory)
    make_run(store)
    before = os.listdir(store.directory)
    for call in (store.load, store.open, store.delete):
        with pytest.raises(RunNotFound):
            call("gone")
    assert os.listdir(store.directory) == before


def test_an_empty_file_is_a_run_that_was_never_started(store):
    make_run(store, "other")
    Path(store.path("run")).touch(0o600)
    assert store.load("run") == []
    assert {entry.id: entry.size for entry in store.list()}["run"] == 0
    with pytest.raises(EmptyJournal):
        store.open("run")
    with pytest.raises(RunExists):
        store.create("run", meta())
    assert store.delete("run").files[0] == "run.json"
    store.create("run", meta()).close()


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (line(1, "meta", '{"version":4}'), NewerVersion),
        (line(1), NoMeta),
        (line(1, "meta", '{"version":3}') + line(1), CorruptJournal),
        (line(1, "meta", '{"version":3}') + b"garbage\n" + line(2), CorruptJournal),
        (line(1, "meta", '{"version":3}') + b"\0\0\0\n" + line(2), CorruptJournal),
        (b"\xef\xbb\xbf" + line(1, "meta", '{"version":3}') + line(2), CorruptJournal),
    ],
)
def test_what_is_damaged_is_never_appended_to(store, data, error):
    make_run(store, "other")
    path = Path(store.path("run"))
    path.write_bytes(data)
    with pytest.raises(error) as caught:
        store.open("run")
    assert str(path) in str(caught.value)
    assert path.read_bytes() == data
    # Removing it is the operator's right.
    store.delete("run")


def test_an_error_of_the_reader_names_file_line_and_offset(store):
    good = make_run(store)
    path = Path(store.path("run"))
    path.write_bytes(good + b"garbage\n" + line(6))
    with pytest.raises(CorruptJournal) as caught:
        store.load("run")
    fields = caught.value.fields
    assert (fields["path"], fields["line"], fields["offset"]) == (str(path), 6, len(good))


# --- other programs that do as they like --------------------------------------------------------


def test_a_journal_deleted_by_another_program_is_not_written_to(store):
    with store.create("run", meta()) as journal:
        os.unlink(store.path("run"))
        with pytest.raises(DeletedMeanwhile):
            journal.append(end())
        with pytest.raises(JournalDead):
            journal.append(end())
        assert journal.last_seq == 1
    # Neither the run nor a lock without one is left.
    assert "run.lock" not in os.listdir(store.directory)
    assert store.list() == []


@pytest.mark.parametrize("grows", [True, False])
def test_a_journal_changed_by_another_program_is_not_written_to(store, grows):
    make_run(store)
    with store.open("run") as journal:
        path = Path(store.path("run"))
        changed = path.read_bytes() + line(6) if grows else path.read_bytes()[:-5]
        path.write_bytes(changed)
        with pytest.raises(ChangedMeanwhile) as caught:
            journal.append(end())
        assert caught.value.fields["found"] == len(changed)
        assert path.read_bytes() == changed
        with pytest.raises(JournalDead):
            journal.append(end())


# --- list ---------------------------------------------------------------------------------------


def test_a_list_is_one_look_and_changes_nothing(store):
    made = {f"run-{n}": make_run(store, f"run-{n}", turns=n) for n in range(4)}
    os.chmod(store.directory, 0o755)
    before = {p: (s.st_mtime_ns, s.st_mode) for p in Path(store.directory).rglob("*")
              for s in [p.stat()]}  # fmt: skip
    entries = {entry.id: entry for entry in store.list()}
    for id in made:
        store.load(id)
    assert entries.keys() == made.keys()
    for id, data in made.items():
        status = os.stat(store.path(id))
        assert entries[id].path == store.path(id)
        assert entries[id].size == len(data)
        assert (entries[id].mtime_ns, entries[id].inode) == (status.st_mtime_ns, status.st_ino)
        assert entries[id].nlink == 1
    assert store.skipped() == []
    after = {p: (s.st_mtime_ns, s.st_mode) for p in Path(store.directory).rglob("*")
             for s in [p.stat()]}  # fmt: skip
    assert after == before
    assert Path(store.directory).stat().st_mode & 0o777 == 0o755


def test_everything_else_in_the_folder_is_counted_with_a_reason(store):
    make_run(store)
    folder = Path(store.directory)
    for name in ("notes.txt", "-x.json", "a b.json", ".hidden", "café.json", "run2.lock"):
        (folder / name).touch()
    (folder / "dir.json").mkdir()
    (folder / "gone.notes.json").touch()
    store.list()
    reasons = {item.name: item.reason for item in store.skipped()}
    assert reasons == {
        "notes.txt": "not a file of a run",
        ".hidden": "not a file of a run",
        "-x.json": "not a valid run id",
        "a b.json": "not a valid run id",
        "café.json": "not a valid run id",
        "dir.json": "not a run file: folder",
        "gone.notes.json": "left over from a run that is gone",
    }


# --- delete and sweep ---------------------------------------------------------------------------

COMPANIONS = [
    ".preview.json", ".times.jsonl", ".ask.json", ".notes.json", ".torn", ".v1.bak",
    ".doctor-1.bak",
]  # fmt: skip


def test_delete_leaves_none_of_the_files_of_the_run(store):
    make_run(store, "run")
    kept = make_run(store, "run-2")
    for suffix in COMPANIONS:
        Path(store.directory, "run" + suffix).touch()
        Path(store.directory, "run-2" + suffix).touch()
    Path(store.directory, ".run.preview.json.0123456789abcdef.tmp").touch()
    deleted = store.delete("run")
    assert deleted.files[0] == "run.json"
    assert deleted.files[-1] == "run.lock"
    assert len(deleted.files) == 3 + len(COMPANIONS)
    assert deleted.left == ()
    assert all(name.startswith("run-2.") for name in os.listdir(store.directory))
    assert Path(store.path("run-2")).read_bytes() == kept
    with pytest.raises(RunNotFound):
        store.delete("run")


def test_a_run_in_use_is_not_deleted(store):
    with store.create("run", meta()) as journal:
        before = snapshot(store.directory)
        with pytest.raises(Locked) as caught:
            store.delete("run")
        assert caught.value.fields["pid"] in (os.getpid(), None)
        assert snapshot(store.directory) == before
        journal.append(end())


def test_a_sweep_removes_what_belongs_to_no_run(store):
    make_run(store, "alive")
    folder = Path(store.directory)
    for name in ("a.lock", "b.preview.json", "c.times.jsonl", "c.lock", "d.notes.json", "d.lock",
                 ".e.notes.json.0123456789abcdef.tmp"):  # fmt: skip
        (folder / name).touch()
    with RunLock(folder, "f"):
        swept = store.sweep()
        assert "f.lock" in os.listdir(folder)
    assert swept.kept == ("d.notes.json",)
    left = sorted(name for name in os.listdir(folder) if not name.startswith("alive."))
    assert left == ["d.notes.json", "f.lock"]
    assert store.sweep().files == ("d.lock", "f.lock")
    store.load("alive")


def test_a_new_run_does_not_get_the_notes_of_a_removed_one(store):
    make_run(store)
    folder = Path(store.directory)
    (folder / "run.notes.json").write_text('{"title":"old"}')
    (folder / "run.preview.json").write_text("{}")
    os.unlink(store.path("run"))  # as fisk-ai deletes
    store.create("run", meta()).close()
    assert (folder / "run.notes-1.bak").read_text() == '{"title":"old"}'
    assert not (folder / "run.notes.json").exists()
    assert not (folder / "run.preview.json").exists()


# --- modes (R10) --------------------------------------------------------------------------------


def mode(path):
    return Path(path).stat().st_mode & 0o777


@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_everything_is_private_whatever_the_umask(tmp_path, umask):
    store = FileRunStore(tmp_path / "a" / "b" / "runs")
    old = os.umask(umask)
    try:
        with store.create("run", meta()) as journal:
            journal.append(end())
    finally:
        os.umask(old)
    assert [mode(Path(store.directory, name)) for name in os.listdir(store.directory)] == [
        0o600
    ] * 3
    assert mode(store.directory) == mode(tmp_path / "a") == mode(tmp_path / "a" / "b") == 0o700


def test_wider_rights_are_taken_away_by_whoever_writes(store):
    make_run(store)
    names = ["run.json", "run.lock", "run.times.jsonl"]
    for name in names:
        os.chmod(Path(store.directory, name), 0o664)
    os.chmod(store.directory, 0o755)
    with store.open("run") as journal:
        journal.append(end())
        assert journal.warnings == ()
    assert [mode(Path(store.directory, name)) for name in names] == [0o600] * 3
    assert mode(store.directory) == 0o700


def test_a_folder_that_others_share_on_purpose_is_warned_of(store):
    make_run(store)
    os.chmod(store.directory, 0o1777)
    with store.open("run") as journal:
        assert len(journal.warnings) == 1
        assert store.directory in str(journal.warnings[0])
    assert Path(store.directory).stat().st_mode & 0o7777 == 0o1777


def test_a_symlink_to_the_folder_is_resolved_once(tmp_path):
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    os.symlink(real, tmp_path / "link")
    store = FileRunStore(tmp_path / "link")
    make_run(store)
    assert store.directory == str(real)
    assert store.list()[0].path == str(real / "run.json")
