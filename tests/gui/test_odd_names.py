# SPDX-License-Identifier: Apache-2.0
"""Reasonix sessions whose names could act, or stand in no text, in the window."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.gui.driver import Driver
from tests.support import reasonix

if sys.platform != "linux":
    pytest.skip("other systems refuse such names", allow_module_level=True)

#: In Qt it would be the name of another file.
NO_TEXT = "sessions/" + os.fsdecode(b"20260602-101010.000000001-\xff")
PLAIN = "sessions/20260601-101010.000000001-m"
ODD = [
    "sessions/" + name.decode()
    for name in (
        b"20260602-101010.000000002-a\nb",
        b"20260602-101010.000000003-\x1b[31m<img src=x>",
        b"20260602-101010.000000004-" + "\u202e".encode(),
        b"20260602-101010.000000005---purge",
    )
]


@pytest.fixture
def window(qtbot: QtBot, home: Path, tmp_path: Path) -> Driver:
    root = home / ".reasonix"
    (root / "sessions").mkdir(parents=True)
    for id in (PLAIN, NO_TEXT, *ODD):
        (root / f"{id}.jsonl").write_bytes(reasonix.lines(reasonix.SESSION))
    (tmp_path / "runs").mkdir(mode=0o700)
    driver = Driver(qtbot, tmp_path / "runs")
    driver.until_listed(PLAIN, *ODD)
    return driver


def test_what_no_window_can_name_is_counted(window: Driver) -> None:
    assert sorted(window.ids()) == sorted([PLAIN, *ODD])
    hidden = window.window.status.hidden
    assert hidden.text() == "1 file not shown"
    assert "a name that is no UTF-8" in hidden.toolTip()


@pytest.mark.parametrize("id", ODD)
def test_one_is_shown_deleted_and_brought_back_as_any_other(window: Driver, id: str) -> None:
    window.click(id)
    window.until(lambda: len(window.window.detail.transcript.blocks) > 0)
    texts = [label.text() for label in window.window.findChildren(QLabel)]
    texts += window.window.detail.header.facts()
    assert not {"\x1b", "\u202e", "\udcff"} & set("".join(texts))
    window.choose(id, "actionDelete")
    window.until(lambda: id not in window.ids(), window.notice())
    assert PLAIN in window.ids()
    window.press("noticeUndo")
    window.until_listed(PLAIN, *ODD)
