# SPDX-License-Identifier: Apache-2.0
"""Starting the window: arguments, a window that is open already, application, window on screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from tenuto_gui import i18n
from tenuto_gui.context import AppContext, Workspace
from tenuto_gui.faults import Faults
from tenuto_gui.file_events import FileEvents, name_the_app, system_asks
from tenuto_gui.interrupts import Interrupts
from tenuto_gui.main_window import MainWindow
from tenuto_gui.notice import Notice
from tenuto_gui.preferences import Preferences
from tenuto_gui.request import Request, asked_of, request_of
from tenuto_gui.shell import Shell, apply_style, apply_text_size, style_of_system
from tenuto_gui.single_instance import Claim, Instance, claim
from tenuto_gui.theme import Theme

if TYPE_CHECKING:
    from tenuto.settings import LoadedSettings, SettingProblem
    from tenuto.sources.ahead import Ahead
    from tenuto_gui.request import Asked

APP_ID = "tenuto"


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
    ahead: Ahead | None = None,
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
            sessions_with(request.directory, loaded.settings.reasonix_dir, ahead),
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
    from tenuto_gui.core_words import words

    apart = i18n.translate("lists", "; ")
    details = apart.join(f"{each.key} {words(each.said)}".strip() for each in problems)
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


def main(argv: Sequence[str] | None = None, asked: Asked | None = None) -> int:
    """Open the window and stay until it is closed; or hand over to the one that is open.

    ``asked``: what ``argv`` asks for, where that was worked out before Qt was loaded.
    """
    words = sys.argv if argv is None else argv
    asked = asked or asked_of(words[1:])
    loaded, request = asked.loaded, asked.request
    claimed = claim(request.directory, request.wanted)
    if claimed.handed_over:
        return 0
    # Before there is a window: from the moment it is seen, Ctrl+C closes it.
    interrupts = Interrupts(_application(words[:1]))
    app, shell = _build(words[:1], request, loaded, claimed, asked.ahead)
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
