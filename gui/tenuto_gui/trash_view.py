# SPDX-License-Identifier: Apache-2.0
"""The trash in place of list and detail: what was deleted, and its ways back and out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListView,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tenuto_gui import icons
from tenuto_gui.dialogs.question import ask
from tenuto_gui.plain import ink, plain_label, plain_tip
from tenuto_gui.theme import Theme
from tenuto_gui.trash import TrashControl
from tenuto_gui.trash_model import TrashDelegate, TrashModel, TrashRole, title_of

if TYPE_CHECKING:
    from tenuto.sources.trashed import TrashItem


class TrashList(QListView):
    """Esc leaves the trash, Delete asks whether to remove for good."""

    left = Signal()
    delete_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)


class TrashView(QWidget):
    """Shows what `TrashControl` lists."""

    #: Back to the sessions.
    left = Signal()

    def __init__(self, control: TrashControl, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trashView")
        self._control = control
        self._theme = theme
        self.model = TrashModel(self)
        self.list = TrashList(self)
        self.list.setObjectName("trashList")
        self.list.setAccessibleName(self.tr("Trash"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(TrashDelegate(theme, self.list))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.back_button = QToolButton(self)
        self.back_button.setObjectName("trashBack")
        self.back_button.setAutoRaise(True)
        self.back_button.setAccessibleName(self.tr("Back to the list"))
        self.back_button.setToolTip(plain_tip(self.tr("Back to the list")))
        self.back_button.clicked.connect(self.left)
        self.restore_button = self._button(self.tr("Restore"), "trashRestore")
        self.purge_button = self._button(self.tr("Delete for good\u2026"), "trashPurge")
        self.empty_button = self._button(self.tr("Empty trash\u2026"), "trashEmpty")
        self._build()
        self.restore_button.clicked.connect(self.restore)
        self.purge_button.clicked.connect(self.purge)
        self.empty_button.clicked.connect(self.empty)
        self.list.doubleClicked.connect(self.restore)
        self.list.left.connect(self.left)
        self.list.delete_pressed.connect(self.purge)
        self.list.selectionModel().selectionChanged.connect(self._refresh)
        control.listed.connect(self._on_listed)
        theme.changed.connect(self._on_theme)
        self._on_theme()

    def _button(self, text: str, name: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        return button

    def _build(self) -> None:
        px = self._theme.fonts.px
        self._head = QWidget(self)
        row = QHBoxLayout(self._head)
        row.setContentsMargins(px(8), px(8), px(12), px(9))
        row.setSpacing(px(8))
        row.addWidget(self.back_button)
        words = QVBoxLayout()
        words.setSpacing(px(2))
        self.title = plain_label(self.tr("Trash"), self._head)
        self.count = plain_label(parent=self._head)
        self.count.setObjectName("trashCount")
        for label in (self.title, self.count):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            words.addWidget(label)
        row.addLayout(words, 1)
        for button in (self.restore_button, self.purge_button, self.empty_button):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self.list, 1)

    # --- what is shown ---------------------------------------------------------------------------

    def selected(self) -> list[TrashItem]:
        """The selected rows, from top to bottom."""
        rows = sorted(index.row() for index in self.list.selectionModel().selectedIndexes())
        return [self.model.items[row] for row in rows]

    def _on_listed(self, items: list[TrashItem]) -> None:
        kept = {item.token for item in self.selected()}
        self.model.set_items(items)
        selection = self.list.selectionModel()
        for row in range(self.model.rowCount()):
            index = self.model.index(row)
            if index.data(TrashRole.TOKEN) in kept:
                selection.select(index, selection.SelectionFlag.Select)
        if items and not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.model.index(0))
        self._refresh()

    def _refresh(self) -> None:
        count, chosen = self.model.rowCount(), len(self.selected())
        if count:
            self.count.setText(
                self.tr("%n deleted session(s), kept until you empty it", None, count)
            )
        else:
            self.count.setText(
                self.tr("Nothing here. What you delete waits here until you empty it.")
            )
        nothing = self.tr("The trash is empty")
        unchosen = nothing if not count else self.tr("No session is selected")
        for button, enabled, why in (
            (self.restore_button, bool(chosen), unchosen),
            (self.purge_button, bool(chosen), unchosen),
            (self.empty_button, bool(count), nothing),
        ):
            button.setEnabled(enabled)
            button.setToolTip("" if enabled else plain_tip(why))

    # --- deeds -----------------------------------------------------------------------------------

    def restore(self) -> None:
        """Bring the selected sessions back."""
        if chosen := self.selected():
            self._control.restore(chosen)

    def purge(self) -> None:
        """Remove the selected sessions for good, after one question."""
        chosen = self.selected()
        if not chosen:
            return
        if len(chosen) == 1:
            name = title_of(chosen[0]) or chosen[0].id
            title = self.tr("Delete \u201c{name}\u201d for good?").format(name=name)
        else:
            title = self.tr("Delete %n session(s) for good?", None, len(chosen))
        ask(
            self,
            title,
            self.tr("There is no way back from this."),
            self.tr("Delete for good"),
            lambda: self._control.purge(chosen),
        )

    def empty(self) -> None:
        """Remove everything for good, after one question."""
        if not self.model.rowCount():
            return
        items = list(self.model.items)
        text = self.tr("The trash is emptied. There is no way back from this.")
        if others := sum(not item.other_id for item in items):
            text += " " + self.tr("%n of them are in Reasonix's own trash.", None, others)
        ask(
            self,
            self.tr("Delete %n session(s) for good?", None, len(items)),
            text,
            self.tr("Empty trash"),
            lambda: self._control.purge(items),
        )

    # --- looks -----------------------------------------------------------------------------------

    def _on_theme(self) -> None:
        theme, fonts = self._theme, self._theme.fonts
        self.title.setFont(fonts.font("title"))
        self.count.setFont(fonts.font("small"))
        ink(self.count, theme.color("text2"))
        size = fonts.px(16)
        for button, name in (
            (self.restore_button, "undo"),
            (self.purge_button, "cross"),
            (self.empty_button, "trash"),
        ):
            button.setIcon(icons.icon(theme, name, "text", size))
            button.setIconSize(QSize(size, size))
        self.back_button.setIcon(icons.icon(theme, "chevron-left", "text", size))
        self.back_button.setIconSize(QSize(size, size))
        self.list.scheduleDelayedItemsLayout()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("base"))
        painter.fillRect(0, self._head.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()
