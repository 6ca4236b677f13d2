# SPDX-License-Identifier: Apache-2.0
"""What going on under a changed configuration means for one run. Qt-free but for words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from tenuto.sources.base import Block
from tenuto.sources.desk import Forced
from tenuto.text import visible
from tenuto_gui import format as figures
from tenuto_gui.diff.model import Comparison, field_name
from tenuto_gui.i18n import enumerated, in_turn, stopped, translate
from tenuto_gui.named import name_in
from tenuto_gui.runs.budget import UsedUp

#: What the model's side keeps of a conversation begins with these.
_IN_PREFIX = frozenset({"model", "system_hash", "tools_hash", "thinking_mode"})
_MOST_TOOLS = 12
_MOST_FORCED = 5


@dataclass(frozen=True)
class Fact:
    """One line: an icon in a colour, words, and words in mono before them."""

    icon: str
    token: str
    text: str
    mono: str = ""


@dataclass(frozen=True)
class Used:
    """What a transcript holds of tools: calls by name, and the names without a result."""

    calls: Mapping[str, int]
    open: tuple[str, ...] = ()


def used_tools(blocks: Iterable[Block]) -> Used:
    """Count a transcript's calls."""
    calls: dict[str, int] = {}
    without: list[str] = []
    for block in blocks:
        if block.kind == "tool_call":
            name = visible(block.name)
            calls[name] = calls.get(name, 0) + 1
            if block.result is None:
                without.append(name)
    return Used(calls, tuple(dict.fromkeys(without)))


def facts(
    found: Comparison,
    used: Used,
    today: frozenset[str] | None,
    forced: Iterable[Forced],
    budgets: Iterable[UsedUp],
) -> list[Fact]:
    """Everything to know before the deed, most binding first.

    ``today``: names of the tools of today's configuration, None where they are not known.
    """
    names = [row.name for row in found.rows if row.verdict != "same"]
    text = translate("force", "{n} of {all} rows differ: {names}").format(
        n=len(names), all=len(found.rows), names=enumerated(names)
    )
    lines = [Fact("not-equal", "chg", text)]
    lines += _tools(found, used, today)
    if any(row.verdict != "same" and row.field in _IN_PREFIX for row in found.rows):
        text = translate(
            "force",
            "The model\u2019s cache does not help any more: its next call reads the whole"
            " conversation anew, at full price",
        )
        lines.append(Fact("clock", "text2", text))
    else:
        text = translate("force", "What the model\u2019s side has cached stays of use")
        lines.append(Fact("check", "text2", text))
    for each in budgets:
        raise_it = translate("force", "Raise {key}").format(key=each.key)
        lines.append(Fact("warn", "chg", stopped(each.title, in_turn(each.effect, raise_it))))
    text = translate(
        "force", "The run keeps the configuration it was saved with: next time it is asked again"
    )
    lines.append(Fact("lock", "text2", text))
    return lines + _forced(forced)


def _tools(found: Comparison, used: Used, today: frozenset[str] | None) -> list[Fact]:
    row = next((row for row in found.rows if row.field == "tools_hash"), None)
    if row is None or row.verdict == "same":
        return []
    if not used.calls:
        return [Fact("check", "text2", translate("force", "This run has called no tool so far"))]
    changed = {each.text: each.note for each in row.details if each.kind == "changed"}
    gone = {each.text for each in row.details if each.kind == "removed"}
    if today is not None:
        gone |= used.calls.keys() - today
    lines = []
    touched = [name for name in used.calls if name in gone or name in changed]
    touched.sort(key=lambda name: (name not in gone, -used.calls[name]))
    for name in touched[:_MOST_TOOLS]:
        if name in gone:
            text = translate("force", "is gone; this run called it %n time(s)", n=used.calls[name])
            if name in used.open:
                text += ". " + translate("force", "Its open call cannot be run any more")
            lines.append(Fact("minus", "del", text, name))
        else:
            text = translate(
                "force", "is not as it was ({what}); this run called it %n time(s)",
                n=used.calls[name],
            )  # fmt: skip
            lines.append(Fact("not-equal", "chg", text.format(what=changed[name]), name))
    if (more := len(touched) - _MOST_TOOLS) > 0:
        lines.append(Fact("not-equal", "chg", translate("force", "and %n more", n=more)))
    known = bool(row.details) and any(each.mono for each in row.details)
    rest = len(used.calls) - len(touched)
    if known and rest:
        text = (
            translate("force", "As they were: %n other tool(s) that it called", n=rest)
            if touched
            else translate("force", "As they were: %n tool(s) that it called", n=rest)
        )
        lines.append(Fact("check", "text2", text))
    elif rest:
        text = translate(
            "force",
            "Still there: %n tool(s) that it called; whether anything changed in them cannot be"
            " told, as the saved ones were never seen here",
            n=rest,
        )
        lines.append(Fact("question", "chg", text))
    return lines


def _forced(forced: Iterable[Forced]) -> list[Fact]:
    lines = []
    latest = list(forced)[-_MOST_FORCED:]
    for each in reversed(latest):
        then = figures.parse_time(each.time)
        when = figures.clock(then, datetime.now(UTC)) if then is not None else visible(each.time)
        names = enumerated(field_name(str(row.get("field", ""))) for row in each.diff)
        path = visible(figures.home_path(each.config))
        text = translate("force", "Forced before, {when}, with {path}: {names}")
        text = name_in(text, "path", path, when=when, names=names)
        lines.append(Fact("bolt", "text2", text))
    return lines
