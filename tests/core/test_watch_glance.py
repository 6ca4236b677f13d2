# SPDX-License-Identifier: Apache-2.0
"""The watcher's regular look at a large folder: cheap, and blind to nothing for long."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenuto import watch_folder
from tenuto.watch_folder import Difference, FolderState

COUNT = 1_200
#: After so many glances every file was looked at.
ROUND = watch_folder._PART + 1


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


def glances(state: FolderState, count: int = ROUND) -> Difference:
    found = [state.glance() for _ in range(count)]
    return Difference(
        frozenset().union(*(each.appeared for each in found)),
        frozenset().union(*(each.changed for each in found)),
        frozenset().union(*(each.gone for each in found)),
    )


def test_an_append_that_sent_no_event_is_found(folder: Path, state: FolderState) -> None:
    with (folder / "run-0007.json").open("a") as file:
        file.write("more")
    assert glances(state).changed == {"run-0007"}


@pytest.mark.parametrize("number", [0, COUNT // 2, COUNT - 1])
def test_every_file_has_its_turn(folder: Path, state: FolderState, number: int) -> None:
    os.utime(folder / f"run-{number:04}.json", (1, 1))
    assert glances(state).changed == {f"run-{number:04}"}


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


def test_a_glance_looks_at_a_part_of_the_files(
    folder: Path, state: FolderState, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []
    stat = os.stat

    def counted(path: object, **words: object) -> os.stat_result:
        looked.append(path)
        return stat(path, **words)

    monkeypatch.setattr(os, "stat", counted)
    state.glance()
    assert len(looked) < COUNT / watch_folder._PART + 20


def test_a_folder_that_went_takes_its_sessions_along(folder: Path, state: FolderState) -> None:
    away = folder.with_name("away")
    folder.rename(away)
    assert len(state.glance().gone) == COUNT
    away.rename(folder)
    assert len(state.glance().appeared) == COUNT
