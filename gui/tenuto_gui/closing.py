# SPDX-License-Identifier: Apache-2.0
"""What becomes of the runs of a window that is to be closed: one question, three answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

from tenuto_gui.dialogs.question import ask_choices
from tenuto_gui.i18n import translate
from tenuto_gui.notice import Notice

if TYPE_CHECKING:
    from tenuto_gui.main_window import MainWindow


class Closing(QObject):
    """One per window. A window that is killed asks nothing: its workers then suspend."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._controller = window.running.controller
        self._state: Literal["", "asking", "suspending", "leaving", "ending"] = ""
        self._box: QMessageBox | None = None
        self._controller.idle.connect(self._on_idle)

    def may_close(self) -> bool:
        """Whether nothing stands in the way; else the operator is asked, and the window waits."""
        live = self._controller.live_ids()
        if not live or self._state in ("suspending", "leaving", "ending"):
            # Closed a second time while runs finish their step: they do that alone as well.
            return True
        if self._box is None:
            self._ask(len(live))
        else:
            self._box.raise_()
        return False

    def end_session(self) -> None:
        """Nobody can be asked: every run finishes its step and suspends, with or without us.

        Where the operator does not log out after all, the window stays, and says what became of
        the runs.
        """
        if not self._controller.live_ids():
            return
        self._state = "ending"
        if self._box is not None:
            self._box.reject()
        self._say_suspending(
            translate("closing", "The session ends. They can be resumed when it begins again.")
        )
        self._controller.close_inputs()

    def _ask(self, count: int) -> None:
        self._state = "asking"
        self._box = ask_choices(
            self._window,
            translate("closing", "%n run(s) at work", n=count),
            translate(
                "closing",
                "Suspend: each finishes the step it is at, and can be resumed.\nLeave running: each"
                " goes on without a window; what it asks is denied, as nobody is there, and a chat"
                " suspends.",
            ),
            [
                ("closeSuspend", translate("closing", "Suspend and quit"), self._suspend),
                ("closeLeave", translate("closing", "Leave running"), self._leave),
            ],
        )
        self._box.finished.connect(self._on_answered)

    def _on_answered(self) -> None:
        self._box = None
        if self._state == "asking":
            self._state = ""

    def _suspend(self) -> None:
        self._state = "suspending"
        count = len(self._controller.live_ids())
        self._say_suspending(
            translate(
                "closing",
                "The window closes when they have finished their step. Close it again to leave"
                " now; they suspend all the same.",
            )
        )
        self._controller.close_inputs()
        if not count:
            self._window.close()

    def _say_suspending(self, text: str) -> None:
        count = len(self._controller.live_ids())
        title = translate("closing", "Suspending %n run(s)", n=count)
        self._window.notices.show_notice(Notice("info", title, text, key="closing"))

    def _leave(self) -> None:
        self._state = "leaving"
        self._controller.leave()
        self._window.close()

    def _on_idle(self) -> None:
        """The last run ended: nothing is left to wait for, or to ask about."""
        if self._state == "ending":
            self._state = ""
        if self._state not in ("asking", "suspending"):
            return
        if self._box is not None:
            self._box.reject()
        self._window.close()
