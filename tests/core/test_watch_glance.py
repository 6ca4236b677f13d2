# SPDX-License-Identifier: Apache-2.0
"""The watcher's regular look at a large folder: cheap, and blind to nothing."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenuto.watch_folder import Difference, FolderState

COUNT = 1_200


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(COUNT):
        (tmp_path / f"run-{number:04}.json").write_text("{}")
    return tmp_path


@pytest.fixture
def state(folder: Path) -> Iterator[FolderState]:
    made = FolderState(folder)
    made.look()
    # Old enough to be trusted, as the folder of an idle day is.
    old = 1_700_000_000
    os.utime(folder, (old, old))
    made.glance()
    assert made.glance() == Difference()
    yield made
    made_anew = FolderState(folder)
    made_anew.look()
    assert made._journals == made_anew._journals, "what it knows is what there is"


def test_an_append_that_sent_no_event_is_found(folder: Path, state: FolderState) -> None:
    with (folder / "run-0007.json").open("a") as file:
        file.write("more")
    assert state.glance().changed == {"run-0007"}


@pytest.mark.parametrize("number", [0, COUNT // 2, COUNT - 1])
def test_every_file_is_looked_at(folder: Path, state: FolderState, number: int) -> None:
    os.utime(folder / f"run-{number:04}.json", (1, 1))
    assert state.glance().changed == {f"run-{number:04}"}


def test_names_are_seen_by_the_next_glance(folder: Path, state: FolderState) -> None:
    (folder / "new.json").write_text("{}")
    (folder / "run-0001.json").unlink()
    (folder / "run-0002.notes.json").write_text("{}")
    other = folder / ".run-0003.tmp"
    other.write_text("{}")
    other.replace(folder / "run-0003.json")
    found = state.glance()
    assert (found.appeared, found.gone) == ({"new"}, {"run-0001"})
    assert found.changed == {"run-0002", "run-0003"}


def test_a_glance_asks_for_each_file_once_and_reads_no_names_of_a_resting_folder(
    folder: Path, state: FolderState, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []
    stat = os.stat

    def counted(path: object, **words: object) -> os.stat_result:
        looked.append(path)
        return stat(path, **words)

    def forbidden(path: object) -> None:
        raise AssertionError(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", counted)
        patch.setattr(os, "scandir", forbidden)
        state.glance()
    assert COUNT <= len(looked) < COUNT + 20


def test_names_that_came_under_the_folders_old_time_are_seen(
    folder: Path, state: FolderState
) -> None:
    """A copy with all its times (`cp -a`, `rsync -a`) sets the folder's back at its end."""
    then = os.stat(folder).st_mtime_ns
    (folder / "new.json").write_text("{}")
    (folder / "run-0001.json").unlink()
    os.utime(folder, ns=(then, then))
    found = state.glance()
    assert (found.appeared, found.gone) == ({"new"}, {"run-0001"})


def test_another_folder_of_the_same_time_is_another_folder(
    folder: Path, state: FolderState
) -> None:
    then = os.stat(folder).st_mtime_ns
    folder.rename(folder.with_name(f"{folder.name}-before"))
    folder.mkdir()
    for number in range(COUNT + 1):
        (folder / f"run-{number:04}.json").write_text("{}")
    os.utime(folder, ns=(then, then))
    assert state.glance().appeared == {f"run-{COUNT:04}"}


@pytest.mark.parametrize("call", ["open", "stat"])
def test_names_are_seen_after_a_glance_that_failed(
    folder: Path, state: FolderState, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """With no descriptor free, say: what it had found by then is not taken for looked at."""
    (folder / "new.json").write_text("{}")
    os.utime(folder, (1_600_000_000, 1_600_000_000))
    made = getattr(os, call)

    def failing(path: object, *words: object, **more: object) -> object:
        if call == "open" or os.path.basename(os.fspath(path)) == "new.json":  # type: ignore[call-overload]
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return made(path, *words, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, failing)
        with pytest.raises(OSError, match="open files"):
            state.glance()
    assert state.glance().appeared == {"new"}


def test_a_folder_that_went_takes_its_sessions_along(folder: Path, state: FolderState) -> None:
    away = folder.with_name("away")
    folder.rename(away)
    assert len(state.glance().gone) == COUNT
    away.rename(folder)
    assert len(state.glance().appeared) == COUNT
