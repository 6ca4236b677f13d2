# SPDX-License-Identifier: Apache-2.0
"""The first thing that runs: says in one sentence why no window can open, where none can.

Qt answers a missing screen by aborting and a missing library by a traceback. Imports no Qt itself.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Mapping

#: Exit codes of wrong use, and of an interrupted command (design.md, "Command line").
UNUSABLE = 2
INTERRUPTED = 130


def no_screen(environment: Mapping[str, str], system: str = sys.platform) -> str:
    """What to say when nothing names a screen; "" when something does."""
    named = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
    if system in {"win32", "darwin"} or any(environment.get(name) for name in named):
        return ""
    return (
        "there is no screen to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set "
        "(over ssh: ssh -X; without a window: tenuto session ls)"
    )


def no_library(error: ImportError) -> str:
    """What to say when Qt's libraries do not load."""
    return f"the window cannot be loaded: {error} (`make run` sees to it, or names what to install)"


def entry() -> None:
    """The ``tenuto-gui`` script."""
    from tenuto.streams import fill_standard_streams

    fill_standard_streams()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # While it loads; later Ctrl+C closes the window.
        signal.signal(signal.SIGINT, _end_at_once)
    _start()


def _end_at_once(_number: int, _frame: object) -> None:
    """Nothing is open yet that would have to be closed.

    No exception: Qt's bindings run Python of their own, and abort when that is interrupted, or go
    on without what they were at.
    """
    os._exit(INTERRUPTED)


def _start() -> None:
    problem = no_screen(os.environ)
    if not problem:
        from tenuto.collector import collector_off

        try:
            # Modules and classes live as long as the process: no pass has to look at them.
            with collector_off():
                from tenuto_gui.request import look_while_loading

                asked = look_while_loading(sys.argv[1:])
                from tenuto_gui.app import main

                gc.freeze()
        except ImportError as error:
            # A name of our own that is missing is a fault of the program, not of the machine.
            if not (error.name or "").startswith("PySide6") and "lib" not in str(error):
                raise
            problem = no_library(error)
        else:
            sys.exit(main(asked=asked))
    print(f"tenuto: {problem}", file=sys.stderr)
    sys.exit(UNUSABLE)
