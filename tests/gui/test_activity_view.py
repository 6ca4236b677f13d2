# SPDX-License-Identifier: Apache-2.0
"""The Activity view: real files, with times and without, read in the background and followed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabWidget
from pytestqt.qtbot import QtBot

from tenuto.runs import ask as ask_file
from tenuto.runs.file import FileRunStore
from tenuto_gui.activity.board import Board
from tenuto_gui.activity.view import ActivityView
from tenuto_gui.context import AppContext
from tests.core.test_activity import Run
from tests.gui.driver import Driver
from tests.gui.parts import context, summary
from tests.support import journals as j
from tests.support.cli import put
from tests.support.paths import FISK_REAL

PATIENCE = 20_000
Until = Callable[[Callable[[], object]], None]


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    with context(folder) as each:
        yield each


@pytest.fixture
def view(made: AppContext, qtbot: QtBot) -> Iterator[ActivityView]:
    each = ActivityView(made)
    qtbot.addWidget(each)
    each.resize(868, 700)
    each.show()
    yield each
    each.shutdown()


@pytest.fixture
def until(qtbot: QtBot) -> Until:
    def wait(condition: Callable[[], object]) -> None:
        qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE)

    return wait


def two_days(run: Run) -> Run:
    """Asked for half an hour, suspended over night, one error."""
    run.turn(5, 3000, "a", iteration=0, cache_create_tokens=90)
    run.result("a", 1806, 1000)
    run.turn(1810, 4000, "b", iteration=1, cache_read_tokens=90)
    run.result("b", 1812, 1500, content='{"command":"x","exit_code":3,"output":"no\\nshelf"}')
    run.end(1812)
    run.turn(90_000, 5000, iteration=2)
    run.end(90_000, "completed")
    return run


def show(view: ActivityView, made: AppContext, qtbot: QtBot, id: str = "r") -> str:
    with qtbot.waitSignal(view.shown, timeout=PATIENCE):
        view.set_session(summary(made.source, id))
    view.grab()
    return plain(view)


def plain(view: ActivityView) -> str:
    return view.plain_text().replace("\u202f", " ")


def middle(board: Board, item: int) -> QPoint:
    return board.viewport_rect(item).center()


def click(board: Board, item: int) -> None:
    QTest.mouseClick(board.viewport(), Qt.MouseButton.LeftButton, pos=middle(board, item))


# --- what is shown --------------------------------------------------------------------------------


def test_a_run_over_two_days(made: AppContext, view: ActivityView, qtbot: QtBot) -> None:
    two_days(Run(made.runs_dir))
    text = show(view, made, qtbot)
    for words in (
        "At work 14 s 0 %",
        "Waited for you 30 m",
        "Suspended 1 d",
        "Errors 1 of 2 calls",
        "waited for you, 30 m",
        "turn 3: model, 5.0 s",
        "stock_list, turn 2, 1.5 s, exit 3",
        "Times as Tenuto saw the records arrive",
        "It fell to 0 after a break, in 1 turn: 3",
        "turn 2: 90 from cache, 0 to cache, 10 other input, 2 output tokens; 90 % of the input",
    ):
        assert words in text, words
    assert view.timeline.lanes() == ["Model", "You", "stock_list"]
    folded = [fold.gap.kind for fold in view.timeline._axis.folds]
    assert folded == ["wait", "suspended"]


def test_without_times_it_goes_by_turn_and_says_so(
    made: AppContext, view: ActivityView, qtbot: QtBot
) -> None:
    shutil.copy(FISK_REAL / "runs/suspended.json", made.runs_dir / "suspended.json")
    (made.runs_dir / "suspended.json").chmod(0o600)
    text = show(view, made, qtbot, "suspended")
    assert "By turn: a journal holds no times" in text
    assert "From start to end" not in text
    assert "Turns" in text
    assert not re.search(r"\d (s|m|h)\b", text), "a duration that nobody saw"


def test_turns_that_ran_unseen_are_named(
    made: AppContext, view: ActivityView, qtbot: QtBot
) -> None:
    run = Run(made.runs_dir)
    run.turn(None, None, iteration=0)
    run.turn(None, None, iteration=1)
    run.turn(30, 2000, iteration=2)
    assert "2 turns ran unseen and have no bar (1\u20132)" in show(view, made, qtbot)


def test_foreign_names_and_outputs_are_harmless(
    made: AppContext, view: ActivityView, qtbot: QtBot
) -> None:
    call = {"tool_use": {"id": "a", "name": "rm\u202e<b>\x1b[2J", "input": {"x": "<i>\x07"}}}
    put(made.runs_dir, "r", j.meta(), j.assistant(2, [call]), j.line(3, "tool_result", {
        "tool_use_id": "a",
        "result": {"tool_use_id": "a", "content": "\x1b]0;t\x07<b>\u2066", "is_error": True},
    }))  # fmt: skip
    text = show(view, made, qtbot)
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e\u2066]", text)
    assert "rm<U+202E><b>" in text


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((), "The model has not answered yet"),
        ((j.meta(),), "The model has not answered yet"),
        ((j.meta(version=9),), "written in journal version 9"),
    ],
    ids=["empty", "prompt alone", "newer"],
)
def test_nothing_to_show_is_said(
    made: AppContext, view: ActivityView, qtbot: QtBot, lines: tuple[bytes, ...], words: str
) -> None:
    put(made.runs_dir, "r", *lines)
    assert words in show(view, made, qtbot)


def test_damage_does_not_end_it(made: AppContext, view: ActivityView, qtbot: QtBot) -> None:
    put(made.runs_dir, "r", j.meta(), j.assistant(2, [j.call("a")]), b"?\xff\n",
        j.assistant(4, [j.text("b")], iteration=1))  # fmt: skip
    assert "turn 2: 0 from cache" in show(view, made, qtbot)


def test_a_run_that_is_gone_is_said(made: AppContext, view: ActivityView, until: Until) -> None:
    path = put(made.runs_dir, "r", *j.three_records())
    row = summary(made.source, "r")
    path.unlink()
    view.set_session(row)
    until(lambda: "there is no run r" in plain(view))
    view.set_session(None)
    assert plain(view) == "No session is chosen"


# --- following ------------------------------------------------------------------------------------


def test_it_grows_with_the_run(
    made: AppContext, view: ActivityView, qtbot: QtBot, until: Until
) -> None:
    run = Run(made.runs_dir)
    run.turn(5, 3000, "a", iteration=0)
    assert "Errors 0 of 1 call," not in show(view, made, qtbot)
    run.result("a", 7, 1000, error=True)
    run.turn(9, 1000, iteration=1)
    view.set_session(summary(made.source, "r"))
    until(lambda: "Errors 1 of 1 call" in plain(view) and "turn 2: model" in plain(view))


def test_what_is_going_on_now_has_a_bar(
    made: AppContext, view: ActivityView, qtbot: QtBot, until: Until
) -> None:
    store = FileRunStore(made.runs_dir)
    run = Run(made.runs_dir)
    run.turn(5, 3000, "a", iteration=0)
    with store.open("r"):
        row = summary(made.source, "r")
        assert row.status == "running"
        show(view, made, qtbot)
        assert [span.live for span in view.activity.spans][-1]
        assert "stock_list, turn 1, running" in plain(view)
        first = view.activity.ended
        # It goes on by itself, while nothing is written.
        until(lambda: view.activity.ended != first)
        ask_file.write(made.runs_dir, "r", {"type": "ask", "id": "q", "kind": "approve"})
        view.set_session(summary(made.source, "r"))
        until(lambda: view.activity.spans[-1].kind == "you")
    view.set_session(summary(made.source, "r"))
    until(lambda: not view._live.isActive() and len(view.activity.spans) == 1)


def test_nothing_is_read_while_nobody_looks(
    made: AppContext, view: ActivityView, qtbot: QtBot
) -> None:
    put(made.runs_dir, "r", *j.three_records())
    view.hide()
    view.set_session(summary(made.source, "r"))
    assert view._reader is None
    assert not view._busy
    with qtbot.waitSignal(view.shown, timeout=PATIENCE):
        view.show()
    assert view.activity.calls == 1


def test_the_newest_wish_wins(made: AppContext, view: ActivityView, until: Until) -> None:
    for number in range(6):
        run = Run(made.runs_dir, f"r{number}")
        for turn in range(number + 1):
            run.turn(turn, 500, iteration=turn)
        view.set_session(summary(made.source, f"r{number}"))
    until(lambda: len(view.activity.turns) == 6)


# --- pointer and keys -----------------------------------------------------------------------------


def test_a_bar_leads_to_its_block(made: AppContext, view: ActivityView, qtbot: QtBot) -> None:
    two_days(Run(made.runs_dir))
    show(view, made, qtbot)
    wanted = [(s.place.seq, s.place.index) for s in view.activity.spans]
    found: list[tuple[int, int]] = []
    view.block_chosen.connect(lambda seq, index: found.append((seq, index)))
    for item in range(view.timeline.count()):
        click(view.timeline, item)
    assert found == wanted == [(2, 0), (2, 1), (2, 1), (4, 0), (4, 1), (7, 0)]
    found.clear()
    click(view.tokens, 2)
    click(view.tools, 0)
    click(view.tools, 1)
    assert found == [(7, 0), (4, 1), (4, 1)]


def test_everything_is_reached_by_keys(made: AppContext, view: ActivityView, qtbot: QtBot) -> None:
    two_days(Run(made.runs_dir))
    show(view, made, qtbot)
    board = view.timeline
    board.setFocus(Qt.FocusReason.TabFocusReason)
    assert board.current == 0
    assert board.accessibleDescription().replace("\u202f", " ").startswith("turn 1: model, 3.0 s")
    QTest.keyClick(board, Qt.Key.Key_Right)
    QTest.keyClick(board, Qt.Key.Key_Right)
    assert "stock_list" in board.accessibleDescription()
    with qtbot.waitSignal(view.block_chosen) as signal:
        QTest.keyClick(board, Qt.Key.Key_Return)
    assert signal.args == [2, 1]
    QTest.keyClick(board, Qt.Key.Key_End)
    assert board.current == board.count() - 1
    tools = view.tools
    tools.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(tools, Qt.Key.Key_Down)
    with qtbot.waitSignal(view.block_chosen) as signal:
        QTest.keyClick(tools, Qt.Key.Key_Space)
    assert signal.args == [4, 1]


def test_many_turns_scroll_and_stay_quick(
    made: AppContext, view: ActivityView, qtbot: QtBot
) -> None:
    lines = [j.meta()]
    for turn in range(3000):
        seq = 2 + turn * 2
        lines += [j.assistant(seq, [j.call("a")], iteration=turn), j.result(seq + 1, "a")]
    put(made.runs_dir, "r", *lines)
    show(view, made, qtbot)
    for board in (view.timeline, view.tokens):
        assert board.horizontalScrollBar().maximum() > 0
        board.set_current(board.count() - 1)
        board.grab()
        rect = board.viewport_rect(board.count() - 1)
        assert board.viewport().rect().contains(rect.center())
        # What is painted is what is in sight.
        left = board.horizontalScrollBar().value()
        assert len(board._between(left, left + board.viewport().width())) < 250


def test_narrow_it_stands_one_above_the_other(
    made: AppContext, view: ActivityView, qtbot: QtBot, until: Until
) -> None:
    two_days(Run(made.runs_dir))
    show(view, made, qtbot)
    until(lambda: view.tools.mapTo(view, QPoint()).x() > 0)
    assert view.tools.mapTo(view, QPoint()).x() > view.tokens.mapTo(view, QPoint()).x()
    wide = view.facts.height()
    view.resize(360, 700)
    until(lambda: view.tools.mapTo(view, QPoint()).x() == 0)
    assert view.tokens.mapTo(view, QPoint()).x() == 0
    assert view.facts.height() > wide


def test_times_end_with_the_grid(
    made: AppContext, view: ActivityView, qtbot: QtBot, until: Until
) -> None:
    two_days(Run(made.runs_dir))
    show(view, made, qtbot)
    board = view.timeline
    end = board._label + board._width
    width = round(made.theme.fonts.metrics("small").horizontalAdvance("00:00")) + 1
    assert board._place_of_time(end - width, "00:00") is None
    place = board._place_of_time(end - width - 3, "00:00")
    assert place is not None
    assert place.right() < end <= board.viewport().width()
    # So does the cross of a call that failed at the very end.
    last, narrow = QRectF(end - 3, 0, 3, 12), QRectF(end - 40, 0, 3, 12)
    assert board._cross_of(last, 12) == (end - 16, False)
    assert board._cross_of(narrow, 12) == (end - 36, False)
    assert board._cross_of(QRectF(end - 40, 0, 40, 12), 12) == (end - 26, True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_paint(made: AppContext, view: ActivityView, qtbot: QtBot, scheme: str) -> None:
    two_days(Run(made.runs_dir))
    show(view, made, qtbot)
    made.theme.set_choice(scheme)
    image = view.timeline.grab().toImage()
    bar = view.timeline.viewport_rect(0)
    corner = image.pixelColor(bar.left() + 4, bar.top() + 3)
    assert corner.name() == made.theme.name("c1")


def test_the_window_goes_from_activity_to_transcript(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    two_days(Run(folder))
    driver = Driver(qtbot, folder)
    driver.until_listed("r")
    driver.click("r")
    detail = driver.window.detail
    tabs = driver.window.findChild(QTabWidget, "detailTabs")
    view = driver.window.findChild(ActivityView, "activityView")
    tabs.setCurrentWidget(view)
    driver.until(lambda: view.timeline.count() == 6)
    click(view.timeline, 4)
    driver.until(lambda: tabs.currentWidget() is detail.transcript)
    driver.until(lambda: detail.transcript.current >= 0)
    block = detail.transcript.blocks[detail.transcript.current]
    assert (block.seq, block.index, block.kind) == (4, 1, "tool_call")
