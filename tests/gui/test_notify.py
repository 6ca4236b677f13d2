# SPDX-License-Identifier: Apache-2.0
"""What is said on the desktop: when a run ends or asks, and nobody looks; never a secret."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QProcess
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto.settings import Settings
from tenuto.sources.base import Evidence, SessionSummary, blank_summary
from tenuto_gui.notify import Notifier
from tenuto_gui.notify_program import lines
from tests.gui.driver import PATIENCE, Driver
from tests.gui.parts import context
from tests.support.store import end, make_run


def session(status: str, title: str = "Count the rice", kind: str = "") -> SessionSummary:
    summary = blank_summary("run", "")
    summary.status = status  # type: ignore[assignment]
    summary.title = title
    if kind:
        summary.evidence = Evidence(kind, text="rm -rf /secret")  # type: ignore[arg-type]
    return summary


@pytest.mark.parametrize(
    ("before", "after", "kind", "said"),
    [
        ("running", "completed", "", "A session is completed"),
        ("running", "waiting", "ask", "A session waits for you"),
        ("waiting", "suspended", "", "A session is suspended"),
        ("running", "interrupted", "", "A session was interrupted"),
        ("running", "interrupted", "outcome_unknown",
         "A session was interrupted; one command may have run"),
        ("waiting", "running", "", None),
        ("pending", "completed", "", None),
        ("suspended", "running", "", None),
        ("completed", "completed", "", None),
    ],
)  # fmt: skip
def test_what_is_told(
    qtbot: QtBot, tmp_path: Path, before: str, after: str, kind: str, said: str | None
) -> None:
    with context(tmp_path) as made:
        window = QWidget()
        qtbot.addWidget(window)
        notifier = Notifier(made, window)
        told: list[tuple[str, str]] = []
        notifier.told.connect(lambda title, text: told.append((title, text)))
        notifier.watch(session(before), session(after, kind=kind))
        assert told == ([(said, "Count the rice")] if said else [])


def test_no_secret_and_no_control_character_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    key = "sk-ant-api03-" + "Ab3" * 12
    with context(tmp_path) as made:
        window = QWidget()
        qtbot.addWidget(window)
        notifier = Notifier(made, window)
        told: list[str] = []
        notifier.told.connect(lambda _title, text: told.append(text))
        title = f"use {key}\u202e\x1b[31m"
        notifier.watch(session("running"), session("waiting", title, "ask"))
        assert key not in told[0]
        assert "secret" not in told[0]
        assert "\u202e" not in told[0]
        assert "\x1b" not in told[0]


def test_the_setting_and_a_window_in_front_keep_it_quiet(qtbot: QtBot, tmp_path: Path) -> None:
    with context(tmp_path) as made:
        window = QWidget()
        qtbot.addWidget(window)
        notifier = Notifier(made, window)
        told: list[str] = []
        notifier.told.connect(lambda title, _text: told.append(title))
        made.preferences.current = Settings(notifications=False)
        notifier.watch(session("running"), session("completed"))
        made.preferences.current = Settings()
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        notifier.watch(session("running"), session("completed"))
        assert told == []


def test_a_run_that_ends_elsewhere_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    store = FileRunStore(folder)
    make_run(store, "live")
    make_run(store, "rest")
    journal = store.open("live")
    window = Driver(qtbot, folder)
    window.until_listed("live", "rest")
    window.until(lambda: window.status("live") == "running")
    front = QWidget()
    qtbot.addWidget(front)
    front.show()
    front.activateWindow()
    qtbot.waitUntil(front.isActiveWindow)
    told: list[str] = []
    window.window.notifier.told.connect(lambda title, _text: told.append(title))
    journal.append(end("completed"))
    journal.close()
    window.until(lambda: told == ["A session is completed"])
    window.window.notifier.opened.emit("live")
    window.until(lambda: window.window.detail.session_id == "live")


SENDER = """#!{python}
import json, os, sys
with open({out!r}, "a") as out:
    out.write(json.dumps(sys.argv[1:]) + "\\n")
if any(word.startswith("--action=") for word in sys.argv) and {old}:
    sys.exit(1)
print({said!r})
if {waits}:
    import time
    time.sleep(600)
"""


def put_sender(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    said: str = "",
    old: bool = False,
    waits: bool = False,
) -> Path:
    """A ``notify-send`` that writes down how it is called; where it does so."""
    folder, out = tmp_path / "bin", tmp_path / "sent.jsonl"
    folder.mkdir()
    program = folder / "notify-send"
    program.write_text(
        SENDER.format(python=sys.executable, out=str(out), said=said, old=old, waits=waits)
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return out


def sent(out: Path) -> list[list[str]]:
    return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


def test_without_a_tray_the_desktop_s_own_program_tells_and_a_click_opens(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = put_sender(tmp_path, monkeypatch, said="default")
    with context(tmp_path) as made:
        window = QWidget()
        qtbot.addWidget(window)
        notifier = Notifier(made, window)
        with qtbot.waitSignal(notifier.opened, timeout=PATIENCE) as opened:
            notifier.watch(session("running"), session("failed", "--help <b>$(touch x)</b>"))
        assert opened.args == ["run"]
        (words,) = sent(out)
        assert words[-3:] == ["--", "A session failed", "--help &lt;b&gt;$(touch x)&lt;/b&gt;"]
        assert not (tmp_path / "x").exists()


def test_an_old_program_is_asked_without_what_it_does_not_know(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = put_sender(tmp_path, monkeypatch, old=True)
    with context(tmp_path) as made:
        window = QWidget()
        qtbot.addWidget(window)
        notifier = Notifier(made, window)
        notifier.watch(session("running"), session("completed"))
        qtbot.waitUntil(lambda: len(sent(out)) == 2, timeout=PATIENCE)
        first, second = sent(out)
        assert any(word.startswith("--action=") for word in first)
        assert [word for word in first if not word.startswith("--action=")] == second


def test_messages_go_when_the_window_comes_to_the_front(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = put_sender(tmp_path, monkeypatch, waits=True)
    with context(tmp_path) as made:
        window = QWidget()
        qtbot.addWidget(window)
        notifier = Notifier(made, window)
        notifier.watch(session("running"), session("completed"))
        qtbot.waitUntil(lambda: bool(sent(out)), timeout=PATIENCE)
        notifier.seen()
        assert notifier.findChildren(QProcess) == [] or all(
            each.state() == QProcess.ProcessState.NotRunning
            for each in notifier.findChildren(QProcess)
        )


def test_where_no_program_is_nothing_fails(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert lines("title", "text", "Open", 1000) == []
    with context(tmp_path) as made:
        window = QWidget()
        qtbot.addWidget(window)
        notifier = Notifier(made, window)
        told: list[str] = []
        notifier.told.connect(lambda title, _text: told.append(title))
        notifier.watch(session("running"), session("completed"))
        assert told == ["A session is completed"]


def test_words_of_gdbus_are_strings_whatever_is_in_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "gdbus"
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    (line,) = lines("7", "it's \\ [1]", "Open", 1000)
    assert line[line.index("--") + 1 :] == [
        "Tenuto", "0", "tenuto", "'7'", "'it\\'s \\\\ [1]'", "[]", "{}", "1000"
    ]  # fmt: skip
