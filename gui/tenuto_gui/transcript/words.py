# SPDX-License-Identifier: Apache-2.0
"""What the transcript says in its own words: headings, outcomes, markers."""

from __future__ import annotations

from datetime import UTC, datetime

from tenuto.records import VERSION
from tenuto.sources.base import Block, Forcing
from tenuto.text import one_line, visible
from tenuto_gui import format as figures
from tenuto_gui.core_words import damage_words, kept_words
from tenuto_gui.diff.model import field_name, field_value
from tenuto_gui.i18n import enumerated, stopped, translate
from tenuto_gui.sessions.failure import failure_words


def lines(count: int) -> str:
    """A count of lines: ``12 lines``."""
    text = translate("Transcript", "%n line(s)", n=count)
    return text.replace(str(count), figures.exact(count), 1)


def show_all(count: int, has_more_than_lines: bool) -> str:
    """The link under an output that is not shown whole."""
    if has_more_than_lines:
        return translate("Transcript", "Show all")
    return translate("Transcript", "Show all {count} lines").format(count=figures.exact(count))


def show_less() -> str:
    """The link under an opened output."""
    return translate("Transcript", "Show less")


def thinking() -> str:
    return translate("Transcript", "Thinking")


def aside(block: Block) -> str:
    """The title of what stands back."""
    match block.notice:
        case "system":
            return translate("Transcript", "Instructions")
        case "host":
            return translate("Transcript", "Added by the program")
        case "summary":
            return translate("Transcript", "Summary of what came before")
    return thinking()


def thinking_summary(text: str, count: int) -> str:
    """What follows the word "Thinking" on its line."""
    if not text.strip():
        return translate("Transcript", "kept by the provider, not in words")
    return f"{lines(count)}  {one_line(text, 200)}"


def call_name(block: Block) -> str:
    """The tool's name; a result whose call is lost has none."""
    if block.name:
        return visible(block.name)
    return translate("Transcript", "Result without its call")


def no_prompt() -> str:
    """What stands for a prompt without words."""
    return translate("Transcript", "No prompt")


def outcome(block: Block, waiting: bool, seconds: float | None) -> str:
    """The words at the right end of a tool's header; "" where the mark alone says it."""
    word = _outcome(block, waiting, seconds)
    if not block.truncated:
        return word
    # The tool gave more than it passed on: nobody here can show the rest.
    cut = translate("Transcript", "output cut by the tool")
    return enumerated(each for each in (cut, word) if each)


def _outcome(block: Block, waiting: bool, seconds: float | None) -> str:
    if waiting:
        return translate("Transcript", "waiting for you")
    match block.state:
        case "running" if seconds is not None:
            elapsed = figures.duration(seconds if seconds < 1 else int(seconds))
            return translate("Transcript", "running {time}").format(time=elapsed)
        case "running":
            return translate("Transcript", "running")
        case "failed" if block.exit_code:
            return translate("Transcript", "exit {code}").format(code=block.exit_code)
        case "failed":
            return translate("Transcript", "failed")
        case "denied":
            return translate("Transcript", "denied")
        case "unknown":
            return translate("Transcript", "may have run, no result")
        case "not_started":
            return translate("Transcript", "not started")
        case _:
            return ""


def clock(text: str) -> str:
    """``14:02:08``, local time, or "" where nobody saw it."""
    moment = figures.parse_time(text)
    # Go's zero time, in a record that says nothing of when it was.
    return figures.hour(moment, seconds=True) if moment is not None and moment.year > 1 else ""


def _short_clock(text: str) -> str:
    moment = figures.parse_time(text)
    return figures.clock(moment, datetime.now(UTC)) if moment is not None else ""


def marker(block: Block) -> list[tuple[str, str, str]]:
    """The parts of a marker: (mark or icon, colour token, words), one to three of them."""
    when = _short_clock(block.time)
    at = f" {when}" if when else ""
    match block.notice:
        case "suspended":
            text = translate("Transcript", "Suspended{at} after record {seq}")
            first = ("mark:suspended", "susp", text.format(at=at, seq=block.seq - 1))
        case "completed":
            first = (
                "mark:completed",
                "done",
                translate("Transcript", "Completed{at}").format(at=at),
            )
        case "error":
            text = translate("Transcript", "Failed{at}").format(at=at)
            if why := failure_words(block.text)[0]:
                text = translate("Transcript", "{what}: {why}").format(what=text, why=why)
            first = ("mark:failed", "fail", text)
        case "budget":
            text = translate("Transcript", "Token budget used up{at}")
            first = ("mark:budget", "limit", text.format(at=at))
        case "max_iterations":
            text = translate("Transcript", "Iteration limit reached{at}")
            first = ("mark:max_iterations", "limit", text.format(at=at))
        case "interrupted" if block.text:
            text = translate("Transcript", "Interrupted: the last turn has no end")
            first = ("mark:interrupted", "intr", text)
        case "interrupted":
            text = translate(
                "Transcript",
                "Interrupted: the journal ends at record {seq}, without a terminal record",
            )
            first = ("mark:interrupted", "intr", text.format(seq=block.seq))
        case "forced":
            return _went_on(block.time, block.forced)
        case "torn":
            text = translate("Transcript", "Cut off here, {bytes} bytes kept")
            first = ("icon:warn", "damg", text.format(bytes=figures.exact(block.size)))
        case "empty":
            first = ("mark:empty", "text2", translate("Transcript", "The journal holds no records"))
        case "newer" if block.version:
            text = translate(
                "Transcript",
                "Written in journal version {found}; this Tenuto reads versions 1\u2013{own}",
            )
            first = ("mark:newer", "text2", text.format(found=block.version, own=VERSION))
        case "newer":
            first = ("mark:newer", "text2", visible(damage_words(block.text)))
        case "provider":
            text = translate("Transcript", "A block of the provider's own: {kind}")
            first = ("icon:info", "text2", text.format(kind=one_line(block.text, 80)))
        case "system" | "host" | "summary":
            first = ("icon:info", "text2", aside(block))
        case _:
            first = ("icon:info", "text2", one_line(block.text or block.notice, 200))
    if not block.resumed:
        return [first]
    return [first, *_went_on(block.resumed_time, block.forced)]


def _went_on(time: str, forcing: Forcing | None) -> list[tuple[str, str, str]]:
    """That the run was resumed, and what of its configuration was forced to be another one."""
    when = _short_clock(time)
    resumed = translate("Transcript", "Resumed{at}").format(at=f" {when}" if when else "")
    parts = [("icon:play", "run", resumed)]
    if forcing is not None:
        names = enumerated(_field(each.field) for each in forcing.changes)
        forced = translate("Transcript", "Forced: {changes}").format(
            changes=names or translate("Transcript", "another configuration")
        )
        parts.append(("icon:bolt", "chg", forced))
    return parts


def _field(field: str) -> str:
    """A field of the fingerprint inside of a sentence."""
    names = {
        "provider": translate("Transcript", "provider"),
        "model": translate("Transcript", "model"),
        "system_hash": translate("Transcript", "system prompt"),
        "tools_hash": translate("Transcript", "tool set"),
        "thinking_mode": translate("Transcript", "thinking"),
        "max_tokens": translate("Transcript", "token budget"),
        "max_iterations": translate("Transcript", "iteration budget"),
    }
    return names.get(field) or one_line(field, 40)


def forced_detail(forcing: Forcing) -> str:
    """What each changed field was and what the run went on with, a line each."""
    rows = [
        translate("Transcript", "{field}: {saved} \u2192 {current}").format(
            field=field_name(change.field),
            saved=field_value(change.field, change.saved),
            current=field_value(change.field, change.current),
        )
        for change in forcing.changes
    ]
    return "\n".join([*rows, visible(figures.home_path(forcing.config))])


def marker_detail(block: Block) -> str:
    """What a marker says below its line: the terminal record's message, "" for none.

    Of a failure, nothing where the line says it all.
    """
    if block.notice == "error":
        return kept_words(failure_words(block.text)[1])
    if block.notice in ("provider", "newer", "torn", "interrupted", "empty", "damaged", "forced"):
        return ""
    return kept_words(block.text)


def damage_title(block: Block) -> str:
    """The bold words of a damage block."""
    if block.line:
        return translate("Transcript", "Line {line} cannot be read").format(
            line=figures.exact(block.line)
        )
    return translate("Transcript", "Record {seq} does not fit here").format(seq=block.seq)


def damage_text(block: Block) -> str:
    """Where the damage is, and that the rest is shown."""
    reason = visible(damage_words(block.text)) if block.text else ""
    parts = [reason] if reason else []
    if reason and block.line:
        # What the reader stumbled over, in a sentence that says what that means.
        reason = reason[:1].lower() + reason[1:]
        parts = [translate("Transcript", "It is no whole record: {reason}").format(reason=reason)]
    if block.size:
        where = translate("Transcript", "byte {offset}, {size} bytes")
        parts.append(
            where.format(offset=figures.exact(block.offset), size=figures.exact(block.size))
        )
    return translate("lists", "; ").join(parts)


def show_in_records() -> str:
    """The link from damage to its bytes."""
    return translate("Transcript", "Show in Records")


def accessible(block: Block, waiting: bool = False) -> str:
    """One block in words, for a screen reader."""
    match block.kind:
        case "prompt":
            return translate("Transcript", "Prompt: {text}").format(text=one_line(block.text, 4000))
        case "follow_up":
            return translate("Transcript", "Follow-up: {text}").format(
                text=one_line(block.text, 4000)
            )
        case "thinking":
            return enumerated((thinking(), lines(block.text.count(chr(10)) + 1)))
        case "tool_call":
            word = outcome(block, waiting, None) or translate("Transcript", "done")
            result = one_line(block.result or "", 2000)
            return stopped(enumerated((call_name(block), word)), result)
        case "notice":
            if block.notice == "damaged":
                return stopped(damage_title(block), damage_text(block))
            return enumerated(words for _, _, words in marker(block))
        case _:
            return one_line(block.text, 4000)
