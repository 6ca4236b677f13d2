# SPDX-License-Identifier: Apache-2.0
"""Words of the window in the operator's language, plural forms included.

``translate`` has the name and argument order that ``pyside6-lupdate`` looks for.
"""

from __future__ import annotations

from importlib.resources import as_file, files

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

_NAME = "tenutoWords"


def translate(context: str, text: str, note: str | None = None, n: int = -1) -> str:
    """``text`` in the language in force; ``%n`` is ``n``, in the plural form that goes with it."""
    return QCoreApplication.translate(context, text, note, n)


def install(app: QCoreApplication, language: QLocale | None = None) -> QTranslator:
    """Load the words for the system's language, once; English where there are none.

    English needs a file too: it holds the plural forms.
    """
    known = app.findChild(QTranslator, _NAME)
    if known is not None:
        return known
    translator = QTranslator(app)
    with as_file(files("tenuto_resources").joinpath("i18n")) as folder:
        if not translator.load(language or QLocale(), "tenuto", "_", str(folder)):
            translator.load("tenuto_en", str(folder))
    translator.setObjectName(_NAME)
    app.installTranslator(translator)
    return translator
