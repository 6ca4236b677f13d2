# SPDX-License-Identifier: Apache-2.0
"""What the core says is a sentence with facts, so that the window can say it in its language."""

from __future__ import annotations

import ast
import json
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import tenuto
from tenuto import errors
from tenuto.errors import StoreIO, TenutoError
from tenuto.sentences import NOTHING, Sentence, all_of, others_words, parts_of, sentence

CORE = Path(tenuto.__file__).parent
#: What is no news for the window: mistakes on a command line, and what the model is told.
ELSEWHERE = ("UsageError", "ToolInputError")
KINDS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, TenutoError)
}


def calls() -> Iterator[tuple[Path, ast.Call]]:
    for file in sorted(CORE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield file, node


def name_of(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def names_in(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_every_template_is_given_its_facts() -> None:
    found = 0
    for file, call in calls():
        if name_of(call) != "sentence" or file.name == "sentences.py":
            continue
        place = f"{file.name}:{call.lineno}"
        template = call.args[0]
        assert isinstance(template, ast.Constant), place
        assert isinstance(template.value, str), place
        given = {keyword.arg for keyword in call.keywords}
        if None not in given:  # a dictionary: made just there
            assert given == names_in(template.value), place
        found += 1
    assert found > 200


def test_no_error_is_raised_with_words_that_cannot_be_translated() -> None:
    bare = []
    for file, call in calls():
        name = name_of(call)
        if name not in KINDS or name in ELSEWHERE or not call.args:
            continue
        if isinstance(call.args[0], ast.Constant | ast.JoinedStr | ast.BinOp):
            bare.append(f"{file.name}:{call.lineno} {name}")
    assert bare == []


def test_the_english_is_the_template_with_its_facts() -> None:
    inner = sentence("disk full at {mount}", mount="/mnt")
    outer = sentence("cannot write {path}: {reason} ({n} of {all})", path="/x", reason=inner, n=1,
                     all=["a", "b"])  # fmt: skip
    assert str(outer) == "cannot write /x: disk full at /mnt (1 of a, b)"
    assert inner == sentence("disk full at {mount}", mount="/mnt")
    assert outer != inner


def test_parts_are_json_and_hold_whole_clauses() -> None:
    whole = sentence("{what}; {more}", what=sentence("a {b!r}", b="x"), more=Path("/tmp/y"))
    assert json.loads(json.dumps(whole.parts())) == {
        "sentence": "{what}; {more}",
        "facts": {"what": {"sentence": "a {b!r}", "facts": {"b": "x"}}, "more": "/tmp/y"},
    }
    assert parts_of("words of somebody else") == {}


def test_several_are_one() -> None:
    assert all_of([]) is None
    assert not NOTHING
    assert str(all_of([sentence("a"), sentence("b"), sentence("c")])) == "a; b; c"


def test_facts_that_look_like_templates_are_left_alone() -> None:
    path = "/tmp/{path}{0}%n"
    assert str(sentence("there is no file {path}", path=path)) == f"there is no file {path}"


def test_an_error_tells_what_it_is_made_of_and_goes_on() -> None:
    error = StoreIO(sentence("cannot open {path}", path="/x"), path="/x")
    error.add(sentence("try {n} times", n=2))
    assert error.message == "cannot open /x; try 2 times"
    told = error.told()
    assert (told["error"], told["message"]) == ("io", error.message)
    assert told["facts"]["more"] == {"sentence": "try {n} times", "facts": {"n": 2}}


@pytest.mark.parametrize("text", ["", "of a library: {x}"])
def test_words_of_others_are_marked_as_such(text: str) -> None:
    error = StoreIO(text)
    assert error.message == text
    assert "sentence" not in error.told()
    assert isinstance(error.sentence, Sentence)
    assert error.sentence == others_words(text)
