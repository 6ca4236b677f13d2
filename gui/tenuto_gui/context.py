# SPDX-License-Identifier: Apache-2.0
"""What every part of the window is given: folder, source, theme, command line. No globals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from tenuto_gui.preferences import Preferences
from tenuto_gui.theme import Theme

if TYPE_CHECKING:
    from tenuto.settings import Settings
    from tenuto.sources.base import SessionSource


class Workspace(QObject):
    """The folder the window is on, and the source made for it. ``changed`` after a switch."""

    changed = Signal()

    def __init__(
        self, directory: Path, source: SessionSource, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.directory = directory
        self.source = source

    def switch(self, directory: Path, reasonix: str = "") -> None:
        """Show another folder, or the same with other Reasonix sessions: the settings' folder."""
        from tenuto.sources.together import sessions_with

        self.directory = directory
        self.source = sessions_with(directory, reasonix)
        self.changed.emit()


class AppContext(msgspec.Struct, frozen=True):
    """Immutable but for workspace and preferences, which say when they change."""

    theme: Theme
    preferences: Preferences
    workspace: Workspace
    launcher: tuple[str, ...]

    @property
    def settings(self) -> Settings:
        return self.preferences.current

    @property
    def source(self) -> SessionSource:
        return self.workspace.source

    @property
    def runs_dir(self) -> Path:
        """The folder of journals the window shows."""
        return self.workspace.directory

    def command(self, *args: str) -> list[str]:
        """Program and arguments of a ``tenuto`` command on the folder that is shown."""
        # What comes after a "--" is taken as it is.
        end = args.index("--") if "--" in args else len(args)
        return [*self.launcher, *args[:end], "--state-dir", str(self.runs_dir), *args[end:]]
