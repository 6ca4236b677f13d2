# SPDX-License-Identifier: Apache-2.0
"""The first-run page: what Tenuto is, where it looked, what the marks mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from tenuto_gui import icons
from tenuto_gui.fonts import Role
from tenuto_gui.i18n import translate
from tenuto_gui.looked import Looked
from tenuto_gui.plain import ink, plain_label
from tenuto_gui.sessions.words import word
from tenuto_gui.style import PRIMARY
from tenuto_gui.theme import Theme

if TYPE_CHECKING:
    from tenuto.sources.together import Place

#: Marks in the order of the page, by column.
_COLUMNS = (
    ("running", "waiting", "suspended", "newer"),
    ("completed", "failed", "budget", "max_iterations"),
    ("interrupted", "unknown", "damaged", "empty"),
)


def meaning(mark: str) -> str:
    """A few words on what a mark says."""
    return {
        "running": translate("marks", "a process holds it"),
        "waiting": translate("marks", "it asks, and holds"),
        "suspended": translate("marks", "cleanly, can go on"),
        "newer": translate("marks", "newer than this Tenuto"),
        "completed": translate("marks", "the final answer is in"),
        "failed": translate("marks", "an error ended it"),
        "budget": translate("marks", "used up"),
        "max_iterations": translate("marks", "used up"),
        "interrupted": translate("marks", "no clean end; safe to resume"),
        "unknown": translate("marks", "one call may have run"),
        "damaged": translate("marks", "readable around a bad line"),
        "empty": translate("marks", "a file without records"),
    }[mark]


class FirstRun(QScrollArea):
    """Shown in place of list and detail while a folder holds no session."""

    samples_requested = Signal()
    folder_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("firstRun")
        self._theme = theme
        #: Where sessions are looked for; asked when somebody sees this page.
        self._places: Callable[[], Sequence[Place]] = lambda: ()
        self._painted: list[tuple[QLabel, Role, str]] = []
        self._marks: list[tuple[QLabel, str]] = []
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._built = False

    def showEvent(self, event: QShowEvent) -> None:
        # Few see this page: those who have sessions do not wait for it.
        if not self._built:
            self._built = True
            page = QWidget(self)
            page.setBackgroundRole(page.palette().ColorRole.Base)
            page.setAutoFillBackground(True)
            self._build(page)
            self.setWidget(page)
            self._theme.changed.connect(self._on_theme)
            self._on_theme()
        super().showEvent(event)
        self.looked.show_places(self._places())

    def set_places(self, places: Callable[[], Sequence[Place]]) -> None:
        """Say what was found in the folders that this names."""
        self._places = places
        self.look_again()

    def look_again(self) -> None:
        """A folder may be there now, or be gone."""
        if self._built and not self.isHidden():
            self.looked.show_places(self._places())

    def set_busy(self, busy: bool) -> None:
        """While the samples are being made."""
        self.samples.setEnabled(not busy)
        self.samples.setText(
            self.tr("Making samples\u2026") if busy else self.tr("Try it with sample sessions")
        )

    # --- building ------------------------------------------------------------------------------

    def _label(self, text: str, role: Role, token: str, *, wrap: bool = False) -> QLabel:
        label = plain_label(text)
        label.setWordWrap(wrap)
        self._painted.append((label, role, token))
        return label

    def _build(self, page: QWidget) -> None:
        px = self._theme.fonts.px
        outer = QHBoxLayout(page)
        outer.setContentsMargins(px(80), px(72), px(72), px(32))
        outer.setSpacing(px(24))
        self._mark = QLabel(page)
        outer.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(px(8))
        outer.addLayout(column, 1)
        column.addWidget(self._label(self.tr("No sessions yet"), "page_title", "text"))
        about = self._label(
            self.tr(
                "Tenuto shows the runs of fisk-ai and the sessions of Reasonix on this computer: "
                "which are running, which wait for you, which stopped and why, and whether they "
                "can safely go on."
            ),
            "lead",
            "text",
            wrap=True,
        )
        about.setMaximumWidth(px(720))
        column.addWidget(about)
        column.addSpacing(px(8))
        column.addLayout(self._build_buttons())
        column.addWidget(
            self._label(
                self.tr(
                    "The samples hold a run of every kind. They work offline and run harmless "
                    "commands only."
                ),
                "small",
                "text2",
                wrap=True,
            )
        )
        column.addSpacing(px(32))
        column.addWidget(self._label(self.tr("Where it looked"), "demi", "text"))
        self.looked = Looked(self._theme, page)
        column.addWidget(self.looked)
        column.addWidget(
            self._label(
                self.tr(
                    "Tenuto watches these folders. A run started in a terminal appears here by "
                    "itself."
                ),
                "small",
                "text2",
                wrap=True,
            )
        )
        column.addSpacing(px(32))
        column.addWidget(self._label(self.tr("What the marks mean"), "demi", "text"))
        column.addLayout(self._build_marks())
        column.addStretch(1)

    def _build_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(self._theme.fonts.px(8))
        self.samples = QPushButton(self)
        self.samples.setObjectName("trySamples")
        self.samples.setProperty(PRIMARY, True)
        self.samples.clicked.connect(self.samples_requested)
        self.set_busy(False)
        self.choose = QPushButton(self.tr("Choose a folder\u2026"), self)
        self.choose.setObjectName("chooseFolder")
        self.choose.clicked.connect(self.folder_requested)
        row.addWidget(self.samples)
        row.addWidget(self.choose)
        row.addStretch(1)
        return row

    def _build_marks(self) -> QGridLayout:
        px = self._theme.fonts.px
        grid = QGridLayout()
        grid.setVerticalSpacing(px(10))
        grid.setHorizontalSpacing(px(16))
        for column, marks in enumerate(_COLUMNS):
            for row, mark in enumerate(marks):
                cell = QHBoxLayout()
                cell.setSpacing(px(8))
                picture = QLabel(self)
                self._marks.append((picture, mark))
                cell.addWidget(picture)
                cell.addWidget(self._label(word(mark), "medium", "text"))
                cell.addWidget(self._label(meaning(mark), "small", "text2"), 1)
                grid.addLayout(cell, row, column)
            grid.setColumnStretch(column, 1)
        return grid

    def _on_theme(self) -> None:
        theme, fonts = self._theme, self._theme.fonts
        ratio = self.devicePixelRatioF()
        for label, role, token in self._painted:
            label.setFont(fonts.font(role))
            ink(label, theme.color(token))
        for picture, mark in self._marks:
            picture.setPixmap(icons.mark(theme, mark, fonts.px(18), ratio))
        self._mark.setPixmap(icons.mark(theme, "tenuto", fonts.px(34), ratio))
        size = fonts.px(16)
        self.choose.setIcon(icons.icon(theme, "folder", "text", size))
        self.choose.setIconSize(QSize(size, size))
        self.looked.draw()
