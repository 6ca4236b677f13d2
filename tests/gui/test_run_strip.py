# SPDX-License-Identifier: Apache-2.0
"""The strip of a run at work: whole at every width, and what its worker warns of."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tenuto.settings import Settings, save
from tenuto.sources.base import PreviewCounters, blank_summary
from tenuto_gui.runs import protocol as p
from tenuto_gui.runs.strip import BudgetBar, RunStrip
from tests.e2e.bench import Bench
from tests.e2e.runs import waits
from tests.gui.driver import Driver
from tests.gui.parts import context
from tests.gui.test_worker import ASK, FAKE, STARTING, Stage
from tests.gui.working import DONE, rest, suspended_run


def warning(text: str) -> dict[str, object]:
    return {"emit": {"type": "warning", "kind": "cwd", "text": text}}


def test_nothing_of_it_is_cut_and_every_warning_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    with context(tmp_path, (sys.executable, str(FAKE))) as made:
        stage = Stage(qtbot, made, tmp_path, 300)
        window = QWidget()
        qtbot.addWidget(window)
        strip = RunStrip(made, window)
        strip.attach(stage.controller)
        row = blank_summary("r", str(tmp_path / "r.json"))
        row.next_iteration = 41
        row.counters = PreviewCounters(in_tokens=1_234_567)
        strip.set_session(row)
        starting = {"emit": {**STARTING["emit"], "max_iterations": 50, "max_tokens": 2_000_000}}
        stage.play(starting, ASK, {"read": "abort"})
        stage.until(p.Ask)
        window.show()
        bars = strip.findChildren(BudgetBar)
        seen = set()
        for width in range(480, 1000, 20):
            strip.setFixedWidth(width)
            QApplication.processEvents()
            seen.add(sum(bar.isVisible() for bar in bars))
            for part in (*strip.findChildren(QLabel), *strip.findChildren(QPushButton)):
                if part.isVisible() and not strip.warning.isAncestorOf(part):
                    words = (width, part.text(), part.width(), part.sizeHint().width())
                    assert part.width() >= part.sizeHint().width(), words
        begins = strip._word.mapTo(strip, strip._word.contentsRect().topLeft()).x()
        assert begins == sum(map(made.theme.fonts.px, (16, 20, 8))), "not where titles begin"
        assert seen == {0, 1, 2}, "no width has both bars, or none goes without"
        assert not strip.warning.isVisible()
        stage.controller.abort("r")
        stage.end()
        stage.outcomes.clear()
        stage.play(
            starting, warning("another folder"), warning("slow\u202e now"), {"read": "abort"}
        )
        qtbot.waitUntil(strip.warning.isVisible)
        qtbot.waitUntil(lambda: "slow" in strip.warning.accessibleName())
        assert "another folder" in strip.warning.accessibleName()
        said = [label.text() for label in strip.warning.findChildren(QLabel)]
        assert "and 1 more" in said
        assert "\u202e" not in "".join(said), "a warning turned the words around"
        stage.controller.abort("r")
        stage.end()
        assert not strip.isVisible()


@pytest.mark.parametrize("text_size", [100, 150, 200])
def test_a_run_at_work_fits_every_window(qtbot: QtBot, bench: Bench, text_size: int) -> None:
    """Where there is room for the half of the strip, it once made room without end."""
    save(Settings(text_size=text_size))
    suspended_run(bench, [*waits(), DONE])
    window = Driver(qtbot, bench.runs)
    main, strip = window.window, window.window.running.strip
    main.resize(1280, 800)
    window.until_listed("r1")
    window.choose("r1", "actionResume")
    window.until(strip.isVisible, "nothing shows that it works")
    for width in range(1400, 700, -20):
        main.resize(width, 800)
        QApplication.processEvents()
    assert not strip.isHidden()
    window.window.running.controller.abort("r1")
    rest(window)
