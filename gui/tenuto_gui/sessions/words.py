# SPDX-License-Identifier: Apache-2.0
"""What a session's state is called and what is shown as its evidence (look.md, "Status")."""

from __future__ import annotations

import re
from datetime import datetime

from tenuto.sources.base import Evidence, SessionSummary
from tenuto_gui import format as fmt
from tenuto_gui.i18n import enumerated, translate
from tenuto_gui.sessions.failure import failure_words

#: The filters in the order of the column, each with the statuses it gathers.
FACETS: dict[str, tuple[str, ...]] = {
    "running": ("running",),
    "waiting": ("waiting",),
    "suspended": ("suspended",),
    "interrupted": ("interrupted",),
    "failed": ("failed",),
    "limit": ("budget", "max_iterations"),
    "completed": ("completed",),
    "ready": ("ready",),
    "damaged": ("damaged",),
    "newer": ("newer",),
    "empty": ("empty",),
}
FACET_OF = {status: facet for facet, statuses in FACETS.items() for status in statuses}
#: The mark that stands for a filter.
FACET_MARK = {"limit": "budget"}

#: The reader's words begin with the line, where it knows it.
_LINE = re.compile(r"line (\d+)\b")
_SOURCES = {"reasonix": "Reasonix"}
#: Drawn as filled chips: the row needs the operator.
CHIPS = frozenset({"waiting", "unknown"})


def source_word(source: str) -> str:
    """What a source is called: its own name, as it writes it."""
    return _SOURCES.get(source, source)


def mark_of(summary: SessionSummary) -> str:
    """The mark's name: the status, or ``unknown`` for an interrupted run of unknown outcome."""
    evidence = summary.evidence
    if summary.status == "interrupted" and evidence and evidence.kind == "outcome_unknown":
        return "unknown"
    return summary.status


def word(mark: str) -> str:
    """The word beside a mark."""
    words = {
        "running": translate("status", "Running"),
        "waiting": translate("status", "Waiting for you"),
        "suspended": translate("status", "Suspended"),
        "interrupted": translate("status", "Interrupted"),
        "unknown": translate("status", "Outcome unknown"),
        "failed": translate("status", "Failed"),
        "budget": translate("status", "Token budget"),
        "max_iterations": translate("status", "Iteration limit"),
        "completed": translate("status", "Completed"),
        "damaged": translate("status", "Damaged"),
        "ready": translate("status", "Ready"),
        "newer": translate("status", "Newer version"),
        "empty": translate("status", "Empty"),
        "pending": translate("status", "Reading\u2026"),
    }
    return words[mark]


def facet_word(facet: str) -> str:
    """The name of a filter."""
    if facet == "all":
        return translate("filters", "All")
    if facet == "waiting":
        return translate("filters", "Waiting")
    if facet == "limit":
        return translate("filters", "At a limit")
    return word(facet)


def facet_phrase(facet: str) -> str:
    """``No failed sessions``: what an empty list says for a filter."""
    phrases = {
        "all": translate("filters", "No sessions"),
        "running": translate("filters", "No running sessions"),
        "waiting": translate("filters", "No sessions wait for you"),
        "suspended": translate("filters", "No suspended sessions"),
        "interrupted": translate("filters", "No interrupted sessions"),
        "failed": translate("filters", "No failed sessions"),
        "limit": translate("filters", "No sessions at a limit"),
        "completed": translate("filters", "No completed sessions"),
        "ready": translate("filters", "No sessions at rest"),
        "damaged": translate("filters", "No damaged sessions"),
        "newer": translate("filters", "No sessions of a newer version"),
        "empty": translate("filters", "No empty sessions"),
    }
    return phrases[facet]


def turns(count: int) -> str:
    return translate("status", "%n turn(s)", None, count)


def calls(count: int) -> str:
    return translate("status", "%n call(s)", None, count)


def evidence_text(summary: SessionSummary) -> tuple[str, str]:
    """The evidence of a row: plain words, then what is to be set in mono (a tool's name)."""
    evidence = summary.evidence
    mark = mark_of(summary)
    if mark == "pending":
        return "", ""
    if mark == "running":
        return translate("status", "turn {n}").format(n=max(1, summary.turns)), ""
    if mark == "completed":
        return turns(summary.turns), ""
    if mark == "ready":
        group = fmt.home_path(summary.group)
        return f" {fmt.DOT} ".join(x for x in (turns(summary.turns), group) if x), ""
    if evidence is None:
        return _damage(summary.problem), ""
    if mark == "waiting":
        return _question(evidence.text or ""), ""
    if mark == "newer":
        return _newer(summary, evidence), ""
    if mark == "empty":
        return translate("status", "no records"), ""
    if mark == "damaged" and (line := _LINE.match(evidence.text or summary.problem)):
        return translate("status", "line {n} cannot be read").format(n=line[1]), ""
    if mark == "unknown":
        name = evidence.calls[0].name if evidence.calls else ""
        return "", name
    if mark == "suspended" and evidence.seq is not None:
        return translate("status", "after record {n}").format(n=evidence.seq - 1), ""
    if mark == "interrupted":
        return _interrupted(evidence), ""
    if mark == "budget":
        used = translate("status", "{n} tokens used")
        return used.format(n=fmt.short(summary.tokens)), ""
    if mark == "max_iterations":
        return turns(summary.turns), ""
    text = evidence.text or summary.problem
    if mark == "failed":
        return failure_words(text)[0] or _kept(text), ""
    return _damage(text), ""


def _kept(text: str) -> str:
    from tenuto_gui.core_words import kept_words

    return kept_words(text)


def _damage(reason: str) -> str:
    if not reason:
        return ""
    # Rows of whole sessions need none of it.
    from tenuto_gui.core_words import damage_words

    return damage_words(reason)


def _newer(summary: SessionSummary, evidence: Evidence) -> str:
    # Loads all of a journal's model, for rows that are rare.
    from tenuto.records import VERSION

    if summary.version <= VERSION:
        return _damage(evidence.text or summary.problem)
    sentence = translate("status", "journal {found}, this Tenuto reads 1\u2013{own}")
    return sentence.format(found=summary.version, own=VERSION)


def _question(text: str) -> str:
    """A question as a row has room for it: a command without the folder of its program."""
    program, _, rest = text.partition(" ")
    return f"{program.rpartition('/')[2]} {rest}".strip() if program.startswith("/") else text


def _interrupted(evidence: Evidence) -> str:
    if evidence.kind == "lock_unknown":
        return translate("status", "the system does not tell whether it runs")
    return translate("status", "between turns")


def since(summary: SessionSummary, now: datetime, *, brief: bool = False) -> str:
    """The right end of the run header: since when, and by whom; ``brief`` is the state alone."""
    evidence = summary.evidence
    then = fmt.parse_time(summary.updated)
    age = fmt.age(then, now) if then else ""
    mark = mark_of(summary)
    if mark in ("running", "waiting"):
        start = fmt.parse_time(evidence.time) if evidence and evidence.time else None
        parts = []
        if start is not None:
            parts.append(translate("status", "since {time}").format(time=fmt.clock(start, now)))
        if evidence is not None and evidence.pid is not None:
            parts.append(translate("status", "pid {pid}").format(pid=evidence.pid))
        return enumerated(parts[:1] if brief else parts)
    if mark == "suspended" and evidence is not None and evidence.seq is not None and not brief:
        return translate("since", "suspended {age}, after record {n}").format(
            age=age, n=evidence.seq - 1
        )
    sentences = {
        "suspended": translate("since", "suspended {age}"),
        "interrupted": translate("since", "interrupted {age}"),
        "unknown": translate("since", "interrupted {age}"),
        "failed": translate("since", "failed {age}"),
        "budget": translate("since", "stopped at its token budget {age}"),
        "max_iterations": translate("since", "stopped at its iteration limit {age}"),
        "completed": translate("since", "completed {age}"),
        "damaged": translate("since", "last written {age}"),
        "newer": translate("since", "last written {age}"),
        "empty": translate("since", "made {age}"),
        "ready": translate("since", "last written {age}"),
    }
    return sentences[mark].format(age=age) if mark in sentences and age else ""
