# SPDX-License-Identifier: Apache-2.0
"""Taking a deletion back before its command has answered: the rows go earlier than that."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tenuto_gui.command import CommandRunner, Outcome
from tests.gui.driver import PATIENCE, Driver, Open, holding_process
from tests.gui.parts import context

#: Runs the true command, and after a deletion answers only when the file of argument 1 is there.
LATE = """
import subprocess, sys, time
from pathlib import Path
done = subprocess.run([sys.executable, "-m", "tenuto", *sys.argv[2:]])
while sys.argv[2:4] == ["session", "rm"] and not Path(sys.argv[1]).exists():
    time.sleep(0.02)
sys.exit(done.returncode)
"""


@pytest.fixture
def answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lets the deletions answer that have been made, and all later ones."""
    program, gate = tmp_path / "late.py", tmp_path / "answer"
    program.write_text(LATE)
    line = (sys.executable, str(program), str(gate))
    monkeypatch.setattr("tenuto.program.command_line", lambda: line)
    return gate.touch


def delete(window: Driver, *ids: str) -> None:
    """Until the rows are gone."""
    for place, each in enumerate(ids):
        window.click(each, keep=place > 0)
    window.window.verbs.delete.trigger()
    window.until(lambda: not set(ids) & set(window.ids()), "they are still listed")


def test_undo_comes_after_the_answer(
    opened: Open, folder: Path, answer: Callable[[], None]
) -> None:
    window = opened("keep", "one", "two")
    before = {id: (folder / f"{id}.json").read_bytes() for id in ("one", "two")}
    undo = window.window.verbs.undo_delete
    delete(window, "one", "two")
    assert window.notice() == "", "it has answered already"
    assert undo.isEnabled(), "the operator sees that they are gone"
    QTest.keyClick(window.window.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not undo.isEnabled()
    answer()
    window.until_listed("one", "two")
    assert {id: (folder / f"{id}.json").read_bytes() for id in before} == before
    window.until(lambda: not window.window.commands.busy)
    assert window.notice() == ""
    assert not undo.isEnabled(), "it was taken back"


def test_undo_is_of_the_last_one_that_was_begun(opened: Open, answer: Callable[[], None]) -> None:
    window = opened("keep", "first", "second")
    undo = window.window.verbs.undo_delete
    delete(window, "first")
    delete(window, "second")
    undo.trigger()
    answer()
    window.until_listed("second")
    window.until(undo.isEnabled)
    assert "first" not in window.ids()
    undo.trigger()
    window.until_listed("first")


def test_the_button_means_what_its_notice_tells_of(
    opened: Open, answer: Callable[[], None]
) -> None:
    window = opened("keep", "first", "second")
    answer()
    delete(window, "first")
    window.until(lambda: "Deleted" in window.notice())
    deletion = window.window.deletion
    summary = window.window.sessions.summary("second")
    assert summary is not None
    deletion.delete([summary])
    window.press("noticeUndo")
    window.until_listed("first")
    window.until(lambda: "second" not in window.ids())


def test_nothing_is_left_to_undo_of_a_refused_deletion(opened: Open, folder: Path) -> None:
    window = opened("rest")
    undo = window.window.verbs.undo_delete
    window.click("rest")
    holder = subprocess.Popen(
        holding_process(folder / "rest.lock"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        window.window.verbs.delete.trigger()
        undo.trigger()
        window.until(lambda: "could not be deleted" in window.notice())
        assert not undo.isEnabled()
        assert window.ids() == ["rest"]
    finally:
        holder.communicate()


def test_what_was_restored_from_the_trash_meanwhile_is_not_offered(
    opened: Open, answer: Callable[[], None]
) -> None:
    window = opened("keep", "bin")
    main = window.window
    delete(window, "bin")
    main.side.trash.click()
    model = main.trash_view.model
    window.until(lambda: [item.id for item in model.items] == ["bin"])
    main.trash_view.list.setCurrentIndex(model.index(0))
    window.press("trashRestore")
    window.until_listed("bin")
    window.until(lambda: model.items == [])
    answer()
    window.until(lambda: not main.commands.busy)
    assert window.notice() == ""
    assert not main.verbs.undo_delete.isEnabled()


def test_the_window_waits_for_what_a_command_leads_to(qtbot: QtBot, folder: Path) -> None:
    ended: list[object] = []
    with context(folder) as given:
        runner = CommandRunner(given)

        def then(outcome: Outcome) -> None:
            ended.append(json.loads(json.dumps(outcome.result)))
            if len(ended) < 3:
                runner.run(["session", "list", "--json"], then)

        runner.run(["session", "list", "--json"], then)
        runner.wait(PATIENCE)
        assert len(ended) == 3
        assert not runner.busy
