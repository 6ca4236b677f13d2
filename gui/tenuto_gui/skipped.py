# SPDX-License-Identifier: Apache-2.0
"""Why an entry of a folder is no row, in the language of the window."""

from __future__ import annotations

from tenuto.sources.base import Skipped
from tenuto.text import single_line
from tenuto_gui.i18n import translate

_SECOND_NAME = "another name of "


def _words() -> dict[str, str]:
    """The reasons that core gives -> ours."""
    return {
        "not a valid run id": translate("skipped", "not a valid run id"),
        "not a file of a run": translate("skipped", "not a file of a run"),
        "left over from a run that is gone": translate(
            "skipped", "left over from a run that is gone"
        ),
        "Reasonix is about to remove it": translate("skipped", "Reasonix is about to remove it"),
        "an event log without its session": translate(
            "skipped", "an event log without its session"
        ),
        "a session without events": translate("skipped", "a session without events"),
        "a name that is no UTF-8": translate("skipped", "a name that is no UTF-8"),
        "another session has this id": translate("skipped", "another session has this id"),
        "not a file": translate("skipped", "not a file"),
        "not a run file": translate("skipped", "not a file of a run"),
        "not a session": translate("skipped", "not a session"),
        "symlink": translate("skipped", "a symbolic link"),
        "special file": translate("skipped", "a special file"),
        "folder": translate("skipped", "a folder"),
        "FIFO": translate("skipped", "a pipe"),
        "socket": translate("skipped", "a socket"),
        "device": translate("skipped", "a device"),
        "file of another owner": translate("skipped", "a file of another user"),
    }


def reason(text: str) -> str:
    """A reason of core's in our words; one that is not known stays as it is."""
    words = _words()
    if text in words:
        return words[text]
    if text.startswith(_SECOND_NAME):
        name = single_line(text.removeprefix(_SECOND_NAME))
        return translate("skipped", "another name of {name}").format(name=name)
    what, colon, kind = text.partition(": ")
    if colon and what in words:
        return f"{words[what]}: {words.get(kind, single_line(kind))}"
    return single_line(text)


def line(skipped: Skipped) -> str:
    """One line: name and reason."""
    return f"{single_line(skipped.name)}: {reason(skipped.reason)}"
