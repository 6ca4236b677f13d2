# SPDX-License-Identifier: Apache-2.0
"""The operator's terminal: which one, and how it is told to run a command. Qt-free.

The command is handed over word by word; no shell reads a word of it.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence

#: What stands before a command, by program; the order is that in which they are looked for.
#: "xdg-terminal-exec" starts the one that the user chose, "x-terminal-emulator" is Debian's name
#: for the one that was chosen for the whole system.
_BEFORE: dict[str, tuple[str, ...]] = {
    "xdg-terminal-exec": ("--",),
    "x-terminal-emulator": ("-e",),
    "gnome-terminal": ("--",),
    "ptyxis": ("--",),
    "kgx": ("--",),
    "konsole": ("-e",),
    "xfce4-terminal": ("-x",),
    "mate-terminal": ("-x",),
    "terminator": ("-x",),
    "kitty": (),
    "foot": (),
    "alacritty": ("-e",),
    "ghostty": ("-e",),
    "wezterm": ("start", "--"),
    "qterminal": ("-e",),
    "rio": ("-e",),
    "xterm": ("-e",),
    "urxvt": ("-e",),
    "st": ("-e",),
}

#: Runs its words from the second on, then says the first one and the exit code, and waits: else a
#: window that closes takes with it how the run ended. Ctrl+C is for the command alone.
_HOLD = (
    'trap : INT; said=$1; shift; "$@"; code=$?; trap - INT; '
    """printf '\\n%s %s\\n' "$said" "$code"; read -r _; exit "$code\""""
)


def find(setting: str = "") -> list[str]:
    """Program and words to put before a command; empty where there is no terminal.

    ``setting``: the operator's own, a program with its options. One that is not known here is
    taken to understand ``-e COMMAND ...``. ValueError for quotes that do not end.
    """
    words = shlex.split(setting)
    if words:
        program = shutil.which(os.path.expanduser(words[0]))
        if program is None:
            return []
        return [program, *words[1:], *_BEFORE.get(os.path.basename(words[0]), ("-e",))]
    named = os.environ.get("TERMINAL", "")
    for name in [*([named] if named else []), *_BEFORE]:
        program = shutil.which(name)
        if program is not None:
            return [program, *_BEFORE.get(os.path.basename(name), ("-e",))]
    return []


def command(setting: str, argv: Sequence[str], said: str = "") -> list[str]:
    """The command line that opens a terminal with ``argv`` in it; empty where there is none.

    ``said``: what stands before the exit code when the command has ended; the terminal then waits
    for Enter. "" leaves the end to the terminal.
    """
    try:
        before = find(setting)
    except ValueError:
        return []
    shell = shutil.which("sh")
    held = [shell, "-c", _HOLD, "sh", said, *argv] if said and shell else list(argv)
    return [*before, *held] if before else []
