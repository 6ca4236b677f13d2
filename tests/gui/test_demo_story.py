# SPDX-License-Identifier: Apache-2.0
"""The samples in the window: all of them, for real, and nobody else's sessions beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tenuto.demo.make import Demo, make_demo
from tests.e2e.test_demo import hurry
from tests.gui.driver import Driver
from tests.gui.test_run_stories import press_late
from tests.support import reasonix

OWN = "sessions/20260601-101010.000000001-m"


@pytest.fixture
def demo(home: Path) -> Demo:
    """The samples of a user who has sessions of their own, and a paid configuration."""
    own = home / ".reasonix"
    (own / "sessions").mkdir(parents=True)
    (own / "config.toml").write_text('default_model = "dear/model"\n')
    reasonix.write(own / f"{OWN}.jsonl")
    made = make_demo(home / "demo")
    hurry(made)
    return made


@pytest.fixture
def window(qtbot: QtBot, demo: Demo) -> Driver:
    driver = Driver(qtbot, demo.runs)
    driver.until_listed(*demo.made, *(id_of(demo, path) for path in demo.sessions))
    return driver


def id_of(demo: Demo, path: str) -> str:
    return str(Path(path).relative_to(demo.reasonix)).removesuffix(".jsonl")


def sample(demo: Demo, key: str) -> str:
    known = json.loads((demo.reasonix / ".tenuto-samples").read_bytes())
    return id_of(demo, str(demo.reasonix / known[key]))


def shown(window: Driver) -> str:
    return window.window.detail.transcript.plain_text()


def talk(window: Driver, id: str, words: str, answer: str) -> None:
    """Resume a session, say something, wait for the answer; no question comes before."""
    window.choose(id, "actionResume")
    chat = window.window.running.chat
    window.until(lambda: chat.isVisible() and chat.field.isEnabled(), "it never waited")
    assert window.window.findChild(QFileDialog, "chooseConfiguration") is None
    say(window, words)
    window.until(lambda: answer in shown(window), "no answer is shown")


def say(window: Driver, words: str) -> None:
    chat = window.window.running.chat
    window.until(chat.field.isEnabled)
    window.type(chat.field, words)
    QTest.keyClick(chat.field, Qt.Key.Key_Return)


def rest(window: Driver, id: str) -> None:
    window.until(window.window.running.chat.field.isEnabled)
    window.choose(id, "actionSuspend")
    window.until(lambda: not window.window.running.controller.live_ids(), "it never ended")
    window.until(lambda: window.status(id) == "ready", "it is still taken for running")


def test_all_samples_and_no_session_of_the_user_s_own(window: Driver, demo: Demo) -> None:
    ids = window.ids()
    assert len(ids) == len(demo.made) + len(demo.sessions)
    assert OWN not in ids
    window.until(lambda: "pending" not in {window.status(id) for id in window.ids()})
    counts = {(e.kind, e.key): e.count for e in window.window.filters.entries()}
    assert counts["source", "reasonix"] == len(demo.sessions)
    assert counts["group", str(demo.folder / "仓库网站")] == 2
    window.window.filters.choose("group", str(demo.folder / "depot-tools"))
    assert {window.window.sessions.summary(id).badge for id in window.ids()} == {"A", "C", "v4"}


def test_the_button_of_an_empty_window_brings_both(qtbot: QtBot, home: Path) -> None:
    window = Driver(qtbot, home / "nothing")
    window.press("trySamples")
    window.until_listed("orders-report")
    window.until(lambda: any("demo-coder" in id for id in window.ids()), "no session is listed")
    # Back in a folder of one's own there are one's own sessions again.
    (home / ".reasonix" / "sessions").mkdir(parents=True)
    reasonix.write(home / ".reasonix" / f"{OWN}.jsonl")
    window.window.folder.switch(home / "nothing")
    window.until_listed(OWN)
    assert window.ids() == [OWN]


def test_a_session_goes_on_and_asks_before_it_changes_something(window: Driver, demo: Demo) -> None:
    id = sample(demo, "courier-retry")
    talk(window, id, "And now?", "falling behind")
    say(window, "Let it hold more.")
    window.until(window.window.running.panel.isVisible, "it never asked")
    press_late(window, "approveOnce")
    window.until(lambda: "What came of it stands above" in shown(window), "it never went on")
    # The model's words come as they stream, what a tool did with the file that is saved then.
    window.until(lambda: "+max_ack_pending: 2000" in shown(window), "its call shows no result")
    rest(window, id)
    stored = (demo.reasonix / f"{id}.jsonl").read_text()
    assert stored.count('"role":"user"') == 4


def test_what_only_reasonix_writes_is_forked_and_goes_on(window: Driver, demo: Demo) -> None:
    before = set(window.ids())
    window.choose(sample(demo, "label-printer"), "actionFork")
    window.say("Mirrored labels, again")
    window.until(lambda: len(set(window.ids()) - before) == 1, "no fork is listed")
    [made] = set(window.ids()) - before
    window.until(lambda: window.status(made) == "ready", "the fork was never read")
    talk(window, made, "And now?", "keep everything")
    rest(window, made)


def test_delete_undo_and_rename(window: Driver, demo: Demo) -> None:
    id = sample(demo, "stock-search")
    path = demo.reasonix / f"{id}.jsonl"
    before = path.read_bytes()
    window.choose(id, "actionDelete")
    window.until(lambda: id not in window.ids(), "it is still listed")
    assert not path.exists()
    window.press("noticeUndo")
    window.until_listed(id)
    window.until(lambda: window.window.detail.session_id == id, "it is not the one that is shown")
    assert path.read_bytes() == before
    window.choose(id, "actionRename")
    window.say("Stock search")
    window.until(lambda: window.window.sessions.summary(id).title == "Stock search")
