# SPDX-License-Identifier: Apache-2.0
"""The words of a question: what it asks, why, and what is known. Qt-free but for translation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from tenuto.text import one_line, visible
from tenuto_gui import format as figures
from tenuto_gui.i18n import translate
from tenuto_gui.named import name_in
from tenuto_gui.runs.protocol import Ask

#: A question in words is a title up to this length.
_TITLE_CHARS = 100


@dataclass(frozen=True)
class CallFacts:
    """Where a call stands in the transcript."""

    turn: int
    #: The record that asks for it.
    seq: int
    #: 1-based rank in its turn, of how many, and how many of them have their result.
    rank: int
    count: int
    answered: int


def title(ask: Ask) -> str:
    """The bold sentence of the header."""
    if ask.kind == "outcome":
        return translate("Runs", "One command may already have run")
    if ask.kind == "approve":
        return name_in(translate("Runs", "Allow {tool} to run?"), "tool", visible(ask.tool))
    return one_line(ask.text, _TITLE_CHARS) or translate("Runs", "The run asks something")


def long_text(ask: Ask) -> str:
    """The words of a question that its title does not show whole, "" where it does."""
    if ask.kind in ("outcome", "approve"):
        return ""
    text = ask.text.strip()
    return text if "\n" in text or len(text) > _TITLE_CHARS else ""


def subtitle(ask: Ask, facts: CallFacts | None) -> str:
    """What stands beside the title; how long it waits comes after it."""
    if ask.kind == "outcome":
        return translate(
            "Runs", "The run stopped while it was at work, before a result was recorded."
        )
    if facts is None:
        return ""
    return translate("Runs", "Turn {turn}, call {rank} of {count}.").format(
        turn=facts.turn, rank=facts.rank, count=facts.count
    )


def waiting(ask: Ask) -> str:
    """How long the question is open, in words that change seldom; "" at first."""
    asked = figures.parse_time(ask.t)
    if asked is None or ask.kind == "outcome":
        return ""
    seconds = int((datetime.now(UTC) - asked).total_seconds())
    if seconds < 10:
        return translate("Runs", "Nothing times out.")
    time = figures.duration(seconds // 10 * 10)
    return translate("Runs", "Waiting for {time}; nothing times out.").format(time=time)


def reasons(ask: Ask, facts: CallFacts | None) -> list[tuple[str, str, str]]:
    """The right column: (icon, words, monospaced words after them)."""
    if ask.kind == "outcome":
        return _known(ask, facts)
    rows = []
    if ask.tag:
        text = translate("Runs", "The application tags this tool")
        rows.append(("warn", text, visible(ask.tag)))
    else:
        rows.append(("warn", translate("Runs", "The configuration asks before this tool"), ""))
    if ask.cwd:
        place = visible(figures.home_path(ask.cwd))
        rows.append(("terminal", translate("Runs", "Runs as you, in"), place))
    rows.append(("lock", translate("Runs", "Gets no keys of the model"), ""))
    return rows


def _known(ask: Ask, facts: CallFacts | None) -> list[tuple[str, str, str]]:
    rows = []
    if facts is not None:
        text = translate("Runs", "Asked for in record {seq}, turn {turn}")
        rows.append(("records", text.format(seq=facts.seq, turn=facts.turn), ""))
        if facts.answered == 1:
            text = translate("Runs", "Call 1 of {count} has its result and is kept")
            rows.append(("check", text.format(count=facts.count), ""))
        elif facts.answered > 1:
            text = translate("Runs", "Calls 1 to {n} of {count} have their results and are kept")
            rows.append(("check", text.format(n=facts.answered, count=facts.count), ""))
        text = translate("Runs", "Call {rank} has none: it may have run, in part or whole")
        rows.append(("question", text.format(rank=facts.rank), ""))
        rows += _never_started(facts)
    else:
        rows.append(("question", translate("Runs", "It may have run, in part or whole"), ""))
    if ask.gone:
        # Its tool is gone, or takes other arguments: said in the terminal's words.
        text = translate(
            "Runs", "The configuration takes no such call any more: it cannot run again"
        )
        rows.append(("warn", text, ""))
    since = figures.parse_time(ask.since)
    if since is not None:
        text = translate("Runs", "Its turn was recorded {when}")
        rows.append(("clock", text.format(when=figures.clock(since, datetime.now(UTC))), ""))
    # The worker that asks took the lock before it asked: nobody else can.
    text = translate("Runs", "The process that was at work is gone; this window holds the run")
    rows.append(("lock", text, ""))
    return rows


def _never_started(facts: CallFacts) -> list[tuple[str, str, str]]:
    first = facts.rank + 1
    if first > facts.count:
        return []
    if first == facts.count:
        text = translate("Runs", "Call {rank} had not started").format(rank=first)
    else:
        text = translate("Runs", "Calls {first} to {last} had not started")
        text = text.format(first=first, last=facts.count)
    return [("minus", text, "")]


def outcomes(ask: Ask, facts: CallFacts | None) -> list[tuple[str, str, str, str]]:
    """The equal answers: (decision, icon, verb, what it does). What is gone cannot run again."""
    then = translate("Runs", "The same command runs a second time, then the run goes on.")
    if facts is not None and facts.rank + 1 == facts.count:
        then = translate(
            "Runs", "The same command runs a second time, then call {rank}, then the run goes on."
        ).format(rank=facts.count)
    elif facts is not None and facts.rank < facts.count:
        then = translate(
            "Runs",
            "The same command runs a second time, then calls {first} to {last}, then the run"
            " goes on.",
        ).format(first=facts.rank + 1, last=facts.count)
    run = ("run", "repeat", translate("Runs", "Run it again"), then)
    return [
        *([] if ask.gone else [run]),
        (
            "skip",
            "skip",
            translate("Runs", "Skip it and tell the model"),
            translate(
                "Runs",
                "The model reads \u201coutcome unknown\u201d as the result and can look for"
                " itself.",
            ),
        ),
        (
            "stop",
            "stop",
            translate("Runs", "Stop"),
            translate("Runs", "Nothing runs and nothing is written. The question stays open."),
        ),
    ]
