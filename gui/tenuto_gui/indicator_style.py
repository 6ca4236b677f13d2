# SPDX-License-Identifier: Apache-2.0
"""Check boxes, radio buttons and frames of fields: Fusion's are too faint in dark."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QStyle, QStyleOption, QWidget

from tenuto_gui.scroll_style import ScrollBarStyle

_SF = QStyle.StateFlag
_PE = QStyle.PrimitiveElement
#: Of controls, frames and fields.
RADIUS = 5


class IndicatorStyle(ScrollBarStyle):
    """Edges from the token ``edge``, what is on from ``accent``."""

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if element == _PE.PE_IndicatorCheckBox:
            self._check_box(option, painter)
        elif element == _PE.PE_IndicatorRadioButton:
            self._radio_button(option, painter)
        elif element == _PE.PE_Frame:
            self._field_frame(option, painter)
        else:
            super().drawPrimitive(element, option, painter, widget)

    def _start(self, option: QStyleOption, painter: QPainter) -> tuple[bool, bool]:
        """Antialiasing, the edge's pen, the ground's brush; whether it is on, and can be used."""
        on = bool(option.state & _SF.State_On)
        enabled = bool(option.state & _SF.State_Enabled)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if on and enabled:
            painter.setPen(QPen(self._theme.color("accent"), 1))
            painter.setBrush(self._theme.color("accent"))
        else:
            painter.setPen(QPen(self._theme.color("edge" if enabled else "line"), 1))
            painter.setBrush(self._theme.color("base"))
        return on, enabled

    def _check_box(self, option: QStyleOption, painter: QPainter) -> None:
        painter.save()
        on, enabled = self._start(option, painter)
        box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, 3, 3)
        if on:
            ink = self._theme.color("on_accent" if enabled else "off")
            painter.setPen(QPen(ink, box.width() / 8, Qt.PenStyle.SolidLine,
                                Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))  # fmt: skip
            painter.setBrush(Qt.BrushStyle.NoBrush)
            places = ((0.25, 0.52), (0.43, 0.70), (0.76, 0.32))
            painter.drawPolyline(
                QPolygonF(
                    [
                        QPointF(box.left() + x * box.width(), box.top() + y * box.height())
                        for x, y in places
                    ]
                )
            )
        painter.restore()

    def _radio_button(self, option: QStyleOption, painter: QPainter) -> None:
        painter.save()
        on, enabled = self._start(option, painter)
        box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawEllipse(box)
        if on:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("on_accent" if enabled else "off"))
            side = box.width() * 0.3
            painter.drawEllipse(box.adjusted(side, side, -side, -side))
        painter.restore()

    def _field_frame(self, option: QStyleOption, painter: QPainter) -> None:
        painter.save()
        focus = bool(option.state & _SF.State_HasFocus)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("focus" if focus else "edge"), 1))
        painter.setBrush(self._theme.color("base"))
        frame = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, RADIUS, RADIUS)
        painter.restore()

    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        styled = isinstance(widget, QFrame) and widget.frameShape() == QFrame.Shape.StyledPanel
        if metric == QStyle.PixelMetric.PM_DefaultFrameWidth and styled:
            # What is in it has square corners, which stay within the round ones.
            return 2
        return super().pixelMetric(metric, option, widget)
