# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a file or how a run ended, found again in the one text that is kept of it.

A terminal record has a message, sidecars, caches and the doctor's answers have a reason, and that
is all. For whoever words it in another language the known texts are listed here as templates: one
that fits is taken apart by it.
"""

from __future__ import annotations

import functools
import re
from typing import Final

from tenuto.sentences import Sentence, marked, others_words

#: Facts that are texts of this kind again.
_INNER: Final = frozenset({"reason", "what"})
#: The first that fits is taken, so the longer ones come first.
_KNOWN: Final = (
    # How a run ended.
    marked("token budget ({max_tokens}) exhausted after {count} iterations"),
    marked("iteration budget ({max_iterations}) exhausted"),
    marked("the model refused to answer"),
    marked("model reply truncated at the output token limit; the answer is incomplete"),
    # Where it is.
    marked("line {line} (byte {offset}): {reason}"),
    marked("line {line}, byte {offset}: {reason} (after {index} messages)"),
    marked("byte {offset}: {reason} (after {index} messages)"),
    marked("byte {offset}: {reason}"),
    # A journal's reader and fold.
    marked("not a record: {reason} (byte {at} of the line)"),
    marked("the first record is not meta: {reason}"),
    marked("the first record is {kind}, not meta (seq {seq})"),
    marked("the first record is {kind}, not meta"),
    marked("seq {seq} not increasing after {last}"),
    marked("duplicate meta at seq {seq}"),
    marked("tool result before any assistant turn at seq {seq}"),
    marked("unknown protocol {protocol} at seq {seq}"),
    marked("{kind} record with no payload at seq {seq}"),
    marked("longer than {most} bytes"),
    marked("written in journal version {version}; this program reads versions 1 to {own}"),
    # The doctor.
    marked("{what}; records {first} to {last} cannot be recovered from it"),
    marked("{what}; record {seq} cannot be recovered from it"),
    marked("the last record has no newline: the next record would land on its line"),
    marked("record {seq} is there twice, byte for byte"),
    marked("record {seq} follows record {last}: two writers, or out of order"),
    marked("record {seq} stands on the line of record {last}"),
    marked("an incomplete record of {size} bytes at the end of the file"),
    marked("a byte order mark before the first record"),
    marked("{size} NUL bytes, as a power cut leaves them"),
    marked("{size} bytes of a torn record, with record {seq} glued behind"),
    marked("{size} bytes are no record"),
    # Reasonix sessions.
    marked("the event log cannot be replayed: {reason}"),
    marked("the event log exceeds safe replay limits: {reason}"),
    marked("the log ends in the middle of a record"),
    marked("the file ends in a batch"),
    marked("not a message: {reason}"),
    marked("not a record of a session"),
    marked("an event outside of a batch"),
    marked("an event whose content cannot be decoded: {reason}"),
    marked("the end of a batch that did not begin"),
    marked("the end of another batch"),
    marked("a batch that is not what was written: its checksum differs"),
    marked("a batch without an end"),
    # The parser of JSON.
    marked("unexpected end of JSON input"),
    marked("invalid character {shown} looking for a value"),
    marked("invalid character {shown} looking for a string"),
    marked("invalid character {shown} after the value"),
    marked("invalid character {shown} after a value"),
    marked("invalid character {shown} after an object key"),
    marked("invalid character {shown} after object key:value pair"),
    marked("invalid character {shown} after array element"),
    marked("cannot read {shown} as an object"),
    marked("cannot read {shown} as an integer"),
    marked("cannot read {shown} as an RFC 3339 time"),
    marked("cannot read this value as an array"),
    marked("cannot read this value as true or false"),
    marked("cannot read this value as a string"),
    marked("illegal base64 data"),
    marked("Invalid control character"),
    marked("Unterminated string"),
    marked("Invalid \\escape"),
    marked("Invalid \\uXXXX escape"),
    marked("exceeded max depth"),
    marked("the content of a message is no array"),
    marked("a content block has no type"),
    marked("the content of a tool result is no array"),
)


def said_of(text: str) -> Sentence:
    """``text`` as a sentence with its facts; one that is not known as another program's words."""
    for template, pattern in _patterns():
        if (found := pattern.fullmatch(text)) is not None:
            return Sentence(template, {
                name: said_of(fact) if name in _INNER else fact
                for name, fact in found.groupdict().items()
            })  # fmt: skip
    return others_words(text)


@functools.cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((template, _pattern(template)) for template in _KNOWN)


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    # Every second part is a name.
    made = [
        f"(?P<{part}>.+)" if number % 2 and part in _INNER
        else rf"(?P<{part}>\S+|'.*'|\".*\")" if number % 2
        else re.escape(part)
        for number, part in enumerate(parts)
    ]  # fmt: skip
    return re.compile("".join(made), re.DOTALL)
