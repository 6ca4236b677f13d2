# SPDX-License-Identifier: Apache-2.0
"""A thin proxy over Fusion: the few controls that Fusion draws differently (look.md).

Everything is painted from tokens. Content (lists, transcript, tables) is painted by delegates, so
dropping this style ("Use the system's widget style") changes the controls only.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QIcon, QPainter, QPen
from PySide6.QtWidgets import (
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QStyleOptionButton,
    QStyleOptionProgressBar,
    QStyleOptionTab,
    QStyleOptionToolButton,
    QWidget,
)

from tenuto_gui.combo_style import FIELD_SIDE, ComboStyle
from tenuto_gui.indicator_style import RADIUS
from tenuto_gui.scroll_style import EXTENT, is_overlay
from tenuto_gui.theme import Theme

_SF = QStyle.StateFlag
_PE = QStyle.PrimitiveElement
_CE = QStyle.ControlElement
_PM = QStyle.PixelMetric

#: Space beside the words of a tab, both sides together.
_TAB_SPACE = 24
#: Between the icon and the words of a button.
_ICON_GAP = 8
#: Set this dynamic property on the one button of a window that is filled.
PRIMARY = "primary"


class TenutoStyle(ComboStyle):
    """Fusion with our buttons, fields, tabs, scroll bars and progress bars.

    Qt passes no widget at times, which the stubs of some methods forget (the ignores below).
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)

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

    def drawPrimitive(
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
            if focus and option.state & _SF.State_KeyboardFocusChange:
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
        primary = widget is not None and bool(widget.property(PRIMARY)) and enabled
        if primary:
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
        # Fusion shows the focus of a button by the colour of its frame, and asks for no ring.
        if option.state & _SF.State_HasFocus and option.state & _SF.State_KeyboardFocusChange:
            self._ring(painter, QRectF(rect))
            if primary:
                # On its own colour a ring is seen by the line beside it.
                self._frame(painter, rect.adjusted(2, 2, -2, -2), None, self._color("on_accent"))

    def _tool_button(self, option: QStyleOption, painter: QPainter) -> None:
        if not option.state & _SF.State_Enabled:
            return
        pressed = bool(option.state & (_SF.State_Sunken | _SF.State_On))
        if pressed or option.state & _SF.State_MouseOver:
            self._frame(painter, option.rect, self._color("band"), self._color("line"))
        if option.state & _SF.State_HasFocus and option.state & _SF.State_KeyboardFocusChange:
            self._ring(painter, QRectF(option.rect))

    # --- controls ------------------------------------------------------------------------------

    def drawControl(
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
        elif element == _CE.CE_ToolButtonLabel and isinstance(option, QStyleOptionToolButton):
            self._tool_label(option, painter)
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
            side = self._theme.fonts.px(_TAB_SPACE) // 2 - 2
            bar = option.rect.adjusted(side, option.rect.height() - 3, -side, 0)
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
        place = option.rect.adjusted(0, 0, 0, -2)
        if not option.icon.isNull():
            # A tab's mark stands behind its words, where the eye looks for news of it.
            size = option.iconSize.width()
            side = self._theme.fonts.px(_TAB_SPACE) // 2
            mark = QRect(place.right() + 1 - side - size, 0, size, size)
            mark.moveTop(place.center().y() - size // 2)
            option.icon.paint(painter, mark)
            place.setRight(mark.left() - self._theme.fonts.px(_ICON_GAP) + side)
        painter.drawText(place, int(flags), option.text)
        painter.restore()
        if option.state & _SF.State_HasFocus and option.state & _SF.State_KeyboardFocusChange:
            self._ring(painter, QRectF(option.rect.adjusted(0, 2, 0, -4)))

    def _button_label(
        self, option: QStyleOptionButton, painter: QPainter, widget: QWidget | None
    ) -> None:
        enabled = bool(option.state & _SF.State_Enabled)
        primary = widget is not None and bool(widget.property(PRIMARY)) and enabled
        ink = self._color("on_accent" if primary else "text" if enabled else "off")
        font = self._theme.fonts.font("medium") if primary else painter.font()
        self._label(painter, option, QRectF(option.rect), option.iconSize.width(), font, ink)

    def _tool_label(self, option: QStyleOptionToolButton, painter: QPainter) -> None:
        enabled = bool(option.state & _SF.State_Enabled)
        palette = option.palette
        group = palette.ColorGroup.Normal if enabled else palette.ColorGroup.Disabled
        ink = palette.color(group, palette.ColorRole.ButtonText)
        self._label(painter, option, QRectF(option.rect), option.iconSize.width(), option.font, ink)

    def _label(
        self,
        painter: QPainter,
        option: QStyleOptionButton | QStyleOptionToolButton,
        rect: QRectF,
        size: int,
        font: QFont,
        ink: QColor,
    ) -> None:
        """Icon, gap, words, as one group in the middle; the icon is last in a right-to-left one."""
        icon, text = option.icon, option.text
        alone = isinstance(option, QStyleOptionToolButton) and (
            option.toolButtonStyle == Qt.ToolButtonStyle.ToolButtonIconOnly
        )
        if alone and not icon.isNull():
            text = ""
        painter.save()
        painter.setFont(font)
        painter.setPen(ink)
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic)
        width = (
            painter.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, text).width() if text else 0
        )
        picture = 0 if icon.isNull() else size
        gap = self._theme.fonts.px(_ICON_GAP) if text and picture else 0
        x = rect.center().x() - (width + picture + gap) / 2
        trailing = option.direction == Qt.LayoutDirection.RightToLeft
        at = x + (width + gap if trailing else 0)
        if picture:
            mode = QIcon.Mode.Normal if option.state & _SF.State_Enabled else QIcon.Mode.Disabled
            place = QRect(round(at), round(rect.center().y() - size / 2), size, size)
            icon.paint(painter, place, Qt.AlignmentFlag.AlignCenter, mode)
        start = x if trailing else x + picture + gap
        painter.drawText(QRectF(start, rect.top(), width + 2, rect.height()), flags, text)
        painter.restore()

    def sizeFromContents(
        self,
        kind: QStyle.ContentsType,
        option: QStyleOption,
        size: QSize,
        widget: QWidget | None = None,
    ) -> QSize:
        fonts = self._theme.fonts
        height = max(fonts.px(28), fonts.line_height("body") + fonts.px(10))
        buttons = (QStyle.ContentsType.CT_PushButton, QStyle.ContentsType.CT_ToolButton)
        if kind not in buttons or not isinstance(
            option, QStyleOptionButton | QStyleOptionToolButton
        ):
            found = super().sizeFromContents(kind, option, size, widget)  # type: ignore[arg-type]
            # Fields stand beside buttons.
            fields = (QStyle.ContentsType.CT_LineEdit, QStyle.ContentsType.CT_ComboBox)
            if kind == QStyle.ContentsType.CT_TabBarTab and isinstance(option, QStyleOptionTab):
                # Qt leaves 4 pixels between a tab's words and its mark, whatever the font.
                room = 0 if option.icon.isNull() else fonts.px(_ICON_GAP) - 4
                return found + QSize(room, 0)
            return found.expandedTo(QSize(0, height)) if kind in fields else found
        font = option.font if isinstance(option, QStyleOptionToolButton) else fonts.font("medium")
        text = option.text
        if isinstance(option, QStyleOptionToolButton) and (
            option.toolButtonStyle == Qt.ToolButtonStyle.ToolButtonIconOnly
        ):
            text = ""
        width = QFontMetrics(font).size(Qt.TextFlag.TextShowMnemonic, text).width() if text else 0
        picture = 0 if option.icon.isNull() else option.iconSize.width()
        gap = fonts.px(_ICON_GAP) if text and picture else 0
        pad = fonts.px(12 if kind == QStyle.ContentsType.CT_PushButton else 8)
        return QSize(width + picture + gap + 2 * pad, height)

    def subElementRect(
        self, element: QStyle.SubElement, option: QStyleOption, widget: QWidget | None = None
    ) -> QRect:
        rect = super().subElementRect(element, option, widget)  # type: ignore[arg-type]
        if element == QStyle.SubElement.SE_LineEditContents:
            side = self._theme.fonts.px(FIELD_SIDE)
            return rect.adjusted(side, 0, -side, 0)
        if element == QStyle.SubElement.SE_TabWidgetTabBar:
            rect.translate(self._theme.fonts.px(4), 0)
        elif element == QStyle.SubElement.SE_TabWidgetRightCorner:
            # Beside the tabs, from their top; Qt stands it on the page, and by its own hint.
            rect.moveTop(0)
        return rect

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

    # --- metrics and hints ---------------------------------------------------------------------

    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        px = self._theme.fonts.px
        if metric == _PM.PM_ScrollBarExtent:
            return EXTENT
        if metric == _PM.PM_SplitterWidth:
            return 1
        if metric == _PM.PM_ButtonMargin:
            return px(14)
        if metric in (_PM.PM_SmallIconSize, _PM.PM_ButtonIconSize, _PM.PM_ToolBarIconSize):
            return px(16)
        if metric in (_PM.PM_ButtonShiftHorizontal, _PM.PM_ButtonShiftVertical):
            return 0
        if metric == _PM.PM_TabBarTabHSpace:
            return px(_TAB_SPACE)
        if metric == _PM.PM_TabBarTabVSpace:
            return px(14)
        if metric == _PM.PM_ScrollView_ScrollBarOverlap:
            return EXTENT if is_overlay(widget) else 0
        if metric in (_PM.PM_TabBarTabShiftHorizontal, _PM.PM_TabBarTabShiftVertical):
            return 0
        if metric in (_PM.PM_ToolBarFrameWidth, _PM.PM_ToolBarHandleExtent):
            return 0
        return super().pixelMetric(metric, option, widget)

    def styleHint(
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
        if hint == QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons:
            # They would come from the desktop's theme, in colours of its own.
            return 0
        return super().styleHint(hint, option, widget, data)
