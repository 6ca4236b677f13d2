# SPDX-License-Identifier: Apache-2.0
"""The Records view: real files, whole and broken, repaired by the real command line."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabWidget
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto_gui.context import AppContext
from tenuto_gui.records.model import RecordModel
from tenuto_gui.records.page import FIRST
from tenuto_gui.records.view import RecordsView
from tests.gui.driver import Driver
from tests.gui.parts import context, summary
from tests.support import journals as j
from tests.support.cli import held, put
from tests.support.paths import FISK_REAL

PATIENCE = 30_000
Until = Callable[[Callable[[], object]], None]


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    with context(folder) as each:
        yield each


@pytest.fixture
def view(records_view: RecordsView) -> RecordsView:
    return records_view


@pytest.fixture
def until(qtbot: QtBot) -> Until:
    def wait(condition: Callable[[], object]) -> None:
        qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE)

    return wait


def show(view: RecordsView, made: AppContext, qtbot: QtBot, id: str = "r") -> str:
    with qtbot.waitSignal(view.shown, timeout=PATIENCE):
        view.set_session(summary(made.source, id))
    view.grab()
    return view.plain_text()


def glued(folder: Path) -> bytes:
    """A torn record, the next one on its line; answers the torn bytes."""
    torn = j.result(3, "c1")[:60]
    lines = [j.meta(run_id="r"), j.assistant(2, [j.call("c1")], stop_reason="tool_use"),
             torn + j.result(3, "c1"), j.assistant(4, [j.text("Two bags.")], iteration=1),
             j.terminal(5)]  # fmt: skip
    put(folder, "r", *lines)
    return torn


def lost(folder: Path) -> None:
    """A record of which nothing is left."""
    put(folder, "r", j.meta(run_id="r"), j.assistant(2, [j.call("c1")]), b'{"seq":3,"pro\xff\n',
        j.assistant(4, [j.text("b")], iteration=1))  # fmt: skip


def cells(view: RecordsView) -> list[list[str]]:
    model = view.model
    return [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


# --- what is shown --------------------------------------------------------------------------------


def test_every_record_is_a_row(made: AppContext, view: RecordsView, qtbot: QtBot) -> None:
    put(made.runs_dir, "r", *j.three_records(), j.terminal(4))
    text = show(view, made, qtbot)
    assert cells(view) == [
        ["1", "meta", "claude-sonnet-5: Count the rice", str(len(j.meta()) - 1)],
        ["2", "assistant", "Turn 1: text, calls stock_list", cells(view)[1][3]],
        ["3", "tool_result", "stock_list done", cells(view)[2][3]],
        ["4", "terminal", "suspended", cells(view)[3][3]],
    ]
    # The end is what one wants to see first.
    assert "line 4 of 4" in text
    assert '"reason": "suspended"' in text
    assert not view.bar.isVisible()
    index = view.model.index(1, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole).startswith("2, assistant, Turn 1")


@pytest.mark.parametrize("name", ["suspended", "killed-in-tool", "denied", "unicode", "completed"])
def test_a_real_run_is_shown_token_for_token(
    made: AppContext, view: RecordsView, qtbot: QtBot, name: str
) -> None:
    shutil.copy(FISK_REAL / f"runs/{name}.json", made.runs_dir / f"{name}.json")
    path = made.runs_dir / f"{name}.json"
    path.chmod(0o600)
    show(view, made, qtbot, name)
    lines = path.read_bytes().splitlines()
    for number, line in enumerate(lines):
        if number != view.table.currentIndex().row():
            with qtbot.waitSignal(view.shown, timeout=PATIENCE):
                view.table.choose(number)
        if line.isascii():
            assert json.loads(view.chosen.text.toPlainText()) == json.loads(line)


def test_keys_and_slider_go_through_the_records(
    made: AppContext, view: RecordsView, qtbot: QtBot, until: Until
) -> None:
    put(made.runs_dir, "r", *j.three_records(), j.terminal(4))
    show(view, made, qtbot)
    table, slider = view.table, view.steps.slider
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Up)
    assert (table.currentIndex().row(), slider.value()) == (2, 2)
    QTest.keyClick(table, Qt.Key.Key_Home)
    assert (table.currentIndex().row(), slider.value()) == (0, 0)
    assert not view.steps.back_button.isEnabled()
    QTest.mouseClick(view.steps.next_button, Qt.MouseButton.LeftButton)
    assert table.currentIndex().row() == 1
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert table.currentIndex().row() == 2
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 9, 10))
    assert table.currentIndex().row() == 3
    until(lambda: "Record 4, terminal" in view.plain_text())
    with qtbot.waitSignal(view.block_chosen) as signal:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert signal.args == [4, 0]


def test_a_long_record_is_shown_in_part_until_asked_for(
    made: AppContext, view: RecordsView, qtbot: QtBot, until: Until
) -> None:
    words = "word " * (FIRST // 4)
    put(made.runs_dir, "r", j.meta(), j.assistant(2, [j.text(words)]))
    text = show(view, made, qtbot)
    assert "The first 64" in text
    assert len(view.chosen.text.toPlainText()) < FIRST + 4096
    assert max(map(len, view.chosen.text.toPlainText().splitlines())) <= 800
    QTest.mouseClick(view.chosen.all_button, Qt.MouseButton.LeftButton)
    until(lambda: len(view.chosen.text.toPlainText()) > len(words))
    assert not view.chosen.all_button.isVisible()
    QTest.mouseClick(view.chosen.copy_button, Qt.MouseButton.LeftButton)
    until(lambda: words in QGuiApplication.clipboard().text())


def test_foreign_text_is_harmless(made: AppContext, view: RecordsView, qtbot: QtBot) -> None:
    bad = "a\u202eb\x1b[2J<b>\x07"
    call = {"tool_use": {"id": "x", "name": bad, "input": {"k": bad}}}
    put(made.runs_dir, "r", j.meta(prompt=bad), j.assistant(2, [call, j.text(bad)]))
    text = show(view, made, qtbot)
    for shown in (text, *(cell for row in cells(view) for cell in row)):
        assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", shown)
    assert "a<U+202E>b" in text


@pytest.mark.parametrize(
    ("lines", "words"),
    [((), "The journal holds no records"), ((j.meta(version=9), b"{}\n"), "line 2 of 2")],
    ids=["empty", "newer"],
)
def test_nothing_is_hidden(
    made: AppContext,
    view: RecordsView,
    until: Until,
    lines: tuple[bytes, ...],
    words: str,
) -> None:
    put(made.runs_dir, "r", *lines)
    view.set_session(summary(made.source, "r"))
    until(lambda: words in view.plain_text())
    assert not view.bar.isVisible()
    if lines:
        assert cells(view)[0][1:3] == ["meta", "written by a newer version, not read"]


def test_a_run_that_is_gone_is_said(made: AppContext, view: RecordsView, until: Until) -> None:
    path = put(made.runs_dir, "r", *j.three_records())
    row = summary(made.source, "r")
    path.unlink()
    view.set_session(row)
    until(lambda: "there is no run r" in view.plain_text())
    view.set_session(None)
    assert view.plain_text() == "No session is chosen"


# --- following ------------------------------------------------------------------------------------


def test_the_end_is_followed_until_another_record_is_chosen(
    made: AppContext, view: RecordsView, qtbot: QtBot, until: Until
) -> None:
    path = put(made.runs_dir, "r", *j.three_records())

    def grow(seq: int) -> None:
        with path.open("ab") as file:
            file.write(j.assistant(seq, [j.text(f"reply {seq}")], iteration=seq))
        view.set_session(summary(made.source, "r"))
        until(lambda: view.model.rowCount() == seq)

    show(view, made, qtbot)
    grow(4)
    assert view.table.currentIndex().row() == 3
    view.table.setFocus()
    QTest.keyClick(view.table, Qt.Key.Key_Home)
    grow(5)
    assert view.table.currentIndex().row() == 0
    QTest.keyClick(view.table, Qt.Key.Key_End)
    grow(6)
    until(lambda: "reply 6" in view.plain_text())


def test_half_a_line_of_a_live_run_is_no_damage(
    made: AppContext, view: RecordsView, until: Until
) -> None:
    path = put(made.runs_dir, "r", *j.three_records())
    with FileRunStore(made.runs_dir).open("r"):
        with path.open("ab") as file:
            file.write(j.terminal(4)[:20])
        view.set_session(summary(made.source, "r"))
        until(lambda: view.model.rowCount() == 3)
        assert not view.bar.isVisible()
    view.set_session(summary(made.source, "r"))
    until(view.bar.isVisible)
    assert cells(view)[3][:3] == ["line 4", "cut off", "A record that was not written to its end"]


def test_nothing_is_read_while_nobody_looks(
    made: AppContext, view: RecordsView, qtbot: QtBot
) -> None:
    put(made.runs_dir, "r", *j.three_records())
    view.hide()
    view.set_session(summary(made.source, "r"))
    assert not view._loader.busy
    with qtbot.waitSignal(view.shown, timeout=PATIENCE):
        view.show()
    assert view.model.rowCount() == 3


def test_rows_come_in_pieces_and_the_newest_wish_wins(
    made: AppContext, view: RecordsView, until: Until
) -> None:
    many = [j.assistant(seq, [j.text("a")], iteration=seq) for seq in range(2, 12_002)]
    put(made.runs_dir, "many", j.meta(), *many)
    put(made.runs_dir, "few", *j.three_records())
    for id in ("many", "few", "many"):
        view.set_session(summary(made.source, id))
    until(lambda: view.model.rowCount() == 12_001)
    until(lambda: "Record 12,001, assistant" in view.plain_text())
    assert view.steps.slider.maximum() == 12_000


# --- damage and repair ----------------------------------------------------------------------------


def test_damage_stands_in_its_place_with_the_cut(
    made: AppContext, view: RecordsView, until: Until
) -> None:
    torn = glued(made.runs_dir)
    view.set_session(summary(made.source, "r"))
    until(lambda: "a whole record follows on the same line" in view.plain_text())
    assert view.table.currentIndex().row() == 2
    assert cells(view)[2][:3] == [
        "line 3",
        "damaged",
        "A record was cut off; the next one was written onto its line",
    ]
    assert [row[0] for row in cells(view)] == ["1", "2", "line 3", "4", "5"]
    text = view.plain_text()
    assert "Line 3 of this journal cannot be read" in text
    assert "2 records before it and 2 after it are intact" in text
    assert "Repair can keep 5 whole records" in text
    lines = view.chosen.text.toPlainText().splitlines()
    assert lines[0] == torn.decode()
    assert f"after column {len(torn)}" in lines[1]
    assert '"tool_use_id": "c1",' in "\n".join(lines)
    view.grab()


def test_repair_says_what_it_does_and_does_it(
    made: AppContext, view: RecordsView, qtbot: QtBot, until: Until
) -> None:
    torn = glued(made.runs_dir)
    path = made.runs_dir / "r.json"
    before = path.read_bytes()
    view.set_session(summary(made.source, "r"))
    button = view.bar.repair_button
    until(lambda: button.isVisible() and button.isEnabled())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert "Repair this journal? 5 records will be kept, byte for byte" in view.plain_text()
    QTest.mouseClick(view.bar.cancel_button, Qt.MouseButton.LeftButton)
    assert "cannot be read" in view.bar.accessibleName()
    assert path.read_bytes() == before
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(view.repaired, timeout=PATIENCE) as signal:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert signal.args == ["r"]
    assert path.read_bytes() == before.replace(torn + b"{", b"{", 1)
    assert (made.runs_dir / "r.doctor-1.bak").read_bytes() == before
    view.set_session(summary(made.source, "r"))
    until(lambda: view.model.rowCount() == 5 and not view.model.damage)
    said = view.bar.accessibleName()
    assert "The journal is repaired The journal holds 5 whole records." in said
    assert f"{len(torn)} bytes are set aside in r.torn." in said
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not view.bar.isVisible()


def test_what_is_lost_is_not_made_up(made: AppContext, view: RecordsView, until: Until) -> None:
    lost(made.runs_dir)
    view.set_session(summary(made.source, "r"))
    until(lambda: "It cannot be repaired" in view.plain_text())
    assert not view.bar.repair_button.isEnabled()
    assert "cannot be recovered" in view.bar.repair_button.toolTip()
    until(lambda: "\\xff" in view.chosen.text.toPlainText())
    QTest.mouseClick(view.bar.copy_button, Qt.MouseButton.LeftButton)
    report = QGuiApplication.clipboard().text()
    assert "line 3, byte" in report
    assert report.startswith("r\n")


def test_a_run_in_use_is_not_repaired(made: AppContext, view: RecordsView, until: Until) -> None:
    glued(made.runs_dir)
    before = (made.runs_dir / "r.json").read_bytes()
    view.set_session(summary(made.source, "r"))
    button = view.bar.repair_button
    until(lambda: button.isVisible() and button.isEnabled())
    # Somebody begins while the operator makes up their mind.
    with held(made.runs_dir / "r.lock"):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        until(lambda: "could not be repaired" in view.bar.accessibleName())
        assert "Nothing has been changed." in view.bar.accessibleName()
        assert (made.runs_dir / "r.json").read_bytes() == before


def test_next_damage_goes_round(made: AppContext, view: RecordsView, until: Until) -> None:
    lines = [j.meta(run_id="r")]
    for seq in range(2, 40):
        text = j.assistant(seq, [j.text("a")], iteration=seq)
        lines.append(b"?\xff\n" if seq in (9, 30) else text)
    put(made.runs_dir, "r", *lines)
    view.set_session(summary(made.source, "r"))
    until(lambda: view.model.damage == [8, 29])
    until(lambda: view.table.currentIndex().row() == 8)
    places = []
    for _ in range(3):
        QTest.mouseClick(view.steps.damage_button, Qt.MouseButton.LeftButton)
        places.append(view.table.currentIndex().row())
    assert places == [29, 8, 29]
    assert "2 lines of this journal cannot be read" in view.bar.accessibleName()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_paint_damage(
    made: AppContext, view: RecordsView, until: Until, scheme: str
) -> None:
    glued(made.runs_dir)
    made.theme.set_choice(scheme)
    view.set_session(summary(made.source, "r"))
    until(lambda: "a whole record follows" in view.plain_text())
    rect = view.table.visualRect(view.model.index(2, 2))
    image = view.table.viewport().grab().toImage()
    spot = image.pixelColor(rect.right() - 20, rect.top() + 4)
    assert spot.name() == made.theme.name("damg_tint")
    # Under the pointer is a row, as it is a row that a click chooses.
    rect = view.table.visualRect(view.model.index(1, 2))
    QTest.mouseMove(view.table.viewport(), rect.center())
    until(lambda: _ground(view, 1) == [made.theme.name("hover")] * 4)
    QTest.mouseMove(view.table.viewport(), view.table.viewport().rect().bottomLeft())
    until(lambda: made.theme.name("hover") not in _ground(view, 1))
    view.resize(360, 500)
    view.grab()


def _ground(view: RecordsView, row: int) -> list[str]:
    """The colour behind each cell of a row."""
    image = view.table.viewport().grab().toImage()
    cells = [view.table.visualRect(view.model.index(row, column)) for column in range(4)]
    return [image.pixelColor(cell.right() - 2, cell.top() + 3).name() for cell in cells]


def test_the_window_leads_from_damage_to_its_bytes_and_back(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    glued(folder)
    driver = Driver(qtbot, folder)
    driver.until_listed("r")
    driver.click("r")
    detail = driver.window.detail
    tabs = driver.window.findChild(QTabWidget, "detailTabs")
    view = driver.window.findChild(RecordsView, "recordsView")
    transcript = detail.transcript
    driver.until(lambda: any(b.notice == "damaged" for b in transcript.blocks))
    row = next(n for n, b in enumerate(transcript.blocks) if b.notice == "damaged")
    link = transcript.shape_of(row).links[-1]
    assert link.text == "Show in Records"
    place = transcript.row_rect(row).topLeft() + link.rect.center()
    QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert tabs.currentWidget() is view
    driver.until(lambda: view.table.currentIndex().row() == 2)
    view.table.choose(3)
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    assert tabs.currentWidget() is transcript
    assert transcript.blocks[transcript.current].seq == 4
    # The list learns of a repair by itself.
    assert driver.status("r") == "damaged"
    tabs.setCurrentWidget(view)
    driver.press("repairJournal")
    driver.press("repairJournal")
    driver.until(lambda: driver.status("r") == "suspended")


def test_the_model_alone() -> None:
    model = RecordModel()
    assert model.damage_after(0) == -1
    assert model.row_at(100) == -1
    assert model.data(model.index(3, 3)) is None
    assert model.headerData(7, Qt.Orientation.Horizontal) is None
