# SPDX-License-Identifier: Apache-2.0
"""Pictures of the window's main states: ``python -m tests.gui.screenshots DIR [STATE...]``.

Each state is a real window on a real folder (`tests.gui.samples`), drawn into memory at 1440 x 900,
light and dark. Inter and JetBrains Mono stand in for the system's fonts where they are installed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.gui.demo_screenshots import DEMO_STATES
from tests.gui.picture_files import save
from tests.gui.run_screenshots import RUN_STATES
from tests.gui.step_screenshots import steps

_FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<match target="pattern"><test name="family"><string>monospace</string></test>
<edit name="family" mode="prepend" binding="strong"><string>JetBrains Mono</string></edit></match>
<match target="pattern"><test name="family"><string>sans-serif</string></test>
<edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match>
</fontconfig>
"""


def _prepare(folder: Path) -> None:
    """An environment of its own; before Qt is imported."""
    (folder / "fonts.conf").write_text(_FONTS)
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        del os.environ[name]
    os.environ.update(
        HOME=str(folder / "home"),
        QT_QPA_PLATFORM="offscreen",
        QT_SCALE_FACTOR="1",
        FONTCONFIG_FILE=str(folder / "fonts.conf"),
        LANG="C.UTF-8",
    )
    (folder / "home").mkdir()


class Studio:
    """Opens a window on a folder, brings it into a state, keeps the picture."""

    def __init__(self, out: Path, runs: Path) -> None:
        from PySide6.QtWidgets import QApplication

        self.out = out
        self.runs = runs
        self.app = QApplication(["tenuto"])
        font = self.app.font()
        font.setPointSizeF(10)
        self.app.setFont(font)

    @contextmanager
    def window(self, folder: Path, *words: str) -> Iterator[object]:
        from tenuto_gui.app import build

        _app, window = build(["tenuto", "--state-dir", str(folder), *words])
        window.resize(1440, 900)
        window.activateWindow()
        try:
            yield window
        finally:
            window.close()
            self.spin(0.1)

    def spin(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.app.processEvents()
            time.sleep(0.005)

    def until(self, condition: Callable[[], bool], what: str) -> None:
        for _ in range(1200):
            if condition():
                return
            self.spin(0.05)
        raise SystemExit(f"it never came about: {what}")

    def keep(self, widget, name: str) -> None:
        self.spin(0.3)
        save(widget.grab().toImage(), self.out / f"{name}.png")

    def both(self, window, name: str) -> None:
        """The light and the dark picture."""
        for scheme in ("light", "dark"):
            window.context.theme.set_choice(scheme)
            self.keep(window, f"{name}-{scheme}")
        window.context.theme.set_choice("light")


def _session(studio: Studio, name: str, session_id: str) -> None:
    with studio.window(studio.runs, session_id) as window:
        studio.spin(1.5)
        window.list.setFocus()
        studio.both(window, name)


def main_window(studio: Studio) -> None:
    """The list with every state, a running session open."""
    _session(studio, "main", "orders-report")


def damaged(studio: Studio) -> None:
    """A journal with a broken line."""
    _session(studio, "damaged", "depot")


def first_run(studio: Studio) -> None:
    """A folder without sessions."""
    with studio.window(Path.home() / ".local/state/fisk-ai/runs") as window:
        studio.spin(1)
        studio.both(window, "first-run")


def nothing_found(studio: Studio) -> None:
    """A filter that leaves nothing."""
    with studio.window(studio.runs) as window:
        studio.spin(1.5)
        window.filters.choose("facet", "ready")
        window.toolbar.filter_edit.setText("zebra")
        studio.both(window, "nothing-found")


def deleted(studio: Studio) -> None:
    """After a delete, with the way back."""
    with studio.window(studio.runs, "cow-jokes") as window:
        studio.spin(1.5)
        window.verbs.delete.trigger()
        studio.spin(3)
        studio.both(window, "deleted")
        window.verbs.undo_delete.trigger()
        studio.spin(3)


def menu(studio: Studio) -> None:
    """The context menu of a suspended and of a running session."""
    from PySide6.QtCore import QPoint

    with studio.window(studio.runs, "pantry-notes") as window:
        studio.spin(1.5)
        for scheme in ("light", "dark"):
            window.context.theme.set_choice(scheme)
            studio.spin(0.2)
            window.list.customContextMenuRequested.emit(QPoint(60, 120))
            popup = studio.app.activePopupWidget()
            studio.keep(popup, f"menu-{scheme}")
            popup.close()


def narrow(studio: Studio) -> None:
    """Without the filter column, and with list and detail as pages."""
    with studio.window(studio.runs, "pantry-notes") as window:
        studio.spin(1.5)
        window.resize(940, 700)
        studio.keep(window, "narrow-940")
        window.resize(680, 600)
        studio.keep(window, "narrow-680")


def trash(studio: Studio) -> None:
    """Three sessions in the trash."""
    with studio.window(studio.runs, "cow-jokes") as window:
        studio.spin(1.5)
        for session_id in ("routine-3", "routine-4", "cow-jokes"):
            window.list.select_id(session_id)
            window.verbs.delete.trigger()
            studio.spin(1.5)
        window.verbs.trash.trigger()
        studio.spin(1)
        studio.both(window, "trash")
        window.verbs.back.trigger()
        for _ in range(3):
            window.verbs.undo_delete.trigger()
            studio.spin(1.5)


def keys(studio: Studio) -> None:
    """The map of keys over the window."""
    with studio.window(studio.runs, "pantry-notes") as window:
        studio.spin(1.5)
        window.verbs.keys.trigger()
        studio.both(window, "keys")


def dialogs(studio: Studio) -> None:
    """Settings, export, rename, note, the question before a bulk delete."""
    from PySide6.QtWidgets import QDialog

    with studio.window(studio.runs, "pantry-notes") as window:
        studio.spin(1.5)
        for scheme in ("light", "dark"):
            window.context.theme.set_choice(scheme)
            window.filters.choose("facet", "completed")
            for verb in ("settings", "export", "rename", "note", "delete_shown"):
                window.list.select_id("billing-move")
                window.verbs[verb].trigger()
                studio.spin(0.3)
                dialog = window.findChildren(QDialog)[-1]
                studio.keep(dialog, f"{verb.replace('_', '-')}-{scheme}")
                dialog.close()
                studio.spin(0.2)


def pinned(studio: Studio) -> None:
    """A pinned session with a note."""
    from tenuto.runs import notes

    notes.update(studio.runs, "metrics", pinned=True, note="Ask Ana before this goes on.")
    _session(studio, "pinned", "metrics")
    notes.update(studio.runs, "metrics", pinned=False, note=None)


def short(studio: Studio) -> None:
    """A window with little height, and the pages of a narrow one while a run waits."""
    with studio.window(studio.runs, "pantry-notes") as window:
        studio.spin(1.5)
        window.resize(1200, 520)
        studio.keep(window, "short")
        window.resize(680, 640)
        studio.keep(window, "narrow-list")
        window.verbs.open.trigger()
        studio.keep(window, "narrow-detail")


def chinese(studio: Studio) -> None:
    """The words in Simplified Chinese."""
    from tenuto.settings import Settings, save

    save(Settings(language="zh_CN", theme="light"))
    with studio.window(studio.runs, "nightly-audit") as window:
        studio.spin(1.5)
        window.list.setFocus()
        studio.both(window, "chinese")
        window.verbs.settings.trigger()
        studio.spin(0.3)
        studio.keep(window.findChild(object, "settingsDialog"), "chinese-settings")
    save(Settings())


def large_text(studio: Studio) -> None:
    """Twice the size of text."""
    font = studio.app.font()
    font.setPointSizeF(20)
    studio.app.setFont(font)
    with studio.window(studio.runs, "pantry-notes") as window:
        studio.spin(1.5)
        studio.keep(window, "large-text")
    font.setPointSizeF(10)
    studio.app.setFont(font)


def activity(studio: Studio) -> None:
    """A run over a morning, with a wait, a rest and an error; and a run that nobody saw."""
    from tests.gui.stories import billing

    moment = datetime.now(UTC) - timedelta(hours=8, minutes=40)
    prompt = "Move the consumers of BILLING to the new cluster one at a time and report lag"
    billing(studio.runs, prompt, moment)
    for name, session_id in (("activity", "billing-move"), ("activity-by-turn", "acks")):
        if name != "activity":
            (studio.runs / f"{session_id}.times.jsonl").unlink(missing_ok=True)
        with studio.window(studio.runs, session_id) as window:
            studio.spin(1.5)
            window.detail.tabs.setCurrentWidget(window.detail.activity)
            studio.spin(1)
            studio.both(window, name)
            window.resize(800, 900)
            studio.keep(window, f"{name}-narrow")


def records(studio: Studio) -> None:
    """A journal with a record written behind a torn one, before a repair and while it is asked."""
    from tests.gui.stories import depot

    depot(studio.runs, "Depot stocktake, cold room", datetime.now(UTC) - timedelta(days=1))
    with studio.window(studio.runs, "depot") as window:
        studio.spin(1.5)
        view = window.detail.records
        window.detail.tabs.setCurrentWidget(view)
        studio.spin(3)
        view.table.setFocus()
        studio.both(window, "records")
        view.bar.repair_button.click()
        window.resize(800, 900)
        studio.keep(window, "records-narrow")
        view.bar.cancel_button.click()
    with studio.window(studio.runs, "tana-oroshi") as window:
        studio.spin(1.5)
        window.detail.tabs.setCurrentWidget(window.detail.records)
        studio.spin(1)
        window.detail.records.table.choose(0)
        studio.keep(window, "records-cjk")


STATES: dict[str, Callable[[Studio], None]] = RUN_STATES | DEMO_STATES | {
    state.__name__: state
    for state in (
        main_window, damaged, first_run, nothing_found,
        deleted, menu, narrow, large_text, trash, keys, dialogs, pinned, short, chinese, activity,
        records, steps,
    )
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.gui.screenshots",
        description="Draw states of the window, light and dark. They are: " + ", ".join(STATES),
    )
    parser.add_argument("dir", metavar="DIR", type=Path, help="where the pictures go")
    parser.add_argument("states", metavar="STATE", nargs="*", help="default: all of them")
    arguments = parser.parse_args()
    if unknown := set(arguments.states) - set(STATES):
        parser.error(f"no such state: {', '.join(sorted(unknown))}")
    out = arguments.dir.resolve()
    out.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="tenuto-pictures-"))
    try:
        _prepare(folder)
        from tests.gui.samples import Samples

        with Samples(folder / "home" / "runs") as samples:
            studio = Studio(out, samples.folder)
            for name in arguments.states or STATES:
                STATES[name](studio)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
