# SPDX-License-Identifier: Apache-2.0
"""Text from journals, made safe to show in a terminal, a window or a log.

Titles, prompts, tool output, ids and file names are somebody else's text: they may hold escape
sequences, bidirectional overrides and characters that do not show. Here those become visible marks
(reliability.md, part 2). Journals themselves are never touched.
"""

from __future__ import annotations

import functools
import re
import unicodedata

#: Characters that act on a terminal or on the order of text, or that cannot be seen: controls but
#: for tab and newline, bidi controls, joiners, separators, the default ignorable characters, blank
#: letters, lone surrogates.
_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
#: Spaces that are no U+0020: they pad, and look like an argument's end.
_SPACES = "\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"

_hidden_runs = re.compile(f"[{_HIDDEN}]+")
_line_breaks = re.compile("\r\n|[\r\u2028\u2029]")
_whitespace = re.compile(r"\s+")

#: Joiners and variation selectors that belong to emoji and to several scripts.
_JOINING = frozenset(
    ("\u200c", "\u200d", "\ufe0e", "\ufe0f", "\ufe0e\u200d", "\ufe0f\u200d", "\ufe0f\u200c")
)
_KEYCAP = "\u20e3"

#: Letters and signs that are a user-visible character each, whatever other such follows: Latin,
#: Greek, Cyrillic, Hebrew and Arabic letters, punctuation, arrows, lines, kana, ideographs, Hangul.
_alone = re.compile(
    "[ -~\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u0587\u05d0-\u05ea\u0620-\u063a\u0641-\u064a"
    "\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u2319\u2500-\u25a9\u2713\u2717"
    "\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*"
)

#: A user-visible character can be of any length (combining marks); this bounds what is kept.
_MAX_POINTS_PER_CHARACTER = 16


def visible(text: str, *, prose: bool = False) -> str:
    r"""``text`` with everything that acts or hides shown as a mark.

    C0 controls and DEL become their picture (ESC is shown as U+241B), the others ``<U+202E>``;
    a lone surrogate becomes U+FFFD. Newlines and tabs stay. Strict by default: for commands, paths
    and questions. ``prose`` keeps what honest writing needs: joiners and variation selectors
    between characters that are not ASCII, Unicode spaces, and every kind of line end (as ``\n``).
    """
    if text.isascii() and text.isprintable():
        return text
    if prose:
        text = _line_breaks.sub("\n", text)
        return _hidden_runs.sub(_mark_prose, text)
    return _hidden_or_space_runs().sub(_mark, text)


def single_line(text: str) -> str:
    """As strict ``visible``, with pictures for line breaks and tabs too.

    For what stands in a line of ours (a name, a reason, a path): it can pass for no other line.
    """
    return visible(text).replace("\n", "\u240a").replace("\t", "\u2409")


def one_line(text: str, limit: int) -> str:
    """The beginning of ``text`` as one line of prose: at most ``limit`` user-visible characters.

    Made visible first and cut after, at a character's end (an emoji of several code points stays
    whole). White space runs become one space. The work is bounded by ``limit``, not by the text.
    """
    if (
        len(text) <= limit
        and text.isprintable()
        and "  " not in text
        and (text.isascii() or not _hidden_runs.search(text))
    ):
        return text.strip()
    start = text.lstrip()[: limit * _MAX_POINTS_PER_CHARACTER * 2]
    line = _whitespace.sub(" ", visible(start, prose=True)).strip()
    return cut(line, limit)


def cut(text: str, limit: int) -> str:
    """The first ``limit`` user-visible characters of ``text``."""
    if len(text) <= limit:
        return text
    if text.isascii():
        return text[:limit].rstrip()
    if _alone_for(text, limit + 1):
        return text[:limit].rstrip()
    import regex  # 10 ms, for text that needs all of Unicode's rules

    kept = text[: limit * _MAX_POINTS_PER_CHARACTER]
    end = len(kept)
    for count, character in enumerate(regex.finditer(r"\X", kept)):
        if count == limit:
            end = character.start()
            break
    return kept[:end].rstrip()


def elide(text: str, limit: int) -> str:
    """``text`` in at most ``limit`` user-visible characters, the last one an ellipsis when cut."""
    if len(text) <= limit:
        return text
    if not _alone_for(text, limit + 1):
        shortened = cut(text, limit)
        if len(shortened) == len(text.rstrip()):
            return shortened
    return cut(text, limit - 1) + "\u2026"


def headline(text: str, limit: int) -> str:
    """As ``elide(one_line(text, ...), limit)``; quick for a line that was made harmless before."""
    if len(text) > limit:
        if _alone_for(text, limit + 1):
            return text[: limit - 1].rstrip() + "\u2026"
    elif text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return elide(one_line(text, limit * 4), limit)


def _alone_for(text: str, count: int) -> bool:
    """Whether the first ``count`` characters are a user-visible character each."""
    match = _alone.match(text, 0, count)
    return match is not None and match.end() == count


def width(text: str) -> int:
    """Columns a terminal needs for ``text``, which must be one visible line."""
    # An ellipsis where it was cut is one column, and often all that is not ASCII.
    if text.isascii() or (text[-1] == "\u2026" and text[:-1].isascii()):
        return len(text)
    return sum(map(_columns.__getitem__, text))


class _Columns(dict[str, int]):
    """Character -> columns, kept as they are met."""

    def __missing__(self, character: str) -> int:
        if unicodedata.category(character) in ("Mn", "Me", "Cf"):
            columns = 0
        else:
            columns = 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
        self[character] = columns
        return columns


_columns = _Columns()


def pad(text: str, columns: int) -> str:
    """``text`` filled with spaces to ``columns``; longer text is left as it is."""
    return text + " " * (columns - width(text))


@functools.cache
def _hidden_or_space_runs() -> re.Pattern[str]:
    # Made when first needed: a listing never needs it.
    return re.compile(f"[{_HIDDEN}{_SPACES}]+")


def _mark(match: re.Match[str]) -> str:
    return "".join(_label(ord(character)) for character in match[0])


def _mark_prose(match: re.Match[str]) -> str:
    run = match[0]
    if run in _JOINING and match.start() > 0:
        before = match.string[match.start() - 1]
        after = match.string[match.end() : match.end() + 1]
        if run == "\ufe0f" and after == _KEYCAP:
            return run
        if not before.isascii() and (run[-1] in "\ufe0e\ufe0f" or (after and not after.isascii())):
            return run
    return _mark(match)


def _label(point: int) -> str:
    if point < 0x20:
        return chr(0x2400 + point)
    if point == 0x7F:
        return "\u2421"
    if 0xD800 <= point <= 0xDFFF:
        return "\ufffd"
    return f"<U+{point:04X}>"
