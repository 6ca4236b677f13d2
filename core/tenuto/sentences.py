# SPDX-License-Identifier: Apache-2.0
"""What the core says, as an English sentence and the facts in it.

A terminal shows the English; the window looks the sentence up in its translations, as it does with
texts of its own, and fills in the same facts. So nobody takes a finished text apart, and a sentence
without a translation is found by reading the code (``resources/make_translations.py``).
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

#: ``str``, ``int``, ``float``, ``bool``, another sentence, or a sequence of texts.
Fact = Any


class Sentence:
    """``template`` with its facts filled in. ``str()`` is the English, without a full stop."""

    __slots__ = ("facts", "template")

    def __init__(self, template: str, facts: Mapping[str, Fact]) -> None:
        self.template = template
        self.facts = dict(facts)

    def __str__(self) -> str:
        return self.template.format_map({name: _english(fact) for name, fact in self.facts.items()})

    def __bool__(self) -> bool:
        return bool(self.template)

    def __repr__(self) -> str:
        return f"sentence({self.template!r}, {self.facts!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return (self.template, self.facts) == (other.template, other.facts)

    def __hash__(self) -> int:
        return hash(self.template)

    def parts(self) -> dict[str, Any]:
        """What stands beside the English text in JSON: ``sentence`` and ``facts``.

        A fact that is a sentence is an object of the same form.
        """
        facts = {name: _plain(fact) for name, fact in self.facts.items()}
        return {"sentence": self.template, "facts": facts}


def sentence(template: str, /, **facts: Fact) -> Sentence:
    """A sentence. ``template``: a literal, with the name of a fact in braces where it goes.

    Two halves that belong together are one template; a fact that is a sentence is a whole clause.
    """
    return Sentence(template, facts)


#: Nothing is said: what was said before does not hold any more.
NOTHING = Sentence("", {})


def all_of(said: Iterable[Sentence]) -> Sentence | None:
    """Several as one; None for none."""
    whole: Sentence | None = None
    for each in said:
        whole = each if whole is None else sentence("{what}; {more}", what=whole, more=each)
    return whole


def marked(template: str, /) -> str:
    """A template that stands where no facts are: marks it for the translations."""
    return template


def others_words(text: str) -> Sentence:
    """What another program, a library or the system said, marked as that where it is shown."""
    return sentence("{others_words}", others_words=text)


def reason_of(error: Exception) -> Sentence:
    """Why something failed that the system or a library was asked for."""
    return system_said(error) if isinstance(error, OSError) else others_words(str(error))


#: What systems say often, by their names for it and as they word it.
_SYSTEM: Final = {
    errno.ENOENT: marked("No such file or directory"),
    errno.ENOTDIR: marked("Not a directory"),
    errno.EISDIR: marked("Is a directory"),
    errno.EACCES: marked("Permission denied"),
    errno.EPERM: marked("Operation not permitted"),
    errno.ENOSPC: marked("No space left on device"),
    errno.EROFS: marked("Read-only file system"),
    errno.EMFILE: marked("Too many open files"),
    errno.ENAMETOOLONG: marked("File name too long"),
    errno.ELOOP: marked("Too many levels of symbolic links"),
    errno.EIO: marked("Input/output error"),
}


def system_said(error: OSError) -> Sentence:
    """The system's reason; marked as its own words where there are none of ours."""
    text = error.strerror or str(error)
    known = _SYSTEM.get(error.errno or 0)
    return Sentence(text, {}) if text == known else others_words(text)


def parts_of(text: str | Sentence) -> dict[str, Any]:
    """As `Sentence.parts`; nothing for a text that somebody else wrote."""
    return text.parts() if isinstance(text, Sentence) else {}


def _english(fact: Fact) -> Fact:
    if isinstance(fact, Sentence):
        return str(fact)
    if isinstance(fact, Sequence) and not isinstance(fact, str | bytes):
        return ", ".join(str(item) for item in fact)
    return fact


def _plain(fact: Fact) -> Fact:
    if isinstance(fact, Sentence):
        return fact.parts()
    if isinstance(fact, str | int | float | None):
        return fact
    if isinstance(fact, Sequence):
        return [str(item) for item in fact]
    return str(fact)
