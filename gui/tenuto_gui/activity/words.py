# SPDX-License-Identifier: Apache-2.0
"""What the Activity view says in its own words."""

from __future__ import annotations

from datetime import datetime

from tenuto.sources.activity import Activity, Call, Span, Turn
from tenuto.text import one_line, visible
from tenuto_gui import format as figures
from tenuto_gui.i18n import enumerated, translate

#: Ranges of turns that are named one by one.
_RANGES = 4


def scale(value: int) -> str:
    """A round number beside a chart: ``20k``, ``1.5M``."""
    for size, unit in ((1_000_000, "M"), (1000, "k")):
        if value >= size and value % size == 0:
            return f"{value // size}{unit}"
    return figures.short(value)


def tool_name(name: str) -> str:
    """A tool as it is called; one whose call cannot be read has no name."""
    return one_line(visible(name), 80) or translate("Activity", "(unknown tool)")


def clock(moment: float, *, seconds: bool = False, date: bool = False) -> str:
    """``07:24``, local time, with seconds and day where they matter."""
    then = datetime.fromtimestamp(moment).astimezone()
    text = figures.hour(then, seconds=seconds)
    return f"{figures.day(then)} {text}" if date else text


def turn(number: int) -> str:
    return translate("Activity", "turn {n}").format(n=figures.exact(number))


def outcome(call: Call) -> str:
    """What became of a call, "" where it went well or is not known."""
    match call.state:
        case "failed" if call.exit_code:
            return translate("Activity", "exit {code}").format(code=call.exit_code)
        case "failed":
            return translate("Activity", "failed")
        case "denied":
            return translate("Activity", "denied")
        case _:
            return ""


def call_line(call: Call) -> str:
    """Name and arguments, as they go on a command line."""
    return f"{tool_name(call.name)} {call.arguments}".strip()


def call_text(call: Call, *, live: bool = False) -> str:
    """A call in words."""
    parts = [call_line(call), turn(call.place.turn)]
    if live:
        parts.append(translate("Activity", "running"))
    if call.ms is not None:
        parts.append(figures.duration(call.ms / 1000))
    parts.append(outcome(call))
    return enumerated(part for part in parts if part)


def span_text(span: Span) -> str:
    """A bar of the time line in words."""
    took = figures.duration(span.end - span.start)
    at = clock(span.start, seconds=True)
    if span.kind == "you":
        text = translate("Activity", "waited for you, {time}, from {clock}")
        return text.format(time=took, clock=at)
    if span.call is not None:
        return enumerated((call_text(span.call, live=span.live), at))
    text = translate("Activity", "{turn}: model, {time}, {clock}")
    return text.format(turn=turn(span.place.turn), time=took, clock=at)


def turn_text(each: Turn) -> str:
    """A turn's tokens in words."""
    return translate(
        "Activity",
        "{turn}: {read} from cache, {write} to cache, {input} other input, {output} output"
        " tokens; {share} of the input from cache",
    ).format(
        turn=turn(each.place.turn),
        read=figures.exact(each.cache_read),
        write=figures.exact(each.cache_create),
        input=figures.exact(each.in_tokens),
        output=figures.exact(each.out_tokens),
        share=figures.percent(each.cache_read, each.read),
    )


def _ranges(found: list[tuple[int, int]]) -> str:
    shown = [
        figures.exact(a) if a == b else f"{figures.exact(a)}\u2013{figures.exact(b)}"
        for a, b in found[:_RANGES]
    ]
    if len(found) > _RANGES:
        shown.append("\u2026")
    return enumerated(shown)


def times_note(found: Activity) -> str:
    """Where the times come from, and which are missing."""
    if found.stored:
        return _stored_times(found)
    if not found.timed:
        return translate(
            "Activity",
            "By turn: a journal holds no times, and Tenuto did not see this run.",
        )
    if not found.unseen:
        return translate(
            "Activity", "Times as Tenuto saw the records arrive. A journal holds none."
        )
    count = sum(last - first + 1 for first, last in found.unseen)
    return translate(
        "Activity",
        "Times as Tenuto saw the records arrive. A journal holds none: %n turn(s) ran unseen and"
        " have no bar ({turns}).",
        None,
        count,
    ).format(turns=_ranges(found.unseen))


def _stored_times(found: Activity) -> str:
    if not found.timed:
        return translate("Activity", "By turn: this session stores no times.")
    if not found.unseen:
        return translate("Activity", "Times as the session stores them.")
    count = sum(last - first + 1 for first, last in found.unseen)
    return translate(
        "Activity",
        "Times as the session stores them: %n turn(s) have none and no bar ({turns}).",
        None,
        count,
    ).format(turns=_ranges(found.unseen))


def cache_note(activity: Activity) -> str:
    """What the row of shares means, and where it fell."""
    if not activity.counted:
        return translate("Activity", "Tenuto knows no token counts of this session.")
    text = translate("Activity", "% = share of the input read from cache.")
    cold = activity.cold
    if not cold:
        return text
    numbers = _ranges([(each.place.turn, each.place.turn) for each in cold])
    if activity.timed and all(each.after_break for each in cold):
        more = translate("Activity", "It fell to 0 after a break, in %n turn(s): {turns}.", None,
                         len(cold))  # fmt: skip
    else:
        more = translate("Activity", "It fell to 0 in %n turn(s): {turns}.", None, len(cold))
    return f"{text} {more.format(turns=numbers)}"


def facts(found: Activity) -> list[tuple[str, str, str]]:
    """The figures in one line: what, how much, and a quieter word behind it."""
    errors = translate("Activity", "{errors} of %n call(s)", None, found.calls).format(
        errors=figures.exact(found.errors)
    )
    counted = [(translate("Activity", "Errors"), errors, "")]
    if not found.timed or found.begun is None or found.ended is None:
        made = [
            (translate("Activity", "Turns"), figures.exact(len(found.turns)), ""),
            (translate("Activity", "Tool calls"), figures.exact(found.calls), ""),
        ]
        if found.counted:
            share = figures.percent(found.cached, found.read)
            made += [
                (translate("Activity", "Tokens"), figures.short(found.tokens), ""),
                (translate("Activity", "From cache"), share, ""),
            ]
        return [*made, *counted]
    whole = found.ended - found.begun
    work = found.model + found.tool
    share = figures.percent(round(work * 1000), max(round(whole * 1000), 1))
    made = [
        (translate("Activity", "From start to end"), figures.duration(whole), ""),
        (translate("Activity", "At work"), figures.duration(work), share),
        (translate("Activity", "Model"), figures.duration(found.model), ""),
        (translate("Activity", "Tools"), figures.duration(found.tool), ""),
    ]
    if found.waited:
        made.append((translate("Activity", "Waited for you"), figures.duration(found.waited), ""))
    if found.suspended:
        made.append((translate("Activity", "Suspended"), figures.duration(found.suspended), ""))
    return [*made, *counted]
