# SPDX-License-Identifier: Apache-2.0
"""A long line of a journal is laid out in steps; what comes of it is the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto.sources.pretty import pretty
from tenuto.sources.raw import Row
from tenuto_gui.context import AppContext
from tenuto_gui.records.page import MOST, MOST_LINES, Page, PageLine, page
from tenuto_gui.records.pane import RecordText
from tests.gui.parts import context

PATIENCE = 60_000


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    with context(tmp_path) as each:
        yield each


@pytest.fixture
def text(made: AppContext, qtbot: QtBot) -> RecordText:
    widget = RecordText(made.theme)
    widget.resize(600, 400)
    qtbot.addWidget(widget)
    widget.show()
    return widget


def laid_out(data: bytes) -> Page:
    row = Row("assistant", 2, 0, len(data))
    return page(row, lambda offset, size: data[offset : offset + size], (), MOST)


def test_a_long_line_comes_in_steps_and_whole(text: RecordText, qtbot: QtBot) -> None:
    data = json.dumps([{"name": f"n{number}", "count": number} for number in range(4000)])
    made = laid_out(data.encode())
    assert made.whole
    assert len(made.lines) > 10_000
    with qtbot.waitSignal(text.filled, timeout=PATIENCE):
        text.show_page(made)
        assert text.toPlainText().startswith("[\n  {\n")
        assert not text.complete
        # The window has its turns meanwhile.
        turns: list[int] = []
        timer = QTimer()
        timer.timeout.connect(lambda: turns.append(text.document().blockCount()))
        timer.start(0)
    timer.stop()
    assert text.complete
    assert len(set(turns)) > 3
    assert json.loads(text.toPlainText()) == json.loads(data)
    assert text.verticalScrollBar().value() == 0
    assert text.textCursor().position() == 0
    # Coloured to the end.
    last = text.document().findBlockByNumber(text.document().blockCount() - 3)
    assert last.layout().formats()


def test_another_line_takes_the_place_of_one_that_is_not_all_there(
    text: RecordText, qtbot: QtBot
) -> None:
    text.show_page(laid_out(json.dumps(list(range(9000))).encode()))
    assert not text.complete
    with qtbot.waitSignal(text.filled, timeout=PATIENCE):
        text.show_page(laid_out(b'{"small":1}'))
    assert text.toPlainText() == '{\n  "small": 1\n}'
    qtbot.wait(20)
    assert text.toPlainText() == '{\n  "small": 1\n}'
    text.show_page(None)
    assert text.toPlainText() == ""


def test_what_follows_broken_bytes_does_not_look_broken(text: RecordText, qtbot: QtBot) -> None:
    kinds = (["bad"] * 3 + ["json"] * 3) * 12
    lines = tuple(PageLine(kind, f'"{n}"', n + 1) for n, kind in enumerate(kinds))  # type: ignore[arg-type]
    with qtbot.waitSignal(text.filled, timeout=PATIENCE):
        text.show_page(Page(Row("damaged", 2, 0, 500), lines, True))
    block = text.document().begin()
    found = []
    while block.isValid():
        found.append("bad" if block.blockFormat().background().style().value else "json")
        block = block.next()
    assert found == kinds


def test_no_more_lines_are_made_than_are_shown() -> None:
    data = json.dumps(list(range(3 * MOST_LINES))).encode()
    steps: list[int] = []
    lines = pretty(data, most=MOST_LINES, step=lambda: steps.append(1))
    assert MOST_LINES < len(lines) < 1.2 * MOST_LINES
    assert len(steps) > 10
    assert pretty(data)[: len(lines) - 1] == lines[:-1]
    made = laid_out(data)
    assert len(made.lines) == MOST_LINES
    assert not made.whole
