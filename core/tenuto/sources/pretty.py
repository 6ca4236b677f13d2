# SPDX-License-Identifier: Apache-2.0
"""Raw bytes of a journal made readable: JSON indented token for token, broken lines in pieces.

Nothing is parsed away: numbers, escapes and repeated keys stand as they are in the file. What acts
or hides becomes a visible mark. Every text line is bounded, since a layout of endless lines takes
endless time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from tenuto.text import visible

#: The longest line that is made, in characters; a longer string is broken.
LINE = 800
#: Tokens that are laid out between two chances to stop.
_STEP = 2000
#: Runs of NULs up to this long are shown one by one.
_NULS = 8

# In one go over a string of megabytes: no other thread runs meanwhile.
_tokens = re.compile(
    r'(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?$))|(?P<open>[{\[])|(?P<close>[}\]])|(?P<comma>,)'
    r'|(?P<colon>:)|(?P<word>[^\s{}\[\],:"]+)',
    re.DOTALL,
)
_nul_runs = re.compile(f"\x00{{{_NULS + 1},}}")


def shown(data: bytes) -> str:
    """Bytes as text on one line, everything that is not plain made visible."""
    text = data.decode("utf-8", "backslashreplace")
    text = _nul_runs.sub(lambda run: f"\u2400\u00d7{len(run[0])}", text)
    return visible(text).replace("\n", "\u240a").replace("\t", "\u2409")


def pretty(
    data: bytes, *, most: int | None = None, step: Callable[[], object] | None = None
) -> list[str]:
    """The lines of indented JSON; of what is no JSON (any more) as much as can be told apart.

    It ends soon after ``most`` lines, where that is given. ``step`` is called every few
    milliseconds, for whoever has to let others go first.
    """
    text = shown(data)
    lines: list[str] = []
    line: list[str] = []
    depth = 0

    def end_line() -> None:
        if line:
            lines.extend(_broken("".join(line)))
            line.clear()

    def begin() -> None:
        if not line:
            line.append("  " * min(depth, 40))

    empty = False
    for number, match in enumerate(_tokens.finditer(text), 1):
        if number % _STEP == 0:
            if step is not None:
                step()
            if most is not None and len(lines) > most:
                break
        token = match[0]
        kind = match.lastgroup
        if empty and kind != "close":
            end_line()
        if kind == "open":
            begin()
            line.append(token)
            depth += 1
            empty = True
            continue
        if kind == "close":
            depth = max(depth - 1, 0)
            if not empty:
                end_line()
            begin()
            line.append(token)
        elif kind == "comma":
            line.append(token)
            end_line()
        elif kind == "colon":
            line.append(": ")
        else:
            begin()
            line.append(token)
        empty = False
    end_line()
    return lines


def _broken(line: str) -> list[str]:
    return [line[at : at + LINE] for at in range(0, len(line), LINE)] or [""]


def wrapped(data: bytes) -> list[str]:
    """Bytes as they are on disk, in lines of a bounded length."""
    return _broken(shown(data))


PieceKind = Literal["bad", "record", "unknown"]


class Found(msgspec.Struct, frozen=True):
    """A finding of ``tenuto session doctor --json``."""

    kind: str
    line: int
    offset: int
    size: int
    message: str
    repairable: bool = True
    seq: int | None = None


class Examined(msgspec.Struct, frozen=True):
    """The answer of ``tenuto session doctor --json`` for one run."""

    health: str
    repairable: bool
    records: int
    findings: list[Found]
    message: str = ""


def examined(answer: object) -> Examined | None:
    """Read that answer; None for anything else."""
    first = answer[0] if isinstance(answer, list) and answer else None
    try:
        return msgspec.convert(first, Examined)
    except msgspec.ValidationError:
        return None


class Piece(msgspec.Struct, frozen=True):
    """A part of a damaged line: ``bad`` bytes that belong to no record, or a whole record."""

    kind: PieceKind
    #: Bytes into the file.
    offset: int
    size: int
    found: Found | None = None


def pieces(offset: int, size: int, findings: Sequence[Found]) -> list[Piece]:
    """Take the line at ``offset`` apart by what the doctor found in it."""
    end = offset + size
    made: list[Piece] = []
    at = offset
    inside = (f for f in findings if f.size > 0 and offset <= f.offset < end)
    for found in sorted(inside, key=lambda each: each.offset):
        start, stop = max(found.offset, at), min(found.offset + found.size, end)
        if start >= stop:
            continue
        if start > at:
            made.append(Piece("record", at, start - at))
        # A finding that names a record is about a whole one, if it can be kept or not.
        whole = found.seq is not None and found.kind != "lost"
        made.append(Piece("record" if whole else "bad", start, stop - start, found))
        at = stop
    if at < end:
        made.append(Piece("record" if made else "unknown", at, end - at))
    return made
