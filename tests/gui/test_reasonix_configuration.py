# SPDX-License-Identifier: Apache-2.0
"""The Configuration tab on Reasonix sessions: what they were run with, since nothing compares."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto.sources.reasonix import ReasonixSource
from tenuto_gui.context import AppContext
from tenuto_gui.diff.view import ConfigurationView
from tests.gui.parts import context, summary
from tests.support import reasonix
from tests.support.reasonix import ASK, SESSION, SYSTEM, batch, said

PATIENCE = 60_000
V4 = "sessions-v4/" + "a" * 32
HOST = {"role": "user", "origin": "host", "content": "<session-context>x</session-context>"}


@pytest.fixture
def made(qapp: QApplication, home: Path) -> Iterator[AppContext]:
    root = home / ".reasonix"
    (root / "sessions").mkdir(parents=True)
    with context(root, source=ReasonixSource(root)) as each:
        yield each


@pytest.fixture
def view(made: AppContext, qtbot: QtBot) -> Iterator[ConfigurationView]:
    each = ConfigurationView(made)
    qtbot.addWidget(each)
    each.resize(868, 700)
    each.show()
    yield each
    each.shutdown()


def show(view: ConfigurationView, made: AppContext, qtbot: QtBot, id: str) -> list[str]:
    with qtbot.waitSignal(view.compared, timeout=PATIENCE):
        view.set_session(summary(made.source, id))
    view.grab()
    assert view.run_with.isVisible()
    return view.run_with.plain_text().splitlines()


def test_what_a_session_was_run_with(
    made: AppContext, view: ConfigurationView, qtbot: QtBot
) -> None:
    reasonix.write(
        made.runs_dir / "sessions/s.jsonl",
        model="d/deepseek-v4", updated_at="2026-06-01T10:10:10Z", workspace_root="/srv/app",
    )  # fmt: skip
    assert show(view, made, qtbot, "sessions/s") == [
        "Model: d/deepseek-v4",
        "Kind: Reasonix A",
        "Project: /srv/app",
        "Tools it called: bash \u00d71",
        "A resume goes on with: the configuration that is chosen then",
        "Instructions",
        "Be brief.",
    ]
    # Nothing is offered that would do nothing.
    assert not view.compare_button.isVisible()
    assert not view.choose_button.isVisible()
    assert not view.table.isVisible()
    (made.runs_dir / "config.toml").write_text('default_model = "x"\n')
    reasonix.write(made.runs_dir / "sessions/t.jsonl", [SYSTEM, ASK])
    lines = show(view, made, qtbot, "sessions/t")
    assert "Model: the session does not say" in lines
    assert "Tools it called: none" in lines
    assert "A resume goes on with: ~/.reasonix/config.toml" in lines


def test_one_that_only_its_own_program_resumes(
    made: AppContext, view: ConfigurationView, qtbot: QtBot
) -> None:
    other = {"role": "system", "content": "Be long.\n" + "x" * 2000}
    reasonix.v4_session(
        made.runs_dir / V4,
        batch(1, ("session/config", {"modelRef": "stub/m"}), said(SYSTEM), said(HOST), said(ASK)),
        batch(5, said(other), *map(said, SESSION[2:])),
    )
    lines = show(view, made, qtbot, V4)
    assert lines[:5] == [
        "Model: stub/m",
        "Kind: Reasonix v4",
        "Tools it called: bash \u00d71",
        "Added by its program: 1 piece of context",
        "Instructions, 2 of them",
    ]
    assert max(map(len, lines)) <= 800


def test_another_session_takes_its_place(
    made: AppContext, view: ConfigurationView, qtbot: QtBot
) -> None:
    path = reasonix.write(made.runs_dir / "sessions/s.jsonl")
    gone = reasonix.write(made.runs_dir / "sessions/t.jsonl", [ASK])
    assert "It has no instructions" in show(view, made, qtbot, "sessions/t")
    found = summary(made.source, "sessions/t")
    gone.unlink()
    view.set_session(summary(made.source, "sessions/s"))
    view.set_session(found)
    qtbot.waitUntil(lambda: "cannot be read" in view._bar.accessibleName(), timeout=PATIENCE)
    assert not view.run_with.isVisible()
    assert path.is_file()
    view.set_session(None)
    assert not view.run_with.isVisible()
