# SPDX-License-Identifier: Apache-2.0
"""Questions in words (confirm, select, input), and questions of several runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from tenuto_gui.context import AppContext
from tenuto_gui.runs import approval
from tenuto_gui.runs import protocol as p
from tenuto_gui.runs.queue import Questions
from tests.gui.parts import context
from tests.gui.test_approval_panel import Bench, ask
from tests.gui.test_worker import FAKE, STARTING, Stage


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    with context(tmp_path) as each:
        yield each


@pytest.fixture
def bench(made: AppContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(approval, "DEAD_TIME_MS", 0)
    return Bench(made, qtbot)


def question(kind: str, text: str = "Which shelf?", id: str = "q1", **more: object) -> p.Ask:
    return p.Ask(id=id, kind=kind, text=text, **more)  # type: ignore[arg-type]


def title(bench: Bench) -> str:
    return bench.panel._title.text()


# --- in words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), [("confirmYes", True), ("confirmNo", False)])
def test_a_yes_or_no(bench: Bench, name: str, value: bool) -> None:
    bench.panel.on_run_event("r", question("confirm", "Throw the rice away?"))
    assert title(bench) == "Throw the rice away?"
    bench.press(name)
    assert bench.answers == [("r", "q1", {"value": value})]


def test_a_few_options_are_equal_buttons(bench: Bench) -> None:
    options = ["Upper", "Lower & left", "<b>x</b>\u202e", ""]
    bench.panel.on_run_event("r", question("select", options=options))
    buttons = [bench.button(f"option_{n}") for n in range(4)]
    assert [b.text() for b in buttons] == [
        "Upper", "Lower && left", "<b>x</b><U+202E>", "(empty)",
    ]  # fmt: skip
    assert len({b.size().toTuple() for b in buttons}) == 1
    bench.press("option_2")
    assert bench.answers == [("r", "q1", {"value": "<b>x</b>\u202e"})]


def test_many_options_are_a_list(bench: Bench) -> None:
    options = [f"shelf {n}" for n in range(40)]
    bench.panel.on_run_event("r", question("select", options=options))
    found = bench.panel.findChild(QListWidget, "optionList")
    assert found is not None
    assert found.count() == 40
    assert not bench.button("answerSend").isEnabled()
    found.setCurrentRow(33)
    QTest.keyClick(found, Qt.Key.Key_Return)
    assert bench.answers == []
    bench.press("answerSend")
    assert bench.answers == [("r", "q1", {"value": "shelf 33"})]


def test_an_answer_is_typed_and_sent_by_its_button(bench: Bench) -> None:
    bench.field.setFocus()
    bench.panel.on_run_event("r", question("input", default="top \u202eshelf"))
    assert bench.window.focusWidget() is bench.field
    field = bench.panel.findChild(QLineEdit, "answerField")
    assert field is not None
    assert field.text() == "top <U+202E>shelf"
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert bench.answers == []
    bench.press("answerSend")
    assert bench.answers == [("r", "q1", {"value": "top \u202eshelf"})], "as it was given"
    field.setText("the other one")
    bench.press("answerSend")
    assert bench.answers[-1] == ("r", "q1", {"value": "the other one"})


def test_a_long_question_is_read_below_its_title(bench: Bench) -> None:
    text = "Which shelf?\nThere are two.\n<b>Look</b> \u202efirst."
    bench.panel.on_run_event("r", question("confirm", text))
    assert "\n" not in title(bench)
    long = bench.panel.findChild(QPlainTextEdit, "questionText")
    assert long is not None
    assert long.isVisible()
    assert long.toPlainText() == text.replace("\u202e", "<U+202E>")
    bench.panel.on_run_event("r", p.Answered(id="q1"))
    bench.ask(ask())
    assert not long.isVisible()


@pytest.mark.parametrize(
    ("fields", "press", "told"),
    [
        ({"kind": "confirm", "text": "Go on?"}, "confirmYes", True),
        ({"kind": "select", "text": "Which?", "options": ["a", "b"]}, "option_1", "b"),
        ({"kind": "input", "text": "Name?", "default": "rice"}, "answerSend", "rice"),
    ],
)
def test_a_worker_gets_the_value(
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fields: dict[str, object],
    press: str,
    told: object,
) -> None:
    monkeypatch.setattr(approval, "DEAD_TIME_MS", 0)
    with context(tmp_path, (sys.executable, str(FAKE))) as made:
        stage = Stage(qtbot, made, tmp_path, 300)
        bench = Bench(made, qtbot)
        bench.panel.attach(stage.controller)
        stage.play(STARTING, {"emit": {"type": "ask", "id": "q", **fields}}, {"read": "answer"})
        stage.until(p.Ask)
        bench.press(press)
        stage.end()
        assert stage.told()[1] == {"type": "answer", "id": "q", "value": told}


# --- of several runs ------------------------------------------------------------------------------


def test_questions_of_all_runs_wait_in_one_line(bench: Bench) -> None:
    bench.panel.title_of = {"a": "Pantry", "b": "Cellar"}.get  # type: ignore[assignment]
    wanted: list[str] = []
    bench.panel.session_wanted.connect(wanted.append)
    bench.panel.on_run_event("a", question("confirm", "First?"))
    bench.panel.on_run_event("b", question("confirm", "Second?"))
    bench.panel.on_run_event("a", question("confirm", "Third?", "q2"))
    assert title(bench) == "First?"
    assert "1 of 3" in bench.panel.words()
    assert any(words.startswith("\u201cPantry\u201d asks.") for words in bench.panel.words())
    bench.press("questionSession")
    assert wanted == ["a"]
    bench.panel.set_run("a")
    assert title(bench) == "First?"
    assert not bench.panel.findChild(QPushButton, "questionSession").isVisible()
    # Who looks at a session that asks is asked by that one.
    bench.panel.set_run("b")
    assert title(bench) == "Second?"
    assert "2 of 3" in bench.panel.words()
    bench.press("confirmNo")
    assert bench.answers == [("b", "q1", {"value": False})]
    bench.panel.on_run_event("b", p.Answered(id="q1"))
    assert title(bench) == "First?"
    assert "1 of 2" in bench.panel.words()


def test_a_question_stays_as_it_is_while_another_session_is_looked_at(bench: Bench) -> None:
    bench.ask(ask())
    age = bench.panel._age.msecsSinceReference()
    field = bench.panel.findChild(QLineEdit, "denyReason")
    assert field is not None
    field.setText("half a reason")
    bench.panel.set_run("another")
    assert bench.panel.findChild(QLineEdit, "denyReason").text() == "half a reason"
    assert bench.panel._age.msecsSinceReference() == age
    assert bench.button("questionSession").isVisible()


def test_the_session_that_is_shown_asks_before_another_that_asked_first(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.panel.set_run("b")
    bench.panel.on_run_event("a", question("confirm", "First?"))
    assert title(bench) == "First?"
    monkeypatch.setattr(approval, "DEAD_TIME_MS", 3_600_000)
    bench.panel.on_run_event("b", question("confirm", "Second?"))
    assert title(bench) == "Second?"
    assert "2 of 2" in bench.panel.words()
    bench.press("confirmYes")
    assert bench.answers == [], "a click on the way to the question before answered this one"
    monkeypatch.setattr(approval, "DEAD_TIME_MS", 0)
    bench.press("confirmYes")
    assert bench.answers == [("b", "q1", {"value": True})]
    bench.panel.on_run_event("b", p.Answered(id="q1"))
    assert title(bench) == "First?"


def test_an_answer_that_is_being_typed_is_not_taken_away(bench: Bench) -> None:
    bench.panel.set_run("b")
    bench.panel.on_run_event("a", question("input", "Why?"))
    field = bench.panel.findChild(QLineEdit, "answerField")
    assert field is not None
    field.setFocus(Qt.FocusReason.MouseFocusReason)
    QTest.keyClicks(field, "half an ")
    bench.panel.on_run_event("b", question("confirm", "Second?"))
    assert title(bench) == "Why?"
    assert "1 of 2" in bench.panel.words()
    QTest.keyClicks(field, "answer")
    bench.press("answerSend")
    assert bench.answers == [("a", "q1", {"value": "half an answer"})]
    bench.panel.on_run_event("a", p.Answered(id="q1"))
    assert title(bench) == "Second?"


def test_half_an_answer_is_there_again_with_its_question(bench: Bench) -> None:
    options = [f"Shelf {n}" for n in range(9)]
    bench.panel.on_run_event("a", question("input", "Why?", default="because"))
    bench.panel.on_run_event("b", ask())
    bench.panel.on_run_event("c", question("select", options=options))

    def shown(run: str, name: str) -> QLineEdit:
        bench.panel.set_run(run)
        QApplication.processEvents()
        fields = [f for f in bench.panel.findChildren(QLineEdit, name) if not f.isHidden()]
        assert len(fields) == 1
        return fields[0]

    shown("a", "answerField").setText("half an answer")
    shown("b", "denyReason").setText("half a reason")
    bench.panel.set_run("c")
    QApplication.processEvents()
    bench.panel.findChild(QListWidget, "optionList").setCurrentRow(6)
    assert shown("b", "denyReason").text() == "half a reason"
    assert shown("a", "answerField").text() == "half an answer"
    bench.panel.set_run("c")
    bench.press("answerSend")
    assert bench.answers == [("c", "q1", {"value": "Shelf 6"})]
    # Another question of that run under the same id begins with nothing.
    bench.panel.on_run_event("b", p.Answered(id="ask-1", decision="deny"))
    bench.panel.on_run_event("b", ask())
    assert shown("b", "denyReason").text() == ""


def test_a_run_that_ends_takes_only_its_own_questions(bench: Bench) -> None:
    bench.panel._gone.setInterval(50)
    bench.panel.on_run_event("a", question("confirm", "First?"))
    bench.panel.on_run_event("b", question("confirm", "Second?"))
    bench.panel.on_run_finished("a", None)
    assert title(bench) == "Withdrawn"
    bench.qtbot.waitUntil(lambda: title(bench) == "Second?")
    assert not [words for words in bench.panel.words() if words.endswith("of 2")]


def test_the_queue_keeps_the_order_of_asking() -> None:
    waiting = Questions()
    for run, id in (("a", "1"), ("b", "1"), ("a", "2")):
        waiting.add(run, question("confirm", id=id))
    first = waiting.first("c")
    assert first is not None
    assert (first.run_id, first.ask.id, waiting.rank(first)) == ("a", "1", 1)
    assert waiting.remove("a", "1") is not None
    assert waiting.remove("a", "1") is None
    assert waiting.rank(first) == 0
    assert [waiting.rank(each) for each in waiting.of("a")] == [2]
    waiting.remove_run("b")
    assert len(waiting) == 1


def test_tab_goes_through_a_question_as_it_is_read(qtbot: QtBot, made: AppContext) -> None:
    bench = Bench(made, qtbot)
    bench.window.activateWindow()
    qtbot.waitUntil(bench.window.isActiveWindow)
    after = QLineEdit(bench.window)
    bench.window.layout().addWidget(after)
    for question in (ask("one"), ask("two")):
        # Twice: the answers of a later question are newer than all that stands below them.
        bench.ask(question)
        bench.panel.take_focus()
        way = []
        for _step in range(6):
            way.append(QApplication.focusWidget())
            QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        names = [each.objectName() or type(each).__name__ for each in way if each is not None]
        assert names == [
            *["CommandWords", "Scrolled", "approveOnce", "approveRun", "denyReason", "approveDeny"]
        ]
        assert QApplication.focusWidget() is after
        bench.panel.on_run_event("r", p.Answered(id=question.id))
    question = ask("three", kind="select", argv=[], text="Which?", options=["tea", "salt"])
    bench.panel.on_run_event("r", question)
    bench.panel.take_focus()
    assert QApplication.focusWidget().objectName() == "option_0"
