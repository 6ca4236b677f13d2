# SPDX-License-Identifier: Apache-2.0
"""The panel in which a run's question is answered (look.md, "Decision panels").

Not a dialog: it never takes the focus, has no default button, ignores Enter and Esc, and takes no
click in its first half second. What it shows is what will run, to the last character.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from PySide6.QtCore import QElapsedTimer, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from tenuto.text import one_line
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import in_turn, translate
from tenuto_gui.plain import plain_tip
from tenuto_gui.runs import protocol, questions
from tenuto_gui.runs.answers import Answer, Answers
from tenuto_gui.runs.command_words import CommandWords
from tenuto_gui.runs.pieces import Ground, MarkLabel, RoleLabel, button, clear
from tenuto_gui.runs.question_text import QuestionText
from tenuto_gui.runs.questions import CallFacts
from tenuto_gui.runs.queue import Open, Questions
from tenuto_gui.runs.reason_line import ReasonLine
from tenuto_gui.runs.scrolled import Scrolled
from tenuto_gui.runs.worker import RunController
from tenuto_gui.transcript.accessible import announce

#: A click that was meant for something else must not land on an answer (look.md).
DEAD_TIME_MS = 500
_WITHDRAWN_MS = 3_000
#: Below this width, in pixels at 10 pt, the two columns stand below each other.
_STACKED = 640
#: Look of the kinds: mark, fill of the bar, tint of the header.
_LOOKS = {
    "outcome": ("unknown", "intr_fill", "intr_tint"),
    "approve": ("waiting", "wait_fill", "wait_tint"),
}


class ApprovalPanel(QWidget):
    """The open questions of all runs, oldest first; those of the session that is shown before."""

    #: run id, ask id, `Answer`
    answered = Signal(str, str, object)
    #: The operator wants to see the session that asks.
    session_wanted = Signal(str)
    #: There is a question to answer now, or there is none any more.
    asking_changed = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("approvalPanel")
        self._theme = context.theme
        self._questions = Questions()
        self._run_id = ""
        self._shown: Open | None = None
        self._base_sub = ""
        #: Looks a call up in the transcript; set by whoever knows it.
        self.facts_of: Callable[[str, str], CallFacts | None] = lambda _run, _call: None
        #: What a session is called, for a question of one that is not shown.
        self.title_of: Callable[[str], str] = lambda run: run
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
            lambda run, ask, answer: controller.answer(run, ask, **cast("dict[str, Any]", answer))
        )

    def set_run(self, run_id: str) -> None:
        """The session that is shown ("" for none): its questions come before those of others."""
        if run_id != self._run_id:
            self._run_id = run_id
            self._gone.stop()
            self._show_next()

    def open_questions(self, run_id: str) -> int:
        """How many questions of a run are open."""
        return len(self._questions.of(run_id))

    @property
    def is_asking(self) -> bool:
        """Whether there is a question to answer."""
        return self._shown is not None and not self._gone.isActive()

    def take_focus(self) -> None:
        """The operator asks for it by key: what is read first, the answers follow by Tab."""
        if self._shown is None or not self.is_asking:
            return
        if self._shown.ask.argv:
            self.command.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif not self.text.isHidden():
            self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self._answers.take_focus()

    @property
    def question(self) -> protocol.Ask | None:
        """The question that is shown."""
        return self._shown.ask if self._shown is not None else None

    @Slot(str, object)
    def on_run_event(self, run_id: str, event: object) -> None:
        """A worker asked, or took a question back, or an answer was given."""
        match event:
            case protocol.Ask():
                self._questions.add(run_id, event)
                if self._shown is None or self._gone.isActive() or self._gives_way(run_id):
                    self._gone.stop()
                    self._show_next()
                else:
                    self._say_place()
            case protocol.Withdrawn():
                found = self._questions.remove(run_id, event.id)
                if found is not None and self._is_shown(found):
                    self._withdraw()
                else:
                    self._say_place()
            case protocol.Answered():
                found = self._questions.remove(run_id, event.id)
                if found is not None and self._is_shown(found):
                    self._show_next()
                else:
                    self._say_place()

    @Slot(str, object)
    def on_run_finished(self, run_id: str, _outcome: object) -> None:
        """A worker is gone, and its questions with it."""
        shown = self._shown is not None and self._shown.run_id == run_id
        self._questions.remove_run(run_id)
        if shown and not self._gone.isActive():
            self._withdraw()
        else:
            self._say_place()

    def _gives_way(self, run_id: str) -> bool:
        """Whether the question of another run makes room for one of the session that is shown.

        Not while the keyboard is in it: what is typed on must not go anywhere else.
        """
        shown = self._shown
        other = shown is not None and shown.run_id != self._run_id == run_id
        focus = cast("QWidget | None", self.window().focusWidget())
        return other and (focus is None or not self.isAncestorOf(focus))

    def _is_shown(self, question: Open) -> bool:
        shown = self._shown
        return shown is not None and (shown.run_id, shown.ask.id) == (
            question.run_id,
            question.ask.id,
        )

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
        self._go_there = button(theme, translate("Runs", "Go to session"), "questionSession")
        self._go_there.clicked.connect(self._on_session)
        for widget, stretch in (
            (self._mark, 0),
            (self._title, 0),
            (self._sub, 1),
            (self._go_there, 0),
            (self._rank, 0),
        ):
            row.addWidget(widget, stretch)
        column.addWidget(self._header)
        self._middle = self._build_middle()
        column.addWidget(self._middle, 1)
        self.text = QuestionText(theme, self)
        column.addWidget(self.text)
        self._answers = Answers(theme, self)
        self._answers.given.connect(self._answer)
        column.addWidget(self._answers)

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
        self._why = Ground(theme, "window")
        self._why.left_line = True
        self._why_column = QVBoxLayout(self._why)
        self._why_column.setContentsMargins(px(16), px(12), px(12), px(8))
        self._why_column.setSpacing(px(4))
        row.addWidget(Scrolled(theme, self._why, middle), 3)
        return middle

    # --- showing ---------------------------------------------------------------------------------

    def _show_next(self) -> None:
        waits = self._gone.isActive()
        self._gone.stop()
        question = self._questions.first(self._run_id)
        if question is None:
            self._shown = None
            self._clock.stop()
            self.hide()
            self.asking_changed.emit()
            return
        if self._is_shown(question) and not waits and not self.isHidden():
            # The same question beside another session: what was read of it stays read.
            self._say_place()
            return
        if self._shown is not None and not waits:
            self._questions.keep_draft(self._shown, self._answers.draft())
        self._shown = question
        run_id, ask = question
        facts = self.facts_of(run_id, ask.call_id)
        mark, fill, tint = _LOOKS.get(ask.kind, _LOOKS["approve"])
        self._mark.set_mark(mark)
        self._header.token = tint
        self._header.top_line = (fill, 2)
        self._header.update()
        self._title.setText(questions.title(ask))
        self._base_sub = questions.subtitle(ask, facts)
        self._tick()
        self._say_place()
        self.command.set_argv(ask.argv)
        self._middle.setVisible(bool(ask.argv))
        self.text.set_text(questions.long_text(ask))
        self._fill_why(ask, facts)
        self._answers.fill(ask, facts)
        if (draft := self._questions.draft(question)) is not None:
            self._answers.restore(draft)
        self._answers.follow(self.text)
        self.setAccessibleName(f"{questions.title(ask)} {self._base_sub}".strip())
        # Also where one question follows another: the click that answered the first is over.
        self._age.start()
        self._clock.start()
        self.show()
        announce(self, self.accessibleName())
        self._enable()
        self.asking_changed.emit()

    def _say_place(self) -> None:
        """Which of all questions this is, and of which session where another one is shown."""
        shown = self._shown
        if shown is None or self._gone.isActive():
            return
        count = len(self._questions)
        text = translate("Runs", "{rank} of {count}").format(
            rank=self._questions.rank(shown), count=count
        )
        self._rank.setText(text if count > 1 else "")
        elsewhere = shown.run_id != self._run_id
        self._go_there.setVisible(elsewhere)
        tip = self.title_of(shown.run_id) if elsewhere else ""
        self._go_there.setToolTip(plain_tip(tip))
        self._go_there.setAccessibleDescription(tip)
        self._tick()

    def _on_session(self) -> None:
        if self._shown is not None:
            self.session_wanted.emit(self._shown.run_id)

    def _tick(self) -> None:
        shown = self._shown
        if shown is None or self._gone.isActive():
            return
        parts = [self._base_sub, questions.waiting(shown.ask)]
        if shown.run_id != self._run_id:
            name = one_line(self.title_of(shown.run_id), 80)
            parts.insert(0, translate("Runs", "\u201c{session}\u201d asks.").format(session=name))
        self._sub.setText(in_turn(*parts))

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
            line = ReasonLine(theme, icon, text, mono, self._why)
            self._why_column.addWidget(line)
        self._why_column.addStretch(1)

    def _enable(self) -> None:
        """What runs a command waits until all of the command was on screen."""
        seen = self.command.end_was_seen
        for each in self._answers.running:
            each.setEnabled(seen)
            tip = "" if seen else translate("Runs", "Scroll to the end of the command first")
            each.setToolTip(tip)

    def _withdraw(self) -> None:
        """The question is no more: say so for a moment."""
        self._title.setText(translate("Runs", "Withdrawn"))
        self._sub.setText(translate("Runs", "The run no longer asks. Nothing was allowed."))
        self._rank.setText("")
        self._go_there.hide()
        self._answers.clear()
        self._middle.hide()
        self.text.set_text("")
        self._answers.update()
        self._clock.stop()
        self._gone.start()
        self.asking_changed.emit()

    # --- answering -------------------------------------------------------------------------------

    def _answer(self, answer: Answer) -> None:
        shown = self._shown
        if shown is None or self._gone.isActive() or self._age.elapsed() < DEAD_TIME_MS:
            return
        self.answered.emit(shown.run_id, shown.ask.id, answer)

    def _on_copy(self) -> None:
        if self._shown is not None:
            import shlex

            from tenuto_gui.render.text import for_clipboard

            QGuiApplication.clipboard().setText(for_clipboard(shlex.join(self._shown.ask.argv)))

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
