# SPDX-License-Identifier: Apache-2.0
"""Stories about the trash: looking into it, restoring, removing for good, large deletions."""

from __future__ import annotations

import subprocess
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest

from tenuto.paths import trash_dir
from tenuto.runs.file import FileRunStore
from tenuto.runs.trash import Trash
from tenuto.sources.trashed import TrashItem
from tenuto_gui.trash_model import TrashModel, TrashRole
from tests.gui.driver import Driver, Open, holding_process, reason
from tests.support.store import make_run


def tokens(window: Driver) -> list[str]:
    return [item.id for item in window.window.trash_view.model.items]


def into_trash(window: Driver, *ids: str) -> None:
    for each in ids:
        window.choose(each, "actionDelete")
        window.until(lambda gone=each: gone not in window.ids())
    window.window.side.trash.click()
    window.until(lambda: sorted(tokens(window)) == sorted(ids))


def test_restore_from_the_trash(opened: Open, folder: Path) -> None:
    window = opened("keep", "bin", "other")
    before = (folder / "bin.json").read_bytes()
    into_trash(window, "bin", "other")
    main = window.window
    assert main.trash_view.isVisible()
    assert main.side.trash.count == 2
    assert tokens(window) == ["other", "bin"], "newest first"
    assert not main.verbs.resume.isEnabled(), "what is not in sight is not acted upon"
    view = main.trash_view.list
    view.setCurrentIndex(main.trash_view.model.index(1))
    window.press("trashRestore")
    window.until(lambda: tokens(window) == ["other"])
    assert (folder / "bin.json").read_bytes() == before
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not main.trash_view.isVisible()
    window.until_listed("keep", "bin")
    assert main.verbs.resume.isEnabled()


def test_a_taken_id_asks_for_another_one(opened: Open, folder: Path) -> None:
    window = opened("keep", "bin")
    into_trash(window, "bin")
    make_run(FileRunStore(folder), "bin")
    window.press("trashRestore")
    dialog = window.dialog("wordsDialog")
    assert dialog.words() == "bin-restored"
    window.press("wordsDone")
    window.until(lambda: tokens(window) == [])
    window.until_listed("bin", "bin-restored")


def test_delete_for_good_asks_once(opened: Open, folder: Path) -> None:
    window = opened("keep", "bin", "other")
    into_trash(window, "bin", "other")
    view = window.window.trash_view
    view.list.setCurrentIndex(view.model.index(0))
    window.press("trashPurge")
    question = window.dialog("questionDialog")
    assert question.defaultButton().objectName() == "questionNo"
    assert "for good?" in question.text()
    window.press("questionNo")
    assert len(Trash(trash_dir()).list()) == 2
    QTest.keyClick(view.list, Qt.Key.Key_Delete)
    window.press("questionYes")
    window.until(lambda: tokens(window) == ["bin"])
    window.press("trashEmpty")
    assert "Delete 1 session for good?" in window.dialog("questionDialog").text()
    window.press("questionYes")
    window.until(lambda: tokens(window) == [])
    assert Trash(trash_dir()).list() == []
    assert "Nothing here" in view.count.text()
    assert not view.empty_button.isEnabled()


def test_it_is_followed_while_others_change_it(opened: Open, folder: Path) -> None:
    window = opened("keep", "bin")
    into_trash(window, "bin")
    Trash(trash_dir()).empty()
    window.until(lambda: window.window.side.trash.count == 0)


def test_what_came_from_elsewhere_goes_back_there(
    opened: Open, folder: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    make_run(FileRunStore(elsewhere), "guest")
    Trash(trash_dir()).move(FileRunStore(elsewhere), "guest")
    window = opened("keep")
    window.window.verbs.trash.trigger()
    window.until(lambda: tokens(window) == ["guest"])
    window.press("trashRestore")
    window.until((elsewhere / "guest.json").exists)
    window.until(lambda: "Restored 1 session" in window.notice())
    assert "elsewhere" in window.notice()
    assert not (folder / "guest.json").exists()


def test_the_last_session_can_be_brought_back(opened: Open) -> None:
    window = opened("only")
    window.choose("only", "actionDelete")
    window.until(lambda: window.window.pages.currentIndex() == 1)
    window.press("noticeUndo")
    window.until_listed("only")
    window.until(lambda: window.window.detail.session_id == "only")


def test_delete_all_that_the_filter_shows(opened: Open, folder: Path) -> None:
    many = [f"old-{number:02}" for number in range(12)]
    window = opened("keep", *many)
    make_run(FileRunStore(folder), "old-held")
    act = window.window.verbs
    assert not act.delete_shown.isEnabled()
    assert "Filter the list first" in reason(act.delete_shown)
    holder = subprocess.Popen(
        holding_process(folder / "old-held.lock"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        window.until(lambda: window.status("old-held") == "running")
        window.window.toolbar.filter_edit.setText("old-")
        act.delete_shown.trigger()
        question = window.dialog("questionDialog")
        assert question.text() == "Delete 12 sessions?"
        assert "1 session at work will stay" in question.informativeText()
        window.press("questionYes")
        window.until(lambda: window.ids() == ["old-held"])
        window.until(lambda: "Deleted 12 sessions" in window.notice())
        window.window.show_all()
        assert sorted(window.ids()) == ["keep", "old-held"]
        window.press("noticeUndo")
        window.until(lambda: len(window.ids()) == 14)
    finally:
        holder.communicate()


def test_the_model(qapp: object) -> None:
    model = TrashModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    items = [
        TrashItem(
            source="fisk-ai",
            token=f"t{n}",
            id=f"run{n}",
            origin="/runs",
            time="2026-01-01T00:00:00Z",
            title=title,
            files=(),
            size=5,
        )
        for n, title in enumerate(["", "<b>\u202ebold</b>"])
    ]
    model.set_items(items)
    assert model.index(0).data() == "run0"
    assert "\u202e" not in model.index(1).data()
    assert model.index(1).data(TrashRole.TOKEN) == "t1"
    model.set_items(items[:1])
    assert model.rowCount() == 1
    tester.deleteLater()
