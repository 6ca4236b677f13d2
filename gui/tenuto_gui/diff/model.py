# SPDX-License-Identifier: Apache-2.0
"""What ``tenuto session diff --json`` said, as rows to show. Qt-free but for translation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from tenuto.text import visible
from tenuto_gui import format as figures
from tenuto_gui.core_words import told_words
from tenuto_gui.i18n import enumerated, translate

Verdict = Literal["same", "changed", "fixed"]
LineKind = Literal["heading", "same", "added", "removed", "changed", "note"]


class _Row(msgspec.Struct, frozen=True):
    field: str
    saved: str | int | float | None = None
    current: str | int | float | None = None
    changed: bool = False
    details: list[dict[str, Any]] = []


class _Answer(msgspec.Struct, frozen=True):
    equal: bool
    resumable: bool
    forceable: bool
    rows: list[_Row]
    reason: str | None = None


@dataclass(frozen=True)
class DetailLine:
    """One line of an opened row: a sign, two columns of words, and more of it."""

    kind: LineKind
    #: Line number, or the word beside the sign.
    label: str
    text: str
    note: str = ""
    mono: bool = False


@dataclass(frozen=True)
class DiffRow:
    """One field of the fingerprint."""

    field: str
    name: str
    saved: str
    current: str
    verdict: Verdict
    #: What changed, in words.
    verdict_text: str
    mono: bool
    details: tuple[DetailLine, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """A saved fingerprint beside another one."""

    equal: bool
    resumable: bool
    forceable: bool
    reason: str
    rows: tuple[DiffRow, ...]

    @property
    def changes(self) -> int:
        """How many rows differ."""
        return sum(row.verdict != "same" for row in self.rows)


def comparison(answer: object) -> Comparison | None:
    """The command's answer; None when it is not one."""
    try:
        parsed = msgspec.convert(answer, _Answer)
    except msgspec.ValidationError:
        return None
    rows = tuple(_row(row) for row in parsed.rows)
    return Comparison(parsed.equal, parsed.resumable, parsed.forceable, parsed.reason or "", rows)


def field_name(field: str) -> str:
    """What people call a field of the fingerprint."""
    names = {
        "provider": translate("Configuration", "Provider"),
        "model": translate("Configuration", "Model"),
        "system_hash": translate("Configuration", "System prompt"),
        "tools_hash": translate("Configuration", "Tool set"),
        "thinking_mode": translate("Configuration", "Thinking"),
        "max_tokens": translate("Configuration", "Token budget"),
        "max_iterations": translate("Configuration", "Iteration budget"),
    }
    return names.get(field) or visible(field)


def _row(row: _Row) -> DiffRow:
    verdict: Verdict = "same"
    if row.changed:
        verdict = "fixed" if row.field == "provider" else "changed"
    details: tuple[DetailLine, ...] = ()
    if row.changed and row.field == "system_hash":
        details = _prompt_lines(row.details)
    elif row.changed and row.field == "tools_hash":
        details = _tool_lines(row.details)
    return DiffRow(
        row.field,
        field_name(row.field),
        field_value(row.field, row.saved),
        field_value(row.field, row.current),
        verdict,
        _verdict_text(row, verdict),
        row.field in ("provider", "model", "system_hash", "tools_hash"),
        details,
    )


def field_value(field: str, value: str | float | None) -> str:
    """A value of a field as it is shown: numbers grouped, a hash by its beginning."""
    if isinstance(value, int | float):
        if value == 0:
            return translate("Configuration", "no limit")
        return figures.exact(int(value))
    text = visible(value or "")
    if field in ("system_hash", "tools_hash"):
        return f"{text[:10]}\u2026" if len(text) > 10 else text
    return text or "\u2013"


def _verdict_text(row: _Row, verdict: Verdict) -> str:
    if verdict == "same":
        return translate("Configuration", "Same")
    if verdict == "fixed":
        return translate("Configuration", "Cannot be forced")
    counts = _counts(row.details)
    parts = []
    if row.field == "tools_hash":
        words = (
            ("added", translate("Configuration", "{n} added")),
            ("removed", translate("Configuration", "{n} removed")),
            ("changed", translate("Configuration", "{n} changed")),
        )
        parts = [text.format(n=counts[kind]) for kind, text in words if counts.get(kind)]
    elif row.field == "system_hash":
        if counts.get("added"):
            parts.append(translate("Configuration", "%n line(s) new", n=counts["added"]))
        if counts.get("removed"):
            parts.append(translate("Configuration", "{n} gone").format(n=counts["removed"]))
    return enumerated(parts) or translate("Configuration", "Changed")


def _counts(details: list[dict[str, Any]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for detail in details:
        kind = str(detail.get("change", ""))
        number = detail.get("count", 1)
        counts[kind] = counts.get(kind, 0) + (number if isinstance(number, int) else 1)
    return counts


def _unknown() -> tuple[DetailLine, ...]:
    text = translate(
        "Configuration",
        "A run keeps a hash of it, and Tenuto has not seen the saved one: what changed in it"
        " cannot be told.",
    )
    return (DetailLine("note", "", text),)


def _only_digests() -> str:
    return translate(
        "Configuration",
        "A run keeps digests of its prompt, not the words, so Tenuto cannot show them.",
    )


def _prompt_lines(details: list[dict[str, Any]]) -> tuple[DetailLine, ...]:
    if not details:
        return _unknown()
    lines: list[DetailLine] = []
    part, last = 0, 0
    for detail in details:
        match detail.get("change"):
            case "added" if "text" not in detail:
                text = translate("Configuration", "%n line(s) new.", n=_number(detail, "count"))
                lines.append(DetailLine("added", "", text, _only_digests()))
            case "added":
                here, number = _number(detail, "part"), _number(detail, "line")
                if here != part:
                    part, last = here, 0
                    heading = translate("Configuration", "Part {n}").format(n=part)
                    lines.append(DetailLine("heading", heading, ""))
                if number > last + 1:
                    text = translate("Configuration", "%n line(s) as before", n=number - last - 1)
                    lines.append(DetailLine("same", "", text))
                last = number
                text = visible(str(detail.get("text", "")), prose=True)
                lines.append(DetailLine("added", str(number), text))
            case "removed":
                text = translate("Configuration", "%n line(s) gone.", n=_number(detail, "count"))
                lines.append(DetailLine("removed", "", text, _only_digests()))
            case "order":
                text = translate("Configuration", "The same lines, in another order or spacing.")
                lines.append(DetailLine("note", "", text))
            case "reason":
                lines += _reason(detail)
    return tuple(lines)


def _reason(detail: dict[str, Any]) -> tuple[DetailLine, ...]:
    """What is not known, and why it most likely differs."""
    text = visible(str(detail.get("text", "")), prose=True)
    return (*_unknown(), DetailLine("note", "", text[:1].upper() + text[1:] + "."))


def _tool_lines(details: list[dict[str, Any]]) -> tuple[DetailLine, ...]:
    if not details:
        return _unknown()
    lines = []
    whats = {
        "description": translate("Configuration", "description"),
        "schema": translate("Configuration", "input schema"),
        "deferred": translate("Configuration", "loaded when asked for"),
    }
    for detail in details:
        name = visible(str(detail.get("name", "")))
        match detail.get("change"):
            case "added":
                word = translate("Configuration", "Added")
                lines.append(DetailLine("added", word, name, mono=True))
            case "removed":
                word = translate("Configuration", "Removed")
                lines.append(DetailLine("removed", word, name, mono=True))
            case "changed":
                word = translate("Configuration", "Changed")
                what = detail.get("what", ())
                note = enumerated(whats.get(str(each), str(each)) for each in what)
                lines.append(DetailLine("changed", word, name, note, mono=True))
            case "order":
                text = translate("Configuration", "The same tools, in another order.")
                lines.append(DetailLine("note", "", text))
            case "reason":
                lines += _reason(detail)
    return tuple(lines)


def _number(detail: dict[str, Any], key: str) -> int:
    value = detail.get(key, 0)
    return value if isinstance(value, int) else 0


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a configuration; 0 where the place is unknown."""

    line: int
    column: int
    key: str
    message: str


def problems(answer: object) -> list[Problem]:
    """What a command's error says is wrong with a configuration."""
    found = answer.get("problems") if isinstance(answer, dict) else None
    return [
        Problem(
            _number(each, "line"),
            _number(each, "column"),
            visible(str(each.get("key") or "")),
            visible(told_words(each), prose=True),
        )
        for each in (found if isinstance(found, list) else ())
        if isinstance(each, dict)
    ]
