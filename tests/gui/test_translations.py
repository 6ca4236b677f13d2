# SPDX-License-Identifier: Apache-2.0
"""Every text of the window has its words in every language there is."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QApplication

from tenuto_gui import i18n

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "make_translations", ROOT / "resources" / "make_translations.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_text_is_untranslated(script: ModuleType) -> None:
    known, translated = set(script.messages()), script.read(script.CHINESE)
    assert sorted(known - set(translated)) == [], "run resources/make_translations.py"
    assert sorted(set(translated) - known) == [], "run resources/make_translations.py"
    assert [message for message, words in translated.items() if not all(words)] == []


def test_all_plurals_have_their_english_forms(script: ModuleType) -> None:
    assert script.read(script.ENGLISH) == script.english(script.messages())


def places(text: str) -> list[tuple[str, str]]:
    """What is filled in; how a text is quoted (``{key!r}``) is each language's own."""
    return sorted(re.findall(r"\{(\w+)(?:![ra])?\}|%L?(n)", text))


def test_translations_fill_in_the_same(script: ModuleType) -> None:
    """Names in braces and %n stand in the translation as in the text."""
    for (context, text), words in script.read(script.CHINESE).items():
        for form in words:
            assert places(form) == places(text), (context, text)


def test_what_is_compiled_is_what_is_written(script: ModuleType, qapp: QApplication) -> None:
    assert i18n.install(qapp, "zh_CN") == "zh_CN"
    try:
        for (context, text), words in script.read(script.CHINESE).items():
            n = 3 if "%n" in text else -1
            found = QCoreApplication.translate(context, text, None, n)
            assert found == words[0].replace("%Ln", "3"), (context, text)
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") != "Cancel", "Qt's own words"
    finally:
        i18n.install(qapp, "en")
    assert QCoreApplication.translate("status", "%n turn(s)", None, 1) == "1 turn"


@pytest.mark.parametrize(("language", "said"), [("en", "10,000 turns"), ("zh_CN", "10,000 轮")])
def test_counted_things_are_grouped_as_numbers_are(
    qapp: QApplication, language: str, said: str
) -> None:
    i18n.install(qapp, language)
    try:
        assert QCoreApplication.translate("status", "%n turn(s)", None, 10_000) == said
    finally:
        i18n.install(qapp, "en")


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("zh_CN", "zh_CN"),
        ("zh_SG", "zh_CN"),
        ("zh_TW", "en"),
        ("zh_HK", "en"),
        ("en_GB", "en"),
        ("de_DE", "en"),
        ("C", "en"),
    ],
)
def test_the_language_of_a_locale(locale: str, language: str) -> None:
    assert i18n.language_of(QLocale(locale)) == language
