# SPDX-License-Identifier: Apache-2.0
"""The transcript view: reading, following, folding, selecting, and text that means harm."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto.sources.base import Block, SessionSummary
from tenuto.sources.transcript import RunTranscript
from tenuto_gui.context import AppContext
from tenuto_gui.runs import protocol as p
from tenuto_gui.transcript import loader
from tenuto_gui.transcript.selection import END, Place
from tenuto_gui.transcript.view import TranscriptView
from tenuto_gui.transcript.window import OutputWindow
from tests.gui.parts import context, fill, summary, transcript, turn, turns
from tests.support import journals as j
from tests.support.paths import FISK_REAL

PATIENCE = 20_000


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    with context(folder) as each:
        yield each


@pytest.fixture
def view(made: AppContext, qtbot: QtBot) -> Iterator[TranscriptView]:
    with transcript(made, qtbot) as each:
        yield each


Until = Callable[[Callable[[], object]], None]


@pytest.fixture
def until(qtbot: QtBot) -> Until:
    def wait(condition: Callable[[], object]) -> None:
        qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE)

    return wait


def put(made: AppContext, id: str, *lines: bytes) -> SessionSummary:
    path = made.runs_dir / f"{id}.json"
    path.write_bytes(b"".join(lines))
    path.chmod(0o600)
    return summary(made.source, id)


def real(made: AppContext, name: str) -> SessionSummary:
    shutil.copy(FISK_REAL / f"runs/{name}.json", made.runs_dir)
    (made.runs_dir / f"{name}.json").chmod(0o600)
    return summary(made.source, name)


def at(view: TranscriptView, row: int, inner: QPoint) -> QPoint:
    return view.row_rect(row).topLeft() + inner


def click(view: TranscriptView, point: QPoint) -> None:
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point)


# --- reading and following ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["suspended", "killed-in-tool", "denied", "unicode", "completed"])
def test_a_real_run_is_shown_whole(
    name: str, made: AppContext, view: TranscriptView, until: Until
) -> None:
    view.set_session(real(made, name))
    transcript = RunTranscript(made.runs_dir / f"{name}.json")
    transcript.refresh()
    until(lambda: view.blocks == list(transcript.blocks))
    view.grab()
    assert f"Please handle {name}" in view.plain_text()


def test_a_run_that_another_program_writes_is_followed(
    made: AppContext, view: TranscriptView, until: Until
) -> None:
    view.set_session(put(made, "r", *j.three_records()))
    until(lambda: len(view.blocks) == 4)
    for seq in range(4, 40):
        with (made.runs_dir / "r.json").open("ab") as file:
            file.write(j.assistant(seq, [j.text(f"reply {seq}")], iteration=seq))
        view.set_session(summary(made.source, "r"))
    until(lambda: "reply 39" in view.plain_text())
    assert view.following
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0


def test_reading_stays_in_place_while_a_run_goes_on(
    made: AppContext, view: TranscriptView, until: Until
) -> None:
    lines = [j.assistant(seq, [j.text(f"reply {seq}")], iteration=seq) for seq in range(2, 60)]
    view.set_session(put(made, "r", j.meta(), *lines))
    until(lambda: len(view.blocks) == 60)
    view.scroll_to_row(20)
    assert not view.following
    before = view.row_rect(20).top()
    with (made.runs_dir / "r.json").open("ab") as file:
        file.write(j.assistant(60, [j.text("more")], iteration=60))
        file.write(j.assistant(61, [j.text("and more")], iteration=61))
    view.set_session(summary(made.source, "r"))
    until(lambda: "and more" in view.plain_text())
    assert view.row_rect(20).top() == before
    assert view.pill.isVisible()
    assert view.pill.text() == "2 new"
    QTest.mouseClick(view.pill, Qt.MouseButton.LeftButton)
    assert view.following
    assert not view.pill.isVisible()
    assert view.row_rect(len(view.blocks) - 1).bottom() < view.viewport().height()


def test_another_session_takes_the_place_of_the_first(
    made: AppContext, view: TranscriptView, until: Until
) -> None:
    first, second = real(made, "suspended"), real(made, "denied")
    view.set_session(first)
    view.set_session(second)
    until(lambda: "Please handle denied" in view.plain_text())
    view.set_session(first)
    until(lambda: "Please handle suspended" in view.plain_text())
    assert "denied" not in view.plain_text()
    view.set_session(None)
    assert view.blocks == []


def test_a_session_that_is_gone_says_so(
    made: AppContext, view: TranscriptView, until: Until
) -> None:
    gone = real(made, "denied")
    os.unlink(made.runs_dir / "denied.json")
    view.set_session(gone)
    until(lambda: view._error is not None)
    assert view._error is not None
    assert view._error.kind == "not_found"
    view.grab()


def test_a_large_file_shows_its_end_first(
    made: AppContext, view: TranscriptView, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "TAIL_FIRST", 1000)
    monkeypatch.setattr(loader, "TAIL_BYTES", 4000)
    deliveries: list[loader.Delivery] = []
    view._loader.delivered.connect(deliveries.append)
    lines = [j.assistant(seq, [j.text(f"reply {seq}")], iteration=seq) for seq in range(2, 200)]
    view.set_session(put(made, "r", j.meta(), *lines, j.terminal(200)))
    until(lambda: len(deliveries) == 2)
    assert deliveries[0].partial
    assert 0 < len(deliveries[0].blocks) < 60
    assert deliveries[1].blocks[-len(deliveries[0].blocks) :] == deliveries[0].blocks
    assert len(view.blocks) == 200


# --- folds, links, keys ---------------------------------------------------------------------------


def test_thinking_opens_by_click_and_by_key(view: TranscriptView) -> None:
    fill(view, turns(3))
    row = next(i for i, b in enumerate(view.blocks) if b.kind == "thinking")
    view.go_to_start()
    assert not view.shape_of(row).opened
    header = view.shape_of(row).header
    assert header is not None
    click(view, at(view, row, header.center()))
    assert view.shape_of(row).opened
    view.setFocus()
    view.set_current(row)
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert not view.shape_of(row).opened
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert view.shape_of(row).opened


@pytest.mark.parametrize(("lines", "shown"), [(12, 12), (13, 4), (200, 4), (201, 4)])
def test_a_long_output_is_shown_by_its_first_lines(
    view: TranscriptView, lines: int, shown: int
) -> None:
    output = "".join(f"line {n}\n" for n in range(1, lines + 1))
    fill(view, [*turns(0), *turn(1, result=output)])
    row = len(view.blocks) - 1
    shape = view.shape_of(row)
    assert shape.parts[0].document.blockCount() == shown
    if lines <= 12:
        assert not shape.links
        return
    assert shape.links[0].text == f"Show all {lines} lines"
    click(view, at(view, row, shape.links[0].rect.center()))
    windows = [w for w in view.findChildren(OutputWindow) if w.isVisible()]
    if lines > 200:
        assert windows[0].editor.toPlainText() == output.rstrip("\n")
        windows[0].close()
        return
    assert not windows
    assert view.shape_of(row).parts[0].document.blockCount() == lines


def test_keys_walk_the_blocks(view: TranscriptView) -> None:
    blocks = turns(30)
    blocks.append(Block(kind="follow_up", seq=500, text="And the tea?"))
    fill(view, [*blocks, *turn(40)])
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.current == 0
    for _ in range(5):
        QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.current == 5
    assert view.row_rect(5).top() >= 0
    assert view.row_rect(5).bottom() < view.viewport().height()
    QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert view.blocks[view.current].kind == "follow_up"
    QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert view.current == 0
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.current == len(view.blocks) - 1
    assert view.following
    QTest.keyClick(view, Qt.Key.Key_PageUp)
    assert not view.following


def test_a_screen_reader_gets_the_current_block(view: TranscriptView) -> None:
    fill(view, turns(2))
    view.setFocus()
    view.set_current(0)
    found = QAccessible.queryAccessibleInterface(view)
    assert found.role() == QAccessible.Role.Document
    assert found.text(QAccessible.Text.Name) == "Transcript"
    assert found.text(QAccessible.Text.Value) == "Prompt: Count the rice"
    view.set_current(3)
    assert "stock_list, done" in found.text(QAccessible.Text.Value)


# --- selecting ------------------------------------------------------------------------------------


def test_a_selection_runs_across_blocks_and_copies_the_source(view: TranscriptView) -> None:
    source = "a\x1b[31mred\x1b[0m \u202eevil\u202c " + "x" * 2500 + "\nlast"
    prompt = Block(kind="prompt", seq=1, text=source)
    fill(view, [prompt, *turn(1, text="First words."), *turn(2, text="Second words.")])
    view.resize(868, 2000)
    view.go_to_start()
    texts = [0, next(i for i, b in enumerate(view.blocks) if b.text == "Second words.")]
    first, second = view.shape_of(texts[0]).body, view.shape_of(texts[1]).body
    assert first is not None
    assert second is not None
    start = at(view, texts[0], first.topLeft() + QPoint(0, 4))
    end = at(view, texts[1], QPoint(second.left() + 2000, second.center().y()))
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(view.viewport(), (start + end) / 2)
    QTest.mouseMove(view.viewport(), end)
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=end)
    view.grab()
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("ared \u202eevil\u202c " + "x" * 2500 + "\nlast\n\nFirst this")
    assert copied.endswith("Second words.")
    assert "\x1b" not in copied


@given(st.text(alphabet="ab \n\t\u202e\x07\x1b\u4e00\U0001f600[31m", max_size=60), st.data())
def test_a_part_of_a_text_copies_as_it_is(text: str, data: st.DataObject) -> None:
    from tenuto_gui.render.text import shown, source_offset

    display = shown(text)
    first = data.draw(st.integers(0, len(display)))
    last = data.draw(st.integers(first, len(display)))
    begin, end = source_offset(text, first), source_offset(text, last)
    assert 0 <= begin <= end <= len(text)
    if display == text:
        assert (begin, end) == (first, last)


def test_select_all_copies_all(view: TranscriptView) -> None:
    fill(view, turns(4))
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert view.selection.range == (Place(0, 0), Place(len(view.blocks) - 1, END))
    view.copy()
    assert QGuiApplication.clipboard().text() == view.plain_text()
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.selection.range is None


def test_the_menu_offers_what_works(view: TranscriptView) -> None:
    fill(view, turns(2))
    names = [action.text() for action in view.make_menu(0).actions()]
    assert names == ["Copy block", "Copy block as Markdown", "Select all"]
    view.select_all()
    names = [action.text() for action in view.make_menu(-1).actions()]
    assert names[:2] == ["Copy", "Copy as Markdown"]
    action = next(a for a in view.make_menu(0).actions() if a.text() == "Copy block")
    action.trigger()
    assert QGuiApplication.clipboard().text() == "Count the rice"


# --- live -----------------------------------------------------------------------------------------


def test_streamed_text_stands_until_its_record_is_there(
    made: AppContext, view: TranscriptView, until: Until
) -> None:
    view.set_session(put(made, "r", *j.three_records()))
    until(lambda: len(view.blocks) == 4)
    view.on_run_event("r", p.Starting(run_id="r"))
    view.on_run_event("r", p.ThinkingDelta(delta="Hm."))
    for word in ("Two ", "bags ", "left."):
        view.on_run_event("r", p.TextDelta(delta=word))
    until(lambda: view.plain_text().endswith("Two bags left."))
    last = len(view.blocks) - 1
    assert view.look_of(last).caret == "stream"
    assert view.blocks[last].turn == 2
    view.grab()
    with (made.runs_dir / "r.json").open("ab") as file:
        file.write(j.assistant(4, [j.text("Two bags left."), j.call("c2")], iteration=1))
    view.on_run_event("r", p.AssistantRecorded(seq=4, iteration=1))
    until(lambda: view.blocks[-1].call_id == "c2")
    assert view.plain_text().count("Two bags left.") == 1
    assert view.blocks[-1].state == "running"
    view.on_run_event("r", p.Ask(id="ask-1", kind="approve", call_id="c2", tool="stock_list"))
    assert view.look_of(len(view.blocks) - 1).waiting
    assert view.look_of(len(view.blocks) - 2).caret == "hold"
    view.grab()
    view.on_run_event("r", p.Answered(id="ask-1", decision="once"))
    view.on_run_event("r", p.ToolStart(id="c2", name="stock_list"))
    look = view.look_of(len(view.blocks) - 1)
    assert not look.waiting
    assert look.seconds is not None
    view.on_run_finished("r", None)
    until(lambda: view.blocks[-1].notice == "interrupted")
    assert [b.state for b in view.blocks if b.call_id == "c2"] == ["unknown"]


def test_words_that_come_after_their_record_are_not_shown_twice(
    made: AppContext, view: TranscriptView, until: Until
) -> None:
    view.set_session(put(made, "r", *j.three_records()))
    until(lambda: len(view.blocks) == 4)
    view.on_run_event("r", p.Starting(run_id="r"))
    with (made.runs_dir / "r.json").open("ab") as file:
        file.write(j.assistant(4, [j.text("Two bags left."), j.call("c2")], iteration=1))
    view.refresh()
    until(lambda: view.blocks[-1].call_id == "c2")
    view.on_run_event("r", p.TextDelta(delta="Two bags left."))
    view.on_run_event("r", p.AssistantRecorded(seq=4, iteration=1))
    view.on_run_event("r", p.ToolStart(id="c2", name="stock_list"))
    assert view.blocks[-1].call_id == "c2"
    assert view.plain_text().count("Two bags left.") == 1


def test_a_call_that_may_have_run_is_shown_as_that_while_its_worker_asks(
    made: AppContext, view: TranscriptView, until: Until
) -> None:
    view.set_session(real(made, "killed-in-tool"))
    until(lambda: len(view.blocks) == 8)
    call = next(b for b in view.blocks if b.state == "unknown")
    view.on_run_event("killed-in-tool", p.Ask(id="a", kind="outcome", call_id=call.call_id))
    view.refresh()
    assert [b.state for b in view.blocks if b.call_id == call.call_id] == ["unknown"]
    facts = view.call_facts("killed-in-tool", call.call_id)
    assert facts is not None
    assert (facts.turn, facts.seq, facts.rank, facts.count, facts.answered) == (2, 4, 2, 3, 1)
    view.on_run_event("killed-in-tool", p.Starting())
    until(lambda: any(b.state == "running" for b in view.blocks))


def test_news_of_another_run_changes_nothing_here(view: TranscriptView) -> None:
    fill(view, turns(2))
    before = view.plain_text()
    view.on_run_event("other", p.TextDelta(delta="elsewhere"))
    assert view.plain_text() == before
