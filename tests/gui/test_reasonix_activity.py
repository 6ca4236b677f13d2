# SPDX-License-Identifier: Apache-2.0
"""The Activity view on Reasonix sessions: over time where they store it, else by turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto.sources.reasonix import ReasonixSource
from tenuto_gui.activity.view import ActivityView
from tenuto_gui.context import AppContext
from tests.gui.parts import context, summary
from tests.support import reasonix
from tests.support.reasonix import ANSWER, ASK, CALL, RESULT, SYSTEM, batch, said

PATIENCE = 60_000
V4 = "sessions-v4/" + "a" * 32
NO_TOKENS = "Tenuto knows no token counts of this session."


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    (tmp_path / "sessions").mkdir()
    with context(tmp_path, source=ReasonixSource(tmp_path)) as each:
        yield each


@pytest.fixture
def view(made: AppContext, qtbot: QtBot) -> Iterator[ActivityView]:
    each = ActivityView(made)
    qtbot.addWidget(each)
    each.resize(868, 700)
    each.show()
    yield each
    each.shutdown()


def show(view: ActivityView, made: AppContext, qtbot: QtBot, id: str) -> str:
    with qtbot.waitSignal(view.shown, timeout=PATIENCE):
        view.set_session(summary(made.source, id))
    view.grab()
    return view.plain_text()


def test_a_session_that_stores_times(made: AppContext, view: ActivityView, qtbot: QtBot) -> None:
    def at(second: int) -> str:
        return f"2026-09-01T10:00:{second:02d}Z"

    reasonix.v4_session(
        made.runs_dir / V4,
        batch(1, said(SYSTEM), said(ASK), time=at(0)),
        batch(3, said(CALL), time=at(8)),
        batch(4, said(RESULT), time=at(12)),
        batch(5, said(ANSWER), time=at(20)),
    )
    text = show(view, made, qtbot, V4)
    assert "Times as the session stores them." in text
    assert "Tools 4.0\u202fs" in text
    assert "Model 16\u202fs" in text
    assert NO_TOKENS in text
    assert "Tokens" not in text.splitlines()[0]
    assert not view.tokens.isVisible()
    tool = next(n for n in range(view.timeline.count()) if "bash" in view.timeline.text_of(n))
    with qtbot.waitSignal(view.block_chosen, timeout=PATIENCE) as told:
        view.timeline.choose(tool)
    assert told.args == [3, 2]


def test_a_session_that_stores_none(made: AppContext, view: ActivityView, qtbot: QtBot) -> None:
    reasonix.write(made.runs_dir / "sessions/s.jsonl")
    text = show(view, made, qtbot, "sessions/s")
    assert "By turn: this session stores no times." in text
    assert text.splitlines()[0] == "Turns 2, Tool calls 1, Errors 0 of 1 call"
    assert NO_TOKENS in text


def test_nothing_was_answered_yet(made: AppContext, view: ActivityView, qtbot: QtBot) -> None:
    reasonix.write(made.runs_dir / "sessions/s.jsonl", [SYSTEM, ASK])
    assert "has not answered yet" in show(view, made, qtbot, "sessions/s")
