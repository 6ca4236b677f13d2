# SPDX-License-Identifier: Apache-2.0
"""A command, one word a line with its index, everything in it visible and nothing cut off."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from tenuto.text import visible
from tenuto_gui.i18n import enumerated, translate
from tenuto_gui.render.text import MAX_LINE
from tenuto_gui.theme import Theme

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
#: Lines of the command that fit without scrolling where there is room.
_LINES = 6
_MOST_LINES = 14
#: The end of a command counts as seen after it has been on screen this long.
_LOOK_MS = 200


def visible_word(word: str) -> str:
    """One word of a command with line ends and tabs shown as pictures too."""
    if not word:
        return translate("Runs", "(empty)")
    return visible(word).replace("\n", "\u240a").replace("\t", "\u2409")


class CommandWords(QAbstractScrollArea):
    """The exact argument vector. Emits `end_seen` once its last line has been on screen."""

    end_seen = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._argv: tuple[str, ...] = ()
        #: For each piece of a word: index (-1 for a further piece), its layout, y.
        self._rows: list[tuple[int, QTextLayout, float]] = []
        self._height = 0.0
        self._seen = False
        self._looked = QTimer(self)
        self._looked.setSingleShot(True)
        self._looked.setInterval(_LOOK_MS)
        self._looked.timeout.connect(self._on_looked)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(translate("Runs", "The command, word by word"))
        self.verticalScrollBar().valueChanged.connect(self.viewport().update)
        theme.changed.connect(self._layout)

    def set_argv(self, argv: Sequence[str]) -> None:
        """Show another command; its end has not been seen yet."""
        self._argv = tuple(argv)
        self._seen = False
        self._looked.stop()
        self.setAccessibleDescription(
            enumerated(f"{index}: {visible_word(word)}" for index, word in enumerate(argv))[:8000]
        )
        self.verticalScrollBar().setValue(0)
        self._layout()

    @property
    def end_was_seen(self) -> bool:
        """Whether all of the command has been on screen."""
        return self._seen

    def shown_text(self) -> str:
        """What is on the surface: index and visible word, line by line."""
        return "\n".join(f"{i} {visible_word(word)}" for i, word in enumerate(self._argv))

    def sizeHint(self) -> QSize:
        line = self._line()
        lines = min(max(int(self._height / line + 0.99), _LINES), _MOST_LINES)
        return QSize(self._theme.fonts.px(300), int(lines * line) + self._theme.fonts.px(8))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.fonts.px(160), int(3 * self._line()))

    def _line(self) -> float:
        return self._theme.fonts.line_height("mono") + self._theme.fonts.px(3)

    def _left(self) -> int:
        return self._theme.fonts.px(44)

    def _layout(self) -> None:
        self._rows = []
        width = max(self.viewport().width() - self._left() - self._theme.fonts.px(8), 40)
        font = self._theme.fonts.font("mono")
        option = QTextOption()
        # Nothing may hide behind an edge, and the mode is quick on words without an end.
        option.setWrapMode(QTextOption.WrapMode.WrapAnywhere)
        # A command reads from left to right, whatever its letters do.
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        line = self._line()
        y = 0.0
        for index, word in enumerate(self._argv):
            text = visible_word(word)
            for start in range(0, len(text), MAX_LINE):
                layout = QTextLayout(text[start : start + MAX_LINE], font)
                layout.setTextOption(option)
                layout.beginLayout()
                inner = 0.0
                while (piece := layout.createLine()).isValid():
                    piece.setLineWidth(width)
                    piece.setPosition(QPointF(0, inner))
                    inner += line
                layout.endLayout()
                self._rows.append((index if start == 0 else -1, layout, y))
                y += inner
        if y != self._height:
            self._height = y
            self.updateGeometry()
        bar = self.verticalScrollBar()
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(int(line))
        bar.setRange(0, max(int(y + 0.99) - self.viewport().height(), 0))
        self.viewport().update()

    def _at_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bool(self._argv) and bar.value() >= bar.maximum()

    def _on_looked(self) -> None:
        """A flash while the panel finds its size shows nobody anything: it must stay a moment."""
        if not self._seen and self._at_end() and self.isVisible():
            self._seen = True
            self.end_seen.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._layout()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme.color("base"))
        offset = self.verticalScrollBar().value()
        left = self._left()
        line = self._line()
        seen_separator = False
        for index, layout, y in self._rows:
            top = y - offset
            seen_separator = seen_separator or layout.text() == "--"
            if top > self.viewport().height() or top + layout.lineCount() * line < 0:
                continue
            quiet = index == 0 or layout.text() == "--" or not self._argv[max(index, 0)]
            if index >= 0:
                painter.setFont(theme.fonts.font("small"))
                painter.setPen(theme.color("text2"))
                place = QRectF(0, top + 1, theme.fonts.px(30), line)
                painter.drawText(place, _RIGHT, str(index))
            painter.setPen(theme.color("text2" if quiet else "text"))
            layout.draw(painter, QPointF(left, top))
        if self.hasFocus():
            painter.setPen(theme.color("focus"))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
        painter.end()
        if self._seen or not self._at_end():
            self._looked.stop()
        elif not self._looked.isActive():
            self._looked.start()
