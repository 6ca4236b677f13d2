# SPDX-License-Identifier: Apache-2.0
"""The window of its own for very long output: find, copy, save."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from tenuto_gui.render import bidi
from tenuto_gui.transcript import window as module
from tenuto_gui.transcript import words
from tenuto_gui.transcript.window import OutputWindow
from tests.gui.parts import context

PATIENCE = 60_000
Open = Callable[[str], OutputWindow]


@pytest.fixture
def opened(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[Open]:
    made: list[OutputWindow] = []
    with context(tmp_path) as context_:

        def make(source: str) -> OutputWindow:
            window = OutputWindow(context_, "stock_list", source)
            window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
            made.append(window)
            window.show()
            window.activateWindow()
            qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE)
            return window

        yield make
        for window in made:
            window.close()
            window.deleteLater()


def count(window: OutputWindow) -> str:
    label = window.find_bar.findChild(QLabel, "findCount")
    assert label is not None
    return label.text()


def look_for(window: OutputWindow, qtbot: QtBot, text: str, found: str) -> None:
    QTest.keyClick(window.editor, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    window.find_bar.field.clear()
    QTest.keyClicks(window.find_bar.field, text)
    qtbot.waitUntil(lambda: count(window) == found, timeout=PATIENCE)


def painted(window: OutputWindow) -> list[str]:
    return [each.cursor.selectedText() for each in window.editor.extraSelections()]


def filled(window: OutputWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.finder.filled, timeout=PATIENCE)


LINES = "".join(f"line {n} of the \U0001f600 output\n" for n in range(20_000))


def test_words_are_found_counted_and_stepped_through(opened: Open, qtbot: QtBot) -> None:
    window = opened(LINES)
    filled(window, qtbot)
    look_for(window, qtbot, "LINE 1999", "1 of 11")
    field = window.find_bar.field
    assert window.editor.textCursor().block().text().startswith("line 1999 ")
    assert painted(window) == ["line 1999"]
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert count(window) == "2 of 11"
    assert window.editor.textCursor().block().text().startswith("line 19990 ")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert count(window) == "11 of 11"
    assert window.editor.textCursor().block().text().startswith("line 19999 ")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert count(window) == "1 of 11"


def test_every_hit_is_found_wherever_the_text_was_cut(opened: Open, qtbot: QtBot) -> None:
    window = opened("needle\n" * 100_000)
    look_for(window, qtbot, "needle needle", "1 of 50,000")
    window.editor.verticalScrollBar().setValue(window.editor.verticalScrollBar().maximum())
    assert set(painted(window)) == {"needle\u2029needle"}


def test_what_is_not_there_is_said(opened: Open, qtbot: QtBot) -> None:
    window = opened(LINES)
    look_for(window, qtbot, "coffee", "Not in this output")
    assert painted(window) == []


def test_escape_ends_the_search_and_then_leaves(opened: Open, qtbot: QtBot) -> None:
    window = opened(LINES)
    look_for(window, qtbot, "line 17777", "1 of 1")
    QTest.keyClick(window.find_bar.field, Qt.Key.Key_Escape)
    assert window.find_bar.isHidden()
    assert painted(window) == []
    assert window.isVisible()
    QTest.keyClick(window.editor, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=PATIENCE)


def test_what_is_copied_is_what_was_written(opened: Open, qtbot: QtBot) -> None:
    # A word that is broken for display, empty lines at a seam, right-to-left words before numbers.
    source = "w" * 2_500 + "\n" + "x" * 999 + "\n\n\n" + "\u0645\u0633 412 880 \u202eevil\n" + LINES
    window = opened(source)
    filled(window, qtbot)
    assert bidi.MARK in window.editor.toPlainText()
    window.editor.selectAll()
    QTest.keyClick(window.editor, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == source.rstrip("\n")
    start = window.editor.document().find("412").selectionStart()
    cursor = window.editor.textCursor()
    cursor.setPosition(start)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    window.editor.setTextCursor(cursor)
    QTest.keyClick(window.editor, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "412 880 \u202eevil"
    last = window.editor.document().find("line 19999").selectionStart()
    cursor.setPosition(last)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    window.editor.setTextCursor(cursor)
    window.copy()
    assert QGuiApplication.clipboard().text() == "line 19999 of the \U0001f600 output"


def test_empty_lines_at_a_seam_are_shown(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_STEP", 4)
    window = opened("a\n\n\n\n\n\nb\n\n")
    filled(window, qtbot)
    assert window.editor.toPlainText() == "a\n\n\n\n\n\nb"


def test_the_button_copies_all_and_says_so(opened: Open, qtbot: QtBot) -> None:
    window = opened(LINES)
    button = window.findChild(QToolButton, "outputCopy")
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == LINES
    assert window.about.text() == f"{words.lines(20_000)}  \u00b7  Copied"


def test_the_whole_output_is_saved_for_its_owner_alone(
    opened: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MAX_CHARS", 1_000)
    window = opened(LINES)
    assert "the first 1,000 of" in window.about.text()
    QTest.keyClick(window.editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    dialog = window.findChild(QFileDialog, "outputFile")
    assert dialog is not None
    assert dialog.isVisible()
    target = tmp_path / "out.txt"
    target.write_text("old")
    dialog.fileSelected.emit(str(target))
    dialog.reject()
    qtbot.waitUntil(lambda: "Saved to" in window.about.text(), timeout=PATIENCE)
    assert target.read_text(encoding="utf-8") == LINES
    assert stat.S_IMODE(os.stat(target).st_mode) == 0o600


def test_what_cannot_be_saved_is_said(opened: Open, qtbot: QtBot, tmp_path: Path) -> None:
    window = opened("text")
    window.write(str(tmp_path / "nowhere" / "out.txt"))
    qtbot.waitUntil(lambda: "Not saved: " in window.about.text(), timeout=PATIENCE)
    assert not window.about.text().endswith("Not saved: ")
    assert list(tmp_path.iterdir()) == []


def test_of_lines_without_end_the_first_are_shown_and_all_are_copied(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line costs the editor more than its characters do: `yes` filled it with millions."""
    monkeypatch.setattr(module, "_STEP_LINES", 100)
    monkeypatch.setattr(module, "_MAX_LINES", 1_000)
    source = "y\n" * 5_000
    window = opened(source)
    filled(window, qtbot)
    assert window.editor.toPlainText() == ("y\n" * 1_000).rstrip("\n")
    assert "the first 2,000 of 10,000 characters are shown" in window.about.text()
    look_for(window, qtbot, "y", "1 of 1,000")
    window.editor.selectAll()
    window.copy()
    assert QGuiApplication.clipboard().text() == ("y\n" * 1_000).rstrip("\n")
    window.copy_all()
    assert QGuiApplication.clipboard().text() == source


def test_no_line_is_lost_where_a_step_ends_by_lines(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_STEP_LINES", 2)
    source = "\n\na\n\n\nb\nc"
    window = opened(source)
    filled(window, qtbot)
    assert window.editor.toPlainText() == source
