# SPDX-License-Identifier: Apache-2.0
"""A run in a terminal: questions on the tty, the answer alone on stdout."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.bench import TIMEOUT, Bench

REMOVE = {"text": "Remove it.", "tools": [{"name": "stock_remove", "input": {"items": ["tea"]}}]}
DONE = {"text": "Done."}


class Terminal:
    """A process with a terminal of its own; stdout goes elsewhere, as with ``> answer.txt``."""

    def __init__(self, line: list[str], environment: dict[str, str], answer: Path) -> None:
        self._ours, theirs = pty.openpty()
        name = os.ttyname(theirs)

        def take_terminal() -> None:
            fcntl.ioctl(os.open(name, os.O_RDWR), termios.TIOCSCTTY, 0)

        with answer.open("wb") as out:
            self.process = subprocess.Popen(
                line,
                env={**environment, "TERM": "dumb"},
                stdin=theirs,
                stdout=out,
                stderr=theirs,
                start_new_session=True,
                preexec_fn=take_terminal,  # noqa: PLW1509 - this test has no threads
            )
        os.close(theirs)
        self.screen = ""

    def expect(self, text: str) -> None:
        deadline = time.monotonic() + TIMEOUT
        while text not in self.screen:
            assert time.monotonic() < deadline, self.screen
            if select.select([self._ours], [], [], 0.2)[0]:
                try:
                    self.screen += os.read(self._ours, 4096).decode("utf-8", "replace")
                except OSError:
                    raise AssertionError(f"ended before {text!r}: {self.screen}") from None

    def type(self, text: str) -> None:
        # Behind the dead time in which keys typed ahead are dropped.
        time.sleep(0.5)
        os.write(self._ours, text.encode())

    def wait(self) -> int:
        deadline = time.monotonic() + TIMEOUT
        while self.process.poll() is None:
            assert time.monotonic() < deadline
            if select.select([self._ours], [], [], 0.1)[0]:
                try:
                    self.screen += os.read(self._ours, 4096).decode("utf-8", "replace")
                except OSError:
                    break
        return self.process.wait(TIMEOUT)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._ours)


@contextmanager
def terminal(bench: Bench, *arguments: str) -> Iterator[Terminal]:
    made = Terminal(bench.command(*arguments), bench.environment, bench.folder / "answer.txt")
    try:
        yield made
    finally:
        made.close()


def start(config: Path) -> tuple[str, ...]:
    return ("run", "Tidy up", "--config", str(config), "--checkpoint", "--name", "r1")


@pytest.mark.parametrize(("typed", "ran"), [("o\n", True), ("\n", False), ("yes\n", False)])
def test_a_question_shows_every_word_and_only_a_clear_yes_counts(
    bench: Bench, typed: str, ran: bool
) -> None:
    config = bench.script([REMOVE, DONE])
    with terminal(bench, *start(config)) as screen:
        screen.expect("(default): ")
        assert "stock_remove wants to run (ai:confirm)" in screen.screen
        assert "    remove\r\n    --\r\n    tea\r\n" in screen.screen
        screen.type(typed)
        assert screen.wait() == 0
    assert (bench.pantry.calls() == [["stock", "remove", "--", "tea"]]) is ran
    assert (bench.folder / "answer.txt").read_text() == "Done.\n"


def test_keys_typed_ahead_are_no_answer(bench: Bench) -> None:
    config = bench.script([{**REMOVE, "delay": 1.0}, DONE])
    with terminal(bench, *start(config)) as screen:
        os.write(screen._ours, b"o\n")
        screen.expect("(default): ")
        screen.type("d\n")
        assert screen.wait() == 0
    assert bench.pantry.calls() == []


def test_what_hides_in_a_command_is_shown(bench: Bench) -> None:
    item = "tea\x1b[2K\u202eflour\n  --force"
    turn = {"tools": [{"name": "stock_remove", "input": {"items": [item]}}]}
    config = bench.script([turn, DONE])
    with terminal(bench, *start(config)) as screen:
        screen.expect("(default): ")
        assert "\x1b[2K" not in screen.screen
        assert "\u202e" not in screen.screen
        assert "<U+202E>" in screen.screen
        # A line break inside a word starts no new word.
        assert "\r\n  --force" not in screen.screen
        screen.type("d\n")
        assert screen.wait() == 0


def test_interrupting_a_question_suspends(bench: Bench) -> None:
    config = bench.script([REMOVE, DONE])
    with terminal(bench, *start(config)) as screen:
        screen.expect("(default): ")
        screen.process.send_signal(signal.SIGINT)
        screen.expect("taken back")
        assert screen.wait() == 0
    assert bench.kinds("r1") == ["meta", "assistant", "terminal"]
    assert bench.records("r1")[-1]["terminal"] == {"reason": "suspended"}
    with terminal(bench, "resume", "r1", "--config", str(config)) as screen:
        screen.expect("(default): ")
        screen.type("o\n")
        assert screen.wait() == 0
    assert bench.pantry.calls() == [["stock", "remove", "--", "tea"]]


@pytest.mark.parametrize(("typed", "code"), [("r\n", 0), ("s\n", 0), ("\n", 4)])
def test_the_outcome_is_asked_in_the_terminal(bench: Bench, typed: str, code: int) -> None:
    turn = {"tools": [{"name": "import", "input": {"file": "list.csv"}}]}
    config = bench.script([turn, DONE])
    assert bench.tenuto(*start(config)).returncode == 0
    journal = bench.runs / "r1.json"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:2]))
    bench.pantry.log.unlink()
    with terminal(bench, "resume", "r1", "--config", str(config), "--no-replay") as screen:
        screen.expect("sto[p] (default): ")
        assert "is unknown" in screen.screen
        waiting = json.loads((bench.runs / "r1.ask.json").read_bytes())
        assert waiting["ask"]["kind"] == "outcome"
        screen.type(typed)
        assert screen.wait() == code
    assert bench.pantry.calls() == ([["import", "--", "list.csv"]] if typed == "r\n" else [])
    assert not (bench.runs / "r1.ask.json").exists()
