# SPDX-License-Identifier: Apache-2.0
"""Warnings and refusals of a worker, in the window's words and in its language."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from tenuto_gui import i18n
from tenuto_gui.refusals import WaysOut, refusal_notice
from tenuto_gui.runs import protocol
from tenuto_gui.runs.warning_words import warning_words

#: What workers say, by kind: text and facts.
SAID: list[tuple[str, str, dict[str, Any], str]] = [
    (
        "retry",
        "529 Overloaded: asked again (attempt 2)",
        {"failure": "529 Overloaded", "attempt": 2},
        "529 Overloaded: asked again (attempt 2)",
    ),
    (
        "retry",
        "no answer: asked again (attempt 3)",
        {"failure": "", "attempt": 3},
        "no answer: asked again (attempt 3)",
    ),
    (
        "provider",
        "the model's side answered 429 Too Many Requests",
        {"failure": "429 Too Many Requests"},
        "The model\u2019s side answered 429 Too Many Requests",
    ),
    (
        "cwd",
        "tools now run in /a, before they ran in /b",
        {"now": "/a", "before": "/b"},
        "Tools now run in /a, before they ran in /b",
    ),
    (
        "upgraded",
        "the journal was rewritten from version 2; the original is kept as r.v2.bak",
        {"version": 2, "backup": "r.v2.bak"},
        "The journal was rewritten from version 2; r.v2.bak is what it was",
    ),
    (
        "outcome_unknown",
        "`x` may have run before the interruption",
        {"decided": "skip"},
        "The call that may have run is skipped, and the model is told so",
    ),
    ("repaired", "an incomplete record was set aside", {}, "What was incomplete at its end was"),
    ("notes", "what this run was made with is not kept: full", {}, "not kept: full"),
]


@pytest.fixture(params=["en", "zh_CN"])
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Any:
    before = QLocale()
    i18n.install(qapp, request.param)
    yield request.param
    i18n.install(qapp, "en")
    QLocale.setDefault(before)


@pytest.mark.parametrize(("kind", "text", "facts", "english"), SAID)
def test_a_warning_is_told_in_the_language_of_the_window(
    language: str, kind: str, text: str, facts: dict[str, Any], english: str
) -> None:
    found = warning_words(protocol.Warning_(kind=kind, text=text, facts=facts))
    if language == "en":
        assert english in found
        return
    assert any("\u4e00" <= letter <= "\u9fff" for letter in found)
    for fact in facts.values():
        assert str(fact) in found or fact in ("", "skip")


def test_what_has_no_words_here_stands_as_it_was_said(language: str) -> None:
    for event in (
        protocol.Warning_(kind="configuration", text="llm.magic is not known"),
        protocol.Warning_(kind="cwd", text="from a worker that gives no facts"),
        protocol.Warning_(kind="of-later", text="something new", facts={"x": 1}),
    ):
        assert warning_words(event) == event.text


@pytest.mark.parametrize(
    ("reason", "diff"),
    [
        ("completed", None),
        ("provider", [{"field": "provider", "saved": "a", "current": "b", "changed": True}]),
        ("mode", [{"field": "provider", "saved": "a", "current": "a", "changed": False}]),
        ("outcome_unknown", []),
    ],
)
def test_a_refusal_is_told_in_the_language_of_the_window(
    language: str, reason: str, diff: list[dict[str, Any]] | None
) -> None:
    ways = WaysOut(*[lambda: None] * 7)
    message = "English words of the worker"
    found = refusal_notice(protocol.Refused(reason=reason, message=message, diff=diff), ways)
    assert message not in found.text
    chinese = any("\u4e00" <= letter <= "\u9fff" for letter in found.text)
    assert chinese == (language == "zh_CN")
    if reason == "provider":
        assert "a \u2192 b" in found.text
