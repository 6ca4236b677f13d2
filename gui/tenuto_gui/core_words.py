# SPDX-License-Identifier: Apache-2.0
"""What the core says, in the language of the window.

A sentence of the core comes as an object, or from a command as JSON: the English text, and beside
it ``sentence`` (the template) and ``facts``. The template is looked up as a text of ours is. In
English, and where a command is of another version, what is shown is the text as it came.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tenuto.errors import TenutoError
from tenuto.sentences import Sentence, others_words, reason_of
from tenuto_gui.i18n import enumerated, of_core


def words(said: str | Sentence) -> str:
    """A sentence; a text that is another program's stays as it is."""
    if not isinstance(said, Sentence):
        return said
    return _filled(said.template, said.facts) or str(said)


def damage_words(reason: str) -> str:
    """What a reader or the doctor said of a file."""
    from tenuto.sources.known_texts import said_of

    return words(said_of(reason))


def kept_words(text: str) -> str:
    """What a record says of how a run ended; as it stands where that is another program's."""
    from tenuto.sources.known_texts import said_of

    said = said_of(text)
    return text if said == others_words(text) else words(said)


def error_words(error: BaseException) -> str:
    """Why something failed in this process."""
    if isinstance(error, TenutoError):
        return words(error.sentence)
    return words(reason_of(error) if isinstance(error, Exception) else others_words(str(error)))


def told_words(answer: Mapping[str, Any], text: str = "message") -> str:
    """What an answer of a command says under the key ``text``; "" for nothing."""
    english = str(answer.get(text) or "")
    return english and (in_parts(answer.get("sentence"), answer.get("facts")) or english)


def in_parts(template: object, facts: object) -> str:
    """A sentence from its parts in JSON; "" where the window has no other words for it."""
    if not isinstance(template, str) or not isinstance(facts, Mapping):
        return ""
    return _filled(template, facts)


def reason_in(facts: Mapping[str, Any]) -> str:
    """The clause in a sentence that says why (``what`` or ``reason``); "" for none."""
    for name in ("what", "reason"):
        if name in facts:
            return str(_fact(facts[name]))
    return ""


def _filled(template: str, facts: Mapping[str, Any]) -> str:
    """The translation with its facts; "" where there is none."""
    found = of_core(template)
    if not template or found == template:
        return ""
    try:
        return found.format_map({name: _fact(value) for name, value in facts.items()})
    except (LookupError, ValueError, AttributeError):
        # Facts of another version.
        return ""


def _fact(value: Any) -> Any:
    match value:
        case Sentence():
            return words(value)
        case {"sentence": str(template), "facts": dict(facts)}:
            return _filled(template, facts) or _english(template, facts)
        case str():
            return value
        case Sequence():
            return enumerated([str(item) for item in value])
    return value


def _english(template: str, facts: Mapping[str, Any]) -> str:
    try:
        return str(Sentence(template, {name: _fact(value) for name, value in facts.items()}))
    except (LookupError, ValueError, AttributeError):
        return template
