# SPDX-License-Identifier: Apache-2.0
"""Which programs this installation is: a Python with its modules, or a frozen app's executables.

A frozen app is one folder. On Linux it has one executable, ``tenuto``, which is the window when
it is called ``tenuto-gui`` or told so by ``--window``. Windows tells programs with a console from
those without one by their file, so there (and in a macOS bundle) ``tenuto-gui`` is a file of its
own beside ``tenuto``.
"""

from __future__ import annotations

import ntpath
import posixpath
import sys
from types import ModuleType

#: The first argument that makes the frozen executable the window, or the demo's program.
WINDOW_SWITCH = "--window"
DEMO_SWITCH = "--demo-program"
COMMAND = "tenuto"
WINDOW = "tenuto-gui"


def is_frozen() -> bool:
    """Whether this is a frozen app, whose ``sys.executable`` is no Python."""
    return bool(getattr(sys, "frozen", False))


def command_line(system: str = sys.platform) -> tuple[str, ...]:
    """The argv prefix that runs the ``tenuto`` command; its first word is an absolute path."""
    if is_frozen():
        return (_executable(COMMAND, system),)
    return (sys.executable, "-m", "tenuto")


def window_line(system: str = sys.platform) -> tuple[str, ...]:
    """The argv prefix that opens the window."""
    if is_frozen():
        return (_executable(WINDOW, system), WINDOW_SWITCH)
    return (sys.executable, "-m", "tenuto_gui")


def name_of(executable: str, system: str = sys.platform) -> str:
    """What a program is called, less its folder and the ending that Windows gives it."""
    name: str = _paths(system).basename(executable)
    if system == "win32":
        name = name.lower().removesuffix(".exe")
    return name


def _executable(name: str, system: str) -> str:
    """The frozen app's executable called ``name``: on Linux there is one for everything."""
    if system not in {"win32", "darwin"}:
        return sys.executable
    paths = _paths(system)
    file = f"{name}.exe" if system == "win32" else name
    return str(paths.join(paths.dirname(sys.executable), file))


def _paths(system: str) -> ModuleType:
    return ntpath if system == "win32" else posixpath
