# SPDX-License-Identifier: Apache-2.0
"""A thin proxy over Fusion: the few controls that Fusion draws differently (look.md).

Everything is painted from tokens. Content (lists, transcript, tables) is painted by delegates, so
dropping this style ("Use the system's widget style") changes the controls only.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QProxyStyle,
    QPushButton,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QStyleOptionButton,
    QStyleOptionComplex,
    QStyleOptionProgressBar,
    QStyleOptionSlider,
    QStyleOptionTab,
    QStyleOptionToolButton,
    QTabBar,
    QToolBar,
    QWidget,
)

from tenuto_gui.theme import Theme

_SF = QStyle.StateFlag
_PE = QStyle.PrimitiveElement
_CE = QStyle.ControlElement
_PM = QStyle.PixelMetric

#: Set this dynamic property on the one button of a window that is filled.
PRIMARY = "primary"
RADIUS = 5


class TenutoStyle(QProxyStyle):
    """Fusion with our buttons, fields, tabs, scroll bars and progress bars."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Fusion")
        self._theme = theme
        #: Focus rings appear once a key moved the focus, not for the mouse.
        self._keyboard = False

    # --- helpers -------------------------------------------------------------------------------

    def _color(self, token: str) -> QColor:
        return self._theme.color(token)

    def _frame(self, painter: QPainter, rect: QRect, fill: QColor | None, edge: QColor) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(edge, 1))
        painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.restore()

    def _ring(self, painter: QPainter, rect: QRectF) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._color("focus"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        painter.restore()

    # --- primitives ----------------------------------------------------------------------------

    def drawPrimitive(  # noqa: N802
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if element == _PE.PE_FrameFocusRect:
            if option.state & _SF.State_KeyboardFocusChange:
                self._ring(painter, QRectF(option.rect))
        elif element == _PE.PE_PanelButtonCommand:
            self._button(option, painter, widget)
        elif element == _PE.PE_PanelButtonTool:
            self._tool_button(option, painter)
        elif element in (_PE.PE_FrameLineEdit, _PE.PE_PanelLineEdit):
            focus = bool(option.state & _SF.State_HasFocus)
            enabled = bool(option.state & _SF.State_Enabled)
            edge = self._color("focus" if focus else "edge" if enabled else "line")
            self._frame(painter, option.rect, self._color("base"), edge)
            if focus:
                self._ring(painter, QRectF(option.rect))
        elif element in (_PE.PE_PanelStatusBar, _PE.PE_FrameStatusBarItem, _PE.PE_FrameTabWidget):
            pass
        elif element == _PE.PE_FrameTabBarBase:
            painter.fillRect(
                QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                self._color("line"),
            )
        elif element == _PE.PE_PanelTipLabel:
            painter.fillRect(option.rect, self._color("edge"))
            painter.fillRect(option.rect.adjusted(1, 1, -1, -1), self._color("band"))
        else:
            super().drawPrimitive(element, option, painter, widget)

    def _button(self, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
        enabled = bool(option.state & _SF.State_Enabled)
        pressed = bool(option.state & (_SF.State_Sunken | _SF.State_On))
        hover = bool(option.state & _SF.State_MouseOver)
        rect = option.rect
        if widget is not None and widget.property(PRIMARY) and enabled:
            fill = self._color("accent")
            self._frame(painter, rect, fill.darker(108) if pressed else fill, fill)
        else:
            fill = self._color("band" if pressed or (hover and enabled) else "base")
            self._frame(
                painter,
                rect,
                fill if enabled else None,
                self._color("edge" if enabled else "line"),
            )

    def _tool_button(self, option: QStyleOption, painter: QPainter) -> None:
        if not option.state & _SF.State_Enabled:
            return
        pressed = bool(option.state & (_SF.State_Sunken | _SF.State_On))
        if pressed or option.state & _SF.State_MouseOver:
            self._frame(painter, option.rect, self._color("band"), self._color("line"))
        if option.state & _SF.State_HasFocus and option.state & _SF.State_KeyboardFocusChange:
            self._ring(painter, QRectF(option.rect))

    # --- controls ------------------------------------------------------------------------------

    def drawControl(  # noqa: N802
        self,
        element: QStyle.ControlElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if element == _CE.CE_ToolBar:
            painter.fillRect(option.rect, self._color("window"))
            bottom = QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1)
            painter.fillRect(bottom, self._color("line"))
        elif element == _CE.CE_TabBarTabShape and isinstance(option, QStyleOptionTab):
            self._tab_shape(option, painter)
        elif element == _CE.CE_TabBarTabLabel and isinstance(option, QStyleOptionTab):
            self._tab_label(option, painter)
        elif element == _CE.CE_PushButtonLabel and isinstance(option, QStyleOptionButton):
            self._button_label(option, painter, widget)
        elif element == _CE.CE_ProgressBarGroove:
            self._bar(painter, QRectF(option.rect), self._color("line"))
        elif element == _CE.CE_ProgressBarContents and isinstance(option, QStyleOptionProgressBar):
            self._progress(option, painter)
        elif element == _CE.CE_ProgressBarLabel:
            pass
        elif element == _CE.CE_Splitter:
            self._splitter(option, painter)
        else:
            super().drawControl(element, option, painter, widget)

    def _splitter(self, option: QStyleOption, painter: QPainter) -> None:
        rect = option.rect
        if option.state & _SF.State_Horizontal:
            line = QRect(rect.center().x(), rect.top(), 1, rect.height())
        else:
            line = QRect(rect.left(), rect.center().y(), rect.width(), 1)
        painter.fillRect(line, self._color("line"))

    def _tab_shape(self, option: QStyleOptionTab, painter: QPainter) -> None:
        if option.state & _SF.State_Selected:
            bar = QRect(option.rect.left() + 4, option.rect.bottom() - 2, option.rect.width() - 8, 3)
            painter.fillRect(bar, self._color("accent"))

    def _tab_label(self, option: QStyleOptionTab, painter: QPainter) -> None:
        selected = bool(option.state & _SF.State_Selected)
        painter.save()
        painter.setFont(self._theme.fonts.font("medium" if selected else "body"))
        enabled = bool(option.state & _SF.State_Enabled)
        painter.setPen(self._color("off" if not enabled else "text" if selected else "text2"))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextShowMnemonic
        if not self.styleHint(QStyle.StyleHint.SH_UnderlineShortcut, option):
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextHideMnemonic
        painter.drawText(option.rect.adjusted(0, 0, 0, -2), int(flags), option.text)
        painter.restore()
        if option.state & _SF.State_HasFocus and option.state & _SF.State_KeyboardFocusChange:
            self._ring(painter, QRectF(option.rect.adjusted(0, 2, 0, -4)))

    def _button_label(
        self, option: QStyleOptionButton, painter: QPainter, widget: QWidget | None
    ) -> None:
        if widget is not None and widget.property(PRIMARY) and widget.isEnabled():
            option = QStyleOptionButton(option)
            palette = option.palette
            palette.setColor(palette.ColorRole.ButtonText, self._color("on_accent"))
            option.palette = palette
        super().drawControl(_CE.CE_PushButtonLabel, option, painter, widget)

    def _bar(self, painter: QPainter, rect: QRectF, color: QColor) -> None:
        height = min(6.0, rect.height())
        bar = QRectF(rect.left(), rect.center().y() - height / 2 + 0.5, rect.width(), height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRoundedRect(bar, height / 2, height / 2)
        painter.restore()

    def _progress(self, option: QStyleOptionProgressBar, painter: QPainter) -> None:
        span = option.maximum - option.minimum
        if span <= 0:
            return
        part = min(1.0, max(0.0, (option.progress - option.minimum) / span))
        rect = QRectF(option.rect)
        if part > 0:
            rect.setWidth(max(6.0, rect.width() * part))
            self._bar(painter, rect, self._color("accent"))

    # --- scroll bars ---------------------------------------------------------------------------

    def drawComplexControl(  # noqa: N802
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
        painter.fillRect(option.rect, self._color("base"))
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
        painter.setBrush(self._color("edge" if active else "rail"))
        radius = min(pill.width(), pill.height()) / 2
        painter.drawRoundedRect(pill, radius, radius)
        painter.restore()

    def subControlRect(  # noqa: N802
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        sub: QStyle.SubControl,
        widget: QWidget | None = None,
    ) -> QRect:
        if control != QStyle.ComplexControl.CC_ScrollBar or not isinstance(
            option, QStyleOptionSlider
        ):
            return super().subControlRect(control, option, sub, widget)
        rect = option.rect
        across = option.orientation == Qt.Orientation.Horizontal
        length = rect.width() if across else rect.height()
        handle = length
        start = 0
        if option.maximum > option.minimum:
            span = option.maximum - option.minimum + option.pageStep
            handle = min(length, max(28, int(length * option.pageStep / max(1, span))))
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

    # --- metrics and hints ---------------------------------------------------------------------

    def pixelMetric(  # noqa: N802
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        px = self._theme.fonts.px
        if metric == _PM.PM_ScrollBarExtent:
            return 12
        if metric == _PM.PM_SplitterWidth:
            return 1
        if metric == _PM.PM_ButtonMargin:
            return px(14)
        if metric in (_PM.PM_SmallIconSize, _PM.PM_ButtonIconSize, _PM.PM_ToolBarIconSize):
            return px(16)
        if metric in (_PM.PM_ButtonShiftHorizontal, _PM.PM_ButtonShiftVertical):
            return 0
        if metric == _PM.PM_TabBarTabHSpace:
            return px(24)
        if metric in (_PM.PM_TabBarTabShiftHorizontal, _PM.PM_TabBarTabShiftVertical):
            return 0
        if metric in (_PM.PM_ToolBarFrameWidth, _PM.PM_ToolBarHandleExtent):
            return 0
        return super().pixelMetric(metric, option, widget)

    def styleHint(  # noqa: N802
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        data: QStyleHintReturn | None = None,
    ) -> int:
        if hint == QStyle.StyleHint.SH_EtchDisabledText:
            return 0
        if hint == QStyle.StyleHint.SH_ScrollBar_LeftClickAbsolutePosition:
            return 0
        return super().styleHint(hint, option, widget, data)


def draw_chevron(painter: QPainter, rect: QRectF, color: QColor) -> None:
    """A small chevron pointing down, for buttons that open a menu."""
    center = rect.center()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(
        QPen(color, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    )
    points = [(-3.5, -1.75), (0, 1.75), (3.5, -1.75)]
    painter.drawPolyline(QPolygonF([center + QPointF(x, y) for x, y in points]))
    painter.restore()
