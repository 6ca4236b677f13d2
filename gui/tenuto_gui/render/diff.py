# SPDX-License-Identifier: Apache-2.0
"""Unified diffs in a tool's output: found by their form, their lines told apart. Qt-free."""

from __future__ import annotations

import re

from tenuto_gui.render.spans import Span

#: A diff shows itself within so many characters, or it is not taken for one.
_LOOK = 20_000

_hunk = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_begins = re.compile(
    r"^--- [^\n]*\n\+\+\+ [^\n]*\n@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@", re.MULTILINE
)
_HEADS = ("diff ", "index ", "--- ", "+++ ", "new file", "deleted file", "rename ", "similarity ")


def is_diff(text: str) -> bool:
    """Whether a text holds a unified diff."""
    return "@@ -" in text[:_LOOK] and _begins.search(text, 0, _LOOK) is not None


def spans(text: str) -> list[Span]:
    """One span for each line of a diff that is not context; the signs stay part of the text.

    Lines are told by the counts of their hunk, so that a removed ``-- x`` is no file name.
    """
    found: list[Span] = []
    start = old = new = 0
    for line in text.split("\n"):
        end = start + len(line)
        sign = line[:1]
        if old > 0 or new > 0:
            if sign == "+" and new > 0:
                found.append(Span(start, end, "add", "add_bg", line=True))
                new -= 1
            elif sign == "-" and old > 0:
                found.append(Span(start, end, "del", "del_bg", line=True))
                old -= 1
            elif sign != "\\":
                old, new = old - 1, new - 1
        elif match := _hunk.match(line):
            found.append(Span(start, end, "text2", "band", line=True))
            old, new = (int(count) if count is not None else 1 for count in match.groups())
        elif line.startswith(_HEADS):
            found.append(Span(start, end, strong=True))
        start = end + 1
    return found


def signed(text: str) -> list[Span]:
    """One span for each line that begins with a sign, of a diff without heads and hunks."""
    found: list[Span] = []
    start = 0
    for line in text.split("\n"):
        ink = {"+": "add", "-": "del"}.get(line[:1])
        if ink:
            found.append(Span(start, start + len(line), ink, f"{ink}_bg", line=True))
        elif line.startswith("@@"):
            found.append(Span(start, start + len(line), "text2", "band", line=True))
        start += len(line) + 1
    return found
