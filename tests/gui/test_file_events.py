# SPDX-License-Identifier: Apache-2.0
"""Files that the system asks a running app to open, and the app's name for Windows."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto_gui.file_events import APP_USER_MODEL_ID, FileEvents, name_the_app
from tests.support.paths import FISK_REAL, REPOSITORY


@pytest.fixture
def events(qapp: QApplication):
    made = FileEvents(qapp)
    yield made
    qapp.removeEventFilter(made)
    made.setParent(None)


def _ask(app: QApplication, path: str | Path) -> None:
    QApplication.sendEvent(app, QFileOpenEvent(QUrl.fromLocalFile(str(path))))


def test_what_comes_before_the_window_waits_for_it(qapp: QApplication, events: FileEvents) -> None:
    _ask(qapp, "/a/one.tenuto")
    _ask(qapp, "/a/two words.tenuto")
    taken: list[str] = []
    events.deliver_to(taken.append)
    assert taken == ["/a/one.tenuto", "/a/two words.tenuto"]
    _ask(qapp, "/a/three.json")
    assert taken[2:] == ["/a/three.json"]


def test_what_is_no_file_is_left_alone(qapp: QApplication, events: FileEvents) -> None:
    taken: list[str] = []
    events.deliver_to(taken.append)
    QApplication.sendEvent(qapp, QFileOpenEvent(QUrl("https://example.org/a.tenuto")))
    assert taken == []


def test_a_file_that_is_asked_for_is_shown_by_the_open_window(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tenuto_gui.app import build

    monkeypatch.setattr("tenuto_gui.app.system_asks", lambda: True)
    runs = tmp_path / "runs"
    shutil.copytree(FISK_REAL / "runs", runs)
    app, window = build(["tenuto-gui", "--state-dir", str(runs)])
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: window.sessions.rowCount() > 5, timeout=20_000)
    _ask(app, runs / "budget.json")
    qtbot.waitUntil(lambda: window.detail.session_id == "budget", timeout=20_000)
    window.close()


def test_windows_is_told_the_name_that_the_installer_gives_the_shortcut() -> None:
    told: list[str] = []
    shell = SimpleNamespace(SetCurrentProcessExplicitAppUserModelID=told.append)
    name_the_app(SimpleNamespace(shell32=shell), "win32")
    assert told == [APP_USER_MODEL_ID]
    script = (REPOSITORY / "packaging" / "windows" / "tenuto.iss").read_text(encoding="utf-8")
    assert f'AppUserModelID: "{APP_USER_MODEL_ID}"' in script


def test_other_systems_are_told_nothing() -> None:
    name_the_app(SimpleNamespace(), "linux")
