# SPDX-License-Identifier: Apache-2.0
"""Starting the window: arguments, application, window on screen, then everything else."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication

from tenuto_gui import i18n, icons
from tenuto_gui.context import AppContext, Workspace, default_launcher
from tenuto_gui.main_window import MainWindow
from tenuto_gui.notice import Notice
from tenuto_gui.style import TenutoStyle
from tenuto_gui.theme import Theme

if TYPE_CHECKING:
    from tenuto.settings import SettingProblem

APP_ID = "tenuto"


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """``--state-dir DIR`` and one session: an id, or the path of a journal."""
    parser = argparse.ArgumentParser(
        prog="tenuto-gui", description="See, read and resume the runs of your agents."
    )
    parser.add_argument("session", nargs="?", default="", metavar="ID|FILE")
    parser.add_argument("--state-dir", default="", metavar="DIR", help="the folder of runs")
    return parser.parse_args(list(argv))


def _place(session: str, state_dir: str) -> tuple[str, str]:
    """Folder and id of what is to be opened: a path to a journal stands for both."""
    if session and (os.sep in session or session.endswith(".json")):
        file = Path(session).expanduser().absolute()
        return str(file.parent), file.name.removesuffix(".json")
    return state_dir, session


def build(argv: Sequence[str]) -> tuple[QApplication, MainWindow]:
    """Make and show the window, without entering the event loop. ``argv[0]`` is the program."""
    from tenuto import settings as settings_file
    from tenuto.paths import runs_dir
    from tenuto.sources.runs import RunSource

    arguments = parse(argv[1:])
    state_dir, wanted = _place(arguments.session, arguments.state_dir)
    found = QApplication.instance()
    app = found if isinstance(found, QApplication) else QApplication([*argv[:1]])
    app.setApplicationName("Tenuto")
    app.setDesktopFileName(APP_ID)
    app.setWindowIcon(icons.app_icon())
    i18n.install(app)

    loaded = settings_file.load()
    theme = Theme(app, loaded.settings.theme)
    if not loaded.settings.system_style:
        app.setStyle(TenutoStyle(theme))
    directory = runs_dir(state_dir, settings=loaded.settings)
    context = AppContext(
        theme=theme,
        settings=loaded.settings,
        workspace=Workspace(directory, RunSource(directory)),
        launcher=default_launcher(),
    )
    window = MainWindow(context, wanted=wanted)
    if loaded.problems:
        window.notices.show_notice(settings_notice(loaded.problems))
    window.show()
    # The first paint comes before the first look at the folder.
    QTimer.singleShot(0, window, window.start)
    return app, window


def settings_notice(problems: Sequence[SettingProblem]) -> Notice:
    """Values of the settings file that were not used."""
    details = "; ".join(f"{each.key} {each.reason}".strip() for each in problems)
    title = i18n.translate("app", "%n setting(s) could not be used", None, len(problems))
    return Notice("failed", title, details, key="settings")


def main(argv: Sequence[str] | None = None) -> int:
    """Open the window and stay until it is closed."""
    app, window = build(sys.argv if argv is None else argv)
    interrupts = Interrupts(app)
    code = app.exec()
    interrupts.close()
    if window.running.controller.live_ids():
        # Destroying a QProcess kills its process. The workers read the end of their input instead,
        # finish their step and suspend.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


class Interrupts(QObject):
    """Ctrl+C in the terminal closes the window as its close button does.

    Python runs a signal's handler between its own instructions, and Qt's loop has none; a byte on
    a socket wakes it.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_wake)
        self._asked = False
        self._old = signal.signal(signal.SIGINT, self._on_signal)
        self._old_fd = signal.set_wakeup_fd(self._write.fileno())

    def _on_signal(self, _number: int, _frame: object) -> None:
        self._asked = True

    def _on_wake(self) -> None:
        self._read.recv(64)
        if self._asked:
            self._asked = False
            self._app.closeAllWindows()

    def close(self) -> None:
        """Hand the signal back."""
        signal.set_wakeup_fd(self._old_fd)
        signal.signal(signal.SIGINT, self._old)
        self._notifier.setEnabled(False)
        self._read.close()
        self._write.close()
