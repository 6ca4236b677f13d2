# SPDX-License-Identifier: Apache-2.0
"""Boxes to choose from: a button with our frame and chevron, its words where a field has them."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QStyle,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QWidget,
)

from tenuto_gui import icons
from tenuto_gui.indicator_style import RADIUS, IndicatorStyle

_SF = QStyle.StateFlag
_CC = QStyle.ComplexControl
_SC = QStyle.SubControl


#: From the edge of a field to its words: a frame, ours, and what QLineEdit keeps for the caret.
FIELD_SIDE = 4
_FIELD_FRAME = 1
_FIELD_CARET = 2
#: Fusion's label of a box begins so far within its room.
_LABEL_INSET = 1
_CHEVRON = 12


class ComboStyle(IndicatorStyle):
    """Not for boxes that can be typed into: there are none."""

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if control == _CC.CC_ComboBox and isinstance(option, QStyleOptionComboBox):
            self._combo_box(option, painter, widget)
        else:
            super().drawComplexControl(control, option, painter, widget)

    def _combo_box(
        self, option: QStyleOptionComboBox, painter: QPainter, widget: QWidget | None
    ) -> None:
        color = self._theme.color
        enabled = bool(option.state & _SF.State_Enabled)
        held = option.state & (_SF.State_Sunken | _SF.State_On)
        near = option.state & _SF.State_MouseOver
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color("edge" if enabled else "line"), 1))
        painter.setBrush(color("band" if enabled and (held or near) else "base"))
        frame = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, RADIUS, RADIUS)
        painter.restore()
        self._chevron(option, painter, widget, "text" if enabled else "off")
        if option.state & _SF.State_HasFocus:
            ring = QStyleOption(option)
            self.drawPrimitive(QStyle.PrimitiveElement.PE_FrameFocusRect, ring, painter, widget)

    def _chevron(
        self, option: QStyleOptionComboBox, painter: QPainter, widget: QWidget | None, token: str
    ) -> None:
        size = self._theme.fonts.px(_CHEVRON)
        room = self.subControlRect(_CC.CC_ComboBox, option, _SC.SC_ComboBoxArrow, widget)
        ratio = painter.device().devicePixelRatio()
        picture = icons.pixmap(self._theme, "chevron-down", token, size, ratio)
        place = QRect(0, 0, size, size)
        place.moveCenter(room.center())
        painter.drawPixmap(place, picture)

    def subControlRect(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        sub: QStyle.SubControl,
        widget: QWidget | None = None,
    ) -> QRect:
        parts = (_SC.SC_ComboBoxEditField, _SC.SC_ComboBoxArrow)
        if control != _CC.CC_ComboBox or sub not in parts:
            return super().subControlRect(control, option, sub, widget)
        px = self._theme.fonts.px
        side = px(FIELD_SIDE) + _FIELD_FRAME + _FIELD_CARET
        arrow = px(_CHEVRON) + 2 * side
        if sub == _SC.SC_ComboBoxArrow:
            found = option.rect.adjusted(option.rect.width() - arrow, 0, 0, 0)
        else:
            found = option.rect.adjusted(side - _LABEL_INSET, 0, -arrow, 0)
        return QStyle.visualRect(option.direction, option.rect, found)
