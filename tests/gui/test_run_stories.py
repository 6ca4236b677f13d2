# SPDX-License-Identifier: Apache-2.0
"""Runs in the window with real workers: reasons, crashes, aborts, chats, and text as it streams."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tenuto_gui.runs import protocol as p
from tenuto_gui.runs.approval import ApprovalPanel
from tests.e2e.bench import Bench
from tests.e2e.runs import wait_turn
from tests.gui.driver import Driver
from tests.gui.working import ADD, DONE, LIST, REMOVE, press_late, rest, suspended_run
from tests.support.paths import CONFORMANCE


def crashed_run(bench: Bench) -> Path:
    """A run ``r1`` whose journal ends with a call that has no result, as a crash leaves it."""
    config = bench.script([ADD, DONE])
    words = ("run", "Tidy up", "--config", str(config), "--checkpoint", "--name", "r1")
    assert bench.tenuto(*words).returncode == 0
    path = bench.runs / "r1.json"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    return config


def resume(window: Driver, config: Path) -> ApprovalPanel:
    window.until_listed("r1")
    window.click("r1")
    window.window.resume_flow.start("r1", str(config))
    return window.window.running.panel


def test_the_model_is_told_why_a_call_was_denied(qtbot: QtBot, bench: Bench) -> None:
    config = suspended_run(bench, [REMOVE, DONE])
    window = Driver(qtbot, bench.runs)
    panel = resume(window, config)
    window.until(panel.isVisible, "no question")
    field = panel.findChild(QLineEdit, "denyReason")
    assert field is not None
    QTest.keyClicks(field, "not the tea")
    press_late(window, "approveDeny")
    rest(window)
    assert bench.pantry.calls()[-1:] != [["stock", "remove", "--", "tea"]]
    results = [r["tool_result"]["result"] for r in bench.records("r1") if "tool_result" in r]
    told = json.loads(results[-1]["content"])
    assert told == {
        "allowed": False,
        "reason": "the operator did not allow this call: not the tea",
    }
    view = window.window.detail.transcript
    window.until(lambda: [b.state for b in view.blocks if b.name == "stock_remove"] == ["denied"])
    assert "not the tea" in view.plain_text()


@pytest.mark.parametrize("choice", ["run", "skip", "stop"])
def test_a_call_that_may_have_run_is_asked_about(qtbot: QtBot, bench: Bench, choice: str) -> None:
    config = crashed_run(bench)
    before = (bench.runs / "r1.json").read_bytes()
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    assert window.status("r1") == "interrupted"
    panel = resume(window, config)
    window.until(panel.isVisible, "no question")
    assert "One command may already have run" in panel.words()
    view = window.window.detail.transcript
    window.until(lambda: [b.state for b in view.blocks if b.name == "stock_add"] == ["unknown"])
    assert "Asked for in record 2, turn 1" in panel.words()
    held = "The process that was at work is gone; this window holds the run"
    assert held in panel.words()
    window.until(lambda: window.status("r1") in ("running", "waiting"), "its worker has no lock")
    press_late(window, f"outcome_{choice}")
    rest(window)
    if choice == "stop":
        assert (bench.runs / "r1.json").read_bytes() == before
        window.until(lambda: "One command may already have run" in window.notice())
        return
    window.until(lambda: window.status("r1") == "completed", "it never completed")
    window.until(lambda: DONE["text"] in view.plain_text())
    call = next(b for b in view.blocks if b.name == "stock_add")
    assert call.result is not None
    assert call.state == "done" if choice == "run" else "unknown" in call.result
    assert len(bench.pantry.calls()) == (2 if choice == "run" else 1)
    assert window.notice() == ""


def test_abort_kills_the_tool_and_writes_nothing(qtbot: QtBot, bench: Bench) -> None:
    config = suspended_run(bench, [wait_turn(), DONE])
    window = Driver(qtbot, bench.runs)
    events: list[object] = []
    window.window.running.controller.run_event.connect(lambda _id, event: events.append(event))
    resume(window, config)
    window.until(lambda: any(isinstance(e, p.ToolStart) for e in events), "no tool ran")
    view = window.window.detail.transcript
    window.until(lambda: view.blocks[-1].state == "running", "the call does not show as running")
    before = (bench.runs / "r1.json").read_bytes()
    QTest.mouseClick(window.window.running.strip.abort_button, Qt.MouseButton.LeftButton)
    assert window.window.running.controller.run("r1").phase == "running", "it did not ask"
    window.press("questionYes")
    rest(window)
    assert (bench.runs / "r1.json").read_bytes() == before
    window.until(lambda: window.status("r1") == "interrupted", "it does not read as interrupted")
    window.until(lambda: view.blocks[-1].notice == "interrupted")
    assert not window.window.running.strip.isVisible()


def test_abort_in_the_middle_of_its_words(qtbot: QtBot, bench: Bench) -> None:
    """What streamed and was not recorded is no more, on the screen as on the disk."""
    config = suspended_run(bench, [{"text": "One by one they come. " * 50, "word_delay": 0.2}])
    window = Driver(qtbot, bench.runs)
    view = window.window.detail.transcript
    resume(window, config)
    window.until(lambda: "One by one" in view.plain_text(), "the words never streamed")
    before = (bench.runs / "r1.json").read_bytes()
    QTest.mouseClick(window.window.running.strip.abort_button, Qt.MouseButton.LeftButton)
    window.press("questionYes")
    rest(window)
    assert (bench.runs / "r1.json").read_bytes() == before
    window.until(lambda: "One by one" not in view.plain_text(), "it shows what is nowhere")
    # Nothing was recorded after the last suspend: it rests where it rested before.
    window.until(lambda: window.status("r1") == "suspended")
    assert window.notice() == ""


def test_words_are_on_screen_before_they_are_on_disk(qtbot: QtBot, bench: Bench) -> None:
    words = "One by one the words come and are shown as they come."
    config = suspended_run(bench, [{"text": words, "word_delay": 0.1}])
    window = Driver(qtbot, bench.runs)
    view = window.window.detail.transcript
    resume(window, config)

    def early() -> bool:
        return "One by one" in view.plain_text() and words not in view.plain_text()

    window.until(early, "the words never streamed")
    assert b"One by one" not in (bench.runs / "r1.json").read_bytes()
    rest(window)
    window.until(lambda: view.plain_text().count(words) == 1)


def test_a_killed_worker_is_told_and_its_run_can_go_on(qtbot: QtBot, bench: Bench) -> None:
    config = suspended_run(bench, [{"text": "Slowly now.", "word_delay": 5.0}, LIST, DONE])
    window = Driver(qtbot, bench.runs)
    events: list[Any] = []
    window.window.running.controller.run_event.connect(lambda _id, event: events.append(event))
    resume(window, config)
    window.until(lambda: any(isinstance(e, p.Starting) for e in events), "it never started")
    pid = next(e.pid for e in events if isinstance(e, p.Starting))
    os.kill(pid, signal.SIGKILL)
    rest(window)
    window.until(lambda: "The worker was killed." in window.notice(), "nobody was told")
    # It had written nothing yet: the run rests where it rested before.
    window.until(lambda: window.status("r1") == "suspended")


def test_a_chat_goes_on_in_the_window(qtbot: QtBot, bench: Bench) -> None:
    source = CONFORMANCE / "fisk-real/runs/chat-waiting.json"
    lines = source.read_text().splitlines(keepends=True)
    config = bench.script([DONE] * 6)
    # The chat up to an answer, as this configuration would have begun it.
    checked = json.loads(bench.tenuto("config", "check", str(config), "--json").stdout)
    meta = json.loads(lines[0])
    meta["meta"] |= {"fingerprint": checked["fingerprint"], "run_id": "r1"}
    path = bench.runs / "r1.json"
    path.write_text(json.dumps(meta) + "\n" + "".join(lines[1:8]))
    path.chmod(0o600)
    window = Driver(qtbot, bench.runs)
    chat = window.window.running.chat
    resume(window, config)
    window.until(lambda: chat.isVisible() and chat.field.isEnabled(), "nowhere to type")
    QTest.keyClicks(chat.field, "thank you")
    QTest.keyClick(chat.field, Qt.Key.Key_Return)
    view = window.window.detail.transcript
    window.until(lambda: view.plain_text().endswith(f"thank you\n\n{DONE['text']}"), "no answer")
    window.until(chat.field.isEnabled)
    QTest.mouseClick(window.window.running.strip.suspend_button, Qt.MouseButton.LeftButton)
    rest(window)
    assert bench.kinds("r1")[-3:] == ["user", "assistant", "terminal"]
