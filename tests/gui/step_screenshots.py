# SPDX-License-Identifier: Apache-2.0
"""The main flows step by step, on the demo and with real workers (``screenshots OUTDIR steps``).

``resume-N`` resumes a suspended run to its end; ``diff-N`` is refused and shows what changed,
``force-N`` goes on all the same; ``approval-N`` asks, and goes on as it is answered. 1280 x 800,
light.
"""

from __future__ import annotations

import json

from tests.gui.demo_screenshots import demo_of_an_operator
from tests.gui.picture_files import save

_SIZE = (1280, 800)


class _Steps:
    """One window on the demo, and the pictures of one flow after the other."""

    def __init__(self, studio, window) -> None:
        self.studio = studio
        self.window = window
        self.running = window.running

    def until(self, condition, what) -> None:
        self.studio.until(condition, what)

    def keep(self, name) -> None:
        """The window, and over it the menu that is open."""
        from PySide6.QtGui import QPainter

        self.window.list.scrollTo(self.window.list.currentIndex())
        self.studio.spin(0.4)
        picture = self.window.grab()
        if (popup := self.studio.app.activePopupWidget()) is not None:
            painter = QPainter(picture)
            place = popup.mapToGlobal(popup.rect().topLeft())
            painter.drawPixmap(self.window.mapFromGlobal(place), popup.grab())
            painter.end()
        save(picture.toImage(), self.studio.out / f"{name}.png")

    def select(self, session_id) -> None:
        self.window.list.setFocus()
        self.window.list.select_id(session_id)
        self.until(lambda: self.window.detail.session_id == session_id, f"{session_id} is shown")
        self.studio.spin(0.6)

    def status(self, session_id) -> str:
        summary = self.window.sessions.summary(session_id)
        return summary.status if summary is not None else "gone"

    def becomes(self, session_id, status) -> None:
        self.until(lambda: self.status(session_id) == status, f"{session_id}: {status}")
        self.studio.spin(0.6)

    def menu(self, session_id, verb) -> None:
        """Right-click a session, the pointer on this verb."""
        view = self.window.list
        place = view.visualRect(view.currentIndex()).center()
        place.setX(place.x() // 2)
        view.customContextMenuRequested.emit(place)
        popup = self.studio.app.activePopupWidget()
        popup.setActiveAction(self.window.verbs[verb])

    def rest(self) -> None:
        self.until(lambda: not self.running.controller.live_ids(), "its worker ends")


def _resume(steps) -> None:
    steps.select("orders-report")
    steps.menu("orders-report", "resume")
    steps.keep("resume-1")
    steps.studio.app.activePopupWidget().close()
    steps.window.verbs.resume.trigger()
    text = steps.window.detail.transcript.plain_text
    steps.until(lambda: "Two of its six consumers" in text(), "its words stream")
    steps.keep("resume-2")
    steps.becomes("orders-report", "completed")
    steps.rest()
    steps.keep("resume-3")


def _force(steps) -> None:
    steps.select("rename-metrics")
    steps.window.verbs.resume.trigger()
    steps.until(lambda: steps.window.notices.notice is not None, "it is refused")
    steps.rest()
    steps.becomes("rename-metrics", "suspended")
    steps.keep("diff-1")
    steps.window.notices.findChild(object, "showChanged").click()
    view = steps.window.detail.configuration
    steps.until(lambda: view.comparison is not None, "it is compared")
    steps.keep("diff-2")
    steps.window.verbs.resume_force.trigger()
    panel = steps.window.resume_flow.force_panel
    steps.until(lambda: panel.isVisible() and panel.confirm.isEnabled(), "what it means is told")
    steps.keep("force-1")
    steps.until(lambda: panel.is_ripe, "clicks count")
    panel.confirm.click()
    steps.becomes("rename-metrics", "completed")
    steps.rest()
    steps.keep("force-2")


def _approval(steps) -> None:
    steps.select("prune-streams")
    steps.window.verbs.resume.trigger()
    panel = steps.running.panel
    steps.until(lambda: panel.is_asking and panel.command.end_was_seen, "it asks")
    steps.becomes("prune-streams", "waiting")
    steps.keep("approval-1")
    steps.studio.spin(0.7)
    panel.findChild(object, "approveOnce").click()
    steps.becomes("prune-streams", "completed")
    steps.rest()
    steps.keep("approval-2")


def _slow_down(folder) -> None:
    """Words that stream slowly enough for a picture of them."""
    script = folder / "script.json"
    told = json.loads(script.read_bytes())
    for turn in told["turns"]:
        if turn.get("text"):
            turn["word_delay"] = 0.02
    script.write_text(json.dumps(told))


def steps(studio) -> None:
    """Resume, difference, force and approval, step by step."""
    with demo_of_an_operator() as demo:
        _all_flows(studio, demo)


def _all_flows(studio, demo) -> None:
    _slow_down(demo.folder)
    with studio.window(demo.runs, "orders-report") as window:
        window.resize(*_SIZE)
        window.context.theme.set_choice("light")
        studio.spin(2)
        made = _Steps(studio, window)
        for flow in (_resume, _force, _approval):
            flow(made)
