# SPDX-License-Identifier: Apache-2.0
"""Text documents of pieces: plain, coloured, prose, tables. Safe, and in the theme's tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLayout,
    QTextOption,
)

from tenuto.render.markdown import Table
from tenuto_gui.fonts import Role
from tenuto_gui.render.spans import Span
from tenuto_gui.render.text import units
from tenuto_gui.theme import Theme

#: Percent of a font's own line height: prose is read, output is compared.
PROSE_SPACING = 115

_heading = re.compile("<(/?)h([1-6])>")
_line_end = re.compile(r"\n(?=</?(?:p|li|ul|ol|blockquote|pre|hr|table|thead|tbody|tr)[ >]|$)")
_HEADING_ROLES: tuple[Role, ...] = ("h1", "h2", "h3", "demi", "demi", "demi")


class SafeDocument(QTextDocument):
    """A document that loads nothing: a transcript names files and hosts, and never gets them."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        """Answer every request with nothing (QTextDocument reads local files by itself)."""
        return None


def _empty(font: QFont) -> SafeDocument:
    document = SafeDocument()
    document.setUndoRedoEnabled(False)
    document.setDocumentMargin(0)
    document.setDefaultFont(font)
    option = QTextOption()
    # Words where there are any; the text has no line long enough for this mode's quadratic cost.
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
    # A layout that is made later would drop the colours of the text.
    document.documentLayout()
    return document


def plain_document(text: str, font: QFont, spacing: int = 100) -> SafeDocument:
    """A document of sanitised plain text; ``spacing`` in percent of a line."""
    document = _empty(font)
    document.setPlainText(text)
    if spacing != 100:
        lines = QTextBlockFormat()
        kind = QTextBlockFormat.LineHeightTypes.ProportionalHeight
        lines.setLineHeight(spacing, kind.value)
        cursor = QTextCursor(document)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(lines)
    return document


class Writer:
    """Makes documents in one theme's colours and fonts."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._formats: dict[tuple[str, str, bool, bool], QTextCharFormat] = {}
        self._sheet = self._style_sheet()

    # --- plain and coloured ----------------------------------------------------------------------

    def plain(self, text: str, role: Role, spans: Sequence[Span] = ()) -> SafeDocument:
        """Plain text in a role's font, coloured where there are spans."""
        output = role == "mono_small"
        spacing = 100 if output else PROSE_SPACING
        document = plain_document(text, self._theme.fonts.font(role), spacing)
        if output:
            # From the left, whatever its first letter is: lines below each other are compared.
            option = document.defaultTextOption()
            option.setTextDirection(Qt.LayoutDirection.LeftToRight)
            document.setDefaultTextOption(option)
        if spans:
            self.colour(document, text, spans)
        return document

    def colour(self, document: SafeDocument, text: str, spans: Sequence[Span]) -> None:
        """Draw stretches of a document's text in the colours of tokens."""
        table = units(text)
        block = document.begin()
        ranges: list[QTextLayout.FormatRange] = []
        for span in spans:
            start, end = span.start, span.end
            if table is not None:
                start, end = table[start], table[end]
            while block.isValid() and start >= block.position() + block.length():
                self._set(block, ranges)
                ranges = []
                block = block.next()
            if span.line and span.ground:
                self._fill_lines(document, start, end, span.ground)
            here = block
            while here.isValid() and here.position() < end:
                if here != block:
                    self._set(block, ranges)
                    ranges, block = [], here
                ranges.append(self._range(here, start, end, span))
                here = here.next()
        if block.isValid():
            self._set(block, ranges)

    def _range(
        self, block: QTextBlock, start: int, end: int, span: Span
    ) -> QTextLayout.FormatRange:
        found = QTextLayout.FormatRange()
        first = max(start - block.position(), 0)
        found.start = first
        found.length = min(end - block.position(), block.length() - 1) - first
        ground = "" if span.line else span.ground
        ink = span.ink or ("accent" if span.link else "")
        found.format = self._format(ink, ground, span.strong, span.link)
        return found

    def _format(self, ink: str, ground: str, strong: bool, link: bool) -> QTextCharFormat:
        key = (ink, ground, strong, link)
        found = self._formats.get(key)
        if found is None:
            found = self._formats[key] = QTextCharFormat()
            if ink:
                found.setForeground(self._theme.color(ink))
            if ground:
                found.setBackground(self._theme.color(ground))
            if strong:
                found.setFontWeight(QFont.Weight.DemiBold)
            found.setFontUnderline(link)
        return found

    @staticmethod
    def _set(block: QTextBlock, ranges: list[QTextLayout.FormatRange]) -> None:
        if ranges:
            block.layout().setFormats(ranges)

    def _fill_lines(self, document: SafeDocument, start: int, end: int, token: str) -> None:
        cursor = QTextCursor(document)
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        ground = QTextBlockFormat()
        ground.setBackground(self._theme.color(token))
        cursor.mergeBlockFormat(ground)

    # --- prose, tables ---------------------------------------------------------------------------

    def prose(self, html: str) -> SafeDocument:
        """Headings, paragraphs, lists, quotations: the HTML of ``tenuto.render.markdown``."""
        # Qt scales h1 to h6 by itself, whatever a style sheet says.
        html = _heading.sub(_as_paragraph, html).replace("\n</code></pre>", "</code></pre>")
        # A line end beside a block would be a space at its end.
        html = _line_end.sub("", html)
        return self._from_html(html)

    def table(self, table: Table, rows: Sequence[Sequence[str]]) -> SafeDocument:
        """A table with a line below each row."""
        pieces = ['<table cellspacing="0" cellpadding="0">']
        for tag, cells in (("th", table.head), *(("td", row) for row in rows)):
            pieces.append("<tr>")
            for cell, side in zip(cells, table.align, strict=True):
                pieces.append(f'<{tag} align="{side or "left"}">{cell}</{tag}>')
            pieces.append("</tr>")
        pieces.append("</table>")
        return self._from_html("".join(pieces))

    def _from_html(self, html: str) -> SafeDocument:
        document = _empty(self._theme.fonts.font("body"))
        document.setIndentWidth(self._theme.fonts.px(16))
        document.setDefaultStyleSheet(self._sheet)
        document.setHtml(html)
        return document

    def _style_sheet(self) -> str:
        fonts, name = self._theme.fonts, self._theme.name
        px = fonts.px
        mono = fonts.font("mono_small")
        # A family may hold quotes only if a font of this machine does.
        family = mono.family().replace('"', "")
        code = f'font-family:"{family}"; font-size:{mono.pointSizeF():.2f}pt'
        cell = f"padding:{px(3)}px {px(20)}px {px(3)}px 0"
        rules = [
            f"p {{ margin:0 0 {px(6)}px 0; line-height:{PROSE_SPACING}% }}",
            f"ul {{ margin:0 0 {px(6)}px 0; list-style-type:none }}",
            f"ol {{ margin:0 0 {px(6)}px 0 }}",
            f"li {{ margin:0 0 {px(2)}px 0; line-height:{PROSE_SPACING}% }}",
            f"blockquote {{ margin:0 0 {px(6)}px {px(14)}px; color:{name('text2')} }}",
            f"code {{ {code}; background-color:{name('band')} }}",
            f"pre {{ {code}; white-space:pre-wrap; margin:0 0 {px(6)}px 0 }}",
            "strong { font-weight:600 }",
            f"a {{ color:{name('accent')}; text-decoration:underline }}",
            f"th {{ {cell}; border-bottom:1px solid {name('edge')}; font-weight:600 }}",
            f"td {{ {cell}; border-bottom:1px solid {name('line')} }}",
        ]
        for number, role in enumerate(_HEADING_ROLES, 1):
            size = fonts.font(role).pointSizeF()
            rules.append(
                f"p.h{number} {{ font-size:{size:.2f}pt; font-weight:600;"
                f" margin:{px(8)}px 0 {px(4)}px 0 }}"
            )
        return "\n".join(rules)


def _as_paragraph(match: re.Match[str]) -> str:
    return "</p>" if match[1] else f'<p class="h{match[2]}">'
