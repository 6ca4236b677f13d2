# SPDX-License-Identifier: Apache-2.0
"""The main flows step by step, on the demo and with real workers (``screenshots OUTDIR steps``).

``resume-N`` resumes a suspended run to its end; ``diff-N`` is refused and shows what changed,
``force-N`` goes on all the same; ``approval-N`` asks, and goes on as it is answered. 1280 x 800,
light.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from pathlib import Path

_SIZE = (1280, 800)
_COLOURS = 256


def _until(studio, condition, what):
    for _ in range(1200):
        if condition():
            return
        studio.spin(0.05)
    raise SystemExit(f"it never came about: {what}")


def _few_colours(image):
    """The picture in the theme's colours and those that most of it has: a third of the bytes."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QColor

    from tenuto_gui.theme import token_table

    image = image.convertToFormat(image.Format.Format_RGB32)
    pixels = memoryview(image.constBits()).cast("B").cast("I")
    # A mark that is there once is as true as what is there a thousand times.
    own = [QColor(colour).rgb() for colour in token_table()["light"].values()]
    common = [colour for colour, _count in Counter(pixels).most_common(_COLOURS)]
    table = list(dict.fromkeys([*own, *common]))[:_COLOURS]
    return image.convertToFormat(
        image.Format.Format_Indexed8, table, Qt.ImageConversionFlag.AvoidDither
    )


class _Steps:
    """One window on the demo, and the pictures of one flow after the other."""

    def __init__(self, studio, window) -> None:
        self.studio = studio
        self.window = window
        self.running = window.running

    def until(self, condition, what) -> None:
        _until(self.studio, condition, what)

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
        image = _few_colours(picture.toImage())
        path = self.studio.out / f"{name}.png"
        # 0: the smallest file.
        image.save(str(path), "PNG", 0)
        print(path)

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
    import json

    script = folder / "script.json"
    told = json.loads(script.read_bytes())
    for turn in told["turns"]:
        if turn.get("text"):
            turn["word_delay"] = 0.02
    script.write_text(json.dumps(told))


def steps(studio) -> None:
    """Resume, difference, force and approval, step by step."""
    from tenuto.demo.make import make_demo

    # The path of the demo's program is seen in a question, and should be the same every time.
    home = Path(tempfile.gettempdir()) / "operator"
    home.mkdir()
    os.environ["HOME"] = str(home)
    try:
        _all_flows(studio, make_demo(home / "depot"))
    finally:
        shutil.rmtree(home)


def _all_flows(studio, demo) -> None:
    os.chdir(demo.folder)
    _slow_down(demo.folder)
    with studio.window(demo.runs, "orders-report") as window:
        window.resize(*_SIZE)
        window.context.theme.set_choice("light")
        studio.spin(2)
        made = _Steps(studio, window)
        for flow in (_resume, _force, _approval):
            flow(made)
    os.chdir(studio.out)
