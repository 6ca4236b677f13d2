# SPDX-License-Identifier: Apache-2.0
"""What the keys do: a panel over the window, made from the menus themselves."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import combinations, islice, pairwise

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tenuto_gui import icons
from tenuto_gui.actions import Actions
from tenuto_gui.i18n import enumerated
from tenuto_gui.i18n import translate as tr
from tenuto_gui.menus import LINE, MENU_BAR, menu_title
from tenuto_gui.plain import ink, plain_label, plain_tip
from tenuto_gui.theme import Theme

#: Columns at most.
_COLUMNS = 3
#: Between columns, between words and their keys, and what the frame and its scroll bar take.
_GUTTER, _KEYS_AFTER, _BESIDE = 32, 12, 60
_LETTER = re.compile(r"\(&.\)")


def view_keys() -> list[tuple[str, list[tuple[str, str]]]]:
    """Keys of the views themselves, which no action has: title, then (keys, what they do)."""
    return [
        (
            tr("keys", "List of sessions"),
            [
                (tr("keys", "Letters"), tr("keys", "Filter")),
                ("Return", tr("keys", "Open the transcript")),
                ("Del", tr("keys", "Delete")),
                ("Shift+Up", tr("keys", "Select several")),
                ("Ctrl+A", tr("keys", "Select all")),
                ("Esc", tr("keys", "Clear the filter")),
                ("Left", tr("keys", "Fold the group")),
                ("Right", tr("keys", "Unfold the group")),
                ("Ctrl+Left", tr("keys", "Fold all groups")),
                ("Ctrl+Right", tr("keys", "Unfold all groups")),
            ],
        ),
        (
            tr("keys", "Transcript"),
            [
                ("Up", tr("keys", "Previous block")),
                ("Down", tr("keys", "Next block")),
                ("Alt+Up", tr("keys", "Previous prompt")),
                ("Alt+Down", tr("keys", "Next prompt")),
                ("F8", tr("keys", "Next error")),
                ("Shift+F8", tr("keys", "Previous error")),
                ("F3", tr("keys", "Find next")),
                ("Shift+F3", tr("keys", "Find previous")),
                ("Return", tr("keys", "Open or close a block")),
                ("PgUp", tr("keys", "A page up")),
                ("PgDown", tr("keys", "A page down")),
                ("Home", tr("keys", "To the start")),
                ("End", tr("keys", "To the end, and follow it")),
                ("Shift+Down", tr("keys", "Select block by block")),
                ("Ctrl+A", tr("keys", "Select all")),
                ("Ctrl+C", tr("keys", "Copy")),
            ],
        ),
        (
            tr("keys", "Configuration, activity, records"),
            [
                ("Up", tr("keys", "Previous row")),
                ("Down", tr("keys", "Next row")),
                ("Right", tr("keys", "Open the row")),
                ("Left", tr("keys", "Close the row")),
                ("Return", tr("keys", "Open it, or its block in the transcript")),
            ],
        ),
        (
            tr("keys", "Trash"),
            [
                ("Del", tr("keys", "Delete for good")),
                ("Esc", tr("keys", "Back to the list")),
            ],
        ),
    ]


def shares(heights: Sequence[int], columns: int) -> list[int]:
    """How many of the groups, in their order, each column takes, so that the highest is lowest.

    ``heights``: lines of each group. As many columns as groups at most; none is empty.
    """
    count = len(heights)
    cuts = combinations(range(1, count), max(0, min(columns, count) - 1))
    bounds = [(0, *each, count) for each in cuts]
    best = min(bounds, key=lambda ends: max(sum(heights[a:b]) for a, b in pairwise(ends)))
    return [b - a for a, b in pairwise(best)]


class KeyMap(QFrame):
    """Non-modal: keys and clicks beside it work. Esc, ? or its cross close it."""

    def __init__(self, actions: Actions, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("keyMap")
        self.setAccessibleName(tr("keys", "Keys"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._actions = actions
        self._theme = theme
        self._window = window
        self._before: QWidget | None = None
        self._labels: list[tuple[QLabel, str, str]] = []
        self._columns = 0
        self._build()
        self._fill(_COLUMNS)
        window.installEventFilter(self)
        theme.changed.connect(self._on_theme)
        self._on_theme()
        self.hide()

    def _build(self) -> None:
        px = self._theme.fonts.px
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(14), px(12), px(16))
        column.setSpacing(px(8))
        head = QHBoxLayout()
        head.addWidget(self._label(tr("keys", "Keys"), "title", "text"))
        head.addStretch(1)
        self._close = QToolButton(self)
        self._close.setAutoRaise(True)
        self._close.setAccessibleName(tr("keys", "Close"))
        self._close.setToolTip(plain_tip(tr("keys", "Close")))
        self._close.clicked.connect(self.close_panel)
        head.addWidget(self._close)
        column.addLayout(head)
        scroll = self._scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(scroll, 1)
        self._head = list(self._labels)

    def _fill(self, columns: int) -> None:
        """The keys, side by side in so many columns."""
        if columns == self._columns:
            return
        self._columns = columns
        self._labels = list(self._head)
        px = self._theme.fonts.px
        self._page = QWidget(self)
        row = QHBoxLayout(self._page)
        row.setContentsMargins(0, 0, px(8), 0)
        row.setSpacing(px(_GUTTER))
        groups = iter(self._groups())
        heights = [len(rows) + 2 for _, rows in self._groups()]
        for count in shares(heights, columns):
            side = self._column(row)
            for title, rows in islice(groups, count):
                side.addWidget(self._label(title, "small_demi", "text2"))
                side.addLayout(self._grid(rows))
                side.addSpacing(px(10))
            side.addStretch(1)
        self._scroll.setWidget(self._page)

    def _column(self, columns: QHBoxLayout) -> QVBoxLayout:
        side = QVBoxLayout()
        side.setSpacing(self._theme.fonts.px(4))
        columns.addLayout(side, 1)
        return side

    def _label(self, text: str, role: str, token: str) -> QLabel:
        label = plain_label(text, self)
        self._labels.append((label, role, token))
        return label

    def _grid(self, rows: list[tuple[str, str]]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(self._theme.fonts.px(_KEYS_AFTER))
        grid.setVerticalSpacing(self._theme.fonts.px(3))
        for row, (keys, text) in enumerate(rows):
            grid.addWidget(self._label(text, "body", "text"), row, 0)
            shown = self._label(keys, "mono_small", "text2")
            grid.addWidget(shown, row, 1, Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(0, 1)
        return grid

    def _groups(self) -> list[tuple[str, list[tuple[str, str]]]]:
        groups = []
        for name, verbs in MENU_BAR.items():
            rows = []
            for verb in verbs:
                action = None if verb == LINE else self._actions[verb]
                if action is None or not action.isVisible() or not action.shortcuts():
                    continue
                keys = enumerated(_native(each) for each in action.shortcuts())
                rows.append((keys, action.text().rstrip("\u2026")))
            if rows:
                # Chinese has the letter in brackets behind the word.
                title = _LETTER.sub("", menu_title(name)).replace("&", "")
                groups.append((title, rows))
        for title, keyed in view_keys():
            groups.append((title, [(_native_name(keys), text) for keys, text in keyed]))
        return groups

    # --- showing ---------------------------------------------------------------------------------

    def toggle(self) -> None:
        """Open it, or close it."""
        if self.isVisible():
            self.close_panel()
            return
        self._before = self._window.focusWidget()
        self._fit()
        self._place()
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_panel(self) -> None:
        """Close it; the keyboard goes back to where it was."""
        focus = self._window.focusWidget()
        had = self.hasFocus() or self.isAncestorOf(focus)
        self.hide()
        if had and self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)

    def _fit(self) -> None:
        """As many columns as the window has room for; words are as wide as text is large."""
        room = self._window.width() - self._theme.fonts.px(2 * 16 + _BESIDE)
        fitting = (count for count in range(_COLUMNS, 1, -1) if self._width_of(count) <= room)
        self._fill(next(fitting, 1))
        self._on_theme()

    def _width_of(self, columns: int) -> int:
        """Pixels that so many columns need, with nothing in them cut."""
        px, groups = self._theme.fonts.px, self._groups()
        body, mono = (self._theme.fonts.metrics(role) for role in ("body", "mono_small"))
        widths = [
            math.ceil(max(body.horizontalAdvance(text) for _, text in rows))
            + math.ceil(max(mono.horizontalAdvance(keys) for keys, _ in rows))
            + px(_KEYS_AFTER)
            for _, rows in groups
        ]
        each = iter(widths)
        counts = shares([len(rows) + 2 for _, rows in groups], columns)
        needed = [max(islice(each, count)) for count in counts]
        # A label is wider than its words by what Qt rounds up.
        return sum(needed) + (len(needed) - 1) * px(_GUTTER) + px(8) + 2 * len(needed)

    def _place(self) -> None:
        px = self._theme.fonts.px
        room = self._window.rect().adjusted(px(16), px(16), -px(16), -px(16))
        hint = self._page.sizeHint()
        # Of new labels the hint is that of another font, until they are laid out.
        wanted = max(hint.width(), self._width_of(self._columns)) + px(_BESIDE)
        width = min(max(wanted, px(560)), room.width())
        height = min(hint.height() + px(84), room.height())
        x = room.left() + (room.width() - width) // 2
        self.setGeometry(x, room.top() + (room.height() - height) // 3, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._window and self.isVisible():
            self._fit()
            self._place()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_panel()
            return
        super().keyPressEvent(event)

    def _on_theme(self) -> None:
        fonts = self._theme.fonts
        for label, role, token in self._labels:
            label.setFont(fonts.font(role))  # type: ignore[arg-type]
            ink(label, self._theme.color(token))
        palette = self._page.palette()
        palette.setColor(palette.ColorRole.Window, self._theme.color("base"))
        self._page.setPalette(palette)
        self._page.setAutoFillBackground(True)
        self._close.setIcon(icons.icon(self._theme, "cross", "text2", fonts.px(16)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("edge"), 1))
        painter.setBrush(self._theme.color("base"))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 5, 5)
        painter.end()


def _native(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.NativeText)


def _native_name(keys: str) -> str:
    """Keys in the system's words; what is no key stays as it is."""
    found = QKeySequence(keys)
    return _native(found) or keys
