# SPDX-License-Identifier: Apache-2.0
"""Moves to the trash, restores and purges that fail or are killed at every call in turn."""

import errno
import os
from pathlib import Path

import pytest

from tenuto.errors import StoreError, StoreIO
from tenuto.runs.file import FileRunStore
from tenuto.runs.trash import Trash
from tests.support.small_process import in_small_child
from tests.support.store import (
    FaultLayer,
    make_run,
    quick_folder,
)
from tests.support.trash import LAYERS, fill, made, whole

ways = pytest.mark.parametrize("way", LAYERS)


@pytest.fixture
def tmp_path():
    with quick_folder() as folder:
        yield folder


@pytest.fixture
def store(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    fill(store)
    return store


@pytest.fixture
def place(tmp_path):
    return tmp_path / "data" / "trash"


def either_or(store, place, before, way):
    """The run is whole in its folder or whole in the trash, once; bring it back home."""
    trash = Trash(place, layer=made(way))
    trash.recover()
    entries = trash.list()
    if os.path.exists(store.path("run")):
        assert entries == []
    else:
        assert [item.id for item in entries] == ["run"]
        assert entries[0].complete
        assert os.listdir(store.directory) == []
        trash.restore(entries[0].token)
    assert whole(store) == before
    assert trash.list() == []
    assert sorted(os.listdir(place)) in ([], [".lock"])
    store.open("run").close()


@ways
@pytest.mark.parametrize(
    ("number", "forever"), [(errno.EIO, False), (errno.ENOSPC, True)], ids=["once", "always"]
)
@pytest.mark.slow
def test_a_move_that_fails_at_any_call(store, place, way, number, forever):
    before = whole(store)
    place.mkdir(parents=True)
    nth = 0
    while True:
        nth += 1
        layer = made(way, nth=nth, number=number, forever=forever)
        try:
            Trash(place, layer=layer).move(store, "run")
        except StoreIO as error:
            said(error, number)
            if not forever and os.path.exists(store.path("run")):
                # One failure is undone at once, the run needs no second command.
                assert whole(store) == before
        either_or(store, place, before, way)
        if not layer.fired:
            break
    assert nth > 50


def said(error, number):
    assert error.fields["errno"] == number


@ways
@pytest.mark.slow
def test_a_move_killed_at_any_call(store, place, way):
    before = whole(store)
    place.mkdir(parents=True)
    nth = 0
    while True:
        nth += 1
        layer = made(way, nth=nth, die=True)
        code = in_small_child(Trash(place, layer=layer).move, store, "run")
        assert code in (0, 9)
        either_or(store, place, before, way)
        if code == 0:
            break
    assert nth > 50


@ways
@pytest.mark.slow
def test_a_move_killed_before_its_disk_goes_is_ended_when_that_is_back(store, place, way):
    """Whatever is done with the trash meanwhile; as with a folder on a disk that is unplugged."""
    before = whole(store)
    place.mkdir(parents=True)
    away = Path(store.directory + ".away")
    nth = 0
    while True:
        nth += 1
        layer = made(way, nth=nth, die=True)
        code = in_small_child(Trash(place, layer=layer).move, store, "run")
        os.rename(store.directory, away)
        trash = Trash(place, layer=made(way))
        trash.recover()
        for item in trash.list():
            # Never made anew: the run may be whole in it.
            if not item.complete and way == "copy":
                with pytest.raises(StoreError, match=r"is not there|holds no journal"):
                    trash.restore(item.token)
        assert not os.path.exists(store.directory)
        os.rename(away, store.directory)
        either_or(store, place, before, way)
        if code == 0:
            break
    assert nth > 50


@ways
@pytest.mark.slow
def test_a_restore_killed_before_its_disk_goes_is_ended_when_that_is_back(store, place, way):
    before = whole(store)
    away = Path(store.directory + ".away")
    trash = Trash(place, layer=made(way))
    nth = 0
    while True:
        nth += 1
        token = trash.move(store, "run").token
        code = in_small_child(Trash(place, layer=made(way, nth=nth, die=True)).restore, token)
        os.rename(store.directory, away)
        trash.recover()
        os.rename(away, store.directory)
        trash.recover()
        store.sweep()  # an empty lock, at most
        either_or(store, place, before, way)
        if code == 0:
            break
    assert nth > 50


@ways
@pytest.mark.parametrize("new_id", [None, "other"])
@pytest.mark.slow
def test_a_restore_killed_at_any_call(store, place, way, new_id):
    before = whole(store)
    id = new_id or "run"
    nth = 0
    while True:
        nth += 1
        trash = Trash(place, layer=made(way))
        token = trash.move(store, "run").token
        layer = made(way, nth=nth, die=True)
        code = in_small_child(Trash(place, layer=layer).restore, token, new_id)
        assert code in (0, 9)
        trash.recover()
        if os.path.exists(store.path(id)):
            assert trash.list() == []
        else:
            assert [item.complete for item in trash.list()] == [True]
            store.sweep()  # an empty lock, at most
            assert os.listdir(store.directory) == []
            trash.restore(token, new_id)
        assert whole(store, id) == before
        assert os.listdir(place) == [".lock"]
        if new_id:
            for suffix in before:
                os.rename(store.directory + "/other" + suffix, store.directory + "/run" + suffix)
            store.sweep()
        if code == 0:
            break
    assert nth > 50


@ways
@pytest.mark.slow
def test_a_restore_that_fails_at_any_call(store, place, way):
    before = whole(store)
    nth = 0
    while True:
        nth += 1
        trash = Trash(place, layer=made(way))
        token = trash.move(store, "run").token
        layer = made(way, nth=nth, number=errno.EIO)
        try:
            Trash(place, layer=layer).restore(token)
        except StoreIO as error:
            said(error, errno.EIO)
        trash.recover()
        store.sweep()  # an empty lock, at most
        either_or(store, place, before, way)
        if not layer.fired:
            break
    assert nth > 50


@pytest.mark.slow
def test_a_purge_killed_at_any_call_is_ended_by_the_next_command(store, place):
    nth = 0
    while True:
        nth += 1
        trash = Trash(place)
        token = trash.move(store, "run").token
        code = in_small_child(Trash(place, layer=FaultLayer(nth, die=True)).purge, token)
        assert code in (0, 9)
        entries = trash.list()
        if entries:
            # It had not begun: all of it is still there.
            assert len(entries[0].files) == 4
            trash.purge(token)
        trash.recover()
        assert os.listdir(place) == [".lock"]
        fill(store)
        if code == 0:
            break
    assert nth > 15


@ways
def test_a_new_run_of_the_same_id_is_never_taken_for_the_old_one(store, place, way):
    """A move was killed behind its point of no return, and the id was used again meanwhile."""
    before = whole(store)
    place.mkdir(parents=True)
    for nth in range(1, 600, 3 if way == "copy" else 1):
        layer = made(way, nth=nth, die=True)
        code = in_small_child(Trash(place, layer=layer).move, store, "run")
        if not os.path.exists(store.path("run")):
            new = make_run(store, turns=1)
            trash = Trash(place, layer=made(way))
            trash.recover()
            assert Path(store.path("run")).read_bytes() == new
            (entry,) = trash.list()
            journal = Path(place, entry.token, "run.json").read_bytes()
            assert journal == before[".json"]
            trash.empty()
            store.delete("run")
            store.sweep()
            for name in os.listdir(store.directory):
                os.unlink(Path(store.directory, name))
            fill(store)
            before = whole(store)
        else:
            either_or(store, place, before, way)
        if code == 0:
            return
    raise AssertionError("the move never ended")
