# SPDX-License-Identifier: Apache-2.0
"""Scroll bars: flat, 12 px, no arrows; over the content where a view asks for it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QProxyStyle,
    QScrollBar,
    QStyle,
    QStyleOptionComplex,
    QStyleOptionSlider,
    QWidget,
)

from tenuto_gui.theme import Theme

_SF = QStyle.StateFlag
EXTENT = 12
_LEAST_HANDLE = 28
#: Set on a scroll bar that lies over the content (`overlay`).
_OVERLAY = "overlay"


def is_overlay(bar: QWidget | None) -> bool:
    return bar is not None and bool(bar.property(_OVERLAY))


def overlay(bar: QScrollBar) -> None:
    """Lay a scroll bar over the content, which then keeps the full width."""
    bar.setProperty(_OVERLAY, True)
    bar.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, False)


class ScrollBarStyle(QProxyStyle):
    """Fusion with our scroll bars."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Fusion")
        self._theme = theme

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if control == QStyle.ComplexControl.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            self._scroll_bar(option, painter, widget)
        else:
            super().drawComplexControl(control, option, painter, widget)

    def _scroll_bar(
        self, option: QStyleOptionSlider, painter: QPainter, widget: QWidget | None
    ) -> None:
        if not is_overlay(widget):
            painter.fillRect(option.rect, self._theme.color("base"))
        if option.maximum <= option.minimum:
            return
        handle = self.subControlRect(
            QStyle.ComplexControl.CC_ScrollBar,
            option,
            QStyle.SubControl.SC_ScrollBarSlider,
            widget,
        )
        active = bool(option.state & _SF.State_MouseOver) or (
            bool(option.activeSubControls & QStyle.SubControl.SC_ScrollBarSlider)
            and bool(option.state & _SF.State_Sunken)
        )
        pill = QRectF(handle).adjusted(3, 3, -3, -3)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("edge" if active else "rail"))
        radius = min(pill.width(), pill.height()) / 2
        painter.drawRoundedRect(pill, radius, radius)
        painter.restore()

    def subControlRect(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        sub: QStyle.SubControl,
        widget: QWidget | None = None,
    ) -> QRect:
        if control != QStyle.ComplexControl.CC_ScrollBar or not isinstance(
            option, QStyleOptionSlider
        ):
            return super().subControlRect(control, option, sub, widget)  # type: ignore[arg-type]
        rect = option.rect
        across = option.orientation == Qt.Orientation.Horizontal
        length = rect.width() if across else rect.height()
        handle = length
        start = 0
        if option.maximum > option.minimum:
            span = option.maximum - option.minimum + option.pageStep
            handle = min(length, max(_LEAST_HANDLE, int(length * option.pageStep / max(1, span))))
            start = QStyle.sliderPositionFromValue(
                option.minimum,
                option.maximum,
                option.sliderPosition,
                length - handle,
                option.upsideDown,
            )
        control_of = QStyle.SubControl
        if sub == control_of.SC_ScrollBarGroove:
            return rect
        if sub == control_of.SC_ScrollBarSlider:
            at, size = start, handle
        elif sub == control_of.SC_ScrollBarSubPage:
            at, size = 0, start
        elif sub == control_of.SC_ScrollBarAddPage:
            at, size = start + handle, length - start - handle
        else:
            return QRect()
        if across:
            return QRect(rect.left() + at, rect.top(), size, rect.height())
        return QRect(rect.left(), rect.top() + at, rect.width(), size)
