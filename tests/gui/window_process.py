# SPDX-License-Identifier: Apache-2.0
"""A window in a process of its own, which resumes a run and then waits to be told how to end.

Called with the runs folder, a configuration and a session. Says ``running`` once a tool of the run
is at work or a question is open, and ends as the one word on its stdin says: ``leave`` closes it
and lets the run go on; it is killed otherwise.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication, QPushButton

from tenuto_gui import app as gui
from tenuto_gui.main_window import MainWindow

_LOOK_MS = 20


class _Operator:
    """Does one thing after the other, each as soon as it can be done."""

    def __init__(self, config: str, session: str) -> None:
        self._config = config
        self._session = session
        self._step = 0
        self._timer = QTimer()
        self._timer.timeout.connect(self._look)
        self._timer.start(_LOOK_MS)
        self._told = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
        self._told.setEnabled(False)
        self._told.activated.connect(self._leave)

    def _window(self) -> MainWindow | None:
        windows = QApplication.topLevelWidgets()
        return next((each for each in windows if isinstance(each, MainWindow)), None)

    def _look(self) -> None:
        window = self._window()
        if window is None:
            return
        run = window.running.controller.run(self._session)
        if self._step == 0 and window.sessions.summary(self._session) is not None:
            window.resume_flow.start(self._session, self._config)
            self._step = 1
        elif self._step == 1 and run is not None and (run.tool or run.asks):
            self._timer.stop()
            print("running", flush=True)
            self._told.setEnabled(True)

    def _leave(self) -> None:
        self._told.setEnabled(False)
        window = self._window()
        if sys.stdin.readline().strip() != "leave" or window is None:
            return
        window.close()
        button = window.findChild(QPushButton, "closeLeave")
        assert button is not None
        button.click()


def main() -> int:
    """Open the window on the folder, with somebody in front of it."""
    folder, config, session = sys.argv[1:]
    application = QApplication(["tenuto-gui"])
    application.setProperty("operator", _Operator(config, session))
    return gui.main(["tenuto-gui", "--state-dir", folder])


if __name__ == "__main__":
    sys.exit(main())
