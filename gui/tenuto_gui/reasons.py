# SPDX-License-Identifier: Apache-2.0
"""Which verbs can be used now, and why not the others."""

from __future__ import annotations

from dataclasses import dataclass

from tenuto.sentences import Sentence
from tenuto.sources.base import Capabilities, Capability
from tenuto_gui.core_words import words
from tenuto_gui.i18n import translate

#: Verbs that ask for one session and depend on what it can do.
_OF_ONE = (
    "resume", "resume_say", "resume_force", "run_again", "terminal",
    "fork", "rename", "pin", "note", "export",
)  # fmt: skip


@dataclass(frozen=True)
class Situation:
    """What the verbs depend on."""

    #: Of the selected sessions; of a large selection the first ones.
    capabilities: list[Capabilities]
    #: The one that is selected runs as a worker of this window; or runs at all.
    live: bool
    running: bool
    #: A worker of ours that this window did not start works on it.
    worker_elsewhere: bool
    can_undo: bool
    #: Sessions that pass a filter; 0 where none is set.
    filtered: int
    #: Why no terminal can be opened.
    no_terminal: str
    #: The trash is shown in place of the sessions.
    in_trash: bool
    #: A run of this window asks something.
    asking: bool = False
    #: Something is kept of what workers of the selected session said.
    logged: bool = False


def reason_words(capability: Capability) -> str:
    """Why something cannot be done; "" when it can. The source's own words where we have none."""
    if capability.allowed:
        return ""
    known = {
        "running": translate("reasons", "It is running"),
        "completed": translate("reasons", "It is completed: fork it to go on with another prompt"),
        "damaged": translate("reasons", "The journal is damaged"),
        "newer": translate("reasons", "The journal was written by a newer version"),
        "empty": translate("reasons", "The journal holds no records"),
        "hard_linked": translate("reasons", "The file has more than one name (a hard link)"),
        "read_only": translate("reasons", "The folder cannot be written"),
        "pending": translate("reasons", "It is still being read"),
        "old_batch": translate("reasons", "Its last calls are in a form that cannot be continued"),
        "foreign": translate(
            "reasons", "Only Reasonix itself writes it: fork it, or go on in reasonix"
        ),
        "not_supported": translate("reasons", "This kind of session cannot do that"),
    }
    if capability.code == "leased":
        return translate("reasons", "In use: {who}").format(who=_holder(capability))
    return known.get(capability.code) or words(capability.said or capability.code)


def _holder(capability: Capability) -> str:
    """Who has it open; "" where nobody tells."""
    who = capability.said.facts.get("who") if capability.said is not None else None
    return words(who) if isinstance(who, Sentence) else ""


def reasons(now: Situation) -> dict[str, str]:
    """Verb -> why it cannot be used, "" when it can."""
    count = 0 if now.in_trash else len(now.capabilities)
    some = "" if count else _how_many(0)
    one = "" if count == 1 else _how_many(count)
    first = now.capabilities[0] if now.capabilities else None
    held = one
    if not one and not now.live:
        held = (
            translate("reasons", "It was started elsewhere: stop it where it runs")
            if now.running
            else translate("reasons", "It is not running")
        )
    refused = [each.delete for each in now.capabilities if not each.delete.allowed]
    found = {
        "suspend": "" if now.worker_elsewhere and not one else held,
        "abort": held,
        "delete": some or _refusal(refused, count),
        "delete_shown": ""
        if now.filtered
        else translate("reasons", "Filter the list first: what is shown then is what goes"),
        "question": "" if now.asking else translate("reasons", "No run asks anything here"),
        "log": one or ("" if now.logged else translate("reasons", "No worker of it said anything")),
        "undo_delete": "" if now.can_undo else translate("reasons", "Nothing was deleted yet"),
    }
    for verb in ("copy_id", "copy_path"):
        found[verb] = some
    for verb in ("open", "copy_command", "reveal"):
        found[verb] = one
    if first is None or one:
        for verb in _OF_ONE:
            found[verb] = one or some
        return found
    found["resume"] = reason_words(first.resume)
    found["resume_say"] = reason_words(first.resume)
    # What can be compared has a prompt and a configuration, whatever became of it.
    found["run_again"] = reason_words(first.diff)
    found["resume_force"] = reason_words(first.force)
    found["fork"] = reason_words(first.fork)
    found["rename"] = reason_words(first.rename)
    for verb in ("pin", "note"):
        found[verb] = reason_words(first.note)
    found["export"] = reason_words(first.export)
    handed = first.hand_over.allowed
    found["terminal"] = ("" if handed else reason_words(first.resume)) or now.no_terminal
    return found


def _refusal(refused: list[Capability], count: int) -> str:
    if not refused:
        return ""
    why = reason_words(refused[0])
    if count == 1:
        return why
    text = translate("reasons", "%n of them cannot be deleted. {why}", None, len(refused))
    return text.format(why=why)


def _how_many(count: int) -> str:
    if count == 0:
        return translate("reasons", "No session is selected")
    return translate("reasons", "Select one session")
