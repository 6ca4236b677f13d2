# SPDX-License-Identifier: Apache-2.0
"""Stories about what went wrong: one calm sentence, and the whole of it for who asks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto_gui.command import CommandRunner, Outcome, said
from tenuto_gui.notice import Notice
from tenuto_gui.report import HEAD, TAIL, Capped, Ran, of_error, report
from tests.gui.driver import PATIENCE, Driver
from tests.gui.parts import context
from tests.support.store import end, make_run


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Driver:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    store = FileRunStore(folder)
    for each in ("one", "two"):
        make_run(store, each)
        with store.open(each) as journal:
            journal.append(end())
    driver = Driver(qtbot, folder)
    driver.until_listed("one", "two")
    return driver


def ran(qtbot: QtBot, folder: Path, *argv: str) -> Outcome:
    """What became of a command."""
    found: list[Outcome] = []
    with context(folder, argv) as made:
        holder = QWidget()
        qtbot.addWidget(holder)
        runner = CommandRunner(made, holder)
        runner.run([], found.append, bare=True)
        qtbot.waitUntil(lambda: bool(found), timeout=PATIENCE)
    return found[0]


def fail_a_rename(window: Driver) -> None:
    window.window.annotation.rename(window.window.sessions.summary("one"))
    (window.folder / "one.json").unlink()
    window.say("Too late")
    window.until(lambda: "could not be renamed" in window.notice())


def test_a_failed_verb_tells_all_of_it_when_asked(window: Driver) -> None:
    fail_a_rename(window)
    bar = window.window.notices
    assert not bar.details.isVisible(), "details on demand"
    before = bar.height()
    window.press("noticeDetails")
    window.until(bar.details.text.isVisible)
    window.until(lambda: bar.height() >= before + bar.details.height())
    told = bar.details.text.toPlainText()
    assert "session rename --json --state-dir" in told
    assert "exit code: 3" in told
    assert "kind: not_found" in told
    assert "--- stderr" in told
    assert '"error":"not_found"' in told.replace('": "', '":"')
    window.press("noticeCopyReport")
    assert QGuiApplication.clipboard().text() == told
    window.press("noticeDetails")
    window.until(lambda: bar.height() == before)


def test_the_details_by_keys_alone(window: Driver) -> None:
    fail_a_rename(window)
    details = window.window.notices.details
    window.window.activateWindow()
    details.fold.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(details.fold, Qt.Key.Key_Space)
    window.until(details.text.isVisible)
    reached = []
    for _step in range(6):
        QTest.keyClick(window.window.focusWidget(), Qt.Key.Key_Tab)
        reached.append(window.window.focusWidget())
    assert details.text in reached, "Tab comes to the text"
    assert details.copy in reached, "and goes on from it"
    details.text.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(details.text, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert details.text.textCursor().hasSelection()
    QTest.keyClick(details.text, Qt.Key.Key_Escape)
    assert not details.isVisible()
    assert window.window.focusWidget() is details.fold


def test_a_new_notice_has_its_own_details_or_none(window: Driver) -> None:
    fail_a_rename(window)
    window.press("noticeDetails")
    bar = window.window.notices
    bar.show_notice(Notice("info", "All is well"))
    assert not bar.details.isVisible()
    assert not bar.details.fold.isVisible()
    bar.show_notice(Notice("failed", "Not so well", details="why"))
    assert bar.details.fold.isVisible()
    assert not bar.details.isVisible(), "closed, as every new one"
    assert bar.details.text.toPlainText() == "why"


def test_details_leave_room_in_a_low_window(window: Driver) -> None:
    window.window.resize(900, 420)
    bar = window.window.notices
    bar.show_notice(Notice("failed", "Long", details="\n".join(map(str, range(500)))))
    window.press("noticeDetails")
    window.until(bar.details.text.isVisible)
    assert bar.details.text.height() < window.window.height() / 2
    assert bar.details.text.verticalScrollBar().maximum() > 0, "the rest is scrolled to"


def test_a_command_that_dies_is_told_as_that(qtbot: QtBot, tmp_path: Path) -> None:
    code = "import os, sys; print('so far', file=sys.stderr); os.abort()"
    died = ran(qtbot, tmp_path, sys.executable, "-c", code)
    assert died.exit_code == -1
    assert said(died) == "so far"
    assert "exit code: none" in died.report
    assert "so far" in died.report


def test_a_command_that_says_nothing_has_a_sentence_all_the_same(
    qtbot: QtBot, tmp_path: Path
) -> None:
    assert "7" in said(ran(qtbot, tmp_path, sys.executable, "-c", "raise SystemExit(7)"))
    assert said(ran(qtbot, tmp_path, sys.executable, "-c", "")) == ""


def test_a_program_that_is_not_there(qtbot: QtBot, tmp_path: Path) -> None:
    missing = ran(qtbot, tmp_path, str(tmp_path / "gone"))
    assert missing.exit_code == -1
    assert said(missing)
    assert str(tmp_path / "gone") in missing.report
    assert "kind: not_started" in missing.report


def test_output_without_end_is_kept_from_both_ends(qtbot: QtBot, tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "sys.stderr.write('the first\\n' + 'x' * 3_000_000 + '\\nthe last\\n')\n"
        "raise SystemExit(1)\n"
    )
    flood = ran(qtbot, tmp_path, sys.executable, "-c", code)
    assert said(flood) == "the last"
    told = flood.report
    assert "the first" in told
    assert "the last" in told
    assert "bytes left out" in told
    assert len(told) < HEAD + TAIL + 4096


@pytest.mark.parametrize("step", [1, 7, 4096, 10**6])
def test_capping_does_not_depend_on_how_the_bytes_come(step: int) -> None:
    whole = bytes(range(32, 127)) * 600
    kept = Capped()
    for start in range(0, len(whole), step):
        kept.feed(whole[start : start + step])
    # Half a word may be half a secret.
    head = whole[:HEAD][: whole[:HEAD].rindex(b" ") + 1]
    tail = whole[-TAIL:].split(b" ", 1)[1]
    left_out = len(whole) - len(head) - len(tail)
    gap = f"\n[... {left_out} bytes left out ...]\n".encode()
    assert kept.text().encode() == head + gap + tail


def test_no_half_of_a_secret_is_told_where_the_middle_is_left_out() -> None:
    key = "sk-ant-api03-" + "Ab3dEf6hIj" * 9
    for place in range(0, 2 * len(key), 5):
        head = ("word " * HEAD)[: HEAD - place] + f" {key} "
        tail = f" {key} " + ("word " * TAIL)[: TAIL - place]
        told = report("", [("stderr", head + "middle " * 20_000 + tail)])
        assert not any(key[at : at + 10] in told for at in range(12, len(key) - 10)), place


def test_no_word_of_a_command_is_cut_in_a_secret() -> None:
    token = "eyJhbGciOi1234567890." + "eyJzdWIiOi12345" * 40 + ".c2lnbmF0dXJl"
    told = Ran(("tenuto", "note", f"see {token}"), 1, "io", "", "").report()
    assert "eyJzdWIi" not in told


def test_a_report_has_no_secret_and_nothing_that_acts() -> None:
    key = "sk-ant-api03-" + "Ab3" * 12
    told = report("head", [("stderr", f"used {key}\x1b[31m\u202e")])
    assert key not in told
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "Tenuto " in told.splitlines()[-1]


def test_a_report_of_an_exception_names_the_way_it_came() -> None:
    def raise_it() -> None:
        raise OSError(28, "No space left on device")

    try:
        raise_it()
    except OSError as error:
        told = of_error(error)
    assert "raise_it" in told
    assert "No space left on device" in told
    assert "kind: OSError" in told
