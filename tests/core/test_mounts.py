# SPDX-License-Identifier: Apache-2.0
"""Locks are found in the system's table whatever the file system that the runs lie on."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tenuto.runs.holders import lock_device
from tenuto.runs.mounts import Mount, mount_of
from tenuto.sources.runs import RunSource
from tests.support.cli import held, suspended
from tests.support.store import need, python

#: Takes a lock in a folder, and asks by the system's table who holds it.
ASK = """
import fcntl, os, sys
from tenuto.runs.holders import holder, lock_device
from tenuto.runs.mounts import mount_of
folder = sys.argv[1]
lock = open(os.path.join(folder, "a.lock"), "ab")
assert holder(lock.name) is None
fcntl.flock(lock, fcntl.LOCK_EX)
found = holder(lock.name)
assert found is not None and found.pid == os.getpid(), found
assert lock_device(folder) == mount_of(folder).device
print(mount_of(folder).kind)
"""
CREATE = """
import sys
from tenuto.errors import StoreIO
from tenuto.runs.file import FileRunStore
from tests.support.store import meta
try:
    FileRunStore(sys.argv[1]).create("run", meta())
except StoreIO as error:
    print(error)
"""
MOUNT = {
    "tmpfs": 'mount -t tmpfs none "$0"',
    "overlay": (
        'mount -t tmpfs none "$0" && cd "$0" && mkdir lower upper work && touch lower/a.lock && '
        'mount -t overlay none -o "lowerdir=lower,upperdir=upper,workdir=work" "$0"'
    ),
}


@pytest.mark.parametrize("kind", MOUNT)
def test_a_holder_is_found_on(kind: str, tmp_path: Path) -> None:
    script = MOUNT[kind] + ' && exec "$@"'
    inside = [need("unshare"), "-m", "sh", "-c", script, str(tmp_path)]
    if subprocess.run([*inside, "true"], capture_output=True).returncode:
        pytest.skip("mounts are not allowed here")
    with python(ASK, tmp_path, prefix=inside) as process:
        out, _ = process.communicate()
    assert process.returncode == 0
    assert out.decode().strip() == kind


def test_the_mount_of_a_folder(tmp_path: Path) -> None:
    found = mount_of(tmp_path)
    assert found is not None
    assert found.kind
    assert not found.network
    assert mount_of(tmp_path / "absent") is None


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs", "9p"])
def test_of_a_network_file_system_nobody_tells(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mount table is the system's; only its answer is another one here."""
    from tenuto.runs import holders

    suspended(tmp_path, "ended")
    (tmp_path / "open.json").write_bytes(
        (tmp_path / "ended.json").read_bytes().rpartition(b'{"seq":4')[0]
    )
    monkeypatch.setattr(holders, "_known", {})
    monkeypatch.setattr(holders, "mount_of", lambda folder: Mount(0, kind))
    assert lock_device(tmp_path) is None
    source = RunSource(tmp_path)
    source.list()
    with held(tmp_path / "open.lock"):
        rows = {row.id: row for row in source.build_pending().updated}
    assert rows["ended"].status == "suspended"
    assert rows["open"].status == "interrupted"
    assert rows["open"].evidence is not None
    assert rows["open"].evidence.kind == "lock_unknown"


def test_an_error_names_the_mount_of_a_folder_that_is_mounted_twice(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    here = tmp_path / "read only"
    here.mkdir()
    script = 'mount --bind "$0" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
    inside = [need("unshare"), "-m", "sh", "-c", script, str(tmp_path / "runs"), str(here)]
    if subprocess.run([*inside, "true"], capture_output=True).returncode:
        pytest.skip("mounts are not allowed here")
    with python(CREATE, here, prefix=inside) as process:
        out, _ = process.communicate()
    assert f"read-only file system at {here} (EROFS)" in out.decode()
