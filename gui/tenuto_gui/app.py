# SPDX-License-Identifier: Apache-2.0
"""Starting the window: arguments, a window that is open already, application, window on screen."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtWidgets import QApplication

from tenuto_gui import i18n
from tenuto_gui.context import AppContext, Workspace
from tenuto_gui.faults import Faults
from tenuto_gui.file_events import FileEvents, name_the_app, system_asks
from tenuto_gui.interrupts import Interrupts
from tenuto_gui.main_window import MainWindow
from tenuto_gui.notice import Notice
from tenuto_gui.preferences import Preferences
from tenuto_gui.shell import Shell, apply_style, apply_text_size, style_of_system
from tenuto_gui.single_instance import Claim, Instance, claim
from tenuto_gui.theme import Theme

if TYPE_CHECKING:
    from tenuto.settings import LoadedSettings, SettingProblem

APP_ID = "tenuto"
#: What a whole session in one file ends with.
BUNDLE = ".tenuto"


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """``--state-dir DIR`` and one session: an id, or the path of a journal or of an export."""
    parser = argparse.ArgumentParser(
        prog="tenuto-gui", description="See, read and resume the runs of your agents."
    )
    parser.add_argument("session", nargs="?", default="", metavar="ID|FILE")
    parser.add_argument("--state-dir", default="", metavar="DIR", help="the folder of runs")
    return parser.parse_args(list(argv))


class Request(msgspec.Struct, frozen=True):
    """What a start asks for. ``wanted`` is an id, or the absolute path of a ``*.tenuto``."""

    directory: Path
    wanted: str


def request_of(argv: Sequence[str], loaded: LoadedSettings) -> Request:
    """The folder and the session that the arguments name; paths are made absolute here."""
    from tenuto.paths import runs_dir
    from tenuto.sources.together import session_at

    def folder(named: str) -> Path:
        return runs_dir(named, settings=loaded.settings)

    arguments = parse(argv)
    state_dir, session = arguments.state_dir, arguments.session
    if session.endswith(BUNDLE):
        session = str(Path(session).expanduser().absolute())
    elif session and (
        listed := session_at(
            Path(session).expanduser().absolute(),
            folder(state_dir),
            loaded.settings.reasonix_dir,
        )
    ):
        # A Reasonix session is in the list whatever folder of runs is.
        session = listed
    elif session and (os.sep in session or session.endswith(".json")):
        # The path of a journal stands for its folder, too.
        file = Path(session).expanduser().absolute()
        state_dir, session = str(file.parent), file.name.removesuffix(".json")
    return Request(folder(state_dir), session)


def build(argv: Sequence[str]) -> tuple[QApplication, MainWindow]:
    """Make and show the window, without entering the event loop. ``argv[0]`` is the program."""
    from tenuto import settings

    loaded = settings.load()
    app, shell = _build(argv[:1], request_of(argv[1:], loaded), loaded)
    shell.furnish()
    return app, shell.window


def _application(program: Sequence[str]) -> QApplication:
    """The application of this process, made if there is none yet."""
    found = QApplication.instance()
    if isinstance(found, QApplication):
        return found
    name_the_app()
    return QApplication([*program])


def _build(
    program: Sequence[str],
    request: Request,
    loaded: LoadedSettings,
    claimed: Claim | None = None,
) -> tuple[QApplication, Shell]:
    from tenuto.program import command_line
    from tenuto.sources.together import sessions_with

    app = _application(program)
    events = FileEvents(app) if system_asks() else None
    app.setApplicationName("Tenuto")
    app.setDesktopFileName(APP_ID)
    i18n.install(app, loaded.settings.language)

    font = app.font()
    apply_text_size(app, font, loaded.settings.text_size)
    style = style_of_system(app)
    theme = Theme(app, loaded.settings.theme)
    context = AppContext(
        theme=theme,
        preferences=Preferences(loaded.settings),
        workspace=Workspace(
            request.directory,
            sessions_with(request.directory, loaded.settings.reasonix_dir),
        ),
        launcher=command_line(),
    )
    if not loaded.settings.system_style:
        apply_style(app, context, style)
    shell = Shell(app, context, font, style)
    first_words = settings_notice(loaded.problems) if loaded.problems else None
    if claimed is not None and claimed.hung:
        first_words = second_window_notice(claimed.pid)
    shell.show(request.wanted, first_words)
    if events is not None:
        events.deliver_to(lambda path: _open(shell, path, loaded))
    return app, shell


def _open(shell: Shell, path: str, loaded: LoadedSettings) -> None:
    """Show a file that the system asks for while the window is open."""
    asked = request_of([path], loaded)
    shell.receive(asked.wanted, asked.directory)


def settings_notice(problems: Sequence[SettingProblem]) -> Notice:
    """Values of the settings file that were not used."""
    details = "; ".join(f"{each.key} {each.reason}".strip() for each in problems)
    title = i18n.translate("app", "%n setting(s) could not be used", None, len(problems))
    return Notice("failed", title, details, key="settings")


def second_window_notice(pid: int | None) -> Notice:
    """Another window is open, and does not answer."""
    who = i18n.translate("app", "process {pid}").format(pid=pid) if pid else ""
    title = i18n.translate("app", "Tenuto is open already, but that window does not answer")
    text = i18n.translate(
        "app", "This is a second window. A run is never worked on by both of them."
    )
    return Notice("failed", f"{title} ({who})" if who else title, text, key="instance")


def main(argv: Sequence[str] | None = None) -> int:
    """Open the window and stay until it is closed; or hand over to the one that is open."""
    from tenuto import settings

    words = sys.argv if argv is None else argv
    loaded = settings.load()
    request = request_of(words[1:], loaded)
    claimed = claim(request.directory, request.wanted)
    if claimed.handed_over:
        return 0
    # Before there is a window: from the moment it is seen, Ctrl+C closes it.
    interrupts = Interrupts(_application(words[:1]))
    app, shell = _build(words[:1], request, loaded, claimed)
    interrupts.ending.connect(shell.end_now)
    instance: Instance | None = None

    def answer() -> None:
        nonlocal instance
        if claimed.lock is not None:
            instance = Instance(claimed.lock, shell, request.directory)

    shell.seen.connect(answer)
    faults = Faults(shell)
    code = app.exec()
    faults.close()
    interrupts.close()
    if instance is not None:
        instance.close()
    if shell.live_ids():
        # Destroying a QProcess kills its process. The workers read the end of their input instead,
        # finish their step and suspend.
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # a program without a console has none (Windows)
                stream.flush()
        os._exit(code)
    return code
