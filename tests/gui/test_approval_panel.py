# SPDX-License-Identifier: Apache-2.0
"""Questions of a run: what the panel shows, what it takes for an answer, and what it ignores."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tenuto.sources.base import blank_summary
from tenuto_gui.context import AppContext
from tenuto_gui.runs import approval
from tenuto_gui.runs import protocol as p
from tenuto_gui.runs.approval import ApprovalPanel
from tenuto_gui.runs.command_words import visible_word
from tenuto_gui.runs.pieces import RoleLabel
from tenuto_gui.runs.questions import CallFacts
from tenuto_gui.runs.reason_line import ReasonLine
from tenuto_gui.runs.scrolled import Scrolled
from tenuto_gui.runs.strip import RunStrip
from tenuto_gui.runs.worker import RunController
from tests.gui.parts import context
from tests.gui.test_worker import ASK, FAKE, STARTING, Stage

PATIENCE = 20_000
ARGV = ["pantry", "stock", "remove", "--", "old bread"]


def ask(id: str = "ask-1", **fields: object) -> p.Ask:
    known: dict[str, object] = {
        "id": id,
        "kind": "approve",
        "call_id": "c1",
        "tool": "stock_remove",
        "argv": ARGV,
        "cwd": "/srv/pantry",
        "tag": "ai:confirm",
        "digest": "d1",
    }
    return p.Ask(**{**known, **fields})  # type: ignore[arg-type]


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    with context(tmp_path) as each:
        yield each


class Bench:
    """A panel in a window, and the answers it gave."""

    def __init__(self, made: AppContext, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.made = made
        self.window = QWidget()
        qtbot.addWidget(self.window)
        column = QVBoxLayout(self.window)
        column.setContentsMargins(0, 0, 0, 0)
        self.field = QLineEdit(self.window)
        column.addWidget(self.field)
        column.addStretch(1)
        self.panel = ApprovalPanel(made, self.window)
        column.addWidget(self.panel)
        self.window.resize(868, 700)
        self.window.show()
        self.answers: list[tuple[str, str, dict[str, object]]] = []
        self.panel.answered.connect(lambda *words: self.answers.append(words))
        self.panel.set_run("r")

    def ask(self, question: p.Ask, run: str = "r") -> None:
        self.panel.on_run_event(run, question)
        if self.panel.isVisible():
            self.qtbot.waitUntil(lambda: self.panel.command.end_was_seen)

    def button(self, name: str) -> QPushButton:
        # A panel that is on screen shows what is put into it when the events of now are done.
        QApplication.processEvents()
        found = [b for b in self.panel.findChildren(QPushButton, name) if not b.isHidden()]
        assert len(found) == 1, name
        return found[0]

    def press(self, name: str) -> None:
        QTest.mouseClick(self.button(name), Qt.MouseButton.LeftButton)


@pytest.fixture
def bench(made: AppContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(approval, "DEAD_TIME_MS", 0)
    return Bench(made, qtbot)


def test_it_is_there_only_while_a_run_asks(bench: Bench) -> None:
    assert not bench.panel.isVisible()
    bench.ask(ask())
    assert bench.panel.isVisible()
    bench.panel.on_run_event("r", p.Answered(id="ask-1", decision="once"))
    assert not bench.panel.isVisible()


def test_it_shows_the_exact_command_and_why_it_asks(bench: Bench) -> None:
    bench.panel.facts_of = lambda _run, _call: CallFacts(9, 22, 1, 2, 0)
    bench.ask(ask())
    assert bench.panel.command.shown_text().split("\n") == [
        f"{index} {word}" for index, word in enumerate(ARGV)
    ]
    words = bench.panel.words()
    assert "Allow stock_remove to run?" in words
    assert any(each.startswith("Turn 9, call 1 of 2.") for each in words)
    assert {"ai:confirm", "/srv/pantry"} <= set(words)


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("a\u202eb", "a<U+202E>b"),
        ("a\x1b[2Jb", "a\u241b[2Jb"),
        ("a\nb\tc", "a\u240ab\u2409c"),
        ("", "(empty)"),
        ("a\u00a0b", "a<U+00A0>b"),
        ("x\u200by", "x<U+200B>y"),
        ("\ud83d", "\ufffd"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
    ],
)
def test_nothing_in_a_word_acts_or_hides(word: str, shown: str) -> None:
    assert visible_word(word) == shown


@pytest.mark.parametrize(
    ("name", "decision"), [("approveOnce", "once"), ("approveRun", "run"), ("approveDeny", "deny")]
)
def test_each_button_is_its_answer(bench: Bench, name: str, decision: str) -> None:
    bench.ask(ask())
    bench.press(name)
    assert bench.answers == [("r", "ask-1", {"decision": decision})]


def test_a_denial_may_have_a_reason(bench: Bench) -> None:
    bench.ask(ask())
    field = bench.panel.findChild(QLineEdit, "denyReason")
    assert field is not None
    QTest.keyClicks(field, " not on Fridays ")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert bench.answers == []
    bench.press("approveDeny")
    given = {"decision": "deny", "reason": "not on Fridays"}
    assert bench.answers == [("r", "ask-1", given)]


def test_no_slip_presses_a_button(made: AppContext, qtbot: QtBot) -> None:
    bench = Bench(made, qtbot)
    bench.field.setFocus()
    bench.ask(ask())
    assert bench.window.focusWidget() is bench.field, "the panel takes no focus"
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
        QTest.keyClick(bench.panel, key)
        QTest.keyClick(bench.button("approveOnce"), key)
    assert not any(b.isDefault() or b.autoDefault() for b in bench.panel.findChildren(QPushButton))
    bench.press("approveOnce")
    assert bench.answers == [], "too early to be meant"
    qtbot.waitUntil(lambda: bench.panel._age.elapsed() > approval.DEAD_TIME_MS)
    bench.press("approveOnce")
    assert [each[2] for each in bench.answers] == [{"decision": "once"}]
    # The click that answers one question must not answer the next.
    bench.panel.on_run_event("r", p.Answered(id="ask-1", decision="once"))
    bench.ask(ask("ask-2"))
    bench.press("approveOnce")
    assert len(bench.answers) == 1


def test_a_command_that_does_not_fit_is_seen_to_its_end_first(
    bench: Bench,
) -> None:
    long = [*ARGV, *(f"item-{n}" for n in range(200)), "x" * 5_000]
    bench.panel.on_run_event("r", ask(argv=long))
    bench.window.grab()
    assert not bench.button("approveOnce").isEnabled()
    assert not bench.button("approveRun").isEnabled()
    assert bench.button("approveDeny").isEnabled()
    assert bench.panel.height() <= bench.window.height() * 6 // 10 + 1
    assert bench.button("approveOnce").isVisible()
    bar = bench.panel.command.verticalScrollBar()
    bar.setValue(bar.maximum() - 1)
    bench.window.grab()
    assert not bench.button("approveOnce").isEnabled()
    bar.setValue(bar.maximum())
    bench.qtbot.waitUntil(bench.button("approveOnce").isEnabled)


def test_a_narrow_field_asks_for_a_reason_in_fewer_words(bench: Bench) -> None:
    bench.ask(ask())
    field = bench.panel.findChild(QLineEdit, "denyReason")
    assert field is not None
    hints = ["Reason for the model (optional)", "Reason (optional)", "Reason"]
    metrics = field.fontMetrics()
    for hint in hints:
        field.setMinimumWidth(0)
        field.setFixedWidth(metrics.horizontalAdvance(hint) + 40)
        QApplication.processEvents()
        assert field.placeholderText() == hint
        field.grab()
    assert field.accessibleName() == "Reason for the model"


def test_questions_queue(bench: Bench) -> None:
    bench.ask(ask("ask-1"))
    bench.panel.on_run_event("r", ask("ask-2", tool="stock_add"))
    assert "1 of 2" in bench.panel.words()
    bench.panel.on_run_event("r", p.Answered(id="ask-1", decision="once"))
    assert bench.panel.question is not None
    assert bench.panel.question.id == "ask-2"
    assert "1 of 2" not in bench.panel.words()
    bench.panel.on_run_event("r", p.Answered(id="ask-2", decision="deny"))
    assert not bench.panel.isVisible()


def test_a_question_that_is_taken_back_says_so_and_goes(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.panel._gone.setInterval(50)
    bench.ask(ask())
    once = bench.button("approveOnce")
    bench.panel.on_run_event("r", p.Withdrawn(id="ask-1"))
    assert bench.panel.isVisible()
    assert "Withdrawn" in bench.panel.words()
    once.click()
    assert bench.answers == []
    bench.qtbot.waitUntil(lambda: not bench.panel.isVisible(), timeout=PATIENCE)
    bench.ask(ask("ask-2"))
    bench.panel.on_run_finished("r", None)
    assert "Withdrawn" in bench.panel.words()


@pytest.mark.parametrize("decision", ["run", "skip", "stop"])
def test_an_unknown_outcome_has_three_equal_answers(bench: Bench, decision: str) -> None:
    bench.panel.facts_of = lambda _run, _call: CallFacts(5, 22, 2, 3, 1)
    bench.ask(ask(kind="outcome", tag="", cwd="", digest="", since="2026-03-01T14:00:00Z"))
    words = bench.panel.words()
    assert "One command may already have run" in words
    assert "Call 1 of 3 has its result and is kept" in words
    assert "Call 2 has none: it may have run, in part or whole" in words
    assert "Call 3 had not started" in words
    buttons = [bench.button(f"outcome_{each}") for each in ("run", "skip", "stop")]
    assert len({each.size().toTuple() for each in buttons}) == 1
    assert not any(each.property("primary") for each in buttons)
    bench.press(f"outcome_{decision}")
    assert bench.answers == [("r", "ask-1", {"decision": decision})]


def test_facts_and_effects_are_whole_in_little_room(bench: Bench) -> None:
    bench.panel.facts_of = lambda _run, _call: CallFacts(5, 22, 2, 3, 1)
    bench.panel.resize(460, 330)
    bench.ask(ask(kind="outcome", tag="", cwd="", digest="", since="2026-03-01T14:00:00Z"))
    bench.panel.resize(480, 330)
    for label in bench.panel.findChildren(QLabel):
        if label.isVisible() and label.text():
            assert label.height() >= label.fontMetrics().height(), label.text()
            if label.wordWrap():
                assert label.height() >= label.heightForWidth(label.width()), label.text()


@pytest.mark.parametrize("width", [560, 640, 700, 706, 840, 1200])
@pytest.mark.parametrize("kind", ["approve", "outcome"])
def test_every_reason_is_whole_in_any_width(bench: Bench, kind: str, width: int) -> None:
    bench.panel.facts_of = lambda _run, _call: CallFacts(5, 22, 2, 3, 1)
    bench.window.resize(width, 700)
    bench.ask(ask(kind=kind, cwd="/srv/pantry/with/a/longer/path"))
    QApplication.processEvents()
    lines = bench.panel.findChildren(ReasonLine)
    assert lines
    column = lines[0].parentWidget()
    assert column is not None
    if kind == "approve" and width > 600:
        # Beside the command there is room for three reasons.
        area = bench.panel.findChild(Scrolled)
        assert area is not None
        assert area.verticalScrollBar().maximum() == 0
    for line in lines:
        assert column.rect().contains(line.geometry())
        for label in line.findChildren(QLabel):
            assert line.rect().contains(label.geometry()), label.text()
            if label.wordWrap():
                assert label.height() >= label.heightForWidth(label.width()), label.text()
            else:
                assert label.width() >= label.sizeHint().width(), label.text()


def test_what_is_cut_is_whole_in_the_tooltip(bench: Bench) -> None:
    label = RoleLabel(bench.made.theme, "body", "text", bench.window)
    label.setText("<b>much more than there is room for</b>")
    label.resize(40, 20)
    label.show()
    place = label.rect().center()
    QApplication.sendEvent(label, QHelpEvent(QEvent.Type.ToolTip, place, label.mapToGlobal(place)))
    assert "&lt;b&gt;much more than" in QToolTip.text()


# --- with a worker --------------------------------------------------------------------------------


def test_a_worker_gets_the_answer_and_the_strip_follows(qtbot: QtBot, tmp_path: Path) -> None:
    with context(tmp_path, (sys.executable, str(FAKE))) as made:
        stage = Stage(qtbot, made, tmp_path, 300)
        window = QWidget()
        qtbot.addWidget(window)
        column = QVBoxLayout(window)
        panel, strip = ApprovalPanel(made, window), RunStrip(made, window)
        for part in (panel, strip):
            column.addWidget(part)
            part.attach(stage.controller)
        window.resize(868, 600)
        window.show()
        panel.set_run("r")
        row = blank_summary("r", str(tmp_path / "r.json"))
        row.next_iteration = 2
        strip.set_session(row)
        assert not strip.isVisible()
        assistant = {"type": "assistant", "seq": 4, "iteration": 2, "usage": {"in_tokens": 900}}
        stage.play(STARTING, {"emit": assistant}, ASK, {"read": "answer"}, {"read": "suspend"})
        stage.until(p.Ask)
        assert strip.isVisible()
        assert "Waiting for you" in strip.accessibleName()
        assert strip._tokens.text() == "900 of 2.0k tokens"
        assert strip._turns.text() == "turn 3"
        once = panel.findChild(QPushButton, "approveOnce")
        assert once is not None
        qtbot.waitUntil(lambda: once.isEnabled() and panel._age.elapsed() > 500)
        window.grab()
        QTest.mouseClick(once, Qt.MouseButton.LeftButton)
        stage.until(p.Answered)
        assert not panel.isVisible()
        assert strip.accessibleName() == "Running"
        QTest.mouseClick(strip.suspend_button, Qt.MouseButton.LeftButton)
        assert strip.accessibleName() == "Suspending\u2026"
        assert not strip.suspend_button.isEnabled()
        assert strip.abort_button.isEnabled()
        stage.end()
        assert not strip.isVisible()
        told = [each["type"] for each in stage.told()[1:]]
        assert told == ["answer", "suspend"]


def test_abort_from_the_strip(qtbot: QtBot, tmp_path: Path) -> None:
    with context(tmp_path, (sys.executable, str(FAKE))) as made:
        stage = Stage(qtbot, made, tmp_path, 300)
        strip = RunStrip(made)
        qtbot.addWidget(strip)
        strip.attach(stage.controller)
        # The window asks first, then it does this.
        strip.abort_requested.connect(stage.controller.abort)
        strip.set_session(blank_summary("r", str(tmp_path / "r.json")))
        stage.play(STARTING, ASK, {"sleep": 60})
        stage.until(p.Ask)
        QTest.mouseClick(strip.abort_button, Qt.MouseButton.LeftButton)
        assert strip.accessibleName() == "Aborting\u2026"
        assert stage.end().aborted


def test_a_panel_without_workers_answers_nobody(made: AppContext) -> None:
    assert not RunController(made).answer("r", "ask-1", "once")
