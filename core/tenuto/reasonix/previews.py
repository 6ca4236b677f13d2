# SPDX-License-Identifier: Apache-2.0
"""What a list shows of a session: its first prompt, cleaned, and its number of turns.

A prompt is stored as it was sent, with whatever the program put around it; the rules by which that
comes off again are those of reasonix.md, section 5.
"""

from __future__ import annotations

import json
import re
from typing import Final

from tenuto.reasonix.model import Message, Messages, is_summary, text_of, turns

#: More runes than this, and a preview is its first 77 and an ellipsis.
LIMIT: Final = 80
_KEPT: Final = 77
#: How often a prompt may be wrapped.
_LAYERS: Final = 24
_OPEN: Final = "<memory-compiler-execution>"
_CLOSE: Final = "</memory-compiler-execution>"
_LEADING = re.compile(
    r"\s*<(response-language|reasoning-language|memory-update|background-jobs|active-goal"
    r"|hook-context|capability-route)(?:\s[^>]*)?>"
)
#: What Go's ``strings.TrimSpace`` takes off; Python's own takes four controls more.
_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_TASK: Final = "Original task:\n"
_PLAN: Final = "\n\nPlanner output:"


def preview(messages: Messages) -> tuple[str, int]:
    """The preview of a session and its turns: user messages, those of the host left out."""
    found = ""
    count = 0
    for at in turns(messages):
        count += 1
        if not found:
            found = summary(messages[at])
    return found, count


def authored_preview(messages: Messages) -> tuple[str, int]:
    """As :func:`preview`, by the rule since generation C: compaction summaries are no turns."""
    return preview([m for m in messages if not is_summary(m) and not m.get("local_only")])


def summary(message: Message) -> str:
    """One user message as a preview shows it; "" where nothing of it is the user's."""
    return shorten(clean(text_of(message, "raw_content") or text_of(message)))


def shorten(text: str) -> str:
    """``text`` in at most 80 code points, with an ellipsis where it was cut."""
    return text if len(text) <= LIMIT else text[:_KEPT] + "\u2026"


def clean(text: str) -> str:
    """A prompt without what was put around it before it was sent. Line breaks inside stay."""
    text = _without_leading(_unwrapped(text))
    text = _without_leading(_unwrapped(_task_of(text)))
    return text.strip(_SPACE)


def _unwrapped(text: str) -> str:
    for _ in range(_LAYERS):
        start = text.find(_OPEN)
        if start < 0:
            break
        end = text.find(_CLOSE, start)
        if end < 0:
            return text[:start]
        inner = _source_event(text[start + len(_OPEN) : end])
        text = text[:start] + inner + text[end + len(_CLOSE) :]
    return text


def _source_event(block: str) -> str:
    try:
        value = json.loads(block)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    plan = value.get("planner_ir")
    for holder in (plan, value):
        if isinstance(holder, dict):
            event = holder.get("source_event")
            if isinstance(event, str) and event:
                return event
    return ""


def _without_leading(text: str) -> str:
    while found := _LEADING.match(text):
        end = text.find(f"</{found[1]}>", found.end())
        if end < 0:
            break
        text = text[end + len(found[1]) + 3 :].lstrip(_SPACE)
    return text


def _task_of(text: str) -> str:
    """The task in what one model hands to another; any other text as it is."""
    start = text.find(_TASK)
    if start < 0 or not text.lstrip(_SPACE).startswith("# "):
        return text
    end = text.find(_PLAN, start)
    return text if end < 0 else text[start + len(_TASK) : end]
