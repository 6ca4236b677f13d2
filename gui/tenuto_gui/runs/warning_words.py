# SPDX-License-Identifier: Apache-2.0
"""What a worker warns of, in the window's words.

A worker says it in English, and beside it the sentence of the core's and its ``facts``. Some have
words of the window's own; of the others the sentence is translated. What has no words stands as it
was said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tenuto.sentences import others_words
from tenuto_gui import format as figures
from tenuto_gui.core_words import in_parts, reason_in, words
from tenuto_gui.i18n import translate
from tenuto_gui.runs.protocol import Warning_


def warning_words(warning: Warning_) -> str:
    """One warning as a sentence without its full stop."""
    made = _of_facts(warning.kind, warning.facts)
    if made:
        return made
    if warning.kind == "protocol":
        return _nonsense(warning.facts)
    whole = {
        "repaired": translate("warnings", "What was incomplete at its end was set aside"),
        "unsaid": translate(
            "warnings",
            "Your message was not added, since a call before it waits: say it with the next resume",
        ),
        "server_state": translate(
            "warnings",
            "The run paused inside a tool of the provider\u2019s own: what the provider kept of it"
            " may have expired",
        ),
        "forced": translate(
            "warnings",
            "What was saved stays as it is: with this configuration the run must be forced again",
        ),
        "budget": translate(
            "warnings",
            "Its budget is used up: raise it in the configuration, and resume with force",
        ),
    }.get(warning.kind)
    if whole:
        return whole
    begun = {
        "notes": translate("warnings", "What this run was made with is not kept: {why}"),
        "ask_file": translate("warnings", "Other windows cannot see this question: {why}"),
        "memory": translate("warnings", "What is in the memory cannot be told: {why}"),
    }.get(warning.kind)
    _start, colon, english = warning.text.partition(": ")
    if begun and colon:
        return begun.format(why=reason_in(warning.facts) or english)
    return in_parts(warning.sentence, warning.facts) or warning.text


def _nonsense(facts: Mapping[str, Any]) -> str:
    """Of what the worker wrote where an event should be: a line of it, or what is wrong with it."""
    if "line" in facts:
        return translate("warnings", "no event: {line}").format(line=facts["line"])
    if "problem" in facts:
        text = translate("warnings", "an event that makes no sense: {problem}")
        return text.format(problem=words(others_words(str(facts["problem"]))))
    return translate("warnings", "an event too long to be one")


def _of_facts(kind: str, facts: Mapping[str, Any]) -> str:
    """Those whose facts are there; "" for the others, and for a worker that gives none."""
    if kind == "cwd" and {"now", "before"} <= facts.keys():
        return translate("warnings", "Tools now run in {now}, before they ran in {before}").format(
            now=figures.home_path(str(facts["now"])), before=figures.home_path(str(facts["before"]))
        )
    if kind == "upgraded" and {"version", "backup"} <= facts.keys():
        text = translate(
            "warnings", "The journal was rewritten from version {n}; {file} is what it was"
        )
        return text.format(n=facts["version"], file=facts["backup"])
    if kind == "provider" and facts.get("failure"):
        text = translate("warnings", "The model\u2019s side answered {failure}")
        return text.format(failure=facts["failure"])
    if kind == "retry" and facts.get("attempt"):
        why = facts.get("failure") or translate("warnings", "no answer")
        text = translate("warnings", "{why}: asked again (attempt {n})")
        return text.format(why=why, n=facts["attempt"])
    if kind == "outcome_unknown" and facts.get("decided"):
        if facts["decided"] == "skip":
            return translate(
                "warnings", "The call that may have run is skipped, and the model is told so"
            )
        return translate("warnings", "The call that may have run runs again")
    return ""
