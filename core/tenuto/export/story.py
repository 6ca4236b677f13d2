# SPDX-License-Identifier: Apache-2.0
"""What an export tells of a session: facts for its head, and its blocks, secrets taken out."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tenuto.redact import Redactor
from tenuto.runs.notes import Notes
from tenuto.sources.base import Block, SessionSummary
from tenuto.sources.forcing import forced_words

#: How a notice reads; the same words as in a terminal.
NOTICES = {
    "completed": "completed",
    "suspended": "suspended",
    "error": "failed",
    "budget": "stopped at the token budget",
    "max_iterations": "stopped at the iteration budget",
    "interrupted": "interrupted",
    "forced": "resumed",
    "torn": "cut off here",
    "damaged": "damaged",
    "newer": "written by a newer version",
    "empty": "empty",
    "provider": "block of the provider",
}
#: Notices that are somebody's words, of any length, and what they are called.
ASIDES = {
    "system": "Instructions",
    "host": "Added by the program",
    "summary": "Summary of what was compacted away",
}
UNANSWERED = {
    "running": "running",
    "unknown": "no result: it may have run",
    "not_started": "not started",
}


class Story(msgspec.Struct, frozen=True):
    """One session as an export needs it; its texts hold no secrets any more."""

    title: str
    #: Name -> value, in the order in which they are shown.
    facts: tuple[tuple[str, str], ...]
    note: str
    blocks: Iterable[Block]


def story(
    summary: SessionSummary, notes: Notes, blocks: Iterable[Block], redactor: Redactor
) -> Story:
    """Put a session together; blocks are redacted one by one, as they are asked for."""
    facts = _facts(summary)
    # What is in the blocks as well is not counted twice.
    derived = Redactor(off=redactor.off)
    return Story(
        derived.text(notes.title or summary.title or summary.id),
        tuple((name, derived.text(value)) for name, value in facts if value),
        redactor.text(notes.note or ""),
        (_redacted(block, redactor) for block in blocks),
    )


def _facts(summary: SessionSummary) -> list[tuple[str, str]]:
    counters = summary.counters
    of_run = summary.source == "fisk-ai"
    model, kind = summary.model, f"{summary.source} {summary.badge}"
    if of_run and model:
        model += f" ({summary.provider or 'anthropic'})"
    return [
        ("session", summary.id),
        ("kind", "" if of_run else kind),
        ("project", summary.group),
        ("status", summary.status),
        ("model", model),
        ("created", summary.created),
        ("updated", summary.updated),
        ("turns", f"{summary.turns}, {summary.calls} tool calls"),
        (
            "tokens",
            f"{summary.tokens:,}, {counters.cache_read_tokens:,} of them read from cache"
            if of_run
            else "",
        ),
    ]


def _redacted(block: Block, redactor: Redactor) -> Block:
    if redactor.off:
        return block
    return msgspec.structs.replace(
        block,
        text=redactor.text(block.text),
        name=redactor.text(block.name),
        input=redactor.json(block.input.decode("utf-8", "replace")).encode("utf-8", "replace"),
        result=None if block.result is None else redactor.text(block.result),
    )


def outcome(block: Block) -> str:
    """What became of a call, in a few words; "" where it simply went well."""
    if block.result is None:
        return UNANSWERED.get(block.state, block.state)
    words = []
    if block.state == "denied":
        words.append("denied")
    elif block.exit_code:
        words.append(f"exit {block.exit_code}")
    elif block.state == "failed":
        words.append("failed")
    if block.truncated:
        words.append("the tool's output was cut")
    return ", ".join(words)


def notice(block: Block) -> str:
    """A notice as one line."""
    words = NOTICES.get(block.notice, block.notice)
    if block.seq:
        words += f" (record {block.seq})"
    if block.line:
        words += f" (line {block.line}, byte {block.offset}, {block.size} bytes)"
    if block.text:
        words += ": " + " ".join(block.text.split())
    if block.resumed:
        words += f" - resumed {block.resumed_time}".rstrip()
    if block.forced is not None:
        words += f" - {forced_words(block.forced)}"
    return words
