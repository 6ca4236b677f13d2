# SPDX-License-Identifier: Apache-2.0
"""What goes wrong under a run at work, as the operator sees it; and that the run goes on after."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from tenuto.runs import notes
from tenuto_gui.runs import protocol as p
from tests.e2e.bench import Bench
from tests.e2e.messages_server import MessagesServer
from tests.e2e.pantry import CONFORMANCE
from tests.e2e.runs import wait_turn
from tests.gui.driver import Driver
from tests.gui.test_force_story import change
from tests.gui.working import ADD, DONE, LIST, press_late, rest, suspended_run
from tests.support import sick
from tests.support.store import mounted

END = {"text": "All in place.", "stop": "end_turn"}


@pytest.fixture
def bench(home: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    made = Bench(home / "bench")
    monkeypatch.setenv("PATH", made.environment["PATH"])
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key-that-no-tool-may-see")
    return made


def opened(qtbot: QtBot, bench: Bench, id: str = "r1") -> tuple[Driver, list[Any]]:
    """A window on a run, and all that its workers will say."""
    window = Driver(qtbot, bench.runs)
    window.until_listed(id)
    events: list[Any] = []
    window.window.running.controller.run_event.connect(lambda _id, event: events.append(event))
    return window, events


def until_tool(window: Driver, events: list[Any], name: str = "wait") -> None:
    def started() -> bool:
        return any(isinstance(each, p.ToolStart) and each.name == name for each in events)

    window.until(started, f"{name} never started")


# --- the model's side ----------------------------------------------------------------------------


#: A run of fisk-ai whose model is on the wire, suspended.
ONLINE = "suspended"


def online_run(bench: Bench, url: str) -> None:
    """That run, which knows its configuration: its model is a server at ``url``."""
    rows = json.loads((CONFORMANCE / "runs.json").read_bytes())
    (row,) = [each for each in rows if each["name"] == ONLINE]
    config = bench.configure(row["config"], base_url=url)
    bench.take(ONLINE)
    notes.update(bench.runs, ONLINE, config=str(config), cwd=str(bench.folder))


#: What the model's side does to one resume; what the notice calls it, and a word of the details.
FAILURES: list[tuple[list[dict[str, Any]], str, str]] = [
    ([{"status": 401, "text": "invalid x-api-key"}], "does not accept the key", "401"),
    ([{"status": 429, "text": "slow down", "retry": True}] * 3, "no more calls", "429"),
    ([{"status": 529, "text": "busy", "retry": True}] * 3, "is overloaded", "529"),
    ([{"text": "It will break off here.", "cut": True}], "broke off", "POST"),
]


def test_the_models_side_fails_and_is_asked_again(qtbot: QtBot, bench: Bench) -> None:
    """In one way after the other: each is told, and its notice has the button that goes on."""
    turns = [turn for turns, _, _ in FAILURES for turn in turns]
    with MessagesServer([*turns, END]) as server:
        online_run(bench, server.url)
        window, _events = opened(qtbot, bench, ONLINE)
        window.choose(ONLINE, "actionResume")
        for failing, title, said in FAILURES:
            window.until(lambda title=title: title in window.notice(), f"nothing says: {title}")
            rest(window)
            notice = window.notice()
            assert said in notice
            assert "All that was done before is kept." in notice
            assert ("It was asked 3 time" in notice) == (len(failing) == 3)
            assert "test-key-that-no-tool-may-see" not in notice
            window.until(lambda: window.status(ONLINE) == "failed")
            window.press("noticeAgain")
        window.until(lambda: window.status(ONLINE) == "completed", "it does not go on")
        rest(window)
        assert len(server.calls) == len(turns) + 1
    assert window.notice() == ""


def test_a_pause_of_the_models_side_is_told_while_it_lasts(qtbot: QtBot, bench: Bench) -> None:
    busy = {"status": 529, "text": "busy", "retry": True}
    with MessagesServer([busy, {**END, "word_delay": 0.2}]) as server:
        online_run(bench, server.url)
        window, _events = opened(qtbot, bench, ONLINE)
        window.choose(ONLINE, "actionResume")
        line = window.window.running.strip.warning
        window.until(line.isVisible, "nobody says why it takes so long")
        assert "529 Overloaded" in line.accessibleName()
        window.until(lambda: "attempt 2" in line.accessibleName())
        window.until(lambda: window.status(ONLINE) == "completed")
        rest(window)
        assert window.notice() == "", "it passed"


def test_no_network(qtbot: QtBot, bench: Bench) -> None:
    with socket.socket() as taken:
        # Bound and not listening: whoever calls is refused. Nobody else gets the port meanwhile.
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        online_run(bench, f"http://127.0.0.1:{port}")
        window, _events = opened(qtbot, bench, ONLINE)
        window.choose(ONLINE, "actionResume")
        window.until(lambda: "cannot be reached" in window.notice(), "nothing is said of it")
        rest(window)
        assert "It was asked 3 time" in window.notice()
        with MessagesServer([END], taken=taken):
            window.press("noticeAgain")
            window.until(lambda: window.status(ONLINE) == "completed", "it does not go on")
            rest(window)


# --- the worker ----------------------------------------------------------------------------------


def test_a_crash_is_kept_in_a_log_that_opens_on_demand(
    qtbot: QtBot, bench: Bench, tmp_path: Path
) -> None:
    suspended_run(bench, [LIST, DONE])
    window, _events = opened(qtbot, bench)
    act = window.window.verbs
    window.click("r1")
    assert not act.log.isEnabled()
    assert "No worker of it said anything" in act.log.statusTip()
    with sick.workers(tmp_path / "sick", sick.CRASH):
        window.choose("r1", "actionResume")
        window.until(lambda: "RuntimeError" in window.notice(), "nothing is said of it")
        rest(window)
    assert "The run could not go on" in window.notice()
    assert "hunter2" not in window.notice()
    window.until(act.log.isEnabled, "no log is kept")
    window.choose("r1", "actionWorkerLog")
    logs: list[QPlainTextEdit] = []

    def there() -> bool:
        logs[:] = window.window.findChildren(QPlainTextEdit, None)
        logs[:] = [each for each in logs if each.window().objectName() == "outputWindow"]
        return bool(logs)

    window.until(there, "the log does not open")
    text = logs[0].toPlainText()
    logs[0].window().close()
    assert "Traceback" in text
    assert "the shelf fell down" in text
    assert "exit code" in text
    assert "hunter2" not in text
    for kept in window.window.running.logs.path("r1").parent.iterdir():
        assert kept.stat().st_mode & 0o777 == 0o600
    window.choose("r1", "actionResume")
    window.until(lambda: window.status("r1") == "completed", "it does not go on")
    rest(window)
    assert window.notice() == ""


@pytest.mark.parametrize("choice", ["run", "skip", "stop"])
def test_a_worker_killed_in_a_tool_asks_before_it_repeats(
    qtbot: QtBot, bench: Bench, choice: str
) -> None:
    suspended_run(bench, [ADD, DONE])
    window, events = opened(qtbot, bench)
    bench.pantry.hold()
    window.choose("r1", "actionResume")
    until_tool(window, events, "stock_add")
    window.until(lambda: ["stock", "add", "--", "tea"] in bench.pantry.calls())
    pid = next(each.pid for each in events if isinstance(each, p.Starting))
    os.kill(pid, signal.SIGKILL)
    rest(window)
    window.until(lambda: "The worker was killed." in window.notice(), "nobody was told")
    window.until(lambda: window.status("r1") == "interrupted")
    before = (bench.runs / "r1.json").read_bytes()
    bench.pantry.release()
    window.choose("r1", "actionResume")
    panel = window.window.running.panel
    window.until(panel.isVisible, "it is not asked about")
    assert panel.command.shown_text().splitlines()[1:] == ["1 stock", "2 add", "3 --", "4 tea"]
    assert (bench.runs / "r1.json").read_bytes() == before, "something ran before it was asked"
    press_late(window, f"outcome_{choice}")
    if choice == "stop":
        rest(window)
        assert (bench.runs / "r1.json").read_bytes() == before
        # The list looks at the run once more when its worker has ended.
        window.until(lambda: window.status("r1") == "interrupted", "it is shown as running")
    else:
        window.until(lambda: window.status("r1") == "completed", "it does not go on")
        rest(window)
    added = bench.pantry.calls().count(["stock", "add", "--", "tea"])
    assert added == (2 if choice == "run" else 1)


# --- the machine ---------------------------------------------------------------------------------


def test_a_disk_that_is_full(qtbot: QtBot, bench: Bench, tmp_path: Path) -> None:
    words = ("-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs")
    with mounted(tmp_path / "small", *words) as small:
        bench.runs = small / "runs"
        bench.runs.mkdir(mode=0o700)
        long = "All is tidy. " * 2000
        suspended_run(bench, [wait_turn(60), {"text": long}])
        window, events = opened(qtbot, bench)
        window.choose("r1", "actionResume")
        until_tool(window, events)
        filler = fill(small)
        bench.pantry.let_go()
        window.until(lambda: "The disk is full" in window.notice(), "nothing is said of it")
        assert "0 bytes free" in window.notice()
        rest(window)
        filler.unlink()
        window.press("noticeAgain")
        window.until(lambda: window.status("r1") == "completed", "it does not go on")
        rest(window)
        assert bench.kinds("r1").count("assistant") == 3, "something is there twice"
        window.window.close()


def fill(folder: Path) -> Path:
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"f" * 4096)
        except OSError:
            return filler


@pytest.mark.parametrize("seen", [False, True], ids=["run-first", "row-first"])
def test_the_folder_goes_away_under_a_run(qtbot: QtBot, bench: Bench, seen: bool) -> None:
    """Its name is that of its row, also when the list has lost that before the run ends."""
    suspended_run(bench, [wait_turn(60), DONE])
    window, events = opened(qtbot, bench)
    window.choose("r1", "actionResume")
    until_tool(window, events)
    while bench.runs.exists():
        # Previews come and go in it meanwhile.
        with contextlib.suppress(OSError):
            shutil.rmtree(bench.runs)
    if seen:
        window.until(lambda: "r1" not in window.ids(), "it is still listed")
    bench.pantry.let_go()
    said = "\u201cTidy up\u201d: The run is gone from its folder"
    window.until(lambda: said in window.notice(), "silence")
    rest(window)
    window.until(lambda: "r1" not in window.ids(), "it is still listed")
    assert said in window.notice(), "it went with its row"
    assert not bench.runs.exists(), "somebody made the folder anew"


def test_a_configuration_edited_meanwhile_is_told_at_the_next_resume(
    qtbot: QtBot, bench: Bench
) -> None:
    config = suspended_run(bench, [wait_turn(60), LIST, DONE])
    window, events = opened(qtbot, bench)
    window.choose("r1", "actionResume")
    until_tool(window, events)
    window.until(lambda: window.status("r1") == "running", "the list never saw it run")
    change(config, system_prompt="You keep another pantry.")
    window.window.verbs.suspend.trigger()
    bench.pantry.let_go()
    window.until(lambda: window.status("r1") == "suspended", "it never came to rest")
    rest(window)
    assert window.notice() == "", "the run that was at work is none of its business"
    before = (bench.runs / "r1.json").read_bytes()
    window.choose("r1", "actionResume")
    window.until(lambda: "The configuration differs" in window.notice(), "it is not told")
    rest(window)
    assert (bench.runs / "r1.json").read_bytes() == before


# --- of which session ----------------------------------------------------------------------------


@pytest.mark.parametrize("deed", ["kill", "refuse"])
def test_what_happens_to_another_session_is_told_by_its_name(
    qtbot: QtBot, bench: Bench, deed: str
) -> None:
    config = suspended_run(bench, [wait_turn(60), DONE])
    words = ("session", "fork", "r1", "--at", "3", "--name", "r2")
    assert bench.tenuto(*words).returncode == 0
    assert bench.tenuto("session", "rename", "r1", "Kitchen shelves").returncode == 0
    window, events = opened(qtbot, bench)
    window.until_listed("r1", "r2")
    window.click("r1")
    if deed == "refuse":
        change(config, llm={"provider": "anthropic"})
        window.window.resume_flow.start("r1", str(config))
        window.click("r2")
    else:
        window.choose("r1", "actionResume")
        until_tool(window, events)
        window.click("r2")
        os.kill(next(e.pid for e in events if isinstance(e, p.Starting)), signal.SIGKILL)
        # The tool, if it came to start, outlives its worker.
        bench.pantry.hurry()
    window.until(lambda: "\u201cKitchen shelves\u201d: " in window.notice(), "whose news is it?")
    rest(window)
    window.press("noticeSession")
    window.until(lambda: window.window.detail.session_id == "r1")
