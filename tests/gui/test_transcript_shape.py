# SPDX-License-Identifier: Apache-2.0
"""What a transcript does where room is short, where words are missing, and with keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto.sources.base import Block, Change, Forcing
from tenuto_gui.transcript import markers, words
from tenuto_gui.transcript.view import TranscriptView
from tests.gui.driver import Driver
from tests.gui.parts import context, fill, summary, transcript, turns
from tests.support import journals as j

FORCED = Forcing(
    "2026-01-05T10:03:30Z", "/etc/agent.yaml", (Change("model", "a", "b"), Change("tools_hash"))
)
MARKER = Block(
    kind="notice", notice="suspended", seq=9, time="2026-01-05T10:03:00Z", resumed=True,
    resumed_time="2026-01-05T10:04:00Z", forced=FORCED,
)  # fmt: skip


@pytest.fixture
def view(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[TranscriptView]:
    with context(tmp_path) as made, transcript(made, qtbot) as each:
        yield each


def test_a_marker_without_room_goes_on_below(view: TranscriptView) -> None:
    fill(view, [*turns(1), MARKER])
    row = len(view.blocks) - 1
    metrics = view._shaper.metrics
    fonts = view.context.theme.fonts
    assert len(markers.lines(MARKER, metrics, fonts)) == 1
    wide = view.shape_of(row).height
    view.resize(360, 500)
    metrics = view._shaper.metrics
    lines = markers.lines(MARKER, metrics, fonts)
    assert [part for line in lines for part in line] == words.marker(MARKER)
    assert len(lines) > 1
    assert view.shape_of(row).height == wide + (len(lines) - 1) * metrics.marker
    room = markers.right(metrics) - markers.left(metrics)
    for line in lines:
        assert fonts.metrics("body").horizontalAdvance(line[0][2]) + metrics.icon < room
    view.grab()


def test_a_prompt_without_words_is_said_to_be_none(view: TranscriptView) -> None:
    fill(view, [Block(kind="prompt", seq=1, text="", time="0001-01-01T00:00:00Z")])
    shape = view.shape_of(0)
    assert shape.text() == "No prompt"
    assert shape.frame is not None
    assert shape.frame.height() >= view._shaper.metrics.line
    assert words.clock(view.blocks[0].time) == ""
    view.copy_block(0)
    assert QGuiApplication.clipboard().text() == ""


def test_an_output_that_the_tool_cut_says_so(view: TranscriptView) -> None:
    call = Block(kind="tool_call", seq=2, name="x", state="done", result="a", truncated=True)
    assert words.outcome(call, False, None) == "output cut by the tool"
    failed = Block(
        kind="tool_call", seq=2, name="x", state="failed", result="a", truncated=True, exit_code=3
    )
    assert words.outcome(failed, False, None) == "output cut by the tool, exit 3"


def test_keys_select_block_by_block(view: TranscriptView) -> None:
    fill(view, turns(2))
    view.go_to_row(2)
    view.setFocus()
    shift = Qt.KeyboardModifier.ShiftModifier

    def selected() -> list[int]:
        return [row for row in range(len(view.blocks)) if view.selection.in_block(row)]

    QTest.keyClick(view, Qt.Key.Key_Down, shift)
    assert selected() == [2]
    QTest.keyClick(view, Qt.Key.Key_Down, shift)
    QTest.keyClick(view, Qt.Key.Key_Down, shift)
    assert selected() == [2, 3, 4]
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Up, shift)
    assert selected() == [1, 2]
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "First this, then that.\n\nTurn 1."


def test_times_leave_the_transcript_of_a_narrow_window(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    path = folder / "r.json"
    path.write_bytes(j.meta(run_id="r") + j.terminal(2))
    path.chmod(0o600)
    driver = Driver(qtbot, folder)
    driver.until_listed("r")
    driver.click("r")
    window = driver.window
    view = window.detail.transcript
    height = window.context.theme.fonts.metrics("body").height()

    def resized(columns: int) -> None:
        width = round(columns * height / 18)
        window.resize(width, window.height())
        driver.until(lambda: window.width() == width, "not resized")

    resized(1500)
    driver.until(lambda: view._shaper.metrics.time_right > 0, "no times in a wide window")
    resized(1100)
    driver.until(lambda: view._shaper.metrics.time_right == 0, "times in a narrow window")
    # Alone in the window it is wide itself, but the window is no wider for that.
    resized(700)
    driver.until(lambda: view._shaper.metrics.time_right == 0, "times in a page")


def test_a_newer_version_is_told_in_the_windows_words(
    view: TranscriptView, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "n.json"
    path.write_bytes(j.line(1, "meta", {"version": 9, "run_id": "n", "prompt": "Later"}))
    path.chmod(0o600)
    view.set_session(summary(view.context.source, "n"))
    qtbot.waitUntil(lambda: len(view.blocks) == 2, timeout=60_000)
    (_, _, text), *rest = words.marker(view.blocks[1])
    assert text == "Written in journal version 9; this Tenuto reads versions 1\u20133"
    assert rest == []
