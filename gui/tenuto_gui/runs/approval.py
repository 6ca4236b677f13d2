# SPDX-License-Identifier: Apache-2.0
"""The panel in which a run's question is answered (look.md, "Decision panels").

Not a dialog: it never takes the focus, has no default button, ignores Enter and Esc, and takes no
click in its first half second. What it shows is what will run, to the last character.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.runs import protocol, questions
from tenuto_gui.runs.command_words import CommandWords
from tenuto_gui.runs.pieces import Ground, MarkLabel, RoleLabel, button, calling, clear
from tenuto_gui.runs.questions import CallFacts
from tenuto_gui.runs.worker import RunController

#: A click that was meant for something else must not land on an answer (look.md).
DEAD_TIME_MS = 500
_WITHDRAWN_MS = 3_000
#: A reason is a sentence, not a document.
_MAX_REASON = 500
#: Below this width, in pixels at 10 pt, the two columns stand below each other.
_STACKED = 640
#: Look of the kinds: mark, fill of the bar, tint of the header.
_LOOKS = {
    "outcome": ("unknown", "intr_fill", "intr_tint"),
    "approve": ("waiting", "wait_fill", "wait_tint"),
}


class ApprovalPanel(QWidget):
    """The open questions of the session that is shown, oldest first."""

    #: run id, ask id, decision, reason for the model ("" for none)
    answered = Signal(str, str, str, str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("approvalPanel")
        self._theme = context.theme
        self._asks: dict[str, dict[str, protocol.Ask]] = {}
        self._run_id = ""
        self._shown: protocol.Ask | None = None
        self._base_sub = ""
        self._buttons: list[QPushButton] = []
        #: Looks a call up in the transcript; set by whoever knows it.
        self.facts_of: Callable[[str, str], CallFacts | None] = lambda _run, _call: None
        self._age = QElapsedTimer()
        self._gone = QTimer(self)
        self._gone.setSingleShot(True)
        self._gone.setInterval(_WITHDRAWN_MS)
        self._gone.timeout.connect(self._show_next)
        self._clock = QTimer(self)
        self._clock.setInterval(1_000)
        self._clock.timeout.connect(self._tick)
        self._build()
        self.hide()

    # --- what it follows -------------------------------------------------------------------------

    def attach(self, controller: RunController) -> None:
        """Take this controller's questions and give it the answers."""
        controller.run_event.connect(self.on_run_event)
        controller.finished.connect(self.on_run_finished)
        self.answered.connect(
            lambda run, ask, decision, reason: controller.answer(
                run, ask, decision, **({"reason": reason} if reason else {})
            )
        )

    def set_run(self, run_id: str) -> None:
        """Show the questions of this run ("" for none)."""
        if run_id != self._run_id:
            self._run_id = run_id
            self._gone.stop()
            self._show_next()

    def open_questions(self, run_id: str) -> int:
        """How many questions of a run are open."""
        return len(self._asks.get(run_id, ()))

    @property
    def question(self) -> protocol.Ask | None:
        """The question that is shown."""
        return self._shown

    @Slot(str, object)
    def on_run_event(self, run_id: str, event: object) -> None:
        """A worker asked, or took a question back, or an answer was given."""
        match event:
            case protocol.Ask():
                self._asks.setdefault(run_id, {})[event.id] = event
                if run_id == self._run_id and (self._shown is None or self._gone.isActive()):
                    self._gone.stop()
                    self._show_next()
                elif run_id == self._run_id:
                    self._say_rank()
            case protocol.Withdrawn():
                ask = self._asks.get(run_id, {}).pop(event.id, None)
                if ask is not None and self._shown is not None and self._is_shown(run_id, ask):
                    self._withdraw()
            case protocol.Answered():
                ask = self._asks.get(run_id, {}).pop(event.id, None)
                if ask is not None and self._is_shown(run_id, ask):
                    self._show_next()

    @Slot(str, object)
    def on_run_finished(self, run_id: str, _outcome: object) -> None:
        """A worker is gone, and its questions with it."""
        shown = run_id == self._run_id and self._shown is not None and not self._gone.isActive()
        self._asks.pop(run_id, None)
        if shown:
            self._withdraw()

    def _is_shown(self, run_id: str, ask: protocol.Ask) -> bool:
        return run_id == self._run_id and self._shown is not None and self._shown.id == ask.id

    # --- building --------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self._theme
        px = theme.fonts.px
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._header = Ground(theme, "wait_tint", self)
        row = QHBoxLayout(self._header)
        row.setContentsMargins(px(16), px(10), px(16), px(8))
        row.setSpacing(px(8))
        self._mark = MarkLabel(theme, self._header)
        self._title = RoleLabel(theme, "title", "text", self._header)
        self._sub = RoleLabel(theme, "body", "text2", self._header)
        self._sub.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._rank = RoleLabel(theme, "small", "text2", self._header)
        for widget, stretch in ((self._mark, 0), (self._title, 0), (self._sub, 1), (self._rank, 0)):
            row.addWidget(widget, stretch)
        column.addWidget(self._header)
        self._middle = self._build_middle()
        column.addWidget(self._middle, 1)
        self._actions = Ground(theme, "window", self)
        self._actions.top_line = ("line", 1)
        self._answers = QGridLayout(self._actions)
        self._answers.setContentsMargins(px(16), px(10), px(12), px(10))
        self._answers.setHorizontalSpacing(px(8))
        self._answers.setVerticalSpacing(px(10))
        column.addWidget(self._actions)

    def _build_middle(self) -> QWidget:
        theme = self._theme
        px = theme.fonts.px
        middle = QWidget(self)
        row = self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, middle)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        left = Ground(theme, "base", middle)
        inner = QVBoxLayout(left)
        inner.setContentsMargins(0, px(6), 0, px(6))
        inner.setSpacing(px(2))
        head = QHBoxLayout()
        head.setContentsMargins(px(44), 0, px(8), 0)
        heading = RoleLabel(theme, "small_demi", "text2", left)
        heading.setText(translate("Runs", "The command, word by word"))
        self._copy = button(theme, translate("Runs", "Copy"), "approvalCopy", "copy")
        self._copy.setFlat(True)
        self._copy.clicked.connect(self._on_copy)
        head.addWidget(heading, 1)
        head.addWidget(self._copy)
        inner.addLayout(head)
        self.command = CommandWords(theme, left)
        self.command.end_seen.connect(self._enable)
        inner.addWidget(self.command, 1)
        row.addWidget(left, 4)
        self._why = Ground(theme, "window", middle)
        self._why.left_line = True
        self._why_column = QVBoxLayout(self._why)
        self._why_column.setContentsMargins(px(16), px(12), px(12), px(8))
        self._why_column.setSpacing(px(4))
        row.addWidget(self._why, 3)
        return middle

    # --- showing ---------------------------------------------------------------------------------

    def _show_next(self) -> None:
        self._gone.stop()
        asks = self._asks.get(self._run_id)
        ask = next(iter(asks.values()), None) if asks else None
        self._shown = ask
        if ask is None:
            self._clock.stop()
            self.hide()
            return
        facts = self.facts_of(self._run_id, ask.call_id)
        mark, fill, tint = _LOOKS.get(ask.kind, _LOOKS["approve"])
        self._mark.set_mark(mark)
        self._header.token = tint
        self._header.top_line = (fill, 2)
        self._header.update()
        self._title.setText(questions.title(ask))
        self._base_sub = questions.subtitle(ask, facts)
        self._tick()
        self._say_rank()
        self.command.set_argv(ask.argv)
        self._middle.setVisible(bool(ask.argv))
        self._fill_why(ask, facts)
        self._fill_answers(ask, facts)
        self.setAccessibleName(f"{questions.title(ask)} {self._base_sub}".strip())
        # Also where one question follows another: the click that answered the first is over.
        self._age.start()
        self._clock.start()
        self.show()
        self._enable()

    def _say_rank(self) -> None:
        count = self.open_questions(self._run_id)
        text = translate("Runs", "1 of {count}").format(count=count) if count > 1 else ""
        self._rank.setText(text)

    def _tick(self) -> None:
        if self._shown is not None and not self._gone.isActive():
            parts = (self._base_sub, questions.waiting(self._shown))
            self._sub.setText(" ".join(part for part in parts if part))

    def _fill_why(self, ask: protocol.Ask, facts: CallFacts | None) -> None:
        clear(self._why_column)
        theme = self._theme
        heading = RoleLabel(theme, "small_demi", "text2", self._why)
        known = ask.kind == "outcome"
        heading.setText(
            translate("Runs", "What is known") if known else translate("Runs", "Why it asks")
        )
        self._why_column.addWidget(heading)
        for icon, text, mono in questions.reasons(ask, facts):
            line = QWidget(self._why)
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(theme.fonts.px(6))
            mark = MarkLabel(theme, line)
            mark.set_icon(icon, "text2")
            words = RoleLabel(theme, "body", "text", line)
            words.setText(text)
            row.addWidget(mark)
            row.addWidget(words)
            if mono:
                code = RoleLabel(theme, "mono_small", "text", line)
                code.setText(mono)
                code.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
                row.addWidget(code, 1)
            else:
                row.addStretch(1)
            self._why_column.addWidget(line)
        self._why_column.addStretch(1)

    def _fill_answers(self, ask: protocol.Ask, facts: CallFacts | None) -> None:
        clear(self._answers)
        self._buttons = []
        # Columns of the last question's answers must not push these.
        for index in range(6):
            self._answers.setColumnStretch(index, 0)
        if ask.kind == "outcome":
            self._outcome_answers(facts)
        elif ask.kind == "approve":
            self._approve_answers()
        else:
            label = RoleLabel(self._theme, "body", "text2", self._actions)
            label.setText(
                translate("Runs", "Answer it in the terminal, or suspend the run and go on there.")
            )
            self._answers.addWidget(label, 0, 0)

    def _approve_answers(self) -> None:
        theme = self._theme
        once = button(theme, translate("Runs", "Allow once"), "approveOnce", "play")
        always = button(theme, translate("Runs", "Allow for this run"), "approveRun")
        deny = button(theme, translate("Runs", "Deny"), "approveDeny")
        reason = QLineEdit(self._actions)
        reason.setObjectName("denyReason")
        reason.setMaxLength(_MAX_REASON)
        reason.setPlaceholderText(translate("Runs", "Reason for the model (optional)"))
        reason.setAccessibleName(translate("Runs", "Reason for the model"))
        reason.setMaximumWidth(theme.fonts.px(284))
        reason.setMinimumHeight(theme.fonts.px(28))
        reason.setTextMargins(theme.fonts.px(4), 0, theme.fonts.px(4), 0)
        # Only a click or Tab goes there: what is typed elsewhere must not end up in an answer.
        reason.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._answers.addWidget(once, 0, 0)
        self._answers.addWidget(always, 0, 1)
        self._answers.setColumnStretch(2, 1)
        self._answers.addWidget(reason, 0, 3)
        self._answers.setColumnStretch(3, 2)
        self._answers.addWidget(deny, 0, 4)
        once.clicked.connect(lambda: self._answer("once"))
        always.clicked.connect(lambda: self._answer("run"))
        deny.clicked.connect(lambda: self._answer("deny", reason.text()))
        self._buttons = [once, always]

    def _outcome_answers(self, facts: CallFacts | None) -> None:
        theme = self._theme
        for row, (decision, icon, verb, effect) in enumerate(questions.outcomes(facts)):
            choice = button(theme, verb, f"outcome_{decision}", icon)
            choice.left_aligned = True
            choice.setMinimumSize(theme.fonts.px(224), theme.fonts.px(32))
            choice.setAccessibleDescription(effect)
            choice.clicked.connect(calling(self._answer, decision))
            label = RoleLabel(theme, "body", "text2", self._actions)
            label.setText(effect)
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            self._answers.addWidget(choice, row, 0)
            self._answers.addWidget(label, row, 1)
            if decision == "run":
                self._buttons.append(choice)
        self._answers.setColumnStretch(1, 1)

    def _enable(self) -> None:
        """What runs a command waits until all of the command was on screen."""
        seen = self.command.end_was_seen
        for each in self._buttons:
            each.setEnabled(seen)
            tip = "" if seen else translate("Runs", "Scroll to the end of the command first")
            each.setToolTip(tip)

    def _withdraw(self) -> None:
        """The question is no more: say so for a moment."""
        self._title.setText(translate("Runs", "Withdrawn"))
        self._sub.setText(translate("Runs", "The run no longer asks. Nothing was allowed."))
        self._rank.setText("")
        clear(self._answers)
        self._buttons = []
        self._middle.hide()
        self._actions.update()
        self._clock.stop()
        self._gone.start()

    # --- answering -------------------------------------------------------------------------------

    def _answer(self, decision: str, reason: str = "") -> None:
        ask = self._shown
        if ask is None or self._gone.isActive() or self._age.elapsed() < DEAD_TIME_MS:
            return
        self.answered.emit(self._run_id, ask.id, decision, reason.strip())

    def _on_copy(self) -> None:
        if self._shown is not None:
            import shlex

            from tenuto_gui.render.text import for_clipboard

            QGuiApplication.clipboard().setText(for_clipboard(shlex.join(self._shown.argv)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        if event.key() in keys:
            event.accept()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < self._theme.fonts.px(_STACKED)
        direction = QBoxLayout.Direction
        self._columns.setDirection(direction.TopToBottom if narrow else direction.LeftToRight)
        # Side by side 4 : 3; one above the other the command gets the room.
        self._columns.setStretch(0, 1 if narrow else 4)
        self._columns.setStretch(1, 0 if narrow else 3)
        self._why.left_line = not narrow
        self._why.top_line = ("line", 1) if narrow else None

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        parent = self.parentWidget()
        if parent is not None and parent.height() > 0:
            # At most 60 % of the height; then the command scrolls.
            hint.setHeight(min(hint.height(), parent.height() * 6 // 10))
        return hint

    def words(self) -> list[str]:
        """Every label's text, for tests and for a report."""
        return [label.text() for label in self.findChildren(QLabel) if not label.isHidden()]
