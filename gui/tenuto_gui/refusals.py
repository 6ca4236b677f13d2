# SPDX-License-Identifier: Apache-2.0
"""What to say when a run was not resumed, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from tenuto.sentences import others_words
from tenuto.text import one_line, visible
from tenuto_gui.core_words import in_parts, words
from tenuto_gui.i18n import in_turn, translate
from tenuto_gui.notice import Button, Kind, Notice
from tenuto_gui.runs import protocol
from tenuto_gui.runs.worker import RunOutcome

KEY = "resume"
#: The key of what is said of a run that is not there any more: another one is shown by then.
GONE = "gone"
_NAME_CHARS = 60
_FULL = frozenset({"ENOSPC", "EDQUOT"})
_GONE = frozenset({"deleted", "not_found"})
#: What a journal says of itself that stands in the way of going on with it.
_UNREADABLE = frozenset({"corrupt", "no_meta", "version", "empty", "not_a_file"})


@dataclass(frozen=True)
class WaysOut:
    """What the buttons of a notice do, for one session."""

    show_changed: Callable[[], None]
    force: Callable[[], None]
    choose: Callable[[], None]
    fork: Callable[[], None]
    again: Callable[[], None]
    records: Callable[[], None]
    open_config: Callable[[], None]


def nothing_changed(why: str = "") -> str:
    """``why``, and the sentence after a refusal.

    Messages of commands end without a full stop; a list in one keeps its lines to itself.
    """
    closing = translate("refusals", "Nothing has been changed.")
    why = why.strip()
    if "\n" in why:
        return f"{why}\n{closing}"
    if why and why[-1] not in ".!?\u2026\u3002":
        # A full stop is another sign in another language.
        return translate("refusals", "{why}. {closing}").format(why=why, closing=closing)
    return in_turn(why, closing)


def named(notice: Notice, name: str, go: Callable[[], None] | None = None) -> Notice:
    """What is said of a session while another one is shown: by its name, with a way there."""
    title = translate("refusals", "\u201c{name}\u201d: {what}")
    notice = msgspec.structs.replace(
        notice, title=title.format(name=one_line(name, _NAME_CHARS), what=notice.title)
    )
    if go is None:
        return notice
    there = Button(translate("refusals", "Go to session"), go, name="noticeSession")
    return msgspec.structs.replace(notice, buttons=(*notice.buttons[:1], there))


def refusal_notice(refused: protocol.Refused, ways: WaysOut) -> Notice:
    """A resume that may not go on."""
    reason = refused.reason
    buttons: list[Button] = []
    if reason in ("provider", "configuration"):
        show = translate("refusals", "Show what changed")
        buttons.append(Button(show, ways.show_changed, primary=True, name="showChanged"))
    if reason == "configuration":
        force = translate("refusals", "Resume with force\u2026")
        buttons.append(Button(force, ways.force, name="noticeForce"))
    elif reason == "provider":
        buttons.append(_choose(ways))
    elif reason == "completed":
        fork = translate("refusals", "Fork it\u2026")
        buttons.append(Button(fork, ways.fork, name="noticeFork"))
    elif reason == "outcome_unknown":
        again = translate("refusals", "Ask again")
        buttons.append(Button(again, ways.again, name="noticeAgain"))
    text = _why(refused)
    kinds: dict[str, Kind] = {"outcome_unknown": "unknown", "configuration": "differs"}
    return Notice(
        kinds.get(reason, "changed"),
        _title(reason),
        nothing_changed(text[:1].upper() + text[1:]),
        tuple(buttons),
        KEY,
    )


def _why(refused: protocol.Refused) -> str:
    """What stands behind the title of a refusal; the command's own words where we have none."""
    from tenuto_gui.diff.words import differences

    whole = in_parts(refused.sentence, refused.facts) or refused.message
    said = visible(whole, prose=True)
    differs = differences(refused.diff)
    match refused.reason:
        case "completed":
            return translate(
                "refusals", "It has its answer. A fork of it goes on with a new prompt."
            )
        case "configuration":
            # Else without the first line, which the title says.
            return differs or said.partition("\n")[2] or said
        case "provider":
            stays = translate("refusals", "A run stays with its provider; force does not help.")
            both = translate("refusals", "{why}. {closing}")
            return both.format(why=differs, closing=stays) if differs else stays
        case "mode" if refused.diff:
            return translate("refusals", "A chat stays a chat, and a one-shot run stays one.")
        case "outcome_unknown":
            return translate(
                "refusals", "The run stays as it was until you say what becomes of that call."
            )
    return said


def model_notice(outcome: RunOutcome, cause: str, ways: WaysOut) -> Notice:
    """A run that ended because the model's side failed; ``cause``: `ProviderError`'s word."""
    known = {
        "authentication": translate("refusals", "The model\u2019s side does not accept the key"),
        "credentials": translate("refusals", "There is no key for the model"),
        "permission": translate("refusals", "The key may not use this model"),
        "billing": translate("refusals", "The model\u2019s side wants to be paid first"),
        "rate_limit": translate("refusals", "The model\u2019s side lets no more calls through now"),
        "overloaded": translate("refusals", "The model\u2019s side is overloaded"),
        "connection": translate("refusals", "The model\u2019s side cannot be reached"),
        "timeout": translate("refusals", "The model\u2019s side does not answer"),
        "cut": translate("refusals", "The answer of the model broke off"),
    }
    title = known.get(cause) or translate("refusals", "The model\u2019s side failed")
    told = outcome.message.removeprefix("llm call: ").rstrip(".")
    told = visible(words(others_words(told)), prose=True)
    parts = [translate("refusals", "{text}.").format(text=told)]
    if outcome.attempts > 1:
        parts.append(translate("refusals", "It was asked %n time(s).", n=outcome.attempts))
    parts.append(translate("refusals", "All that was done before is kept."))
    again = translate("refusals", "Resume again")
    return Notice(
        "failed",
        title,
        in_turn(*parts),
        (Button(again, ways.again, primary=True, name="noticeAgain"),),
        KEY,
    )


def failure_notice(outcome: RunOutcome, ways: WaysOut) -> Notice | None:
    """A worker that failed, where more can be said than that; else None."""
    if isinstance(outcome.event, protocol.Finished):
        return model_notice(outcome, outcome.event.cause, ways) if outcome.event.cause else None
    if not isinstance(outcome.event, protocol.Failed):
        return None
    event = outcome.event
    kind = event.kind
    text = visible(in_parts(event.sentence, event.facts) or event.text, prose=True)
    if kind == "locked":
        again = translate("refusals", "Resume again")
        return Notice(
            "failed",
            translate("refusals", "Another process works on this run"),
            in_turn(
                _holder(outcome.event.pid),
                translate("refusals", "Stop it where it runs, or wait for it to end."),
            ),
            (Button(again, ways.again, name="noticeAgain"),),
            KEY,
        )
    if outcome.event.cause in _FULL:
        again = translate("refusals", "Resume again")
        return Notice(
            "failed",
            translate("refusals", "The disk is full"),
            translate("refusals", "{why}. Make room, then resume.").format(why=text),
            (Button(again, ways.again, primary=True, name="noticeAgain"),),
            KEY,
        )
    if kind in _GONE:
        return Notice(
            "failed",
            translate("refusals", "The run is gone from its folder"),
            translate("refusals", "Nothing more of it can be recorded."),
            key=GONE,
            details=text,
        )
    if kind == "config":
        show = translate("refusals", "Open the configuration")
        return Notice(
            "failed",
            translate("refusals", "This configuration cannot be used"),
            nothing_changed(text),
            (_choose(ways), Button(show, ways.open_config, name="noticeOpenConfig")),
            KEY,
        )
    if kind in _UNREADABLE:
        show = translate("refusals", "Show in Records")
        return Notice(
            "damaged",
            translate("refusals", "The run cannot go on from this journal"),
            nothing_changed(text),
            (Button(show, ways.records, primary=True, name="noticeRecords"),),
            KEY,
        )
    return None


def _holder(pid: int) -> str:
    """Who has a run open; "" where the system does not tell."""
    if not pid:
        return ""
    return translate("refusals", "Process {pid} has it open.").format(pid=pid)


def _choose(ways: WaysOut) -> Button:
    words = translate("refusals", "Choose configuration\u2026")
    return Button(words, ways.choose, name="noticeChoose")


def _title(reason: str) -> str:
    known = {
        "completed": translate("refusals", "This run is completed"),
        "provider": translate("refusals", "This run cannot resume with this configuration"),
        "configuration": translate(
            "refusals", "The configuration differs from the one it was saved with"
        ),
        "mode": translate("refusals", "This run cannot resume in this way"),
        "message_required": translate("refusals", "This run waits for a message of yours"),
        "outcome_unknown": translate("refusals", "One command may already have run"),
    }
    return known.get(reason) or translate("refusals", "The run was not resumed")
