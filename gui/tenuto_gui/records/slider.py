# SPDX-License-Identifier: Apache-2.0
"""The slider over a journal: a flat groove, and a tick where there is damage."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from tenuto_gui.i18n import translate
from tenuto_gui.theme import Theme


class RecordSlider(QSlider):
    """Its value is the number of a row."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._damage: Sequence[int] = ()
        self.setAccessibleName(translate("Records", "Position in the journal"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.changed.connect(self.update)

    def set_damage(self, damage: Sequence[int]) -> None:
        """Rows that get a tick."""
        self._damage = damage
        self.update()

    def sizeHint(self) -> QSize:
        px = self._theme.fonts.px
        return QSize(px(120), px(28))

    def minimumSizeHint(self) -> QSize:
        px = self._theme.fonts.px
        return QSize(px(60), px(28))

    def _x(self, value: int) -> float:
        margin = self._theme.fonts.px(8)
        room = self.width() - 2 * margin
        span = max(self.maximum() - self.minimum(), 1)
        return margin + room * (value - self.minimum()) / span

    def _value_at(self, x: float) -> int:
        margin = self._theme.fonts.px(8)
        room = max(self.width() - 2 * margin, 1)
        span = self.maximum() - self.minimum()
        return self.minimum() + round(min(max((x - margin) / room, 0.0), 1.0) * span)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setValue(self._value_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.setValue(self._value_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.fonts.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        enabled = self.isEnabled() and self.maximum() > self.minimum()
        left, right = self._x(self.minimum()), self._x(self.maximum())
        at = self._x(self.sliderPosition())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        thick = px(4)
        painter.drawRoundedRect(QRectF(left, middle - thick / 2, right - left, thick), 2, 2)
        if enabled:
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(QRectF(left, middle - thick / 2, at - left, thick), 2, 2)
        seen = -2
        for row in self._damage:
            x = round(self._x(row))
            if x > seen + 2:
                seen = x
                tick = QRect(x - 1, round(middle) - px(11), 2, px(22))
                painter.fillRect(tick, theme.color("damg"))
        ring = theme.color("accent" if enabled else "off")
        painter.setPen(QPen(ring, 2))
        painter.setBrush(theme.color("base"))
        radius = px(5)
        knob = QRectF(at - radius, middle - radius, 2 * radius, 2 * radius)
        painter.drawEllipse(knob)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.drawEllipse(knob.adjusted(-3, -3, 3, 3))
        painter.end()
