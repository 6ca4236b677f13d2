# SPDX-License-Identifier: Apache-2.0
"""Where a frozen app begins: one executable for command line, worker, window and demo program.

A worker is the command line itself, so it needs no switch.
"""

from __future__ import annotations

import os
import sys

from tenuto.program import DEMO_SWITCH, WINDOW, WINDOW_SWITCH, name_of

#: The bootloader's own variables. What it has to hand down to itself it sets anew.
_BOOTLOADER = "_PYI_"
#: What the bootloader points at the app's folder, on Linux and the BSDs and on AIX.
_LIBRARY_PATHS = ("LD_LIBRARY_PATH", "LIBPATH")


def entry() -> None:
    """Be what the name of the program and its first argument say."""
    give_back_environment(os.environ)
    switch = sys.argv[1] if len(sys.argv) > 1 else ""
    if switch == DEMO_SWITCH:
        del sys.argv[1]
        sys.exit(_demo_program())
    if switch == WINDOW_SWITCH or name_of(sys.argv[0]) == WINDOW:
        if switch == WINDOW_SWITCH:
            del sys.argv[1]
        from tenuto_gui.start import entry as window

        window()
    from tenuto.cli.main import entry as command

    command()


def give_back_environment(environment: os._Environ[str] | dict[str, str]) -> None:
    """Undo what the bootloader did to the environment: programs that we start have it as ours.

    The loader has read its variables by now, so our own libraries are still found; but a terminal
    or a tool that found them would run with the wrong ones.
    """
    for name in _LIBRARY_PATHS:
        before = environment.pop(f"{name}_ORIG", None)
        if before is not None:
            environment[name] = before
        elif f"{_BOOTLOADER}APPLICATION_HOME_DIR" in environment:
            environment.pop(name, None)
    for name in [name for name in environment if name.startswith(_BOOTLOADER)]:
        del environment[name]


def _demo_program() -> int:
    """The program behind the demo's tools; its arguments are what is left of the line."""
    import runpy
    from importlib.resources import as_file, files

    with as_file(files("tenuto_resources").joinpath("demo", "depot.py")) as path:
        code: int = runpy.run_path(str(path))["main"]()
    return code
