# SPDX-License-Identifier: Apache-2.0
"""Stories about the window on real folders: it lists, follows, filters, deletes, undoes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTabWidget, QToolButton
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto.settings import load
from tests.gui.driver import Driver, Open, close_popups, holding_process, menu_action, reason
from tests.support.store import end, make_run, python, suspended_runs

DEFAULT_LIST = 388


@pytest.fixture
def store(folder: Path) -> FileRunStore:
    return FileRunStore(folder)


@pytest.fixture
def opened(qtbot: QtBot, folder: Path) -> Open:
    def open_window(*arguments: str) -> Driver:
        return Driver(qtbot, folder, *arguments)

    return open_window


def test_lists_and_shows(opened: Open, store: FileRunStore, folder: Path) -> None:
    suspended_runs(store, "one", "two")
    (folder / "pipe.json").mkdir()
    window = opened()
    window.until_listed("one", "two")
    assert window.status("one") == "suspended"
    text = window.window.findChild(QLabel, "statusCounts").text()
    assert "2 of 2 sessions" in text
    hidden = window.button("statusSkipped")
    window.until(lambda: hidden.text() == "1 file not shown")
    assert "pipe.json" in hidden.toolTip()
    window.press("statusSkipped")
    told = window.window.notices.details.text
    assert told.isVisible()
    assert told.toPlainText() == "pipe.json: not a file of a run: a folder"
    window.click("one")
    window.until(lambda: "count the" in window.window.detail.transcript.plain_text())
    tabs = window.window.findChild(QTabWidget, "detailTabs")
    assert [tabs.tabText(n) for n in range(tabs.count())] == [
        "Transcript",
        "Configuration",
        "Activity",
        "Records",
    ]


def test_first_run_then_a_run_appears(opened: Open, store: FileRunStore) -> None:
    window = opened()
    window.until(lambda: window.window.pages.currentIndex() == 1)
    assert window.window.first_run.isVisible()
    window.until(lambda: "No sessions" in window.window.status.counts.text())
    sources = [entry for entry in window.window.filters.entries() if entry.kind == "source"]
    assert [(entry.text, entry.count) for entry in sources] == [("fisk-ai", 0), ("Reasonix", 0)]
    more = window.window.toolbar.findChild(QToolButton, "moreWays")
    assert not more.isEnabled(), "its menu would hold nothing that can be done"
    assert more.toolTip() == window.window.verbs.resume.toolTip()
    suspended_runs(store, "first")
    window.until_listed("first")
    assert window.window.pages.currentIndex() == 0
    assert window.window.list.current_id() == "first"
    assert window.window.list.selected_ids() == ["first"]
    assert window.window.verbs.resume.isEnabled(), "the verbs are for what is shown"
    assert more.isEnabled()
    assert more.toolTip() != window.window.verbs.resume.toolTip()
    sources = [entry for entry in window.window.filters.entries() if entry.kind == "source"]
    assert [(entry.text, entry.count) for entry in sources] == [("fisk-ai", 1)]


def test_samples_from_the_first_run_page(opened: Open, folder: Path) -> None:
    window = opened()
    window.until(window.window.first_run.isVisible)
    window.press("trySamples")
    window.until_listed("orders-report", "cow-jokes")
    assert window.window.context.runs_dir != folder
    assert len({window.status(each) for each in window.ids()}) > 5, "samples of every state"
    window.until(lambda: "demo" in window.window.status.path.text())
    assert list(folder.iterdir()) == []


def test_opens_the_session_of_the_command_line(
    opened: Open, store: FileRunStore, folder: Path
) -> None:
    suspended_runs(store, "one", "two", "three")
    window = opened("two")
    window.until_listed("one", "two", "three")
    window.until(lambda: window.window.detail.session_id == "two")
    window.window.close()
    window = opened(str(folder / "three.json"))
    window.until(lambda: window.window.detail.session_id == "three")


def test_follows_a_run_that_another_process_writes(
    opened: Open, store: FileRunStore, folder: Path
) -> None:
    suspended_runs(store, "older", "rest")
    window = opened()
    window.until_listed("older", "rest")
    window.click("rest")
    writer = python(
        "import sys\n"
        "from tenuto.runs.file import FileRunStore\n"
        "from tests.support.store import end, meta, result, turn\n"
        "with FileRunStore(sys.argv[1]).create('live', meta('live')) as journal:\n"
        "    for number in range(int(sys.stdin.readline())):\n"
        "        journal.append(turn(number)); journal.append(result(number))\n"
        "    sys.stdin.readline()\n"
        "    journal.append(end('completed'))\n",
        folder,
        stdin=subprocess.PIPE,
    )
    try:
        assert writer.stdin is not None
        window.until(lambda: window.status("live") == "running")
        assert window.ids()[0] == "live"
        writer.stdin.write(b"3\n")
        writer.stdin.flush()
        window.until(lambda: window.window.sessions.summary("live").turns == 3)
        assert window.window.list.current_id() == "rest", "the selection moved"
        writer.stdin.write(b"\n")
        writer.stdin.flush()
        window.until(lambda: window.status("live") == "completed")
    finally:
        writer.communicate()
    assert writer.returncode == 0


def test_selection_and_place_are_kept(opened: Open, store: FileRunStore) -> None:
    suspended_runs(store, *(f"run{number:02}" for number in range(40)))
    window = opened()
    window.until(lambda: len(window.ids()) == 40)
    window.until_listed(*window.ids())
    view = window.window.list
    chosen = window.ids()[25]
    window.click(chosen)
    bar = view.verticalScrollBar()
    index = window.window.sessions.index(25)
    offset = view.visualRect(index).top()
    assert bar.value() > 0
    window.type(view, "run")
    window.until(lambda: window.window.toolbar.filter_edit.text() == "run")
    assert view.current_id() == chosen
    suspended_runs(store, "run99")
    window.until(lambda: "run99" in window.ids())
    row = window.window.sessions.row_of(chosen)
    assert row == 26
    assert view.current_id() == chosen
    window.window.show_all()
    assert view.current_id() == chosen
    assert abs(view.visualRect(window.window.sessions.index(row)).top() - offset) <= 60


def test_typing_filters_and_escape_clears(opened: Open, store: FileRunStore) -> None:
    suspended_runs(store, "apple", "banana")
    window = opened()
    window.until_listed("apple", "banana")
    window.click("apple")
    window.type(window.window.list, "banan")
    edit = window.window.toolbar.filter_edit
    assert edit.objectName() == "filterEdit"
    assert edit.text() == "banan"
    assert window.ids() == ["banana"]
    assert window.window.detail.session_id == "apple", "what is open stays open"
    window.type(edit, "q")
    assert window.ids() == []
    assert "bananq" in window.window.list.empty_title
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    assert window.ids() != []
    assert edit.text() == ""


def test_filter_column_counts_and_filters(opened: Open, store: FileRunStore) -> None:
    suspended_runs(store, "one", "two")
    with store.open("two") as journal:
        journal.append(end("completed"))
    window = opened()
    window.until_listed("one", "two")
    column = window.window.filters
    counts = {entry.key: entry.count for entry in column.entries()}
    assert (counts["all"], counts["suspended"], counts["completed"]) == (2, 1, 1)
    column.choose("facet", "completed")
    assert window.ids() == ["two"]
    column.choose("facet", "failed")
    assert window.ids() == []
    assert window.window.list.empty_title == "No failed sessions"
    QTest.mouseClick(window.window.list_pane.all_button, Qt.MouseButton.LeftButton)
    assert len(window.ids()) == 2


def test_context_menu_says_why_not(opened: Open, store: FileRunStore, folder: Path) -> None:
    suspended_runs(store, "rest")
    make_run(store, "held")
    holder = subprocess.Popen(
        holding_process(folder / "held.lock"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        window = opened()
        window.until_listed("rest", "held")
        window.until(lambda: window.status("held") == "running")
        menu = window.menu("held")
        assert menu.toolTipsVisible()
        for name in ("actionResume", "actionResumeForce", "actionDelete"):
            assert not menu_action(menu, name).isEnabled()
            assert "running" in reason(menu_action(menu, name))
        assert "started elsewhere" in reason(menu_action(menu, "actionSuspend"))
        assert menu_action(menu, "actionCopyId").isEnabled()
        close_popups()
        menu = window.menu("rest")
        for name in ("actionResume", "actionResumeForce", "actionDelete", "actionCopyCommand"):
            assert menu_action(menu, name).isEnabled(), name
        assert not menu_action(menu, "actionSuspend").isEnabled()
        close_popups()
    finally:
        holder.communicate()
    window.until(lambda: window.status("held") == "interrupted")


def test_copies(opened: Open, store: FileRunStore, folder: Path) -> None:
    suspended_runs(store, "rest")
    window = opened()
    window.until_listed("rest")
    window.choose("rest", "actionCopyId")
    assert QGuiApplication.clipboard().text() == "rest"
    window.choose("rest", "actionCopyCommand")
    words = QGuiApplication.clipboard().text()
    assert words.startswith("tenuto resume rest --config")
    assert str(folder) in words


def test_delete_and_undo(opened: Open, store: FileRunStore, folder: Path) -> None:
    suspended_runs(store, "keep", "bin")
    before = (folder / "bin.json").read_bytes()
    window = opened()
    window.until_listed("keep", "bin")
    assert not window.window.verbs.undo_delete.isEnabled()
    window.choose("bin", "actionDelete")
    window.until(lambda: window.ids() == ["keep"])
    assert not (folder / "bin.json").exists()
    window.until(lambda: "Deleted" in window.notice())
    window.press("noticeUndo")
    window.until_listed("keep", "bin")
    assert (folder / "bin.json").read_bytes() == before
    assert window.notice() == ""
    window.until(lambda: window.window.detail.session_id == "bin")


def test_delete_several_and_undo_by_key(opened: Open, store: FileRunStore, folder: Path) -> None:
    suspended_runs(store, "keep", "one", "two")
    window = opened()
    window.until_listed("keep", "one", "two")
    window.click("one")
    window.click("two", keep=True)
    assert sorted(window.window.list.selected_ids()) == ["one", "two"]
    assert not window.window.verbs.resume.isEnabled()
    window.window.verbs.delete.trigger()
    window.until(lambda: window.ids() == ["keep"])
    window.until(lambda: "Deleted 2 sessions" in window.notice())
    window.window.verbs.undo_delete.trigger()
    window.until_listed("keep", "one", "two")


def test_a_delete_that_fails_says_so(opened: Open, store: FileRunStore, folder: Path) -> None:
    """The run is taken by another process between the menu and the command."""
    suspended_runs(store, "rest")
    window = opened()
    window.until_listed("rest")
    window.click("rest")
    holder = subprocess.Popen(
        holding_process(folder / "rest.lock"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        window.window.verbs.delete.trigger()
        window.until(lambda: "could not be deleted" in window.notice())
        assert (folder / "rest.json").exists()
    finally:
        holder.communicate()


def test_hostile_words_stay_words(opened: Open, folder: Path) -> None:
    """Markup, bidi overrides and control characters of a journal are shown, not obeyed."""
    from tests.support.journals import meta, terminal

    prompt = "<b>bold</b><img src=file:///etc/passwd>\u202egnp.exe\x1b[31m"
    (folder / "evil.json").write_bytes(meta(run_id="evil", prompt=prompt) + terminal(2))
    window = opened()
    window.until_listed("evil")
    title = window.window.sessions.summary("evil").title
    assert "<b>bold</b>" in title
    assert "\u202e" not in title
    assert "\x1b" not in title
    for label in window.window.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText or not label.text(), label.objectName()


def test_narrow_window(opened: Open, store: FileRunStore) -> None:
    suspended_runs(store, "one")
    window = opened()
    window.until_listed("one")
    main = window.window
    line = main.context.theme.fonts.line_height("body") / 18
    main.resize(round(900 * max(1, line)), 700)
    window.until(lambda: not main.filters.isVisible())
    assert main.list_pane.header.folded.isVisible()
    main.resize(round(700 * max(1, line)), 700)
    window.until(lambda: not main.detail.isVisible())
    window.click("one")
    QTest.keyClick(main.list, Qt.Key.Key_Return)
    window.until(lambda: main.detail.isVisible() and not main.list_pane.isVisible())
    main.verbs.back.trigger()
    window.until(lambda: main.list_pane.isVisible() and not main.detail.isVisible())


def test_state_is_kept(opened: Open, store: FileRunStore) -> None:
    suspended_runs(store, "one")
    window = opened()
    window.until_listed("one")
    window.window.inner.moveSplitter(420, 1)
    width, size = window.window.list_pane.width(), window.window.size()
    window.window.close()
    again = opened()
    again.window.resize(size)  # Qt fits a window that comes back to the screen
    assert again.window.list_pane.width() == width != DEFAULT_LIST


def test_dark_and_back(opened: Open, store: FileRunStore) -> None:
    suspended_runs(store, "one")
    window = opened()
    window.until_listed("one")
    light = window.window.grab().toImage()
    window.window.verbs.theme.trigger()
    assert light.pixelColor(300, 600).lightness() > 200
    # Qt hands a palette down when events are handled next.
    window.until(lambda: window.window.grab().toImage().pixelColor(300, 600).lightness() < 60)
    assert load().settings.theme == "dark"
    window.window.verbs.theme.trigger()
    window.until(lambda: window.window.grab().toImage().pixelColor(300, 600).lightness() > 200)
    assert load().settings.theme == "system", "the other scheme is the system's own"
