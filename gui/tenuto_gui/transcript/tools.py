# SPDX-License-Identifier: Apache-2.0
"""Small strokes that all painting of the transcript shares: colours, lines of text, icons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from tenuto_gui import icons
from tenuto_gui.fonts import Role
from tenuto_gui.theme import Theme
from tenuto_gui.transcript.metrics import Metrics

LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class Tools:
    """One theme, one grid, so many device pixels per pixel."""

    def __init__(self, theme: Theme, metrics: Metrics, ratio: float) -> None:
        self._theme = theme
        self._m = metrics
        #: Device pixels per pixel.
        self.ratio = ratio

    def color(self, token: str) -> QColor:
        return QColor(self._theme.color(token))

    def text(
        self, painter: QPainter, place: QRect, text: str, role: Role, token: str, flags: int
    ) -> int:
        """One line of text; answers the x after it."""
        painter.setFont(self._theme.fonts.font(role))
        painter.setPen(self.color(token))
        painter.drawText(place, flags | int(Qt.TextFlag.TextSingleLine), text)
        return place.left() + int(self._theme.fonts.metrics(role).horizontalAdvance(text)) + 1

    def elided(self, painter: QPainter, place: QRect, text: str, role: Role, token: str) -> int:
        metrics = self._theme.fonts.metrics(role)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        return self.text(painter, place, text, role, token, LEFT) if text else place.left()

    def marked(
        self,
        painter: QPainter,
        place: QRect,
        text: str,
        role: Role,
        hits: Sequence[tuple[int, int, bool]],
    ) -> None:
        """An elided line of text, with what was found in it: (start, end, whether it is now)."""
        metrics = self._theme.fonts.metrics(role)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        for start, end, now in hits:
            left = place.left() + metrics.horizontalAdvance(text[:start])
            right = place.left() + metrics.horizontalAdvance(text[:end])
            top = place.center().y() - metrics.height() / 2 + 1
            ground = QRectF(left, top, right - left, metrics.height()).intersected(QRectF(place))
            painter.save()
            painter.setClipRect(ground)
            painter.fillRect(ground, self.color("hit_now" if now else "hit"))
            self.text(painter, place, text, role, "on_hit_now" if now else "text", LEFT)
            painter.restore()

    def icon(self, painter: QPainter, name: str, token: str, x: int, top: int, height: int) -> None:
        size = self._m.icon
        pixmap = icons.pixmap(self._theme, name, token, size, self.ratio)
        painter.drawPixmap(x, top + (height - size) // 2, pixmap)

    def mark(self, painter: QPainter, status: str, x: int, top: int, height: int) -> None:
        size = self._m.icon
        pixmap = icons.mark(self._theme, status, size, self.ratio)
        painter.drawPixmap(x, top + (height - size) // 2, pixmap)
