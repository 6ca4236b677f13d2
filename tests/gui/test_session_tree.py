# SPDX-License-Identifier: Apache-2.0
"""Forks below the sessions they were made of: the model by itself, and the list's menu."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tenuto.sources.base import SessionSummary
from tenuto_gui.sessions.model import Role, SessionModel
from tests.e2e.bench import Bench
from tests.gui.driver import Driver
from tests.gui.test_session_model import ids, session
from tests.gui.working import DONE


@pytest.fixture
def model(qapp: object) -> SessionModel:
    return SessionModel()


@pytest.fixture
def tester(model: SessionModel) -> QAbstractItemModelTester:
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    return QAbstractItemModelTester(model, mode)


def fork(number: int, of: int, *, age: int = 0, title: str = "") -> SessionSummary:
    made = session(number, age=age, title=title)
    made.parent = f"run{of:05}"
    return made


def tree(model: SessionModel) -> list[tuple[str, int]]:
    rows = [model.index(row, 0).data(Role.ROW) for row in range(model.rowCount())]
    return [(row.id.lstrip("run0"), row.depth) for row in rows]


def test_forks_stand_below_and_the_youngest_lifts_its_family(
    model: SessionModel, tester: QAbstractItemModelTester
) -> None:
    model.set_sessions(
        [session(1, age=9), session(2, age=3), fork(3, 1, age=5), fork(4, 3, age=1), fork(5, 1)]
    )
    flat = ids(model)
    model.set_tree(True)
    assert tree(model) == [("1", 0), ("5", 1), ("3", 1), ("4", 2), ("2", 0)]
    assert "a fork" in model.index(1).data(Qt.ItemDataRole.AccessibleTextRole)
    model.set_filter(text="run00004")
    assert tree(model) == [("4", 0)], "what it was forked from is not shown"
    model.set_filter(text="")
    model.apply([session(1, age=9, title="renamed")])
    assert tree(model)[0] == ("1", 0)
    model.apply([], ["run00003"])
    assert tree(model) == [("1", 0), ("5", 1), ("4", 0), ("2", 0)]
    model.set_tree(False)
    assert ids(model) == [id for id in flat if id != "run00003"]


def test_sessions_that_name_each_other_are_all_there(
    model: SessionModel, tester: QAbstractItemModelTester
) -> None:
    model.set_sessions(
        [fork(1, 2, age=1), fork(2, 1, age=2), fork(3, 3, age=3), fork(4, 99, age=4)]
    )
    model.set_tree(True)
    assert sorted(ids(model)) == [f"run{n:05}" for n in (1, 2, 3, 4)]


def test_a_tree_stays_one_whatever_changes(
    model: SessionModel, tester: QAbstractItemModelTester
) -> None:
    dice = random.Random(3)
    known: dict[int, SessionSummary] = {}
    model.set_tree(True)
    for _ in range(200):
        number = dice.randrange(40)
        if number in known and dice.random() < 0.3:
            known.pop(number)
            model.apply([], [f"run{number:05}"])
        else:
            of = dice.randrange(number) if number and dice.random() < 0.5 else None
            age = dice.randrange(1000)
            known[number] = session(number, age=age) if of is None else fork(number, of, age=age)
            model.apply([known[number]])
        fresh = SessionModel()
        fresh.set_tree(True)
        fresh.set_sessions(known.values())
        assert tree(model) == tree(fresh)
    shown = ids(model)
    for summary in known.values():
        if summary.origin in shown:
            assert shown.index(summary.origin) < shown.index(summary.id)


def test_the_tree_is_there_on_demand(
    qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(home / "bench")
    monkeypatch.setenv("PATH", bench.environment["PATH"])
    config = bench.script([DONE])
    for name in ("r1", "r2"):
        words = ("run", "Tidy up", "--config", str(config), "--checkpoint", "--name", name)
        assert bench.tenuto(*words).returncode == 0
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1", "r2")
    window.choose("r1", "actionFork")
    window.say("r1-b")
    window.until_listed("r1-b")
    assert window.ids() == ["r1-b", "r2", "r1"]
    # The folder may tell of it before the command does.
    window.until(lambda: window.window.list.current_id() == "r1-b", "the fork is not shown")
    QTest.mouseClick(window.window.list_pane.header.order, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = menu.findChild(QAction, "orderTree")
    assert action is not None
    assert not action.isChecked()
    place = menu.actionGeometry(action).center()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
    assert window.ids() == ["r1", "r1-b", "r2"]
    assert window.window.list.current_id() == "r1-b", "another session came to be shown"
    window.window.grab()
