# SPDX-License-Identifier: Apache-2.0
"""Records that another program appends get the time at which a watching Tenuto saw them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tenuto.runs import times
from tenuto.runs.file import FileRunStore
from tenuto.sources.runs import RunSource
from tests.support import journals as j
from tests.support.store import end, make_run
from tests.support.store import turn as made_turn


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    return folder


def turn(seq: int) -> bytes:
    return j.assistant(seq, [j.text("Look.")], iteration=seq - 2)


def begin(runs: Path, *, note_times: bool = True) -> tuple[RunSource, Path]:
    """A run of three records that was there before anybody watched."""
    path = runs / "r.json"
    path.write_bytes(j.meta(run_id="r") + turn(2) + turn(3))
    source = RunSource(runs, note_times=note_times)
    source.list()
    source.build_pending()
    return source, path


def grow(path: Path, *lines: bytes) -> None:
    with path.open("ab") as file:
        file.write(b"".join(lines))


def see(source: RunSource) -> None:
    source.build_pending(source.changes(["r"]).pending)


def test_what_grows_under_the_watch_gets_its_time(runs: Path) -> None:
    source, path = begin(runs)
    assert times.read(runs, "r") == {}
    before = time.time_ns()
    grow(path, turn(4), turn(5))
    see(source)
    found = times.read(runs, "r")
    assert sorted(found) == [4, 5]
    assert found[4].ms is None
    assert found[4].t[:10] == time.strftime("%Y-%m-%d", time.gmtime(before / 1e9))
    assert (runs / "r.times.jsonl").stat().st_mode & 0o777 == 0o600

    grow(path, turn(6))
    see(source)
    see(source)
    assert sorted(times.read(runs, "r")) == [4, 5, 6]
    assert (runs / "r.times.jsonl").read_bytes().count(b"\n") == 3


def test_of_old_growth_nobody_knows_when_it_was_written(runs: Path) -> None:
    source, path = begin(runs)
    grow(path, turn(4))
    hour_ago = time.time() - 3600
    os.utime(path, (hour_ago, hour_ago))
    see(source)
    assert times.read(runs, "r") == {}


def test_a_list_on_the_command_line_watches_nothing(runs: Path) -> None:
    source, path = begin(runs, note_times=False)
    grow(path, turn(4))
    see(source)
    assert not (runs / "r.times.jsonl").exists()


def test_times_that_the_writer_noted_are_not_noted_again(runs: Path) -> None:
    store = FileRunStore(runs)
    make_run(store, "r", turns=1)
    source = RunSource(runs, note_times=True)
    source.list()
    source.build_pending()
    with store.open("r") as journal:
        journal.append(made_turn(1, call=False))
        journal.append(end())
    noted = (runs / "r.times.jsonl").read_bytes()
    see(source)
    assert (runs / "r.times.jsonl").read_bytes() == noted


def test_a_folder_that_cannot_be_written_is_no_failure(runs: Path) -> None:
    source, path = begin(runs)
    (runs / "r.times.jsonl").mkdir()
    grow(path, turn(4))
    see(source)
    assert {row.turns for row in source.list().summaries} == {3}
