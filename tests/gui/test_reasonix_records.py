# SPDX-License-Identifier: Apache-2.0
"""The Records view on Reasonix sessions: messages, log records, frames, and damage among them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto.sources.reasonix import ReasonixSource
from tenuto_gui.context import AppContext
from tenuto_gui.records.view import RecordsView
from tests.gui.parts import context, summary
from tests.support import reasonix
from tests.support.reasonix import ANSWER, ASK, CALL, RESULT, SESSION, SYSTEM, batch, said

PATIENCE = 60_000
V4 = "sessions-v4/" + "a" * 32


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    (tmp_path / "sessions").mkdir()
    with context(tmp_path, source=ReasonixSource(tmp_path)) as each:
        yield each


@pytest.fixture
def view(records_view: RecordsView) -> RecordsView:
    return records_view


def show(view: RecordsView, made: AppContext, qtbot: QtBot, id: str) -> str:
    with qtbot.waitSignal(view.shown, timeout=PATIENCE):
        view.set_session(summary(made.source, id))
    view.grab()
    return view.plain_text()


def choose(view: RecordsView, qtbot: QtBot, row: int) -> str:
    if row != view.table.currentIndex().row():
        with qtbot.waitSignal(view.shown, timeout=PATIENCE):
            view.table.choose(row)
    view.grab()
    return view.chosen.text.toPlainText()


def cells(view: RecordsView) -> list[list[str]]:
    model = view.model
    return [
        [str(model.index(row, column).data()) for column in range(3)]
        for row in range(model.rowCount())
    ]


def test_the_messages_of_a_file(made: AppContext, view: RecordsView, qtbot: QtBot) -> None:
    reasonix.write(made.runs_dir / "sessions/s.jsonl")
    text = show(view, made, qtbot, "sessions/s")
    assert cells(view) == [
        ["1", "system", "Be brief."],
        ["2", "user", "count the go files"],
        ["3", "assistant", "Turn 1: calls bash --command=ls"],
        ["4", "tool", "bash 12"],
        ["5", "assistant", "Turn 2: There are 12."],
    ]
    assert "message 5 of 5" in text
    assert "Message 5, assistant" in text
    assert json.loads(choose(view, qtbot, 2)) == CALL
    with qtbot.waitSignal(view.block_chosen, timeout=PATIENCE) as told:
        view.table.opened.emit(2)
    assert told.args == [3, 0]


def test_a_file_that_breaks_in_the_middle_and_at_its_end(
    made: AppContext, view: RecordsView, qtbot: QtBot
) -> None:
    path = made.runs_dir / "sessions/s.jsonl"
    path.write_bytes(
        reasonix.lines([SYSTEM, ASK]) + b'{"role":"ass\n' + reasonix.lines([CALL, RESULT])[:-9]
    )
    text = show(view, made, qtbot, "sessions/s")
    assert [row[1] for row in cells(view)] == ["system", "user", "damaged", "assistant", "cut off"]
    # Damage is what is shown first; nothing offers to change the file.
    assert view.table.currentIndex().row() == 2
    assert "1 place of this session cannot be read" in text
    assert "3 others are intact and shown." in text
    assert view.bar.isVisible()
    assert not view.bar.repair_button.isVisible()
    assert "cannot be read: a string with a control character" in choose(view, qtbot, 2)
    with qtbot.waitSignal(view.shown, timeout=PATIENCE):
        view.go_to_damage()
    assert view.table.currentIndex().row() == 4
    assert "cut off here, after" in view.chosen.text.toPlainText()
    view.bar.copy_button.click()
    assert "cannot be read" in QGuiApplication.clipboard().text()


def test_the_records_of_a_log(made: AppContext, view: RecordsView, qtbot: QtBot) -> None:
    reasonix.write(made.runs_dir / "sessions/s.jsonl", [SYSTEM])
    log = made.runs_dir / "sessions/s.events.jsonl"
    log.write_bytes(
        reasonix.log_line("replace", SESSION[:2]) + reasonix.log_line("append", SESSION[2:], 2)
    )
    text = show(view, made, qtbot, "sessions/s")
    assert cells(view) == [
        ["1", "replace", "2 messages: system, user"],
        ["2", "append", "3 messages: assistant, tool, assistant"],
    ]
    assert "Record 2, append" in text
    with qtbot.waitSignal(view.block_chosen, timeout=PATIENCE) as told:
        view.table.opened.emit(1)
    assert told.args == [3, 0]


def test_frames_are_shown_decoded(made: AppContext, view: RecordsView, qtbot: QtBot) -> None:
    first = batch(1, said(SYSTEM), ("turn/start", {"status": "in_progress"}), said(ASK))
    bad = batch(4, said(CALL), sha256="f" * 64)
    reasonix.v4_session(made.runs_dir / V4, first, bad, batch(5, said(RESULT), said(ANSWER))[:-40])
    text = show(view, made, qtbot, V4)
    assert cells(view)[:4] == [
        ["frame 1", "batch/begin", "3 events, 2026-09-01T10:00:01Z"],
        ["1", "message/complete", "system: Be brief."],
        ["2", "turn/start", '{"status": "in_progress"}'],
        ["3", "message/complete", "user: count the go files"],
    ]
    assert cells(view)[7][1:] == [
        "damaged",
        "a batch that is not what was written: its checksum differs",
    ]
    assert cells(view)[-1][1] == "cut off"
    assert "1 place of this session cannot be read" in text
    event = json.loads(choose(view, qtbot, 3))["event"]
    assert event["payload"] == {"message": ASK}
    assert "when unpacked" in view.plain_text()
    assert "Event 3, message/complete" in view.plain_text()
    # An event that is no message has no place in the transcript.
    with qtbot.assertNotEmitted(view.block_chosen):
        view.table.opened.emit(2)


def test_a_long_message_is_shown_by_its_beginning_and_copied_whole(
    made: AppContext, view: RecordsView, qtbot: QtBot
) -> None:
    long = {"role": "tool", "content": "word " * 4_200_000, "tool_call_id": "c1", "name": "bash"}
    reasonix.write(made.runs_dir / "sessions/s.jsonl", [SYSTEM, ASK, CALL, long])
    text = show(view, made, qtbot, "sessions/s")
    assert "message 4 of 4" in text
    assert "The first 64.0\u202fKiB of 20.0\u202fMiB" in text
    assert len(view.chosen.text.toPlainText()) < 100_000
    view.copy()
    clipboard = QGuiApplication.clipboard()
    qtbot.waitUntil(lambda: len(clipboard.text()) > 20_000_000, timeout=PATIENCE)
    assert json.loads(clipboard.text()) == long


def test_a_session_that_a_program_goes_on_with(
    made: AppContext, view: RecordsView, qtbot: QtBot
) -> None:
    data = batch(1, said(SYSTEM), said(ASK))
    where = reasonix.v4_session(made.runs_dir / V4, data)
    show(view, made, qtbot, V4)
    assert view.model.rowCount() == 4
    with qtbot.waitSignal(view.shown, timeout=PATIENCE):
        (where / "events.frames").write_bytes(data + batch(3, said(ANSWER)))
        view.set_session(summary(made.source, V4))
    assert view.model.rowCount() == 7
    # The end is followed.
    assert view.table.currentIndex().row() == 6


def test_a_session_without_anything(made: AppContext, view: RecordsView, qtbot: QtBot) -> None:
    (made.runs_dir / "sessions/s.jsonl").write_bytes(b"")
    view.set_session(summary(made.source, "sessions/s"))
    qtbot.waitUntil(lambda: "holds nothing yet" in view.plain_text(), timeout=PATIENCE)
