# SPDX-License-Identifier: Apache-2.0
"""What a worker of ours is doing, and how to stop it (look.md, "Run strip")."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, QTimer, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tenuto.sources.base import SessionSummary
from tenuto_gui import format as figures
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.runs.pieces import Ground, MarkLabel, RoleLabel, button
from tenuto_gui.runs.protocol import TextDelta, ThinkingDelta
from tenuto_gui.runs.warning_line import WarningLine
from tenuto_gui.runs.warning_words import warning_words
from tenuto_gui.runs.worker import LiveRun, RunController
from tenuto_gui.theme import Theme

_SECOND_MS = 1_000
#: Margins, in pixels at 10 pt.
_LEFT, _RIGHT = 16, 12


class BudgetBar(QWidget):
    """A flat bar of 6 px: how much of a budget is used."""

    def __init__(self, theme: Theme, width: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._width = width
        self.share = 0.0
        #: Whether there is a limit: without one there is nothing to show.
        self.limited = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_share(self, used: int, whole: int) -> None:
        """Used of whole; a whole of 0 has no limit and no bar."""
        self.share = min(used / whole, 1.0) if whole > 0 else 0.0
        self.limited = whole > 0
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.fonts.px(self._width), self._theme.fonts.px(6))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("line"))
        painter.setBrush(self._theme.color("line"))
        radius = self.height() / 2
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), radius, radius)
        used = round(self.width() * self.share)
        if used:
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(self._theme.color("accent"))
            painter.drawRoundedRect(
                0, 0, max(used, self.height()) - 1, self.height() - 1, radius, radius
            )
        painter.end()


class RunStrip(Ground):
    """There only while a worker of this window works on the session that is shown."""

    suspend_requested = Signal(str)
    abort_requested = Signal(str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context.theme, "window", parent)
        self.setObjectName("runStrip")
        self.top_line = ("line", 1)
        theme = context.theme
        self._summary: SessionSummary | None = None
        self._controller: RunController | None = None
        self._mark = MarkLabel(theme, self)
        self._word = RoleLabel(theme, "demi", "run", self)
        self._elapsed = RoleLabel(theme, "body", "text2", self)
        self._elapsed.setToolTip(translate("Runs", "Since this window set it to work"))
        self._turns = RoleLabel(theme, "body", "text2", self)
        self._turn_bar = BudgetBar(theme, 72, self)
        self._tokens = RoleLabel(theme, "body", "text2", self)
        self._token_bar = BudgetBar(theme, 96, self)
        self.suspend_button = button(theme, translate("Runs", "Suspend"), "stripSuspend", "pause")
        self.suspend_button.setToolTip(translate("Runs", "Finish this step, then rest"))
        self.abort_button = button(theme, translate("Runs", "Abort"), "stripAbort", "stop")
        self.abort_button.setToolTip(translate("Runs", "Stop at once; a running tool is killed"))
        self.suspend_button.clicked.connect(self._on_suspend)
        self.abort_button.clicked.connect(self._on_abort)
        px = theme.fonts.px
        column = QVBoxLayout(self)
        column.setContentsMargins(px(_LEFT), px(6), px(_RIGHT), px(6))
        column.setSpacing(px(4))
        self.warning = WarningLine(theme, self)
        column.addWidget(self.warning)
        row = self._row = QHBoxLayout()
        column.addLayout(row)
        row.setSpacing(px(10))
        # The word begins where titles, notices and panels begin.
        state = QHBoxLayout()
        state.setSpacing(px(8))
        state.addWidget(self._mark)
        state.addWidget(self._word)
        row.addLayout(state)
        for widget in (self._elapsed, self._turns, self._turn_bar):
            row.addWidget(widget)
        row.addSpacing(px(8))
        row.addWidget(self._tokens)
        row.addWidget(self._token_bar)
        row.addStretch(1)
        row.addWidget(self.suspend_button)
        row.addWidget(self.abort_button)
        self.setMinimumHeight(px(40))
        self._clock = QTimer(self)
        self._clock.setInterval(_SECOND_MS)
        self._clock.timeout.connect(self._tick)
        self.hide()

    def attach(self, controller: RunController) -> None:
        """Follow the workers of this controller, and steer them."""
        self._controller = controller
        controller.started.connect(self._on_changed)
        controller.run_event.connect(self._on_event)
        controller.finished.connect(self._on_event)
        self.suspend_requested.connect(controller.suspend)

    def set_session(self, summary: SessionSummary | None) -> None:
        """Follow the session that is shown, and its figures as the journal has them."""
        self._summary = summary
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._make_room()

    @Slot(str)
    def _on_changed(self, run_id: str) -> None:
        if self._summary is not None and self._summary.id == run_id:
            self._refresh()

    @Slot(str, object)
    def _on_event(self, run_id: str, event: object) -> None:
        # Words come by the hundred a second, and nothing here is about them.
        if not isinstance(event, TextDelta | ThinkingDelta):
            self._on_changed(run_id)

    def _on_suspend(self) -> None:
        if self._summary is not None:
            self.suspend_requested.emit(self._summary.id)
            self._refresh()

    def _on_abort(self) -> None:
        if self._summary is not None:
            self.abort_requested.emit(self._summary.id)
            self._refresh()

    def _refresh(self) -> None:
        summary = self._summary
        run = None
        if summary is not None and self._controller is not None:
            run = self._controller.run(summary.id)
        if summary is None or run is None:
            self._clock.stop()
            self.hide()
            return
        if not self._clock.isActive():
            self._clock.start()
        self._elapsed.setText(_time(run.elapsed))
        self._show_phase(run)
        self.warning.set_warnings([warning_words(each) for each in run.warnings])
        turn = summary.next_iteration
        if run.iteration is not None:
            turn = max(turn, run.iteration + 1)
        limits = run.starting
        most = limits.max_iterations if limits is not None else 0
        self._turns.setText(_turns(turn, most))
        self._turn_bar.set_share(turn, most)
        whole = limits.max_tokens if limits is not None else 0
        used = max(summary.tokens, run.tokens)
        self._tokens.setText(_tokens(used, whole))
        self._token_bar.set_share(used, whole)
        self._make_room()
        self.show()

    def _tick(self) -> None:
        """Only the time: the rest changes with events."""
        run = self._controller.run(self._summary.id) if self._controller and self._summary else None
        if run is not None:
            self._elapsed.setText(_time(run.elapsed))

    def _make_room(self) -> None:
        """Nothing is ever cut: what is told elsewhere, too, goes instead.

        A bar's figures stand beside it, turns and tokens in the header above.
        """
        bars = (self._turn_bar, self._token_bar)
        going = [*bars, self._elapsed, self._turns, self._tokens]
        hidden: list[QWidget] = [bar for bar in bars if not bar.limited]
        room = self.width() - self._theme.fonts.px(_LEFT) - self._theme.fonts.px(_RIGHT)
        for each in going:
            if self._wanted(hidden) <= room:
                break
            if each not in hidden:
                hidden.append(each)
        # Decided first: to show one and hide it again made the strip wider and narrower, and each
        # of those asked for this anew, without end where there was little room.
        for each in going:
            if each.isHidden() != (each in hidden):
                each.setVisible(each not in hidden)

    def _wanted(self, hidden: Sequence[QWidget]) -> int:
        """Pixels that all of the row takes in full, but for these."""
        items = (self._row.itemAt(place) for place in range(self._row.count()))
        widths = [
            (item if (widget := item.widget()) is None else widget).sizeHint().width()
            for item in items
            if item is not None and item.widget() not in hidden
        ]
        return sum(widths) + self._row.spacing() * (len(widths) - 1)

    def _show_phase(self, run: LiveRun) -> None:
        waiting = bool(run.asks) and run.phase in ("starting", "running")
        self._mark.set_mark("waiting" if waiting else "running")
        words = {
            "starting": translate("Runs", "Starting\u2026"),
            "running": translate("Runs", "Running"),
            "suspending": translate("Runs", "Suspending\u2026"),
            "aborting": translate("Runs", "Aborting\u2026"),
            "leaving": translate("Runs", "Goes on without the window"),
        }
        word = translate("Runs", "Waiting for you") if waiting else words[run.phase]
        if run.ready and run.phase == "running":
            word = translate("Runs", "Waits for your words")
        self._word.setText(word)
        self._word.set_token("wait" if waiting else "run")
        # A button keeps its width and says what it is busy with.
        self.suspend_button.setEnabled(run.phase in ("starting", "running"))
        self.abort_button.setEnabled(run.phase != "aborting")
        self.setAccessibleName(word)


def _time(seconds: float) -> str:
    """Whole seconds from the first on: tenths would run."""
    if seconds < 10:
        return f"{int(seconds)}{figures.NNBSP}{translate('format', 's')}"
    return figures.duration(int(seconds))


def _turns(turn: int, most: int) -> str:
    if most > 0:
        return translate("Runs", "turn {n} of {most}").format(n=turn, most=figures.exact(most))
    return translate("Runs", "turn {n}").format(n=turn)


def _tokens(used: int, whole: int) -> str:
    if whole > 0:
        text = translate("Runs", "{used} of {whole} tokens")
        return text.format(used=figures.short(used), whole=figures.short(whole))
    return figures.tokens(used)
