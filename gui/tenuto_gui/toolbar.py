# SPDX-License-Identifier: Apache-2.0
"""The top of the window: verbs, the filter field, undo, theme."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from tenuto_gui import icons
from tenuto_gui.actions import Actions
from tenuto_gui.menus import VerbMenu
from tenuto_gui.plain import plain_tip
from tenuto_gui.theme import Theme


class FilterEdit(QLineEdit):
    """Filters the list letter by letter. Esc clears it, Down and Enter go to the list."""

    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, keys: str = "") -> None:
        """``keys``: what leads here from everywhere, in the system's words; "" for nothing."""
        super().__init__(parent)
        self._keys = keys
        self.setObjectName("filterEdit")
        self.setPlaceholderText(self.tr("Filter sessions"))
        self.setAccessibleName(self.tr("Filter sessions"))
        self._theme = theme
        self._glass = self.addAction(
            icons.icon(theme, "search", "text2", theme.fonts.px(16)),
            QLineEdit.ActionPosition.LeadingPosition,
        )
        self._clear = self.addAction(
            icons.icon(theme, "cross", "text2", theme.fonts.px(16)),
            QLineEdit.ActionPosition.TrailingPosition,
        )
        self._clear.setToolTip(plain_tip(self.tr("Clear the filter")))
        self._clear.setVisible(False)
        self._clear.triggered.connect(self.clear)
        self.textChanged.connect(self._on_text)
        theme.changed.connect(self._on_theme)
        self._on_theme()

    def _on_text(self, text: str) -> None:
        self._clear.setVisible(bool(text))

    def _on_theme(self) -> None:
        size = self._theme.fonts.px(16)
        self._glass.setIcon(icons.icon(self._theme, "search", "text2", size))
        self._clear.setIcon(icons.icon(self._theme, "cross", "text2", size))
        self.setFixedHeight(max(self._theme.fonts.px(28), self.fontMetrics().height() + 10))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Where nothing is typed, the keys that lead here stand at the end."""
        super().paintEvent(event)
        fonts = self._theme.fonts
        metrics = fonts.metrics("small")
        room = self.rect().adjusted(0, 0, -fonts.px(10), 0)
        spare = (
            room.width()
            - fonts.px(48)
            - self.fontMetrics().horizontalAdvance(self.placeholderText())
        )
        if self.text() or self.hasFocus() or metrics.horizontalAdvance(self._keys) > spare:
            return
        painter = QPainter(self)
        painter.setFont(fonts.font("small"))
        painter.setPen(self._theme.color("text2"))
        place = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, int(place), self._keys)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in (
            Qt.Key.Key_Escape,
            Qt.Key.Key_Down,
            Qt.Key.Key_Return,
            Qt.Key.Key_Enter,
        ):
            self.left.emit()
        else:
            super().keyPressEvent(event)


class Toolbar(QWidget):
    """44 px of verbs. Labels fold into icons in a narrow window."""

    def __init__(self, actions: Actions, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._actions = actions
        self._labelled: list[QToolButton] = []
        px = theme.fonts.px
        row = QHBoxLayout(self)
        row.setContentsMargins(px(10), 0, px(10), 1)
        row.setSpacing(px(4))
        self._back = self._button(actions.back)
        self._back.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self._labelled.remove(self._back)
        self._back.hide()
        row.addWidget(self._back)
        self._new_run = self._button(actions.new_run)
        # The last one to lose its words.
        self._labelled.remove(self._new_run)
        row.addWidget(self._new_run)
        row.addWidget(self._divider())
        row.addWidget(self._button(actions.resume))
        self._more = QToolButton(self)
        self._more.setAutoRaise(True)
        self._more.setObjectName("moreWays")
        self._more.setAccessibleName(self.tr("More ways to resume"))
        self._more.clicked.connect(self._open_more)
        self._ways = (actions.resume, actions.resume_say, actions.resume_force)
        for way in self._ways:
            way.changed.connect(self._on_ways)
        self._on_ways()
        row.addWidget(self._more)
        row.addWidget(self._divider())
        row.addWidget(self._button(actions.suspend))
        row.addWidget(self._button(actions.fork))
        row.addStretch(2)
        keys = actions.filter.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.filter_edit = FilterEdit(theme, self, keys=keys)
        self.filter_edit.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.filter_edit.setMaximumWidth(px(420))
        self.filter_edit.setMinimumWidth(px(120))
        row.addWidget(self.filter_edit, 6)
        row.addStretch(2)
        row.addWidget(self._button(actions.undo_delete))
        row.addWidget(self._divider())
        for action in (actions.theme, actions.keys):
            plain = self._button(action)
            plain.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            self._labelled.remove(plain)
            row.addWidget(plain)
            #: Where Tab leaves the toolbar.
            self.last = plain
        theme.changed.connect(self._on_theme)
        self._on_theme()

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setAutoRaise(True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._labelled.append(button)
        return button

    def _divider(self) -> QFrame:
        line = QFrame(self)
        line.setFrameShape(QFrame.Shape.VLine)
        line.setFrameShadow(QFrame.Shadow.Plain)
        line.setForegroundRole(line.palette().ColorRole.Mid)
        line.setFixedSize(self._theme.fonts.px(13), self._theme.fonts.px(20))
        return line

    def _on_ways(self) -> None:
        """A menu of which nothing can be done is off, and says what Resume says."""
        some = any(way.isEnabled() for way in self._ways)
        self._more.setEnabled(some)
        tip = plain_tip(self.tr("More ways to resume")) if some else self._actions.resume.toolTip()
        self._more.setToolTip(tip)
        self._more.setStatusTip("" if some else self._actions.resume.statusTip())

    def _open_more(self) -> None:
        menu = VerbMenu(parent=self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self._ways)
        menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def set_labels(self, shown: bool, *, new_run: bool) -> None:
        """Icons alone in a narrow window; the words move into the tooltips."""
        style = Qt.ToolButtonStyle
        wanted = style.ToolButtonTextBesideIcon if shown else style.ToolButtonIconOnly
        for button in self._labelled:
            button.setToolButtonStyle(wanted)
        self._new_run.setToolButtonStyle(
            style.ToolButtonTextBesideIcon if new_run else style.ToolButtonIconOnly
        )

    def set_back(self, shown: bool) -> None:
        """A way back, where something stands in place of the list."""
        self._back.setVisible(shown)

    def _on_theme(self) -> None:
        fonts = self._theme.fonts
        size = fonts.px(16)
        height = max(fonts.px(28), fonts.line_height("body") + fonts.px(8))
        self.setFixedHeight(max(fonts.px(44), height + fonts.px(12)))
        for button in self.findChildren(QToolButton):
            button.setIconSize(QSize(size, size))
            if button.parent() is self:
                button.setFixedHeight(height)
        self._more.setIcon(icons.icon(self._theme, "chevron-down", "text", fonts.px(12)))
        self._more.setIconSize(QSize(fonts.px(12), fonts.px(12)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("window"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()
