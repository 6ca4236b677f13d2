# SPDX-License-Identifier: Apache-2.0
"""Words of the window in the operator's language, plural forms included.

``translate`` has the name and argument order that ``pyside6-lupdate`` looks for.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from tenuto_gui import resources

#: The languages there are words for; English is what all others get.
LANGUAGES = ("en", "zh_CN")
_TRANSLATIONS = QLibraryInfo.LibraryPath.TranslationsPath
_NAME = "tenutoWords"
_QT_NAME = "tenutoQtWords"


def translate(context: str, text: str, note: str | None = None, n: int = -1) -> str:
    """``text`` in the language in force; ``%n`` is ``n``, in the plural form that goes with it."""
    return QCoreApplication.translate(context, text, note, n)


def of_core(template: str) -> str:
    """A template of `tenuto.sentences` in the language in force."""
    return QCoreApplication.translate("core", template)


def enumerated(items: Iterable[str]) -> str:
    """Several names or short facts in one line, as the language sets them apart."""
    return translate("lists", ", ").join(items)


def in_turn(*sentences: str) -> str:
    """Whole sentences one after the other; empty ones are left out."""
    whole = ""
    for each in filter(None, sentences):
        between = translate("lists", "{first} {then}")
        whole = between.format(first=whole, then=each) if whole else each
    return whole


def stopped(first: str, then: str) -> str:
    """Two sentences of which the first has no full stop yet; the second may be empty."""
    if not then:
        return first
    return translate("lists", "{first}. {then}").format(first=first, then=then)


def language_of(locale: QLocale) -> str:
    """The first of the languages that a locale asks for of which there are words."""
    traditional = False
    for name in locale.uiLanguages():
        parts = name.replace("_", "-").split("-")
        if parts[0] == "en":
            return "en"
        if parts[0] == "zh":
            # Traditional characters are another script: no words rather than those. Qt names the
            # bare language after them.
            traditional = traditional or bool({"Hant", "TW", "HK", "MO"} & set(parts))
            if not traditional:
                return "zh_CN"
    return "en"


def install(app: QCoreApplication, choice: str = "system") -> str:
    """Put the words of ``choice`` in force (``system``: of the system's language); which it is.

    Numbers and dates follow: those of the system where its language is the one that is shown.
    English has a file too: it holds the plural forms.
    """
    system = QLocale.system()
    language = language_of(system) if choice == "system" else choice
    same = language == language_of(system)
    chosen = system if same else QLocale(language)
    if chosen.language() == QLocale.Language.C:
        # Without a language the system groups no digits; the window's own numbers are.
        chosen.setNumberOptions(QLocale.NumberOption.DefaultNumberOptions)
    QLocale.setDefault(chosen)
    for name in (_NAME, _QT_NAME):
        known = app.findChild(QTranslator, name)
        if known is not None:
            app.removeTranslator(known)
            # Not later: by then a second one may have its name.
            known.setObjectName("")
            known.deleteLater()
    if language != "en":
        qt = QTranslator(app)
        qt.setObjectName(_QT_NAME)
        if qt.load(f"qtbase_{language}", QLibraryInfo.path(_TRANSLATIONS)):
            app.installTranslator(qt)
    own = QTranslator(app)
    own.setObjectName(_NAME)
    own.load(f"tenuto_{language}", resources.path_of("i18n"))
    app.installTranslator(own)
    return language
