# SPDX-License-Identifier: Apache-2.0
"""Pictures of states of the demo, with real workers (`tests.gui.screenshots`)."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

_REASONIX = "Courier client"


@contextmanager
def demo_of_an_operator():
    """The demo in a home of its own, which the process stands in meanwhile.

    Paths of its program and its projects are seen, and should be the same every time.
    """
    from tenuto.demo.make import make_demo

    home = Path(tempfile.gettempdir()) / "operator"
    home.mkdir()
    before, place = os.environ["HOME"], os.getcwd()
    os.environ["HOME"] = str(home)
    try:
        demo = make_demo(home / "depot")
        os.chdir(demo.folder)
        yield demo
    finally:
        os.chdir(place)
        os.environ["HOME"] = before
        shutil.rmtree(home)


@contextmanager
def _shown(studio, session_id):
    with demo_of_an_operator() as demo, studio.window(demo.runs, session_id) as window:
        studio.until(lambda: window.detail.session_id == session_id, f"{session_id} is shown")
        studio.spin(1.5)
        yield window
        live = window.running.controller.live_ids
        for at_work in live():
            window.running.controller.abort(at_work)
        studio.until(lambda: not live(), "its worker ends")


def groups(studio) -> None:
    """Grouped by project, with Reasonix sessions of every generation."""
    with _shown(studio, "orders-report") as window:
        studio.until(lambda: window.sessions.source_counts()["reasonix"], "both are listed")
        window.verbs.group_project.trigger()
        found = [row.id for row in window.sessions.all() if row.title.startswith(_REASONIX)]
        window.list.select_id(found[0])
        studio.until(lambda: window.detail.session_id == found[0], "it is shown")
        studio.spin(1.5)
        window.list.setFocus()
        window.list.scrollToTop()
        studio.both(window, "groups")


def _asked(studio, session_id, name) -> None:
    with _shown(studio, session_id) as window:
        window.verbs.resume.trigger()
        panel = window.running.panel
        studio.until(lambda: panel.is_asking and panel.command.end_was_seen, "it asks")
        window.list.scrollTo(window.list.currentIndex())
        studio.spin(1)
        studio.both(window, name)


def approval(studio) -> None:
    """A tool that asks before it runs."""
    _asked(studio, "prune-streams", "approval")


def outcome_unknown(studio) -> None:
    """An interrupted run whose last call may have happened."""
    _asked(studio, "nightly-audit", "outcome-unknown")


def configuration(studio) -> None:
    """A suspended run beside a configuration that changed."""
    with _shown(studio, "rename-metrics") as window:
        window.detail.show_configuration()
        studio.until(lambda: window.detail.configuration.comparison is not None, "it is compared")
        studio.spin(1)
        studio.both(window, "configuration")


DEMO_STATES = {
    state.__name__: state for state in (groups, approval, outcome_unknown, configuration)
}
