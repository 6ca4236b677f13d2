# SPDX-License-Identifier: Apache-2.0
"""What stands below each other in the detail begins on one line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tenuto.sources.base import blank_summary
from tenuto_gui.context import AppContext
from tenuto_gui.notice import Button, Kind, Notice, NoticeBar
from tenuto_gui.runs import protocol
from tenuto_gui.runs.approval import ApprovalPanel
from tenuto_gui.runs.deed import ForcePanel
from tenuto_gui.runs.elsewhere import ElsewhereStrip
from tests.gui.parts import context


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    with context(tmp_path) as each:
        yield each


def begins(window: QWidget, text: str) -> int:
    """Where a label with this text begins, in pixels from the left of the window."""
    found = [each for each in window.findChildren(QLabel) if each.text() == text]
    assert len(found) == 1, text
    assert found[0].isVisible(), text
    return found[0].mapTo(window, found[0].contentsRect().topLeft()).x()


@pytest.mark.parametrize("text", ["", "And one more sentence.", "Word " * 80])
def test_the_buttons_of_a_notice_stand_on_one_axis(
    made: AppContext, qtbot: QtBot, text: str
) -> None:
    notices = NoticeBar(made.theme, fades=False)
    qtbot.addWidget(notices)
    undo = Button("Undo", lambda: None, name="undo")
    notices.show_notice(Notice("info", "Deleted", text, (undo,)))
    notices.resize(700, max(notices.heightForWidth(700), notices.minimumSizeHint().height()))
    QApplication.processEvents()
    heights = {
        (each.geometry().top() + each.geometry().bottom()) // 2
        for each in notices.findChildren(QAbstractButton)
        if each.isVisible()
    }
    assert max(heights) - min(heights) <= 1
    assert abs(min(heights) - notices.height() // 2) <= 1


@pytest.mark.parametrize("kind", ["info", "differs", "failed", "limit"])
def test_notices_and_panels_begin_on_one_line(made: AppContext, qtbot: QtBot, kind: Kind) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    notices = NoticeBar(made.theme, fades=False, parent=window)
    elsewhere = ElsewhereStrip(made, window)
    question, force = ApprovalPanel(made, window), ForcePanel(made, window)
    for part in (notices, question, force, elsewhere):
        column.addWidget(part)
    window.resize(900, 800)
    window.show()
    notices.show_notice(Notice(kind, "What happened", "And one more sentence."))
    question.set_run("r")
    ask = protocol.Ask(id="1", kind="approve", tool="count", call_id="c", argv=["count"])
    question.on_run_event("r", ask)
    force.ask("r", "/srv/agent.yaml")
    force.set_session(blank_summary("r", "/srv/runs/r.json"))
    row = blank_summary("r", "/srv/runs/r.json")
    row.status = "running"
    elsewhere.set_session(row, ours=False)
    QApplication.processEvents()
    titles = (
        "Runs elsewhere",
        "What happened",
        "Allow count to run?",
        "Continue under a changed configuration?",
    )
    assert {begins(window, title) for title in titles} == {
        sum(map(made.theme.fonts.px, (16, 20, 8)))
    }
