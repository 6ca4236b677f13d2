# SPDX-License-Identifier: Apache-2.0
"""Sentences of the core in the window's language: every one that there is, whole and filled in."""

from __future__ import annotations

import ast
import json
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

import tenuto
from tenuto.agent.resolve import PROVIDERS
from tenuto.errors import StoreIO
from tenuto.sentences import Sentence, others_words, sentence
from tenuto.sources.base import Capability
from tenuto_gui import i18n, skipped
from tenuto_gui.core_words import damage_words, error_words, in_parts, told_words, words
from tenuto_gui.reasons import reason_words
from tests.gui.test_translations import script

__all__ = ["script"]

CORE = Path(tenuto.__file__).parent


def calls(*names: str) -> Iterator[ast.Call]:
    """Calls in core of functions of these names."""
    for file in sorted(CORE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in names:
                yield node


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    i18n.install(qapp, "zh_CN")
    yield
    i18n.install(qapp, "en")
    QLocale.setDefault(before)


def templates(script: Any) -> list[str]:
    return [text for context, text in script.messages() if context == "core"]


def facts_of(template: str) -> dict[str, str]:
    names = [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    return {name: f"fact{number}" for number, name in enumerate(dict.fromkeys(names))}


#: Nothing but facts and signs: its words are in what is filled in.
def is_frame(template: str) -> bool:
    return not any(letter.isalpha() for letter in template.format_map(_Nothing()))


class _Nothing(dict[str, str]):
    def __missing__(self, _name: str) -> str:
        return ""


def test_every_sentence_is_told_in_chinese_with_all_its_facts(chinese: None, script: Any) -> None:
    found = templates(script)
    assert len(found) > 300
    for template in found:
        facts = facts_of(template)
        text = words(Sentence(template, facts))
        assert is_frame(template) or is_chinese(text), template
        for fact in facts.values():
            assert fact in text, template
        assert "{" not in text, template


def test_in_english_every_sentence_is_what_the_core_says(qapp: QApplication, script: Any) -> None:
    i18n.install(qapp, "en")
    for template in templates(script):
        said = Sentence(template, facts_of(template))
        assert words(said) == str(said)


def test_a_command_s_answer_is_told_from_its_parts(chinese: None) -> None:
    why = sentence("disk full at {mount}, {free} bytes free", mount="/m", free=0)
    what = sentence("cannot write {path}: {reason} ({name})", path="/m/x", reason=why, name="N")
    answer = json.loads(json.dumps(StoreIO(what, path="/m/x").told()))
    assert told_words(answer) == "无法写入 /m/x：/m 上的磁盘已满，剩余 0 字节（N）"
    assert told_words({"message": "of an older command"}) == "of an older command"
    assert told_words({}) == ""


@pytest.mark.parametrize(
    ("template", "facts"),
    [
        ("of a later version {x}", {"x": 1}),
        ("no run {id} in {path}", {"id": "facts are lacking"}),
        ("no run {id} in {path}", ["no", "facts"]),
        (None, {}),
    ],
)
def test_what_makes_no_sentence_is_left_as_it_came(
    chinese: None, template: Any, facts: Any
) -> None:
    assert in_parts(template, facts) == ""


def test_lists_and_names_are_set_apart_as_the_language_does(chinese: None) -> None:
    said = sentence(
        "the provider {provider!r} is not one that Tenuto has ({known})",
        provider="magic",
        known=PROVIDERS,
    )
    assert words(said) == "Tenuto 没有提供方“magic”（有：anthropic、openai、scripted）"
    assert words(json.loads('"of another program"')) == "of another program"


@pytest.mark.parametrize(
    ("language", "turn", "stop"),
    [("en", "One. Two.", "One. Two."), ("zh_CN", "One.Two.", "One\u3002Two.")],
)
def test_sentences_follow_each_other_as_in_the_language(
    qapp: QApplication, language: str, turn: str, stop: str
) -> None:
    before = QLocale()
    i18n.install(qapp, language)
    try:
        assert i18n.in_turn("One.", "", "Two.") == turn
        assert i18n.in_turn("", "") == ""
        assert i18n.stopped("One", "Two.") == stop
        assert i18n.stopped("One", "") == "One"
    finally:
        i18n.install(qapp, "en")
        QLocale.setDefault(before)


def test_words_of_others_are_marked_as_theirs(chinese: None) -> None:
    assert words(others_words("Connection reset")) == "原文“Connection reset”"
    assert error_words(OSError(5, "Input/output error")) == "输入/输出错误"
    assert error_words(OSError(99999, "Odd thing")) == "原文“Odd thing”"
    assert error_words(ValueError("odd value")) == "原文“odd value”"
    assert damage_words("of a later reader") == "原文“of a later reader”"


def test_every_reason_why_a_verb_is_off_has_words(chinese: None) -> None:
    codes = {
        call.args[0].value
        for call in calls("_no")
        if call.args and isinstance(call.args[0], ast.Constant)
    }
    assert {"running", "leased", "read_only", "foreign", "damaged"} <= codes
    for code in codes:
        who = sentence("process {pid}", pid=5)
        said = sentence("it is open in {who}", who=who)
        assert is_chinese(reason_words(Capability(False, str(code), said))), code


def test_every_reason_why_an_entry_is_no_row_has_words(chinese: None) -> None:
    found = set()
    for call in calls("Skipped", "_skip"):
        for part in ast.walk(call.args[1]) if len(call.args) > 1 else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                found.add(part.value.removesuffix(": "))
    for call in calls("marked"):
        # What a file is instead (`runs.files.what_is`).
        if isinstance(call.args[0], ast.Constant) and call.args[0].value in (
            "symlink", "folder", "FIFO", "socket", "device", "special file", "file of another owner"
        ):  # fmt: skip
            found.add(str(call.args[0].value))
    assert {"not a valid run id", "symlink", "a session without events"} <= found
    for reason in found:
        assert is_chinese(skipped.reason(reason)), reason
