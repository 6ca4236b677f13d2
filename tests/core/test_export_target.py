# SPDX-License-Identifier: Apache-2.0
"""The file an export goes to: private, whole or not there, and nothing left of a killed writer."""

from __future__ import annotations

import os
import signal
import stat
import time
from pathlib import Path

import pytest

from tenuto.errors import TargetExists
from tenuto.export.target import write_target
from tenuto.runs.companions import temp_name
from tenuto.runs.files import FileLayer, Folder
from tests.core.test_commands_killed import has_unnamed
from tests.support.store import python

KILLED_MIDWAY = """
import os, sys, time
from tenuto.export.target import write_target

def write(fd):
    os.write(fd, b"half of it, and a secret")
    print("written", flush=True)
    time.sleep(600)

write_target(sys.argv[1], write, force=True)
"""


class Plain(FileLayer):
    """A system that gives every file a name."""

    def open_unnamed(self, folder: Folder) -> int | None:
        return None


LAYERS = [FileLayer(), Plain()]


@pytest.mark.parametrize("layer", LAYERS)
def test_it_is_private_and_there_at_once_or_not_at_all(tmp_path: Path, layer: FileLayer) -> None:
    target = tmp_path / "r.html"
    before = os.umask(0)
    try:
        assert write_target(target, lambda fd: os.write(fd, b"one"), layer=layer) == 3
    finally:
        os.umask(before)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with pytest.raises(TargetExists):
        write_target(target, lambda fd: os.write(fd, b"two"), layer=layer)
    assert target.read_bytes() == b"one"

    def fails(fd: int) -> None:
        os.write(fd, b"three")
        raise RuntimeError

    for force in (False, True):
        with pytest.raises((RuntimeError, TargetExists)):
            write_target(target, fails, force=force, layer=layer)
    assert target.read_bytes() == b"one"
    write_target(target, lambda fd: os.write(fd, b"four"), force=True, layer=layer)
    assert target.read_bytes() == b"four"
    assert os.listdir(tmp_path) == ["r.html"]


@pytest.mark.parametrize("layer", LAYERS)
def test_what_came_there_meanwhile_stays(tmp_path: Path, layer: FileLayer) -> None:
    target = tmp_path / "r.html"

    def write(fd: int) -> None:
        target.write_bytes(b"somebody else's")

    with pytest.raises(TargetExists):
        write_target(target, write, layer=layer)
    assert target.read_bytes() == b"somebody else's"
    assert os.listdir(tmp_path) == ["r.html"]


def test_a_killed_writer_leaves_nothing(tmp_path: Path) -> None:
    if not has_unnamed(tmp_path):
        pytest.skip("every file has a name here")
    target = tmp_path / "r.html"
    with python(KILLED_MIDWAY, target) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"written\n"
        assert os.listdir(tmp_path) == []
        writer.send_signal(signal.SIGKILL)
    assert os.listdir(tmp_path) == []


def test_what_was_left_where_files_have_names_goes_with_the_next(tmp_path: Path) -> None:
    target = tmp_path / "r.html"
    old, new = (tmp_path / temp_name("r.html", digit * 16) for digit in "ab")
    other = tmp_path / temp_name("s.html", "c" * 16)
    for each in (old, new, other):
        each.write_bytes(b"a secret")
    for each in (old, other):
        os.utime(each, (time.time() - 7200,) * 2)
    write_target(target, lambda fd: os.write(fd, b"whole"), layer=Plain())
    assert sorted(os.listdir(tmp_path)) == sorted([new.name, other.name, "r.html"])
