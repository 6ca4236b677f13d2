# SPDX-License-Identifier: Apache-2.0
"""The demo from end to end, once by mouse alone and once by keyboard alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from tenuto.demo.make import Demo, make_demo
from tenuto.runs import notes
from tests.e2e.test_demo import hurry
from tests.gui.driver import Driver
from tests.gui.hands import Hands, Keys, Mouse


@pytest.fixture
def demo(home: Path) -> Demo:
    made = make_demo(home / "demo")
    hurry(made)
    return made


class Day:
    """What an operator does in a day, and what they see of it."""

    def __init__(self, window: Driver, hands: Hands, demo: Demo) -> None:
        self.window = window
        self.hands = hands
        self.demo = demo

    def becomes(self, session_id: str, status: str) -> None:
        window = self.window
        window.until(lambda: window.status(session_id) == status, f"{session_id}: not {status}")
        if status not in ("running", "waiting"):
            live = window.window.running.controller.live_ids
            window.until(lambda: session_id not in live(), "its worker never ended")

    def asks(self, session_id: str) -> None:
        self.becomes(session_id, "waiting")
        self.window.until(lambda: self.window.window.running.panel.is_asking, "it is not shown")

    def resume(self) -> None:
        self.hands.verb("orders-report", "actionResume")
        self.becomes("orders-report", "completed")

    def refused_then_forced(self) -> None:
        window = self.window
        journal = self.demo.runs / "rename-metrics.json"
        before = journal.read_bytes()
        self.hands.verb("rename-metrics", "actionResume")
        window.until(lambda: "The configuration differs" in window.notice(), "no refusal")
        self.becomes("rename-metrics", "suspended")
        self.hands.press("showChanged")
        view = window.window.detail.configuration
        window.until(lambda: view.isVisible() and view.comparison is not None, "no difference")
        self.hands.verb("rename-metrics", "actionResumeForce")
        panel = window.window.resume_flow.force_panel
        window.until(lambda: panel.isVisible() and panel.confirm.isEnabled(), "no panel")
        assert journal.read_bytes() == before
        window.until(lambda: panel.is_ripe)
        self.hands.press("confirmForce")
        self.becomes("rename-metrics", "completed")
        assert len(notes.load(self.demo.runs, "rename-metrics").forced) == 1

    def suspended_and_aborted_while_it_asks(self) -> None:
        self.hands.verb("prune-streams", "actionResume")
        self.asks("prune-streams")
        assert self.window.window.windowTitle() == "1 waiting for you \u2013 Tenuto"
        self.hands.verb("prune-streams", "actionSuspend")
        self.becomes("prune-streams", "suspended")
        self.hands.verb("prune-streams", "actionResume")
        self.asks("prune-streams")
        self.hands.verb("prune-streams", "actionAbort")
        self.hands.press("questionYes")
        self.becomes("prune-streams", "interrupted")

    def unknown(self) -> None:
        """Each of the three answers: stop, skip, run."""
        journal = self.demo.runs / "nightly-audit.json"
        before = journal.read_bytes()
        self.hands.verb("nightly-audit", "actionResume")
        self.hands.answer("outcome_stop")
        self.becomes("nightly-audit", "interrupted")
        assert journal.read_bytes() == before
        self.hands.press("noticeAgain")
        self.hands.answer("outcome_run")
        self.becomes("nightly-audit", "completed")
        self.hands.verb("prune-streams", "actionResume")
        self.hands.answer("outcome_skip")
        self.becomes("prune-streams", "completed")

    def denied(self) -> None:
        self.hands.verb("unlimited-streams", "actionResume")
        self.asks("unlimited-streams")
        self.hands.answer("approveDeny")
        self.becomes("unlimited-streams", "completed")

    def new_runs(self) -> None:
        """One allowed once, the same again with all of its calls allowed."""
        window = self.window
        self.hands.global_verb("actionNewRun")
        dialog = window.dialog("newRunDialog")
        window.until(lambda: dialog.tools.count() > 0, "no tools")
        self.hands.write(field(dialog, "newRunPrompt"), "Which streams keep everything?")
        self.hands.write(field(dialog, "newRunName"), "keeps")
        self.hands.press("newRunStart")
        self.asks("keeps")
        self.hands.answer("approveOnce")
        self.becomes("keeps", "completed")
        self.hands.verb("keeps", "actionRunAgain")
        dialog = window.dialog("newRunDialog")
        window.until(lambda: dialog.tools.count() > 0, "no tools")
        assert dialog.draft().prompt == "Which streams keep everything?"
        self.hands.write(field(dialog, "newRunName"), "keeps-2")
        self.hands.press("newRunStart")
        self.asks("keeps-2")
        self.hands.answer("approveRun")
        self.becomes("keeps-2", "completed")

    def chat(self) -> None:
        window = self.window
        self.hands.verb("pantry-chat", "actionResume")
        chat = window.window.running.chat
        window.until(lambda: chat.isVisible() and chat.field.isEnabled(), "nowhere to type")
        self.hands.write(chat.field, "What is there now?")
        self.hands.press("chatSend")
        text = window.window.detail.transcript.plain_text
        window.until(lambda: "Ask me anything about the pantry" in text(), "no answer")
        window.until(chat.field.isEnabled)
        self.hands.press("stripSuspend")
        self.becomes("pantry-chat", "suspended")

    def fork(self) -> None:
        self.hands.verb("retention-plan", "actionFork")
        dialog = self.window.dialog("wordsDialog")
        self.hands.write(field(dialog, "wordsField"), "retention-b")
        self.hands.press("wordsDone")
        self.window.until_listed("retention-b")
        self.becomes("retention-b", "suspended")
        parent = notes.load(self.demo.runs, "retention-b").parent
        assert parent is not None
        assert parent.id == "retention-plan"
        self.hands.press("forkSay")
        panel = self.window.window.resume_flow.say_panel
        self.window.until(panel.isVisible, "nowhere to type")
        self.hands.write(panel.field, "And what would it cost?")
        self.hands.press("sayResume")
        self.window.until(lambda: self.window.status("retention-b") != "suspended", "it rests")

    def close(self) -> None:
        """With a run at work that waits for an answer."""
        self.hands.global_verb("actionNewRun")
        dialog = self.window.dialog("newRunDialog")
        self.window.until(lambda: dialog.tools.count() > 0, "no tools")
        self.hands.write(field(dialog, "newRunPrompt"), "Which streams keep everything?")
        self.hands.write(field(dialog, "newRunName"), "last")
        self.hands.press("newRunStart")
        self.asks("last")
        self.hands.global_verb("actionQuit")
        self.hands.press("closeSuspend")
        self.window.until(lambda: not self.window.window.isVisible(), "it never closed")
        last = (self.demo.runs / "last.json").read_bytes().splitlines()[-1]
        assert json.loads(last)["terminal"]["reason"] == "suspended"


def field(dialog: QWidget, name: str) -> QWidget:
    found = dialog.findChild(QWidget, name)
    assert found is not None
    assert isinstance(found, QWidget | QPlainTextEdit)
    return found


@pytest.mark.parametrize("hands", [Mouse, Keys])
def test_the_demo_from_end_to_end(
    qtbot: QtBot, demo: Demo, hands: type[Mouse | Keys], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(os.fspath(demo.folder))
    window = Driver(qtbot, demo.runs)
    window.until_listed("orders-report", "nightly-audit", "rename-metrics")
    day = Day(window, hands(window), demo)
    day.resume()
    day.refused_then_forced()
    day.suspended_and_aborted_while_it_asks()
    day.unknown()
    day.denied()
    day.new_runs()
    day.chat()
    day.fork()
    day.close()
