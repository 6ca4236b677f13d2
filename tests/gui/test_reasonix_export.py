# SPDX-License-Identifier: Apache-2.0
"""Reasonix sessions leave the window as documents, and say why they do not leave complete."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QRadioButton
from pytestqt.qtbot import QtBot

from tests.gui.driver import Driver
from tests.support import reasonix

SECRET = "sk-ant-api03-" + "aB3" * 12
A = "sessions/20260601-101010.000000001-m"
V4 = "sessions-v4/" + "a" * 32
TOLD = [*reasonix.SESSION, {"role": "user", "content": f"use {SECRET}"}]


@pytest.fixture
def window(qtbot: QtBot, home: Path) -> Driver:
    root = home / ".reasonix"
    (root / "sessions").mkdir(parents=True)
    reasonix.write(root / f"{A}.jsonl", TOLD)
    reasonix.v4_session(root / V4, reasonix.batch(1, *map(reasonix.said, TOLD)))
    runs = home / "runs"
    runs.mkdir(mode=0o700)
    driver = Driver(qtbot, runs)
    driver.until_listed(A, V4)
    return driver


@pytest.mark.parametrize("id", [A, V4])
@pytest.mark.parametrize("form", ["html", "json"])
def test_a_session_is_exported(window: Driver, tmp_path: Path, id: str, form: str) -> None:
    window.choose(id, "actionExport")
    window.dialog("exportDialog")
    window.press(f"export-{form}")
    window.press("exportGoOn")
    chosen = window.dialog("exportFile")
    assert isinstance(chosen, QFileDialog)
    assert Path(chosen.selectedFiles()[0]).name == f"{id.rpartition('/')[2]}.{form}"
    target = tmp_path / f"out.{form}"
    chosen.fileSelected.emit(str(target))
    chosen.close()
    window.until(lambda: "Exported to" in window.notice())
    assert "1 secret taken out" in window.notice()
    assert target.stat().st_mode & 0o777 == 0o600
    text = target.read_text()
    assert SECRET not in text
    assert "There are 12." in text
    if form == "json":
        assert len(json.loads(text)["records"]) == len(TOLD)


def test_a_complete_file_is_of_runs_only(window: Driver) -> None:
    window.choose(A, "actionExport")
    dialog = window.dialog("exportDialog")
    complete = dialog.findChild(QRadioButton, "export-tenuto")
    assert complete is not None
    assert not complete.isEnabled()
    words = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "copying its files" in words
    dialog.close()
