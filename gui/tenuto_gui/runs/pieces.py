# SPDX-License-Identifier: Apache-2.0
"""Small widgets of the panels: a ground in a token's colour, a label in a role and a colour."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent, QIcon, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QLayout,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QToolTip,
    QWidget,
)

from tenuto_gui import icons
from tenuto_gui.fonts import Role
from tenuto_gui.named import NamedLabel
from tenuto_gui.plain import plain_tip
from tenuto_gui.theme import Theme

#: Sides of a mark and of an icon, in pixels at 10 pt.
_MARK, _ICON = 20, 16


class Ground(QWidget):
    """A plain surface, with a line or a bar at its top where asked for."""

    def __init__(self, theme: Theme, token: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.token = token
        #: Token and pixels of a line along the top edge.
        self.top_line: tuple[str, int] | None = None
        self.left_line = False
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color(self.token))
        if self.top_line is not None:
            token, height = self.top_line
            painter.fillRect(0, 0, self.width(), height, self._theme.color(token))
        if self.left_line:
            painter.fillRect(0, 0, 1, self.height(), self._theme.color("line"))
        painter.end()


class RoleLabel(NamedLabel):
    """Plain text, names in it in mono, in a font role and a colour token, following the theme."""

    def __init__(
        self, theme: Theme, role: Role, token: str = "text", parent: QWidget | None = None
    ) -> None:
        super().__init__("", parent)
        self._theme = theme
        self._role = role
        self._token = token
        # Else the role follows the background role of whatever holds the label.
        self.setForegroundRole(QPalette.ColorRole.WindowText)
        theme.changed.connect(self._on_theme)
        self._on_theme()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line that does not fit ends in an ellipsis; wrapped text has the room it needs."""
        if not self._is_cut():
            super().paintEvent(event)
            return
        metrics = self._theme.fonts.metrics(self._role)
        text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self._theme.color(self._token))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(self.rect(), int(flags), text)
        painter.end()

    def _is_cut(self) -> bool:
        return not self.wordWrap() and self.sizeHint().width() > self.width()

    def event(self, event: QEvent) -> bool:
        """What is cut is whole in the tooltip, unless there is a better one."""
        if (
            event.type() == QEvent.Type.ToolTip
            and isinstance(event, QHelpEvent)
            and not self.toolTip()
            and self._is_cut()
        ):
            QToolTip.showText(event.globalPos(), plain_tip(self.text()), self)
            return True
        return super().event(event)

    def set_token(self, token: str) -> None:
        """Another colour."""
        self._token = token
        self._on_theme()

    def set_role(self, role: Role) -> None:
        """Another font."""
        self._role = role
        self._on_theme()

    def _on_theme(self) -> None:
        self.setFont(self._theme.fonts.font(self._role))
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, self._theme.color(self._token))
        self.setPalette(palette)


class MarkLabel(QWidget):
    """A status mark or an icon, sharp at any scale."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._what = ""
        self._token = "text2"
        self._least = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_mark(self, status: str) -> None:
        """Show the mark of a status."""
        self._what = f"mark:{status}"
        self.update()

    def set_icon(self, name: str, token: str) -> None:
        """Show an icon in a colour."""
        self._what, self._token = f"icon:{name}", token
        self.update()

    def share_axis(self) -> None:
        """As wide as a mark: what stands after an icon begins where it does after a mark."""
        self._least = _MARK
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        size = self._size()
        return QSize(max(size, self._theme.fonts.px(self._least)), size)

    def _size(self) -> int:
        return self._theme.fonts.px(_MARK if self._what.startswith("mark:") else _ICON)

    def paintEvent(self, _event: QPaintEvent) -> None:
        kind, _, name = self._what.partition(":")
        if not name:
            return
        size = self._size()
        dpr = self.devicePixelRatioF()
        if kind == "mark":
            pixmap = icons.mark(self._theme, name, size, dpr)
        else:
            pixmap = icons.pixmap(self._theme, name, self._token, size, dpr)
        painter = QPainter(self)
        painter.drawPixmap((self.width() - size) // 2, (self.height() - size) // 2, pixmap)
        painter.end()


class PanelButton(QPushButton):
    """A button that keys reach by Tab and that neither Enter nor Esc ever presses."""

    def __init__(self, theme: Theme, text: str, name: str, icon: str = "") -> None:
        super().__init__(text)
        self._theme = theme
        self._icon = icon
        #: A choice among equals is read as a list: its words begin at the left.
        self.left_aligned = False
        self.setObjectName(name)
        self.setAutoDefault(False)
        self.setDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self._on_theme)
        self._on_theme()

    def _on_theme(self) -> None:
        if self._icon:
            size = self._theme.fonts.px(16)
            self.setIcon(icons.icon(self._theme, self._icon, size=size))
            self.setIconSize(QSize(size, size))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.left_aligned:
            super().paintEvent(event)
            return
        px = self._theme.fonts.px
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButtonBevel, option)
        size = px(16)
        enabled = self.isEnabled()
        mode = QIcon.Mode.Normal if enabled else QIcon.Mode.Disabled
        self.icon().paint(painter, px(10), 0, size, self.height(), mode=mode)
        painter.setFont(self.font())
        painter.setPen(self._theme.color("text" if enabled else "off"))
        left = px(10) if self.icon().isNull() else px(10) + size + px(6)
        place = self.rect().adjusted(left, 0, -px(6), 0)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(place, int(flags), self.text())
        if option.state & QStyle.StateFlag.State_HasFocus:
            option.rect = self.rect()
            painter.drawPrimitive(QStyle.PrimitiveElement.PE_FrameFocusRect, option)
        painter.end()


def button(theme: Theme, text: str, name: str, icon: str = "") -> PanelButton:
    """A button of a panel."""
    return PanelButton(theme, text, name, icon)


def clear(layout: QLayout) -> None:
    """Take everything out of a layout, for good."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def calling(function: Callable[[str], None], argument: str) -> Callable[[], None]:
    """A slot without arguments that calls ``function(argument)``."""

    def call() -> None:
        function(argument)

    return call
