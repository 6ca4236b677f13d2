# SPDX-License-Identifier: Apache-2.0
"""Reasonix sessions of all generations in the window: seen, refused, changed, resumed, followed."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from benchmarks.reasonix_corpora import many_sessions
from tenuto_gui.single_instance import Instance, claim
from tests.e2e.bench import Bench
from tests.e2e.messages_server import MessagesServer
from tests.gui.driver import Driver, menu_action, reason
from tests.support import reasonix
from tests.support.cli import held, suspended

A = "sessions/20260601-101010.000000001-deepseek-v4"
B = "projects/-srv-app/sessions/20260602-101010.000000001-deepseek-v4"
C = "sessions/20260603-101010.000000001-m"
TORN = "sessions/20260604-101010.000000001-m"
V4 = "sessions-v4/" + "a" * 32
ALL = (A, B, C, TORN, V4)


@pytest.fixture
def state(home: Path) -> Path:
    """This user's Reasonix sessions: one of each generation, and a damaged one."""
    root = home / ".reasonix"
    for folder in ("sessions", "projects/-srv-app/sessions"):
        (root / folder).mkdir(parents=True)
    reasonix.write(root / f"{A}.jsonl", updated_at="2026-06-01T10:10:10Z", model="d/deepseek-v4")
    reasonix.write(
        root / f"{B}.jsonl",
        revision=3,
        content_digest="d",
        updated_at="2026-06-02T10:10:10Z",
        workspace_root="/srv/app",
    )
    reasonix.write(root / f"{C}.jsonl", [reasonix.SYSTEM])
    log = reasonix.log_line("replace", reasonix.SESSION)
    (root / f"{C}.events.jsonl").write_bytes(log)
    (root / f"{TORN}.jsonl").write_bytes(reasonix.lines(reasonix.SESSION)[:-5])
    host = {"role": "user", "content": "<context>", "origin": "host"}
    said = [reasonix.said(m) for m in (host, *reasonix.SESSION[1:])]
    reasonix.v4_session(root / V4, reasonix.batch(1, ("turn/start", {}), *said))
    return root


@pytest.fixture
def bench(home: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    made = Bench(home / "bench")
    monkeypatch.setenv("PATH", made.environment["PATH"])
    return made


@pytest.fixture
def window(qtbot: QtBot, bench: Bench, state: Path) -> Driver:
    suspended(bench.runs, "r1")
    driver = Driver(qtbot, bench.runs)
    driver.until_listed("r1", *ALL)
    return driver


def why_not(window: Driver, session_id: str, *actions: str) -> list[str]:
    """The reasons in the right-click menu, "" for what can be done."""
    menu = window.menu(session_id)
    found = [menu_action(menu, name) for name in actions]
    told = ["" if action.isEnabled() else reason(action) for action in found]
    menu.close()
    return told


def shown(window: Driver) -> str:
    return window.window.detail.transcript.plain_text()


def test_all_generations_are_in_the_list(window: Driver) -> None:
    found = {id: window.window.sessions.summary(id) for id in ("r1", *ALL)}
    assert {id: (row.source, row.badge, row.status) for id, row in found.items() if row} == {
        "r1": ("fisk-ai", "", "suspended"),
        A: ("reasonix", "A", "ready"),
        B: ("reasonix", "B", "ready"),
        C: ("reasonix", "C", "ready"),
        TORN: ("reasonix", "A", "damaged"),
        V4: ("reasonix", "v4", "interrupted"),
    }
    counts = {(e.kind, e.key): e.count for e in window.window.filters.entries()}
    assert counts["source", "reasonix"] == 5
    assert counts["source", "fisk-ai"] == 1
    assert counts["group", "/srv/app"] == 1
    assert counts["facet", "ready"] == 3
    window.window.filters.choose("group", "/srv/app")
    assert window.ids() == [B]
    window.window.show_all()
    window.window.filters.choose("source", "reasonix")
    assert set(window.ids()) == set(ALL)
    # What Reasonix itself added is folded away, and no prompt.
    window.click(V4)
    window.until(lambda: "count the go files" in shown(window))
    transcript = window.window.detail.transcript
    asides = [row for row, block in enumerate(transcript.blocks) if block.notice == "host"]
    assert [transcript.shape_of(row).opened for row in asides] == [False]
    transcript.toggle_fold(asides[0])
    assert transcript.shape_of(asides[0]).opened
    facts = window.window.detail.header.facts()
    assert facts[0] == "Reasonix v4"


def test_a_path_opens_the_window_on_the_session(qtbot: QtBot, bench: Bench, state: Path) -> None:
    for path, id in ((state / f"{B}.jsonl", B), (state / V4, V4)):
        driver = Driver(qtbot, bench.runs, str(path))
        driver.until(lambda d=driver, i=id: d.window.detail.session_id == i, "it is not shown")
        driver.window.close()


def test_a_second_start_shows_the_session(window: Driver, bench: Bench) -> None:
    claimed = claim(bench.runs, "")
    assert claimed.lock is not None
    instance = Instance(claimed.lock, window.shell, bench.runs)
    with ThreadPoolExecutor(1) as later:
        second = later.submit(claim, bench.runs, B)
        window.until(second.done, "the second start got no answer")
    assert second.result().handed_over
    window.until(lambda: window.window.detail.session_id == B, "it is not shown")
    instance.close()


def test_what_cannot_be_done_says_why(window: Driver, state: Path) -> None:
    actions = ("actionResume", "actionDelete", "actionRename")
    assert why_not(window, A, *actions, "actionFork") == ["", "", "", ""]
    for id in (C, V4):
        told = why_not(window, id, *actions, "actionFork")
        assert all("Only Reasonix itself writes it" in text for text in told[:3])
        assert told[3] == ""
    with held(Path(f"{state / B}.jsonl.lease.lock")) as pid:
        window.until(lambda: window.status(B) == "running", "the lease was not seen")
        told = why_not(window, B, *actions)
        assert all(f"process {pid}" in text for text in told)
    window.window.folder.look_again()
    window.until(lambda: window.status(B) == "ready", "it is still taken for leased")
    assert "damaged" in why_not(window, TORN, "actionResume")[0]
    assert all(why_not(window, A, "actionResumeForce"))


def test_delete_undo_and_rename(window: Driver, state: Path) -> None:
    path = state / f"{A}.jsonl"
    before = path.read_bytes()
    window.choose(A, "actionDelete")
    window.until(lambda: A not in window.ids(), "it is still listed")
    assert not path.exists()
    window.press("noticeUndo")
    window.until_listed(A)
    assert path.read_bytes() == before
    # Runs and sessions go together, and come back together.
    window.click("r1")
    window.click(B, keep=True)
    window.window.verbs.delete.trigger()
    window.until(lambda: not {"r1", B} & set(window.ids()), "they are still listed")
    window.window.verbs.undo_delete.trigger()
    window.until_listed("r1", B)
    window.choose(A, "actionRename")
    window.until(lambda: window.window.findChild(object, "wordsField") is not None)
    field = window.window.findChild(object, "wordsField")
    field.selectAll()
    window.type(field, "The files")
    QTest.keyClick(field, Qt.Key.Key_Return)
    window.until(lambda: window.window.sessions.summary(A).title == "The files")
    assert json.loads(Path(f"{path}.meta").read_text())["topic_title"] == "The files"


def test_a_session_is_resumed_to_its_end_and_remembers_with_what(
    window: Driver, bench: Bench, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = state / f"{A}.jsonl"
    with MessagesServer([{"text": "Twelve. "}, {"text": "Bye. "}]) as server:
        config = bench.configure(
            {
                "identity": "files",
                "system_prompt": "x",
                "llm": {"provider": "openai", "model": "stub-model"},
            },
            base_url=f"{server.url}/v1",
        )
        window.choose(A, "actionResume")
        window.until(lambda: window.window.findChild(QFileDialog, "chooseConfiguration"))
        dialog = window.window.findChild(QFileDialog, "chooseConfiguration")
        assert dialog is not None
        dialog.fileSelected.emit(str(config))
        dialog.close()
        chat = window.window.running.chat
        window.until(lambda: chat.isVisible() and chat.field.isEnabled(), "it never waited")
        window.until(lambda: window.status(A) == "running", "the lease was not seen")
        window.type(chat.field, "how many?")
        QTest.keyClick(chat.field, Qt.Key.Key_Return)
        window.until(lambda: "Twelve." in shown(window), "no answer is shown")
        window.until(chat.field.isEnabled)
        assert chat.field.isEnabled()
        window.choose(A, "actionSuspend")
        window.until(lambda: not window.window.running.controller.live_ids())
        window.until(lambda: window.status(A) == "ready", "it is still taken for running")
        stored = [json.loads(line) for line in path.read_bytes().splitlines()]
        assert stored[:5] == reasonix.SESSION
        assert [m["content"] for m in stored[5:]] == ["how many?", "Twelve. "]
        # Another time nothing is asked.
        window.choose(A, "actionResume")
        window.until(lambda: chat.isVisible() and chat.field.isEnabled(), "it never waited")
        window.choose(A, "actionSuspend")
        window.until(lambda: not window.window.running.controller.live_ids())
    assert server.calls[0].body["messages"][0] == reasonix.SYSTEM


def test_what_the_real_program_writes_appears(window: Driver, state: Path) -> None:
    window.click(V4)
    window.until(lambda: "count the go files" in shown(window))
    answer = {"role": "assistant", "content": "Thirteen, I think."}
    with (state / V4 / "events.frames").open("ab") as file:
        file.write(reasonix.batch(20, reasonix.said(answer), ("turn/end", {})))
    window.until(lambda: "Thirteen, I think." in shown(window), "the transcript did not follow")
    window.until(lambda: window.status(V4) == "ready", "the status did not follow")
    new = "sessions/20260701-101010.000000001-m"
    reasonix.write(state / f"{new}.jsonl")
    window.until_listed(new)


def test_a_foreign_session_is_forked_into_one_that_can_be_resumed(
    window: Driver, state: Path
) -> None:
    before = set(window.ids())
    window.choose(V4, "actionFork")
    window.until(lambda: window.window.findChild(object, "wordsField") is not None)
    field = window.window.findChild(object, "wordsField")
    QTest.keyClick(field, Qt.Key.Key_Return)
    window.until(lambda: len(set(window.ids()) - before) == 1, "no fork is listed")
    [made] = set(window.ids()) - before
    window.until_listed(made)
    assert why_not(window, made, "actionResume") == [""]


def test_a_foreign_session_goes_on_in_the_program_it_is_from(
    window: Driver, bench: Bench, state: Path
) -> None:
    told = bench.folder / "told"
    for name, text in (("reasonix", f'echo "$@" > {told}'), ("xterm", 'shift; exec "$@"')):
        program = bench.folder / "bin" / name
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
    window.window.context.preferences.change(terminal=str(bench.folder / "bin" / "xterm"))
    window.choose(V4, "actionTerminal")
    window.until(told.exists, "the program was not started")
    window.until(told.read_text)
    assert told.read_text() == f"chat --resume {Path(V4).name}\n"
    with held(state / V4 / "writer.lock"):
        window.until(lambda: window.status(V4) == "running", "the writer was not seen")
        assert all(why_not(window, V4, "actionTerminal"))


def test_five_thousand_sessions_are_all_there(qtbot: QtBot, bench: Bench, home: Path) -> None:
    folder = many_sessions(home / ".reasonix" / "sessions", 5_000)
    window = Driver(qtbot, bench.runs)
    rows = window.window.sessions
    window.until(lambda: rows.total == 5_000, "not all are listed")
    names = sorted(path.stem for path in folder.glob("*.jsonl"))
    # Newest activity first, by the sidecars.
    assert window.ids() == [f"sessions/{name}" for name in _by_activity(folder, names)]
    window.until(lambda: rows.facet_counts()["ready"] == 5_000, "not all were read")
    oldest = window.ids()[-1]
    window.click(oldest)
    window.until(lambda: window.window.detail.session_id == oldest, "it is not shown")
    window.until(lambda: "prompt" in {b.kind for b in window.window.detail.transcript.blocks})
    new = "sessions/20260901-101010.000000001-m"
    reasonix.write(folder.parent / f"{new}.jsonl")
    window.until(lambda: rows.row_of(new) == 0, "a new one is not listed")
    assert window.ids()[0] == new
    assert len(window.ids()) == 5_001


def _by_activity(folder: Path, names: list[str]) -> list[str]:
    def activity(name: str) -> str:
        return str(json.loads((folder / f"{name}.jsonl.meta").read_text())["updated_at"])

    return sorted(names, key=activity, reverse=True)
