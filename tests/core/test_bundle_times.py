# SPDX-License-Identifier: Apache-2.0
"""An imported session was last active when the exported one was, in whatever zone that was."""

from __future__ import annotations

import os
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenuto.export.target import write_target
from tenuto.runs.archive import pack
from tenuto.runs.bundle import Bundle, unpack
from tenuto.runs.file import FileRunStore
from tests.support.cli import Capture, ask
from tests.support.store import make_run, quick_folder

pytestmark = pytest.mark.skipif(
    os.utime not in os.supports_fd, reason="no time can be set through an open file"
)

SECOND = 10**9
DAY = 86_400 * SECOND
#: An extra field of another program, of one byte.
OTHER = b"ux\x01\x00x"


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


def exported(folder: Path, when_ns: int) -> Path:
    """A run that was last written at ``when_ns``, as a file."""
    store = FileRunStore(folder / "runs")
    make_run(store, "run")
    os.utime(store.path("run"), ns=(when_ns, when_ns))
    path = folder / "run.tenuto"
    write_target(path, lambda fd: pack(store.layer, store.directory, "run", fd, path=str(path)))
    return path


def with_fields(path: Path, before: bytes, *, keep: bool) -> Path:
    """The archive with other extra fields in its entries."""
    out = path.with_name("changed.tenuto")
    with zipfile.ZipFile(path) as file, zipfile.ZipFile(out, "w") as changed:
        for info in file.infolist():
            data = file.read(info)
            info.extra = before + (info.extra if keep else b"")
            changed.writestr(info, data)
    return out


def test_the_list_tells_when_the_run_was_active(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_day_ago = time.time_ns() // SECOND * SECOND - DAY
    path = exported(tmp_path, a_day_ago + SECOND // 2)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        code, _ = ask(capsys, "session", "import", path, "--state-dir", tmp_path / "other")
        assert code == 0
    finally:
        monkeypatch.undo()
        time.tzset()
    assert (tmp_path / "other" / "run.json").stat().st_mtime_ns == a_day_ago
    _, answers = ask(capsys, "session", "ls", "--state-dir", tmp_path / "other")
    assert [row["mtime_ns"] for row in answers] == [a_day_ago]


def test_the_time_is_found_behind_fields_of_others(tmp_path: Path) -> None:
    a_day_ago = time.time_ns() // SECOND * SECOND - DAY
    with Bundle(with_fields(exported(tmp_path, a_day_ago), OTHER, keep=True)) as file:
        assert file.modified("run.json") == a_day_ago


@pytest.mark.parametrize("days", [-1, 1], ids=["none told", "one to come"])
def test_without_a_time_that_can_be_it_is_active_now(tmp_path: Path, days: int) -> None:
    now = time.time_ns()
    path = exported(tmp_path, now + days * DAY)
    if days < 0:
        path = with_fields(path, OTHER, keep=False)
    with Bundle(path) as file:
        assert file.modified("run.json") is None
        unpack(file, tmp_path / "other")
    # The clock of a file system may be a tick behind.
    assert now - SECOND < (tmp_path / "other" / "run.json").stat().st_mtime_ns <= time.time_ns()
