# SPDX-License-Identifier: Apache-2.0
"""A run that the real fisk-ai suspended goes on by right-click, against a Messages server."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.e2e.messages_server import MessagesServer
from tests.e2e.pantry import CONFORMANCE
from tests.e2e.serve import prepare
from tests.gui.driver import Driver


def test_the_real_suspended_run_is_resumed_to_the_end(
    qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = home / "real"
    prepare(folder)
    row = next(
        row
        for row in json.loads((CONFORMANCE / "runs.json").read_bytes())
        if row["name"] == "suspended"
    )
    journal = folder / "runs" / "suspended.json"
    before = journal.read_bytes()
    monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    turns = json.loads((CONFORMANCE / "resume-turns.json").read_bytes())
    with MessagesServer(turns) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        window = Driver(qtbot, folder / "runs")
        window.until_listed("suspended")
        assert window.status("suspended") == "suspended"
        window.choose("suspended", "actionResume")
        # No file beside the run names its configuration, so the window asks.
        window.until(lambda: window.window.findChildren(QFileDialog), "no question")
        dialog = window.window.findChildren(QFileDialog)[0]
        dialog.fileSelected.emit(str(folder / "agent.yaml"))
        dialog.reject()
        window.until(lambda: window.status("suspended") == "completed", "it never completed")
        window.until(lambda: not window.window.running.controller.live_ids())
        assert window.notice() == ""
        calls = server.calls
    assert len(calls) == row["resume"]["model_calls"]
    assert calls[0].messages == row["resume"]["first_messages"]
    assert journal.read_bytes().removeprefix(before).decode() == row["resume"]["appended"]
    shown = window.window.detail.transcript
    window.until(lambda: turns[-1]["text"] in shown.plain_text(), "its words are not seen")
