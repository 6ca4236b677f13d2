# SPDX-License-Identifier: Apache-2.0
"""A run that was judged before it is opened is read once, unless it may have changed meanwhile."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import tenuto.runs.file
from tenuto.errors import EmptyJournal, NoMeta, RunNotFound
from tenuto.runs.file import FileRunStore
from tests.support.store import end, make_run, turn

AN_HOUR = 3600 * 10**9


@pytest.fixture
def store(tmp_path: Path) -> FileRunStore:
    return FileRunStore(tmp_path / "runs")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one whenever the store reads a whole journal."""
    found: list[int] = []
    real = tenuto.runs.file.read_scan

    def counted(layer, fd, **options):
        found.append(fd)
        return real(layer, fd, **options)

    monkeypatch.setattr(tenuto.runs.file, "read_scan", counted)
    return found


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is an hour on: what was written before has settled."""
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + AN_HOUR)


@pytest.mark.usefixtures("later")
def test_an_unchanged_run_is_read_once(store: FileRunStore, reads: list[int]) -> None:
    before = make_run(store)
    snapshot = store.snapshot("run")
    with store.open("run", snapshot=snapshot) as journal:
        assert len(reads) == 1
        assert journal.state is snapshot.state
        assert journal.append(end()) == 6
    assert Path(store.path("run")).read_bytes().startswith(before)
    assert store.load("run")[-1].payload == end()


def _append(store: FileRunStore) -> None:
    with store.open("run") as journal:
        journal.append(turn(2, call=False))


def _overwrite(store: FileRunStore) -> None:
    """As many bytes, the same time, the same file: only the system's own time tells."""
    path = Path(store.path("run"))
    times = os.stat(path)
    data = path.read_bytes().replace(b"looking", b"LOOKING")
    with path.open("r+b") as file:
        file.write(data)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def _replace(store: FileRunStore) -> None:
    path = Path(store.path("run"))
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.chmod(0o600)
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    other.replace(path)


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("change", [_append, _overwrite, _replace])
def test_a_changed_run_is_read_again(
    store: FileRunStore, reads: list[int], change: Callable[[FileRunStore], None]
) -> None:
    make_run(store)
    snapshot = store.snapshot("run")
    time.sleep(0.02)  # the system's clock goes in steps
    change(store)
    reads.clear()
    with store.open("run", snapshot=snapshot) as journal:
        assert len(reads) == 1
        assert journal.state == store.snapshot("run").state
        assert journal.last_seq == store.load("run")[-1].seq


def test_a_run_that_was_just_written_is_read_again(store: FileRunStore, reads: list[int]) -> None:
    make_run(store)
    with store.open("run", snapshot=store.snapshot("run")):
        assert len(reads) == 2


@pytest.mark.usefixtures("later")
def test_a_torn_tail_is_repaired_from_the_snapshot(store: FileRunStore) -> None:
    whole = make_run(store)
    path = Path(store.path("run"))
    path.write_bytes(whole + b'{"seq":6,"proto')
    snapshot = store.snapshot("run")
    with store.open("run", snapshot=snapshot) as journal:
        assert journal.repaired is not None
        assert journal.repaired.offset == len(whole)
    assert path.read_bytes() == whole


def test_what_cannot_be_opened_has_no_snapshot(store: FileRunStore) -> None:
    make_run(store)
    path = Path(store.path("run"))
    with pytest.raises(RunNotFound):
        store.snapshot("other")
    path.write_bytes(b"{}\n" + path.read_bytes())
    with pytest.raises(NoMeta) as raised:
        store.snapshot("run")
    assert raised.value.fields["path"] == str(path)
    path.write_bytes(b"")
    with pytest.raises(EmptyJournal):
        store.snapshot("run")
