# SPDX-License-Identifier: Apache-2.0
"""What `benchmarks.gui` runs in processes of its own: ``MODE [FOLDER [SETTLE] [SECONDS]] STARTED``.

``SETTLE``: seconds until what a window does at its start is over. ``STARTED`` is the monotonic
clock when the process was started. Prints JSON.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QApplication

    from benchmarks.gui_heart import Heart
    from tenuto.sources.base import SessionSummary
    from tenuto_gui.main_window import MainWindow
    from tenuto_gui.sessions.list_view import SessionList
    from tenuto_gui.sessions.order import Sort


def _print(value: object) -> None:
    sys.stdout.write(json.dumps(value))
    sys.stdout.flush()


def empty(started: float) -> None:
    """The floor: a window with nothing in it."""
    from PySide6.QtWidgets import QApplication, QWidget

    def painted(_window: QWidget, _event: QPaintEvent) -> None:
        _print(time.monotonic() - started)
        app.quit()

    app = QApplication([])
    window = type("Window", (QWidget,), {"paintEvent": painted})()
    window.resize(1440, 900)
    window.show()
    app.exec()


class _PaintHook:
    """Finds the list's module, and has its first paint of rows told.

    Nothing is loaded for that before the program itself loads it.
    """

    def __init__(self, started: float) -> None:
        self._started = started

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> Any:
        if name != "tenuto_gui.sessions.list_view":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.loader is not None
        execute = spec.loader.exec_module

        def hooked(module: ModuleType) -> None:
            execute(module)
            self._hook(module.SessionList)

        spec.loader.exec_module = hooked  # type: ignore[method-assign]
        return spec

    def _hook(self, view: type[SessionList]) -> None:
        paint = view.paintEvent

        def timed(shown: SessionList, event: QPaintEvent) -> None:
            from PySide6.QtWidgets import QApplication

            paint(shown, event)
            if shown.model().rowCount():
                _print(time.monotonic() - self._started)
                view.paintEvent = paint  # type: ignore[method-assign]
                QApplication.closeAllWindows()

        view.paintEvent = timed  # type: ignore[method-assign,assignment]


def start(folder: str, started: float) -> None:
    """The first paint of the list that has rows, of the program as its script starts it."""
    from tenuto_gui.start import entry

    sys.meta_path.insert(0, _PaintHook(started))
    sys.argv = ["tenuto-gui", "--state-dir", folder]
    entry()


def settled(folder: str, settle: float) -> tuple[QApplication, MainWindow]:
    """A window that has read everything, and its application.

    :raises TimeoutError: after a minute it has not: nothing measured then would mean anything.
    """
    from tenuto_gui.app import build

    app, window = build(["tenuto", "--state-dir", folder])
    # Locks and companions are no sessions.
    count = sum(1 for path in Path(folder).glob("*.json") if path.name.count(".") == 1)
    end = time.monotonic() + 60
    while window.sessions.total < count or window.sessions.with_status("pending"):
        if time.monotonic() > end:
            raise TimeoutError(f"{window.sessions.total} of {count} sessions in a minute")
        app.processEvents()
        time.sleep(0.002)
    pause(app, settle)
    return app, window


def pause(app: QApplication, seconds: float) -> None:
    """Do for so long what a window does by itself."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.processEvents()
        time.sleep(0.002)


#: Projects that the sessions are shared out to, for a list in groups.
_PROJECTS = 200


def list_view(folder: str, settle: float) -> None:
    """Keystrokes and orders, each with the paint that it causes; then again in groups."""
    app, window = settled(folder, settle)
    found: dict[str, float] = {}

    def timed(name: str, deed: Callable[[], None]) -> None:
        begin = time.perf_counter()
        deed()
        window.list.viewport().repaint()
        found[name] = time.perf_counter() - begin
        app.processEvents()

    def all_of(group: str) -> None:
        edit = window.toolbar.filter_edit
        for count in range(1, len("report run-0077") + 1):
            text = "report run-0077"[:count]
            timed(f"{group}key {text!r}", partial(edit.setText, text))
        for count in range(len("report run-0077") - 1, -1, -1):
            text = "report run-0077"[:count]
            timed(f"{group}key back to {text!r}", partial(edit.setText, text))
        orders: tuple[Sort, ...] = ("name", "created", "tokens", "activity")
        for order in orders:
            timed(f"{group}sort {order}", partial(window.sessions.set_sort, order))

    all_of("")
    window.folder.stop()
    window.sessions.set_sessions(_in_projects(window.sessions.all()))
    window.sessions.set_grouping("project")
    pause(app, settle)
    all_of("group ")
    timed("group fold", partial(window.list.fold_all, True))
    timed("group unfold", partial(window.list.fold_all, False))
    window.close()
    _print(found)


def _in_projects(summaries: list[SessionSummary]) -> list[SessionSummary]:
    """The same as sessions of so many projects."""
    from tenuto.sources.reasonix_rows import ReasonixSummary

    made: list[SessionSummary] = []
    for number, summary in enumerate(summaries):
        fields = {name: getattr(summary, name) for name in summary.__struct_fields__}
        fields |= {"workspace_root": f"/srv/project-{number % _PROJECTS}"}
        made.append(ReasonixSummary(**fields))
    return made


def growth(folder: str, settle: float, seconds: float) -> None:
    """How steady a timer of the window beats while another process appends to all."""
    from benchmarks.gui_heart import Heart

    app, window = settled(folder, settle)
    heart = Heart()
    records = _beat(app, heart, folder, seconds)
    turns = sum(summary.turns for summary in window.sessions.all())
    window.close()
    _print(heart.figures() | {"records": records, "turns_seen": turns})


def growth_floor(folder: str, seconds: float) -> None:
    """The same beside a window with nothing in it, which looks at nothing: the machine's part."""
    from PySide6.QtWidgets import QApplication, QWidget

    from benchmarks.gui_heart import Heart

    app = QApplication([])
    window = QWidget()
    window.resize(1440, 900)
    window.show()
    heart = Heart()
    _beat(app, heart, folder, seconds)
    _print(heart.figures())


def _beat(app: QApplication, heart: Heart, folder: str, seconds: float) -> int:
    """Beat while another process appends; the number of its records."""
    import subprocess

    line = [sys.executable, "-m", "benchmarks.gui_child", "grow", folder, str(seconds), "0"]
    with subprocess.Popen(line, stdout=subprocess.PIPE) as writer:
        heart.beat_for(seconds, app.quit)
        app.exec()
        out, _ = writer.communicate()
    return int(out)


def grow(folder: str, seconds: float) -> None:
    """Append a turn to one journal after the other, a few hundred a second."""
    from benchmarks.corpora import go

    paths = sorted(path for path in Path(folder).iterdir() if path.name.count(".") == 1)
    seqs = {path: path.read_bytes().count(b"\n") for path in paths}
    end = time.monotonic() + seconds
    written = 0
    while time.monotonic() < end:
        for path in paths:
            seqs[path] += 1
            record = {
                "seq": seqs[path],
                "protocol": "io.choria.fisk-ai.v1.session.assistant",
                "assistant": {
                    "iteration": seqs[path],
                    "message": {"role": "assistant", "content": [{"text": {"text": "On it."}}]},
                    "stop_reason": "end_turn",
                    "in_tokens": 900,
                    "out_tokens": 12,
                },
            }
            with path.open("ab") as file:
                file.write(go(record) + b"\n")
            written += 1
            time.sleep(0.001)
    _print(written)


def rest(folder: str, settle: float, seconds: float) -> None:
    """Percent of a core that all threads use together while nothing happens."""
    from PySide6.QtCore import QTimer

    app, window = settled(folder, settle)
    before, begin = time.process_time(), time.perf_counter()
    QTimer.singleShot(round(seconds * 1000), app.quit)
    app.exec()
    used, passed = time.process_time() - before, time.perf_counter() - begin
    window.close()
    _print(100 * used / passed)


def main() -> None:
    """Run the mode that is named."""
    mode, *words, started = sys.argv[1:]
    if mode == "empty":
        empty(float(started))
    elif mode == "start":
        start(words[0], float(started))
    elif mode == "list":
        list_view(words[0], float(words[1]))
    elif mode == "growth":
        growth(words[0], float(words[1]), float(words[2]))
    elif mode == "growth-floor":
        growth_floor(words[0], float(words[1]))
    elif mode == "grow":
        grow(words[0], float(words[1]))
    elif mode == "rest":
        rest(words[0], float(words[1]), float(words[2]))
    else:
        raise SystemExit(f"no such mode: {mode}")


if __name__ == "__main__":
    main()
