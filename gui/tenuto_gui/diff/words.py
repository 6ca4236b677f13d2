# SPDX-License-Identifier: Apache-2.0
"""What a comparison means, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tenuto_gui.diff.model import Comparison, Problem, field_name, field_value
from tenuto_gui.i18n import enumerated, stopped, translate


@dataclass(frozen=True)
class Said:
    """The bar above the table: icon, its colour, tint, a bold sentence, one more."""

    icon: str
    token: str
    tint: str
    title: str
    text: str = ""


def problem(found: Problem) -> str:
    """One thing wrong with a configuration, and where."""
    place = ""
    if found.line and found.column:
        place = translate("Configuration", "Line {line}, column {column}: ").format(
            line=found.line, column=found.column
        )
    elif found.line:
        place = translate("Configuration", "Line {line}: ").format(line=found.line)
    message = found.message
    if found.key and found.key not in message:
        message = translate("Configuration", "{key}: {what}").format(key=found.key, what=message)
    return place + message


def differences(diff: Sequence[Mapping[str, Any]] | None) -> str:
    """The rows of an event's ``diff`` that differ, in one line: a hash tells only that it does."""
    told = []
    for row in diff or ():
        if not row.get("changed"):
            continue
        field = str(row.get("field", ""))
        name = field_name(field)
        if not field.endswith("_hash"):
            saved, current = (field_value(field, row.get(side)) for side in ("saved", "current"))
            name = f"{name} {saved} \u2192 {current}"
        told.append(name)
    return enumerated(told)


def verdict(found: Comparison) -> Said:
    """What the comparison means for a resume."""
    match found.reason:
        case "completed":
            return Said(
                "check",
                "done",
                "band",
                translate("Configuration", "This run is completed"),
                translate("Configuration", "It has its final answer and cannot be resumed."),
            )
        case "provider":
            return Said(
                "lock",
                "chg",
                "chg_bg",
                translate("Configuration", "This run cannot resume with this configuration"),
                translate("Configuration", "A run stays with its provider; force does not help."),
            )
        case "mode":
            return Said(
                "lock",
                "chg",
                "chg_bg",
                translate("Configuration", "This run cannot resume in this way"),
                translate("Configuration", "A chat stays a chat, and a one-shot run stays one."),
            )
    if found.equal:
        if not found.resumable:
            return Said(
                "lock",
                "damg",
                "damg_tint",
                translate("Configuration", "The configuration is the same; the run cannot resume"),
                translate("Configuration", "Its journal is damaged. It can be read."),
            )
        return Said(
            "check",
            "done",
            "band",
            translate("Configuration", "The run was saved with this configuration"),
            translate("Configuration", "It can resume as it is."),
        )
    if found.forceable:
        return Said(
            "not-equal",
            "chg",
            "chg_bg",
            translate("Configuration", "This configuration differs from the saved one"),
            translate(
                "Configuration",
                "Resume refuses it. Resume with force goes on under today\u2019s configuration.",
            ),
        )
    return Said(
        "not-equal",
        "chg",
        "chg_bg",
        translate("Configuration", "The configurations differ"),
        translate("Configuration", "This run cannot resume."),
    )


def between(found: Comparison) -> Said:
    """What a comparison of two sessions says."""
    if found.equal:
        title = translate("Configuration", "Both were saved with the same configuration")
        return Said("check", "done", "band", title)
    title = translate("Configuration", "They were saved with different configurations")
    return Said("not-equal", "chg", "chg_bg", title)


def why_not(found: Comparison | None, *, force: bool) -> str:
    """Why a button is off."""
    if found is None:
        return translate("Configuration", "Choose a configuration first")
    if force and found.resumable:
        return translate("Configuration", "Nothing needs to be forced")
    said = verdict(found)
    return stopped(said.title, said.text)
