# SPDX-License-Identifier: Apache-2.0
"""Every text that is kept of damage and of an end is found again as a sentence with facts."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tenuto.agent.budget import Budget
from tenuto.agent.loop import CUT_REPLY, REFUSAL
from tenuto.runs import rescue
from tenuto.runs.reader import scan
from tenuto.sentences import Sentence, others_words
from tenuto.sources.known_texts import said_of

FORM = b'{"seq":%d,"protocol":"io.choria.fisk-ai.v1.session.%s",%s}\n'
FINGERPRINT = (
    b'{"provider":"anthropic","model":"m","system_hash":"","tools_hash":"","thinking_mode":"off",'
    b'"max_tokens":1,"max_iterations":1}'
)
META = FORM % (1, b"meta", b'"meta":{"run_id":"r","version":3,"fingerprint":' + FINGERPRINT + b"}")
USER = FORM % (2, b"user", b'"user":{"message":{"role":"user","content":[]}}')
RESULT = FORM % (2, b"tool_result", b'"tool_result":{"tool_use_id":"a","content":"x"}')


def end(seq: int) -> bytes:
    return FORM % (seq, b"terminal", b'"terminal":{"reason":"suspended"}')


#: What is wrong with a journal.
JOURNALS = {
    "no JSON": META + b"{nonsense\n" + end(3),
    "cut off": META + b'{"seq":2,"term\n' + end(3),
    "backwards": META + end(3) + end(2),
    "twice": META + end(2) + end(2) + end(3),
    "a second meta": META + META.replace(b'"seq":1', b'"seq":2'),
    "result first": META + RESULT,
    "no meta": USER + end(3),
    "nothing in it": META + FORM % (2, b"user", b'"x":1') + end(3),
    "newer": META.replace(b'"version":3', b'"version":9') + end(2),
    "NUL": META + b"\0" * 64 + b"\n" + end(3),
    "NUL, nothing lost": META + b"\0" * 64 + b"\n" + end(2),
    "torn": META + b'{"seq":2,"ter',
    "no newline": META + (end(2)).rstrip(b"\n"),
    "glued": META + (end(2)).rstrip(b"\n") + end(3),
    "glued behind a torn one": META + b'{"seq":2,"ter' + end(2),
    "many lost": META + b"garbage\n" + end(9),
    "mark": b"\xef\xbb\xbf" + META + end(2),
}


def inner(said: Sentence) -> Iterator[Sentence]:
    yield said
    for fact in said.facts.values():
        if isinstance(fact, Sentence):
            yield from inner(fact)


def is_own(said: Sentence) -> bool:
    return said.template != others_words("").template


@pytest.mark.parametrize("journal", JOURNALS.values(), ids=JOURNALS)
def test_what_is_said_of_a_journal_is_known(journal: bytes) -> None:
    found = scan(journal)
    texts = [each.reason for each in found.damage]
    texts += [found.error.message] if found.error is not None else []
    texts += [finding.message for finding in rescue.plan(journal).findings]
    assert texts or found.tail is not None
    for text in texts:
        said = said_of(text)
        assert all(is_own(each) for each in inner(said)), text
        assert str(said) == text


def test_what_is_said_in_it_is_known_too() -> None:
    found = scan(JOURNALS["no JSON"])
    assert found.error is not None
    said = list(inner(said_of(found.error.message)))
    assert [each.template for each in said] == [
        "line {line} (byte {offset}): {reason}",
        "not a record: {reason} (byte {at} of the line)",
        "invalid character {shown} looking for a string",
    ]
    assert (said[0].facts["line"], said[-1].facts["shown"]) == ("2", "'n'")


@pytest.mark.parametrize(
    "text", ["", "of a program that is not known: x", "byte 12 and no more", "line x (byte y): z"]
)
def test_other_texts_are_other_programs_words(text: str) -> None:
    assert str(said_of(text)) == text


def test_how_a_run_ended_is_known() -> None:
    budget = Budget(max_tokens=500, max_iterations=3)
    budget.iteration = 2
    texts = [budget.tokens_message(), budget.iterations_message(), CUT_REPLY, REFUSAL]
    for text in texts:
        assert is_own(said_of(text)), text
        assert str(said_of(text)) == text


def test_facts_are_taken_out() -> None:
    said = said_of("10 bytes are no record; records 3 to 5 cannot be recovered from it")
    assert said.facts["first"] == "3"
    assert said.facts["what"] == Sentence("{size} bytes are no record", {"size": "10"})
    assert json.dumps(said.parts())
