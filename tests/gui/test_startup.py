# SPDX-License-Identifier: Apache-2.0
"""The window as its script starts it: what is imported, what a screen reader is told, Ctrl+C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto.sources.base import GLANCE
from tests.gui.driver import Driver
from tests.support.store import make_run, suspended_runs

_HEAVY = (
    "httpx", "pygments", "asyncio", "pydantic", "anthropic", "markdown_it", "watchdog", "hashlib",
    "shlex", "ruamel.yaml", "importlib.metadata", "importlib.resources", "PySide6.QtNetwork",
    "tenuto_gui.detail", "tenuto_gui.notice_details", "tenuto_gui.report", "tenuto_gui.trash",
    "tenuto_gui.command_process", "tenuto_gui.transcript", "tenuto_gui.key_map", "tenuto_gui.verbs",
)  # fmt: skip
#: What the list needs, and the newest rows do not: loaded once those are found.
_LATER = ("tenuto.sources.reasonix", "tenuto.sources.transcript", "tenuto.sources.trashed")
#: Kinds of widgets that are in no list: the bindings load them all where Qt hands out a widget of
#: which they do not know the kind.
_UNSEEN = ("QWizard", "QMessageBox", "QMdiArea", "QFileDialog", "QPlainTextEdit")

_FIRST_ROWS = """
import sys
import PySide6.QtWidgets
lazy = {unseen!r}[0] not in vars(PySide6.QtWidgets)
from tenuto_gui.sessions.list_view import SessionList
from tenuto.sources.together import Together
paint, newest = SessionList.paintEvent, Together.newest

def glanced(self, count):
    rows = newest(self, count)
    print([name for name in {later!r} if name in sys.modules], len(rows))
    return rows

def painted(self, event):
    paint(self, event)
    if self.model().rowCount():
        SessionList.paintEvent = paint
        print([name for name in {heavy!r} if name in sys.modules])
        print([name for name in {unseen!r} if lazy and name in vars(PySide6.QtWidgets)])
        self.window().rows_shown.connect(lambda: print(self.window().detail.isVisible()))
        self.window().rows_shown.connect(self.window().close)

SessionList.paintEvent, Together.newest = painted, glanced
sys.argv = ["tenuto-gui", "--state-dir", {folder!r}]
from tenuto_gui.start import entry
entry()
"""


def test_nothing_that_the_first_rows_do_not_need_comes_before_them(tmp_path: Path) -> None:
    store = FileRunStore(tmp_path)
    # So many that they are glanced at before all of them are listed.
    for number in range(GLANCE * 6):
        make_run(store, f"r{number:03}")
    code = _FIRST_ROWS.format(heavy=_HEAVY, later=_LATER, unseen=_UNSEEN, folder=str(tmp_path))
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines() == [f"[] {GLANCE}", "[]", "[]", "True"]


_WANTED = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from tenuto_gui import app
from tenuto_gui.main_window import MainWindow

looks = 0

def look():
    global looks
    looks += 1
    window = next((w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)), None)
    if window is None or not window.furnished:
        return
    head, notice = window.detail.header.accessibleName(), window.notices.accessibleName()
    is_there = window.detail.session_id == {wanted!r} and {says!r} in head
    if is_there or {says!r} in notice or looks > {most}:
        timer.stop()
        print("shown" if looks <= {most} else (window.detail.session_id, head, notice))
        window.close()

application = QApplication(["tenuto-gui"])
timer = QTimer()
timer.timeout.connect(look)
timer.start(20)
sys.exit(app.main(["tenuto-gui", "--state-dir", {folder!r}, {wanted!r}]))
"""
#: A limit for hangs: a minute of looks.
_LOOKS = 3000


@pytest.mark.parametrize("known", [False, True], ids=["new", "with previews"])
@pytest.mark.parametrize("wanted", ["r0", "r1", "r2", "none"])
def test_it_opens_on_the_session_that_is_named(tmp_path: Path, known: bool, wanted: str) -> None:
    """Whether the list is complete before the rest of the window is there, or changes later."""
    store = FileRunStore(tmp_path)
    suspended_runs(store, "r0", "r1", "r2")
    if known:
        subprocess.run(
            [sys.executable, "-m", "tenuto", "session", "ls", "--state-dir", str(tmp_path)],
            check=True,
            capture_output=True,
        )
    says = "Suspended" if wanted != "none" else "There is no session called none"
    code = _WANTED.format(wanted=wanted, says=says, folder=str(tmp_path), most=_LOOKS)
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ("shown\n", "")


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
