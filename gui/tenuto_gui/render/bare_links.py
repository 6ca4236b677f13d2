# SPDX-License-Identifier: Apache-2.0
"""Addresses in running text that nobody marked as links: http and https only. Qt-free.

An address is what is shown, letter for letter: ASCII only, so that no letter can pass for another,
and so that it ends where Chinese or Arabic words go on without a space.
"""

from __future__ import annotations

import re
import unicodedata
from html import escape, unescape

from tenuto_gui.render.links import may_open
from tenuto_gui.render.text import MAX_LINE

_address = re.compile(
    r"(?<![A-Za-z0-9+.@/-])https?://"
    r"(?:\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::[0-9]{1,5})?"
    r"(?P<rest>[/?#][A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%|{}^-]*)?",
    re.IGNORECASE,
)
#: What makes of a host a name to log in with, and of what follows it the host.
_login = re.compile(r"[^\s/?#\u0080-\U0010ffff]{0,256}@")
_CLOSING = {")": "(", "]": "[", "}": "{"}
_tag = re.compile("</?([a-z][a-z0-9]{0,10})(?: [^<>]{0,4000})?>")
_NO_LINKS = frozenset(("a", "code", "pre"))


def find(text: str, *, cut: bool = False) -> list[tuple[int, int]]:
    """Where addresses are in a text that is shown. ``cut``: it may end inside of one."""
    if "://" not in text:
        return []
    found = []
    for match in _address.finditer(text):
        start, end = match.span()
        following = text[end : end + 1]
        if end - start > 2 * MAX_LINE:
            continue
        if not match["rest"] and (_goes_on(following) or _login.match(text, end)):
            continue
        if (cut and end == len(text)) or _is_broken(text, start, end):
            continue
        end = _trimmed(text, start, end)
        if end - start <= MAX_LINE and may_open(text[start:end]):
            found.append((start, end))
    return found


def _goes_on(character: str) -> bool:
    """Whether a letter behind a host makes it another host: not so for scripts without spaces."""
    return (
        bool(character)
        and not character.isascii()
        and character.isalnum()
        and unicodedata.east_asian_width(character) not in "WF"
    )


def _is_broken(text: str, start: int, end: int) -> bool:
    """Whether it runs into the place where a word without an end is broken for display."""
    begin = max(text.rfind(blank, 0, start) for blank in " \t\n") + 1
    return end - begin >= MAX_LINE


def _trimmed(text: str, start: int, end: int) -> int:
    """Without the marks that end a sentence, and without a bracket that was opened before."""
    while end > start:
        last = text[end - 1]
        if last in ".,;:!?'*_~|":
            end -= 1
        elif last in _CLOSING:
            inside = text[start:end]
            if inside.count(last) <= inside.count(_CLOSING[last]):
                break
            end -= 1
        else:
            break
    return end


def linked(html: str) -> str:
    """HTML of ``tenuto.render.markdown`` with the addresses of its words as links."""
    if "://" not in html:
        return html
    written: list[str] = []
    #: Tags that are open and in which nothing is a link.
    inside = place = 0
    for tag in _tag.finditer(html):
        between = html[place : tag.start()]
        written.append(between if inside else _words(between))
        if tag[1] in _NO_LINKS:
            inside += -1 if tag[0][1] == "/" else 1
        written.append(tag[0])
        place = tag.end()
    written.append(_words(html[place:]))
    return "".join(written)


def _words(html: str) -> str:
    if "://" not in html:
        return html
    text = unescape(html)
    written: list[str] = []
    place = 0
    for start, end in find(text):
        address = escape(text[start:end])
        written += [escape(text[place:start]), f'<a href="{address}">{address}</a>']
        place = end
    return "".join([*written, escape(text[place:])]) if place else html
