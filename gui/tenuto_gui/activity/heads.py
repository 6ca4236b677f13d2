# SPDX-License-Identifier: Apache-2.0
"""The figures in one line, and the headings of the charts with what their colours mean."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tenuto_gui.activity.board import LEFT, RIGHT
from tenuto_gui.theme import Theme


class Facts(QWidget):
    """Figures side by side; what does not fit goes onto a second line."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._facts: list[tuple[str, str, str]] = []
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._on_theme)

    def set_facts(self, facts: list[tuple[str, str, str]]) -> None:
        """Each: what, how much, and a quieter word behind it."""
        self._facts = facts
        words = ", ".join(f"{name} {value} {more}".strip() for name, value, more in facts)
        self.setAccessibleName(words)
        self._on_theme()

    def _on_theme(self) -> None:
        self.updateGeometry()
        self.update()

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

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        px = self._theme.fonts.px
        return max((cell.bottom() for cell, _ in self._cells(width)), default=px(40)) + px(10)

    def sizeHint(self) -> QSize:
        px = self._theme.fonts.px
        return QSize(px(400), self.heightForWidth(max(self.width(), px(300))))

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
    """A title, and at the right a legend; the legend goes first where there is no room."""

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
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(title)
        theme.changed.connect(self.update)
        theme.changed.connect(self.updateGeometry)

    def set_legend(self, legend: tuple[tuple[str, str], ...]) -> None:
        """Other colours, or other words for them."""
        self._legend = legend
        self.update()

    def sizeHint(self) -> QSize:
        fonts = self._theme.fonts
        return QSize(fonts.px(300), max(fonts.px(34), fonts.line_height("demi") + fonts.px(16)))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, fonts = self._theme, self._theme.fonts
        px = fonts.px
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme.color("base"))
        painter.setFont(fonts.font("demi"))
        painter.setPen(theme.color("text"))
        painter.drawText(self.rect().adjusted(px(16), 0, 0, 0), LEFT, self._title)
        left = px(16) + round(fonts.metrics("demi").horizontalAdvance(self._title)) + px(20)
        metrics = fonts.metrics("small")
        widths = [
            round(metrics.horizontalAdvance(word)) + (px(16) if token else 0)
            for token, word in self._legend
        ]
        shown = len(widths)
        gap = px(16)
        while shown and left + sum(widths[:shown]) + gap * shown > self.width():
            shown -= 1
        x = self.width() - sum(widths[:shown]) - gap * shown
        painter.setFont(fonts.font("small"))
        for (token, word), width in list(zip(self._legend, widths, strict=True))[:shown]:
            at = x
            if token:
                size = px(10)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color(token))
                place = QRectF(x, (self.height() - size) / 2, size, size)
                painter.drawRoundedRect(place, 2, 2)
                at += px(16)
            painter.setPen(theme.color("text2"))
            painter.drawText(QRect(at, 0, width, self.height()), LEFT, word)
            x += width + gap
        painter.end()
