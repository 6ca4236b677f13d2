# SPDX-License-Identifier: Apache-2.0
"""What stands below each other in the detail begins on one line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tenuto.sources.base import blank_summary
from tenuto_gui.context import AppContext
from tenuto_gui.notice import Kind, Notice, NoticeBar
from tenuto_gui.runs import protocol
from tenuto_gui.runs.approval import ApprovalPanel
from tenuto_gui.runs.deed import ForcePanel
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


@pytest.mark.parametrize("kind", ["info", "differs", "failed", "limit"])
def test_notices_and_panels_begin_on_one_line(made: AppContext, qtbot: QtBot, kind: Kind) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    notices = NoticeBar(made.theme, fades=False, parent=window)
    question, force = ApprovalPanel(made, window), ForcePanel(made, window)
    for part in (notices, question, force):
        column.addWidget(part)
    window.resize(900, 800)
    window.show()
    notices.show_notice(Notice(kind, "What happened", "And one more sentence."))
    question.set_run("r")
    ask = protocol.Ask(id="1", kind="approve", tool="count", call_id="c", argv=["count"])
    question.on_run_event("r", ask)
    force.ask("r", "/srv/agent.yaml")
    force.set_session(blank_summary("r", "/srv/runs/r.json"))
    QApplication.processEvents()
    titles = ("What happened", "Allow count to run?", "Continue under a changed configuration?")
    assert {begins(window, title) for title in titles} == {
        sum(map(made.theme.fonts.px, (16, 20, 8)))
    }
