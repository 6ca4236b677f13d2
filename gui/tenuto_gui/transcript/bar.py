# SPDX-License-Identifier: Apache-2.0
"""At the right end of the tabs: prompts, their outline, find, export (main-light.png)."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from tenuto.text import one_line
from tenuto_gui import format as figures
from tenuto_gui import icons
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.plain import plain_tip
from tenuto_gui.transcript.view import TranscriptView

#: Qt's name for "as wide as you like".
QWIDGETSIZE_MAX = (1 << 24) - 1
#: As much as the bar below the chosen tab takes from the room of its words (`style`).
_BELOW = 2
#: Prompts in the menu, at most; of more those around the present one.
_IN_MENU = 40
_PROMPT_CHARS = 70


class TranscriptBar(QWidget):
    """Says which prompt is read, and goes to others."""

    def __init__(self, context: AppContext, view: TranscriptView, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("transcriptBar")
        self._theme = context.theme
        self._view = view
        #: Pixels beside the tabs.
        self._room = QWIDGETSIZE_MAX
        px = context.theme.fonts.px
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, px(8), _BELOW)
        row.setSpacing(px(2))
        tr = translate
        self.previous = self._button("previousPrompt", tr("Transcript", "Previous prompt"))
        self.previous.setToolTip(plain_tip(tr("Transcript", "Previous prompt (Alt+Up)")))
        self.next = self._button("nextPrompt", tr("Transcript", "Next prompt"))
        self.next.setToolTip(plain_tip(tr("Transcript", "Next prompt (Alt+Down)")))
        self.place = self._button("promptPlace", tr("Transcript", "Prompts"))
        self.place.setToolTip(plain_tip(tr("Transcript", "All prompts and errors")))
        self.place.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.find_button = self._button("findButton", tr("Transcript", "Find in transcript"))
        self.find_button.setToolTip(plain_tip(tr("Transcript", "Find in transcript (Ctrl+F)")))
        row.addWidget(self.previous)
        row.addWidget(self.next)
        row.addWidget(self.place)
        row.addSpacing(px(13))
        row.addWidget(self.find_button)
        #: There once somebody says what it does.
        self.export_button = self._button("exportButton", tr("Transcript", "Export session"))
        self.export_button.hide()
        row.addWidget(self.export_button)
        self.previous.clicked.connect(lambda: view.go_to_prompt(-1))
        self.next.clicked.connect(lambda: view.go_to_prompt(1))
        self.place.clicked.connect(self._open_menu)
        self.find_button.clicked.connect(view.open_find)
        view.scrolled.connect(self.refresh)
        view.blocks_changed.connect(self.refresh)
        context.theme.changed.connect(self._on_theme)
        self._on_theme()
        self.refresh()

    def _button(self, name: str, words: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setAccessibleName(words)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def offer_export(self, action: QAction) -> None:
        """Have a button for this verb, too: for who reads a transcript and wants to keep it."""

        def follow() -> None:
            self.export_button.setEnabled(action.isEnabled())
            self.export_button.setToolTip(action.toolTip())
            self.export_button.setStatusTip(action.statusTip())

        self.export_button.clicked.connect(action.trigger)
        action.changed.connect(follow)
        self.export_button.show()
        follow()

    def fit(self, room: int, height: int) -> None:
        """Without words where the tabs leave no ``room`` for them: tabs are never cut.

        ``height`` is that of the tabs, so that the words of both stand on one line.
        """
        self.setFixedHeight(height)
        self._fit(room)

    def _fit(self, room: int) -> None:
        self._room = room
        self.place.setVisible(True)
        self.place.setVisible(self.sizeHint().width() <= room)

    def _on_theme(self) -> None:
        fonts = self._theme.fonts
        size = fonts.px(16)
        for button, name in (
            (self.previous, "chevron-up"),
            (self.next, "chevron-down"),
            (self.find_button, "search"),
            (self.export_button, "export"),
        ):
            button.setIcon(icons.icon(self._theme, name, "text", size))
            button.setIconSize(QSize(size, size))
            button.setFixedSize(fonts.px(28), fonts.px(26))
        self.place.setFont(fonts.font("small"))
        self.place.setFixedHeight(fonts.px(26))

    def refresh(self) -> None:
        """Say which prompt the top of the view belongs to."""
        view = self._view
        prompts = view.outline.prompts
        seen = view.visible_rows()
        here = view.outline.prompt_at(view.reading_row()) if seen else -1
        if not prompts:
            text = translate("Transcript", "no prompt")
        else:
            text = translate("Transcript", "prompt {n} of {count}").format(
                n=figures.exact(max(here, 0) + 1), count=figures.exact(len(prompts))
            )
        if text != self.place.text():
            self.place.setText(text)
            self._fit(self._room)
        self.place.setEnabled(bool(prompts or view.outline.errors))
        self.previous.setEnabled(bool(prompts) and (not seen or prompts[0] < seen[0] or here > 0))
        self.next.setEnabled(bool(prompts) and here + 1 < len(prompts))

    def make_menu(self) -> QMenu:
        """Prompts to go to, then the errors before and after."""
        view = self._view
        menu = QMenu(self)
        menu.setObjectName("outlineMenu")
        prompts = view.outline.prompts
        here = max(view.outline.prompt_at(view.reading_row()), 0) if view.blocks else 0
        first = max(min(here - _IN_MENU // 2, len(prompts) - _IN_MENU), 0)
        for rank in range(first, min(first + _IN_MENU, len(prompts))):
            words = one_line(view.blocks[prompts[rank]].text, _PROMPT_CHARS).replace("&", "&&")
            action = menu.addAction(f"{figures.exact(rank + 1)}  {words}")
            action.setCheckable(True)
            action.setChecked(rank == here)
            action.triggered.connect(lambda _checked=False, row=prompts[rank]: view.go_to_row(row))
        menu.addSeparator()
        for words, keys, direction in (
            (translate("Transcript", "Next error"), "F8", 1),
            (translate("Transcript", "Previous error"), "Shift+F8", -1),
        ):
            action = menu.addAction(f"{words}\t{keys}")
            action.setObjectName("nextError" if direction > 0 else "previousError")
            action.setEnabled(bool(view.outline.errors))
            action.triggered.connect(lambda _checked=False, step=direction: view.go_to_error(step))
        return menu

    def _open_menu(self) -> None:
        menu = self.make_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.place.mapToGlobal(QPoint(0, self.place.height())))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A thin line between where one is and what one looks for."""
        px = self._theme.fonts.px
        painter = QPainter(self)
        left = self.next if self.place.isHidden() else self.place
        x = (left.geometry().right() + self.find_button.geometry().left()) // 2
        top = (self.height() - _BELOW - px(18)) // 2
        painter.fillRect(x, top, 1, px(18), self._theme.color("line"))
        painter.end()
