# SPDX-License-Identifier: Apache-2.0
"""Text documents of blocks: plain, safe, and only as many as are looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QFont,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)

#: About ten are on screen; the rest makes scrolling back and forth free of layout work.
CAPACITY = 400


class SafeDocument(QTextDocument):
    """A document that loads nothing: a transcript names files and hosts, and never gets them."""

    #: Hash and length of the text it was made of.
    content: tuple[int, int] = (0, 0)

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        """Answer every request with nothing (QTextDocument reads local files by itself)."""
        return None


def plain_document(text: str, font: QFont, width: int, spacing: int = 100) -> SafeDocument:
    """A document of sanitised plain text, wrapped at ``width`` pixels; ``spacing`` in percent."""
    document = SafeDocument()
    document.setUndoRedoEnabled(False)
    document.setDocumentMargin(0)
    document.setDefaultFont(font)
    option = QTextOption()
    # Words where there are any; the text has no line long enough for this mode's quadratic cost.
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
    document.setPlainText(text)
    if spacing != 100:
        lines = QTextBlockFormat()
        kind = QTextBlockFormat.LineHeightTypes.ProportionalHeight
        lines.setLineHeight(spacing, kind.value)
        cursor = QTextCursor(document)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(lines)
    document.setTextWidth(width)
    return document


class DocumentCache:
    """The most recently used documents, by whatever their content depends on."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._documents: OrderedDict[Hashable, SafeDocument] = OrderedDict()

    def __len__(self) -> int:
        return len(self._documents)

    def get(self, key: Hashable) -> SafeDocument | None:
        """The document under this key, now the most recently used one."""
        document = self._documents.get(key)
        if document is not None:
            self._documents.move_to_end(key)
        return document

    def put(self, key: Hashable, document: SafeDocument) -> None:
        """Keep a document; the least recently used one beyond the capacity goes."""
        self._documents[key] = document
        self._documents.move_to_end(key)
        while len(self._documents) > self._capacity:
            self._documents.popitem(last=False)

    def clear(self) -> None:
        """Forget all: the theme, the font or the session changed."""
        self._documents.clear()
