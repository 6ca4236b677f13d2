# SPDX-License-Identifier: Apache-2.0
"""The middle of the window: a header with count and order, and the list of sessions."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tenuto_gui import format as fmt
from tenuto_gui import icons
from tenuto_gui.grouping import fill_menu
from tenuto_gui.i18n import translate
from tenuto_gui.plain import ink, plain_label, plain_tip
from tenuto_gui.sessions.filters import FilterColumn
from tenuto_gui.sessions.list_view import SessionList
from tenuto_gui.sessions.model import SessionModel
from tenuto_gui.sessions.order import Sort
from tenuto_gui.sessions.words import facet_phrase, facet_word
from tenuto_gui.theme import Theme

_ORDERS: tuple[Sort, ...] = ("activity", "created", "name", "tokens")


def order_words(sort: Sort) -> str:
    return {
        "activity": translate("order", "Newest activity"),
        "created": translate("order", "Newest first"),
        "name": translate("order", "Name"),
        "tokens": translate("order", "Most tokens"),
    }[sort]


class ListHeader(QWidget):
    """``42 sessions`` on the left, the order on the right; the filters too when they are folded.

    `fill_more` is what else the menu of orders holds.
    """

    trash_asked = Signal()

    def __init__(
        self,
        sessions: SessionModel,
        filters: FilterColumn,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._sessions = sessions
        self._filters = filters
        self._theme = theme
        self.trash_count = 0
        self.fill_more: Callable[[QMenu], None] = lambda _menu: None
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.fonts.px(12), 0, theme.fonts.px(6), 1)
        row.setSpacing(theme.fonts.px(4))
        self.count = plain_label(parent=self)
        self.count.setObjectName("listCount")
        self.folded = self._menu_button(self.tr("Filters"))
        self.folded.clicked.connect(self._open_filters)
        self.folded.hide()
        self.order = self._menu_button(self.tr("Order and groups"))
        self.order.clicked.connect(self._open_orders)
        row.addWidget(self.folded)
        row.addWidget(self.count)
        row.addStretch(1)
        row.addWidget(self.order)
        sessions.shown_changed.connect(self.refresh)
        theme.changed.connect(self._on_theme)
        self._on_theme()
        self.refresh()

    def _menu_button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setAutoRaise(True)
        button.setAccessibleName(name)
        button.setToolTip(plain_tip(name))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        return button

    def set_folded(self, folded: bool) -> None:
        """Whether the filter column is a button here."""
        self.folded.setVisible(folded)
        self.count.setVisible(not folded)
        self.refresh()

    def refresh(self) -> None:
        total, shown = self._sessions.total, self._sessions.shown_count
        if shown == total:
            self.count.setText(self.tr("%n session(s)", None, total))
        else:
            text = self.tr("{shown} of %n session(s)", None, total)
            self.count.setText(text.format(shown=fmt.exact(shown)))
        facet = facet_word(self._sessions.filter_facet).replace("&", "&&")
        self.folded.setText(f"{facet} {fmt.exact(shown)}")
        self.order.setText(order_words(self._sessions.sort_order))

    def _open_orders(self) -> None:
        self.open_orders(self.order.mapToGlobal(QPoint(0, self.order.height())))

    def open_orders(self, place: QPoint) -> None:
        """The menu of orders and groups, on the screen."""
        menu = QMenu(self)
        menu.setObjectName("orderMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for sort in _ORDERS:
            action = menu.addAction(order_words(sort))
            action.setCheckable(True)
            action.setChecked(sort == self._sessions.sort_order)
            action.triggered.connect(self._chooser(sort))
        menu.addSeparator()
        tree = menu.addAction(self.tr("Forks below their session"))
        tree.setObjectName("orderTree")
        tree.setCheckable(True)
        tree.setChecked(self._sessions.is_tree)
        tree.triggered.connect(self._sessions.set_tree)
        self.fill_more(menu)
        menu.popup(place)

    def _chooser(self, sort: Sort) -> Callable[[], None]:
        def choose() -> None:
            self._sessions.set_sort(sort)
            self.refresh()

        return choose

    def _open_filters(self) -> None:
        menu = QMenu(self)
        menu.setObjectName("filterMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._filters.fill_menu(menu)
        menu.addSeparator()
        text = self.tr("Trash") + "\t" + fmt.exact(self.trash_count)
        trash = menu.addAction(icons.icon(self._theme, "trash"), text)
        trash.setObjectName("filterMenuTrash")
        trash.triggered.connect(self.trash_asked)
        menu.popup(self.folded.mapToGlobal(QPoint(0, self.folded.height())))

    def _on_theme(self) -> None:
        fonts = self._theme.fonts
        height = max(fonts.px(32), fonts.line_height("small") + fonts.px(14))
        self.setFixedHeight(height)
        self.count.setFont(fonts.font("small"))
        ink(self.count, self._theme.color("text2"))
        for button in (self.folded, self.order):
            button.setFont(fonts.font("small"))
            button.setFixedHeight(height - fonts.px(6))
            button.setIcon(icons.icon(self._theme, "chevron-down", "text2", fonts.px(12)))
            button.setIconSize(QSize(fonts.px(12), fonts.px(12)))
            ink(button, self._theme.color("text2"))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("base"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()


class ListPane(QWidget):
    """Header and list. `show_all` is asked for where a filter left nothing."""

    show_all = Signal()

    def __init__(
        self,
        sessions: SessionModel,
        filters: FilterColumn,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._sessions = sessions
        self._theme = theme
        self.header = ListHeader(sessions, filters, theme, self)
        self.list = SessionList(sessions, theme, self)
        self.header.fill_more = lambda menu: fill_menu(menu, self.list, sessions)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.list, 1)
        self.all_button = QPushButton(self.list.viewport())
        self.all_button.setObjectName("showAll")
        self.all_button.setText(self.tr("Show all"))
        self.all_button.clicked.connect(self.show_all)
        self.all_button.hide()
        self.setMinimumWidth(theme.fonts.px(300))
        sessions.shown_changed.connect(self._refresh_empty)

    def _refresh_empty(self) -> None:
        """What an empty list says, and the way back to all."""
        empty = self._sessions.shown_count == 0 and self._sessions.is_filtered
        self.list.empty_title = self.list.empty_hint = ""
        if empty and self._sessions.filter_text:
            self.list.empty_title = self.tr("Nothing found for \u201c{text}\u201d").format(
                text=self._sessions.filter_text
            )
            self.list.empty_hint = self.tr(
                "It was looked for in title, prompt, last text, model and id."
            )
        elif empty:
            self.list.empty_title = facet_phrase(self._sessions.filter_facet)
            self.list.empty_hint = self.tr(
                "%n session(s) hidden by the filter", None, self._sessions.total
            )
        self.all_button.setVisible(empty)
        if empty:
            self.all_button.adjustSize()
            px = self._theme.fonts.px
            x = (self.list.viewport().width() - self.all_button.width()) // 2
            self.all_button.move(x, px(120))
        self.list.viewport().update()
