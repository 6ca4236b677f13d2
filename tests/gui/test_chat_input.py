# SPDX-License-Identifier: Apache-2.0
"""Typing to a chat whose worker waits for words."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tenuto.sources.base import blank_summary
from tenuto_gui.runs import protocol as p
from tenuto_gui.runs.chat import ChatInput
from tests.gui.parts import context
from tests.gui.test_worker import FAKE, STARTING, Stage

READY = {"emit": {"type": "ready"}}


def test_what_is_typed_goes_to_the_worker_that_waits(qtbot: QtBot, tmp_path: Path) -> None:
    with context(tmp_path, (sys.executable, str(FAKE))) as made:
        stage = Stage(qtbot, made, tmp_path, 300)
        chat = ChatInput(made)
        qtbot.addWidget(chat)
        chat.resize(868, 60)
        chat.attach(stage.controller)
        row = blank_summary("r", str(tmp_path / "r.json"))
        row.interactive = True
        chat.set_session(row)
        assert not chat.isVisible()
        stage.play(STARTING, READY, {"read": "prompt"}, READY, {"read": "suspend"})
        stage.until(p.Ready)
        assert chat.isVisible()
        assert chat.field.isEnabled()
        chat.grab()
        low = chat.field.sizeHint().height()
        QTest.keyClick(chat.field, Qt.Key.Key_Return)
        QTest.keyClicks(chat.field, "add tea")
        QTest.keyClick(chat.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClicks(chat.field, "please")
        assert chat.field.sizeHint().height() > low
        QTest.keyClick(chat.field, Qt.Key.Key_Return)
        assert not chat.field.isEnabled()
        assert chat.field.toolTip()
        assert chat.field.toPlainText() == ""
        qtbot.waitUntil(chat.field.isEnabled, timeout=20_000)
        stage.controller.suspend("r")
        stage.end()
        assert not chat.isVisible()
        assert stage.told()[1:] == [
            {"type": "prompt", "text": "add tea\nplease"},
            {"type": "suspend"},
        ]


def test_a_one_shot_run_is_not_talked_to(qtbot: QtBot, tmp_path: Path) -> None:
    with context(tmp_path, (sys.executable, str(FAKE))) as made:
        stage = Stage(qtbot, made, tmp_path, 300)
        chat = ChatInput(made)
        qtbot.addWidget(chat)
        chat.attach(stage.controller)
        chat.set_session(blank_summary("r", str(tmp_path / "r.json")))
        stage.play(STARTING, {"read": "suspend"})
        stage.until(p.Starting)
        assert not chat.isVisible()
        stage.controller.prompt("r", "unasked")
        stage.controller.suspend("r")
        stage.end()
        assert [each.get("type") for each in stage.told()[1:]] == ["suspend"]
