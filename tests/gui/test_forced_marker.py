# SPDX-License-Identifier: Apache-2.0
"""The marker of a forced resume, the mark of damage on its tab, and the button beside Find."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from tenuto.runs import notes, times
from tenuto_gui.dialogs.export import ExportDialog
from tenuto_gui.sessions.words import evidence_text
from tenuto_gui.transcript import words
from tenuto_gui.transcript.view import TranscriptView
from tests.gui.driver import Driver
from tests.gui.parts import context, fill, summary, transcript
from tests.support import journals as j

PATIENCE = 60_000
ROWS = [
    {"field": "model", "saved": "claude-sonnet-5", "current": "claude-haiku-4-5", "changed": True},
    {"field": "tools_hash", "saved": "1" * 64, "current": "2" * 64, "changed": True},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "runs"
    made.mkdir(mode=0o700)
    return made


@pytest.fixture
def view(qapp: QApplication, qtbot: QtBot, folder: Path) -> Iterator[TranscriptView]:
    with context(folder) as made, transcript(made, qtbot) as each:
        yield each


def put(folder: Path, id: str, *lines: bytes) -> None:
    path = folder / f"{id}.json"
    path.write_bytes(b"".join(lines))
    path.chmod(0o600)


def forced(folder: Path) -> None:
    put(
        folder, "r", j.meta(run_id="r"), j.assistant(2, [j.text("Hm.")]), j.terminal(3),
        j.assistant(4, [j.text("Done.")], iteration=1), j.terminal(5, "completed"),
    )  # fmt: skip
    stamps = [times.RecordTime(seq, f"2026-01-05T10:0{seq}:00Z") for seq in (2, 3, 4, 5)]
    times.append(str(folder), "r", stamps)
    moment = "2026-01-05T10:03:30Z"
    notes.add_forced(folder, "r", notes.Forced(moment, "/etc/agent.yaml", ROWS))


def test_a_forced_resume_says_what_changed(
    view: TranscriptView, folder: Path, qtbot: QtBot
) -> None:
    forced(folder)
    view.set_session(summary(view.context.source, "r"))
    qtbot.waitUntil(lambda: len(view.blocks) == 5, timeout=PATIENCE)
    view.go_to_start()
    marker = view.blocks[2]
    parts = words.marker(marker)
    assert [name for name, _, _ in parts] == ["mark:suspended", "icon:play", "icon:bolt"]
    assert parts[2][2] == "Forced: model, tool set"
    assert "Forced: model, tool set" in words.accessible(marker)
    header = view.shape_of(2).header
    assert header is not None
    tip = view.tip_at(view.row_rect(2).topLeft() + header.center())
    assert tip.split("\n") == [
        "Model: claude-sonnet-5 \u2192 claude-haiku-4-5",
        "Tool set: 1111111111\u2026 \u2192 2222222222\u2026",
        "/etc/agent.yaml",
    ]
    view.copy_block(2)
    assert "Forced: model, tool set" in QApplication.clipboard().text()


@pytest.mark.parametrize(
    ("message", "line", "below"),
    [
        (
            "llm call: the provider is overloaded (tried 6 times)",
            ": provider overloaded, 6 tries",
            "",
        ),
        (
            'llm call: POST "https://models.example/v1": 401 Unauthorized {}',
            ": key not accepted",
            'llm call: POST "https://models.example/v1": 401 Unauthorized {}',
        ),
        (
            'llm call: POST "https://models.example/v1": 404 Not Found {}',
            ": provider answered 404",
            'llm call: POST "https://models.example/v1": 404 Not Found {}',
        ),
        ("the disk is full", "Failed", "the disk is full"),
    ],
)
def test_a_failure_says_its_cause_where_that_is_known(
    view: TranscriptView, folder: Path, qtbot: QtBot, message: str, line: str, below: str
) -> None:
    ended = {"reason": "error", "message": message}
    put(folder, "r", j.meta(run_id="r"), j.line(2, "terminal", ended))
    found = summary(view.context.source, "r")
    view.set_session(found)
    qtbot.waitUntil(lambda: bool(view.blocks) and view.blocks[-1].kind == "notice")
    marker = view.blocks[-1]
    said = words.accessible(marker)
    assert said.startswith("Failed")
    assert line in said
    assert words.marker_detail(marker) == below
    assert evidence_text(found) == (line.removeprefix(": ") if ":" in line else message, "")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_marker_is_painted_with_its_bolt(
    view: TranscriptView, folder: Path, qtbot: QtBot, scheme: str
) -> None:
    forced(folder)
    view.context.theme.set_choice(scheme)  # type: ignore[arg-type]
    view.set_session(summary(view.context.source, "r"))
    qtbot.waitUntil(lambda: len(view.blocks) == 5, timeout=PATIENCE)
    view.go_to_start()
    place = view.row_rect(2)
    image = view.viewport().grab(place).toImage()
    ink = view.context.theme.color("chg").rgb()
    drawn = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
    assert ink in drawn
    fill(view, [block for block in view.blocks if block.forced is None])


def test_the_tab_of_the_records_has_a_mark_while_there_is_damage(
    qtbot: QtBot, folder: Path
) -> None:
    put(folder, "bad", j.meta(run_id="bad"), b'{"seq":2,"prot\n', j.terminal(3))
    put(folder, "good", j.meta(run_id="good"), j.terminal(2))
    driver = Driver(qtbot, folder)
    driver.until_listed("bad", "good")
    detail = driver.window.detail
    tab = detail.tabs.indexOf(detail.records)
    bar = detail.tabs.tabBar()
    driver.click("bad")
    driver.until(lambda: not detail.tabs.tabIcon(tab).isNull(), "no mark on the tab")
    assert bar.accessibleTabName(tab) == "Records, Damaged"
    assert detail.tabs.tabText(tab) == "Records"
    driver.click("good")
    driver.until(lambda: detail.tabs.tabIcon(tab).isNull(), "the mark stays")
    assert bar.accessibleTabName(tab) == "Records"


def test_a_session_is_exported_from_beside_find(qtbot: QtBot, folder: Path) -> None:
    put(folder, "good", j.meta(run_id="good"), j.terminal(2))
    driver = Driver(qtbot, folder)
    driver.until_listed("good")
    driver.click("good")
    button = driver.window.findChild(QToolButton, "exportButton")
    assert button is not None
    driver.until(button.isEnabled, "never enabled")
    assert button.isVisible()
    assert button.accessibleName() == "Export session"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = driver.window.findChild(ExportDialog)
    assert dialog is not None
    dialog.close()
