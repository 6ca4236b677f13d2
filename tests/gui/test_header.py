# SPDX-License-Identifier: Apache-2.0
"""The run header where room is short: what gives way first."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto.sources.base import Evidence, blank_summary
from tenuto_gui.header import RunHeader
from tests.gui.parts import context

TITLE = "Reconcile pantry stock with the deliveries of the week"


@pytest.fixture
def header(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[RunHeader]:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    summary = blank_summary("r1", str(folder / "r1.json"))
    summary.title = TITLE
    summary.status = "suspended"
    summary.evidence = Evidence(kind="terminal", seq=9)
    summary.updated = datetime.now(UTC).isoformat()
    with context(folder) as made:
        found = RunHeader(made.theme)
        qtbot.addWidget(found)
        found.set_session(summary)
        yield found


def shown(header: RunHeader, width: int) -> tuple[str, str]:
    header.resize(width, header.sizeHint().height())
    return header.first_line()[:2]


def test_the_state_is_whole_when_the_title_is_cut(header: RunHeader) -> None:
    assert shown(header, 1000) == (TITLE, "suspended now, after record 8")
    # What gives way first is where it stopped, then the end of the title; never the state.
    states = {shown(header, width)[1] for width in range(340, 1000, 20)}
    assert states == {"suspended now, after record 8", "suspended now"}
    title, state = shown(header, 340)
    assert state == "suspended now"
    assert title.endswith("\u2026")
    assert TITLE.startswith(title[:-1])
    assert len(title) > 10


def test_nothing_is_cut_that_has_room(header: RunHeader) -> None:
    for width in range(340, 1000, 10):
        title, state = shown(header, width)
        assert title == TITLE or "record" not in state
