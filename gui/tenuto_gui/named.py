# SPDX-License-Identifier: Apache-2.0
"""Sentences in which a tool, a path or an id stands, and labels that set those in mono."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLabel, QWidget

from tenuto_gui.plain import escape

#: First and last character of what is set in mono, counted from 0; the last one is not in it.
Span = tuple[int, int]
#: look.md, "Type": mono is a point smaller than the words around it.
_SMALLER = 1.0


class Named(str):
    """A sentence that knows where its names are; a plain string for whoever does not ask."""

    __slots__ = ("spans",)
    spans: tuple[Span, ...]

    def __new__(cls, text: str, spans: Iterable[Span] = ()) -> Self:
        made = super().__new__(cls, text)
        made.spans = tuple(span for span in spans if span[0] < span[1])
        return made


def name(text: str) -> Named:
    """A name that stands by itself."""
    return Named(text, [(0, len(text))])


def name_in(template: str, field: str, text: str, **others: object) -> Named:
    """``template`` with a name for ``{field}``, and with ``others`` for its other fields."""
    before, found, after = template.partition("{" + field + "}")
    before, after = before.format(**others), after.format(**others)
    return joined([before, name(text) if found else "", after], "")


def joined(parts: Iterable[str], between: str = " ") -> Named:
    """Sentences one after the other, their names still known; empty ones are left out."""
    text = ""
    spans: list[Span] = []
    for part in parts:
        if not part:
            continue
        text += between if text else ""
        spans += [(len(text) + first, len(text) + last) for first, last in spans_of(part)]
        text += part
    return Named(text, spans)


def spans_of(text: str) -> tuple[Span, ...]:
    """Where the names are, none in a plain string."""
    return text.spans if isinstance(text, Named) else ()


class NamedLabel(QLabel):
    """A label that never takes its text for HTML, with the names in it in mono."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words: str = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show a plain string letter for letter, a `Named` one with its names set off."""
        self._words = text
        self._draw()

    def text(self) -> str:
        """The words, without what sets them."""
        return self._words

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and spans_of(self._words):
            self._draw()

    def _draw(self) -> None:
        spans = spans_of(self._words)
        self.setTextFormat(Qt.TextFormat.RichText if spans else Qt.TextFormat.PlainText)
        super().setText(self._html(spans) if spans else str(self._words))

    def _html(self, spans: tuple[Span, ...]) -> str:
        family = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
        size = max(6.0, self.font().pointSizeF() - _SMALLER)
        style = f"font-family:'{escape(family)}'; font-size:{size:g}pt"
        html, at = "", 0
        for first, last in spans:
            html += escape(self._words[at:first])
            html += f'<span style="{style}">{escape(self._words[first:last])}</span>'
            at = last
        html += escape(self._words[at:])
        return f'<p style="white-space:pre-wrap; margin:0">{html}</p>'
