# SPDX-License-Identifier: Apache-2.0
"""The manual pages, from the command line's own help: ``tenuto.1`` and ``tenuto-gui.1``."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from command_tree import EVERYWHERE, Command, Option, commands, leaves

_CODES = (
    ("0", "done; run, resume: completed or suspended; diff: equal; doctor: clean"),
    ("1", "failed; run, resume: error, budget, max_iterations; diff: differs"),
    ("2", "wrong use, or a configuration that cannot be used"),
    ("3", "not found"),
    ("4", "refused: completed, provider, configuration, mode, message_required, outcome_unknown"),
    ("5", "in use by another process"),
    ("6", "damaged, of a newer version, or findings of doctor"),
    ("130", "aborted"),
)
_FILES = (
    ("~/.local/state/fisk-ai/runs", "the runs, fisk-ai's own folder (XDG_STATE_HOME)"),
    ("~/.local/share/tenuto", "trash, samples, known configurations (XDG_DATA_HOME)"),
    ("~/.config/tenuto/settings.json", "settings (XDG_CONFIG_HOME)"),
    ("~/.cache/tenuto", "previews of folders that cannot be written (XDG_CACHE_HOME)"),
)


def command_page(version: str, epoch: int) -> str:
    """``tenuto(1)``."""
    found = commands()
    lines = [_title("TENUTO", version, epoch)]
    lines += [
        ".SH NAME",
        "tenuto \\- see, read and resume the runs of AI agents",
        ".SH SYNOPSIS",
        ".B tenuto",
        r"[\fIID\fR | \fIFILE\fR]",
        ".br",
        ".B tenuto",
        r"\fICOMMAND\fR [...] [\-\-json] [\-\-state\-dir \fIDIR\fR]",
        ".SH DESCRIPTION",
        "Without a command the window opens, on all sessions or on the one that is named.",
        "A path to a session file may stand for an ID.",
        ".SH OPTIONS",
        "These may stand at any place on the line.",
        *(line for option in EVERYWHERE for line in _option(option)),
        ".SH COMMANDS",
    ]
    for command in leaves(found):
        lines += _command(command)
    lines.append(".SH EXIT STATUS")
    for code, text in _CODES:
        lines += [".TP", f".B {code}", escape(text)]
    lines += ["With several ids, the highest.", ".SH FILES"]
    for path, text in _FILES:
        lines += [".TP", f".I {escape(path)}", escape(text)]
    lines += [".SH SEE ALSO", ".BR tenuto\\-gui (1)"]
    return "\n".join(lines) + "\n"


def window_page(version: str, epoch: int) -> str:
    """``tenuto-gui(1)``; its arguments are those of the window's own parser."""
    lines = [
        _title("TENUTO-GUI", version, epoch),
        ".SH NAME",
        "tenuto\\-gui \\- the window of Tenuto",
        ".SH SYNOPSIS",
        ".B tenuto\\-gui",
        r"[\-\-state\-dir \fIDIR\fR] [\fIID\fR | \fIFILE\fR]",
        ".SH DESCRIPTION",
        "Opens the window on the sessions of a folder, on one session, or on an exported one",
        "(*.tenuto), which is verified and shown before anything is copied.",
        "A second start hands its session to the window that is open.",
        ".SH OPTIONS",
        *_option(EVERYWHERE[1]),
        ".SH SEE ALSO",
        ".BR tenuto (1)",
    ]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Text for roff: nothing in it is a request or a font."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def _title(name: str, version: str, epoch: int) -> str:
    date = datetime.fromtimestamp(epoch, UTC).date().isoformat()
    return f'.TH {escape(name)} 1 "{date}" "Tenuto {version}" "User Commands"'


def _command(command: Command) -> list[str]:
    lines = [f".SS tenuto {escape(command.name)}", f".B {escape(command.usage)}", ".PP"]
    text = command.description or f"{command.help[:1].upper()}{command.help[1:]}."
    lines.append(escape(text))
    options = [option for option in command.options if "--help" not in option.flags]
    for option in (*command.arguments, *options):
        lines += _option(option)
    return lines


def _option(option: Option) -> list[str]:
    flags = ", ".join(rf"\fB{escape(flag)}\fR" for flag in option.flags)
    value = rf"\fI{escape(option.metavar)}\fR" if option.takes_value else ""
    return [".TP", f"{flags} {value}".strip(), escape(option.help) or "\\&"]
