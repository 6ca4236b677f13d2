# SPDX-License-Identifier: Apache-2.0
"""The strip above the table: previous, slider, next, where one is, next damage."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from tenuto.sources.raw import Unit
from tenuto_gui import format as figures
from tenuto_gui import icons
from tenuto_gui.i18n import translate
from tenuto_gui.plain import plain_tip
from tenuto_gui.records import words
from tenuto_gui.records.slider import RecordSlider
from tenuto_gui.runs.pieces import Ground, RoleLabel
from tenuto_gui.theme import Theme

#: Below this width, in pixels at 10 pt, "Next damage" is its icon.
_WORDS_FROM = 480


class FlatButton(QToolButton):
    """A flat button, its icon in the theme's colour."""

    def __init__(self, theme: Theme, name: str, words: str, icon: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = icon
        self.setObjectName(name)
        self.setAutoRaise(True)
        self.setText(words)
        self.setAccessibleName(words)
        self.setToolTip(plain_tip(words))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        theme.changed.connect(self._on_theme)
        self._on_theme()

    def _on_theme(self) -> None:
        size = self._theme.fonts.px(16)
        self.setIcon(icons.icon(self._theme, self._icon, "text", size))
        self.setIconSize(QSize(size, size))
        self.setFont(self._theme.fonts.font("small"))


class Steps(Ground):
    """Says what is wanted; what is shown is told."""

    #: -1 or +1.
    stepped = Signal(int)
    #: A row, by the slider.
    moved = Signal(int)
    damage_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "base", parent)
        px = theme.fonts.px
        row = QHBoxLayout(self)
        row.setContentsMargins(px(8), px(4), px(12), px(4))
        row.setSpacing(px(6))
        tr = translate
        self.back_button = FlatButton(
            theme, "previousRecord", tr("Records", "Previous record"), "chevron-left", self
        )
        self.next_button = FlatButton(
            theme, "nextRecord", tr("Records", "Next record"), "chevron-right", self
        )
        self.damage_button = FlatButton(
            theme, "nextDamage", tr("Records", "Next damage"), "to-end", self
        )
        self.slider = RecordSlider(theme, self)
        self._where = RoleLabel(theme, "small", "text", self)
        self.back_button.clicked.connect(lambda: self.stepped.emit(-1))
        self.next_button.clicked.connect(lambda: self.stepped.emit(1))
        self.damage_button.clicked.connect(self.damage_wanted)
        self.slider.valueChanged.connect(self.moved)
        for widget in (self.back_button, self.slider, self.next_button, self._where):
            row.addWidget(widget)
        row.addWidget(self.damage_button)

    def show_place(self, row: int, count: int, damage: Sequence[int], unit: Unit = "line") -> None:
        """Row ``row`` (-1: none) of ``count``, and where there is damage."""
        blocked = self.slider.blockSignals(True)
        self.slider.setRange(0, max(count - 1, 0))
        self.slider.setValue(max(row, 0))
        self.slider.blockSignals(blocked)
        self.slider.set_damage(damage)
        self.back_button.setEnabled(row > 0)
        self.next_button.setEnabled(row < count - 1)
        self.damage_button.setVisible(bool(damage))
        text = words.step(unit)
        self._where.setText(text.format(n=figures.exact(max(row, 0) + 1), all=figures.exact(count)))

    def said(self) -> str:
        """Where one is, in words."""
        return self._where.text()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < self._theme.fonts.px(_WORDS_FROM)
        style = Qt.ToolButtonStyle
        self.damage_button.setToolButtonStyle(
            style.ToolButtonIconOnly if narrow else style.ToolButtonTextBesideIcon
        )
