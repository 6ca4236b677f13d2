# SPDX-License-Identifier: Apache-2.0
"""An installed package in a root of its own, and a desktop that starts programs from it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.e2e.bench import Bench, Worker
from tests.support.paths import REPOSITORY

#: Seconds until a window must be there; a start takes a fraction of one.
PATIENCE = 60
#: Draws what is on the screen; a process of its own, since this one draws into memory.
_GRAB = """
import sys
from PySide6.QtGui import QGuiApplication
app = QGuiApplication([])
sys.exit(not app.primaryScreen().grabWindow(0).save(sys.argv[1]))
"""
#: Prints where the longest unbroken line of a colour is: the middle of a button.
_FIND = """
import sys
from PySide6.QtGui import QImage
picture, wanted = QImage(sys.argv[1]).convertToFormat(QImage.Format.Format_RGB32), sys.argv[2]
want = bytes.fromhex(wanted[5:7] + wanted[3:5] + wanted[1:3] + "ff")
best = (0, 0, 0)
for y in range(picture.height()):
    row = bytes(picture.constScanLine(y))
    cells = [row[i : i + 4] == want for i in range(0, picture.width() * 4, 4)]
    length = 0
    for x, same in enumerate([*cells, False]):
        if not same:
            best = max(best, (length, x - length // 2, y))
        length = length + 1 if same else 0
print(*best)
"""


class Root:
    """A folder that dpkg takes for the whole system. What is installed runs from there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        admin = folder / "var" / "lib" / "dpkg"
        for name in ("info", "updates", "triggers"):
            (admin / name).mkdir(parents=True)
        for name in ("status", "available"):
            (admin / name).touch()

    @property
    def usr(self) -> Path:
        return self.folder / "usr"

    def dpkg(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run dpkg on this root; only root may give files away, others pretend to."""
        pretend = [] if os.geteuid() == 0 else ["fakeroot"]
        line = ["dpkg", f"--root={self.folder}", "--force-not-root", "--force-depends"]
        line += ["--force-bad-path", "--log=/dev/null"]
        return subprocess.run([*pretend, *line, *words], capture_output=True, text=True)

    def caches(self) -> None:
        """Do what the triggers of the caches' owners do: they are packages of the real root."""
        share = self.usr / "share"
        subprocess.run(["update-mime-database", str(share / "mime")], check=True)
        subprocess.run(["update-desktop-database", str(share / "applications")], check=True)

    def files(self) -> set[str]:
        """What is there besides dpkg's own notes."""
        admin = self.folder / "var" / "lib" / "dpkg"
        return {
            str(path.relative_to(self.folder))
            for path in self.folder.rglob("*")
            if not path.is_dir() and admin not in path.parents
        }

    def environment(self) -> dict[str, str]:
        """That of a session whose system this is."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("QT_", "PYTHON"))}
        return {
            **kept,
            "PATH": f"{self.usr / 'bin'}:/usr/bin:/bin",
            "XDG_DATA_DIRS": f"{self.usr / 'share'}:/usr/share",
        }


class InstalledBench(Bench):
    """Runs, the pantry and configurations, with the installed program in place of the sources."""

    def __init__(self, folder: Path, root: Root) -> None:
        super().__init__(folder)
        self.program = root.usr / "bin" / "tenuto"
        changes = {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        self.environment = {
            **root.environment(),
            **changes,
            "ANTHROPIC_API_KEY": "test-key-that-no-tool-may-see",
        }

    def command(self, *arguments: str) -> list[str]:
        return [str(self.program), *arguments, "--state-dir", str(self.runs)]

    def tenuto(self, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """The installed program: what a test's process has loaded are the sources."""
        return self.started(*arguments, cwd=cwd)

    def worker(self, *arguments: str, started: bool = True) -> AbstractContextManager[Worker]:
        """The same."""
        assert started, "the sources would be tried"
        return super().worker(*arguments, started=True)


class Desktop:
    """A screen, and the installed programs on it."""

    def __init__(self, root: Root, display: str) -> None:
        self.root = root
        self.environment = {**root.environment(), "DISPLAY": display}

    def launch(self, *words: str) -> None:
        """Have the desktop start something, as a click does."""
        subprocess.run(list(words), env=self.environment, check=True, timeout=PATIENCE)

    def windows(self, title: str) -> list[str]:
        """The ids of the windows with such a title."""
        words = ["xdotool", "search", "--onlyvisible", "--name", title]
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True)
        return done.stdout.split()

    def wait_for(self, title: str) -> str:
        """The id of a window as soon as it is there."""
        wait_until(lambda: bool(self.windows(title)), f"no window {title!r}")
        return self.windows(title)[0]

    def pids(self) -> list[int]:
        """The processes that run the installed program."""
        program = self.root.usr / "lib" / "tenuto" / "tenuto"
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    if os.path.realpath(entry / "exe") == str(program.resolve()):
                        found.append(int(entry.name))
                except OSError:
                    continue
        return found

    def picture(self, file: Path) -> None:
        """What is on the screen, as a PNG file."""
        environment = {**os.environ, "DISPLAY": self.environment["DISPLAY"]}
        environment["QT_QPA_PLATFORM"] = "xcb"
        subprocess.run([sys.executable, "-c", _GRAB, str(file)], env=environment, check=True)

    def click_primary_button(self, file: Path) -> None:
        """Click on the one button in the theme's accent, as soon as it is there.

        ``file`` is the picture of the screen just before.
        """
        tokens = REPOSITORY / "resources" / "tenuto_resources" / "theme" / "tokens.json"
        accent = json.loads(tokens.read_text())["tokens"]["accent"][0]
        found = ["0", "0", "0"]

        def seen() -> bool:
            self.picture(file)
            words = [sys.executable, "-c", _FIND, str(file), accent]
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            found[:] = done.stdout.split()
            return int(found[0]) > 60

        wait_until(seen, "no button in the accent's colour is on the screen")
        words = ["xdotool", "mousemove", *found[1:], "click", "1"]
        subprocess.run(words, env=self.environment, check=True)

    def close_all(self) -> None:
        """End what was started: each by its own id."""
        for pid in self.pids():
            try:
                os.kill(pid, 15)
            except ProcessLookupError:
                continue
        wait_until(lambda: not self.pids(), "the window does not close")


@contextmanager
def desktop(root: Root, display: str) -> Iterator[Desktop]:
    """A desktop that is empty again afterwards."""
    made = Desktop(root, display)
    try:
        yield made
    finally:
        made.close_all()


def wait_until(holds: Callable[[], bool], otherwise: str) -> None:
    """Wait for a condition; AssertionError after `PATIENCE` seconds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, otherwise
        time.sleep(0.05)


def missing(*programs: str) -> list[str]:
    """Which of these programs are not installed."""
    return [name for name in programs if shutil.which(name) is None]


def need(*programs: str) -> None:
    """Skip the test, and name them, where some are not installed."""
    if absent := missing(*programs):
        pytest.skip(f"not installed: {', '.join(absent)} (system_libraries.py --packages)")
