# SPDX-License-Identifier: Apache-2.0
"""Lines of an icon and words, which scroll where there are many."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tenuto_gui.runs.force_facts import Fact
from tenuto_gui.runs.pieces import Ground, MarkLabel, RoleLabel, clear
from tenuto_gui.theme import Theme

#: In a small window this much is seen at least.
_LEAST_HEIGHT = 88


class FactList(QScrollArea):
    """As high as its lines, up to ``room``: nobody should have to look for what a deed means."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        #: Pixels that it may have, whatever else wants them.
        self.room = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._ground = Ground(theme, "base")
        self._column = QVBoxLayout(self._ground)
        px = theme.fonts.px
        self._column.setContentsMargins(px(44), px(10), px(16), px(10))
        self._column.setSpacing(px(5))
        self.setWidget(self._ground)

    def set_facts(self, facts: Sequence[Fact]) -> None:
        """Show these lines."""
        clear(self._column)
        for fact in facts:
            line = self._line(fact)
            self._column.addWidget(line)
            # A line that is not shown yet has no height to be counted.
            line.show()
        self._column.addStretch(1)
        self.verticalScrollBar().setValue(0)
        self.updateGeometry()

    def set_room(self, room: int) -> None:
        """Be at most this high, in pixels; more lines scroll."""
        if room != self.room:
            self.room = room
            self.updateGeometry()

    def _line(self, fact: Fact) -> QWidget:
        theme, px = self._theme, self._theme.fonts.px
        line = QWidget(self._ground)
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(8))
        top = Qt.AlignmentFlag.AlignTop
        mark = MarkLabel(theme, line)
        mark.set_icon(fact.icon, fact.token)
        row.addWidget(mark, 0, top)
        if fact.mono:
            code = RoleLabel(theme, "mono_small_demi", "text", line)
            code.setText(fact.mono)
            row.addWidget(code, 0, top)
        words = RoleLabel(theme, "body", "text", line)
        words.setWordWrap(True)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        # Last: it is with its text that a label comes to have a height for its width.
        words.setText(fact.text)
        row.addWidget(words, 1)
        return line

    def sizeHint(self) -> QSize:
        width = max(self.viewport().width(), self._theme.fonts.px(320))
        height = self._column.totalHeightForWidth(width)
        least = self._theme.fonts.px(_LEAST_HEIGHT)
        return QSize(width, min(height, max(self.room, least)))

    def minimumSizeHint(self) -> QSize:
        # All of it: the page above asks for more than there is, and would take half of the rest.
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
