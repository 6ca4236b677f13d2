# SPDX-License-Identifier: Apache-2.0
"""What the operator keeps of Reasonix sessions in the window: pins, notes, and what was deleted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tenuto.reasonix.own_notes import OwnNotes
from tenuto_gui.trash_model import TrashRole
from tests.gui.driver import Driver
from tests.support import reasonix
from tests.support.cli import suspended

OLD = "sessions/20260601-101010.000000001-m"
CJK = "projects/-srv-\u5929\u6c14/sessions/20260602-101010.000000001-m"
LOGGED = "sessions/20260603-101010.000000001-m"


@pytest.fixture
def state(home: Path) -> Path:
    root = home / ".reasonix"
    for number, id in enumerate((OLD, CJK), 1):
        path = root / f"{id}.jsonl"
        path.parent.mkdir(parents=True)
        workspace = "/srv/\u5929\u6c14" if id == CJK else ""
        updated = f"2026-06-0{number}T10:10:10Z"
        reasonix.write(path, updated_at=updated, workspace_root=workspace)
    reasonix.write(root / f"{LOGGED}.jsonl", [reasonix.SYSTEM])
    log = reasonix.log_line("replace", reasonix.SESSION)
    (root / f"{LOGGED}.events.jsonl").write_bytes(log)
    return root


@pytest.fixture
def window(qtbot: QtBot, state: Path, tmp_path: Path) -> Driver:
    runs = tmp_path / "runs"
    runs.mkdir(mode=0o700)
    suspended(runs, "r1")
    driver = Driver(qtbot, runs)
    driver.until_listed("r1", OLD, CJK, LOGGED)
    return driver


def trashed(window: Driver) -> list[str]:
    return [item.id for item in window.window.trash_view.model.items]


def into_trash(window: Driver, *ids: str) -> None:
    for each in ids:
        window.choose(each, "actionDelete")
        window.until(lambda gone=each: gone not in window.ids())
    window.window.side.trash.click()
    window.until(lambda: sorted(trashed(window)) == sorted(ids))


@pytest.mark.parametrize("id", [OLD, LOGGED])
def test_a_pin_and_a_note_are_kept_through_a_delete_and_its_undo(
    window: Driver, state: Path, id: str
) -> None:
    window.choose(id, "actionPin")
    window.until(lambda: window.ids()[0] == id, "it is not on top")
    window.choose(id, "actionNote")
    window.say("ask again on Monday")
    window.until(lambda: window.window.sessions.summary(id).note == "ask again on Monday")
    window.click(id)
    facts = " ".join(window.window.detail.header.facts())
    assert "ask again on Monday" in facts
    # The whole of it is there to be changed.
    window.choose(id, "actionNote")
    assert window.dialog("wordsDialog").words() == "ask again on Monday"
    window.say("")
    window.until(lambda: not window.window.sessions.summary(id).note)
    if id == OLD:
        window.choose(id, "actionDelete")
        window.until(lambda: id not in window.ids())
        window.press("noticeUndo")
        window.until(lambda: window.ids()[0] == id, "its pin was lost")
    window.choose(id, "actionPin")
    window.until(lambda: window.window.sessions.summary(id).pinned is not True)
    assert list(OwnNotes().all()) == []


def test_the_trash_holds_both_kinds_and_each_comes_back(window: Driver, state: Path) -> None:
    before = (state / f"{CJK}.jsonl").read_bytes()
    into_trash(window, "r1", CJK)
    view = window.window.trash_view
    assert trashed(window) == [CJK, "r1"]
    index = view.model.index(0)
    assert index.data() == "count the go files"
    assert "/srv/\u5929\u6c14" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert index.data(TrashRole.MIXED), "each says of which kind it is"
    assert index.data(TrashRole.ITEM).size > 0
    view.list.selectAll()
    window.press("trashRestore")
    window.until(lambda: trashed(window) == [])
    assert (state / f"{CJK}.jsonl").read_bytes() == before
    QTest.keyClick(view.list, Qt.Key.Key_Escape)
    window.until_listed("r1", CJK)
    # The folder may tell of it before the command does.
    window.until(lambda: window.notice() == "", "an undo is offered for what is back")
    assert not window.window.verbs.undo_delete.isEnabled()


def test_one_in_the_way_is_told_and_changes_nothing(window: Driver, state: Path) -> None:
    into_trash(window, OLD)
    reasonix.write(state / f"{OLD}.jsonl", reasonix.SESSION[:2])
    window.press("trashRestore")
    window.until(lambda: "could not be restored" in window.notice())
    assert "in the way" in window.notice()
    assert trashed(window) == [OLD]


def test_deleting_for_good_says_whose_trash_it_is(window: Driver, state: Path) -> None:
    into_trash(window, OLD, CJK, "r1")
    window.press("trashEmpty")
    text = window.dialog("questionDialog").informativeText()
    assert "2 of them are in Reasonix's own trash." in text
    window.press("questionNo")
    view = window.window.trash_view
    view.list.setCurrentIndex(view.model.index(1))
    window.press("trashPurge")
    window.press("questionYes")
    window.until(lambda: trashed(window) == ["r1", OLD])
    assert not list((state / CJK).parent.glob(".trash/*"))
    window.press("trashEmpty")
    window.press("questionYes")
    window.until(lambda: trashed(window) == [])


def test_what_reasonix_deletes_and_removes_is_followed(window: Driver, state: Path) -> None:
    into_trash(window, OLD)
    trash = state / "sessions" / ".trash"
    shutil.rmtree(trash / f"{Path(OLD).name}.jsonl")
    window.until(lambda: window.window.side.trash.count == 0, "it was not followed")


def test_the_toolbar_stays_where_it_is(window: Driver) -> None:
    main = window.window
    main.resize(1440, 900)
    before = main.toolbar.filter_edit.geometry()
    main.verbs.trash.trigger()
    assert main.trash_view.isVisible()
    assert main.toolbar.filter_edit.geometry() == before
    window.press("trashBack")
    assert not main.trash_view.isVisible()
    assert main.toolbar.filter_edit.geometry() == before
