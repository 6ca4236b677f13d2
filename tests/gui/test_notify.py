# SPDX-License-Identifier: Apache-2.0
"""What is said on the desktop: when a run ends or asks, and nobody looks; never a secret."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto.settings import Settings
from tenuto.sources.base import Evidence, SessionSummary, blank_summary
from tenuto_gui.notify import Notifier
from tests.gui.driver import Driver
from tests.gui.parts import context
from tests.support.store import end, make_run


def session(status: str, title: str = "Count the rice", kind: str = "") -> SessionSummary:
    summary = blank_summary("run", "")
    summary.status = status  # type: ignore[assignment]
    summary.title = title
    if kind:
        summary.evidence = Evidence(kind, text="rm -rf /secret")  # type: ignore[arg-type]
    return summary


@pytest.mark.parametrize(
    ("before", "after", "kind", "said"),
    [
        ("running", "completed", "", "A session is completed"),
        ("running", "waiting", "ask", "A session waits for you"),
        ("waiting", "suspended", "", "A session is suspended"),
        ("running", "interrupted", "", "A session was interrupted"),
        ("running", "interrupted", "outcome_unknown",
         "A session was interrupted; one command may have run"),
        ("waiting", "running", "", None),
        ("pending", "completed", "", None),
        ("suspended", "running", "", None),
        ("completed", "completed", "", None),
    ],
)  # fmt: skip
def test_what_is_told(
    qtbot: QtBot, tmp_path: Path, before: str, after: str, kind: str, said: str | None
) -> None:
    with context(tmp_path) as made:
        window = QWidget()
        qtbot.addWidget(window)
        notifier = Notifier(made, window)
        told: list[tuple[str, str]] = []
        notifier.told.connect(lambda title, text: told.append((title, text)))
        notifier.watch(session(before), session(after, kind=kind))
        assert told == ([(said, "Count the rice")] if said else [])


def test_no_secret_and_no_control_character_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    key = "sk-ant-api03-" + "Ab3" * 12
    with context(tmp_path) as made:
        window = QWidget()
        qtbot.addWidget(window)
        notifier = Notifier(made, window)
        told: list[str] = []
        notifier.told.connect(lambda _title, text: told.append(text))
        title = f"use {key}\u202e\x1b[31m"
        notifier.watch(session("running"), session("waiting", title, "ask"))
        assert key not in told[0]
        assert "secret" not in told[0]
        assert "\u202e" not in told[0]
        assert "\x1b" not in told[0]


def test_the_setting_and_a_window_in_front_keep_it_quiet(qtbot: QtBot, tmp_path: Path) -> None:
    with context(tmp_path) as made:
        window = QWidget()
        qtbot.addWidget(window)
        notifier = Notifier(made, window)
        told: list[str] = []
        notifier.told.connect(lambda title, _text: told.append(title))
        made.preferences.current = Settings(notifications=False)
        notifier.watch(session("running"), session("completed"))
        made.preferences.current = Settings()
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        notifier.watch(session("running"), session("completed"))
        assert told == []


def test_a_run_that_ends_elsewhere_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    store = FileRunStore(folder)
    make_run(store, "live")
    make_run(store, "rest")
    journal = store.open("live")
    window = Driver(qtbot, folder)
    window.until_listed("live", "rest")
    window.until(lambda: window.status("live") == "running")
    front = QWidget()
    qtbot.addWidget(front)
    front.show()
    front.activateWindow()
    qtbot.waitUntil(front.isActiveWindow)
    told: list[str] = []
    window.window.notifier.told.connect(lambda title, _text: told.append(title))
    journal.append(end("completed"))
    journal.close()
    window.until(lambda: told == ["A session is completed"])
    window.window.notifier.opened.emit("live")
    window.until(lambda: window.window.detail.session_id == "live")
