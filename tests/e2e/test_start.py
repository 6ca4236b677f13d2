# SPDX-License-Identifier: Apache-2.0
"""The program starts as its users start it: with a screen, without one, without Qt's libraries."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.paths import FISK_REAL

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11")
TENUTO = [sys.executable, "-m", "tenuto"]
#: Seconds until a window must be there; a start takes a fraction of one.
PATIENCE = 30


def _environment(**changes: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in {"QT_QPA_PLATFORM", "DISPLAY"}}
    return {**kept, **changes}


def _titles(display: str) -> str:
    """The titles of the windows on a screen."""
    words = ["xdotool", "search", "--onlyvisible", "--name", "Tenuto", "getwindowname"]
    done = subprocess.run(
        words, capture_output=True, text=True, env={**os.environ, "DISPLAY": display}
    )
    return done.stdout.strip()


@pytest.fixture
def runs(home: Path) -> Path:
    folder = home / ".local" / "state" / "fisk-ai" / "runs"
    shutil.copytree(FISK_REAL / "runs", folder)
    return folder


def test_a_window_opens_on_the_screen_and_ctrl_c_closes_it(x_display: str, runs: Path) -> None:
    if shutil.which("xdotool") is None:
        pytest.skip("xdotool is not installed")
    with subprocess.Popen(
        TENUTO, env=_environment(DISPLAY=x_display), stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            deadline = time.monotonic() + PATIENCE
            while not _titles(x_display):
                assert process.poll() is None, process.stderr and process.stderr.read()
                assert time.monotonic() < deadline, "no window came"
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            _out, said = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 0, said
    assert "Traceback" not in said


#: Opens the window, with Ctrl+C pressed right after a call of the function that is named.
INTERRUPTED = """
import importlib, os, signal, sys
module, owner, name = sys.argv.pop(1), *sys.argv.pop(1).rpartition(".")[::2]
holder = importlib.import_module(module)
holder = getattr(holder, owner) if owner else holder
called = getattr(holder, name)
def interrupted(*words):
    found = called(*words)
    os.kill(os.getpid(), signal.SIGINT)
    return found
setattr(holder, name, interrupted)
from tenuto_gui.start import entry
entry()
"""


@pytest.mark.parametrize(
    ("module", "function", "code"),
    [("tenuto_gui.shell", "Shell.show", 0), ("tenuto.settings", "load", 130)],
    ids=["shown", "loading"],
)
def test_ctrl_c_while_it_starts(runs: Path, module: str, function: str, code: int) -> None:
    words = [sys.executable, "-c", INTERRUPTED, module, function]
    environment = _environment(QT_QPA_PLATFORM="offscreen")
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


#: Opens the window, with Ctrl+C pressed when the module that is named is asked for.
INTERRUPTED_IMPORT = """
import os, signal, sys
wanted = sys.argv.pop(1)
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from tenuto_gui.start import entry
entry()
"""


@pytest.mark.parametrize(
    "module",
    [
        "PySide6",
        "shiboken6.Shiboken",
        # What the bindings' own C code asks for.
        "PySide6.support",
        "PySide6.QtCore",
        "PySide6.QtWidgets",
        "tenuto_gui.main_window",
    ],
)
def test_ctrl_c_while_qt_is_loaded(runs: Path, module: str) -> None:
    """At whatever it is: no abort, no traceback, and no window that has half of it."""
    words = [sys.executable, "-c", INTERRUPTED_IMPORT, module]
    environment = _environment(QT_QPA_PLATFORM="offscreen")
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_window_whose_standard_streams_are_closed_opens_no_file_in_their_place(
    runs: Path,
) -> None:
    """What Qt has to say would be written into the file that has the stream's number."""
    window = [sys.executable, "-m", "tenuto_gui"]
    words = ["sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', *window]
    with subprocess.Popen(words, env=_environment(QT_QPA_PLATFORM="offscreen")) as process:
        try:
            deadline = time.monotonic() + PATIENCE
            while not (locks := _open_files(process.pid, ".lock")):
                assert process.poll() is None
                assert time.monotonic() < deadline, "no window came"
                time.sleep(0.05)
        finally:
            process.kill()
    assert min(locks) > 2


def _open_files(pid: int, ending: str) -> list[int]:
    """The descriptors by which a process has a file open whose name ends so."""
    found = []
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            if os.readlink(entry).endswith(ending):
                found.append(int(entry.name))
    return found


def test_without_a_screen_it_says_so_in_one_sentence() -> None:
    done = subprocess.run(TENUTO, env=_environment(), capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("tenuto: there is no screen to open a window on")
    assert done.stderr.count("\n") == 1


def test_without_qts_libraries_it_says_so_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "PySide6").mkdir()
    broken = "raise ImportError('libEGL.so.1: cannot open shared object file')"
    (tmp_path / "PySide6" / "__init__.py").write_text(broken)
    environment = _environment(QT_QPA_PLATFORM="offscreen", PYTHONPATH=str(tmp_path))
    done = subprocess.run(TENUTO, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert "libEGL.so.1" in done.stderr
    assert done.stderr.count("\n") == 1
