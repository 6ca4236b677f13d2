# SPDX-License-Identifier: Apache-2.0
"""What became of sessions since the last look, the building of previews, what can be done."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from tenuto.runs.files import FileLayer
from tenuto.sources.base import SessionSummary
from tenuto.sources.runs import RunSource
from tests.support import journals as j
from tests.support import store as support
from tests.support.cli import suspended
from tests.support.paths import FISK_REAL
from tests.support.sources import complete


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    return folder


# --- changes, sweeping, building -----------------------------------------------------------------


def test_changes_tell_what_became_of_sessions(runs: Path) -> None:
    suspended(runs, "stays")
    suspended(runs, "goes")
    source = RunSource(runs)
    complete(source)
    (runs / "goes.json").unlink()
    suspended(runs, "comes")
    changed = source.changes(["stays", "goes", "comes", "never", "../x", "no id"])
    assert {row.id: row.status for row in changed.updated} == {
        "stays": "suspended",
        "comes": "pending",
    }
    assert changed.gone == {"goes", "never"}
    assert changed.pending == {"comes"}
    assert [row.id for row in source.build_pending().updated] == ["comes"]


def test_changes_of_a_folder_that_is_gone(runs: Path) -> None:
    suspended(runs, "a")
    source = RunSource(runs)
    shutil.rmtree(runs)
    assert source.changes(["a"]).gone == {"a"}
    assert source.build_pending(["a"]).gone == {"a"}


def test_a_sidecar_without_a_journal_is_swept(runs: Path) -> None:
    suspended(runs, "a")
    suspended(runs, "b")
    source = RunSource(runs)
    complete(source)
    (runs / "a.json").unlink()
    complete(source)
    assert sorted(os.listdir(runs)) == ["b.json", "b.preview.json"]


def test_building_can_be_stopped_and_goes_on_where_it_stopped(runs: Path) -> None:
    for number in range(20):
        suspended(runs, f"r{number}")
    source = RunSource(runs)
    source.list()
    built: list[str] = []
    changed = source.build_pending(
        on_built=lambda row: built.append(row.id), stop=lambda: len(built) >= 5
    )
    assert 5 <= len(built) < 20
    assert changed.pending == source.list().pending
    assert len(changed.pending) == 20 - len(built)
    source.build_pending()
    assert source.list().pending == frozenset()


def test_an_error_of_the_caller_s_own_ends_the_building(runs: Path) -> None:
    for number in range(20):
        suspended(runs, f"r{number}")
    source = RunSource(runs)
    source.list()

    def fail(row: SessionSummary) -> None:
        raise KeyError(row.id)

    with pytest.raises(KeyError):
        source.build_pending(on_built=fail)
    assert threading.active_count() == 1


def test_a_journal_that_cannot_be_read_is_a_row_that_says_so(runs: Path) -> None:
    suspended(runs, "a")

    class Refusing(FileLayer):
        def open(self, folder, name, flags):
            if name == "a.json":
                raise PermissionError(13, "Permission denied")
            return super().open(folder, name, flags)

    source = RunSource(runs, layer=Refusing())
    source.list()
    row = source.build_pending().updated[0]
    assert row.status == "damaged"
    assert "permission denied" in row.problem
    assert not (runs / "a.preview.json").exists()


def test_a_full_disk_harms_nothing(runs: Path) -> None:
    suspended(runs, "a")

    class Full(FileLayer):
        def write(self, fd, data):
            raise OSError(28, "No space left on device")

    source = RunSource(runs, layer=Full())
    source.list()
    assert [row.status for row in source.build_pending().updated] == ["suspended"]
    assert os.listdir(runs) == ["a.json"]


READ_ONLY = """
import os, sys
from tenuto.sources.runs import RunSource
source = RunSource(sys.argv[1], cache=sys.argv[2])
source.list()
built = source.build_pending()
assert [r.status for r in built.updated] == ["suspended"], built
again = source.list()
assert not again.pending and [r.prompt for r in again.summaries] == ["Count the rice"]
c = source.capabilities(again.summaries[0])
assert [x.code for x in (c.resume, c.force, c.rename, c.delete, c.diff)] == ["read_only"] * 4 + [""]
os.write(1, b"ok")
"""


def test_a_folder_that_cannot_be_written_has_its_sidecars_in_the_cache(runs: Path) -> None:
    suspended(runs, "a")
    cache = runs.parent / "cache"
    script = f'mount -o bind "{runs}" "{runs}" && mount -o remount,ro,bind "{runs}" && exec "$@"'
    prefix = [support.need("unshare"), "-m", "sh", "-c", script, "sh"]
    with support.python(READ_ONLY, runs, cache, prefix=prefix, stderr=subprocess.PIPE) as process:
        out, err = process.communicate()
    if b"mount:" in err or b"unshare:" in err:
        pytest.skip(f"mounts are not allowed here: {err.decode()}")
    assert (process.returncode, out) == (0, b"ok"), err.decode()
    assert os.listdir(runs) == ["a.json"]
    assert [path.name for path in cache.rglob("*.json")] == ["a.preview.json"]


# --- what can be done ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("suspended", ""),
        ("killed-in-tool", ""),
        ("failed-400", ""),
        ("budget", ""),
        ("completed", "completed"),
    ],
)
def test_what_may_be_resumed(runs: Path, name: str, code: str) -> None:
    shutil.copy(FISK_REAL / "runs" / f"{name}.json", runs)
    source = RunSource(runs)
    row = complete(source)[name]
    found = source.capabilities(row)
    assert found.resume == found.force
    assert (found.resume.allowed, found.resume.code) == (not code, code)
    assert bool(found.resume.reason) == bool(code)
    assert found.rename.allowed
    assert found.delete.allowed
    assert found.diff.allowed


@pytest.mark.parametrize(
    ("content", "code", "diff"),
    [
        (b"", "empty", False),
        (j.meta(version=4), "newer", False),
        (j.meta() + b"garbage\n" + j.terminal(3), "damaged", True),
        (b"garbage\n" + j.terminal(3), "damaged", False),
    ],
)
def test_what_cannot_be_read_cannot_be_resumed(
    runs: Path, content: bytes, code: str, diff: bool
) -> None:
    (runs / "a.json").write_bytes(content)
    source = RunSource(runs)
    found = source.capabilities(complete(source)["a"])
    assert (found.resume.code, found.force.code) == (code, code)
    assert found.resume.reason
    assert found.diff.allowed == diff
    assert found.delete.allowed


def test_of_a_row_that_is_still_being_read_nothing_is_promised(runs: Path) -> None:
    suspended(runs, "a")
    source = RunSource(runs)
    found = source.capabilities(source.list().summaries[0])
    assert (found.resume.code, found.diff.code) == ("pending", "pending")
    assert found.delete.allowed
