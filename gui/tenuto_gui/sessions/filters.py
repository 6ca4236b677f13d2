# SPDX-License-Identifier: Apache-2.0
"""The filter column: statuses, sources and models with live counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

import msgspec
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from tenuto_gui import format as fmt
from tenuto_gui import icons
from tenuto_gui.plain import cut_path, outline_chosen, plain_tip
from tenuto_gui.scroll_style import overlay
from tenuto_gui.sessions.model import SessionModel
from tenuto_gui.sessions.words import FACET_MARK, FACETS, facet_word, source_word
from tenuto_gui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
Kind = Literal["head", "facet", "source", "group", "model"]
_ROOT = QModelIndex()
_SF = QStyle.StateFlag
#: Shown only where there are sessions of it.
_RARE = frozenset({"ready"})
#: Where sessions come from, in the order of the column.
_SOURCES = ("fisk-ai", "reasonix")
_SINGLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_SINGLE_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class Entry(msgspec.Struct, frozen=True):
    """One row: a heading, or a filter with its count."""

    kind: Kind
    key: str
    text: str
    count: int = 0
    chosen: bool = False


#: How a section writes its keys.
_SHOWN: dict[str, Callable[[str], str]] = {
    "source": source_word,
    "group": fmt.home_path,
    "model": str,
}


class FilterModel(QAbstractListModel):
    """Follows the counts of the session model."""

    def __init__(self, sessions: SessionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sessions = sessions
        self.entries: list[Entry] = []
        #: kind -> key that is in force ("" = no filter of that kind).
        self.chosen: dict[str, str] = {"facet": "all", "source": "", "group": "", "model": ""}
        self.refresh()
        sessions.counts_changed.connect(self.refresh)

    def refresh(self) -> None:
        """Count again. Rows are replaced only where their number changes."""
        wanted = self._build()
        if [(e.kind, e.key) for e in wanted] == [(e.kind, e.key) for e in self.entries]:
            changed = [
                i for i, (a, b) in enumerate(zip(wanted, self.entries, strict=True)) if a != b
            ]
            self.entries = wanted
            for row in changed:
                self.dataChanged.emit(self.index(row), self.index(row))
            return
        self.beginResetModel()
        self.entries = wanted
        self.endResetModel()

    def _build(self) -> list[Entry]:
        facets = self._sessions.facet_counts()
        entries = [
            Entry("head", "status", self.tr("Status")),
            self._entry("facet", "all", facet_word("all"), self._sessions.total),
        ]
        entries += [
            self._entry("facet", facet, facet_word(facet), facets[facet])
            for facet in FACETS
            if facets[facet] or facet not in _RARE
        ]
        sections: tuple[tuple[Kind, str, Counter[str]], ...] = (
            ("source", self.tr("Source"), self._sessions.source_counts()),
            ("group", self.tr("Project"), self._sessions.group_counts()),
            ("model", self.tr("Model"), self._sessions.model_counts()),
        )
        if not self._sessions.total:
            # What there is to be had, while there is nothing yet.
            sections[0][2].update(dict.fromkeys(_SOURCES, 0))
        for kind, title, counts in sections:
            if counts:
                entries.append(Entry("head", kind, title))
            ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            entries += [self._entry(kind, key, _SHOWN[kind](key), count) for key, count in ordered]
        return entries

    def _entry(self, kind: Kind, key: str, text: str, count: int) -> Entry:
        return Entry(kind, key, text, count, self.chosen[kind] == key)

    def choose(self, entry: Entry) -> None:
        """Put a filter in force; choosing a source or a model again lifts it."""
        lift = entry.kind != "facet" and entry.chosen
        self.chosen[entry.kind] = "" if lift else entry.key
        self.refresh()

    def clear(self) -> None:
        self.chosen = {"facet": "all", "source": "", "group": "", "model": ""}
        self.refresh()

    # --- Qt ------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.entries)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or self.entries[index.row()].kind == "head":
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.text
        if role == Qt.ItemDataRole.UserRole:
            return entry
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return entry.text if entry.kind == "head" else f"{entry.text}, {entry.count}"
        return None


class FilterDelegate(QStyledItemDelegate):
    """Mark, name, count; a filled pill for sessions that wait."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        entry: Entry = index.data(Qt.ItemDataRole.UserRole)
        px = self._theme.fonts.px
        height = max(px(26), self._theme.fonts.line_height("body") + px(6))
        if entry.kind == "head":
            height += px(6) if index.row() == 0 else px(8)
        return QSize(px(100), height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: Entry = index.data(Qt.ItemDataRole.UserRole)
        theme, fonts, px = self._theme, self._theme.fonts, self._theme.fonts.px
        rect = QRectF(option.rect)
        painter.save()
        if entry.kind == "head":
            painter.setFont(fonts.font("small_demi"))
            painter.setPen(theme.color("text2"))
            line = fonts.line_height("small") + px(6)
            painter.drawText(
                QRectF(rect.left() + px(16), rect.bottom() - line, rect.width(), line),
                _SINGLE,
                entry.text,
            )
            painter.restore()
            return
        row = rect.adjusted(px(8), 0, -px(8), 0)
        ink = self._ground(painter, option, row, entry)
        size = px(16)
        x = row.left() + px(8)
        if entry.kind == "facet":
            ratio = painter.device().devicePixelRatioF()
            y = round(row.center().y() - size / 2)
            if entry.key == "all":
                shown = icons.pixmap(theme, "lines", "text", size, ratio)
            else:
                shown = icons.mark(theme, FACET_MARK.get(entry.key, entry.key), size, ratio)
            painter.drawPixmap(round(x), y, shown)
            x += size + px(8)
        count = fmt.exact(entry.count)
        count_width = fonts.metrics("small").horizontalAdvance(count)
        self._count(painter, row, entry, count, count_width, ink)
        painter.setFont(fonts.font("medium" if entry.chosen else "body"))
        painter.setPen(ink or theme.color("text"))
        room = self._room(rect, entry)
        text = self._words(rect, entry)
        painter.drawText(QRectF(x, row.top(), room, row.height()), _SINGLE, text)
        painter.restore()

    def _room(self, rect: QRectF, entry: Entry) -> float:
        """Pixels between a row's mark and its count."""
        px = self._theme.fonts.px
        left = px(16) + (px(16) + px(8) if entry.kind == "facet" else 0)
        width = self._theme.fonts.metrics("small").horizontalAdvance(fmt.exact(entry.count))
        return rect.width() - left - px(16) - width - px(10)

    def _words(self, rect: QRectF, entry: Entry) -> str:
        """What a row has room for. Projects are paths: what tells them apart is at their end."""
        metrics, room = self._theme.fonts.metrics("medium"), self._room(rect, entry)
        if entry.kind == "group":
            return cut_path(entry.text, metrics, room)
        return metrics.elidedText(entry.text, Qt.TextElideMode.ElideRight, room)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """All of what is cut."""
        entry: Entry | None = index.data(Qt.ItemDataRole.UserRole)
        if event.type() != QEvent.Type.ToolTip or entry is None or entry.kind == "head":
            return super().helpEvent(event, view, option, index)
        cut = self._words(QRectF(option.rect), entry) != entry.text
        QToolTip.showText(event.globalPos(), plain_tip(entry.text) if cut else "", view)
        return True

    def _ground(
        self, painter: QPainter, option: QStyleOptionViewItem, row: QRectF, entry: Entry
    ) -> QColor | None:
        """Fill the row. Returns the one colour all text must take, or None for the usual ones."""
        theme = self._theme
        ink = None
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        view = option.widget
        muted = isinstance(view, FilterColumn) and view.muted
        if entry.chosen and not muted:
            focus = view.hasFocus() and view.isActiveWindow()
            painter.setBrush(theme.color("sel" if focus else "sel_off"))
            painter.drawRoundedRect(row, 5, 5)
            if not focus:
                outline_chosen(painter, theme, row, 5)
            elif theme.high_contrast:
                ink = theme.color("sel_text")
        elif option.state & _SF.State_MouseOver:
            painter.setBrush(theme.color("hover"))
            painter.drawRoundedRect(row, 5, 5)
        if option.state & _SF.State_HasFocus and option.state & _SF.State_KeyboardFocusChange:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.drawRoundedRect(row.adjusted(1, 1, -1, -1), 5, 5)
        return ink

    def _count(
        self,
        painter: QPainter,
        row: QRectF,
        entry: Entry,
        count: str,
        width: float,
        ink: QColor | None,
    ) -> None:
        theme, fonts, px = self._theme, self._theme.fonts, self._theme.fonts.px
        if entry.key == "waiting" and entry.count:
            height = fonts.line_height("small") + px(2)
            breadth = max(px(22), round(width) + px(12))
            pill = QRectF(
                row.right() - px(8) - breadth, row.center().y() - height / 2, breadth, height
            )
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("wait_fill"))
            painter.drawRoundedRect(pill, height / 2, height / 2)
            painter.setFont(fonts.font("small_demi"))
            painter.setPen(theme.color("wait_glyph"))
            painter.drawText(pill, int(Qt.AlignmentFlag.AlignCenter), count)
            return
        painter.setFont(fonts.font("small"))
        painter.setPen(ink or theme.color("text" if entry.chosen else "text2"))
        painter.drawText(row.adjusted(0, 0, -px(8), 0), _SINGLE_RIGHT, count)


class FilterColumn(QListView):
    """The column. `filters_changed` carries facet, source, group and model."""

    filters_changed = Signal(str, str, str, str)

    def __init__(self, sessions: SessionModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sessionFilters")
        self.setAccessibleName(self.tr("Filters"))
        self._theme = theme
        #: Something else than what is chosen here is on show.
        self.muted = False
        self._filters = FilterModel(sessions, self)
        self.setModel(self._filters)
        self.setItemDelegate(FilterDelegate(theme, self))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        overlay(self.verticalScrollBar())
        # A click chooses; arrow keys walk and Enter or Space chooses.
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)
        theme.changed.connect(self._on_theme)
        self._on_theme()

    def _on_theme(self) -> None:
        palette = self.palette()
        palette.setColor(palette.ColorRole.Base, self._theme.color("side"))
        palette.setColor(palette.ColorRole.Window, self._theme.color("side"))
        self.setPalette(palette)
        self.scheduleDelayedItemsLayout()

    def set_muted(self, muted: bool) -> None:
        """Whether the chosen rows stand back, as another part of the window is on show."""
        self.muted = muted
        self.viewport().update()

    def entries(self) -> list[Entry]:
        """The rows as they are, counts included."""
        return list(self._filters.entries)

    def choose(self, kind: Kind, key: str) -> None:
        """Choose as a click does."""
        for entry in self._filters.entries:
            if (entry.kind, entry.key) == (kind, key):
                self._choose(entry)
                return

    def clear_filters(self) -> None:
        self._filters.clear()
        self.filters_changed.emit("all", "", "", "")

    def fill_menu(self, menu: QMenu) -> None:
        """The same rows as a menu, where the window is too narrow for the column."""
        menu.clear()
        for entry in self._filters.entries:
            if entry.kind == "head":
                menu.addSection(entry.text)
                continue
            action = menu.addAction(f"{entry.text}\t{fmt.exact(entry.count)}".replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(entry.chosen)
            action.triggered.connect(self._chooser(entry))

    def _chooser(self, entry: Entry) -> Callable[[], None]:
        return lambda: self._choose(entry)

    def _on_chosen(self, index: QModelIndex) -> None:
        entry: Entry = index.data(Qt.ItemDataRole.UserRole)
        if entry.kind != "head":
            self._choose(entry)

    def _choose(self, entry: Entry) -> None:
        self._filters.choose(entry)
        chosen = self._filters.chosen
        self.filters_changed.emit(*(chosen[kind] for kind in ("facet", "source", "group", "model")))
