# SPDX-License-Identifier: Apache-2.0
"""The figures in one line, and the headings of the charts with what their colours mean."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tenuto_gui.activity.board import LEFT, RIGHT
from tenuto_gui.i18n import enumerated
from tenuto_gui.theme import Theme


class Facts(QWidget):
    """Figures side by side; what does not fit goes onto a second line."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._facts: list[tuple[str, str, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._fit)

    def set_facts(self, facts: list[tuple[str, str, str]]) -> None:
        """Each: what, how much, and a quieter word behind it."""
        self._facts = facts
        words = enumerated(f"{name} {value} {more}".strip() for name, value, more in facts)
        self.setAccessibleName(words)
        self._fit()

    def _cells(self, width: int) -> list[tuple[QRect, tuple[str, str, str]]]:
        fonts = self._theme.fonts
        px = fonts.px
        height = fonts.line_height("small") + fonts.line_height("demi") + px(6)
        x, y = px(16), px(10)
        cells = []
        for fact in self._facts:
            name, value, more = fact
            wide = max(
                fonts.metrics("small").horizontalAdvance(name),
                fonts.metrics("demi").horizontalAdvance(value)
                + (fonts.metrics("small").horizontalAdvance(more) + px(4) if more else 0),
            )
            if x + wide > width - px(12) and x > px(16):
                x, y = px(16), y + height + px(8)
            cells.append((QRect(x, y, round(wide) + 2, height), fact))
            x += round(wide) + px(36)
        return cells

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        px = self._theme.fonts.px
        bottom = max((cell.bottom() for cell, _ in self._cells(self.width())), default=px(40))
        self.setFixedHeight(bottom + px(10))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        fonts = self._theme.fonts
        px = fonts.px
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.color("base"))
        small, demi = fonts.line_height("small"), fonts.line_height("demi")
        for cell, (name, value, more) in self._cells(self.width()):
            if cell.left() > px(16):
                painter.fillRect(
                    cell.left() - px(18), cell.top(), 1, cell.height(), self._theme.color("line")
                )
            painter.setFont(fonts.font("small"))
            painter.setPen(self._theme.color("text2"))
            painter.drawText(QRect(cell.left(), cell.top(), cell.width(), small), LEFT, name)
            below = QRect(cell.left(), cell.bottom() - demi, cell.width(), demi)
            if more:
                painter.drawText(below, RIGHT, more)
            painter.setFont(fonts.font("demi"))
            painter.setPen(self._theme.color("text"))
            painter.drawText(below, LEFT, value)
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()


class Heading(QWidget):
    """A title, and at the right a legend; below the title where there is no room beside it."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        legend: tuple[tuple[str, str], ...],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = title
        #: Colour token and word; no colour: a note.
        self._legend = legend
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(title)
        theme.changed.connect(self._fit)

    def set_legend(self, legend: tuple[tuple[str, str], ...]) -> None:
        """Other colours, or other words for them."""
        self._legend = legend
        words = enumerated(word for _, word in legend)
        self.setAccessibleDescription(words)
        self._fit()

    def _widths(self) -> list[int]:
        px, metrics = self._theme.fonts.px, self._theme.fonts.metrics("small")
        return [
            round(metrics.horizontalAdvance(word)) + (px(16) if token else 0)
            for token, word in self._legend
        ]

    def _line(self) -> int:
        fonts = self._theme.fonts
        return max(fonts.px(34), fonts.line_height("demi") + fonts.px(16))

    def _places(self) -> list[tuple[int, int]]:
        """Where each entry of the legend begins: x, and on which line below the title's."""
        px, widths = self._theme.fonts.px, self._widths()
        gap, metrics = px(16), self._theme.fonts.metrics("demi")
        whole = sum(widths) + gap * len(widths)
        title = px(16) + round(metrics.horizontalAdvance(self._title)) + px(20)
        if title + whole <= self.width():
            x, line = self.width() - whole, 0
        else:
            x, line = px(16), 1
        places = []
        for width in widths:
            if line and x > px(16) and x + width > self.width():
                x, line = px(16), line + 1
            places.append((x, line))
            x += width + gap
        return places

    def _fit(self) -> None:
        small = self._theme.fonts.line_height("small") + self._theme.fonts.px(4)
        lines = max((line for _, line in self._places()), default=0)
        self.setFixedHeight(self._line() + lines * small)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, fonts = self._theme, self._theme.fonts
        px = fonts.px
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme.color("base"))
        painter.setFont(fonts.font("demi"))
        painter.setPen(theme.color("text"))
        height = self._line()
        painter.drawText(QRect(px(16), 0, self.width(), height), LEFT, self._title)
        painter.setFont(fonts.font("small"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        small = fonts.line_height("small") + px(4)
        for (token, word), (x, line) in zip(self._legend, self._places(), strict=True):
            top = 0 if not line else height - px(6) + (line - 1) * small
            room = height if not line else small
            left = x + px(16) if token else x
            if token:
                size = px(10)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color(token))
                square = QRectF(x, top + (room - size) / 2, size, size)
                painter.drawRoundedRect(square, 2, 2)
            painter.setPen(theme.color("text2"))
            painter.drawText(QRect(left, top, self.width() - left, room), LEFT, word)
        painter.end()
