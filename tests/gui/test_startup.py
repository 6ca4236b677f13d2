# SPDX-License-Identifier: Apache-2.0
"""The window as its script starts it: what is imported, what a screen reader is told, Ctrl+C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tests.gui.driver import Driver
from tests.support.store import make_run

_HEAVY = ("httpx", "pygments", "asyncio", "pydantic", "anthropic", "markdown_it", "watchdog",
          "importlib.metadata", "ruamel.yaml", "tenuto_gui.detail")  # fmt: skip


def test_nothing_heavy_before_the_first_paint(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from tenuto import settings\n"
        "from tenuto_gui import app\n"
        f"asked = app.request_of(['--state-dir', {str(tmp_path)!r}], settings.load())\n"
        "_app, shell = app._build(['tenuto'], asked, settings.load())\n"
        "assert shell.window.isVisible()\n"
        f"print([name for name in {_HEAVY!r} if name in sys.modules])\n"
        "shell.furnish()\n"
        "assert shell.window.detail.isVisible()\n"
        "shell.window.close()\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_ctrl_c_closes_the_window(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from PySide6.QtCore import QTimer\n"
        "from tenuto_gui import app\n"
        "QTimer.singleShot(0, lambda: print('here', flush=True))\n"
        f"sys.exit(app.main(['tenuto-gui', '--state-dir', {str(tmp_path)!r}]))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", "import PySide6.QtWidgets as w; w.QApplication([]); " + code],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.communicate()


def test_the_script_says_what_it_takes() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "tenuto_gui", "--help"], capture_output=True, text=True, check=True
    )
    assert "--state-dir" in found.stdout
    wrong = subprocess.run(
        [sys.executable, "-m", "tenuto_gui", "--nonsense"], capture_output=True, check=False
    )
    assert wrong.returncode == 2


def test_everything_that_takes_the_focus_has_a_name(qtbot: QtBot, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir(mode=0o700)
    make_run(FileRunStore(runs), "one")
    window = Driver(qtbot, runs)
    window.until_listed("one")
    nameless = [
        f"{type(widget).__name__} {widget.objectName()}"
        for widget in window.window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisible()
        and not widget.accessibleName()
        and not (isinstance(widget, QAbstractButton) and (widget.text() or widget.toolTip()))
        and not (isinstance(widget, QLineEdit) and widget.placeholderText())
        and not widget.objectName().startswith("qt_")
    ]
    assert nameless == []


def test_bad_settings_are_told(qtbot: QtBot, tmp_path: Path) -> None:
    from tenuto.paths import settings_file

    settings_file().parent.mkdir(parents=True, exist_ok=True)
    settings_file().write_text('{"theme": "mauve"}')
    window = Driver(qtbot, tmp_path)
    assert "1 setting could not be used" in window.window.notices.accessibleName()
    assert "theme" in window.window.notices.accessibleName()
    assert os.path.exists(settings_file())
