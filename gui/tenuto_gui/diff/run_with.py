# SPDX-License-Identifier: Apache-2.0
"""In the place of a comparison: what a session without a saved configuration was run with."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tenuto.errors import TenutoError
from tenuto.sources.base import SessionSummary
from tenuto.sources.setup import Setup, setup_of
from tenuto.text import one_line, visible
from tenuto_gui import format as figures
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import error_words
from tenuto_gui.i18n import enumerated, translate
from tenuto_gui.jobs import Jobs
from tenuto_gui.named import joined, name
from tenuto_gui.runs.pieces import Ground, RoleLabel
from tenuto_gui.scroll_style import overlay
from tenuto_gui.sessions.words import source_word
from tenuto_gui.theme import Theme

#: What is shown of the instructions, in characters, and in one line of theirs: a layout of endless
#: lines takes endless time.
_MOST, _LINE = 1 << 20, 800
#: Tools that are named one by one.
_TOOLS = 12

Fact = tuple[str, str]


def facts(summary: SessionSummary, setup: Setup, config: str | None) -> list[Fact]:
    """Name and value of what is known.

    ``config``: what a resume goes on with, "" where none is known, None where it cannot be resumed.
    """
    tr = translate
    model = name(visible(summary.model)) or tr("Configuration", "the session does not say")
    found = [
        (tr("Configuration", "Model"), model),
        (tr("Configuration", "Kind"), f"{source_word(summary.source)} {summary.badge}".strip()),
    ]
    if summary.group:
        project = name(figures.home_path(visible(summary.group)))
        found.append((tr("Configuration", "Project"), project))
    tools = _tools(setup.tools) or tr("Configuration", "none")
    found.append((tr("Configuration", "Tools it called"), tools))
    if added := _added(setup):
        found.append((tr("Configuration", "Added by its program"), added))
    if config is not None:
        file = name(figures.home_path(visible(config)))
        value = file or tr("Configuration", "the configuration that is chosen then")
        found.append((tr("Configuration", "A resume goes on with"), value))
    return found


def _tools(tools: Sequence[tuple[str, int]]) -> str:
    named: list[str] = [
        joined([name(one_line(visible(tool), 60)), f"\u00d7{figures.exact(n)}"])
        for tool, n in tools[:_TOOLS]
    ]
    if len(tools) > _TOOLS:
        named.append(translate("Configuration", "and %n more", None, len(tools) - _TOOLS))
    return joined(named, ", ")


def _added(setup: Setup) -> str:
    parts = []
    if setup.added:
        parts.append(translate("Configuration", "%n piece(s) of context", None, setup.added))
    if setup.summaries:
        text = translate(
            "Configuration", "%n block(s) that sum up what was compacted", None, setup.summaries
        )
        parts.append(text)
    return enumerated(parts)


class RunWith(Ground):
    """Facts, and the instructions as text that can be selected. Hidden until there are any."""

    #: The facts of the wanted session are shown.
    shown = Signal()
    #: It cannot be read: why.
    failed = Signal(str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        theme = context.theme
        super().__init__(theme, "base", parent)
        self.setObjectName("runWith")
        self._context = context
        self._jobs = Jobs(self, workers=1)
        #: The session that is read or shown, and the state of its file.
        self._wanted: tuple[object, ...] = ()
        self._stop = Event()
        px = theme.fonts.px
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(px(16), px(12), px(16), px(12))
        self._grid.setHorizontalSpacing(px(16))
        self._grid.setVerticalSpacing(px(6))
        self._grid.setColumnStretch(1, 1)
        column.addLayout(self._grid)
        line = Ground(theme, "line", self)
        line.setFixedHeight(1)
        column.addWidget(line)
        self._title = RoleLabel(theme, "demi", "text", self)
        self._title.setContentsMargins(px(16), px(10), px(16), px(6))
        column.addWidget(self._title)
        self.text = _Instructions(theme, self)
        column.addWidget(self.text, 1)
        self._facts: list[Fact] = []
        self.hide()

    def show_session(self, summary: SessionSummary | None) -> None:
        """Read a session, in the background, and show what is known; None: show nothing."""
        wanted: tuple[object, ...] = ()
        if summary is not None:
            wanted = (summary.id, summary.path, summary.size, summary.mtime_ns, summary.model)
        if wanted == self._wanted:
            return
        if summary is None or wanted[:2] != self._wanted[:2]:
            self.hide()
        self._wanted = wanted
        self._stop.set()
        if summary is None:
            return
        stop = self._stop = Event()
        source = self._context.source

        def read() -> tuple[Setup, str | None]:
            from tenuto.agent.choice import configuration_of

            opened = source.open(summary.id)
            opened.refresh(stop=stop.is_set)
            resume = source.capabilities(summary).resume
            config = configuration_of(summary) or "" if resume.allowed else None
            return setup_of(opened.blocks), config

        def done(found: tuple[Setup, str | None]) -> None:
            if self._wanted == wanted:
                setup, config = found
                self._show(facts(summary, setup, config), setup.instructions)
                self.show()
                self.shown.emit()

        def failed(error: BaseException) -> None:
            if not isinstance(error, TenutoError):
                raise error
            if self._wanted == wanted:
                self._wanted = ()
                self.hide()
                self.failed.emit(visible(error_words(error)))

        self._jobs.run(read, done, failed)

    def shutdown(self) -> None:
        """End the reading thread."""
        self._stop.set()
        self._jobs.stop()

    def _show(self, found: list[Fact], instructions: Sequence[str]) -> None:
        self._facts = found
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row, (title, value) in enumerate(found):
            label = RoleLabel(self._theme, "body", "text2", self)
            label.setText(title)
            words = RoleLabel(self._theme, "body", "text", self)
            words.setWordWrap(True)
            words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            # Last: it is with its text that a label comes to have a height for its width.
            words.setText(value)
            self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(words, row, 1, Qt.AlignmentFlag.AlignTop)
        if not instructions:
            self._title.setText(translate("Configuration", "It has no instructions"))
        elif len(instructions) == 1:
            self._title.setText(translate("Configuration", "Instructions"))
        else:
            title = translate("Configuration", "Instructions, %n of them", None, len(instructions))
            self._title.setText(title)
        self.text.setVisible(bool(instructions))
        self.text.setPlainText(_shown(instructions))
        self.setAccessibleName(self.plain_text())

    def plain_text(self) -> str:
        """What is shown, in words."""
        lines = [f"{title}: {value}" for title, value in self._facts]
        return "\n".join([*lines, self._title.text(), self.text.toPlainText()])


class _Instructions(QPlainTextEdit):
    """Read-only text, wrapped."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("instructions")
        self.setAccessibleName(translate("Configuration", "Instructions"))
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        px = theme.fonts.px
        self.setViewportMargins(px(12), 0, px(8), px(8))
        overlay(self.verticalScrollBar())
        theme.changed.connect(self._on_theme)
        self._on_theme()

    def _on_theme(self) -> None:
        theme = self._theme
        self.setFont(theme.fonts.font("mono_small"))
        self.setPalette(theme.text_palette(self.palette(), "base"))

    def sizeHint(self) -> QSize:
        px = self._theme.fonts.px
        return QSize(px(400), px(200))


def _shown(instructions: Sequence[str]) -> str:
    text = visible("\n\n\u2014\n\n".join(instructions)[:_MOST], prose=True)
    lines: list[str] = []
    for line in text.split("\n"):
        lines += [line[at : at + _LINE] for at in range(0, len(line), _LINE)] or [""]
    return "\n".join(lines)
