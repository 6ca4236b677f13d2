# SPDX-License-Identifier: Apache-2.0
"""A folder of runs as a source of sessions: complete, from sidecars, without touching a journal."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.runs import ask, notes
from tenuto.runs.file import FileRunStore
from tenuto.sources.runs import RunSource
from tests.support import journals as j
from tests.support import store as support
from tests.support.cli import crashed, held, put, suspended
from tests.support.paths import FISK_REAL
from tests.support.sources import complete


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    return folder


def test_rows_without_a_sidecar_are_pending_until_they_are_built(runs: Path) -> None:
    suspended(runs, "a")
    source = RunSource(runs)
    first = source.list()
    assert [(row.id, row.status, row.prompt) for row in first.summaries] == [("a", "pending", "")]
    assert first.summaries[0].updated
    assert first.pending == {"a"}
    seen: list[str] = []
    changed = source.build_pending(on_built=lambda row: seen.append(row.id))
    assert seen == ["a"]
    assert [(row.id, row.status) for row in changed.updated] == [("a", "suspended")]
    second = source.list()
    assert second.pending == frozenset()
    assert second.summaries == changed.updated
    row = second.summaries[0]
    assert (row.source, row.path) == ("fisk-ai", str(runs / "a.json"))
    assert json.loads((runs / "a.preview.json").read_bytes())["prompt"] == "Count the rice"
    assert source.build_pending().updated == []


LISTING = """
import sys, os
from tenuto.sources.runs import RunSource
names = []
def hook(event, args):
    if event == "open" and isinstance(args[0], str): names.append(os.path.basename(args[0]))
sys.addaudithook(hook)
listing = RunSource(sys.argv[1]).list()
assert not listing.pending, listing.pending
print(len(listing.summaries), *[n for n in names if n.endswith(".json") and n.count(".") == 1])
"""


def test_a_second_look_opens_no_journal(runs: Path) -> None:
    for number in range(300):
        suspended(runs, f"r{number}")
    complete(RunSource(runs))
    with support.python(LISTING, runs) as process:
        out, _ = process.communicate()
    assert process.returncode == 0
    assert out.split() == [b"300"]


def test_looking_changes_no_journal_and_makes_no_lock(runs: Path) -> None:
    for path in (FISK_REAL / "runs").iterdir():
        shutil.copy(path, runs)
    before = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in runs.iterdir()}
    complete(RunSource(runs))
    for name, (content, mtime_ns) in before.items():
        assert (runs / name).read_bytes() == content
        assert (runs / name).stat().st_mtime_ns == mtime_ns
    assert sorted(os.listdir(runs)) == sorted(
        [*before, *(name.replace(".json", ".preview.json") for name in before)]
    )


@pytest.mark.parametrize("harm", ["touched", "grown", "replaced", "broken", "other id", "newer"])
def test_a_sidecar_that_cannot_be_trusted_is_built_again(runs: Path, harm: str) -> None:
    path = suspended(runs, "a")
    complete(RunSource(runs))
    sidecar = runs / "a.preview.json"
    if harm == "touched":
        os.utime(path, ns=(1, 1))
    elif harm == "grown":
        with path.open("ab") as file:
            file.write(j.assistant(5, [j.text("On.")], iteration=1))
    elif harm == "replaced":
        copy = runs / "copy"
        shutil.copy2(path, copy)
        copy.rename(path)
    elif harm == "broken":
        sidecar.write_bytes(sidecar.read_bytes()[:-20])
    elif harm == "other id":
        sidecar.write_bytes(sidecar.read_bytes().replace(b'"id":"a"', b'"id":"b"'))
    else:
        sidecar.write_bytes(sidecar.read_bytes().replace(b'"schema":1', b'"schema":2'))
    listing = RunSource(runs).list()
    assert listing.pending == {"a"}
    assert [row.status for row in listing.summaries] == ["pending"]
    row = complete(RunSource(runs))["a"]
    assert row.status == ("interrupted" if harm == "grown" else "suspended")
    assert row.mtime_ns == path.stat().st_mtime_ns
    assert row.size == path.stat().st_size


def test_a_sidecar_cannot_lie_about_what_only_the_listing_knows(runs: Path) -> None:
    suspended(runs, "a")
    complete(RunSource(runs))
    sidecar = runs / "a.preview.json"
    lies = {"status": "running", "path": "/etc/passwd", "source": "reasonix", "evidence": None}
    content = json.loads(sidecar.read_bytes()) | lies
    sidecar.write_text(json.dumps(content))
    row = RunSource(runs).list().summaries[0]
    assert (row.status, row.path, row.source) == ("suspended", str(runs / "a.json"), "fisk-ai")


def test_everything_is_listed_or_counted(runs: Path) -> None:
    suspended(runs, "good")
    put(runs, "damaged", j.meta(), b"garbage\n", j.terminal(3))
    put(runs, "newer", j.meta(version=4))
    put(runs, "empty")
    (runs / "folder.json").mkdir()
    (runs / "link.json").symlink_to(runs / "good.json")
    os.mkfifo(runs / "fifo.json")
    (runs / "no id.json").write_text("{}")
    (runs / "notes.txt").write_text("mine")
    (runs / "-no.preview.json").write_text("{}")
    (runs / "folder.preview.json").mkdir()
    source = RunSource(runs)
    rows = complete(source)
    assert {id: row.status for id, row in rows.items()} == {
        "good": "suspended",
        "damaged": "damaged",
        "newer": "newer",
        "empty": "empty",
    }
    skipped = {item.name: item.reason for item in source.list().skipped}
    assert sorted(skipped) == [
        "-no.preview.json", "fifo.json", "folder.json", "folder.preview.json", "link.json",
        "no id.json", "notes.txt",
    ]  # fmt: skip
    assert all(skipped.values())


def test_two_names_of_one_file_are_one_session(runs: Path) -> None:
    suspended(runs, "first")
    os.link(runs / "first.json", runs / "second.json")
    source = RunSource(runs)
    row = complete(source)["first"]
    assert [(item.name, item.reason) for item in source.list().skipped] == [
        ("second.json", "another name of first.json")
    ]
    assert source.capabilities(row).resume.code == "hard_linked"
    changed = source.changes(["first", "second"])
    assert [row.id for row in changed.updated] == ["first"]
    assert changed.gone == {"second"}


def test_an_absent_folder_has_no_sessions_and_no_complaint(tmp_path: Path) -> None:
    listing = RunSource(tmp_path / "none").list()
    assert (listing.summaries, listing.skipped, listing.notice) == ([], [], None)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_none_is_a_notice(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    listing = RunSource(tmp_path / "file").list()
    assert listing.summaries == []
    assert listing.notice
    assert str(tmp_path / "file") in str(listing.notice)


def test_a_symlinked_folder_is_followed_to_where_it_points_now(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        suspended(tmp_path / name, name)
    link = tmp_path / "runs"
    link.symlink_to("one")
    source = RunSource(link)
    assert list(complete(source)) == ["one"]
    link.unlink()
    link.symlink_to("two")
    assert list(complete(source)) == ["two"]


# --- order and time ------------------------------------------------------------------------------


@given(
    times=st.lists(st.sampled_from([0, 1, -(10**9), 10**18, 4 * 10**18]), min_size=1, max_size=12)
)
def test_newest_activity_first_total_and_stable(
    tmp_path_factory: pytest.TempPathFactory, times: list[int]
) -> None:
    runs = tmp_path_factory.mktemp("runs")
    ids = [f"r{number}" for number in range(len(times))]
    random.Random(len(times)).shuffle(ids)
    for id, time_ns in zip(ids, times, strict=True):
        path = put(runs, id, j.meta(run_id=id))
        os.utime(path, ns=(time_ns, time_ns))
    order = [row.id for row in RunSource(runs).list().summaries]
    assert order == [id for _, id in sorted(zip([-t for t in times], ids, strict=True))]


def test_viewing_never_moves_a_session(runs: Path) -> None:
    for age, id in enumerate(("new", "middle", "old")):
        path = suspended(runs, id)
        os.utime(path, ns=(10**18 - age, 10**18 - age))
    source = RunSource(runs)
    complete(source)
    source.open("old").refresh()
    assert [row.id for row in source.list().summaries] == ["new", "middle", "old"]


# --- status by locks -----------------------------------------------------------------------------


def test_a_run_is_running_while_another_process_holds_its_lock(runs: Path) -> None:
    crashed(runs, "a")
    suspended(runs, "b")
    source = RunSource(runs)
    complete(source)
    with held(runs / "a.lock") as pid:
        rows = {row.id: row for row in source.list().summaries}
        assert rows["a"].status == "running"
        assert rows["a"].evidence is not None
        assert rows["a"].evidence.pid == pid
        assert rows["a"].evidence.time is not None
        assert rows["b"].status == "suspended"
        assert source.changes(["a"]).updated[0].status == "running"
        capabilities = source.capabilities(rows["a"])
        assert (capabilities.resume.code, capabilities.delete.code) == ("running", "running")
        assert str(pid) in capabilities.resume.reason
        assert capabilities.rename.allowed
    assert source.list().summaries[0].status in ("interrupted", "suspended")
    assert source.changes(["a"]).updated[0].status == "interrupted"


def test_a_waiting_run_shows_its_question(runs: Path) -> None:
    store = FileRunStore(runs)
    with store.create("a", support.meta("a")):
        source = RunSource(runs)
        assert complete(source)["a"].status == "running"
        ask.write(runs, "a", {"kind": "confirm", "text": "Go on?"})
        row = source.list().summaries[0]
        assert (row.status, row.evidence and row.evidence.text) == ("waiting", "Go on?")
        ask.remove(runs, "a")
        assert source.list().summaries[0].status == "running"
    assert source.list().summaries[0].status == "interrupted"


def test_a_running_run_keeps_its_facts_while_it_grows(runs: Path) -> None:
    path = suspended(runs, "a", prompt="Watch me")
    source = RunSource(runs)
    complete(source)
    with held(runs / "a.lock"):
        with path.open("ab") as file:
            file.write(j.assistant(5, [j.text("Growing.")], iteration=1))
        changed = source.changes(["a"])
        assert changed.pending == {"a"}
        assert (changed.updated[0].status, changed.updated[0].prompt) == ("running", "Watch me")
        assert changed.updated[0].mtime_ns == path.stat().st_mtime_ns
        built = source.build_pending(["a"]).updated[0]
        assert (built.status, built.last_text) == ("running", "Growing.")


# --- titles --------------------------------------------------------------------------------------


def test_the_operator_s_title_wins_and_can_be_taken_back(runs: Path) -> None:
    suspended(runs, "a", prompt="Count the rice\nthen stop")
    source = RunSource(runs)
    assert complete(source)["a"].title == "Count the rice"
    notes.update(runs, "a", title="My  run\x1b[31m")
    # At once, without a new preview; and in one that is built anew.
    assert complete(source)["a"].title == "My run\u241b[31m"
    (runs / "a.preview.json").unlink()
    assert complete(source)["a"].title == "My run\u241b[31m"
    notes.update(runs, "a", title=None)
    assert complete(source)["a"].title == "Count the rice then stop"


@pytest.mark.parametrize("content", [b"{", b'{"title": 5}', b"[]", b"\xff", b""])
def test_notes_that_make_no_sense_give_no_title(runs: Path, content: bytes) -> None:
    suspended(runs, "a")
    (runs / "a.notes.json").write_bytes(content)
    assert complete(RunSource(runs))["a"].title == "Count the rice"


def test_a_glance_shows_the_newest_and_the_pinned(runs: Path, tmp_path: Path) -> None:
    for number in range(30):
        suspended(runs, f"r{number:02}")
        os.utime(runs / f"r{number:02}.json", (1_000_000 + number, 1_000_000 + number))
    source = RunSource(runs)
    complete(source)
    notes.update(runs, "r03", pinned=True, note="Ask Ana\nfirst")
    notes.update(runs, "r04", title="only a title")
    first = source.newest(5)
    assert [row.id for row in first] == ["r03", "r29", "r28", "r27", "r26", "r25"]
    assert (first[0].pinned, first[0].note) == (True, "Ask Ana first")
    listed = {row.id: row for row in source.list().summaries}
    assert all(listed[row.id] == row for row in first)
    assert source.newest(30) == [], "listing them all is as quick"
    assert RunSource(tmp_path / "none").newest(5) == []
    (row,) = (row for row in source.list().summaries if row.id == "r05")
    assert b"pinned" not in msgspec.json.encode(row)
